"""What the line terminal says about a table: the same for any game, unless a game says more.

A game names its class in its description (`lines`), and the sentences that ask for a move of each
phase (`prompts`). One without them is shown as here.
"""

from collections.abc import Iterator, Sequence

from stichwerk.games import registry
from stichwerk.locale import text
from stichwerk.terminal import day
from stichwerk.view import Trick, View

PROMPTS = {"play": "ask-play"}
OTHER_PROMPT = "ask-choose"


class TableLines:
    """The lines of one view. A game overrides those in which its table differs."""

    def __init__(self, view: View, lang: str) -> None:
        self.view = view
        self.lang = lang

    def say(self, id: str, /, **facts: object) -> str:
        """Return a text."""
        return text(id, self.lang, **facts)

    # -- Seats -------------------------------------------------------------------------------------

    def before_seat(self, seat: int) -> str:
        """Return what a seat has open in front of it."""
        return ""

    def teams(self) -> dict[tuple[int, ...], int]:
        """Return the seats of each team with their total; none where everyone plays alone."""
        return {}

    def result(self, seat: int) -> str:
        """Return what decides a match besides the total, to be shown with it."""
        return ""

    def verdict(self, winners: Sequence[int], names: str) -> str:
        """Return who won, addressed to the viewing seat; `names` are those of the other winners."""
        together = sorted(winners) in [sorted(team) for team in self.teams()]
        if self.view.seat not in winners:
            id = "team-lost" if together else "others-won"
            return self.say(id, names=names, count=len(winners))
        if not names:
            return self.say("won")
        return self.say("team-won" if together else "shared", names=names)

    # -- The middle of the table -------------------------------------------------------------------

    def common_lines(self) -> Iterator[str]:
        """Yield what applies to everyone."""
        yield from ()

    def trick_lines(self) -> list[str]:
        """Return open tricks with who played what and who would take them now."""
        if self.view.tricks:
            return [self.trick_line(trick) for trick in self.view.tricks]
        return [self.empty_line()] if self.view.phase == "play" else []

    def empty_line(self) -> str:
        """Return the line for a table without cards."""
        leads = self.view.waiting_for == (self.view.seat,)
        return self.say("you-lead" if leads else "nothing-lies")

    def trick_line(self, trick: Trick) -> str:
        """Return `The trick (green): Ben G3 · Ada G8 – Ada wins it now`."""
        plays = " · ".join(
            f"{seat_name(self.view, seat, self.lang)} {self.card(card)}"
            for seat, card in trick.plays
        )
        line = self.trick_text(trick, plays)
        if trick.winning is None:
            return line
        if trick.winning == self.view.seat:
            return line + self.say("you-win-now")
        return line + self.say("wins-now", name=self.view.names[trick.winning])

    def trick_text(self, trick: Trick, plays: str) -> str:
        """Return which trick it is, with its plays."""
        return self.say("the-trick", led=trick.led, plays=plays)

    def card(self, move: str) -> str:
        """Return a card as it is shown, with its marks."""
        return day.marked(self.view, move)

    # -- The seat itself ---------------------------------------------------------------------------

    def own_lines(self) -> Iterator[str]:
        """Yield what only this seat knows, besides its hand."""
        yield from ()

    def question(self) -> str:
        """Return what the seat is asked for, with an example of how to type it."""
        prompts = registry.info_of(self.view.game).prompts
        default = PROMPTS.get(self.view.phase, OTHER_PROMPT)
        example = self.view.moves[-1] if self.view.moves else ""
        return self.say(prompts.get(self.view.phase, default), example=example)


def seat_name(view: View, seat: int, lang: str) -> str:
    """Return the name of a seat for use in a list: `you` for the reader."""
    return text("reader", lang) if seat == view.seat else view.names[seat]


def lines_of(view: View, lang: str) -> TableLines:
    """Return the lines of a view, by the description of its game."""
    info = registry.info_of(view.game)
    made: type[TableLines] = info.load(info.lines) if info.lines else TableLines
    return made(view, lang)
