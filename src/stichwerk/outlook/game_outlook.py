"""What can be said about any trick-taking game; games add what is special about them."""

from collections.abc import Sequence
from dataclasses import dataclass

from stichwerk import locale
from stichwerk.engine.codes import trick_slot
from stichwerk.engine.events import Event, Move, TrickTaken
from stichwerk.engine.state import State
from stichwerk.games import registry
from stichwerk.outlook.position import (
    OutlookPosition,
    joined,
    play_of,
    play_text,
    spaced,
    winner_of,
)
from stichwerk.outlook.structs import Effect, Gain, Item, TableNow, TrickNow


@dataclass(frozen=True)
class PlayOutcome:
    """A play and what becomes of its trick. `after`: the state in which that can be seen; None in
    Stichtag while nobody could take the trick. `laid`: the trick with the play in it, if it is
    still open. The rest as in `Effect`."""

    move: Move
    after: State | None
    winner: int | None
    complete: bool
    changes: tuple[Gain, ...]
    place: int = 0
    laid: State | None = None


class GameOutlook:
    """The outlook of one position. A game overrides the parts in which it has more to say."""

    def __init__(self, position: OutlookPosition) -> None:
        self.position = position
        self.view = position.view
        self.rules = position.rules
        self.seat = position.seat
        self.say = position.say
        self.by = position.by

    @property
    def known(self) -> State:
        """What the view's seat knows."""
        return self.position.known

    # -- The moment --------------------------------------------------------------------------------

    def play_moment(self) -> str:
        """Return the kind of play that is owed: a key of `moments` in the game's description."""
        return "follow" if self.view.tricks else "lead"

    def cards_to_choose(self) -> int:
        """Return how many cards make up the choice that is owed."""
        return 1

    # -- Effects -----------------------------------------------------------------------------------

    def effect(self, move: Move) -> Effect:
        """Return what a legal move would do."""
        if self.view.phase == "play":
            return self.play_effect(move)
        return Effect(move=move.text, text=self.choice_text(move))

    def choice_text(self, move: Move) -> str:
        """Describe a choice that is not a play: nothing to say in general."""
        return ""

    def half_made(self, text: str) -> Effect | None:
        """Return what can be said about an incomplete choice."""
        return None

    def play_effect(self, move: Move) -> Effect:
        """Return the effect of a card played to the trick."""
        after = self.position.after(move)
        complete = after.tricks_done > self.known.tricks_done
        winner = winner_of(after) if complete else self.rules.winning_seat(after, 0)
        changes = self.gains(after, winner, complete)
        outcome = PlayOutcome(
            move, after, winner, complete, changes, laid=None if complete else after
        )
        return Effect(
            move=move.text,
            text=joined(self.trick_words(winner, complete), *self.gain_words(changes)),
            verdict=self.verdict(outcome),
            sentence=spaced(*self.sentences(outcome)),
            winner=winner,
            takes_over=self.takes_over(0, winner),
            complete=complete,
            place=0,
            changes=changes,
        )

    def takes_over(self, place: int, winner: int | None) -> bool:
        """Return whether our seat then holds a trick that another holds now."""
        return winner == self.seat and self.holder(place) not in (None, self.seat)

    def holder(self, place: int) -> int | None:
        """Return who holds the trick at this place now."""
        return self.rules.winning_seat(self.known, place) if self.known.trick_size[place] else None

    def trick_words(self, winner: int | None, complete: bool) -> str:
        """Say who takes the trick, or holds it as it then stands."""
        if complete:
            return self.taken_words(winner)
        if winner is None:
            return self.say("effect-nobody-yet")
        if self.known.trick_size[0] == 0:
            return self.say("effect-lead")
        if winner != self.seat:
            return self.say("effect-stays", name=self.view.names[winner])
        holder = self.holder(0)
        if holder is None:
            return self.say("effect-first")
        return self.say("effect-take-over", name=self.view.names[holder])

    def taken_words(self, winner: int | None) -> str:
        """Say who takes the trick."""
        if winner is None:
            return self.say("effect-nobody")
        return self.by(winner, "effect-takes", "effect-you-take")

    def verdict(self, outcome: PlayOutcome) -> str:
        """Say what matters most about a play, in a sentence of a few words."""
        winner = outcome.winner
        if winner is None:
            return self.say("verdict-nobody" if outcome.complete else "verdict-nobody-yet")
        if outcome.complete:
            return self.by(winner, "verdict-takes", "verdict-you-take")
        if self.opens(outcome):
            return self.say("verdict-lead")
        if winner != self.seat:
            return self.by(winner, "verdict-stays", "verdict-still-yours")
        holder = self.holder(outcome.place)
        if holder is None:
            return self.say("verdict-first")
        return self.by(holder, "verdict-take-over", "verdict-still-yours")

    def sentences(self, outcome: PlayOutcome) -> list[str]:
        """Say the rest."""
        return [self.to_come(outcome)]

    def opens(self, outcome: PlayOutcome) -> bool:
        """Return whether a play is the first of its trick."""
        return not self.known.trick_size[outcome.place]

    def to_come(self, outcome: PlayOutcome) -> str:
        """Name those who still play to the trick; after a lead that is everyone else."""
        if outcome.laid is None or self.seat is None or self.opens(outcome):
            return ""
        laid = outcome.laid
        played = laid.trick_seat[: laid.trick_size[0]]
        seats = [(self.seat + step) % self.view.seats for step in range(1, self.view.seats)]
        names = [self.view.names[seat] for seat in seats if seat not in played]
        if not names:
            return ""
        listed = locale.enumerated([locale.one_line(name) for name in names], self.position.lang)
        return self.say("says-to-come", names=listed, count=len(names))

    def gains(self, after: State, winner: int | None, complete: bool) -> tuple[Gain, ...]:
        """Return what the trick is worth after a move, in games whose cards are worth something."""
        return ()

    def gain_words(self, gains: Sequence[Gain]) -> list[str]:
        """Return the same in words."""
        return []

    # -- The table ---------------------------------------------------------------------------------

    def table(self) -> TableNow:
        """Return what is on the table now."""
        return TableNow(tricks=tuple(self.trick(place) for place in self.open_places()))

    def running(self) -> tuple[int, ...]:
        """Return what each seat has so far, in a game whose rules hide it until the round is
        over."""
        return ()

    def open_places(self) -> list[int]:
        """Return the places with a trick."""
        return [place for place, size in enumerate(self.known.trick_size) if size]

    def trick(self, place: int) -> TrickNow:
        """Return one trick as it stands."""
        winner = self.rules.winning_seat(self.known, place)
        play = self.winning_play(place)
        card = None if play is None else play_text(self.known, place, play)
        return TrickNow(
            place=place,
            winner=winner,
            card=card,
            text=self.standing_words(winner, card, play),
            worth=self.worth(winner),
        )

    def winning_play(self, place: int) -> int | None:
        """Return the play that holds the trick."""
        play: int = self.rules.trick_winner(self.known)
        return play if play >= 0 else None

    def standing_words(self, winner: int | None, card: str | None, play: int | None) -> str:
        """Say who would take it, and why."""
        if winner is None or play is None:
            return self.say("now-nobody")
        why = self.why(play)
        return self.by(winner, "now-has-it", "now-you-have-it", card=card, why=why)

    def why(self, play: int) -> str:
        """Say why this play holds the trick."""
        return self.say("why-strongest")

    def worth(self, winner: int | None) -> tuple[Gain, ...]:
        """Return what the trick is worth to whom as it stands."""
        return self.gains(self.known, winner, complete=False)

    # -- The last trick ----------------------------------------------------------------------------

    def done(self, end: Event, place: int, full: OutlookPosition, after: State) -> TrickNow:
        """Return a trick that is over. `full`: the moment before, with all its cards; `after`: what
        is known once it has been taken."""
        winner = end.seat
        play = None if winner is None else self.done_play(full.known, place, winner)
        card = None if play is None else play_text(full.known, place, play)
        gains = self.gains(after, winner, complete=True)
        words = self.done_words(end, card, outlook_for(full).why_done(play))
        return TrickNow(
            place=place,
            winner=winner,
            card=card,
            text=joined(words, *self.done_gains(gains, after)),
            worth=gains,
        )

    def done_play(self, full: State, place: int, winner: int) -> int | None:
        """Return the play with which a seat won."""
        return play_of(full, place, winner)

    def why_done(self, play: int | None) -> str:
        """Say why a play won; empty if nobody did."""
        return "" if play is None else self.why(play)

    def done_words(self, end: Event, card: str | None, why: str) -> str:
        """Say who took the trick, and why."""
        if end.seat is None:
            return self.say("done-nobody")
        if isinstance(end, TrickTaken):
            return self.by(end.seat, "done-taken", "done-taken-you", card=card, why=why)
        return self.by(end.seat, "done-stays", "done-stays-you", card=card, why=why)

    def done_gains(self, gains: Sequence[Gain], after: State) -> list[str]:
        """Say what it was worth."""
        return self.gain_words(gains)

    def lying(self, state: State, place: int = 0) -> list[int]:
        """Return the cards of a trick."""
        return list(
            state.trick_card[trick_slot(place, 0) : trick_slot(place, state.trick_size[place])]
        )

    # -- Points ------------------------------------------------------------------------------------

    def tally(self, seat: int, points: int) -> list[Item]:
        """Explain the points of the round; `known` is its end."""
        return [Item(text=self.say("tally-round"), points=points)]


def outlook_for(position: OutlookPosition) -> GameOutlook:
    """Return the outlook for a position of its game."""
    info = registry.info_of(position.view.game)
    speaks: type[GameOutlook] = info.load(info.outlook) if info.outlook else GameOutlook
    return speaks(position)
