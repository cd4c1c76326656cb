"""Write the documentation as plain Markdown for a site builder: `python -m tools.site`.

    python -m tools.site [FOLDER]   write the pages, into build/docs
    python -m tools.site serve      write them, show the site, and update what changes

The Markdown files in `docs/` stay as they are, readable in any viewer of the repository. Links that
leave `docs/` lead to pages written here: the files at the top of the repository, and source files,
shown as they are. Headings that name a function or class of the library get its signature and its
docstring (`tools/api_pages.py`). The front matter of each page names its language (`.de.md` is
German) and the same page in both languages; `docs/theme/` makes the frame of the page from it.
"""

import os
import posixpath
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from stichwerk.cli import cli
from tools.api_pages import documented, with_signatures

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
OUT = ROOT / "build/docs"
LEFT_OUT = ("README.md", "theme/")
TOP = {
    "README.md": "tour.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
TOP_TEXT = {"LICENSE": "license.md"}
SHOWN = {".py": "python", ".pxd": "cython", ".pyx": "cython", ".ts": "typescript"}
SHOWN |= {".toml": "toml", ".json": "json", ".txt": "text", "": "text"}
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
NAMED_PAGE = re.compile(r"(?<![\[`])`(docs/[\w./-]+\.md)`(?![\]`])")
FENCE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
COMMANDS = {"reference/commands.md": "en", "reference/commands.de.md": "de"}
COMMAND_WORDS = {
    "en": "# The command line\n\nEvery command, as `stichwerk COMMAND --help` prints it.\n",
    "de": "# Die Befehle\n\nAlle Befehle, wie `stichwerk BEFEHL --help --lang de` sie zeigt.\n",
}
HOME = {"en": "index.md", "de": "index.de.md"}
SERVE = ("mkdocs", "serve", "--dev-addr", "127.0.0.1:8000")


# -- All pages -------------------------------------------------------------------------------------


def pages() -> dict[str, str]:
    """Return every page of the site by its path, as it is written."""
    own = {uri: path.read_text("utf-8") for uri, path in doc_files() if uri.endswith(".md")}
    own |= {uri: (ROOT / name).read_text("utf-8") for name, uri in TOP.items()}
    own |= {uri: shown_source(name) for name, uri in TOP_TEXT.items()}
    sources = {source_page(name): shown_source(name) for name in linked_sources(own)}
    own |= {uri: command_page(lang) for uri, lang in COMMANDS.items()}
    addresses = documented(own)
    own = {uri: with_signatures(text, uri, addresses) for uri, text in own.items()}
    found = {uri: led_page(text, uri) for uri, text in own.items()} | sources
    return {uri: with_languages(text, uri, found.keys()) for uri, text in found.items()}


def doc_files() -> Iterator[tuple[str, Path]]:
    """Yield the files in `docs/` that belong to the site."""
    for path in sorted(DOCS.rglob("*")):
        uri = path.relative_to(DOCS).as_posix()
        if path.is_file() and not uri.startswith(LEFT_OUT) and "__pycache__" not in uri:
            yield uri, path


def write(folder: Path) -> None:
    """Write all pages and their pictures; unchanged files are not touched."""
    contents = {uri: path.read_bytes() for uri, path in doc_files() if not uri.endswith(".md")}
    contents |= {uri: text.encode() for uri, text in pages().items()}
    for old in [path for path in folder.rglob("*") if path.is_file()]:
        if old.relative_to(folder).as_posix() not in contents:
            old.unlink()
    for uri, content in contents.items():
        target = folder / uri
        if not target.is_file() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)


# -- Pages from outside docs/ ----------------------------------------------------------------------


def command_page(lang: str) -> str:
    """Return every command with its options, as the command line prints it."""
    parts = [COMMAND_WORDS[lang]]
    top = click.Context(cli, info_name="stichwerk", obj=lang)
    for name, command in sorted(cli.commands.items()):
        with command.context_class(command, top, name, terminal_width=92) as context:
            parts.append(f"## {name}\n\n```text\n{command.get_help(context).rstrip()}\n```\n")
    return "\n".join(parts)


def linked_sources(texts: dict[str, str]) -> set[str]:
    """Return every source file of the repository that a page links to."""
    links = [
        (uri, link[2]) for uri, text in texts.items() for link in LINK.finditer(FENCE.sub("", text))
    ]
    targets = {in_repository(uri, link) for uri, link in links}
    return {target for target in targets if target is not None and is_source(target)}


def in_repository(uri: str, link: str) -> str | None:
    """Return where a link of a page leads, as a path from the root of the repository."""
    if re.match(r"[a-z]+:", link):
        return None
    from_top = {page: name for name, page in (TOP | TOP_TEXT).items()}
    page = from_top.get(uri, f"docs/{uri}")
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link))


def is_source(name: str) -> bool:
    """Return whether a file is shown as a page: sources, in `docs/` those of the examples."""
    path = ROOT / name
    outside = not name.startswith("docs/") or name.startswith("docs/examples/")
    return outside and name not in TOP | TOP_TEXT and path.suffix in SHOWN and path.exists()


def source_page(name: str) -> str:
    """Return the page that shows a source file."""
    return f"source/{name}.md"


def shown_source(name: str) -> str:
    """Return a source file as a page, or all of a folder, one after the other."""
    path = ROOT / name
    files = sorted(path.glob("*.py")) if path.is_dir() else [path]
    parts = [f"---\nhide: [toc]\n---\n# {name}\n"]
    for file in files:
        code = file.read_text("utf-8").rstrip()
        heading = f"## {file.name}\n\n" if path.is_dir() else ""
        parts.append(f"{heading}`````{SHOWN[file.suffix]}\n{code}\n`````\n")
    return "\n".join(parts)


def led_page(markdown: str, uri: str) -> str:
    """Rewrite the links of a page to pages of the site; code stays as it is."""
    parts: list[str] = []
    at = 0
    for fence in FENCE.finditer(markdown):
        parts += [led(markdown[at : fence.start()], uri), fence[0]]
        at = fence.end()
    return "".join([*parts, led(markdown[at:], uri)])


def led(text: str, uri: str) -> str:
    """Rewrite the links in prose to pages of the site."""

    def path_to(name: str) -> str:
        return posixpath.relpath(site_page(name), posixpath.dirname(uri) or ".")

    def link_page(name: re.Match[str]) -> str:
        return f"[{name[0]}]({path_to(name[1])})" if (ROOT / name[1]).is_file() else name[0]

    def lead(link: re.Match[str]) -> str:
        target = in_repository(uri, link[2])
        return f"{link[1]}{path_to(target)}{link[3] or ''}{link[4]}" if target else link[0]

    return NAMED_PAGE.sub(link_page, LINK.sub(lead, text))


def site_page(name: str) -> str:
    """Return the page of the site for a file of the repository, as a path in `docs/`."""
    if name == "docs/README.md":
        return "index.md"
    if name in TOP | TOP_TEXT:
        return (TOP | TOP_TEXT)[name]
    return source_page(name) if is_source(name) else posixpath.relpath(name, "docs")


# -- Two languages ---------------------------------------------------------------------------------


def with_languages(markdown: str, uri: str, known: Iterable[str]) -> str:
    """Return a page with its language in its front matter, and its address in both languages."""
    lang = "de" if uri.endswith(".de.md") else "en"
    addresses = {other: built(in_language(uri, other, known)) for other in HOME}
    own = [f"language: {lang}", "alternate:", *(f"  {key}: {addresses[key]}" for key in addresses)]
    front = re.match(r"---\n(.*?)^---\n", markdown, re.MULTILINE | re.DOTALL)
    rest = markdown[front.end() :] if front else markdown
    return "\n".join(["---", *own, (front[1] if front else "") + "---", rest])


def in_language(uri: str, lang: str, known: Iterable[str]) -> str:
    """Return the same page in a language; if there is none, the first page in that language."""
    if uri.endswith(".de.md") == (lang == "de"):
        return uri
    stem = uri.removesuffix(".md").removesuffix(".de").removesuffix(".en")
    endings = (".de.md",) if lang == "de" else (".en.md", ".md")
    return next((stem + end for end in endings if stem + end in known), HOME[lang])


def built(uri: str) -> str:
    """Return the address of a page on the site."""
    return re.sub(r"(^|/)README\.md$", r"\1index.md", uri).removesuffix(".md") + ".html"


# -- The program -----------------------------------------------------------------------------------


def serve() -> None:
    """Show the site; the builder watches the written files, and this the sources."""
    write(OUT)
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    with subprocess.Popen([sys.executable, "-m", *SERVE], cwd=ROOT, env=environment) as builder:
        try:
            while builder.poll() is None:
                time.sleep(1)
                write(OUT)
        except KeyboardInterrupt:
            builder.terminate()


def main(*words: str) -> None:
    """Write the pages, or show them."""
    if words == ("serve",):
        serve()
    else:
        write(Path(*words) if words else OUT)


if __name__ == "__main__":
    main(*sys.argv[1:])
