"""The library as it is documented passes `mypy --strict`, as a user would run it."""

import doctest
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doc_pages import ROOT, blocks, text_of

PAGES = [
    ROOT / "README.md",
    ROOT / "docs/review.md",
    ROOT / "docs/writing-bots.md",
    *sorted((ROOT / "docs/reference").glob("*.md")),
]


def code_of(page: str) -> Iterator[str]:
    """Yield the Python of a page, sessions without their answers."""
    for block in blocks(page):
        if block.is_run and block.language == "python":
            yield block.code
        elif block.is_run and block.language == "pycon":
            yield from (it.source for it in doctest.DocTestParser().get_examples(block.code))


def complaints(pages: dict[str, str], folder: Path) -> str:
    """Return what mypy says about these pages, in a folder without settings."""
    for name, page in pages.items():
        (folder / f"{name}.py").write_text("\n".join(code_of(page)), "utf-8")
    checked = [f"{name}.py" for name in pages]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", *checked],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
    )
    return "" if run.returncode == 0 else run.stdout + run.stderr


@pytest.mark.slow
def test_documented_code_passes(tmp_path: Path) -> None:
    """Advice among it, which once had no type."""
    pages = {f"page_{page.stem.replace('-', '_')}": text_of(page) for page in PAGES}
    assert sum(".advise(" in "".join(code_of(page)) for page in pages.values()) >= 2
    assert complaints(pages, tmp_path) == ""


@pytest.mark.slow
def test_what_has_no_type_is_found(tmp_path: Path) -> None:
    page = '```python\nimport stichwerk\n\nstichwerk.bot("hard").advise(None)\n```\n'
    assert '"Bot" has no attribute "advise"' in complaints({"page": page}, tmp_path)
