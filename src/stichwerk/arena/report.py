"""Results for programs: one JSON object."""

from collections.abc import Sequence

import msgspec

from stichwerk.arena.deals import Plan
from stichwerk.arena.ratings import Rating
from stichwerk.arena.statistics import BOUND
from stichwerk.arena.tournament import Result
from stichwerk.bots.faults import CountedFault


def to_json(plan: Plan, results: Sequence[Result], ratings: Sequence[Rating] | None) -> str:
    """Return two bots as one object; more of them with their pairs in a list."""
    found = [pair_facts(result) for result in results]
    facts = plan_facts(plan) | (found[0] if len(plan.bots) == 2 else {"pairs": found})
    facts["ratings"] = None if ratings is None else [rating_facts(rating) for rating in ratings]
    return msgspec.json.encode(facts).decode()


def plan_facts(plan: Plan) -> dict[str, object]:
    """Return what was played."""
    return {
        "game": plan.game,
        "rules": plan.rules,
        "seats": plan.seats,
        "options": plan.options,
        "bots": plan.bots,
        "seed": plan.seed,
        "unit": plan.unit,
        "version": plan.version,
    }


def pair_facts(result: Result) -> dict[str, object]:
    """Return the figures of a pair; intervals are of 95 %, shares between 0 and 1."""
    facts: dict[str, object] = {
        "a": result.names[0],
        "b": result.names[1],
        "deals": result.gaps.count,
        "games": result.gaps.count * result.plan.seats,
        "win_share": result.win_shares.mean,
        "win_share_ci": result.win_share_interval,
        "gap": result.gaps.mean,
        "gap_ci": result.gaps.interval,
        "seconds_per_move": result.seconds_per_move,
        "moves": result.moves,
        "gaps": [outcome.gap for outcome in result.outcomes],
        "faults": [fault_facts(fault) for fault in result.faults.counted],
    }
    if result.round_shares.count:
        facts["round_share"] = result.round_shares.mean
        facts["round_share_ci"] = result.round_share_interval
    if result.test:
        facts["sprt"] = {
            "low": result.test.low,
            "high": result.test.high,
            "llr": result.test.ratio(result.gaps),
            "bounds": (-BOUND, BOUND),
            "decision": result.decision,
        }
    return facts


def fault_facts(fault: CountedFault) -> dict[str, object]:
    """Return how often a bot failed, and where first."""
    first = fault.first
    return {
        "bot": first.bot,
        "fault": first.id,
        "count": fault.count,
        "first": {"seed": first.seed, "seat": first.seat, "facts": first.data, "said": first.said},
    }


def rating_facts(rating: Rating) -> dict[str, object]:
    """Return a line of the ratings."""
    return {
        "bot": rating.bot,
        "mu": rating.mu,
        "sigma": rating.sigma,
        "ordinal": rating.cautious,
    }
