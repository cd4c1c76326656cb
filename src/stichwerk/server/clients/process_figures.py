"""What a process has used, as the system tells it."""

import os
from contextlib import suppress
from pathlib import Path


def memory_mb(pid: int) -> float | None:
    """Return the peak memory of a process; None where the system does not tell."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return round(int(line.split()[1]) / 1024, 1)
    return None


def cpu_seconds(pid: int) -> float | None:
    """Return the processor time a process has used; None where the system does not tell."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return None


def cpu_us_per_move(before: float | None, after: float | None, moves: float) -> float | None:
    """Return the processor time for each of so many moves, in microseconds."""
    if before is None or after is None or not moves:
        return None
    return round(1e6 * (after - before) / moves, 1)
