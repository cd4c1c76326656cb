"""A table for the calendar: tricks as text, special cards as drawn, whole rounds by their result.

Plays are written in order, `Ada G4, Ben G9`; other moves as they are typed: `Ada veto Ben`,
`Ada G0>Ben`, `Ada 3`, `Ada take`, `Ada B` for a trump. Passing is written `Ada gives G5`,
discarding `Ada drops Y0,L1`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import stichwerk
from stichwerk.match import Setting
from tests.rulebook.table import Table

THREE = "Ada Ben Cem"
FOUR = "Ada Ben Cem Dan"
CARD = re.compile(r"[RYGBLS]\d+")


class Desk(Table):
    """A match of Stichtag on a day of the calendar."""

    def play(self, plays: str) -> None:
        """Moves in order; `gives` and `drops` are only there for the reader."""
        for name, move in moves_of(plays):
            self.match.play(self.seat(name), re.sub(r"^(gives|drops) ", "", move))

    @property
    def trick(self) -> tuple[str, str]:
        """Who won the last trick, taken or not, and its cards as they were played."""
        last = [event for event in self.match.events if event.kind in ("trick", "stays")][-1]
        assert last.seat is not None
        return self.names[last.seat], " ".join(last.cards)

    @property
    def winner(self) -> str:
        """Who won the last trick."""
        return self.trick[0]

    @property
    def waiting(self) -> str:
        """All who owe a move."""
        return " ".join(self.names[seat] for seat in self.match.waiting_for)

    @property
    def phase(self) -> str:
        """What is asked for."""
        return self.match.phase

    def fact(self, name: str) -> Any:
        """Something on the table."""
        return self.view.table[name]

    def hand(self, name: str) -> str:
        """Return the player's hand."""
        return " ".join(self.match.view(self.seat(name)).hand)

    def secret(self, name: str, what: str) -> Any:
        """Something only this player knows."""
        return self.match.view(self.seat(name)).mine[what]

    def scores(self) -> tuple[int, ...]:
        """Return what the last finished round brought."""
        return self.match.scores[-1]

    def ranks(self) -> str:
        """Return the ranking, best first, those level joined: `Ben, Ada=Cem`."""
        assert self.match.ranking is not None
        return ", ".join("=".join(self.names[seat] for seat in on) for on in self.match.ranking)


def moves_of(plays: str) -> Iterator[tuple[str, str]]:
    """`Ada G4, Ben veto Cem` as pairs of name and move."""
    for play in plays.split(", ") if plays else []:
        name, move = play.split(maxsplit=1)
        yield name, move


def setting_of(sheets: str | Sequence[str], seats: int, rules: int | None = None) -> Setting:
    """Return the setting of sheets alone (`red 4`, or `red 4 + July`), or of a date (`09-14`);
    `rules`: their version."""
    if isinstance(sheets, str) and re.fullmatch(r"\d\d-\d\d", sheets):
        return stichwerk.game("stichtag", seats, rules=rules, date=sheets)
    names = sheets.split(" + ") if isinstance(sheets, str) else list(sheets)
    named = [name for name in names if name]
    return stichwerk.game("stichtag", seats, rules=rules, sheets=named)


def desk(
    sheets: str,
    plays: str = "",
    *,
    players: str = THREE,
    hands: Mapping[str, str] | None = None,
    stock: str = "",
    without: Mapping[str, str] | None = None,
    starter: str | None = None,
    rules: int | None = None,
    **drawn: object,
) -> Desk:
    """Set up a round in which everyone holds the cards they play, and those of `hands`.

    Filled-in cards never bind anyone who plays another colour than the led one. `stock` begins the
    stock; `drawn` are special cards: `trumps="BR"` (in version 1 of the rules `trump="B"`),
    `partners=[1, 2, 0]`, `eggs=[0, 1, 1, 2, 2, 3]`.
    """
    names = players.split()
    setting = setting_of(sheets, len(names), rules)
    needed = _needed(names, plays, hands or {}, stock.split())
    avoid = _not_followed(names, plays)
    for name, colours in (without or {}).items():
        avoid[name] |= set(colours)
    rest = [card for card in setting.rules.deck.texts if card not in stock.split()]
    for card in (card for cards in needed.values() for card in cards):
        rest.remove(card)
    full = {}
    for name in sorted(names, key=lambda name: -len(avoid[name])):
        fitting = [card for card in rest if card[0] not in avoid[name]]
        filled = fitting[: setting.rules.hand_size - len(needed[name])]
        rest = [card for card in rest if card not in filled]
        full[name] = needed[name] + filled
    deal = {
        "starter": names.index(starter or names[0]),
        "hands": [full[name] for name in names],
        "stock": stock.split() + rest,
        "extra": _draws(setting, drawn),
    }
    made = Desk(setting.new(deals=[deal], names=names))
    made.play(plays)
    return made


def _draws(setting: Setting, drawn: Mapping[str, object]) -> list[object]:
    """Return what is drawn after the deal, as a record has it."""
    given = {kind: list(value) if kind == "trumps" else value for kind, value in drawn.items()}  # type: ignore[call-overload]
    return [[0, None, kind, given[kind]] for kind in setting.rules.specials]


def _needed(
    names: list[str], plays: str, hands: Mapping[str, str], stock: list[str]
) -> dict[str, list[str]]:
    """Return the cards everyone must be dealt: what comes in later was first in another hand."""
    needed = {name: hands.get(name, "").split() for name in names}
    known = {card for cards in needed.values() for card in cards} | set(stock)
    for name, move in moves_of(plays):
        for card in CARD.findall(move) if ">" not in move else []:
            if card not in known:
                needed[name].append(card)
                known.add(card)
    return needed


def _not_followed(names: list[str], plays: str) -> dict[str, set[str]]:
    """Return the led colours that a player does not follow: they must not be dealt any."""
    avoid: dict[str, set[str]] = {name: set() for name in names}
    led, lying = "", 0
    for name, move in moves_of(plays):
        if re.fullmatch(r"[RYGBLS]\d+(\+[RYGBLS]\d+)?", move):
            led = move[0] if lying == 0 else led
            avoid[name] |= {led} - {move[0]}
            lying = (lying + 1) % len(names)
    return avoid


# -- Whole rounds by their result ------------------------------------------------------------------


def split_deal(starter: int) -> dict[str, object]:
    """Return a deal for three in which `split_plays` gives each seat as many tricks as it likes."""
    hands = [f"{'YGS'[place]}{value}" for place in range(3) for value in range(10)]
    full = [[*hands[:10], "B1", "L0"], [*hands[10:20], "B8", "L1"], [*hands[20:], "L8", "B0"]]
    deck = stichwerk.game("stichtag", 3).rules.deck.texts
    dealt = {card for hand in full for card in hand}
    turned = [full[(seat - starter) % 3] for seat in range(3)]
    return {
        "starter": starter,
        "hands": turned,
        "stock": [card for card in deck if card not in dealt],
    }


def split_plays(
    starter: int, tricks: Sequence[int], order: str = "0123456789"
) -> list[tuple[int, str]]:
    """Return the plays: first the starter wins their tricks, then the left neighbour, then the
    last.

    The starter (place 0) plays Y0, Y1 ... in order, the others G0 ... and S0 ...; in between
    B1 B8 B0 hands the lead to place 1, L1 L8 L0 to place 2. No red card is dealt. So with 4 tricks
    each the values of the tricks are 0 1 2 3, B, 4 5 6, L, 7 8 9, unless `order` says otherwise.
    """
    counts = [tricks[(starter + place) % 3] for place in range(3)]
    assert sum(counts) == 12
    assert min(counts[1:]) > 0
    plays, values, leader = [], list(order), 0
    for place in range(3):
        won = 0
        if place:
            cards = (("B1", "B8", "B0"), ("L0", "L1", "L8"))[place - 1]
            plays += [(at, cards[at]) for at in _round_from(leader)]
            won, leader = 1, place
        for _ in range(counts[place] - won):
            value = values.pop(0)
            plays += [(at, f"{'YGS'[at]}{value}") for at in _round_from(leader)]
    return [((starter + place) % 3, card) for place, card in plays]


def _round_from(leader: int) -> list[int]:
    return [(leader + step) % 3 for step in range(3)]


def rounds(sheets: str, *results: Sequence[int], rules: int | None = None, **drawn: object) -> Desk:
    """Set up a match for three in which the rounds have these numbers of tricks, without
    choices."""
    setting = setting_of(sheets, 3, rules)
    extra = _draws(setting, drawn)
    deals = [split_deal(number % 3) | {"extra": extra} for number in range(len(results))]
    return Desk(setting.new(deals=deals, names=THREE.split()))


def play_round(
    made: Desk,
    tricks: Sequence[int],
    answers: Mapping[str, str] | None = None,
    order: str = "0123456789",
) -> None:
    """Play a round of `rounds`; what else is asked gets its answer by phase and name.

    Without an answer gifts go to the first possible seat, the first possible colour is trump, and
    a veto is not used.
    """
    starter = made.view.starter
    plays = split_plays(starter, tricks, order)
    finished = len(made.match.scores)
    while made.match.waiting_for and len(made.match.scores) == finished:
        if made.phase == "play":
            seat, move = plays.pop(0)
        else:
            seat = made.match.waiting_for[0]
            first = made.match.moves(seat)[0].text if made.phase in ("gift", "trump") else "pass"
            move = (answers or {}).get(f"{made.phase} {made.names[seat]}", first)
        made.match.play(seat, move)


def played(
    sheets: str,
    *results: Sequence[int],
    answers: Mapping[str, str] | None = None,
    order: str = "0123456789",
    rules: int | None = None,
    **drawn: object,
) -> Desk:
    """Return all these rounds, played."""
    made = rounds(sheets, *results, rules=rules, **drawn)
    for tricks in results:
        play_round(made, tricks, answers, order)
    return made


def run_on(made: Desk, tricks: int = 99) -> None:
    """Go on with first moves until this many tricks of the round are done, or it is over."""
    finished, start = len(made.match.scores), _tricks_done(made)
    while made.match.waiting_for and len(made.match.scores) == finished:
        if made.phase == "play" and _tricks_done(made) - start >= tricks:
            return
        seat = made.match.waiting_for[0]
        made.match.play(seat, made.match.moves(seat)[0])


def _tricks_done(made: Desk) -> int:
    return len(made.events("trick")) + len(made.events("stays"))
