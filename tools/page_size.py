"""Count what a table loads, without a browser: for `tools.page_bench` and a test.

A table needs the page's first script, the table's own, those of its game and of the service worker,
and whatever these import. What opens on demand (menu, rules, the end of a match) is loaded later.
"""

import gzip
import json
import re
from collections.abc import Mapping
from pathlib import Path

MOST_KB = 140.0  # of a table, compressed; 1 kB is 1000 bytes

IN_PAGE = re.compile(r"/assets/([\w.~-]+\.(?:js|css))")
# `import … from "./x.js"` and `import "./x.js"`, as the bundler writes them.
IMPORTED = re.compile(r"""(?:from|import)\s*["'`]\./([\w.~-]+\.js)["'`]""")
# `import("./x.js")`, and by their numbers the files that are loaded along with it.
ON_DEMAND = r"""import\(["'`]\./(?P<file>{name}[\w.~-]*\.js)["'`]\)"""
ALONG = r"""(?:\.then\([^)]*\))?(?:,__vite__mapDeps\(\[(?P<along>[\d,]*)\]\))?"""
NUMBERED = re.compile(r"m\.f=(\[[^\]]*\])")


def read_build(folder: Path) -> dict[str, str]:
    """Return the scripts and styles of a build by their names, and its page as `index.html`."""
    files = [path for path in (folder / "assets").iterdir() if path.suffix in (".js", ".css")]
    return {path.name: path.read_text("utf-8") for path in (*files, folder / "index.html")}


def table_files(build: Mapping[str, str], game: str) -> set[str]:
    """Return the names of the files that a table of a game loads before anything is opened."""
    found = with_imports(build, IN_PAGE.findall(build["index.html"]))
    for start in ("TablePage-", "worker-"):
        found |= with_imports(build, loaded_by(build, found, ON_DEMAND.format(name=start)))
    parts = rf"""["'`]\./{re.escape(game)}/parts\.ts["'`]:[^"'`]*{ON_DEMAND.format(name="")}"""
    return found | with_imports(build, loaded_by(build, found, parts))


def loaded_by(build: Mapping[str, str], files: set[str], pattern: str) -> set[str]:
    """Return what one of the files loads on demand: the script that fits, and what goes along."""
    for name in sorted(files):
        if match := re.search(pattern + ALONG, build[name]):
            numbers = [int(one) for one in (match["along"] or "").split(",") if one]
            return {match["file"], *(numbered(build[name])[one] for one in numbers)}
    raise LookupError(f"no file of the build loads {pattern}")


def numbered(script: str) -> list[str]:
    """Return the list of files that a script refers to by numbers."""
    match = NUMBERED.search(script)
    paths: list[str] = json.loads(match[1]) if match else []
    return [path.rpartition("/")[2] for path in paths]


def with_imports(build: Mapping[str, str], names: set[str] | list[str]) -> set[str]:
    """Return files, and all that they import."""
    found: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += IMPORTED.findall(build[name]) if name.endswith(".js") else []
    return found


def kilobytes(files: Mapping[str, bytes]) -> dict[str, float]:
    """Return the size of scripts and styles, each file compressed for itself, as it is sent."""
    found = {"JS": 0.0, "CSS": 0.0}
    for name, content in files.items():
        kind = "CSS" if name.endswith(".css") else "JS"
        found[kind] += len(gzip.compress(content, 6)) / 1000
    return {**found, "JS and CSS": sum(found.values())}


def table_size(build: Mapping[str, str], game: str) -> dict[str, float]:
    """Return the kilobytes of code and styles that a table of a game needs."""
    return kilobytes({name: build[name].encode() for name in table_files(build, game)})
