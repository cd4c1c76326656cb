"""All checks, over whole matches."""

from stichwerk.errors import BadGameError
from stichwerk.match import Setting
from stichwerk.testing.copies import check_copies_are_complete, check_copies_are_independent
from stichwerk.testing.moves import (
    NONSENSE,
    check_listed_moves,
    check_listed_moves_apply,
    check_other_moves_object,
    check_position,
    check_refusals_leave_no_trace,
)
from stichwerk.testing.other_worlds import check_hidden_cards
from stichwerk.testing.trial import Trial
from stichwerk.testing.views import check_views, everything_seen


def check_game(game: Setting, matches: int = 5, seed: int = 0) -> None:
    """Play this many random matches with the seeds from `seed` on; raise on the first fault."""
    check_copies_are_complete(game)
    for number in range(seed, seed + matches):
        trial = Trial(game, number)
        try:
            check_match(trial)
        except BadGameError as error:
            trial.broken(str(error))


def check_match(trial: Trial) -> None:
    """Play one random match and run all checks on it."""
    while trial.match.waiting_for:
        check_position(trial)
        if trial.looks_closely():
            check_closely(trial)
        trial.advance()
    check_end(trial)
    check_replays(trial)


def check_closely(trial: Trial) -> None:
    """Run the checks that are made only at some positions."""
    for seat in trial.match.waiting_for:
        check_listed_moves(trial, seat)
    check_listed_moves_apply(trial)
    check_other_moves_object(trial)
    check_refusals_leave_no_trace(trial)
    check_copies_are_independent(trial)
    check_views(trial)
    for viewer in trial.other_world_viewers:
        check_hidden_cards(trial, viewer)
        trial.glimpses += 1


def check_end(trial: Trial) -> None:
    """Check that the match has a ranking of all seats, and that nobody may do anything any more."""
    match, seats = trial.match, range(trial.rules.seats)
    trial.demand(match.over and match.ranking is not None, "ends without a ranking")
    ranked = sorted(seat for group in match.ranking or () for seat in group)
    trial.demand(ranked == list(seats), f"ranks {match.ranking}")
    for seat in seats:
        trial.demand(match.moves(seat) == (), "has moves after the end", seat)
        for text in ("R1", "1,2,3", *NONSENSE):
            trial.demand(
                match.objection(seat, text) is not None, f"accepts {text!r} after the end", seat
            )
    check_views(trial)
    for viewer in trial.viewers[:2]:
        check_hidden_cards(trial, viewer)


def check_replays(trial: Trial) -> None:
    """Check that the same moves on the same deals have the same result, from the seed and from the
    record."""
    logs = trial.match.rounds
    deals = [log.deal for log in logs]
    for again in (trial.game.new(seed=trial.seed), trial.game.new(deals=deals)):
        for seat, move, _, events in (made for round in trial.log for made in round):
            trial.demand(again.play(seat, move.text) == events, f"a replay of {move} differs", seat)
        trial.demand(again.events == trial.match.events, "a replay has other events")
        trial.demand(again.scores == trial.match.scores, "a replay has other scores")
        trial.demand(again.ranking == trial.match.ranking, "a replay has another ranking")
        same = everything_seen(again) == everything_seen(trial.match)
        trial.demand(same, "a replay shows other views")
