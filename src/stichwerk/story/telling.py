"""A story in words: to a seat in the second person, to spectators in the third."""

from collections.abc import Iterator, Sequence
from typing import Literal

from stichwerk import locale
from stichwerk.errors import BadSeatsError
from stichwerk.record import Record
from stichwerk.story.course import Group, MarginKind, MatchCourse, PlayedTrick, course_of
from stichwerk.story.structs import Story, StoryMoment

MANY_CHANGES = 3  # of the lead, from which on they are worth a sentence
MOST_LISTED = 3  # seats whose points a moment names
ORDINALS = (  # of the places from the second on
    "story-place-2",
    "story-place-3",
    "story-place-4",
    "story-place-5",
    "story-place-6",
)
AHEAD: dict[MarginKind, str] = {
    "points": "story-ahead",
    "fewer": "story-ahead-fewer",
    "hearts": "story-ahead-hearts",
    "tie-break": "story-ahead-level",
    "goal": "story-ahead-goal",
}
BEHIND: dict[MarginKind, str] = {
    "points": "story-behind",
    "fewer": "story-behind-fewer",
    "hearts": "story-behind-hearts",
    "tie-break": "story-behind-level",
    "goal": "story-behind-goal",
}
Forms = tuple[str, str, str]
"""Sentences about a side: the reader's own seat, the reader's team, others (`one||many`)."""

FINISH: Forms = ("story-finish-you", "story-finish-team", "story-finish")
ALWAYS: Forms = ("story-always-you", "story-always-team", "story-always")
UNCAUGHT: Forms = ("story-uncaught-you", "story-uncaught-team", "story-uncaught")
BEST: Forms = ("story-best-you", "story-best-team", "story-best")


def tell(record: Record, seat: int | None, lang: str, names: Sequence[str] | None = None) -> Story:
    """Tell the finished match of a record to a seat, or to spectators (None).

    `names`: how the seats are called; by default as in the record.
    """
    if seat is not None and not 0 <= seat < record.seats:
        raise BadSeatsError("no-such-seat", seat=seat, highest=record.seats - 1)
    course = course_of(record)
    teller = Teller(course, record.game, record.names if names is None else names, seat, lang)
    return Story(
        game=record.game,
        seat=seat,
        places=tuple(course.place(one) for one in range(record.seats)),
        lead_changes=course.lead_changes,
        swing_round=course.swing_round,
        sentences=tuple(teller.sentences()),
        moments=tuple(teller.moments()),
    )


class Teller:
    """Puts a course into words for one reader."""

    def __init__(
        self, course: MatchCourse, game: str, names: Sequence[str], seat: int | None, lang: str
    ) -> None:
        self.course = course
        self.names = [locale.one_line(name) for name in names]
        self.seat = seat
        self.lang = lang
        self.round_word = locale.round_word(game, lang)
        self.winners = course.ranking[0]
        self.win_is_shared = self.winners not in course.sides

    def say(self, id: str, /, **facts: object) -> str:
        """Return a sentence."""
        return locale.text(id, self.lang, **facts)

    # -- Names -------------------------------------------------------------------------------------

    def listed(self, names: Sequence[str]) -> str:
        """Return names as a list: `Ada, Ben and Cleo`."""
        if len(names) < 2:
            return locale.Listed("".join(names))
        begin = locale.Listed(", ".join(names[:-1]))
        return locale.Listed(self.say("story-list", begin=begin, last=locale.Listed(names[-1])))

    def called(self, seats: Sequence[int]) -> str:
        """Return the names of seats, without the reader's own."""
        return self.listed([self.names[seat] for seat in seats if seat != self.seat])

    def called_with_you(self, seats: Sequence[int]) -> str:
        """Return the names of seats for use after `for`; the reader comes first, as `you`."""
        own = [self.say("story-for-you")] if self.seat in seats else []
        return self.listed([*own, *(self.names[seat] for seat in seats if seat != self.seat)])

    def about(self, forms: Forms, side: Group, **facts: object) -> str:
        """Return a sentence about a side, in the form for this reader."""
        you, team, others = forms
        if self.seat not in side:
            return self.say(others, names=self.called(side), count=len(side), **facts)
        if len(side) == 1:
            return self.say(you, **facts)
        return self.say(team, names=self.called(side), **facts)

    # -- Sentences ---------------------------------------------------------------------------------

    def sentences(self) -> Iterator[str]:
        """Yield two or three sentences: the end, what decided it, and what else is worth it."""
        yield self.ending()
        if self.course.tricks:
            yield from self.decision()
        yield from self.remark()

    def ending(self) -> str:
        """Say how it ended: for the reader, or for the winners."""
        if self.seat is not None and self.seat not in self.winners:
            return self.beaten(self.seat)
        if self.win_is_shared:
            return self.shared_win()
        margin = self.margin(AHEAD, self.winners[0], self.course.ranking[1])
        return self.about(FINISH, self.winners, margin=margin)

    def shared_win(self) -> str:
        """Say who shares the win."""
        if self.seat is None:
            return self.say("story-share", names=self.called(self.winners))
        return self.say("story-share-you", names=self.called(self.others_in(self.winners)))

    def beaten(self, seat: int) -> str:
        """Say which place the reader came in, and how far behind the winners."""
        group = next(group for group in self.course.ranking if seat in group)
        place = self.say(ORDINALS[self.course.place(seat) - 2])
        margin = self.margin(BEHIND, seat, self.winners)
        side = self.course.side(seat)
        if group != side:
            others = self.called(self.others_in(group))
            return self.say("story-share-place", place=place, names=others, margin=margin)
        id = "story-came" if len(side) == 1 else "story-came-team"
        return self.say(id, place=place, names=self.called(side), margin=margin)

    def others_in(self, group: Group) -> list[int]:
        """Return the seats of a group that are not on the reader's side."""
        own = self.course.side(self.seat) if self.seat is not None else ()
        return [seat for seat in group if seat not in own]

    def margin(self, ids: dict[MarginKind, str], seat: int, others: Group) -> str:
        """Return how far a seat is ahead of others, or behind them."""
        order = (seat, others[0]) if ids is AHEAD else (others[0], seat)
        found = self.course.margin(*order)
        return self.say(ids[found.kind], count=found.size, names=self.called(others))

    def decision(self) -> Iterator[str]:
        """Say which trick decided it."""
        course = self.course
        if course.always_in_front:
            yield self.about(ALWAYS, self.winners)
        trick = course.deciding
        if trick is None:
            return
        where = {"trick": trick.trick, "word": self.word, "round": trick.round}
        if self.win_is_shared:
            yield self.say("story-levelled", **where)
        elif trick == course.tricks[-1]:
            yield self.say("story-last-trick")
        elif trick.round == len(course.scores):
            yield self.say("story-decided", **where)
        else:
            yield self.about(UNCAUGHT, self.winners, **where)

    def remark(self) -> Iterator[str]:
        """Say what else was remarkable: who was in front before, many leaders, or one round."""
        course = self.course
        own = course.side(self.seat) if self.seat is not None else ()
        if own and own != self.winners and course.front_before == frozenset(own):
            yield self.say("story-until-then" if len(own) == 1 else "story-until-then-team")
        elif course.lead_changes >= MANY_CHANGES:
            yield self.say("story-lead-changes", count=course.lead_changes)
        elif len(course.scores) > 1:
            yield self.swing()

    def swing(self) -> str:
        """Say which round set two sides furthest apart."""
        round = self.course.swing_round
        points = self.course.by_side(self.course.scores[round - 1])
        high, low = (most(points, key=lambda side: points[side]) for most in (max, min))
        return self.say(
            "story-swing",
            word=self.word,
            round=round,
            high=figure(points[high]),
            first=self.called_with_you(high),
            low=figure(points[low]),
            last=self.called_with_you(low),
        )

    @property
    def word(self) -> str:
        """What a round is called inside a sentence."""
        return self.round_word if self.lang == "de" else self.round_word.lower()

    # -- Moments -----------------------------------------------------------------------------------

    def moments(self) -> Iterator[StoryMoment]:
        """Yield the best trick of the reader, the sharpest one and the deciding one; each trick
        once. The first two only if they were worth more than a point."""
        course = self.course
        side = course.side(self.winners[0] if self.seat is None else self.seat)
        best, sharpest, decided = course.best(side), course.sharpest, course.deciding
        if best and best != decided and self.is_notable(best):
            yield self.moment("best", best, self.about(BEST, side))
        if sharpest and sharpest not in (best, decided) and self.is_notable(sharpest):
            yield self.moment("sharpest", sharpest, self.say("story-sharpest"))
        if decided:
            yield self.moment("decided", decided, self.say("story-turning-point"))

    def is_notable(self, trick: PlayedTrick) -> bool:
        """Return whether a trick moved two sides apart by more than a point."""
        return self.course.spread(trick.changes) > 1

    def moment(
        self, kind: Literal["best", "sharpest", "decided"], trick: PlayedTrick, title: str
    ) -> StoryMoment:
        """Return a trick worth a second look."""
        facts = {"trick": trick.trick, "word": self.round_word, "round": trick.round}
        id = "story-moment-with" if trick.card else "story-moment"
        return StoryMoment(
            kind=kind,
            index=trick.index,
            round=trick.round,
            trick=trick.trick,
            cards=trick.cards,
            seat=trick.seat,
            card=trick.card,
            changes=trick.changes,
            title=title,
            text=self.say(id, changes=self.changes(trick), card=trick.card, **facts),
        )

    def changes(self, trick: PlayedTrick) -> str:
        """Return what a trick brought: `you +8 · Mia −3`; the reader first, then the largest."""
        seats = [seat for seat, change in enumerate(trick.changes) if change]
        seats.sort(key=lambda seat: (seat != self.seat, -abs(trick.changes[seat])))
        shown = [
            f"{self.subject(seat)}\N{NO-BREAK SPACE}{signed(trick.changes[seat])}" for seat in seats
        ]
        return locale.Listed(" · ".join(shown[:MOST_LISTED]))

    def subject(self, seat: int) -> str:
        """Return a name for use in a list: `you` for the reader."""
        return self.say("story-you") if seat == self.seat else self.names[seat]


def figure(points: int) -> str:
    """Return points with a proper minus sign."""
    return str(points).replace("-", "−")


def signed(points: int) -> str:
    """Return points with their sign: +3, −3."""
    return f"{points:+d}".replace("-", "−")
