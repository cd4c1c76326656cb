"""What an outlook consists of. These structs go to clients as they are: see `server/wire`."""

import msgspec


class PileChange(msgspec.Struct, frozen=True, kw_only=True):
    """Null & nichtig: what happens to one pile. `before` and `after` are its top cards, None where
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
    little room; else empty. `verdict` and `sentence`: a play in whole sentences, first what matters
    most; the second may be empty, and for choices both are. `winner`: who takes the trick, or holds
    it as it then stands; None for nobody and where it is not a card to a trick. `takes_over`: the
    seat then holds it and did not
    before. `complete`: the move fills the trick, so the winner is certain.
    `place`: where the card goes, from 0 (Stichling; else 0 in play, None otherwise). `changes`:
    what the trick, as it then stands, brings its taker, and others if it affects them.
    """

    move: str
    text: str
    short: str = ""
    verdict: str = ""
    sentence: str = ""
    winner: int | None = None
    takes_over: bool = False
    complete: bool = False
    place: int | None = None
    changes: tuple[Gain, ...] = ()


class TypedMove(msgspec.Struct, frozen=True, kw_only=True):
    """One typed or incomplete choice. `move`: as the rules write it, or as it was typed. `legal`:
    it can be made like this; otherwise `error` is the id of the objection, and `text` its words.
    `effect`: what it does; a choice that is not complete yet has one too, as far as it goes."""

    move: str
    legal: bool
    text: str
    error: str | None = None
    effect: Effect | None = None


class TrickNow(msgspec.Struct, frozen=True, kw_only=True):
    """A trick on the table as it stands. `winner` holds it, with `card` (a pair: `G3+G4`); None:
    nobody yet. `text`: who would take it, and why. `worth`: what it is worth to whom. In Sticheln
    for every seat that might take it; in Null & nichtig and Stichtag for the winner.
    `order`: Null & nichtig, its plays (from 0) in the order in which they would be collected."""

    place: int
    winner: int | None
    card: str | None
    text: str
    worth: tuple[Gain, ...] = ()
    order: tuple[int, ...] = ()


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """Stichling: what a number of tricks is worth. `now`: the seat has that many."""

    tricks: int
    points: int
    now: bool


class TableNow(msgspec.Struct, frozen=True, kw_only=True):
    """What is on the table now, and what it means.

    `tricks`: one for each open trick. `lines`: what else holds for this trick (Sticheln: start
    colour; Stichtag: trump, low or high, what the symbols in it will do). `notes`: Stichtag, the
    cross-notes that apply now. `stated`: Stichtag, how many of the first `lines` say what `trump`
    and `lowest` say, for clients that show these apart. `lowest`: Stichtag, whether the lowest
    number wins this trick. `ladder`: Stichling, what the seat's tricks are worth. `trump`:
    Stichtag, the colour in force.
    `last`: the last finished trick, also when a new round has begun: who took it, why, and what it
    was worth to whom; None before the first one. A table hides it from people once its `memory`
    closes the trick, and `collected` too. `collected`: Null & nichtig, the cards of the last trick
    in the order in which they were laid on their piles, also when a new round has begun; none
    before the first trick. `running`: what each seat has in this round so far, if the rules hide it
    and the table shows it anyway.
    """

    tricks: tuple[TrickNow, ...] = ()
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    stated: int = 0
    lowest: bool = False
    ladder: tuple[Rung, ...] = ()
    trump: str | None = None
    collected: tuple[str, ...] = ()
    running: tuple[int, ...] = ()
    last: TrickNow | None = None


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """The current rule. `section` is the heading in the rules of the game where it is,
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
    """Explanation of a seat's points in a round: the items add up to `points`."""

    seat: int
    points: int
    items: tuple[Item, ...]
