"""Checks that views say what they should and reveal nothing more, and that samples fit them."""

from collections import Counter

import msgspec

from stichwerk.engine.codes import choice_slot
from stichwerk.engine.constants import NONE
from stichwerk.engine.frame import Game
from stichwerk.match import Match
from stichwerk.testing.cards import pile, stock_of
from stichwerk.testing.copies import named_fields
from stichwerk.testing.trial import Trial, check_cards_conserved
from stichwerk.view import Standing, View, assemble, knowledge, sample

SECRET_FIELDS = ("hands", "stock", "aside", "trace_card", "trace_mask")
"""Fields in which a sampled state may differ from the truth; the last two only say what a viewer
remembers."""
DRAWN_FIELDS = ("partners", "eggs")
"""Fields in which it may differ as long as the round goes on."""


def check_views(trial: Trial) -> None:
    """Check everything about the views of this position except what they would reveal."""
    for viewer in trial.viewers:
        view = trial.match.view(viewer)
        check_view_is_assembled(trial, view)
        check_view_as_json(trial, view)
        check_knowledge(trial, view)
        check_sample(trial, view)


def everything_seen(match: Match) -> list[bytes]:
    """Return all views of a match, byte for byte."""
    return [encoded(match.view(viewer)) for viewer in (None, *range(match.rules.seats))]


def encoded(view: View) -> bytes:
    """Return a view as bytes, so that equal means byte-identical."""
    return msgspec.json.encode(view)


def standing_of(rules: Game, view: View) -> Standing:
    """Return what a view says about the match around its round."""
    return Standing(
        options=view.options,
        names=view.names,
        stock=view.stock,
        scores=view.scores,
        ranking=view.ranking,
        history={key: view.table.get(key) for key in rules.open_history_at_deal({})},
    )


def check_view_is_assembled(trial: Trial, view: View) -> None:
    """Check that a view equals what `assemble` makes of the same position and visible events."""
    history = [event for event in trial.match.events if event.visible(view.seat)]
    expected = assemble(
        trial.rules, trial.state, view.seat, standing_of(trial.rules, view), history
    )
    trial.demand(view == expected, f"{difference(view, expected)} in the view", view.seat)
    truth = Standing(
        options=trial.game.options,
        names=trial.match.names,
        stock=trial.state.stock_size,
        scores=trial.match.scores,
        ranking=trial.match.ranking,
        history=trial.match.open_history,
    )
    shown = standing_of(trial.rules, view)
    trial.demand(shown == truth, f"the view shows {shown}, the truth is {truth}", view.seat)


def check_view_as_json(trial: Trial, view: View) -> None:
    """Check that a view survives JSON, and is the same when requested again."""
    again = msgspec.json.decode(encoded(view), type=View)
    trial.demand(again == view, f"{difference(again, view)} after JSON", view.seat)
    trial.demand(
        encoded(trial.match.view(view.seat)) == encoded(view),
        "a view differs when requested again",
        view.seat,
    )


def check_knowledge(trial: Trial, view: View) -> None:
    """Check that a view knows its own cards, of others at most cards that came from it, and no
    secrets."""
    state = knowledge(view)
    for seat in range(trial.rules.seats):
        known = Counter(trial.rules.hand(state, seat))
        truth = Counter(trial.rules.hand(trial.state, seat))
        right = known == truth if seat == view.seat else known <= truth & dealt_to(trial, view.seat)
        what = f"the view takes {sorted(known)} for the hand of seat {seat}, {sorted(truth)}"
        trial.demand(right, what, view.seat)
        aside = pile(trial.state.aside, seat) if seat == view.seat else Counter()
        known = pile(state.aside, seat)
        trial.demand(
            known == aside, f"the view believes that {sorted(known)} are set aside", view.seat
        )
    trial.demand(set(stock_of(state)) <= {NONE}, "the view knows the stock", view.seat)
    if trial.state.owes:
        for kind in [kind for kind in DRAWN_FIELDS if kind in trial.rules.specials]:
            values = enumerate(getattr(state, kind))
            others = [value for at, value in values if at != view.seat or kind == "eggs"]
            trial.demand(set(others) == {NONE}, f"the view knows {kind}", view.seat)
    if trial.rules.hidden_to_the_end:
        return  # some of these choices are shown one after the other
    for at, made in enumerate(trial.log[-1]):
        if trial.is_hidden(len(trial.log) - 1, at) and made.seat != view.seat:
            known_choice = state.choice[choice_slot(made.seat, 0) : choice_slot(made.seat, 3)]
            truth_now = trial.state.choice[choice_slot(made.seat, 0) : choice_slot(made.seat, 3)]
            same = known_choice == truth_now
            trial.demand(not same, f"the view knows the choice of {made.seat}", view.seat)


def dealt_to(trial: Trial, viewer: int | None) -> Counter[str]:
    """Return the cards that a seat was dealt this round; a spectator has none."""
    return Counter(() if viewer is None else trial.match.rounds[-1].deal.hands[viewer])


def check_sample(trial: Trial, view: View) -> None:
    """Check that a sampled state has all cards, looks exactly like the view, and differs only in
    secrets."""
    state = sample(view, trial.generator)
    check_cards_conserved(trial, state, "a sample")
    seen = assemble(trial.rules, state, view.seat, standing_of(trial.rules, view), view.history)
    same = encoded(seen) == encoded(view)
    trial.demand(same, f"{difference(seen, view)} in the view of a sample", view.seat)
    truth = named_fields(trial.state)
    secret = {*SECRET_FIELDS, *(DRAWN_FIELDS if trial.state.owes else ())}
    if choices_are_secret(trial):
        secret.add("choice")
    for name, value in named_fields(state).items():
        alike = name in secret or value == truth[name]
        trial.demand(alike, f"a sample has {name} {value}, the truth {truth[name]}", view.seat)


def choices_are_secret(trial: Trial) -> bool:
    """Return whether there may be choices of this round that were not shown to all."""
    if trial.rules.hidden_to_the_end:
        return not trial.match.over
    return trial.choosing


def difference(one: View, other: View) -> str:
    """Return the first difference between two views."""
    for name in View.__struct_fields__:
        here, there = getattr(one, name), getattr(other, name)
        if here != there:
            return f"{name} is {shortened(here)} instead of {shortened(there)}"
    return "the bytes differ"


def shortened(value: object) -> str:
    """Return a value in a few words; of a long one the end, where histories differ."""
    text = repr(value)
    return text if len(text) <= 400 else f"... {text[-400:]}"
