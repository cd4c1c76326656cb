"""An observation read back: what a view says must all be found in it."""

from typing import Any

import numpy as np

from stichwerk.cards import COLOURS, card_text
from stichwerk.envs import Spec
from stichwerk.match import Match
from stichwerk.view import View

# Facts for clients that know no rule: they follow from other facts of the view by the rules, or
# tell how something came about that matters no more. An observation need not repeat them.
FOLLOWING = {
    "table.best_cards",
    "table.new_place",
    "table.full",
    "table.last_trick",
    "table.points",
    "table.order",
    "table.heaps",
    "table.teams",
    "table.team_totals",
    "table.pain_colours",
    "table.face_down",
    "table.passes_to",
    "table.flowers",
    "table.lost_hearts",
    "mine.worth",
    "mine.piles",
    "mine.points",
    "mine.pain_colour",
}


class Reader:
    """Reads the numbers of one seat's observation as the facts of its view."""

    def __init__(self, spec: Spec, row: Any, seat: int) -> None:
        self.spec = spec
        self.row = row
        self.seat = seat
        self.seats = spec.seats
        self.texts = [card_text(card) for card in spec.cards]

    def block(self, name: str) -> Any:
        """Return a block in its shape."""
        return self.row[self.spec.layout[name]].reshape(self.spec.shapes[name])

    def by_seat(self, name: str) -> list[Any]:
        """Return the rows of a block, seat 0 first."""
        block = self.block(name)
        return [block[(other - self.seat) % self.seats] for other in range(self.seats)]

    def counts(self, name: str, scale: float) -> list[int]:
        """Return a number for each seat."""
        return [int(value * scale) for value in self.by_seat(name)]

    def cards(self, numbers: Any) -> tuple[str, ...]:
        """Return the cards that are marked, in deck order, as often as they are there."""
        pairs = zip(self.texts, numbers, strict=True)
        return tuple(text for text, count in pairs for _ in range(int(count)))

    def card(self, numbers: Any) -> str | None:
        """Return the one card that is marked."""
        found = self.cards(numbers)
        assert len(found) < 2
        return found[0] if found else None

    def one(self, numbers: Any) -> int | None:
        """Return the position of the one mark."""
        assert numbers.sum() in (0, 1)
        return int(np.argmax(numbers)) if numbers.any() else None

    def who(self, name: str) -> int | None:
        """Return the one seat that is marked."""
        return self.one(np.array(self.by_seat(name)))

    def colour(self, numbers: Any) -> str | None:
        """Return the one colour that is marked."""
        at = self.one(numbers)
        return None if at is None else self.spec.rules.deck.colours[at]

    # -- What every view says ----------------------------------------------------------------------

    def facts(self) -> dict[str, object]:
        """Return everything, by the names of the view's fields."""
        phases = self.spec.rules.phases
        phase = self.one(self.block("phase"))
        name = self.spec.game.replace("-", "_")
        own = {part: getattr(self, f"{part}_{name}", None) for part in ("table", "mine")}
        return {
            "hand": self.cards(self.block("hand")),
            "hand_sizes": tuple(self.counts("hand_sizes", 16)),
            "taken": tuple(self.counts("tricks", 16)),
            "totals": tuple(self.counts("totals", 32)),
            "before": tuple(self.counts("before", 32)),
            "round": int(self.block("round")[0] * 16),
            "starter": self.who("starter"),
            "phase": phases[0 if phase is None else phase + 1],
            "waiting_for": tuple(at for at, owes in enumerate(self.by_seat("owes")) if owes),
            "tricks": self.tricks(),
            **{part: read() for part, read in own.items() if read is not None},
        }

    def tricks(self) -> dict[int, object]:
        """Return led colour and plays of each place with an open trick."""
        found: dict[int, object] = {}
        lying, led = self.block("lying"), self.block("led")
        for place in range(self.spec.places):
            if lying[place].any():
                rows = [lying[place][(it - self.seat) % self.seats] for it in range(self.seats)]
                found[place] = (self.colour(led[place]), [self.cards(row) for row in rows])
        return found

    # -- What each game adds -----------------------------------------------------------------------

    def table_sticheln(self) -> dict[str, object]:
        """Return all pain cards or none."""
        pain = [self.card(row) for row in self.by_seat("pain")]
        return {"pain": None if None in pain else pain}

    def mine_sticheln(self) -> dict[str, object]:
        """Return the seat's own pain card while not all are revealed."""
        pain = [self.card(row) for row in self.by_seat("pain")]
        return {"pain": pain[self.seat]} if None in pain and pain[self.seat] else {}

    def table_null_nichtig(self) -> dict[str, object]:
        """Return tops and heights of the piles."""
        piles = []
        for tops, taken in zip(self.by_seat("tops"), self.by_seat("taken"), strict=True):
            top = {text[0]: text for text in self.cards(tops)}
            sizes = [text[0] for text in self.cards(taken)]
            piles.append(
                [
                    {"top": top[letter], "size": sizes.count(letter)} if letter in top else None
                    for letter in COLOURS[:5]
                ]
            )
        return {"piles": piles}

    def mine_null_nichtig(self) -> dict[str, object]:
        """Return the cards chosen to be laid out, in order."""
        picked = [self.card(row) for row in self.block("picked")]
        found = [card for card in picked if card]
        return {"laid": found} if found else {}

    def table_stichling(self) -> dict[str, object]:
        """Return scoring cards that were turned up."""
        number = int(self.block("round")[0] * 16)
        shown = []
        for seat, tricks in enumerate(self.counts("tricks", 16)):
            turned = min(3, tricks)
            values = self.scoring(seat, number)[:turned]
            face_up = self.one(self.by_seat("face_up")[seat])
            shown.append({"turned": values + [None] * (3 - turned), "face_up": face_up})
        return {"scoring": shown, "values": [value * number for value in (1, 2, 3)]}

    def scoring(self, seat: int, number: int) -> list[int | None]:
        """Return the scoring cards of a seat that are known."""
        places = [self.one(row) for row in self.by_seat("scoring")[seat]]
        return [None if place is None else (place + 1) * number for place in places]

    def mine_stichling(self) -> dict[str, object]:
        """Return the seat's own order."""
        order = self.scoring(self.seat, int(self.block("round")[0] * 16))
        return {} if None in order else {"order": order}

    def table_stichtag(self) -> dict[str, object]:
        """Return everything a day may have on the table."""
        announced = [self.one(row) for row in self.by_seat("announced")]
        return {
            "trump": self.colour(self.block("trump")),
            "trumps": [self.colour(row) for row in self.block("trumps").reshape(2, -1)],
            "named": self.colour(self.block("named")),
            "announced": None if None in announced else announced,
            "veto": self.who("veto"),
            "struck": self.who("struck"),
            "aside": self.counts("aside_sizes", 16),
            "direction": int(self.block("direction")[0]),
            "eggs": self.counts("eggs", 8),
            "sunstroke": self.who("sunstroke"),
            "discarded": list(self.cards(self.block("gone"))),
            "lying": list(self.cards(self.block("carried"))),
            "lying_tricks": int(self.block("carried_tricks")[0] * 16),
            "lanterns": self.counts("lanterns", 8),
            "gifts": self.counts("gifts", 8),
            "to_give": list(self.cards(self.block("to_give"))),
            "hearts": self.counts("hearts", 2),
        }

    def mine_stichtag(self) -> dict[str, object]:
        """Return what only the seat knows on such a day."""
        announced = self.one(self.by_seat("announced")[self.seat])
        taking = self.one(self.block("taking"))
        owed = self.one(self.block("phase"))
        chosen = {
            "announce": None if announced is None else str(announced),
            "pass": self.card(self.block("passing")) or "",
            "take": None if taking is None else ("leave", "take")[taking],
        }.get("" if owed is None else self.spec.rules.phases[owed + 1])
        return {
            "partner": self.who("partner"),
            "aside": list(self.cards(self.block("aside"))),
            "face_down": self.card(self.block("face_down")),
            "chosen": "" if chosen is None else chosen,
        }


def facts_of(view: View) -> dict[str, object]:
    """Return the same facts from the view itself."""
    before = view.scores[view.round - 2] if view.round > 1 else (0,) * view.seats
    earlier = view.scores[: view.round - 1]
    tricks = {}
    for trick in view.tricks:
        laid: list[list[str]] = [[] for _ in range(view.seats)]
        for seat, text in trick.plays:
            laid[seat] += text.split("+")
        tricks[trick.place] = (trick.led, [in_deck_order(cards) for cards in laid])
    return {
        "hand": view.hand,
        "hand_sizes": view.hand_sizes,
        "taken": view.taken,
        "totals": tuple(sum(points[seat] for points in earlier) for seat in range(view.seats)),
        "before": before,
        "round": view.round,
        "starter": view.starter,
        "phase": view.phase,
        "waiting_for": view.waiting_for,
        "tricks": tricks,
        "table": view.table,
        "mine": view.mine,
    }


def in_deck_order(cards: list[str]) -> tuple[str, ...]:
    """Cards as a deck lists them."""
    return tuple(sorted(cards, key=lambda text: (COLOURS.index(text[0]), int(text[1:]))))


def missing(spec: Spec, row: Any, match: Match, seat: int) -> list[str]:
    """Return the facts of a view that cannot be read from an observation."""
    view = match.view(seat)
    expected, read = facts_of(view), Reader(spec, row, seat).facts()
    lost = [
        name
        for name, fact in expected.items()
        if name not in ("table", "mine") and fact != read[name]
    ]
    for part in {"table", "mine"} & read.keys():  # of a game without a reader here, neither
        here: Any = read[part]
        there: Any = expected[part]
        lost += [f"{part}.{name}" for name, fact in there.items() if here.get(name) != fact]
    return [name for name in lost if name not in FOLLOWING]
