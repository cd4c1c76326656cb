"""Which npm packages the page is built from: `python -m tests.notices` writes their notices down.

A build with source maps tells whose code is in it. Bundler and build tool leave a few lines of
their own (how parts of the page load one another), of which maps say nothing: they are named too.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FRONTEND = ROOT / "frontend"
PACKAGES = FRONTEND / "node_modules"
NOTICES = ROOT / "src/stichwerk/web/notices.json"
BUILDERS = {"rolldown", "vite"}


def packages_in(built: Path) -> set[str]:
    """The packages that the maps of a build name as sources."""
    maps = [json.loads(path.read_text("utf-8")) for path in built.rglob("*.map")]
    sources = [source for each in maps for source in each["sources"]]
    found = [re.search(r".*node_modules/((?:@[^/]+/)?[^/]+)/", source) for source in sources]
    return {package[1] for package in found if package}


def build(folder: Path) -> None:
    """The page with its maps."""
    vite = ["npx", "vite", "build", "--logLevel", "error", "--sourcemap", "--outDir", str(folder)]
    subprocess.run(vite, cwd=FRONTEND, check=True, timeout=300)


def notice(package: str) -> dict[str, str]:
    """A package as the lock file has it, with the text of its licence."""
    locked = json.loads((FRONTEND / "package-lock.json").read_text("utf-8"))["packages"]
    facts = locked[f"node_modules/{package}"]
    (file, *_) = sorted((PACKAGES / package).glob("LICEN[CS]E*"))
    text = file.read_text("utf-8").strip()
    return {
        "name": package,
        "version": facts["version"],
        "licence": facts["license"],
        "text": "\n".join(own_part(text)),
    }


def own_part(text: str) -> Iterator[str]:
    """The package's own licence; that of what it bundles for itself follows it."""
    for line in text.splitlines():
        if re.match(r"# Licenses of bundled|# .*[Bb]undled", line):
            return
        yield line.rstrip()


def notices() -> list[dict[str, str]]:
    """All packages in the page, by name."""
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        return [notice(package) for package in sorted(packages_in(Path(folder)) | BUILDERS)]


def main() -> int:
    NOTICES.write_text(json.dumps(notices(), indent=2, ensure_ascii=False) + "\n", "utf-8")
    print(f"{NOTICES.relative_to(ROOT)}: written.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
