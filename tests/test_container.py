"""The Containerfile is sound, as far as can be seen without building the image."""

import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.container import (
    FILE,
    PORT,
    Container,
    all_of,
    context,
    entrypoint,
    healthcheck,
    ignored,
    instructions,
    the_file,
)
from tools.packages import NOT_SOURCE, serving

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
hadolint = shutil.which("hadolint", path=BIN)


def test_instructions_are_parsed() -> None:
    text = "# a\nARG X=1\nFROM a AS b\nRUN one \\\n && two\n\nFROM c\nCMD []\n"
    assert instructions(text) == [
        (-1, "ARG", "X=1"),
        (0, "FROM", "a AS b"),
        (0, "RUN", "one && two"),
        (1, "FROM", "c"),
        (1, "CMD", "[]"),
    ]


@pytest.mark.skipif(
    not hadolint and (sys.platform, platform.machine()) != ("linux", "x86_64"),
    reason="the extra `dev` has hadolint for Linux on x86-64 only",
)
def test_hadolint_passes() -> None:
    assert hadolint
    command = [hadolint, "--no-color", str(FILE)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout) == (0, "")


def test_the_compiler_stays_in_the_builder() -> None:
    assert [each.stage for each in the_file() if "gcc" in each.rest] == [0]
    assert all_of("COPY", stage=1) == ["--from=builder /opt/stichwerk /opt/stichwerk"]
    assert len(all_of("FROM")) == 2


def test_the_image_is_compiled_or_not_built() -> None:
    assert "STICHWERK_PURE=0" in all_of("ARG", stage=0)


def test_the_image_does_not_run_as_root() -> None:
    (user,) = all_of("USER", stage=1)
    assert int(user) > 0
    words = [each.word for each in the_file()]
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert any(f"--uid {user} " in line for line in all_of("RUN", stage=1))


def test_data_port_and_health_check_are_consistent() -> None:
    words = entrypoint()
    (volume,) = all_of("VOLUME")
    assert words[words.index("--data") + 1] == volume
    assert all_of("EXPOSE") == [PORT]
    assert "--port" not in words  # the usual one
    assert f"'127.0.0.1', {PORT}" in healthcheck()[-1]
    assert words[words.index("--host") + 1] == "0.0.0.0"
    assert any(f" {volume}" in line and "--owner" in line for line in all_of("RUN", stage=1))


def test_names_are_kept_when_copied() -> None:
    """So that the files can be copied one to one when the steps are followed."""
    for line in all_of("COPY", stage=0):
        *sources, target = line.split()
        assert target == "./" or [target] == sources


def test_files_are_ignored_by_the_last_line_that_names_them() -> None:
    assert [
        path
        for path in (
            *("pyproject.toml", "src/stichwerk/view.py", "src/stichwerk/web/static/index.html"),
            *(
                "Makefile",
                "tools/lock.py",
                ".git/config",
                ".venv/bin/python",
                "frontend/index.html",
            ),
            *("src/stichwerk/x.so", "src/a/__pycache__/b.pyc", "src/stichwerk.egg-info/PKG-INFO"),
        )
        if not ignored(path)
    ] == ["pyproject.toml", "src/stichwerk/view.py", "src/stichwerk/web/static/index.html"]


def test_the_builder_gets_the_whole_package_and_nothing_built() -> None:
    wanted = {
        str(path.relative_to(ROOT).as_posix())
        for path in (ROOT / "src/stichwerk").rglob("*")
        if path.is_file() and not NOT_SOURCE("", list(path.relative_to(ROOT).parts))
    }
    assert len(wanted) > 300
    beside = {"pyproject.toml", "setup.py", "README.md", "LICENSE"}
    locks = {"requirements/build.txt", "requirements/run.txt"}
    assert wanted | beside | locks == set(context())


def test_every_package_of_the_image_comes_from_a_lock() -> None:
    steps = [step for line in all_of("RUN") for step in line.split("&&") if " pip " in step]
    assert len(steps) == 4
    for step in steps:
        locked = "--require-hashes" in step and "requirements/" in step
        assert locked or "--no-index" in step or "--no-build-isolation" in step, step
        assert "--no-deps" in step


def test_the_page_about_hosting_shows_the_same_commands() -> None:
    page = (ROOT / "docs/hosting.md").read_text("utf-8")
    for command in re.findall(r"^#   (docker .*)$", FILE.read_text("utf-8"), re.MULTILINE):
        assert command in page


@pytest.mark.slow
def test_its_command_serves_and_its_health_check_notices(tmp_path: Path) -> None:
    """With the Stichwerk of this environment; `make dist` installs it as the file says."""
    Container(tmp_path, BIN).try_server(serving)
