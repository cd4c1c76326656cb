"""What an outlook consists of. These structs go to clients as they are: see `server/wire`."""

import msgspec


class PileChange(msgspec.Struct, frozen=True, kw_only=True):
    """Null & nichtig: what becomes of one pile. `before` and `after` are its top cards, None where
    there is no pile; `points` is the change."""

    colour: str
    before: str | None
    after: str | None
    points: int


class Gain(msgspec.Struct, frozen=True, kw_only=True):
    """What something means to one seat, in points. `piles`: in Null & nichtig, where it comes
    from."""

    seat: int
    points: int
    piles: tuple[PileChange, ...] = ()


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What a move would do, as far as its seat can know.

    `text` says it in words, cards as codes (`G8`). `short`: Stichling, the same where there is
    little room; else empty. `winner`: who takes the trick, or has it as it
    lies then; None for nobody and where it is not a card to a trick. `takes_over`: the own seat has
    it then and had not before. `complete`: the move fills the trick, so the winner is certain.
    `place`: where the card goes, from 0 (Stichling; else 0 in play, None otherwise). `changes`:
    what the trick, as it lies then, brings whoever takes it, and others where it concerns them.
    """

    move: str
    text: str
    short: str = ""
    winner: int | None = None
    takes_over: bool = False
    complete: bool = False
    place: int | None = None
    changes: tuple[Gain, ...] = ()


class One(msgspec.Struct, frozen=True, kw_only=True):
    """One typed or half-made choice. `move`: as the rules write it, or as it was typed. `legal`: it
    can be made like this; otherwise `error` is the id of the objection, and `text` its words.
    `effect`: what it does; a choice that is not complete yet has one too, as far as it goes."""

    move: str
    legal: bool
    text: str
    error: str | None = None
    effect: Effect | None = None


class TrickNow(msgspec.Struct, frozen=True, kw_only=True):
    """A trick on the table as it lies now. `winner` has it, with `card` (a pair: `G3+G4`); None:
    nobody yet. `text`: who would take it, and why. `worth`: what it means to whom. Sticheln tells
    it for every seat, should that seat take it; Null & nichtig and Stichtag for the winner.
    `order`: Null & nichtig, its plays (from 0) in the order in which they would be collected."""

    place: int
    winner: int | None
    card: str | None
    text: str
    worth: tuple[Gain, ...] = ()
    order: tuple[int, ...] = ()


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """Stichling: what a number of tricks is worth. `now`: the own seat has that many."""

    tricks: int
    points: int
    now: bool


class TableNow(msgspec.Struct, frozen=True, kw_only=True):
    """What lies on the table now, and what it means.

    `tricks`: one for each open trick. `lines`: what holds for this trick besides (Sticheln: start
    colour; Stichtag: trump, low or high, what the symbols in it will do). `notes`: Stichtag, the
    cross-notes that bite now. `lowest`: Stichtag, whether the lowest number wins this trick.
    `ladder`: Stichling, what the own tricks are worth. `trump`: Stichtag, the colour in force.
    `collected`: Null & nichtig, the cards of the last trick in the order in which they were laid on
    their piles, also when a new round has begun; none before the first trick. `running`: what each
    seat has in this round so far, if the rules hide it and the table tells it all the same.
    """

    tricks: tuple[TrickNow, ...] = ()
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    lowest: bool = False
    ladder: tuple[Rung, ...] = ()
    trump: str | None = None
    collected: tuple[str, ...] = ()
    running: tuple[int, ...] = ()


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """The rule of this moment. `section` is the heading in the rules of the game where it stands,
    `anchor` the id of that section. `sheet`: Stichtag, the sheet that asks, or that changes how
    cards are played. Both are empty where there is none."""

    heading: str
    sentences: tuple[str, ...]
    section: str
    anchor: str
    sheet: str | None = None


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One reason for points."""

    text: str
    points: int


class SeatTally(msgspec.Struct, frozen=True, kw_only=True):
    """How a seat's points of a round came about: the items add up to `points`."""

    seat: int
    points: int
    items: tuple[Item, ...]
