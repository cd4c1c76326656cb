"""What docs/environments.md shows of learners that need PyTorch runs as printed."""

import subprocess
import sys
from pathlib import Path

from tests.doc_pages import ROOT, blocks

PAGE = ROOT / "docs/environments.md"
NOTE = "run by tests/learners/test_pages.py"


def test_the_programs_of_the_page_run(tmp_path: Path) -> None:
    """Each as a script of its own, as worker processes need it."""
    programs = [block.code for block in blocks(PAGE.read_text("utf-8")) if block.note == NOTE]
    assert len(programs) == 2
    for number, program in enumerate(programs):
        script = tmp_path / f"program_{number}.py"
        script.write_text(program, "utf-8")
        done = subprocess.run(
            [sys.executable, str(script)], capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout
