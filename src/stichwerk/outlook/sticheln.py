"""Sticheln: what a trick is worth to whom, and what a pain colour costs."""

from collections.abc import Sequence

from stichwerk.cards import COLOURS, card_code, card_text
from stichwerk.engine.codes import card_in, choice_of, choice_slot, colour_of, half_slot, value_of
from stichwerk.engine.events import Move
from stichwerk.engine.plain import Bits
from stichwerk.engine.state import State
from stichwerk.outlook.game_outlook import GameOutlook, PlayOutcome
from stichwerk.outlook.position import signed
from stichwerk.outlook.structs import Effect, Gain, Item, TableNow


class StichelnOutlook(GameOutlook):
    """The outlook of a position of Sticheln."""

    def play_moment(self) -> str:
        """Say that nobody holds the trick as long as it has only zeros."""
        only_zeros = bool(self.view.tricks) and self.view.tricks[0].winning is None
        return "zeros" if only_zeros else super().play_moment()

    # -- The pain card -----------------------------------------------------------------------------

    def effect(self, move: Move) -> Effect:
        """Describe a play, or the pain card: what it costs at once, and how long its colour is."""
        if self.view.phase == "play":
            return self.play_effect(move)
        assert self.seat is not None
        state = self.known.copy()
        state.choice[choice_slot(self.seat, 0)] = card_code(move.text)
        state.collect(self.seat, card_code(move.text))
        points: int = self.rules.score(state, self.seat)
        colour = COLOURS[self.rules.pain_colour(state, self.seat)]
        more = sum(card[0] == colour for card in self.view.hand) - 1
        id = "effect-pain" if points else "effect-pain-free"
        text = self.say(id, colour=colour, points=signed(points), count=more)
        changes = (Gain(seat=self.seat, points=points),)
        return Effect(move=move.text, text=text, changes=changes)

    # -- The trick ---------------------------------------------------------------------------------

    def trick_worth(self, cards: Sequence[int], seat: int) -> int:
        """Return what these cards bring a seat: its score with them, minus that without."""
        state = self.known.copy()
        before: int = self.rules.score(state, seat)
        for card in cards:
            state.collect(seat, card)
        after: int = self.rules.score(state, seat)
        return after - before

    def gains(self, after: State, winner: int | None, complete: bool) -> tuple[Gain, ...]:
        """Return what it brings its taker."""
        if winner is None:
            return ()
        points: int = self.rules.score(after, winner) - self.rules.score(self.known, winner)
        if not complete:
            points = self.trick_worth(self.lying(after), winner)
        return (Gain(seat=winner, points=points),)

    def gain_words(self, gains: Sequence[Gain]) -> list[str]:
        """Say what it brings to whom."""
        return [
            self.by(gain.seat, "worth-to", "worth-to-you", points=signed(gain.points))
            for gain in gains
        ]

    def verdict(self, outcome: PlayOutcome) -> str:
        """Say whom it hurts: the taker, by our card or by what else is there."""
        winner = outcome.winner
        if winner is None or (self.opens(outcome) and not outcome.complete):
            return super().verdict(outcome)
        points = outcome.changes[0].points
        if winner == self.seat:
            return self.say("verdict-hurts") if points < 0 else super().verdict(outcome)
        name = self.view.names[winner]
        lying = self.lying(self.known)
        ours = [*lying, outcome.move.steps[0]]
        if self.trick_worth(ours, winner) < self.trick_worth(lying, winner):
            return self.say("verdict-needles", name=name)
        return self.say("verdict-gift", name=name) if points > 0 else super().verdict(outcome)

    def sentences(self, outcome: PlayOutcome) -> list[str]:
        """Say what the trick brings its taker, and who is still to come."""
        winner = outcome.winner
        if winner is None:
            return [self.say("rule-zeros")]
        points = outcome.changes[0].points
        if winner == self.seat:
            worth = self.say(self.own_sentence(outcome, points), points=signed(points))
        else:
            id = "says-takes" if outcome.complete else "says-keeps"
            if self.verdict(outcome) == super().verdict(outcome):  # that has said who takes it
                id = "says-worth"
            facts = {"card": outcome.move.text, "points": signed(points)}
            worth = self.say(id, name=self.view.names[winner], **facts)
        return [worth, self.to_come(outcome)]

    def own_sentence(self, outcome: PlayOutcome, points: int) -> str:
        """Return the sentence for a trick that our seat takes, or would take as it stands."""
        if self.opens(outcome) and not outcome.complete:
            return "says-lead"
        if points < 0:
            return "says-hurts-take" if outcome.complete else "says-hurts-now"
        return "says-you-take" if outcome.complete else "says-you-win"

    def worth(self, winner: int | None) -> tuple[Gain, ...]:
        """Return what it is worth to everyone who might take it."""
        cards = self.lying(self.known)
        return tuple(
            Gain(seat=seat, points=self.trick_worth(cards, seat)) for seat in range(self.view.seats)
        )

    def why(self, play: int) -> str:
        """Say that it is of another colour than the led one, or the highest of that."""
        state = self.known
        led = state.led(0)
        if colour_of(state.trick_card[play]) != led:
            return self.say("why-other-colour")
        return self.say("why-led", led=COLOURS[led])

    def why_done(self, play: int | None) -> str:
        """Say that a trick of zeros went to its leader, where it does."""
        if play is None or value_of(self.known.trick_card[play]):
            return super().why_done(play)
        return self.say("why-only-zeros")

    def table(self) -> TableNow:
        """Return the trick, and its start colour."""
        now = super().table()
        if not self.known.trick_size[0]:
            return now
        led = COLOURS[self.known.led(0)]
        return TableNow(tricks=now.tricks, lines=(self.say("now-start-colour", led=led),))

    def running(self) -> tuple[int, ...]:
        """Count cards that all have seen; nothing as long as pain cards are face down."""
        if self.view.table.get("pain") is None:
            return ()
        return tuple(self.rules.score(self.known, seat) for seat in range(self.view.seats))

    # -- Points ------------------------------------------------------------------------------------

    def tally(self, seat: int, points: int) -> list[Item]:
        """List the pain card, other cards of its colour, and all the rest."""
        state = self.known
        pain = choice_of(state, seat)
        cards = [card for card in cards_of(state, seat) if card != pain]
        hurting = [card for card in cards if colour_of(card) == self.rules.pain_colour(state, seat)]
        others = [card for card in cards if card not in hurting]
        items = [
            Item(
                text=self.say("tally-others", count=len(others)),
                points=self.count(state, seat, others),
            ),
            Item(
                text=self.say("tally-pain-card", card=card_text(pain)),
                points=self.count(state, seat, [pain]),
            ),
        ]
        if hurting:
            named = " ".join(map(card_text, hurting))
            words = self.say("tally-pain", count=len(hurting), cards=named)
            items.append(Item(text=words, points=self.count(state, seat, hurting)))
        return items

    def count(self, end: State, seat: int, cards: Sequence[int]) -> int:
        """Return what these cards alone are worth to a seat."""
        state = end.copy()
        state.won[half_slot(seat, 0)] = state.won[half_slot(seat, 1)] = 0
        for card in cards:
            state.collect(seat, card)
        points: int = self.rules.score(state, seat)
        return points


def cards_of(state: State, seat: int) -> list[int]:
    """Return the cards a seat has won."""
    found = []
    for word in range(2):
        mask = state.won[half_slot(seat, word)]
        while mask:
            found.append(card_in(word, Bits.lowest(mask)))
            mask &= mask - 1
    return found
