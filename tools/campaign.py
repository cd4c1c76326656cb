"""Simulate and verify every setting, as a person would from the command line: `make campaign`.

Not a test: too long for every run. Bounded by its number of matches per setting.
"""

import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from stichwerk.match import Setting
from tests.strategies import all_settings

STICHWERK = [sys.executable, "-m", "stichwerk"]


def arguments(options: dict[str, object]) -> list[str]:
    """Return options as written on the command line."""
    words: list[str] = []
    for name, value in options.items():
        if name == "sheets" and isinstance(value, list):
            words += [word for sheet in value for word in ("--sheet", str(sheet))]
        elif name == "date" and value is not None:
            words += ["--date", str(value)]
        elif name not in ("date", "sheets") and not (name == "rounds" and value is None):
            words += ["--option", f"{name}={'none' if value is None else value}"]
    return words


def holds(setting: Setting, matches: int) -> bool:
    """Return whether all simulated matches of this setting verify."""
    with tempfile.TemporaryDirectory() as folder:
        records = str(Path(folder, "out.jsonl"))
        seats, options = str(setting.seats), arguments(dict(setting.options))
        simulate = ["simulate", setting.name, "--seats", seats, "--games", str(matches)]
        simulate += ["--bots", "random", "--seed", "1", "--records", records, *options]
        simulate += ["--rules", str(setting.rules.version)]
        for command in (simulate, ["verify", records]):
            done = subprocess.run([*STICHWERK, *command], capture_output=True, text=True)
            if done.returncode:
                print(" ".join(command), "->", done.returncode, done.stderr.strip(), flush=True)
                return False
    return True


def main(matches: int, jobs: int) -> int:
    """Run every setting; return how many fail."""
    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda setting: holds(setting, matches), all_settings()))
    wrong = results.count(False)
    print(f"{len(results) - wrong} of {len(results)} settings hold, {matches} matches each")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[2]))))
