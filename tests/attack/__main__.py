"""All attacks, one after the other: `python -m tests.attack [--short] [NAME ...]`, `make attack`.

Each is a program of its own on loopback that ends by itself and prints its figures. The exit code
is 1 if one of them found a hole; times are for the reader to judge, as machines are noisy.
"""

import argparse
import subprocess
import sys

ATTACKS = {
    "dishonest_host": "dishonest hosts against terminal and verify",
    "privacy": "strangers at a private table, host rights, growth of logs",
    "frame_floods": "floods of frames, headers and connections beside other tables",
    "fairness": "many tables of one address beside another",
    "timing": "what the delays of bots betray",
    "restart": "a restart with many unfinished tables",
}
LONGEST = {True: 300, False: 1200}  # seconds for one attack, short or not


def main() -> int:
    """Run them."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ATTACKS))
    parser.add_argument("--short", action="store_true", help="a few seconds for each")
    request = parser.parse_args()
    if unknown := set(request.names) - set(ATTACKS):
        parser.error(f"no such attack: {', '.join(sorted(unknown))}")
    found = [name for name in request.names or ATTACKS if not run(name, request.short)]
    print(f"\nHoles found by: {', '.join(found)}" if found else "\nNo hole found.")
    return 1 if found else 0


def run(name: str, short: bool) -> bool:
    """Return whether an attack found nothing; its output goes straight to the terminal."""
    print(f"\n== {name}: {ATTACKS[name]}", flush=True)
    command = [sys.executable, "-m", f"tests.attack.{name}", *(["--short"] if short else [])]
    try:
        return subprocess.run(command, timeout=LONGEST[short], check=False).returncode == 0
    except subprocess.TimeoutExpired:
        print(f"{name} was stopped after {LONGEST[short]} s", flush=True)
        return False


if __name__ == "__main__":
    sys.exit(main())
