"""Checks that copies of a state are complete and independent."""

from stichwerk.engine.area import layout, read
from stichwerk.engine.codes import has
from stichwerk.engine.state import State
from stichwerk.match import Setting
from stichwerk.testing.trial import ConformanceError, Trial


def fields_of(state: State) -> dict[str, int | list[int]]:
    """Return all public fields of a state, as they are now."""
    names = [name for name in dir(state) if not name.startswith("_")]
    values = {name: getattr(state, name) for name in names}
    return {
        name: list(value) if isinstance(value, list) else value
        for name, value in values.items()
        if not callable(value)
    }


def named_fields(state: State) -> dict[str, object]:
    """Return the fields of a state, with the game's reserved ones by name."""
    fields: dict[str, object] = {**fields_of(state)}
    for area in ("layout", "numbers", "sets"):
        del fields[area]
    return fields | {name: read(state, name) for name in layout(state.layout)}


def check_copies_are_complete(game: Setting) -> None:
    """Check that a copy takes over every field, and shares none."""
    full = game.rules.new_state()
    for number, (name, value) in enumerate(fields_of(full).items(), 1):
        if isinstance(value, list):
            setattr(full, name, [number + at for at in range(len(value))])
        else:
            setattr(full, name, number)
    wanted = fields_of(full)
    copy = full.copy()
    lost = [name for name, value in fields_of(copy).items() if value != wanted[name]]
    for name, value in wanted.items():
        if isinstance(value, list):
            getattr(copy, name)[0] = 0
        else:
            setattr(copy, name, 0)
    shared = [name for name, value in fields_of(full).items() if value != wanted[name]]
    if lost or shared:
        raise ConformanceError(f"{game!r}: copies of a state lose {lost} and share {shared}")


def check_copies_are_independent(trial: Trial) -> None:
    """Check that playing on in a copy leaves the original as it was, and vice versa."""
    before = fields_of(trial.state)
    copy, second = trial.state.copy(), trial.state.copy()
    trial.demand(fields_of(copy) == before, "a copy differs from its original")
    play_to_the_end(trial, copy)
    trial.demand(fields_of(trial.state) == before, "playing on in a copy changed the original")
    trial.demand(fields_of(second) == before, "playing on in a copy changed another copy")


def play_to_the_end(trial: Trial, state: State) -> None:
    """Make random moves until the round is over."""
    while state.owes:
        seat = next(seat for seat in range(trial.rules.seats) if has(state.owes, seat))
        actions = trial.rules.actions(state, seat)
        trial.demand(bool(actions), "played on at random, owes a move and has none", seat)
        trial.rules.play(state, seat, actions[trial.pick(len(actions))])
