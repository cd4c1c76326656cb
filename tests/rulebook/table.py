"""A table for rulebook tests: who sits there, what they hold, what they play, and the result.

A test names the cards it is about; all other cards of the deck are filled in by themselves, so that
every hand has its right size. Only the library's public surface is used.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import stichwerk
from stichwerk.engine.events import Event
from stichwerk.match import Match, Setting
from stichwerk.view import View


class Table:
    """A match in which seats are called by name and moves are written as text."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.names = match.names

    # -- Doing -------------------------------------------------------------------------------------

    def choose(self, choices: Mapping[str, str]) -> None:
        """Make secret choices: `{"Mia": "Y2"}`."""
        for name, choice in choices.items():
            self.match.play(self.seat(name), choice)

    def play(self, plays: str) -> None:
        """Plays in order: `Mia B3, Jakob B10`."""
        for name, move in written(plays):
            self.match.play(self.seat(name), move)

    # -- Asking ------------------------------------------------------------------------------------

    def seat(self, name: str) -> int:
        """Return where this player sits."""
        return self.names.index(name)

    @property
    def view(self) -> View:
        """What a spectator sees."""
        return self.match.view(None)

    @property
    def next(self) -> str:
        """The one player who has to move now."""
        (seat,) = self.match.waiting_for
        return self.names[seat]

    @property
    def last_trick(self) -> tuple[str | None, str]:
        """Who took the last trick, and its cards as they were played."""
        trick = self.events("trick")[-1]
        return None if trick.seat is None else self.names[trick.seat], " ".join(trick.cards)

    def events(self, kind: str) -> list[Event]:
        """Return all events of this kind."""
        return [event for event in self.match.events if event.kind == kind]

    def tricks(self, name: str) -> int:
        """Return how many tricks the player has taken this round."""
        return self.view.taken[self.seat(name)]

    def takings(self, name: str) -> str:
        """Return all cards of the tricks the player took, oldest first."""
        taken = [trick for trick in self.events("trick") if trick.seat == self.seat(name)]
        return " ".join(card for trick in taken for card in trick.cards)

    def score(self, name: str) -> int:
        """Return what the last finished round brought the player."""
        return self.match.scores[-1][self.seat(name)]

    def may(self, name: str, cards: str = "") -> str:
        """Return the player's moves in their order, if cards are named only those with them."""
        moves = [move.text for move in self.match.moves(self.seat(name))]
        wanted = cards.split()
        return " ".join(move for move in moves if not wanted or move.partition(">")[0] in wanted)

    def objection(self, name: str, move: str) -> str | None:
        """Return the id of the objection; None if the move is legal."""
        reason = self.match.objection(self.seat(name), move)
        return None if reason is None else reason.id

    def trick_at(self, place: int) -> tuple[str, str | None]:
        """Return the open trick at a place counted from 1: its cards, and whose it is now."""
        (trick,) = [trick for trick in self.view.tricks if trick.place == place - 1]
        owner = None if trick.winning is None else self.names[trick.winning]
        return " ".join(card for _, card in trick.plays), owner

    def piles(self, name: str) -> str:
        """Return the player's piles as top card and height: `R6/2 Y0/2`."""
        shown: Any = self.view.table["piles"]
        return " ".join(
            f"{pile['top']}/{pile['size']}" for pile in shown[self.seat(name)] if pile is not None
        )


def table(
    game: str,
    players: str,
    *,
    hands: Mapping[str, str] | None = None,
    without: Mapping[str, str] | None = None,
    choices: Mapping[str, str] | None = None,
    plays: str = "",
    starter: str | None = None,
    rules: int | None = None,
    **options: object,
) -> Table:
    """Set up one round with these players, clockwise; the first starts, unless another is named.

    Everyone holds at least the cards of their `hands`, `choices` and `plays`, and no filled-in card
    of a colour named in `without`. A player without a choice lays cards that were filled in.
    """
    names = players.split()
    setting = stichwerk.game(game, seats=len(names), rules=rules, **options)
    needed = _needed(names, hands or {}, choices or {}, plays)
    full, stock = _fill(setting, needed, without or {})
    first = names.index(starter or names[0])
    deal = {"starter": first, "hands": [full[name] for name in names], "stock": stock}
    made = Table(setting.new(deals=[deal], names=names))
    if made.view.phase != "play":
        made.choose(
            {name: (choices or {}).get(name) or _any_choice(made, name, needed) for name in names}
        )
    made.play(plays)
    return made


def written(plays: str) -> Iterator[tuple[str, str]]:
    """Yield `Mia B3, Jakob B10` as pairs of name and move."""
    for play in plays.split(",") if plays else []:
        name, move = play.split()
        yield name, move


def _needed(
    names: list[str], hands: Mapping[str, str], choices: Mapping[str, str], plays: str
) -> dict[str, "Counter[str]"]:
    """Return the cards each player must hold; twins count twice."""
    used = {name: Counter(_cards(choices.get(name, ""))) for name in names}
    for name, move in written(plays):
        used[name][move.partition(">")[0]] += 1
    return {name: Counter(hands.get(name, "").split()) | used[name] for name in names}


def _cards(choice: str) -> list[str]:
    """Return the cards of a choice; scoring cards are none."""
    return [word for word in choice.split(",") if word and not word.isdigit()]


def _fill(
    setting: Setting, needed: Mapping[str, "Counter[str]"], without: Mapping[str, str]
) -> tuple[dict[str, list[str]], list[str]]:
    """Fill hands and stock with unused cards in deck order, the most restricted player first."""
    rest = list(setting.rules.deck.texts)
    for cards in needed.values():
        for card in cards.elements():
            rest.remove(card)
    full: dict[str, list[str]] = {}
    for name in sorted(needed, key=lambda name: name not in without):
        hand = list(needed[name].elements())
        fitting = [card for card in rest if card[0] not in without.get(name, "")]
        for card in fitting[: setting.rules.hand_size - len(hand)]:
            rest.remove(card)
            hand.append(card)
        full[name] = hand
    return full, rest


def _any_choice(made: Table, name: str, needed: Mapping[str, "Counter[str]"]) -> str:
    """Return the first choice that keeps all cards the test needs."""
    moves = [move.text for move in made.match.moves(made.seat(name))]
    return next(move for move in moves if not set(move.split(",")) & set(needed[name]))


# -- Whole matches ---------------------------------------------------------------------------------


class Trick(NamedTuple):
    """A trick that was taken: by whom (None: nobody), and its plays in order."""

    taker: int | None
    plays: tuple[tuple[int, str], ...]


class Round(NamedTuple):
    """What happened in one round, as its events tell."""

    starter: int
    stock: int
    hands: tuple[tuple[str, ...], ...]
    choices: tuple[str, ...]
    plays: tuple[tuple[int, str], ...]
    tricks: tuple[Trick, ...]
    scores: tuple[int, ...]


def random_match(
    game: str, seats: int, seed: int, *, rules: int | None = None, **options: object
) -> Match:
    """Play a match to its end with random bots."""
    match = stichwerk.game(game, seats=seats, rules=rules, **options).new(seed=seed)
    bots = [stichwerk.bot("random", seed=seed * 10 + seat) for seat in range(seats)]
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, bots[seat].choose(match.view(seat)))
    return match


def rounds_of(match: Match) -> list[Round]:
    """Return the rounds of a match, put together from its events."""
    starts = [at for at, event in enumerate(match.events) if event.kind == "round"]
    ends = [at for at, event in enumerate(match.events) if event.kind == "scored"]
    return [_round(match.events[start : end + 1]) for start, end in zip(starts, ends, strict=True)]


def _round(events: tuple[Event, ...]) -> Round:
    by_kind: dict[str, list[Event]] = {}
    for event in events:
        by_kind.setdefault(event.kind, []).append(event)
    choices = {event.seat: event.move for event in by_kind.get("choice", [])}
    plays = [(event.seat or 0, event.move) for event in by_kind["play"]]
    who = {move.partition(">")[0]: seat for seat, move in plays}
    tricks, done = [], 0
    for event in by_kind.get("trick", []):
        if event.place is None:  # twins: the player of a card follows from its place in the order
            cards = plays[done : done + len(event.cards)]
            assert tuple(card for _, card in cards) == event.cards
            done += len(event.cards)
        else:
            cards = [(who[card], card) for card in event.cards]
        tricks.append(Trick(event.seat, tuple(cards)))
    return Round(
        starter=events[0].starter or 0,
        stock=events[0].stock or 0,
        hands=tuple(event.cards for event in by_kind["hand"]),
        choices=tuple(choices[seat] for seat in sorted(choices, key=lambda seat: seat or 0)),
        plays=tuple(plays),
        tricks=tuple(tricks),
        scores=by_kind["scored"][0].scores,
    )
