"""What an attack program says at the end, and its exit code."""

from collections.abc import Sequence


def verdict(broken: Sequence[str]) -> int:
    """Print each promise that does not hold; 1 if there is one."""
    for promise in broken:
        print(f"BROKEN: {promise}", flush=True)
    return 1 if broken else 0
