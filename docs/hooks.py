"""What the documentation site needs besides MkDocs: pages from outside `docs/`, and two languages.

The Markdown files stay as they are, readable in any viewer of the repository. So links that leave
`docs/` are led to pages made here: the files at the top of the repository, and source files, shown
as they are. A page whose name ends in `.de.md` is German and gets a German frame.
"""

import copy
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

from stichwerk.cli import cli

ROOT = Path(__file__).parents[1]
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
GERMAN = "Deutsch"  # the section of the navigation that holds all German pages


# -- Pages from outside docs/ ----------------------------------------------------------------------


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files at the top, and a page for every source file that some page links to."""
    for name, uri in TOP.items():
        files.append(File.generated(config, uri, content=(ROOT / name).read_text("utf-8")))
    for name, uri in TOP_TEXT.items():
        files.append(File.generated(config, uri, content=shown_source(name)))
    for name in sorted(linked_sources(files)):
        files.append(File.generated(config, source_page(name), content=shown_source(name)))
    for uri, lang in COMMANDS.items():
        files.append(File.generated(config, uri, content=command_page(lang)))
    return files


def command_page(lang: str) -> str:
    """Every command with its options, as the command line itself tells it."""
    parts = [COMMAND_WORDS[lang]]
    top = click.Context(cli, info_name="stichwerk", obj=lang)
    for name, command in sorted(cli.commands.items()):
        with command.context_class(command, top, name, terminal_width=92) as context:
            parts.append(f"## {name}\n\n```text\n{command.get_help(context).rstrip()}\n```\n")
    return "\n".join(parts)


def linked_sources(files: Files) -> set[str]:
    """Every source file of the repository that a page links to."""
    found: set[str] = set()
    for file in files.documentation_pages():
        for link in LINK.finditer(FENCE.sub("", file.content_string)):
            target = in_repository(file.src_uri, link[2])
            if target is not None and is_source(target):
                found.add(target)
    return found


def in_repository(uri: str, link: str) -> str | None:
    """Where a link of a page leads, as a path from the top of the repository."""
    if re.match(r"[a-z]+:", link):
        return None
    from_top = {page: name for name, page in (TOP | TOP_TEXT).items()}
    page = from_top.get(uri, f"docs/{uri}")
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link))


def is_source(name: str) -> bool:
    """Whether a file is shown as a page: sources, in `docs/` those of the examples."""
    path = ROOT / name
    outside = not name.startswith("docs/") or name.startswith("docs/examples/")
    return outside and name not in TOP | TOP_TEXT and path.suffix in SHOWN and path.exists()


def source_page(name: str) -> str:
    """The page that shows a source file."""
    return f"source/{name}.md"


def shown_source(name: str) -> str:
    """A source file as a page, or all of a folder, one after the other."""
    path = ROOT / name
    files = sorted(path.glob("*.py")) if path.is_dir() else [path]
    parts = [f"---\nhide: [toc]\n---\n# {name}\n"]
    for file in files:
        code = file.read_text("utf-8").rstrip()
        heading = f"## {file.name}\n\n" if path.is_dir() else ""
        parts.append(f"{heading}`````{SHOWN[file.suffix]}\n{code}\n`````\n")
    return "\n".join(parts)


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Lead links that leave `docs/` to the pages made for them; code stays as it is."""
    if page.file.src_uri.startswith("source/"):
        return markdown
    parts: list[str] = []
    at = 0
    for fence in FENCE.finditer(markdown):
        parts += [led(markdown[at : fence.start()], page.file.src_uri), fence[0]]
        at = fence.end()
    return "".join([*parts, led(markdown[at:], page.file.src_uri)])


def led(text: str, uri: str) -> str:
    """Prose with its links led to pages of the site."""

    def link_page(name: re.Match[str]) -> str:
        if not (ROOT / name[1]).is_file():
            return name[0]
        return (
            f"[{name[0]}]({posixpath.relpath(site_page(name[1]), posixpath.dirname(uri) or '.')})"
        )

    def lead(link: re.Match[str]) -> str:
        target = in_repository(uri, link[2])
        if target is None:
            return link[0]
        to = posixpath.relpath(site_page(target), posixpath.dirname(uri) or ".")
        return f"{link[1]}{to}{link[3] or ''}{link[4]}"

    return NAMED_PAGE.sub(link_page, LINK.sub(lead, text))


def site_page(name: str) -> str:
    """The page of the site for a file of the repository, as a path in `docs/`."""
    if name == "docs/README.md":
        return "index.md"
    if name in TOP | TOP_TEXT:
        return (TOP | TOP_TEXT)[name]
    return source_page(name) if is_source(name) else posixpath.relpath(name, "docs")


# -- Two languages ---------------------------------------------------------------------------------


def is_german(page: Page) -> bool:
    """German pages are known by their names."""
    return page.file.src_uri.endswith(".de.md")


def counterpart(page: Page, nav: Navigation) -> Page | None:
    """The same page in the other language, if there is one."""
    stem = page.file.src_uri.removesuffix(".md").removesuffix(".de").removesuffix(".en")
    endings = (".en.md", ".md") if is_german(page) else (".de.md",)
    wanted = {stem + ending for ending in endings}
    return next((other for other in nav.pages if other.file.src_uri in wanted), None)


def on_page_context(
    context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Navigation
) -> dict[str, Any]:
    """A German page gets German words around it; each language has its own navigation."""
    german = is_german(page)
    config.theme["language"] = "de" if german else "en"
    config.extra["alternate"] = list(alternates(page, nav))
    context["nav"] = in_language(nav, german)
    return context


def on_post_page(output: str, **_: Any) -> str:
    """Without these lines the theme does not ask for a map of the site, which has no address."""
    return re.sub(r"\s*<link rel=\"alternate\"[^>]*>", "", output)


def alternates(page: Page, nav: Navigation) -> Iterator[dict[str, str]]:
    """The switch of languages: to the same page, or to the other language's first."""
    for lang, name in (("en", "English"), ("de", GERMAN)):
        own = is_german(page) == (lang == "de")
        there = page if own else counterpart(page, nav) or home(nav, lang == "de")
        yield {"lang": lang, "name": name, "link": there.url}


def home(nav: Navigation, german: bool) -> Page:
    """The first page in a language."""
    page = in_language(nav, german).homepage
    assert page is not None
    return page


def in_language(nav: Navigation, german: bool) -> Navigation:
    """The part of the navigation in one language."""
    own = copy.copy(nav)
    (section,) = [item for item in nav.items if item.title == GERMAN]
    assert isinstance(section, Section)
    own.items = section.children if german else [item for item in nav.items if item is not section]
    if german:
        own.homepage = next(pages_of(own))
    return own


def pages_of(nav: Navigation) -> Iterator[Page]:
    """The pages in the order of the navigation."""
    return (item for item in nav.items if isinstance(item, Page))
