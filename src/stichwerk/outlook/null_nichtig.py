"""Null & nichtig: what happens to the piles."""

from collections.abc import Sequence
from typing import Any

import msgspec

from stichwerk import locale
from stichwerk.cards import COLOURS as LETTERS
from stichwerk.cards import card_code
from stichwerk.engine.codes import card_at, card_of, colour_of, colour_slot, value_of
from stichwerk.engine.events import Move
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.outlook.game_outlook import GameOutlook, PlayOutcome
from stichwerk.outlook.position import bare, joined, signed
from stichwerk.outlook.structs import Effect, Gain, Item, PileChange, TableNow

# A zero of a colour that this deck does not have: it beats nothing, and its pile counts nothing.
NOTHING = card_at(LETTERS.index("S"), 0)


class NullNichtigOutlook(GameOutlook):
    """The outlook of a position of Null & nichtig."""

    def cards_to_choose(self) -> int:
        """Return the cards to lay out."""
        lays: int = self.rules.lays
        return lays

    # -- Laying out --------------------------------------------------------------------------------

    def effect(self, move: Move) -> Effect:
        """Describe a play, or the piles that the laid cards make."""
        if self.view.phase == "play":
            return self.play_effect(move)
        return self.laid([card_of(step) for step in move.steps], move.text)

    def half_made(self, text: str) -> Effect | None:
        """Describe the piles of the cards chosen so far."""
        if self.view.phase != "lay" or self.seat is None:
            return None
        words = [word for word in text.split(",") if word.strip()]
        cards = [self.rules.read_card(self.known, self.seat, word) for word in words]
        if any(isinstance(card, Reason) for card in cards) or len(cards) > self.rules.lays:
            return None
        held = [card_.upper() for card_ in self.view.hand]
        named = [word.strip().upper() for word in words]
        if any(named.count(card) > held.count(card) for card in named):
            return None
        return self.laid(sorted(cards, key=colour_of), text)

    def laid(self, cards: Sequence[int], text: str) -> Effect:
        """Return the state after cards are laid out one after the other."""
        assert self.seat is not None
        state = self.known.copy()
        for card in cards:
            self.rules.pile_up(state, self.seat, card)
        gain = self.gain(state, self.seat)
        tops = " ".join(str(pile.after) for pile in gain.piles)
        words = self.say("effect-laid", cards=tops, points=bare(gain.points), count=gain.points)
        missing = self.rules.lays - len(cards)
        more = self.say("effect-more-cards", count=missing) if missing else ""
        return Effect(move=text, text=joined(words if cards else "", more), changes=(gain,))

    # -- The trick ---------------------------------------------------------------------------------

    def gains(self, after: State, winner: int | None, complete: bool) -> tuple[Gain, ...]:
        """Return what it does to its taker's piles, without cards that are still to come."""
        if winner is None:
            return ()
        if not complete:
            after = self.collected(after)
        return (self.gain(after, winner),)

    def collected(self, lying: State) -> State:
        """Take the trick as it stands: cards to come beat nothing and go on no pile."""
        state = lying.copy()
        play = self.rules.trick_winner(state)
        winner = state.trick_seat[play]
        while state.trick_size[0] < self.view.seats:
            state.lay(0, winner, NOTHING)
        self.rules.take_trick(state, play, winner)
        return state

    def gain(self, after: State, seat: int) -> Gain:
        """Return what has happened to the piles of a seat."""
        piles = []
        was, now = (self.rules.piles(state, seat) for state in (self.known, after))
        for colour, (old, new) in enumerate(zip(was, now, strict=True)):
            if old != new:
                points = [state.tops[colour_slot(seat, colour)] for state in (self.known, after)]
                piles.append(
                    PileChange(
                        colour=LETTERS[colour],
                        before=old and old["top"],
                        after=new and new["top"],
                        points=points[1] - points[0],
                    )
                )
        total = self.rules.score(after, seat) - self.rules.score(self.known, seat)
        return Gain(seat=seat, points=total, piles=tuple(piles))

    def gain_words(self, gains: Sequence[Gain]) -> list[str]:
        """Describe it pile by pile, and in total."""
        return [
            self.by(
                gain.seat,
                "piles-change",
                "your-piles-change",
                piles=", ".join(map(pile_words, gain.piles)),
                points=signed(gain.points),
            )
            for gain in gains
        ]

    def verdict(self, outcome: PlayOutcome) -> str:
        """Say who takes it, and what their piles are worth before and after."""
        if outcome.winner is None:
            return super().verdict(outcome)
        before: int = self.rules.score(self.known, outcome.winner)
        facts = {"before": bare(before), "after": bare(before + outcome.changes[0].points)}
        if outcome.complete:
            return self.by(outcome.winner, "verdict-tops-take", "verdict-tops-take-you", **facts)
        if self.opens(outcome):
            return self.say("verdict-tops-lead", **facts)
        return self.by(outcome.winner, "verdict-tops-now", "verdict-tops-now-you", **facts)

    def sentences(self, outcome: PlayOutcome) -> list[str]:
        """Say which piles change, and who is still to come."""
        if outcome.winner is None:
            return [self.to_come(outcome)]
        piles = locale.Listed(", ".join(map(self.pile_change, outcome.changes[0].piles)))
        changed = self.by(outcome.winner, "says-piles", "says-your-piles", piles=piles)
        if self.opens(outcome) and not outcome.complete:
            return [self.say("says-nobody-higher"), changed]
        return [changed, self.to_come(outcome)]

    def pile_change(self, pile: PileChange) -> str:
        """Say what becomes of one pile: `R7→R2`, `Y9 new`, `G0 voids G9`."""
        if pile.before is None:
            return self.say("says-new-pile", card=pile.after)
        if pile.points < 0 and pile.after is not None and not value_of(card_code(pile.after)):
            return self.say("says-voids", card=pile.after, other=pile.before)
        return f"{pile.before}→{pile.after}"

    def trick_words(self, winner: int | None, complete: bool) -> str:
        """Say who takes it if nobody overtakes."""
        if complete or winner is None or self.known.trick_size[0]:
            return super().trick_words(winner, complete)
        return self.say("effect-lead-highest")

    def why(self, play: int) -> str:
        """Name the highest number, or the first of equals."""
        numbers = [value_of(card) for card in self.lying(self.known)]
        if numbers.count(numbers[play]) > 1:
            return self.say("why-first-of-equals")
        return self.say("why-highest-number")

    # -- The order in which a trick is collected ---------------------------------------------------

    def table(self) -> TableNow:
        """Return the trick with its order, and how the last one was collected."""
        tricks = tuple(
            msgspec.structs.replace(trick, order=tuple(self.rules.collecting_order(self.known)))
            for trick in super().table().tricks
        )
        return TableNow(tricks=tricks, collected=self.collected_last())

    def collected_last(self) -> tuple[str, ...]:
        """Return the cards of the last trick, as they were laid on piles."""
        last: Any = self.view.table.get("last_trick")
        return tuple(last["cards"][step["play"]] for step in last["collected"]) if last else ()

    # -- Points ------------------------------------------------------------------------------------

    def tally(self, seat: int, points: int) -> list[Item]:
        """List the top of each pile."""
        items = []
        for colour, pile in enumerate(self.rules.piles(self.known, seat)):
            if pile is not None:
                words = self.say("tally-pile", card=pile["top"], count=pile["size"])
                top = self.known.tops[colour_slot(seat, colour)]
                items.append(Item(text=words, points=top))
        return items


def pile_words(pile: PileChange) -> str:
    """Format `R7→R2 −5`, or `Y9 +9` for a new pile."""
    start = f"{pile.before}→" if pile.before else ""
    return f"{start}{pile.after} {signed(pile.points)}"
