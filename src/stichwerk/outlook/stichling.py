"""Stichling: who gets which trick, and what each number of tricks is worth."""

from collections.abc import Sequence
from typing import Any

from stichwerk.cards import COLOURS, card_text
from stichwerk.engine import plain
from stichwerk.engine.codes import card_of, colour_of, place_of, trick_slot
from stichwerk.engine.constants import NOBODY, NONE, PLACES
from stichwerk.engine.events import Move
from stichwerk.engine.state import State
from stichwerk.outlook.game_outlook import GameOutlook, PlayOutcome
from stichwerk.outlook.position import bare, joined, play_text, spaced, winner_of
from stichwerk.outlook.structs import Effect, Gain, Item, Rung, TableNow

RULES = plain.twin("stichwerk.games.stichling")
FULL = RULES.FULL  # cards that make a trick full
SCORING = RULES.SCORING  # scoring cards of a seat


class StichlingOutlook(GameOutlook):
    """The outlook of a position of Stichling."""

    def play_moment(self) -> str:
        """Tell whether all places are taken: then a discard may be allowed."""
        return "full" if len(self.view.tricks) == PLACES else "play"

    # -- The order ---------------------------------------------------------------------------------

    def choice_text(self, move: Move) -> str:
        """Say what each number of tricks will be worth."""
        return self.order_words(move.text.split(","))

    def order_words(self, values: list[str]) -> str:
        """Format `1 trick → 4 · 2 → 6 · 3 → 2 · then 4 again`."""
        shown = [value or "?" for value in values] + ["?"] * (SCORING - len(values))
        steps = [f"{tricks} → {value}" for tricks, value in enumerate(shown[1:], 2)]
        first = self.say("order-first", value=shown[0])
        return joined(first, *steps, self.say("order-again", value=shown[0]))

    def half_made(self, text: str) -> Effect | None:
        """Describe an order whose first cards are chosen; gaps are `?` or empty."""
        values = [word.strip().replace("?", "") for word in text.split(",")]
        allowed = [str(value) for value in self.rules.scoring_values(self.known)]
        laid = [value for value in values if value]
        fits = len(values) <= SCORING and set(laid) <= set(allowed) and len(set(laid)) == len(laid)
        if self.view.phase != "order" or not fits:
            return None
        return Effect(move=text, text=self.order_words(values))

    # -- Playing -----------------------------------------------------------------------------------

    def play_effect(self, move: Move) -> Effect:
        """Return the effect of a card played to one of the places."""
        place = place_of(move.steps[0])
        after = self.position.after(move)
        complete = after.tricks_done > self.known.tricks_done
        winner = winner_of(after) if complete else self.rules.winning_seat(after, place)
        words = self.place_words(place, card_of(move.steps[0]), winner, after, complete)
        changes = self.gains(after, winner, complete)
        outcome = PlayOutcome(move, after, winner, complete, changes, place)
        return Effect(
            move=move.text,
            text=joined(*words),
            verdict=self.verdict(outcome),
            sentence=spaced(*self.sentences(outcome)),
            short=self.short_words(words, winner, complete),
            winner=winner,
            takes_over=self.takes_over(place, winner),
            complete=complete,
            place=place,
            changes=changes,
        )

    def verdict(self, outcome: PlayOutcome) -> str:
        """Say which trick is opened or filled, or whose it then is."""
        number = outcome.place + 1
        if outcome.complete:
            return self.say("verdict-fills", number=number)
        if self.opens(outcome):
            return self.say("verdict-opens", number=number)
        return super().verdict(outcome)

    def sentences(self, outcome: PlayOutcome) -> list[str]:
        """Say what a full trick is worth; of another, what the card does and how many are
        missing."""
        assert outcome.after is not None
        winner, place = outcome.winner, outcome.place
        if outcome.complete:
            return [] if winner is None else [self.full_sentence(winner, outcome.after)]
        said = ""
        step = outcome.move.steps[0]
        if self.opens(outcome):
            said = self.say("says-yours-for-now")
        elif self.known.led(place) != colour_of(card_of(step)):
            said = self.say("says-throw-off")
        elif self.takes_over(place, winner):
            other = play_text(self.known, place, self.winning_play(place) or 0)
            said = self.say("says-beats", card=card_text(card_of(step)), other=other)
        missing = FULL - outcome.after.trick_size[place]
        return [said, self.say("says-more-cards", count=missing)]

    def full_sentence(self, winner: int, after: State) -> str:
        """Say who takes a full trick, and what their tricks are worth then, if that is known."""
        tricks = after.tricks_won[winner]
        number = self.rules.face_up(tricks) + 1
        value = self.rules.score(after, winner)
        facts = {"count": tricks, "number": number, "points": bare(value)}
        if winner == self.seat:
            return self.say("says-your-trick", **facts)
        id = "says-trick-of" if value == NONE else "says-trick-of-worth"
        return self.say(id, name=self.view.names[winner], **facts)

    def place_words(
        self, place: int, card: int, winner: int | None, after: State, complete: bool
    ) -> list[str]:
        """Say whether a trick is opened, taken over, left to another, or filled.

        The first phrase says whose it is.
        """
        if complete and winner is not None:
            return self.full_words(winner, after)
        if not self.known.trick_size[place]:
            return [self.say("effect-opens")]
        off = (
            []
            if self.known.led(place) == colour_of(card)
            else [self.say("effect-thrown-off", count=1)]
        )
        if winner == self.seat:
            holder = self.holder(place)
            if holder == self.seat or holder is None:
                return [self.say("effect-stays-yours"), *off]
            return [self.say("effect-take-over", name=self.view.names[holder])]
        return [self.say("effect-stays", name=self.view.names[winner or 0]), *off]

    def short_words(self, phrases: Sequence[str], winner: int | None, complete: bool) -> str:
        """Say whose the trick is; of a full one who takes it, and its points."""
        if not complete or winner is None:
            return phrases[0]
        return joined(self.by(winner, "effect-full-short", "effect-you-full-short"), *phrases[1:])

    def full_words(self, winner: int, after: State) -> list[str]:
        """Say who takes a full trick, and which scoring card turns up."""
        number = self.rules.face_up(after.tricks_won[winner]) + 1
        taken = self.by(winner, "effect-full", "effect-you-full", number=number)
        value = self.rules.score(after, winner)
        if value == NONE:
            return [taken]
        return [taken, self.say("worth-points", count=value, points=bare(value))]

    def gains(self, after: State, winner: int | None, complete: bool) -> tuple[Gain, ...]:
        """Return what a full trick changes for its owner, where the cards are known."""
        if winner is None or not complete:
            return ()
        points = [self.rules.score(state, winner) for state in (self.known, after)]
        if NONE in points:
            return ()
        return (Gain(seat=winner, points=points[1] - points[0]),)

    # -- The table ---------------------------------------------------------------------------------

    def winning_play(self, place: int) -> int | None:
        """Return the best card."""
        best: int = self.rules.best(self.known, place)
        return best - trick_slot(place, 0)

    def done_play(self, full: State, place: int, winner: int) -> int | None:
        """Return the best card."""
        best: int = self.rules.best(full, place)
        return best - trick_slot(place, 0)

    def done_gains(self, gains: Sequence[Gain], after: State) -> list[str]:
        """Say what the scoring card that is face up now is worth."""
        winner = after.last_winner
        value = NONE if winner == NOBODY else self.rules.score(after, winner)
        if value == NONE:
            return []
        facts = {"count": value, "points": bare(value)}
        return [self.by(winner, "done-stands", "done-stands-you", **facts)]

    def trick_text(self, place: int, words: str) -> str:
        """Say how full it is."""
        size = self.known.trick_size[place]
        return joined(words, self.say("now-filled", size=size, full=FULL))

    def why(self, play: int) -> str:
        """Name the highest of the led colour."""
        return self.say("why-highest")

    def table(self) -> TableNow:
        """Return the open tricks, how full they are, and the seat's ladder."""
        table = super().table()
        tricks = [
            type(trick)(
                place=trick.place,
                winner=trick.winner,
                card=trick.card,
                text=self.trick_text(trick.place, trick.text),
            )
            for trick in table.tricks
        ]
        return TableNow(tricks=tuple(tricks), lines=self.lines(), ladder=self.ladder())

    def lines(self) -> tuple[str, ...]:
        """Say what may be discarded, once all places are open."""
        state = self.known
        if len(self.open_places()) < PLACES:
            return ()
        led = [colour for colour in range(len(COLOURS)) if state.led_places[colour]]
        words = ", ".join(self.say(f"colour-{COLOURS[colour]}") for colour in led)
        return (self.say("now-all-open", colours=words),)

    def ladder(self) -> tuple[Rung, ...]:
        """Return what each number of tricks is worth, from none on; empty before the order is
        laid."""
        if self.seat is None or "order" not in self.view.mine:
            return ()
        won = self.known.tricks_won[self.seat]
        worth: Any = self.view.mine["worth"]
        return tuple(
            Rung(tricks=tricks, points=points, now=tricks == won)
            for tricks, points in enumerate(worth)
        )

    # -- Points ------------------------------------------------------------------------------------

    def tally(self, seat: int, points: int) -> list[Item]:
        """List the scoring card that is face up."""
        tricks = self.known.tricks_won[seat]
        if not tricks:
            return [Item(text=self.say("tally-no-trick"), points=0)]
        number = self.rules.face_up(tricks) + 1
        text = self.say("tally-scoring-card", count=tricks, number=number)
        return [Item(text=text, points=self.rules.score(self.known, seat))]
