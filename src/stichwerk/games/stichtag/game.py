"""Stichtag by Emely, Inka and Markus Brand, for three to five: every date is another game.

This module is what is said and seen at the table. How a round runs stands in `course.py`, what the
rules are on the sheets.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from stichwerk.cards import COLOURS as LETTERS
from stichwerk.cards import card_code, card_text
from stichwerk.engine.constants import (
    ACCEPT,
    ANNOUNCE,
    CHOOSE,
    DISCARD,
    DROP,
    GIFT,
    GIVE,
    KIND,
    NOBODY,
    NONE,
    OVER,
    PAIR,
    PASS,
    PICK,
    PLAY,
    STRIKE,
    TAKE,
    VETO,
)
from stichwerk.engine.events import Event, Move
from stichwerk.engine.frame import Game
from stichwerk.engine.machine import Bits
from stichwerk.engine.state import State
from stichwerk.errors import BadDealError, Reason
from stichwerk.games.options import Option, Value, starter_option, whole_number, worded
from stichwerk.games.stichtag.calendar import (
    DATE,
    SHEET,
    check_own_sheets,
    check_sheets,
    is_date,
    is_goal,
)
from stichwerk.games.stichtag.course import Course
from stichwerk.games.stichtag.green import Green3

MOST_TRICKS = 12
EGGS = 6
DRAWN_TRUMP, FACE_DOWN, ANNOUNCEMENT, PARTNERS, THE_VETO = 0, 1, 4, 6, 7  # with things to show
MARCH, APRIL, JULY, AUGUST, SEPTEMBER, NOVEMBER, DECEMBER = 3, 4, 7, 8, 9, 11, 12


class Stichtag(Course):
    """Stichtag with its seats, date or sheets, and options fixed."""

    name = "stichtag"
    seat_counts = (3, 4, 5)
    phases = ("over", "play", "announce", "veto", "pass", "discard", "gift", "take")

    # -- Options -----------------------------------------------------------------------------------

    @staticmethod
    def options(seats: int) -> tuple[Option, ...]:
        """The date, or single sheets over the base rules; without a goal sheet the number of
        rounds.
        """
        return (
            Option("date", None, (None,), pattern=DATE, form="MM-DD"),
            Option("rounds", 3, (3, 2, None)),
            Option("sheets", [], members=SHEET, form="green 0-3, red 0-9, January-December"),
            starter_option(seats),
        )

    @staticmethod
    def open_options(
        options: tuple[Option, ...], given: Mapping[str, object]
    ) -> tuple[Option, ...]:
        """With a green sheet, that of a date too, `rounds` stays open: the sheet says it itself."""
        sheets = given.get("sheets")
        named = sheets if isinstance(sheets, list) else []
        has_goal = is_date(given.get("date")) or any(map(is_goal, named))
        rounds = Option("rounds", None, (None,)) if has_goal else Option("rounds", 3, (3, 2))
        return tuple([rounds if option.name == "rounds" else option for option in options])

    @staticmethod
    def settle_options(options: dict[str, Value], given: Mapping[str, object]) -> None:
        """What depends on one another: a date names its sheets."""
        date, sheets = options["date"], options["sheets"]
        named = sheets if isinstance(sheets, list) else []
        check_sheets(named, has_date=date is not None)
        check_own_sheets(named, date if isinstance(date, str) else None)

    # -- The match ---------------------------------------------------------------------------------

    def most_rounds(self) -> int:
        """As the green sheet says; without one three rounds, or two for practice."""
        return self.goal.rounds if self.goal else whole_number(self.rounds)

    def match_over(self, scores: Sequence[Sequence[int]]) -> bool:
        """As the green sheet says."""
        if self.goal:
            return self.goal.over(scores)
        return Game.match_over(self, scores)

    def standing(self, scores: Sequence[Sequence[int]], seat: int) -> tuple[int, ...]:
        """As the green sheet says; without one most points."""
        if self.goal:
            return self.goal.standing(scores, seat)
        return Game.standing(self, scores, seat)

    # -- Moves as people write them ----------------------------------------------------------------

    def steps(self, state: State) -> int:
        """All cards to discard are one move."""
        return state.pending if state.phase == DISCARD else 1

    def move_text(self, state: State, steps: tuple[int, ...]) -> str:
        """As the phase writes its moves."""
        return ",".join([self.step_text(step) for step in steps])

    def step_text(self, step: int) -> str:
        """One action, by its kind."""
        kind, argument = step // KIND, step % KIND
        if kind == PAIR:
            low = argument & 127
            return f"{card_text(low)}+{card_text((low & 112) + (argument >> 7))}"
        if kind == ANNOUNCE:
            return str(argument)
        if kind == STRIKE:
            return "pass" if argument == NONE else f"veto {argument}"
        if kind == GIVE:
            return f"{card_text(argument % 128)}>{argument // 128}"
        if kind == ACCEPT:
            return "take" if argument else "leave"
        return card_text(argument)

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        """The move a typed text means, or why the seat cannot make it."""
        judges = {
            PLAY: self.judge_play,
            CHOOSE: self.judge_number,
            VETO: self.judge_veto,
            PASS: self.judge_pass,
            DISCARD: self.judge_discard,
            GIFT: self.judge_gift,
            TAKE: self.judge_take,
        }
        return judges[state.phase](state, seat, text.strip())

    def judge_play(self, state: State, seat: int, text: str) -> Move | Reason:
        """One card, on red 2 also two of one colour; the led colour, if the hand has it."""
        words = text.split("+")
        if len(words) > (2 if self.pairs else 1):
            return Reason("two-cards" if self.pairs else "one-card")
        cards = []
        for word in words:
            card = self.read_card(state, seat, word)
            if isinstance(card, Reason):
                return card
            cards.append(card)
        cards.sort()
        if cards[0] >> 4 != cards[-1] >> 4:
            return Reason("one-colour", first=card_text(cards[0]), second=card_text(cards[1]))
        if len(cards) == 2 and cards[0] == cards[1]:
            return Reason("card-twice", card=card_text(cards[0]))
        if not self.may_play(state, seat) >> (cards[0] >> 4) & 1:
            led = LETTERS[self.led_colour(state)]
            return Reason("must-follow", card=card_text(cards[0]), colour=led)
        step = cards[0]
        if len(cards) == 2:
            step = PAIR * KIND + cards[0] + 128 * (cards[1] & 15)
        return Move(self.step_text(step), (step,))

    def judge_number(self, state: State, seat: int, text: str) -> Move | Reason:
        """An announcement: a whole number."""
        if text.isascii() and text.isdigit() and len(text) < 3 and int(text) <= MOST_TRICKS:
            return Move(str(int(text)), (ANNOUNCE * KIND + int(text),))
        return Reason("not-a-number", lowest=0, highest=MOST_TRICKS)

    def judge_veto(self, state: State, seat: int, text: str) -> Move | Reason:
        """`veto` and a seat, or `pass`."""
        if text.lower() == "pass":
            return Move("pass", (STRIKE * KIND + NONE,))
        word, _, who = text.partition(" ")
        if word.lower() != "veto":
            return Reason("veto-or-pass")
        target = self.read_seat(who)
        if isinstance(target, Reason):
            return target
        step = STRIKE * KIND + target
        if step in self.actions(state, seat):
            return Move(f"veto {target}", (step,))
        if target == seat:
            return Reason("not-yourself")
        return Reason("cannot-be-struck", seat=target)

    def judge_pass(self, state: State, seat: int, text: str) -> Move | Reason:
        """A card of the hand for the left neighbour."""
        card = self.read_card(state, seat, text)
        if isinstance(card, Reason):
            return card
        return Move(card_text(card), (PICK * KIND + card,))

    def judge_discard(self, state: State, seat: int, text: str) -> Move | Reason:
        """As many different cards of the hand as must be discarded."""
        cards = []
        for word in text.split(","):
            card = self.read_card(state, seat, word)
            if isinstance(card, Reason):
                return card
            if card in cards:
                return Reason("card-twice", card=card_text(card))
            cards.append(card)
        if len(cards) != state.pending:
            return Reason("wrong-number", needed=state.pending, given=len(cards))
        cards.sort()
        steps = tuple([DROP * KIND + card for card in cards])
        return Move(self.move_text(state, steps), steps)

    def judge_gift(self, state: State, seat: int, text: str) -> Move | Reason:
        """A gift card of the trick and another seat: `G0>2`."""
        word, _, who = text.partition(">")
        target = self.read_seat(who)
        if isinstance(target, Reason):
            return target
        if target == seat:
            return Reason("not-yourself")
        for step in self.actions(state, seat):
            if self.step_text(step) == f"{word.strip().upper()}>{target}":
                return Move(self.step_text(step), (step,))
        return Reason("not-a-gift", text=word.strip()[:20])

    def judge_take(self, state: State, seat: int, text: str) -> Move | Reason:
        """`take` or `leave`."""
        if text.lower() in ("take", "leave"):
            return Move(text.lower(), (ACCEPT * KIND + int(text.lower() == "take"),))
        return Reason("take-or-leave")

    def read_seat(self, text: str) -> int | Reason:
        """A seat by its number."""
        text = text.strip()
        if text.isascii() and text.isdigit() and len(text) < 3 and int(text) < self.seats:
            return int(text)
        return Reason("not-a-seat", text=text[:20], highest=self.seats - 1)

    # -- What happened -----------------------------------------------------------------------------

    def move_events(self, before: State, seat: int, move: Move, after: State) -> list[Event]:
        """What a move brought about, told to those who may know it."""
        if before.phase == PLAY:
            told = self.play_events(before, seat, move, after)
        elif before.phase == CHOOSE or before.phase == TAKE or before.phase == PASS:
            told = self.secret_events(before, seat, move, after)
        else:
            told = [Event(self.phases[before.phase], seat=seat, move=move.text)]
        if before.phase == DISCARD:
            drawn = [before.stock[before.stock_top + at] for at in range(before.pending)]
            cards = tuple([card_text(card) for card in drawn])
            told.append(Event("drew", seat=seat, cards=cards, to=(seat,)))
        told += self.trick_events(before, move, after)
        told += self.aside_events(before, after)
        return told + self.closing_events(after)

    def play_events(self, before: State, seat: int, move: Move, after: State) -> list[Event]:
        """An open play; on red 1 the named colour, or at the end all cards at once."""
        if not self.at_once:
            return [Event("play", seat=seat, move=move.text)]
        told = [Event("choice", seat=seat, move=move.text, to=(seat,))]
        if before.named == NONE:
            return [*told, Event("named", seat=seat, move=move.text[0])]
        told.append(Event("chosen", seat=seat))
        if before.owes == 1 << seat:
            for step in range(self.seats):
                other = (before.leader + step) % self.seats
                card = move.text if other == seat else card_text(before.choice[3 * other])
                told.append(Event("play", seat=other, move=card))
        return told

    def secret_events(self, before: State, seat: int, move: Move, after: State) -> list[Event]:
        """A secret choice; the last one reveals all, or hands the cards over."""
        told = [Event("choice", seat=seat, move=move.text, to=(seat,)), Event("chosen", seat=seat)]
        if before.owes != 1 << seat:
            return told
        texts = [self.chosen_text(before, other) for other in range(self.seats)]
        texts[seat] = move.text
        if before.phase != PASS:
            return [*told, Event("revealed", choices=tuple(texts))]
        told.append(Event("passed", counts=tuple([int(text != "") for text in texts])))
        for other in range(self.seats):
            left = (other + 1) % self.seats
            if texts[other]:
                told.append(Event("received", seat=left, cards=(texts[other],), to=(left,)))
        return told

    def chosen_text(self, state: State, seat: int) -> str:
        """A secret choice as it is typed; empty for none."""
        slot = {CHOOSE: 0, PASS: 1, TAKE: 2}[state.phase]
        value = state.choice[3 * seat + slot]
        if value == NONE:
            return ""
        if state.phase == PASS:
            return card_text(value)
        return ("take" if value else "leave") if state.phase == TAKE else str(value)

    def trick_events(self, before: State, move: Move, after: State) -> list[Event]:
        """A trick was settled: `trick` if it was taken, `stays` if it lies on the table."""
        if after.tricks_done == before.tricks_done:
            return []
        cards = self.lying(before)
        if before.phase == PLAY and not self.at_once:
            cards += move.text.split("+")
        elif before.phase == PLAY:
            for step in range(self.seats):
                other = (before.leader + step) % self.seats
                own = before.choice[3 * other]
                cards.append(move.text if before.owes == 1 << other else card_text(own))
        kind = "stays" if after.carried_tricks > before.carried_tricks else "trick"
        told = [Event(kind, seat=after.last_winner, cards=tuple(cards))]
        if after.eggs_taken > before.eggs_taken:
            told.append(Event("egg", seat=after.last_winner))
        return told

    def lying(self, state: State) -> list[str]:
        """The cards of the open trick, in order."""
        cards = []
        for play in range(state.trick_size[0]):
            cards.append(card_text(state.trick_card[play]))
            if state.second[play] != NONE:
                cards.append(card_text(state.second[play]))
        return cards

    def aside_events(self, before: State, after: State) -> list[Event]:
        """On red 8 everyone sees how many cards lie aside."""
        was = [before.aside_size[seat] for seat in range(self.seats)]
        now = [after.aside_size[seat] for seat in range(self.seats)]
        return [Event("aside", counts=tuple(now))] if was != now else []

    def opening_events(self, state: State) -> list[Event]:
        """After the deal: the drawn trump, each one's partner, how many cards lie aside."""
        told = []
        if self.red.red == DRAWN_TRUMP:
            told.append(Event("trump", move=LETTERS[state.trump]))
        if self.red.red == PARTNERS:
            for seat in range(self.seats):
                told.append(Event("partner", seat=seat, value=state.partners[seat], to=(seat,)))
        if self.odd_later:
            told.append(
                Event("aside", counts=tuple([state.aside_size[seat] for seat in range(self.seats)]))
            )
        return told

    def closing_events(self, state: State) -> list[Event]:
        """At the end of the round partners and eggs are shown."""
        if state.phase != OVER:
            return []
        told = []
        if self.red.red == PARTNERS:
            told.append(
                Event(
                    "partners", counts=tuple([state.partners[seat] for seat in range(self.seats)])
                )
            )
        if self.month.month == APRIL:
            told.append(Event("eggs", counts=tuple([state.eggs[at] for at in range(EGGS)])))
        return told

    # -- What is seen ------------------------------------------------------------------------------

    def table(self, state: State) -> dict[str, object]:
        """Trump, and what today's sheets have lying on the table."""
        trump = self.red.trump(state)
        shown: dict[str, object] = {"trump": None if trump == NONE else LETTERS[trump]}
        red, month = self.red.red, self.month.month
        if red == FACE_DOWN:
            shown["named"] = None if state.named == NONE else LETTERS[state.named]
        if red == ANNOUNCEMENT:
            shown["announced"] = self.announced(state)
        if red == THE_VETO:
            shown["veto"] = state.veto
            shown["struck"] = self.struck_seat(state)
        if self.odd_later:
            shown["aside"] = [state.aside_size[seat] for seat in range(self.seats)]
        if month == MARCH:
            shown["direction"] = state.direction
        if month == APRIL:
            taken = [state.egg_owner[at] for at in range(state.eggs_taken)]
            shown["eggs"] = [taken.count(seat) for seat in range(self.seats)]
        if month == JULY:
            shown["sunstroke"] = None if state.sunstroke == NONE else state.sunstroke
        if month == AUGUST:
            shown["discarded"] = mask_texts(state.gone[0], state.gone[1])
        if month == SEPTEMBER:
            shown["lying"] = mask_texts(state.carried[0], state.carried[1])
            shown["lying_tricks"] = state.carried_tricks
        if month == NOVEMBER:
            shown["lanterns"] = [state.bonus[seat] for seat in range(self.seats)]
        if month == DECEMBER:
            shown["gifts"] = [state.gifts[seat] for seat in range(self.seats)]
            shown["to_give"] = mask_texts(state.due[0], state.due[1])
        return shown

    def announced(self, state: State) -> list[int] | None:
        """The announcements, once all are in."""
        if state.phase == CHOOSE:
            return None
        return [state.choice[3 * seat] for seat in range(self.seats)]

    def struck_seat(self, state: State) -> int | None:
        """Whose card is struck in the trick that lies."""
        struck = state.struck
        return None if struck == NOBODY or state.trick_size[0] == 0 else state.trick_seat[struck]

    def match_facts(self, scores: Sequence[Sequence[int]]) -> dict[str, object]:
        """On green 3 the hearts that are left."""
        if not isinstance(self.goal, Green3):
            return {}
        return {"hearts": [self.goal.hearts(scores, seat) for seat in range(self.seats)]}

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        """The own partner, the own cards aside, and an own choice that is still secret."""
        own: dict[str, object] = {}
        if self.red.red == PARTNERS:
            own["partner"] = state.partners[seat]
        if self.odd_later:
            own["aside"] = mask_texts(state.aside[2 * seat], state.aside[2 * seat + 1])
        if state.named != NONE and state.choice[3 * seat] != NONE:
            own["face_down"] = card_text(state.choice[3 * seat])
        if (state.phase == CHOOSE or state.phase == PASS or state.phase == TAKE) and (
            not state.owes >> seat & 1
        ):
            own["chosen"] = self.chosen_text(state, seat)
        return own

    # -- Going over what was seen ------------------------------------------------------------------

    def learn(self, state: State, event: Event) -> None:
        """Bring an event into a state that holds only what one seat knows."""
        kind, seat = event.kind, event.seat
        if kind == "trump":
            state.trump = LETTERS.index(event.move)
        elif kind == "partner" and seat is not None:
            state.partners[seat] = event.value or 0
        elif kind == "partners":
            for at in range(self.seats):
                state.partners[at] = event.counts[at]
            self.recount(state)
        elif kind == "eggs":
            for at in range(EGGS):
                state.eggs[at] = event.counts[at]
            self.recount(state)
        elif kind == "aside":
            self.learn_aside(state, event.counts)
        elif kind == "play" and seat is not None and self.at_once:
            self.learn_turned_up(state, seat, event.move)
        elif kind == "named" and seat is not None:
            self.learn_named(state, seat, event.move)
        elif kind == "revealed" and state.phase == TAKE:
            self.learn_taken(state, event.choices)
        elif kind == "passed":
            self.learn_passed(state, event.counts)
        elif kind in ("received", "drew") and seat is not None:
            self.learn_cards(state, seat, event.cards)
        elif kind == "choice" and seat is not None and self.at_once and state.phase == PLAY:
            self.learn_own_play(state, seat, event.move)
        elif kind == "choice" and seat is not None and state.phase == PASS:
            state.choice[3 * seat + 1] = card_code(event.move)
            state.owes &= ~(1 << seat)
        elif kind == "chosen" and seat is not None and state.phase == PASS:
            state.unknown |= state.owes & 1 << seat
        elif kind in ("veto", "discard", "gift") and seat is not None:
            self.replay_move(state, seat, event.move)
        else:
            Game.learn(self, state, event)

    def recount(self, state: State) -> None:
        """What is shown at the end of a round was missing when the points were counted."""
        for seat in range(self.seats):
            state.own[seat] = state.tricks_won[seat] + self.month.own_points(state, seat)
        self.count_points(state)

    def learn_taken(self, state: State, choices: tuple[str, ...]) -> None:
        """Who took the points and who left them."""
        state.unknown = 0
        for seat, text in enumerate(choices):
            if state.phase == TAKE and state.owes >> seat & 1:
                self.replay_move(state, seat, text)

    def learn_aside(self, state: State, counts: tuple[int, ...]) -> None:
        """Odd cards of others that went aside."""
        for seat in range(self.seats):
            more = counts[seat] - state.aside_size[seat]
            if more > 0:
                state.aside_size[seat] += more
                state.hand_size[seat] -= more
                self.after_leaving(state, seat)

    def learn_named(self, state: State, seat: int, colour: str) -> None:
        """The leader's card lies face down; its colour is known."""
        state.named = LETTERS.index(colour)
        state.owes = (1 << self.seats) - 1 & ~(1 << seat)

    def learn_own_play(self, state: State, seat: int, text: str) -> None:
        """The own card that lies face down; others have not shown theirs yet."""
        state.choice[3 * seat] = card_code(text)
        state.owes &= ~(1 << seat)

    def learn_turned_up(self, state: State, seat: int, text: str) -> None:
        """A card that was turned up; the last one settles the trick."""
        state.unknown = 0
        state.named = NONE
        state.choice[3 * seat] = NONE
        self.lay_openly(state, seat, card_code(text))
        if state.trick_size[0] == self.seats:
            state.owes = 0
            self.all_lie(state)

    def learn_passed(self, state: State, counts: tuple[int, ...]) -> None:
        """Cards went to the left: own ones are known, of the others only that they did."""
        self.trace_on(state, counts)
        for seat in range(self.seats):
            if counts[seat]:
                card = state.choice[3 * seat + 1]
                if card == NONE:
                    state.hand_size[seat] -= 1
                else:
                    state.remove(seat, card)
                    self.trace(state, card, (seat + 1) % self.seats)
                self.after_leaving(state, seat)
        for seat in range(self.seats):
            if counts[seat]:
                self.take_in(state, (seat + 1) % self.seats, NONE)
            state.choice[3 * seat + 1] = NONE
        state.unknown = 0
        state.owes = 0
        state.phase = PLAY
        self.close_trick(state)

    def trace(self, state: State, card: int, holder: int) -> None:
        """Remember where a card lies that one has given away."""
        for at in range(12):
            if state.trace_mask[at] == 0 or state.trace_card[at] == card:
                state.trace_card[at] = card
                state.trace_mask[at] = 1 << holder
                return

    def trace_on(self, state: State, counts: tuple[int, ...]) -> None:
        """Before more cards are passed: whoever has a traced card may give it on."""
        for at in range(12):
            for seat in range(self.seats):
                if state.trace_mask[at] >> seat & 1 and counts[seat]:
                    state.trace_mask[at] |= 1 << 8 + (seat + 1) % self.seats
            state.trace_mask[at] = (state.trace_mask[at] | state.trace_mask[at] >> 8) & 63

    def learn_cards(self, state: State, seat: int, cards: tuple[str, ...]) -> None:
        """Own cards that came in: their number is known already."""
        for text in cards:
            card = card_code(text)
            state.hand_size[seat] -= 1
            voids = state.voids[seat]
            self.take_in(state, seat, card)
            state.voids[seat] = voids

    def known_steps(self, state: State, text: str) -> tuple[int, ...]:
        """The actions of a move that is known to be legal."""
        if state.phase == VETO:
            target = NONE if text == "pass" else int(text.split(" ")[1])
            return (STRIKE * KIND + target,)
        if state.phase == GIFT:
            card, _, who = text.partition(">")
            return (GIVE * KIND + card_code(card) + 128 * int(who),)
        if state.phase == DISCARD:
            return tuple([DROP * KIND + card_code(card) for card in text.split(",")])
        if state.phase == CHOOSE:
            return (ANNOUNCE * KIND + int(text),)
        if state.phase == TAKE:
            return (ACCEPT * KIND + int(text == "take"),)
        low, _, high = text.partition("+")
        if high:
            return (PAIR * KIND + card_code(low) + 128 * (card_code(high) & 15),)
        return (card_code(low),)

    # -- Records -----------------------------------------------------------------------------------

    def place_specials(self, state: State, specials: Mapping[str, Any]) -> None:
        """The drawn trump, the partners, the eggs; a draw that cannot be is refused."""
        for kind in self.specials:
            check_special(kind, specials.get(kind), self.seats)
        if "trump" in self.specials:
            state.trump = LETTERS.index(str(specials["trump"]))
        if "partners" in self.specials:
            for seat in range(self.seats):
                state.partners[seat] = specials["partners"][seat]
        if "eggs" in self.specials:
            for at in range(EGGS):
                state.eggs[at] = specials["eggs"][at]

    def secret(self, state: State) -> bool:
        """Announcements, passing, taking points; on red 1 every play."""
        if state.phase == PLAY:
            return self.at_once
        return state.phase == CHOOSE or state.phase == PASS or state.phase == TAKE

    def all_in(self, state: State, seat: int) -> bool:
        """On red 1 the leader's card alone turns nothing up."""
        if state.phase == PLAY and self.at_once and state.named == NONE:
            return False
        return state.owes == 1 << seat

    def has_chosen(self, state: State, seat: int) -> bool:
        """Whether the seat's secret move lies ready."""
        if state.phase == PLAY:
            return state.named != NONE and state.choice[3 * seat] != NONE
        return self.secret(state) and self.chosen_text(state, seat) != ""

    def entry_kind(self, state: State) -> str:
        """Announcements are choices; the other extra choices are named by their phase."""
        if state.phase == PLAY:
            return "plays"
        return "choices" if state.phase == CHOOSE else self.phases[state.phase]

    def entry_order(self, state: State) -> list[int]:
        """Face-down cards clockwise from the leader, everything else by seat."""
        first = state.leader if state.phase == PLAY else 0
        return [(first + step) % self.seats for step in range(self.seats)]

    def choice_entry(self, move: Move) -> object:
        """The announced number."""
        return int(move.text)

    def play_entry(self, seat: int, move: Move) -> list[object]:
        """A card, or a pair as a list."""
        cards = move.text.split("+")
        return [seat, cards if len(cards) == 2 else cards[0]]

    def play_text(self, state: State, entry: Sequence[object]) -> str:
        """A record's play as it is typed."""
        if len(entry) != 1:
            return ""
        if isinstance(entry[0], list | tuple):
            return "+".join([str(card) for card in entry[0]]) if len(entry[0]) == 2 else ""
        return str(entry[0])

    def extra_entry(self, move: Move) -> object:
        """veto: seat or null, pass: card, discard: cards, gift: [card, seat], take: yes or no."""
        kind, argument = move.steps[0] // KIND, move.steps[0] % KIND
        if kind == STRIKE:
            return None if argument == NONE else argument
        if kind == DROP:
            return move.text.split(",")
        if kind == GIVE:
            return [card_text(argument % 128), argument // 128]
        return bool(argument) if kind == ACCEPT else move.text

    def extra_text(self, kind: str, value: object) -> str:
        """A record's extra choice as it is typed; empty, if it has no such form."""
        if kind == "veto" and value is None:
            return "pass"
        if kind == "veto" and type(value) is int:
            return f"veto {value}"
        if kind == "pass" and isinstance(value, str):
            return value
        if kind == "discard" and isinstance(value, list | tuple):
            return ",".join([str(card) for card in value])
        if kind == "gift" and isinstance(value, list | tuple) and len(value) == 2:
            return f"{value[0]}>{value[1]}"
        if kind == "take" and isinstance(value, bool):
            return "take" if value else "leave"
        return ""


def check_special(kind: str, value: object, seats: int) -> None:
    """Refuse a drawn special card that cannot be."""
    if kind == "trump":
        fine = isinstance(value, str) and len(value) == 1 and value in LETTERS
    elif not isinstance(value, list | tuple) or set(map(type, value)) != {int}:
        fine = False
    elif kind == "partners":
        meets_oneself = [seat for seat, partner in enumerate(value) if seat == partner]
        fine = sorted(value) == list(range(seats)) and not meets_oneself
    else:
        fine = sorted(value) == [0, 1, 1, 2, 2, 3]
    if not fine:
        raise BadDealError("bad-special", kind=kind, value=worded(value))


def mask_texts(low: int, high: int) -> list[str]:
    """The cards of two masks in deck order."""
    cards = []
    for first, mask in ((0, low), (64, high)):
        while mask:
            cards.append(card_text(first + Bits.lowest(mask)))
            mask &= mask - 1
    return cards
