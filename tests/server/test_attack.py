"""The attack programs in their short forms, and that they see a hole where there is one."""

import math

import pytest

from tests.attack import fairness, frame_floods, privacy, restart, timing


@pytest.mark.slow
def test_strangers_learn_and_change_nothing() -> None:
    assert privacy.broken(privacy.run(short=True)) == []


@pytest.mark.slow
def test_floods_do_not_grow_memory() -> None:
    floods = ("empty-pings", "pings-unread")
    found = frame_floods.run(True, floods)
    assert [promise for one in found for promise in one.broken(short=True)] == []


@pytest.mark.slow
def test_one_address_cannot_starve_others() -> None:
    assert fairness.run(short=True).broken(short=True) == []


def test_attack_programs_report_broken_promises() -> None:
    leak = {"chat lines sent to strangers": 2.0, "joins of one address at a table": 10.0}
    assert privacy.broken(leak) == ["chat lines sent to strangers: 2"]
    flood = frame_floods.Outcome(
        flood="empty-pings",
        p50_ms=1,
        p99_ms=11_676,
        quiet_p99_ms=2.4,
        cpu=1,
        quiet_cpu=0.1,
        health_worst_ms=30_000,
        memory_mb=917,
        memory_growth_mb=820,
        sent_mb=20,
        seen={},
    )
    assert len(flood.broken(short=False)) == 2
    same = timing.Sample(count=1, one_pause=1, p50=1, p90=1)
    assert timing.Report(same, same, z=-6.1).broken(short=False)
    assert not timing.Report(same, same, z=math.nan).broken(short=True)
    assert restart.Report(20_000, 5.0, 200, 500, 269).broken()
    slow = fairness.Report(1.0, 1.5, 4.4, 9.0, 10, 4.0, 22.0, 100, 0.1, 4000)
    assert len(slow.broken(short=False)) == 3
