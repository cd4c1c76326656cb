"""Find the npm packages that the page is built from: `python -m tools.notices` writes notices.

Source maps of a build show whose code is in it. Bundler and build tool leave a few lines of their
own (how parts of the page load one another), which maps do not show: they are listed too, and so
are the typefaces.
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
FONTS = FRONTEND / "src/fonts"
BUILT = ROOT / "build/web"
"""The build of `make web-build`, with its maps."""


def packages_in(built: Path) -> set[str]:
    """Return the packages that the maps of a build name as sources."""
    maps = [json.loads(path.read_text("utf-8")) for path in built.rglob("*.map")]
    sources = [source for each in maps for source in each["sources"]]
    found = [re.search(r".*node_modules/((?:@[^/]+/)?[^/]+)/", source) for source in sources]
    return {package[1] for package in found if package}


def build(folder: Path) -> None:
    """Build the page with its maps."""
    vite = ["npx", "vite", "build", "--logLevel", "error", "--sourcemap", "--outDir", str(folder)]
    subprocess.run(vite, cwd=FRONTEND, check=True, timeout=300)


def notice(package: str) -> dict[str, str]:
    """Return a package as the lock file has it, with the text of its licence."""
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
    """Yield the package's own licence, without those of what it bundles."""
    for line in text.splitlines():
        if re.match(r"# Licenses of bundled|# .*[Bb]undled", line):
            return
        yield line.rstrip()


def is_fresh(built: Path) -> bool:
    """Return whether a build has maps that are newer than all its sources."""
    folders = [folder for folder in FRONTEND.iterdir() if folder != PACKAGES]
    sources = [*folders, *(path for folder in folders for path in folder.rglob("*"))]
    newest = max(path.stat().st_mtime for path in sources)
    maps = [path.stat().st_mtime for path in built.rglob("*.map")]
    return bool(maps) and min(maps) > newest


def packages() -> set[str]:
    """Return the packages in the page, from an existing build or else a new one."""
    if is_fresh(BUILT):
        return packages_in(BUILT)
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
        return packages_in(Path(folder))


def fonts() -> set[str]:
    """Return the packages of the page's typefaces."""
    return {f"@fontsource-variable/{path.stem}" for path in FONTS.glob("*.woff2")}


def notices() -> list[dict[str, str]]:
    """Return a notice for each package in the page, by name."""
    return [notice(package) for package in sorted(packages() | BUILDERS | fonts())]


def main() -> int:
    NOTICES.write_text(json.dumps(notices(), indent=2, ensure_ascii=False) + "\n", "utf-8")
    print(f"{NOTICES.relative_to(ROOT)}: written.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
