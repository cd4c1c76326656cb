"""Days of the calendar at the terminal: every kind of choice typed, every fact and event shown."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest

import stichwerk
from stichwerk import narration
from stichwerk.engine.generator import Generator
from stichwerk.games.stichtag.calendar import SHEETS, sheets_of_date
from stichwerk.games.stichtag.yearbook import short_today
from stichwerk.locale import sentences, text
from stichwerk.match import Match
from stichwerk.terminal.day import ASK, day_title, marked
from stichwerk.terminal.event_text import reader_of
from stichwerk.terminal.move_list import in_columns
from stichwerk.terminal.seat import LocalSeat
from stichwerk.terminal.session import Session, seat_names
from stichwerk.terminal.table import last_trick_line, table_lines
from stichwerk.view import View

pytestmark = [pytest.mark.game("stichtag"), pytest.mark.slow]

LANGUAGES = ("de", "en")
# Every red and green sheet, every month, every kind of choice, impossible days among them.
DAYS = [
    *("01-00", "01-24", "02-18", "02-32", "03-01", "03-17", "04-06", "04-21", "05-02", "05-13"),
    *("06-33", "06-05", "07-07", "07-10", "08-08", "08-24", "08-02", "09-14", "09-39", "10-09"),
    *("10-15", "11-23", "11-36", "12-06", "12-27", "12-02"),
]


class Script:
    """A screen for tests: lines come from an iterator, what was said is kept."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines = lines
        self.colours = False
        self.said: list[str] = []

    def say(self, line: str = "") -> None:
        self.said.append(line)

    def ask(self) -> str | None:
        return next(self.lines, None)


def new_match(date: str, seats: int, seed: int) -> Match:
    setting = stichwerk.game("stichtag", seats=seats, date=date)
    return setting.new(seed=seed, names=seat_names(seats, 0, "Ich"))


def table(match: Match, screen: Script, lang: str) -> Session:
    bots = {seat: stichwerk.bot("random", seat) for seat in range(1, match.rules.seats)}
    return Session(LocalSeat(match, 0, bots, lang), screen)


def as_typed(view: View, move: str) -> str:
    """Return the move with a name for the seat number, a sign behind a symbol, or in lower case."""
    found = re.fullmatch(r"(veto |.*>)([0-9])", move)
    if found:
        return found[1] + view.names[int(found[2])]
    return marked(view, move).lower()


def typed_moves(match: Match, screen: list[Script], asked: set[str]) -> Iterator[str]:
    """Yield any legal move, after checking that the prompt shows how to write one."""
    generator = Generator(11)
    while True:
        view = match.view(0)
        question = screen[0].said[-1]
        assert view.moves
        assert any(re.search(rf"\b{re.escape(move)}\b", question) for move in view.moves), question
        asked.add(view.phase)
        yield as_typed(view, view.moves[generator.number(len(view.moves))])


def play(date: str, seats: int, lang: str, seed: int = 5) -> tuple[Match, Script, set[str]]:
    match = new_match(date, seats, seed)
    asked: set[str] = set()
    holder: list[Script] = []
    holder.append(Script(typed_moves(match, holder, asked)))
    assert table(match, holder[0], lang).run()
    return match, holder[0], asked


def until(date: str, phase: str, seats: int = 4) -> Match:
    """Return a match in which seat 0 owes a choice of this kind."""
    for seed in range(200):
        match = new_match(date, seats, seed)
        generator = Generator(seed)
        while match.waiting_for:
            if 0 in match.waiting_for and match.phase == phase:
                return match
            seat = match.waiting_for[-1]
            moves = match.moves(seat)
            match.play(seat, moves[generator.number(len(moves))])
    raise AssertionError(f"{date}: nobody asks for {phase}")


# -- Whole matches ---------------------------------------------------------------------------------


def test_the_days_cover_all_sheets() -> None:
    assert {name for date in DAYS for name in sheets_of_date(date)} == set(SHEETS)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("date", DAYS)
def test_a_day_is_played_to_the_end(date: str, lang: str) -> None:
    """Every line is a sentence in the language, and every visible event is described."""
    seats = 3 + sum(map(int, date[3:])) % 3
    match, screen, _ = play(date, seats, lang)
    assert match.over
    said = "\n".join(screen.said)
    assert "{" not in said
    ids = {id for id in sentences(lang) if "-" in id}
    assert not [word for word in said.split() if word.rstrip(":") in ids]
    at = LANGUAGES.index(lang)
    assert day_title("stichtag", match.setting.options, lang) in screen.said
    for name in sheets_of_date(date):
        assert SHEETS[name].title[at] in said
        assert short_today(name, sheets_of_date(date), lang) in said
    result = [line for line in screen.said if line.startswith(("Summe", "total"))][-1]
    assert tuple(int(word.replace("−", "-")) for word in result.split()[1:]) == match.totals


# What is shown on a day: English, German.
TOLD = {
    "01-00": [
        (r"Drawn: \w+ and \w+\.", r"Gezogen sind \w+ und \w+\."),
        (r"You choose \w+ as trump\.", r"Du wählst \w+ als Trumpf\."),
        (r"Ben chooses \w+ as trump\.", r"Ben wählt \w+ als Trumpf\."),
        (r"Trump is not chosen yet", r"Der Trumpf ist noch nicht gewählt"),
    ],
    "02-18": [
        (r"Everyone passes a card to the left\.", r"Alle geben eine Karte nach links\."),
        (r"\w+ passes you [RYGBLS]\d+\*?\.", r"Von \w+ bekommst du [RYGBLS]\d+\*?\."),
        (r"Cards set aside: you \d+ · Ben \d+", r"Beiseite liegen: du \d+ · Ben \d+"),
        (r"\d cards? aside", r"\d Karten? beiseite"),
        (r"Set aside in front of you: [RYGBLS][13579]", r"Bei dir beiseite: [RYGBLS][13579]"),
    ],
    "02-32": [
        (r"These pass a card to the left: \w+", r"Eine Karte nach links geben: \w+"),
        (r"you +♥♥, \d+ cards?", r"du +♥♥, \d+ Karten?"),
        (r"You play [RYGBLS]\d\*?\+[RYGBLS]\d\*?\.", r"Du spielst [RYGBLS]\d\*?\+[RYGBLS]\d\*?\."),
        (r"32 February \(not a real date", r"32\. Februar \(kein echtes Datum"),
        (r"Round 1 of at most 4", r"Runde 1 von höchstens 4"),
    ],
    "03-17": [
        (r"Play goes clockwise\.", r"Gespielt wird im Uhrzeigersinn\."),
        (r"Play goes anticlockwise\.", r"Gespielt wird gegen den Uhrzeigersinn\."),
        (r"Ben does not use the veto\.", r"Ben legt kein Veto ein\."),
        (r"Ben vetoes: what \w+ played", r"Ben legt ein Veto ein: Was \w+ gespielt hat"),
        (r"vetoes: what you played", r"Was du gespielt hast, gilt nicht"),
        (r"You veto: what \w+ played", r"Du legst ein Veto ein: Was \w+ gespielt hat"),
        (r"veto card", r"Vetokarte"),
    ],
    "03-01": [
        (r"You lay a card face down and say \w+\.", r"Du legst verdeckt eine Karte und sagst "),
        (r"Ben lays a card face down and says \w+", r"Ben legt verdeckt eine Karte und sagt "),
        (r"Led face down: \w+\.", r"Verdeckt ausgespielt ist \w+\."),
    ],
    "04-06": [
        (r"Ben takes an egg\.", r"Ben nimmt ein Ei\."),
        (r"You take an egg\.", r"Du nimmst ein Ei\."),
        (r"\d eggs?", r"\d Eier|1 Ei"),
        (r"turned up: you [\d+ –]+ · Ben [\d+–]", r"aufgedeckt: du [\d+ –]+ · Ben [\d+–]"),
        (r"Your secret partner in this round: \w+\.", r"Dein geheimer Partner in dieser Runde: "),
        (r"Partners were: you → \w+ · Ben → \w+", r"Partner waren: du → \w+ · Ben → \w+"),
        (r"your partner  ", r"dein Partner  "),
    ],
    "06-05": [(r"There is no trump; \d+ cards", r"Es gibt keinen Trumpf; \d+ Karten")],
    "07-07": [(r"\w+ +(veto card, )?sunstroke card", r"\w+ +(Vetokarte, )?Sonnenstich  ")],
    "08-08": [
        (r"Discarded face up: [RYGBLS]\d", r"Offen abgelegt: [RYGBLS]\d"),
        (r"Ben discards [RYGBLS]\d\*?.* and draws\.", r"Ben legt [RYGBLS]\d.* ab und zieht nach\."),
        (r"You discard [RYGBLS]\d\*?.* and draw\.", r"Du legst [RYGBLS]\d.* ab und ziehst nach\."),
        (r"You draw [RYGBLS]\d", r"Du ziehst [RYGBLS]\d"),
    ],
    "09-14": [
        (r"\w+ wins the trick, but it stays", r"\w+ gewinnt den Stich, aber er bleibt liegen\."),
        (r"You win the trick, but it stays", r"Du gewinnst den Stich, aber er bleibt liegen\."),
        (r"still on the table: [RYGBLS]", r"noch auf dem Tisch: [RYGBLS]"),
        (r"Announced: you \d+ · Ben \d+", r"Angesagt: du \d+ · Ben \d+"),
        (r"announced \d+", r"Ansage \d+"),
        (r"Red 4 × Green 1: ", r"Rot 4 × Grün 1: "),
    ],
    "11-23": [(r"\d lanterns?", r"\d Laternen?")],
    "12-27": [
        (r"Ben gives [RYGBLS]0\* to \w+\.", r"Ben schenkt \w+ die Karte [RYGBLS]0\*\."),
        (r"You give [RYGBLS]0\* to \w+\.", r"Du schenkst \w+ die Karte [RYGBLS]0\*\."),
        (r"gives [RYGBLS]0\* to you\.", r"schenkt dir die Karte [RYGBLS]0\*\."),
        (r"\d gifts?", r"\d Geschenke?"),
        (r"To be given away: [RYGBLS]0\*", r"Zu verschenken: [RYGBLS]0\*"),
    ],
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("date", TOLD)
def test_events_are_put_into_words(date: str, lang: str) -> None:
    """Over some matches of a day everything its sheets do is shown."""
    said = "\n".join("\n".join(play(date, 3, lang, seed)[1].said) for seed in range(4))
    at = ("en", "de").index(lang)
    assert [pair[at] for pair in TOLD[date] if not re.search(pair[at], said)] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_taking_and_leaving_points_is_shown(lang: str) -> None:
    said = ""
    for seed in range(40):
        match, screen, asked = play("01-24", 3, lang, seed)
        said += "\n".join(screen.said)
        assert ("take" in asked) == (text("ask-take", lang) in screen.said)
    for id in ("you-take-points", "you-leave-points"):
        assert text(id, lang) in said
    for id in ("takes-points", "leaves-points"):
        assert any(text(id, lang, name=name) in said for name in ("Ben", "Ada"))
    assert match.over


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_choice_is_asked_for_in_words(lang: str) -> None:
    for phase, date in {
        "announce": "09-14",
        "discard": "08-08",
        "gift": "12-27",
        "pass": "02-18",
        "take": "01-24",
        "veto": "03-17",
    }.items():
        match = until(date, phase)
        question = list(table_lines(match.view(0), lang))[-1]
        forms = sentences(lang)[ASK[phase]].split("||")
        assert question.startswith(tuple(form.split("{")[0] for form in forms))
    leads = stichwerk.game("stichtag", date="05-02", starter=0).new(seed=1)
    question = list(table_lines(leads.view(0), lang))[-1]
    assert re.search(r"[RYGBLS]\d.*[RYGBLS]\d\+[RYGBLS]\d", question)


# -- Refused moves ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("date", "phase", "typed", "english", "german"),
    [
        ("09-14", "announce", "13", "whole number from 0 to 12", "ganze Zahl von 0 bis 12"),
        ("09-14", "announce", "G8", "whole number from 0 to 12", "ganze Zahl von 0 bis 12"),
        ("03-17", "veto", "veto 0", "You cannot pick yourself", "selbst"),
        ("03-17", "veto", "veto Ich", "You cannot pick yourself", "selbst"),
        ("03-17", "veto", "veto Otto", "'Otto' is not a seat", "„Otto“ ist kein Sitz"),
        ("03-17", "veto", "G8", "Write veto and a seat", "veto und einen Sitz"),
        ("02-18", "pass", "R99", "is not a card", "ist keine Karte"),
        ("02-18", "pass", "5", "is not a card", "ist keine Karte"),
        ("08-08", "discard", "x", "is not a card", "ist keine Karte"),
        ("12-27", "gift", "X0>1", "is not a gift of this trick", "kein Geschenk"),
        ("12-27", "gift", "G0>9", "'9' is not a seat", "„9“ ist kein Sitz"),
        ("01-24", "take", "yes", "Write take", "take"),
        ("05-02", "play", "R1+R2+R3", "one card or two, not more", "nicht mehr"),
        ("05-01", "play", "R1+R2", "exactly one card", "genau eine Karte"),
    ],
)
def test_refused_moves_are_explained(
    date: str, phase: str, typed: str, english: str, german: str
) -> None:
    match = until(date, phase)
    view = match.view(0)
    for lang, words in (("en", english), ("de", german)):
        screen = Script(iter(()))
        assert not table(match, screen, lang).answer(view, typed)
        assert words in screen.said[-1]
    assert match.view(0) == view


def test_eggs_are_shown_round_by_round() -> None:
    """Each seat has as many eggs in the news as it took in that round."""
    match = stichwerk.game("stichtag", seats=3, sheets=["April"]).new(seed=1)
    bot = stichwerk.bot("random", 1)
    while match.waiting_for:
        seat = match.waiting_for[0]
        match.play(seat, bot.choose(match.view(seat)))
    view = match.view(0)
    reader = reader_of(view, "en")
    taken: Counter[int | None] = Counter()
    rounds = 0
    for event in view.history:
        if event.kind == "round":
            taken.clear()
        elif event.kind == "egg":
            taken[event.seat] += 1
        elif event.kind == "eggs":
            parts = narration.words(event, reader).partition(": ")[2].split(" · ")
            counts = [len(re.findall(r"\d", one.partition(" ")[2])) for one in parts]
            assert counts == [taken[seat] for seat in range(3)]
            rounds += 1
    assert rounds == 3


def test_invalid_pairs_are_refused() -> None:
    match = stichwerk.game("stichtag", date="05-02", starter=0).new(seed=1)
    hand = match.view(0).hand
    screen = Script(iter(()))
    session = table(match, screen, "en")
    other = next(card for card in hand if card[0] != hand[0][0])
    for typed, words in [
        (f"{hand[0]}+{other}", "are not of one colour"),
        (f"{hand[0]}+{hand[0]}", hand[0]),
    ]:
        assert not session.answer(match.view(0), typed)
        assert words in screen.said[-1]


def test_cards_aside_cannot_be_passed() -> None:
    match = until("02-18", "pass")
    aside = match.view(0).mine["aside"]
    assert isinstance(aside, list)
    screen = Script(iter(()))
    if aside:
        assert not table(match, screen, "en").answer(match.view(0), aside[0])
        assert aside[0] in screen.said[-1]


# -- Single facts ----------------------------------------------------------------------------------


def test_symbols_are_marked_in_hand_trick_and_news() -> None:
    match = new_match("12-02", 3, 1)
    view = match.view(0)
    assert marked(view, "G0") == "G0*"
    assert marked(view, "G0+G3") == "G0*+G3"
    assert marked(view, "G3+G10") == "G3+G10"
    line = next(line for line in table_lines(view, "en") if line.startswith("Your hand"))
    assert re.findall(r"[RYGBLS]\d(?=\*)", line) == [card for card in view.hand if card[1] == "0"]
    assert "* after a card: gift (every 0)." in table_lines(view, "en")
    base = stichwerk.game("stichtag").new(seed=1).view(0)
    assert marked(base, "G0") == "G0"
    assert not any("*" in line for line in table_lines(base, "en"))


def test_a_marked_card_can_be_typed_as_it_is_shown() -> None:
    match = until("12-02", "play")
    view = match.view(0)
    assert table(match, Script(iter(())), "en").answer(view, marked(view, view.moves[0]))
    assert match.view(0) != view


def test_the_last_trick_with_pairs_and_one_that_stays() -> None:
    match, _, _ = play("09-02", 3, "en")
    view = match.view(0)
    line = last_trick_line(view, "en")
    trick = [event for event in view.history if event.kind in ("trick", "stays")][-1]
    assert tuple(re.findall(r"[RYGBLS]\d", line)) == trick.cards
    for seed in range(20):
        match = new_match("09-04", 3, seed)
        bot = stichwerk.bot("random", seed)
        while match.events[-1].kind != "stays" and match.waiting_for:
            seat = match.waiting_for[0]
            match.play(seat, bot.choose(match.view(seat)))
        if match.waiting_for:
            assert last_trick_line(match.view(0), "en").endswith("it is still on the table.")
            return
    pytest.fail("no trick stays in 20 matches")


def test_day_titles() -> None:
    options = stichwerk.game("stichtag", date="09-14").options
    assert day_title("stichtag", options, "de").startswith("14. September: ")
    assert day_title("stichtag", options, "en") == (
        "14 September: Fewest points · Announcement · Leaf pile"
    )
    alone = stichwerk.game("stichtag", sheets=["red 4", "April"]).options
    assert day_title("stichtag", alone, "en") == "Red 4 and April: Announcement · Easter eggs"
    assert day_title("stichtag", stichwerk.game("stichtag").options, "en") == ""
    assert day_title("sticheln", stichwerk.game("sticheln").options, "en") == ""


def test_the_rules_of_the_day() -> None:
    match = new_match("09-14", 3, 1)
    screen = Script(iter(["r", "q"]))
    table(match, screen, "en").run()
    assert "# Stichtag: 14 September" in screen.said


def test_ones_own_secret_choice_is_shown_while_secret() -> None:
    match = new_match("09-14", 3, 1)
    match.play(1, "3")
    screen = Script(iter(()))
    session = table(match, screen, "en")
    assert "Ben has chosen." in session.new_event_lines(match.view(0))
    match.play(0, "2")
    assert "You have chosen: 2" in table_lines(match.view(0), "en")
    match.play(2, "4")
    assert session.new_event_lines(match.view(0)) == ["Announced: you 2 · Ben 3 · Ada 4."]


def test_nothing_secret_is_shown() -> None:
    """Partners of others, announcements and cards aside are in no line for seat 0."""
    match = new_match("02-18", 4, 3)
    text = "\n".join(table_lines(match.view(0), "en"))
    shown = set(re.findall(r"\b[RYGBLS]\d+\b", text))
    dealt = [set(log) for log in match.rounds[0].deal.hands]
    assert shown <= dealt[0] | {"S5", "R2", "G4"}
    assert dealt[0] <= shown
    match = new_match("01-24", 4, 3)
    match.play(1, "11")
    assert "11" not in "\n".join(table_lines(match.view(0), "en"))


def test_a_trick_with_many_moves_fits_the_list() -> None:
    moves = until("05-02", "play").view(0).moves
    assert max(map(len, in_columns(moves))) <= 80
