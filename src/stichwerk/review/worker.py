"""A process that reviews one match for the table server: `python -m stichwerk.review.worker`.

One line with the request comes in; lines with the progress go out, and as the last one the result
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
from stichwerk.bots.reasons import advice_text
from stichwerk.errors import StichwerkError
from stichwerk.record import Record, decode, replay_with_moves
from stichwerk.review import formatting
from stichwerk.review.account import MatchReview, SeatAccount, review
from stichwerk.review.decisions import Decision, Judgement, cores
from stichwerk.review.report import account_facts, moment_facts

NICENESS = 10
LISTED = 6  # moves compared in a moment, at least the one played and the better one


class ReviewRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Review this match: all seats, or one; the `top` costliest moves of each."""

    match: str
    record: str
    seat: int | None = None
    bot: str = ""
    top: int = 8


class ReviewMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of the answer: the progress, the result by language, or why there is none."""

    done: int = 0
    of: int = 0
    found: dict[str, dict[str, object]] | None = None
    error: str | None = None


def main() -> None:
    """Answer one request."""
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
    """Return the real standard output; anything else printed here is discarded."""
    answers = os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    return answers


def set_up_process() -> None:
    """Ignore Ctrl-C, which is for the server, and leave a core to the tables if there is one to
    spare."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if hasattr(os, "sched_setaffinity") and cores() > 1:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[1:])


def exit_with_the_server(source: BinaryIO) -> None:
    """Wait for the end of the input, then exit at once, even in the middle of a search."""
    while source.read(1):
        pass
    os._exit(0)


class ProgressReporter:
    """Reports the progress, from several threads."""

    def __init__(self, answers: BinaryIO) -> None:
        self.answers = answers
        self.lock = threading.Lock()
        self.done = self.of = 0

    def watch(self, total: int) -> Callable[[], object]:
        """Note the number of decisions; return what to call after each."""
        self.of = total
        self.say(ReviewMessage(of=total))
        return self.one_more

    def one_more(self) -> None:
        """Count one judged decision."""
        with self.lock:
            self.done += 1
            done = self.done
        self.say(ReviewMessage(done=done, of=self.of))

    def say(self, line: ReviewMessage) -> None:
        """Send a line; exit if nobody reads it any more."""
        with self.lock:
            try:
                self.answers.write(msgspec.json.encode(line) + b"\n")
                self.answers.flush()
            except OSError:
                os._exit(0)


# -- The result ------------------------------------------------------------------------------------


def found_out(
    request: ReviewRequest, watch: Callable[[int], Callable[[], object]]
) -> dict[str, dict[str, object]]:
    """Return the review in all languages, as the server's `wire.MatchReview` has it."""
    record = decode(request.record)
    found = review(record, request.bot, seat=request.seat, watch=watch)
    steps = steps_of(record)
    return {lang: review_facts(found, request, steps, lang) for lang in locale.LANGUAGES}


def steps_of(record: Record) -> dict[tuple[int, int], int]:
    """Map a seat and how much it had seen before a move to the number of that move."""
    match, moves = replay_with_moves(record)
    found = {}
    for step, (seat, move) in enumerate(moves, 1):
        found[seat, len(match.view(seat).history)] = step
        match.play(seat, move)
    return found


def step_of(decision: Decision, steps: dict[tuple[int, int], int]) -> int:
    """Return the number of the move that was decided."""
    return steps[decision.seat, len(decision.view.history)]


def review_facts(
    found: MatchReview, request: ReviewRequest, steps: dict[tuple[int, int], int], lang: str
) -> dict[str, object]:
    """Return the whole review."""
    return {
        "match": request.match,
        "game": found.game,
        "seats": found.seats,
        "bot": found.bot,
        "title": formatting.told_title(found, lang),
        "meaning": locale.text("review-meaning", lang),
        "players": [player(found, one, request.top, steps, lang) for one in found.accounts],
    }


def player(
    found: MatchReview, account: SeatAccount, top: int, steps: dict[tuple[int, int], int], lang: str
) -> dict[str, object]:
    """Return the account of a seat, with its costliest moments."""
    moments = [
        {"index": step_of(one.decision, steps), **moment(found, one, lang)}
        for one in account.mistakes[:top]
    ]
    return {**account_facts(account, 0), "moments": moments}


def moment(found: MatchReview, one: Judgement, lang: str) -> dict[str, Any]:
    """Return a decision, in figures and in words."""
    facts = moment_facts(one)
    del facts["reason"], facts["contrast"]
    return {
        **facts,
        "when": formatting.when(one, found, lang),
        "cost_text": formatting.cost(one, lang),
        "why": advice_text(one.advice, lang),
        "alternatives": compared(one),
    }


def compared(one: Judgement) -> list[dict[str, object]]:
    """Return the best moves, and the one that was made."""
    return [
        {
            "move": it.move,
            "value": it.value,
            "error": it.error,
            "behind": it.behind,
            "behind_error": it.behind_error,
        }
        for at, it in enumerate(one.advice.alternatives)
        if at < LISTED or it.move == one.decision.move
    ]


if __name__ == "__main__":
    main()
