"""A match at the terminal: typed moves, refused moves, `?` and the other commands."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

import pytest

import stichwerk
from stichwerk.bots.advice import Alternative
from stichwerk.games import registry
from stichwerk.locale import sentences, text
from stichwerk.match import Match, Setting
from stichwerk.terminal.lines import lines_of
from stichwerk.terminal.move_list import has_parts, move_lines
from stichwerk.terminal.screen import ConsoleScreen
from stichwerk.terminal.seat import LocalSeat, MoveHint, NoHintError
from stichwerk.terminal.session import Session, hint_lines, seat_names
from stichwerk.terminal.table import columns, sheet_lines, table_lines
from stichwerk.view import Trick, View

SETTINGS = [
    *(
        Setting(game, seats, {})
        for game in registry.GAMES
        for seats in registry.kind(game).seat_counts
    ),
    Setting("null-nichtig", 4, {"teams": 2}),
    Setting("null-nichtig", 3, {"target": 60}),
    Setting("sticheln", 3, {"all_zero": "leader", "rounds": 1}),
    Setting("stichling", 4, {"discard": "hand"}),
]


class Script:
    """A screen for tests: lines come from a list, what was said is kept."""

    def __init__(self, lines: Iterable[str], colours: bool = False) -> None:
        self.lines = iter(lines)
        self.colours = colours
        self.said: list[str] = []

    def say(self, line: str = "") -> None:
        self.said.append(line)

    def ask(self) -> str | None:
        return next(self.lines, None)

    @property
    def text(self) -> str:
        return "\n".join(self.said)


def first_moves(match: Match, seat: int) -> Iterator[str]:
    """Always types the first legal move, in lower case for good measure."""
    while True:
        yield match.view(seat).moves[0].lower()


def session(match: Match, seat: int, screen: Script, lang: str) -> Session:
    others = [other for other in range(match.rules.seats) if other != seat]
    bots = {other: stichwerk.bot("random", other) for other in others}
    return Session(LocalSeat(match, seat, bots, lang), screen)


def play(game: str, lines: Iterable[str], lang: str = "en") -> Script:
    """Type some lines at seat 0 of a match that seat 0 starts."""
    match = stichwerk.game(game, starter=0).new(seed=7, names=seat_names(4, 0, "You"))
    screen = Script(lines)
    session(match, 0, screen, lang).run()
    return screen


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
def test_a_match_is_played_to_the_end(setting: Setting, lang: str) -> None:
    seat = setting.seats - 1
    match = setting.new(seed=5, names=seat_names(setting.seats, seat, "Ich"))
    screen = Script(first_moves(match, seat))
    assert session(match, seat, screen, lang).run()
    assert match.over
    ids = {
        id for id in sentences(lang) if "-" in id
    }  # shown, where a sentence or a fact is missing
    assert not [word for word in screen.text.split() if word.rstrip(":") in ids]
    assert "{" not in screen.text
    for winner in match.view(None).ranking or ():
        others = [other for other in winner if other != seat]
        assert all(match.names[other] in screen.text for other in others)
    total = [line for line in screen.said if line.startswith(("Summe", "total"))][-1]
    shown = [int(word.replace("−", "-")) for word in total.split()[1:]]
    assert tuple(shown) == match.totals


@pytest.mark.parametrize("game", registry.GAMES)
def test_the_table_shows_only_the_view(game: str) -> None:
    """The lines are made from the view alone, so hidden cards cannot be in them."""
    match = stichwerk.game(game).new(seed=3)
    hands = [set(match.view(seat).hand) for seat in range(4)]
    text = "\n".join(table_lines(match.view(0), "en"))
    shown = set(re.findall(r"\b[RYGBLS]\d+\b", text))
    assert hands[0] <= shown
    assert not shown & (hands[1] | hands[2] | hands[3]) - hands[0]


@pytest.mark.parametrize("lang", ["de", "en"])
def test_rules_at_the_table_have_no_dead_links(lang: str) -> None:
    screen = play("stichtag", ["r", "q"], lang)
    assert {"de": "Jahrbuch", "en": "yearbook"}[lang] in screen.text
    assert "](" not in screen.text


def test_refused_moves_are_explained() -> None:
    screen = play("stichtag", ["x", "Z9", "R14", "B9", "?", "q"])
    assert "'x' is not a card. Type colour letter and number, for example G8." in screen.said
    assert "There is no R14 in this game." in screen.said
    hand = [line for line in screen.said if line.startswith("Your hand")]
    assert ("B9" in hand[0]) or "You do not have B9 in hand." in screen.said


def test_must_follow_is_explained_in_both_languages() -> None:
    for lang, words in (("de", "also musst du "), ("en", "so you must follow ")):
        match = stichwerk.game("stichtag", starter=1).new(seed=7)
        screen = Script([])
        table = session(match, 0, screen, lang)
        while match.waiting_for != (0,):
            assert table.player_seat.wait(None)
        view = match.view(0)
        wrong = next(card for card in view.hand if card not in view.moves)
        assert not table.answer(view, wrong)
        assert words in screen.said[-1]
        assert wrong in screen.said[-1]
        assert match.view(0) == view


@pytest.mark.parametrize("form", ["{de} {value}", "{en} {value}", "{code}", "{letter} {value}"])
def test_a_card_may_be_typed_as_people_say_it(form: str) -> None:
    for lang in ("de", "en"):
        match = stichwerk.game("sticheln", starter=0).new(seed=7, names=seat_names(4, 0, "You"))
        wanted = match.view(0).moves[-1]
        letter, value = wanted[0].lower(), wanted[1:]
        words = {one: sentences(one)[f"colour-{wanted[0]}"] for one in ("de", "en")}
        typed = form.format(letter=letter, value=value, code=f"{letter}{value}", **words)
        assert session(match, 0, Script([]), lang).answer(match.view(0), typed)
        assert 0 not in match.waiting_for
        assert wanted in str(match.view(0).mine)


@pytest.mark.parametrize(
    ("game", "typed", "said"),
    [
        ("stichling", "1,1,2", "each of your scoring cards exactly once"),
        ("null-nichtig", "R1", "You do not have R1|exactly 3 cards"),
        ("sticheln", "S3", "There is no S3 in this game"),
        ("sticheln", "x" * 500, "is not a move here"),
        ("sticheln", "\x1b[2J", "is not a card"),
    ],
)
def test_refused_choices_are_explained(game: str, typed: str, said: str) -> None:
    screen = play(game, [typed])
    assert re.search(said, screen.said[-2]), screen.said[-2]
    assert "\x1b" not in screen.text


def test_question_mark_lists_all_moves() -> None:
    match = stichwerk.game("sticheln", starter=0).new(seed=7)
    screen = Script(["?", "? r"])
    session(match, 0, screen, "en").run()
    listed = [word for line in screen.said if line.startswith("  ") for word in line.split()]
    moves = match.view(0).moves
    assert listed == [*moves, *(move for move in moves if move[0] == "R")]
    assert f"{len(moves)} moves are possible:" in screen.said


def test_long_lists_are_cut_and_can_be_narrowed() -> None:
    moves = stichwerk.game("null-nichtig").new(seed=1).view(0).moves
    lines = list(move_lines(moves, "", "en"))
    assert lines[0] == f"{len(moves)} moves are possible:"
    assert lines[-1].startswith(f"… and {len(moves) - 60} more.")
    assert max(map(len, lines)) <= 80
    card = moves[0].split(",")[0]
    narrowed = "\n".join(move_lines(moves, f" {card}", "en"))
    assert moves[0] in narrowed
    assert list(move_lines(moves, "S", "de")) == ["0 Züge sind möglich:"]


@pytest.mark.parametrize(
    ("move", "wanted", "fits"),
    [
        ("R11>2", "r", True),
        ("R11>2", "R1", True),
        ("R11>2", ">2", True),
        ("R11>2", "G", False),
        ("R3,R9,B0", "b0 r9", True),
        ("R3,R9,B0", "R3,G1", False),
        ("4,6,2", "", True),
        ("Y11", "gelb 1", True),
        ("Y11", "yellow", True),
        ("Y11", "grün", False),
    ],
)
def test_narrowing(move: str, wanted: str, fits: bool) -> None:
    assert has_parts(move, wanted) is fits


def test_commands() -> None:
    said = play("sticheln", ["h", "l", "s", "r", "", "L", "Q"]).text
    assert "Type a move and press Enter" in said
    assert said.count("No trick has been taken yet.") == 2
    assert "# Sticheln" in said
    assert said.count("── Sticheln") == 2
    assert said.endswith("Goodbye! The match stays unfinished.")


def test_a_hint_names_a_move_and_says_why() -> None:
    for lang, words in (("de", "Tipp: "), ("en", "Hint: ")):
        match = stichwerk.game("sticheln", starter=0).new(seed=7, names=seat_names(4, 0, "You"))
        screen = Script(["t", "T"])
        player_seat = LocalSeat(match, 0, {1: stichwerk.bot("random")}, lang, adviser="hard")
        Session(player_seat, screen).run()
        lines = [line for line in screen.said if line.startswith(words)]
        assert len(set(lines)) == 1
        assert len(lines) == 2
        move, _, why = lines[0].removeprefix(words).partition(" – ")
        advice = player_seat.advise()
        assert (move, why) == (advice.move, f"{advice.text}.")
        assert move in match.view(0).moves
        assert advice.by == "hard"
        assert match.view(0) == player_seat.view, "a hint makes no move"


def test_a_hint_shows_what_was_compared() -> None:
    best = MoveHint(
        move="R3",
        alternatives=(
            Alternative("R3", 1.25, 0.1, 50, 0.0, 0.0),
            Alternative("G4", -0.8, 0.1, 50, 2.1, 0.1),
            Alternative("B1"),
        ),
        text="is the highest",
        verdict="Klar der beste Zug. Zum Vergleich",
    )
    assert hint_lines(best, "de") == [
        "Tipp: R3 – is the highest.",
        "Klar der beste Zug. Zum Vergleich: G4 etwa 2,1 Punkte schlechter",
    ]
    alone = MoveHint(move="R3", alternatives=(Alternative("R3", 1.0),))
    assert hint_lines(alone, "en") == ["Hint: R3 – is the most promising move."]


def test_out_of_turn_there_is_no_hint() -> None:
    match = stichwerk.game("sticheln", starter=1).new(seed=7)
    player_seat = LocalSeat(match, 0, {}, "en", adviser="random")
    player_seat.play(player_seat.view.moves[0])
    with pytest.raises(NoHintError):
        player_seat.advise()
    assert (
        Session(player_seat, Script([]))
        .hint(player_seat.view)[0]
        .startswith("You can ask for a hint when")
    )


def test_a_bot_without_reasons_gives_no_hints() -> None:
    class Silent:
        name = "silent"
        version = 1

        def choose(self, view: View) -> str:
            return view.moves[0]

    match = stichwerk.game("sticheln").new(seed=7)
    screen = Script(["t"])
    player_seat = LocalSeat(match, 0, {}, "en", adviser="silent", build=lambda name: Silent())
    Session(player_seat, screen).run()
    assert "The bot silent gives no hints." in screen.said


def test_the_help_names_every_command() -> None:
    match = stichwerk.game("sticheln").new(seed=7)
    table = session(match, 0, Script([]), "en")
    for lang in ("de", "en"):
        named = {line.strip()[:1] for line in text("help", lang).splitlines()}
        assert {command for command in table.commands if command} <= named
    assert "This match is not saved here." in table.save(match.view(0))


# -- Places ----------------------------------------------------------------------------------------


def test_one_wait_lets_one_bot_move() -> None:
    match = stichwerk.game("stichtag", starter=1).new(seed=7)
    player_seat = session(match, 0, Script([]), "en").player_seat
    for plays in (1, 2, 3):
        assert player_seat.wait(None)
        assert sum(event.kind == "play" for event in player_seat.view.history) == plays
    assert player_seat.owes
    assert not player_seat.wait(0)
    assert sum(event.kind == "play" for event in player_seat.view.history) == 3


def test_a_move_wakes_up_a_waiting_thread() -> None:
    match = stichwerk.game("stichtag", starter=0).new(seed=7)
    player_seat = session(match, 0, Script([]), "en").player_seat
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(player_seat.wait, 60)
        player_seat.play(player_seat.view.moves[0])
        assert waiting.result(60)
    assert not player_seat.owes
    assert (player_seat.objection("R1") or "").startswith("Not yet: it is ")


def test_a_closed_seat_releases_waiters() -> None:
    ended = []

    class Program:
        name = "program"
        version = 1

        def choose(self, view: View) -> str:
            return view.moves[0]

        def close(self) -> None:
            ended.append(self)

    match = stichwerk.game("stichtag", starter=0).new(seed=7)
    player_seat = LocalSeat(match, 0, {seat: Program() for seat in (1, 2, 3)}, "en")
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(player_seat.wait, None)
        player_seat.close()
        assert waiting.result(60) is False
    player_seat.close()
    assert len(ended) == 3
    assert not player_seat.wait(None)


def test_texts_of_others_are_stripped_of_control_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ConsoleScreen(plain=True).say("Ada\x1b[2J\x9b31m\u202eeb ist da\nund")
    assert capsys.readouterr().out == "Ada�[2J�31m�eb ist da\nund\n"


def test_input_lines_are_delivered_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.pipe()
    with os.fdopen(ours) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        lines: SimpleQueue[str | None] = SimpleQueue()
        screen = ConsoleScreen(plain=True)
        screen.listen(lines.put)
        os.write(theirs, b"G8\r\nhal")
        assert lines.get(timeout=60) == "G8"
        os.write(theirs, b"lo \xff\nq")
        assert lines.get(timeout=60) == "hallo �"
        os.close(theirs)
        assert [lines.get(timeout=60), lines.get(timeout=60)] == ["q", None]


def test_end_of_input_says_goodbye() -> None:
    assert play("stichling", [], "de").said[-1].startswith("Auf Wiedersehen!")


@pytest.mark.parametrize("game", registry.GAMES)
def test_last_trick_names_who_played_what(game: str) -> None:
    match = stichwerk.game(game).new(seed=11, names=seat_names(4, 0, "You"))
    screen = Script([])
    table = session(match, 0, screen, "en")
    bot = stichwerk.bot("random", 9)
    while not (found := [event for event in match.events if event.kind == "trick"]):
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    table.answer(match.view(0), "l")
    shown = re.findall(r"(\w+) ([RYGBLS]\d+)", screen.said[-1])
    assert tuple(card for _, card in shown) == found[0].cards
    plays = [
        (match.names[event.seat] if event.seat else "you", event.move)
        for event in match.events
        if event.kind == "play"
    ]
    assert all(
        any(name == who and move.startswith(card) for who, move in plays) for name, card in shown
    )


def test_twins_in_one_trick_keep_their_players() -> None:
    """Both red zeros in one trick: each is shown with the seat that played it."""
    setting = stichwerk.game("null-nichtig", seats=3, starter=0)
    deck = list(setting.rules.deck.texts)
    for card in ("R0", "R0"):
        deck.remove(card)
    hands = [["R0", *deck[:12]], ["R0", *deck[12:24]], deck[24:37]]
    deal = {"starter": 0, "hands": hands, "stock": deck[37:]}
    match = setting.new(deals=[deal], names=["You", "Ben", "Ada"])
    for seat in range(3):
        match.play(seat, ",".join(hands[seat][1:4]))
    match.play(0, "R0")
    match.play(1, "R0")
    match.play(2, hands[2][5])
    screen = Script([])
    session(match, 0, screen, "en").answer(match.view(0), "l")
    assert screen.said[-1].startswith("Last trick: you R0 · Ben R0 · Ada ")


def test_events_are_shown_in_words() -> None:
    match = stichwerk.game("sticheln", starter=1).new(seed=7, names=seat_names(4, 0, "You"))
    screen = Script([match.view(0).moves[0]])
    session(match, 0, screen, "en").run()
    assert "Round 1 of 4: Ben starts." in screen.said
    assert any(line.startswith("Pain cards: you ") for line in screen.said)
    assert any(
        re.fullmatch(r"Ben plays \w+\. Ada plays \w+\. Mia plays \w+\.", line)
        for line in screen.said
    )


def test_public_cards_are_shown_in_each_game() -> None:
    def shown(game: str) -> str:
        match = stichwerk.game(game, starter=0).new(seed=7, names=seat_names(4, 0, "You"))
        bot = stichwerk.bot("random", 3)
        for _ in range(30):
            seat = match.waiting_for[0]
            match.play(seat, bot.choose(match.view(seat)))
        return "\n".join(table_lines(match.view(0), "en"))

    assert re.search(r"Ben +scoring +\[?[123?]", shown("stichling"))
    assert re.search(r"Your tricks are worth: .*1 → \d.*2 → \d", shown("stichling"))
    assert re.search(r"Ada +([RYGBL]\d+×\d+|–)", shown("null-nichtig"))
    assert re.search(r"Mia +pain card [RYGBL]\d+", shown("sticheln"))
    assert "Trump is red; 12 cards are face down in the stock." in shown("stichtag")


def test_shapes_beside_colours() -> None:
    view = stichwerk.game("sticheln").new(seed=7).view(0)
    with_shapes = "\n".join(table_lines(view, "en", shapes=True))
    without = "\n".join(table_lines(view, "en"))
    assert "▲ R" in with_shapes
    assert re.sub("[▲★✚●◆■] ", "", with_shapes) == without


def test_who_wins_the_trick_now() -> None:
    view = stichwerk.game("sticheln").new(seed=7, names=["You", "Ben", "Ada", "Mia"]).view(0)
    plays = ((1, "G3"), (2, "R7"))
    lines = lines_of(view, "en")
    line = lines.trick_line(Trick(0, "G", plays, 2))
    assert line == "The trick (green): Ben G3 · Ada R7 – Ada is winning"
    assert lines.trick_line(Trick(0, "G", plays, 0)).endswith("you are winning")
    assert lines.trick_line(Trick(0, "G", ((1, "G0"),), None)).endswith("Ben G0")


def test_score_sheet() -> None:
    match = stichwerk.game("stichtag").new(seed=7, names=["You", "Ben", "Ada", "Mia"])
    bot = stichwerk.bot("random", 3)
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    lines = sheet_lines(match.view(0), "en")
    assert [line.split()[0] for line in lines] == ["you", "1", "2", "3", "total"]


def test_names_and_columns() -> None:
    assert seat_names(4, 2, "Ben") == ["Mia", "Jonas", "Ben", "Ada"]
    bots = ("rocco-1", "otto", "otto")
    assert seat_names(4, 1, "Otto", bots) == ["Rocco", "Otto", "Otto 2", "Otto 3"]
    assert seat_names(3, 0, "Ben", ("hard", "luna")) == ["Ben", "Ada", "Luna"]
    assert columns([["日本", "a"], ["x", "b"]]) == ["日本  a", "x     b"]
    assert columns([["", "a"], ["", "b"]]) == ["a", "b"]


@pytest.mark.slow
@pytest.mark.parametrize("closed", [(0,), (0, 1), (0, 1, 2)])
def test_closed_streams_do_not_crash_the_terminal(closed: tuple[int, ...], tmp_path: Path) -> None:
    """As by `<&-` in a shell: there is nothing to read, and perhaps nobody to read what is said."""
    run = "import sys; from stichwerk.cli import main; sys.exit(main())"
    shut = " ".join(f"{number}>&-" for number in closed)
    command = f'exec "$0" -c "{run}" play sticheln --data "$1" {shut}'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable, str(tmp_path)], capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert 1 in closed or b"Seed" in done.stdout or b"Startwert" in done.stdout
