"""A process that reviews one match for the table server: `python -m stichwerk.review.worker`.

A line with the wish comes in; lines with the progress go out, and as the last one what was found,
in all languages, as the server sends it. It ends when its input is closed: no server, no worker.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from stichwerk import locale, own_games
from stichwerk.bots.reasons import sentence
from stichwerk.errors import StichwerkError
from stichwerk.record import Record, decode, told_again
from stichwerk.review import formatting
from stichwerk.review.account import MatchReview, SeatAccount, review
from stichwerk.review.decisions import Decision, Judgement, cores
from stichwerk.review.report import account_facts, moment_facts

NICENESS = 10
LISTED = 6  # moves that a moment compares, at least the one played and the better one


class ReviewRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Review this match: all seats, or one; the `top` costliest moves of each."""

    match: str
    record: str
    seat: int | None = None
    bot: str = "expert"
    top: int = 8


class ReviewMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of the answer: how far it is, what was found by language, or why nothing was."""

    done: int = 0
    of: int = 0
    found: dict[str, dict[str, object]] | None = None
    error: str | None = None


def main() -> None:
    """Answer one wish."""
    answers = reserve_stdout()
    set_up_process()
    line = sys.stdin.buffer.readline()
    if not line:
        return
    threading.Thread(target=exit_with_the_server, args=(sys.stdin.buffer,), daemon=True).start()
    reporter = ProgressReporter(answers)
    request = msgspec.json.decode(line, type=ReviewRequest)
    try:
        own_games.load()
        reporter.say(ReviewMessage(found=found_out(request, reporter.watch)))
    except StichwerkError as error:
        reporter.say(ReviewMessage(error=error.id))


def reserve_stdout() -> BinaryIO:
    """The real output; whatever else is printed here goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    return answers


def set_up_process() -> None:
    """Ctrl-C is for the server, and tables go first: a core stays free for them, if there is one
    to spare."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if hasattr(os, "sched_setaffinity") and cores() > 1:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[1:])


def exit_with_the_server(source: BinaryIO) -> None:
    """Wait for the end of the input, then leave at once, even in the middle of a thought."""
    while source.read(1):
        pass
    os._exit(0)


class ProgressReporter:
    """Says how far it is, from several threads."""

    def __init__(self, answers: BinaryIO) -> None:
        self.answers = answers
        self.lock = threading.Lock()
        self.done = self.of = 0

    def watch(self, total: int) -> Callable[[], object]:
        """So many decisions there are; the answer is to be called after each."""
        self.of = total
        self.say(ReviewMessage(of=total))
        return self.one_more

    def one_more(self) -> None:
        """One more decision is judged."""
        with self.lock:
            self.done += 1
            done = self.done
        self.say(ReviewMessage(done=done, of=self.of))

    def say(self, line: ReviewMessage) -> None:
        """Send a line; where nobody reads any more there is nothing left to do."""
        with self.lock:
            try:
                self.answers.write(msgspec.json.encode(line) + b"\n")
                self.answers.flush()
            except OSError:
                os._exit(0)


# -- What is found ---------------------------------------------------------------------------------


def found_out(
    request: ReviewRequest, watch: Callable[[int], Callable[[], object]]
) -> dict[str, dict[str, object]]:
    """The review in all languages, as the server's `wire.MatchReview` has it."""
    record = decode(request.record)
    found = review(record, request.bot, seat=request.seat, watch=watch)
    steps = steps_of(record)
    return {lang: told(found, request, steps, lang) for lang in locale.LANGUAGES}


def steps_of(record: Record) -> dict[tuple[int, int], int]:
    """For a seat and how much it had seen before a move: the number of that move in the match."""
    match, moves = told_again(record)
    found = {}
    for step, (seat, move) in enumerate(moves, 1):
        found[seat, len(match.view(seat).history)] = step
        match.play(seat, move)
    return found


def step_of(decision: Decision, steps: dict[tuple[int, int], int]) -> int:
    """The number of the move that was decided."""
    return steps[decision.seat, len(decision.view.history)]


def told(
    found: MatchReview, request: ReviewRequest, steps: dict[tuple[int, int], int], lang: str
) -> dict[str, object]:
    """The whole review."""
    return {
        "match": request.match,
        "game": found.game,
        "seats": found.seats,
        "bot": found.bot,
        "title": formatting.title(found, lang),
        "meaning": locale.text("review-meaning", lang),
        "players": [player(found, one, request.top, steps, lang) for one in found.accounts],
    }


def player(
    found: MatchReview, account: SeatAccount, top: int, steps: dict[tuple[int, int], int], lang: str
) -> dict[str, object]:
    """The account of a seat, with its costliest moments."""
    moments = [
        {"index": step_of(one.decision, steps), **moment(found, one, lang)}
        for one in account.mistakes[:top]
    ]
    return {**account_facts(account, 0), "moments": moments}


def moment(found: MatchReview, one: Judgement, lang: str) -> dict[str, Any]:
    """A decision, in figures and in words."""
    facts = moment_facts(one)
    del facts["reason"]
    return {
        **facts,
        "when": formatting.when(one, found, lang),
        "cost_text": formatting.cost(one, lang),
        "why": sentence(one.advice.reason, lang),
        "alternatives": compared(one),
    }


def compared(one: Judgement) -> list[dict[str, object]]:
    """The best moves, and the one that was made."""
    return [
        {"move": it.move, "value": it.value, "error": it.error}
        for at, it in enumerate(one.advice.alternatives)
        if at < LISTED or it.move == one.decision.move
    ]


if __name__ == "__main__":
    main()
