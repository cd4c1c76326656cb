"""Characters: opponents with a name, a face and a style that people can feel.

All of them know what a trained net thinks of each move, and follow their taste where that costs
little. Nobody throws dice: who is weaker sees less, or wants something else than points.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from stichwerk.bots.advice import Advice, AdviceReason, Alternative
from stichwerk.bots.position import Position, generator_for
from stichwerk.bots.search import SearchBot
from stichwerk.bots.tactics import tactics_of
from stichwerk.cards import card_code
from stichwerk.engine.codes import bit_of, card_of, half_of, half_slot, has, value_of
from stichwerk.engine.constants import PLAY
from stichwerk.engine.events import CardPlayed, Move
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.games import registry
from stichwerk.view import View, round_begin

IMAGINED = 8  # deals on which a character foresees its moves
AGAINST_TACTICS = 1.0  # what another move than that of the tactics costs, where there is no net
REMEMBERED = 1  # cards of each seat that a dreamer remembers
LAST_CARDS = 4  # of each seat; from here on someone who counts knows who holds what
EFFORT = 5  # of thinking about them, as iterations of a search


class ImaginedEnd(NamedTuple):
    """What an action brings in one imagined deal, until it is the character's turn again: points by
    seat, and tricks for the character."""

    points: tuple[int, ...]
    tricks: int


@dataclass(frozen=True)
class Glimpse:
    """One action as a character sees it. `height`: the numbers it names; `usual`: tactics would do
    it, too; `leader`: the rival who is ahead."""

    seat: int
    action: int
    height: tuple[int, ...]
    foreseen: Sequence[ImaginedEnd]
    leader: int
    usual: bool


Taste = Callable[[Glimpse], tuple[float, ...]]
"""What a character likes about an action: among those that cost little, the largest is taken."""


def bold(glimpse: Glimpse) -> tuple[float, ...]:
    """Take tricks, and play high."""
    return sum(deal.tricks for deal in glimpse.foreseen), *glimpse.height


def careful(glimpse: Glimpse) -> tuple[float, ...]:
    """Know what will come of it, and play low."""
    own = [deal.points[glimpse.seat] for deal in glimpse.foreseen]
    return min(own, default=0) - max(own, default=0), *[-number for number in glimpse.height]


def spiteful(glimpse: Glimpse) -> tuple[float, ...]:
    """Hurt the rival who is ahead."""
    return (-sum(deal.points[glimpse.leader] for deal in glimpse.foreseen),)


def chaotic(glimpse: Glimpse) -> tuple[float, ...]:
    """Do what nobody expects."""
    return (not glimpse.usual,)


class CharacterBot:
    """Plays by a taste.

    `gives`: by how much a move may be worth less to the net than the best one, in its unit, for
    taste to decide. `forgets`: remembers only the last cards. `counts`: solves the last tricks on
    all deals that fit.
    """

    version = 1

    def __init__(
        self,
        seed: int,
        *,
        name: str,
        taste: Taste | None = None,
        gives: float = 0.0,
        forgets: bool = False,
        counts: bool = False,
    ) -> None:
        self.name = name
        self.seed = seed
        self.taste = taste
        self.gives = gives
        self.forgets = forgets
        self.counts = counts

    def choose(self, view: View) -> str:
        """Return the move that suits the character."""
        if len(view.moves) == 1:
            return view.moves[0]
        position = Position(view, "net")
        return (self.solved(position) or self.made(position)).text

    def advise(self, view: View) -> Advice:
        """Return the same move; its only reason is the style."""
        move = self.choose(view)
        return Advice(move, (Alternative(move),), AdviceReason("advice-style"))

    def solved(self, position: Position) -> Move | None:
        """Return the exact best move with few cards left, if the character counts."""
        few = position.known.phase == PLAY and position.cards_left <= LAST_CARDS
        if not (self.counts and few):
            return None
        search = SearchBot(self.seed, iterations=EFFORT)
        found = search.solved(position, position.moves())
        return found[0][0] if found else None

    def made(self, position: Position) -> Move:
        """Return the move that suits the character, put together action by action."""
        generator = generator_for(position, self.seed)
        steps: tuple[int, ...] = ()
        for _ in range(position.rules.steps(position.known)):
            steps = (*steps, self.action(position, position.after(steps), generator))
        return Move(position.rules.move_text(position.known, steps), steps)

    def action(self, position: Position, state: State, generator: Generator) -> int:
        """Return what suits the taste best among the actions that cost little."""
        seen = without_old_cards(position, state) if self.forgets else state
        values = values_of(position, seen, generator)
        least = max(values.values()) - self.gives
        cheap = [action for action, value in values.items() if value >= least]
        if self.taste is None or len(cheap) == 1:
            return max(cheap, key=lambda action: values[action])
        found = glimpses(position, state, cheap, generator)
        liked = {one.action: self.taste(one) for one in found}
        most = max(liked.values())
        return max((one for one in cheap if liked[one] == most), key=lambda one: values[one])


# -- What a character sees -------------------------------------------------------------------------


def values_of(position: Position, state: State, generator: Generator) -> dict[int, float]:
    """Return what the net thinks of each action. Without a net that of the tactics is best; without
    tactics all are equal, with one drawn at random in front."""
    tactics: Any = position.tactics
    if hasattr(tactics, "scores"):
        found: dict[int, float] = tactics.scores(state, position.seat, generator)
        return found
    own = tactics.pick(state, position.seat, generator)
    cost = AGAINST_TACTICS if registry.info_of(position.rules.name).tactics else 0.0
    others = position.rules.actions(state, position.seat)
    return {own: 0.0} | {action: -cost for action in others if action != own}


def without_old_cards(position: Position, state: State) -> State:
    """Return what is known without the cards that others played longer ago, and without who could
    not follow: all those cards might still be out."""
    history = position.view.history[round_begin(position.view) :]
    plays = [event for event in history if type(event) is CardPlayed]
    seen = state.copy()
    won = list(seen.won)
    for event in plays[: -REMEMBERED * position.rules.seats]:
        if event.seat != position.seat:
            for card in map(card_code, event.cards):
                for seat in range(position.rules.seats):
                    won[half_slot(seat, half_of(card))] &= ~bit_of(card)
    seen.won = won
    seen.voids = [0] * len(seen.voids)
    return seen


def glimpses(
    position: Position, state: State, actions: Sequence[int], generator: Generator
) -> list[Glimpse]:
    """Return each of these actions as seen on the same imagined deals."""
    rules, seat = position.rules, position.seat
    usual = [tactics_of(rules, style).pick(state, seat, generator) for style in ("full", "small")]
    deals = imagined(position, state, generator)
    leader = leading_rival(position, state)
    return [
        Glimpse(
            seat=seat,
            action=action,
            height=height_of(position, state, action),
            foreseen=[foreseen(position, deal, action, generator) for deal in deals],
            leader=leader,
            usual=action in usual,
        )
        for action in actions
    ]


def height_of(position: Position, state: State, action: int) -> tuple[int, ...]:
    """Return the numbers that an action names: those it chooses, or that of its card."""
    rules = position.rules
    if rules.steps(position.known) > 1:  # one card of several
        return (value_of(card_of(action)),)
    parts = rules.move_parts(state, Move(rules.move_text(state, (action,)), (action,)))
    return parts.numbers or tuple(value_of(card_code(card)) for card in parts.cards)


def leading_rival(position: Position, state: State) -> int:
    """Return who is ahead among all who are not in the character's team."""
    rules, teams = position.rules, position.view.table.get("teams")
    mates = [team for team in teams if position.seat in team] if isinstance(teams, list) else []
    own = mates[0] if mates else [position.seat]
    points = rules.points_now(state)
    rivals = [seat for seat in range(rules.seats) if seat not in own]
    return max(rivals, key=lambda seat: state.totals[seat] + points[seat])


def imagined(position: Position, state: State, generator: Generator) -> list[State]:
    """Return deals that fit what is known; choices that all make at once are not foreseen."""
    if state.phase != PLAY:
        return []
    deals = [state.copy() for _ in range(IMAGINED)]
    for deal in deals:
        position.rules.complete(deal, position.seat, generator)
    return deals


def foreseen(position: Position, deal: State, action: int, generator: Generator) -> ImaginedEnd:
    """Return what an action brings in this deal, if all others play by tactics."""
    rules, tactics = position.rules, tactics_of(position.rules, "full")
    after = deal.copy()
    rules.play(after, position.seat, action)
    while after.owes and not has(after.owes, position.seat):
        seat = (after.owes & -after.owes).bit_length() - 1
        rules.play(after, seat, tactics.pick(after, seat, generator))
    tricks = after.tricks_won[position.seat] - deal.tricks_won[position.seat]
    return ImaginedEnd(tuple(rules.points_now(after)), tricks)


# -- The characters --------------------------------------------------------------------------------


def rocco(seed: int) -> CharacterBot:
    """Return the bold one."""
    return CharacterBot(seed, name="rocco", taste=bold, gives=0.08)


def tilda(seed: int) -> CharacterBot:
    """Return the careful one."""
    return CharacterBot(seed, name="tilda", taste=careful, gives=0.1)


def zora(seed: int) -> CharacterBot:
    """Return the spiteful one."""
    return CharacterBot(seed, name="zora", taste=spiteful, gives=0.25)


def otto(seed: int) -> CharacterBot:
    """Return the one who counts."""
    return CharacterBot(seed, name="otto", counts=True)


def luna(seed: int) -> CharacterBot:
    """Return the dreamer."""
    return CharacterBot(seed, name="luna", forgets=True)


def kiki(seed: int) -> CharacterBot:
    """Return the chaotic one."""
    return CharacterBot(seed, name="kiki", taste=chaotic, gives=0.2)
