"""A table of any game loads little: counted in the committed build, without a browser."""

import os
from pathlib import Path

import pytest

from stichwerk.games import registry
from stichwerk.server.http.static_files import STATIC
from tools import page_size

BUILD = page_size.read_build(Path(os.environ.get("STICHWERK_TEST_STATIC") or STATIC))


@pytest.mark.parametrize("game", registry.GAMES)
def test_a_table_loads_little(game: str) -> None:
    assert page_size.table_size(BUILD, game)["JS and CSS"] <= page_size.MOST_KB


@pytest.mark.parametrize("game", registry.GAMES)
def test_what_a_table_shows_first_is_counted(game: str) -> None:
    """The hand, the alarm about a deal, the colours of the page."""
    files = page_size.table_files(BUILD, game)
    text = "".join(BUILD[name] for name in sorted(files))
    shown = ('class="hand', ".hand.", ".alarm.", ":root{")
    assert [word for word in shown if word not in text] == []


def test_imports_are_followed_and_other_pages_are_not_counted() -> None:
    build = {
        "index.html": '<script src="/assets/index-1.js"><link href="/assets/index-2.css">',
        "index-1.js": 'm.f=["assets/TablePage-1.js","assets/t.css"];import"./a.js";'
        "import(`./TablePage-1.js`).then(e=>e.t),__vite__mapDeps([0,1]);import(`./Other-1.js`);"
        "import(`./worker-1.js`),[]",
        "index-2.css": "",
        "a.js": 'import{x}from"./b.js";',
        "b.js": 'import{y}from"./a.js";',
        "TablePage-1.js": 'm.f=["assets/parts-1.js","assets/p.css"];'
        '{"./one/parts.ts":()=>d(()=>import(`./parts-1.js`),__vite__mapDeps([0,1])),'
        '"./two/parts.ts":()=>d(()=>import(`./parts-2.js`),[])}',
        **dict.fromkeys(("t.css", "p.css", "parts-1.js", "parts-2.js", "Other-1.js"), ""),
        "worker-1.js": "",
    }
    every = {"index-1.js", "index-2.css", "a.js", "b.js", "TablePage-1.js", "t.css", "worker-1.js"}
    assert page_size.table_files(build, "one") == every | {"parts-1.js", "p.css"}
    assert page_size.table_files(build, "two") == every | {"parts-2.js"}
    with pytest.raises(LookupError):
        page_size.table_files(build, "three")
