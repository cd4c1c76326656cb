"""Swap everything a viewer cannot know: in the other world they must see exactly the same."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from stichwerk.cards import card_code, card_text
from stichwerk.engine.codes import choice_slot
from stichwerk.engine.constants import NONE, SEATS
from stichwerk.engine.events import Move
from stichwerk.engine.state import State
from stichwerk.match import Match
from stichwerk.testing.cards import pile, stock_of
from stichwerk.testing.trial import MadeMove, Trial, deal_to
from stichwerk.testing.views import DRAWN_FIELDS, dealt_to, difference, encoded
from stichwerk.view import View, sample

ATTEMPTS = 12
"""How often hidden cards are exchanged at random before fewer of them are accepted."""


def check_hidden_cards(trial: Trial, viewer: int | None) -> None:
    """Exchange everything this viewer cannot know: in the other world it sees exactly the same.

    The other world is a complete match: the deals are changed as `sample` says, secret choices are
    replaced, and every visible move is made again. So each of them must be allowed there, which
    fails when a sample gives a seat cards that it has shown not to have.
    """
    view = trial.match.view(viewer)
    other = another_world(trial, view)
    seen = other.view(viewer)
    same = encoded(seen) == encoded(view)
    trial.demand(same, f"{difference(view, seen)} when hidden cards are swapped", viewer)


def another_world(trial: Trial, view: View) -> Match:
    """Return a match with other secrets in which the viewer would have seen the same until now."""
    state = sample(view, trial.generator)
    finished = [past_deal(trial, view.seat, number) for number in range(len(trial.log) - 1)]
    if not cards_moved(trial):
        other = World(trial, view.seat, [*finished, sampled_deal(trial, view.seat, state)])
        other.replay_history(state)
        return other.match
    hidden = hidden_cards(trial, view.seat)
    for attempt in range(ATTEMPTS, -1, -1):
        renamed = exchanged(trial, hidden, attempt)
        other = World(trial, view.seat, [*finished, renamed_deal(trial, state, renamed)], renamed)
        if other.can_replay_history(state):
            return other.match
    trial.broken("the same deal cannot be played again", view.seat)


class World:
    """Another match with the same visible history, and a separate state that follows it."""

    def __init__(
        self,
        trial: Trial,
        viewer: int | None,
        deals: list[dict[str, object]],
        renamed: Mapping[str, str] | None = None,
    ) -> None:
        self.trial = trial
        self.viewer = viewer
        self.renamed = renamed or {}
        self.match = trial.game.new(deals=deals)
        self.state = trial.rules.new_state()
        deal_to(self.state, self.match)

    def replay_history(self, sampled: State) -> None:
        """Make every move again; each must be allowed."""
        for number, moves in enumerate(self.trial.log):
            for at, made in enumerate(moves):
                text = self.text(sampled, number, at, made)
                reason = self.match.objection(made.seat, text)
                what = f"in a sampled deal seat {made.seat} cannot {text}: {reason}"
                self.trial.demand(reason is None, what)
                self.play(made.seat, text)

    def can_replay_history(self, sampled: State) -> bool:
        """Make every move again, as long as they are allowed; return whether all were."""
        for number, moves in enumerate(self.trial.log):
            for at, made in enumerate(moves):
                text = self.text(sampled, number, at, made)
                if self.match.objection(made.seat, text) is not None:
                    return False
                self.play(made.seat, text)
        return True

    def text(self, sampled: State, number: int, at: int, made: MadeMove) -> str:
        """Return the move as it is made here: one the viewer has not seen may differ."""
        current = number == len(self.trial.log) - 1
        if made.seat == self.viewer:
            return made.move.text
        if self.trial.is_hidden(number, at):
            if self.renamed and not self.trial.rules.hidden_to_the_end:
                return self.another_choice(made)
            wanted = sampled.choice if current else seen_of_choices(self.trial, number)
            return fitting_choice(self.trial, self, made.seat, wanted)
        if current and made.secret:
            return self.renamed.get(made.move.text, made.move.text)
        return made.move.text

    def another_choice(self, made: MadeMove) -> str:
        """Return any choice instead of one that is still secret; for a card whose colour was named,
        one of that colour."""
        colours = [event.move for event in made.events if event.kind == "named"]
        listed = [move.text for move in self.match.moves(made.seat)]
        fitting = [text for text in listed if not colours or text[0] == colours[0]]
        return fitting[self.trial.pick(len(fitting))] if fitting else made.move.text

    def play(self, seat: int, text: str) -> None:
        """Make a move in the match and in our own state."""
        move = self.trial.rules.judge(self.state, seat, text)
        if not isinstance(move, Move):
            self.trial.broken(f"match and rules disagree about {text}", seat)
        for step in move.steps:
            self.trial.rules.play(self.state, seat, step)
        self.match.play(seat, text)
        if self.state.owes == 0 and self.match.waiting_for:
            deal_to(self.state, self.match)


def cards_moved(trial: Trial) -> bool:
    """Return whether cards came into hands this round after the deal."""
    return bool(cards_taken_in(trial, len(trial.log) - 1))


def cards_taken_in(trial: Trial, number: int) -> set[str]:
    """Return the cards that came into hands in a round after the deal, which only those seats
    saw."""
    events = (event for made in trial.log[number] for event in made.events)
    private = (event for event in events if event.private and event.kind != "hand")
    return {card for event in private for card in event.cards}


def hidden_cards(trial: Trial, viewer: int | None) -> list[str]:
    """Return the cards of this round that the viewer has never seen."""
    seen = set(dealt_to(trial, viewer))
    for event in (event for made in trial.log[-1] for event in made.events):
        if event.kind == "round":
            break
        if event.visible(viewer):
            seen.update(event.cards)
    return [card for card in trial.rules.deck.texts if card not in seen]


def exchanged(trial: Trial, hidden: Sequence[str], times: int) -> dict[str, str]:
    """Return these cards with other names, after this many exchanges. Where odd cards are visibly
    set aside, odd cards stay odd."""
    renamed = {card: card for card in hidden}
    for _ in range(times if hidden else 0):
        one, other = (hidden[trial.pick(len(hidden))] for _ in range(2))
        alike = (card_code(one) + card_code(other)) % 2 == 0
        if alike or "aside" not in trial.match.view(None).table:
            renamed[one], renamed[other] = renamed[other], renamed[one]
    return renamed


def renamed_deal(trial: Trial, state: State, renamed: Mapping[str, str]) -> dict[str, object]:
    """Return the deal of this round with hidden cards renamed, and draws as in a sampled state."""
    deal = trial.match.rounds[-1].deal
    hands = [[renamed.get(card, card) for card in hand] for hand in deal.hands]
    stock = [renamed.get(card, card) for card in deal.stock]
    extra = sampled_specials(trial, state)
    return {"starter": deal.starter, "hands": hands, "stock": stock, "extra": extra}


def sampled_deal(trial: Trial, viewer: int | None, state: State) -> dict[str, object]:
    """Return the deal of this round as in a sampled state: what is left and what was played."""
    deal = trial.match.rounds[-1].deal
    hands: list[Sequence[str]] = []
    for seat, dealt in enumerate(deal.hands):
        played = Counter(dealt) - kept(trial, trial.state, seat)
        sampled = (kept(trial, state, seat) + played).elements()
        hands.append(dealt if seat == viewer else shuffled(trial, sampled))
    stock = [card_text(card) for card in stock_of(state)]
    extra = sampled_specials(trial, state)
    return {"starter": deal.starter, "hands": hands, "stock": stock, "extra": extra}


def kept(trial: Trial, state: State, seat: int) -> Counter[str]:
    """Return what a seat has in hand and aside."""
    return Counter(trial.rules.hand(state, seat)) + pile(state.aside, seat)


def sampled_specials(trial: Trial, state: State) -> list[list[object]]:
    """Return the special cards of this round as in a sampled state; open ones as they are."""
    drawn: dict[str, object] = {}
    for kind in DRAWN_FIELDS:
        if kind in trial.rules.specials:
            values = list(getattr(state, kind))
            drawn[kind] = values[: trial.rules.seats] if kind == "partners" else values
    specials = trial.match.rounds[-1].deal.specials
    return [[0, None, kind, drawn.get(kind, value)] for kind, value in specials]


def past_deal(trial: Trial, viewer: int | None, number: int) -> dict[str, object]:
    """Return the deal of a finished round: unknown are the order in which hands were dealt, and
    that of the stock, as far as nobody has drawn from it."""
    deal = trial.match.rounds[number].deal
    hands = [
        hand if seat == viewer else shuffled(trial, hand) for seat, hand in enumerate(deal.hands)
    ]
    drawn = len(cards_taken_in(trial, number) & {*deal.stock})
    stock = [*deal.stock[:drawn], *shuffled(trial, deal.stock[drawn:])]
    extra = [[0, None, kind, value] for kind, value in deal.specials]
    return {"starter": deal.starter, "hands": hands, "stock": stock, "extra": extra}


def shuffled(trial: Trial, cards: Iterable[str]) -> list[str]:
    """Return the same cards in random order."""
    rest = list(cards)
    return [rest.pop(trial.pick(len(rest))) for _ in range(len(rest))]


def seen_of_choices(trial: Trial, number: int) -> list[int]:
    """Return what became known of the choices of a finished round; NONE for what did not."""
    known = [NONE] * choice_slot(SEATS, 0)
    current = 0
    for event in trial.match.events:
        current = event.round or current if event.kind == "round" else current
        if event.kind == "turned" and current == number + 1:
            at = choice_slot(event.seat or 0, event.position or 0)
            known[at] = NONE if event.value is None else event.value
    return known


def fitting_choice(trial: Trial, other: World, seat: int, wanted: Sequence[int]) -> str:
    """Return a random choice of this seat in the other world that fits what is wanted; NONE fits
    all."""
    sampled = wanted[choice_slot(seat, 0) : choice_slot(seat, 3)]
    fitting = []
    for move in other.match.moves(seat):
        after = other.state.copy()
        for step in move.steps:
            trial.rules.play(after, seat, step)
        made = after.choice[choice_slot(seat, 0) : choice_slot(seat, 3)]
        if all(want in (NONE, got) for want, got in zip(sampled, made, strict=True)):
            fitting.append(move.text)
    trial.demand(bool(fitting), f"seat {seat} cannot have made the sampled choice {sampled}")
    return fitting[trial.pick(len(fitting))]
