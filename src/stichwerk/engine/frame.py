"""`Game`: the frame that every trick-taking game fills in.

A game overrides the rules in which it differs: those of a round in numbers, inherited from
`RoundRules`, and here those for matches and people, with Python objects and not for inner loops.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from stichwerk.cards import COLOURS as LETTERS
from stichwerk.cards import card_code, card_text, is_card
from stichwerk.engine.constants import CHOOSE, COLOURS, KIND, NOBODY, PLAY, SEATS, TWIN
from stichwerk.engine.events import (
    CardPlayed,
    ChoiceHidden,
    ChoiceMade,
    ChoicesRevealed,
    Event,
    Move,
    MoveParts,
    TrickTaken,
)
from stichwerk.engine.machine import Bits
from stichwerk.engine.state import State
from stichwerk.engine.unseen_cards import UnseenCards
from stichwerk.errors import BadCardError, BadGameError, CannotPickleError, Reason


class Game(UnseenCards):
    """A trick-taking game with its seats and options fixed. Immutable, so it can be shared
    freely."""

    hidden_to_the_end = False  # choices are shown only after the match
    phases = ("over", "play", "choose")  # type: tuple[str, ...]
    # By phase: what precedes a seat in a typed move. A player's name may be typed for the seat.
    seat_separators = {}  # type: dict[str, str]

    # -- Options -----------------------------------------------------------------------------------

    @staticmethod
    def open_options(options: tuple[Any, ...], given: Mapping[str, object]) -> tuple[Any, ...]:
        """Return the options with the values that the given ones leave open; by default all."""
        return options

    @staticmethod
    def settle_options(options: dict[str, Any], given: Mapping[str, object]) -> None:
        """Resolve options that depend on one another; by default none do."""

    # -- Copies ------------------------------------------------------------------------------------

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, memo: object) -> "Game":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild on unpickling by the recipe that the registry left here: a function and its
        arguments."""
        if self.recipe is None:
            raise CannotPickleError("rules-built-directly", game=self.name)
        return self.recipe

    # -- Errors of a game --------------------------------------------------------------------------

    def no_move(self, state: State, seat: int) -> BadGameError:
        """Return the error for a seat that has to move and has no move."""
        return BadGameError(
            "own-game-no-move",
            game=self.name,
            seat=seat,
            phase=self.phases[state.phase],
            hand=", ".join(self.hand(state, seat)),
            method="may_play" if state.phase == PLAY else "legal_choices",
        )

    def no_winner(self, state: State) -> BadGameError:
        """Return the error for a trick without a winner in a game without a rule for that."""
        cards = ", ".join([card_text(state.trick_card[at]) for at in range(self.seats)])
        return BadGameError("own-game-no-winner", game=self.name, cards=cards)

    # -- Moves as text -----------------------------------------------------------------------------

    def steps(self, state: State) -> int:
        """Return how many actions make up one move now."""
        return 1

    def moves(self, state: State, seat: int) -> list[Move]:
        """Return everything the seat may do now, in the documented order."""
        if not state.owes >> seat & 1:
            return []
        sequences = self._sequences(state, seat, self.steps(state))
        return [Move(self.move_text(state, steps), steps) for steps in sequences]

    def _sequences(self, state: State, seat: int, length: int) -> list[tuple[int, ...]]:
        """Return all ways to make this many actions in a row."""
        if length == 1:
            return [(action,) for action in self.actions(state, seat)]
        found = []
        for action in self.actions(state, seat):
            after = state.copy()
            self.apply(after, seat, action)
            found += [(action, *rest) for rest in self._sequences(after, seat, length - 1)]
        return found

    def move_text(self, state: State, steps: tuple[int, ...]) -> str:
        """Return a move as it is typed: cards joined by commas."""
        return ",".join([card_text(step % KIND) for step in steps])

    def move_parts(self, state: State, move: Move) -> MoveParts:
        """Return what a move names: the cards of its text, as in `R3,R9,B0`, `G3+G4` or `G8>2`. A
        game whose moves name something else says it here."""
        words = move.text.partition(">")[0].replace("+", ",").split(",")
        return MoveParts(cards=tuple(words) if all(map(is_card, words)) else ())

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        """Return the move a typed text means, or why the seat cannot make it. It must be its
        turn."""
        if state.phase == PLAY:
            return self.judge_play(state, seat, text)
        return self.judge_choice(state, seat, text)

    def judge_play(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge a play: one card of the hand, of a colour that may be played."""
        card = self.read_card(state, seat, text)
        if isinstance(card, Reason):
            return card
        colours = self.may_play(state, seat)
        if not colours >> (card >> 4) & 1:
            return self.colour_objection(state, seat, card, colours)
        return Move(card_text(card), (card,))

    def colour_objection(self, state: State, seat: int, card: int, colours: int) -> Reason:
        """Return why a card of a colour other than these cannot be played: the led colour must be
        followed, or a rule of the game says so."""
        held = [colour for colour in range(COLOURS) if state.colour(seat, colour)]
        playable = [colour for colour in held if colours >> colour & 1]
        if state.trick_size[0] and playable == [state.led(0)]:
            return Reason("must-follow", card=card_text(card), colour=LETTERS[state.led(0)])
        words = "".join([LETTERS[colour] for colour in playable])
        return Reason(
            "must-play" if state.trick_size[0] else "cannot-lead",
            card=card_text(card),
            playable=words,
        )

    def judge_choice(self, state: State, seat: int, text: str) -> Move | Reason:
        """Judge a choice before play."""
        return Reason("not-a-move", text=text)

    def read_card(self, state: State, seat: int, text: str) -> int | Reason:
        """Return a card of this deck that the seat has in hand."""
        try:
            card = card_code(text.strip())
        except BadCardError:
            return Reason("not-a-card", text=text.strip())
        if card not in self.deck.codes:
            return Reason("not-in-deck", card=card_text(card))
        if not state.holds(seat, card):
            return Reason("not-in-hand", card=card_text(card))
        return card

    # -- Events ------------------------------------------------------------------------------------

    def move_events(self, before: State, seat: int, move: Move, after: State) -> list[Event]:
        """Return the events of a move, addressed to those who may see them."""
        if before.phase == CHOOSE:
            own = ChoiceMade(seat, move.text, to=(seat,))
            events: list[Event] = [own, ChoiceHidden(seat)]
            return events + self.revealed(before, after) if after.phase != CHOOSE else events
        return [self.play_event(before, seat, move), *self.trick_events(before, move, after)]

    def play_event(self, before: State, seat: int, move: Move) -> CardPlayed:
        """Return a public play."""
        return CardPlayed(seat, move.text, (move.text,))

    def opening_events(self, state: State) -> list[Event]:
        """Return the events after the deal, besides the hands."""
        return []

    def revealed(self, before: State, after: State) -> list[Event]:
        """Return what everyone learns when the last secret choice is made."""
        return []

    def trick_events(self, before: State, move: Move, after: State) -> list[Event]:
        """Return the trick that this move completed, if any."""
        if after.tricks_done == before.tricks_done:
            return []
        lying = [before.trick_card[at] for at in range(before.trick_size[0])]
        cards = tuple([card_text(card) for card in [*lying, move.steps[0] % 128]])
        winner = after.last_winner
        return [TrickTaken(seat=None if winner == NOBODY else winner, cards=cards)]

    # -- Views -------------------------------------------------------------------------------------

    def winning_seat(self, state: State, place: int) -> int | None:
        """Return who would take the trick at this place as it stands."""
        play = self.trick_winner(state)
        return None if play == NOBODY else state.trick_seat[play]

    def hand(self, state: State, seat: int) -> tuple[str, ...]:
        """Return the seat's hand in deck order, with both twins."""
        cards = []
        for colour in range(SEATS):
            mask = state.colour(seat, colour)
            if state.twins and mask >> TWIN & 1:
                cards.append(16 * colour)
                mask &= (1 << TWIN) - 1
            while mask:
                cards.append(16 * colour + Bits.lowest(mask))
                mask &= mask - 1
        return tuple([card_text(card) for card in sorted(cards)])

    def table(self, state: State) -> dict[str, object]:
        """Return what is public besides the tricks: each game names its own facts."""
        return {}

    def match_facts(self, scores: Sequence[Sequence[int]]) -> dict[str, object]:
        """Return what is public and outlasts a round, besides the scores."""
        return {}

    def open_history_at_deal(self, history: Mapping[str, object]) -> dict[str, object]:
        """Return public facts that the state does not contain because no rule needs them, after a
        deal; `history` is what there was before."""
        return {}

    def open_history_after(
        self, history: dict[str, object], before: State, seat: int, move: Move, after: State
    ) -> dict[str, object]:
        """Return the same after a move: a new dictionary wherever it changes."""
        return history

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        """Return what only this seat knows, besides its hand."""
        return {}

    def learn(self, state: State, event: Event) -> None:
        """Apply an event to a state that contains only what one seat knows.

        Moves are made again; choices of others that stay secret are marked as unknown.
        """
        if type(event) is CardPlayed or type(event) is ChoiceMade:
            self.replay_move(state, event.seat, event.move)
        elif type(event) is ChoiceHidden:
            state.unknown |= state.owes & 1 << event.seat
        elif type(event) is ChoicesRevealed:
            state.unknown = 0
            for seat, text in enumerate(event.choices):
                if state.phase == CHOOSE and state.owes >> seat & 1:
                    self.replay_move(state, seat, text)

    def replay_move(self, state: State, seat: int, text: str) -> None:
        """Make a move again that is known to be legal; its cards need not be known."""
        for step in self.known_steps(state, text):
            self.apply(state, seat, step)

    def known_steps(self, state: State, text: str) -> tuple[int, ...]:
        """Return the actions of a move that is known to be legal, read from its text alone."""
        return tuple([card_code(card) for card in text.split(",")])

    def place_specials(self, state: State, specials: Mapping[str, object]) -> None:
        """Place the special cards that were drawn after the deal."""

    def secret(self, state: State) -> bool:
        """Return whether moves are now made secretly, and shown when the last one is made."""
        return state.phase == CHOOSE

    def all_in(self, state: State, seat: int) -> bool:
        """Return whether a secret move of this seat is the last one missing."""
        return state.owes == 1 << seat

    def has_chosen(self, state: State, seat: int) -> bool:
        """Return whether a seat that does not have to move has already made its secret move."""
        return state.phase == CHOOSE

    # -- Records -----------------------------------------------------------------------------------

    def choice_entry(self, move: Move) -> object:
        """Return a choice as a record contains it."""
        return move.text

    def choice_text(self, entry: object) -> str:
        """Return a record's choice as it is typed."""
        return str(entry)

    def entry_kind(self, state: State) -> str:
        """Return where a record stores the next move: `plays`, `choices`, or a kind of `extra`."""
        return "plays" if state.phase == PLAY else "choices"

    def extra_entry(self, move: Move) -> object:
        """Return an extra choice as a record contains it."""
        return move.text

    def extra_text(self, kind: str, value: object) -> str:
        """Return a record's extra choice as it is typed; empty if it has no such form."""
        return ""

    def entry_order(self, state: State) -> list[int]:
        """Return the order in which secret moves enter a record: by seat."""
        return list(range(self.seats))

    def play_entry(self, seat: int, move: Move) -> list[object]:
        """Return a play as a record contains it."""
        return [seat, move.text]

    def play_text(self, state: State, entry: Sequence[object]) -> str:
        """Return a record's play, without its seat, as it is typed."""
        return str(entry[0]) if len(entry) == 1 else ""

    # -- The match ---------------------------------------------------------------------------------

    def most_rounds(self) -> int:
        """Return the maximum number of rounds in a match."""
        return self.seats

    def match_over(self, scores: Sequence[Sequence[int]]) -> bool:
        """Return whether the match ends after these rounds."""
        return len(scores) >= self.most_rounds()

    def next_starter(self, starter: int, scores: Sequence[Sequence[int]]) -> int:
        """Return who starts the next round: the left neighbour of the last starter."""
        return (starter + 1) % self.seats

    def points_now(self, state: State) -> list[int]:
        """Return what the round would count for each seat if it ended here."""
        counted = state.copy()
        self.finish_round(counted)
        return [counted.points[seat] for seat in range(self.seats)]

    def ranking(self, scores: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return the seats from best to worst; tied seats share a group."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for seat in range(self.seats):
            groups.setdefault(self.standing(scores, seat), []).append(seat)
        return [groups[key] for key in sorted(groups, reverse=True)]

    def standing(self, scores: Sequence[Sequence[int]], seat: int) -> tuple[int, ...]:
        """Return what seats are compared by, larger is better: the sum of all rounds."""
        return (sum(points[seat] for points in scores),)
