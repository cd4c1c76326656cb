"""`python -m stichwerk.lessons`: play all scripts, and write their data for the page."""

from stichwerk.lessons.pages import PAGES, page, path_of
from stichwerk.lessons.script import GAMES


def main() -> None:
    """Rewrite every file."""
    for folder in PAGES:
        for game in GAMES:
            path = path_of(folder, game)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page(folder, game), "utf-8")


if __name__ == "__main__":
    main()
