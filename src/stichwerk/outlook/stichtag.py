"""Stichtag: who wins under today's sheets, and what they make of a trick.

The effect of a trick is not computed here: a copy is settled by the sheets themselves, and what
changed is put into words.
"""

from collections.abc import Iterator, Sequence

from stichwerk.cards import COLOURS
from stichwerk.engine.codes import colour_of, value_of
from stichwerk.engine.constants import NOBODY, NONE, OVER, PLAY
from stichwerk.engine.events import Move
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.stichtag.calendar import is_own, sheet_kind, sheet_place
from stichwerk.games.stichtag.sentence import Cards, Name, Points, Sentence
from stichwerk.games.stichtag.sheet import AMONG_TRUMPS, IN_COLOURS, PART_WITH
from stichwerk.games.stichtag.storage import OWN
from stichwerk.games.stichtag.yearbook import language_at, notes_of, sheet_of
from stichwerk.outlook.game_outlook import GameOutlook, PlayOutcome
from stichwerk.outlook.position import bare, joined, play_text, sentence_of, signed, spaced
from stichwerk.outlook.structs import Effect, Gain, Item, TableNow

WHY = {  # trump or led colour, whether the lowest wins, whether it is a pair
    ("trump", False, False): "why-trump",
    ("trump", False, True): "why-sum-trump",
    ("trump", True, False): "why-low-trump",
    ("trump", True, True): "why-low-sum-trump",
    ("led", False, False): "why-led",
    ("led", False, True): "why-sum-led",
    ("led", True, False): "why-low-led",
    ("led", True, True): "why-low-sum-led",
}
# Where the lowest number wins (`Course.turned`): what holds from this play on, and what holds now.
THEN = {
    0: "then-high",
    IN_COLOURS: "then-low-colours",
    AMONG_TRUMPS: "then-low-trumps",
    IN_COLOURS | AMONG_TRUMPS: "then-low",
}
NOW = {
    IN_COLOURS: "now-lowest-colours",
    AMONG_TRUMPS: "now-lowest-trumps",
    IN_COLOURS | AMONG_TRUMPS: "now-lowest",
}


class StichtagOutlook(GameOutlook):
    """Speaks for a position of Stichtag."""

    def play_moment(self) -> str:
        """Return the moment of a play; the red sheet may have its own."""
        moment: str = self.rules.red.play_moment
        return moment or super().play_moment()

    def cards_to_choose(self) -> int:
        """Return how many cards the sheet that asks wants; one to play."""
        count: int = self.rules.steps(self.known)
        return count

    # -- Plays -------------------------------------------------------------------------------------

    def play_effect(self, move: Move) -> Effect:
        """Describe a play of a card or a pair, with red 1 face down."""
        if self.rules.at_once:
            return self.face_down_effect(move)
        laid = self.laid(move)
        made = self.position.after(move)
        complete = made.tricks_done > self.known.tricks_done
        after = made if complete else self.settled(laid)
        winner = None if after is None else after.last_winner
        changes = () if after is None else self.gains(after, winner, complete)
        outcome = PlayOutcome(
            move, after, winner, complete, changes, laid=None if complete else laid
        )
        phrases = [
            *self.card_words(laid),
            self.barred_words(laid),
            *self.asked_before(made),
            *self.what_comes(laid, after, changes),
        ]
        return Effect(
            move=move.text,
            text=joined(self.outcome_words(after, complete), *phrases),
            verdict=self.verdict(outcome),
            sentence=spaced(self.kept_clean(outcome), sentence_of(*phrases), self.to_come(outcome)),
            winner=winner,
            takes_over=self.takes_over(0, winner),
            complete=complete,
            place=0,
            changes=changes,
        )

    def face_down_effect(self, move: Move) -> Effect:
        """Say what is certain of a face-down card."""
        words = list(self.face_down_words(move))
        return Effect(
            move=move.text,
            text=joined(self.say("effect-face-down"), *words),
            verdict=self.say("verdict-face-down"),
            sentence=sentence_of(*words),
            place=0,
        )

    def verdict(self, outcome: PlayOutcome) -> str:
        """Say that no trick is good news where the fewest points win, or that one is won that
        stays on the table."""
        if self.kept_clean(outcome):
            return self.say("verdict-stays-clean")
        after, winner = outcome.after, outcome.winner
        stays = after is not None and after.carried_tricks > self.known.carried_tricks
        if outcome.complete and stays and winner is not None:
            return self.by(winner, "verdict-wins", "verdict-you-win")
        return super().verdict(outcome)

    def kept_clean(self, outcome: PlayOutcome) -> str:
        """Say who takes the trick instead of us, where the fewest points win; else nothing."""
        winner = outcome.winner
        if winner is None or winner == self.seat or not self.rules.green.fewest_win:
            return ""
        return self.by(
            winner, "verdict-takes" if outcome.complete else "verdict-stays", "verdict-you-take"
        )

    def laid(self, move: Move) -> State:
        """Return the trick with the seat's play in it, before anything else happens."""
        state = self.known.copy()
        self.rules.lay_openly(state, self.seat, move.steps[0])
        return state

    def settled(self, lying: State) -> State | None:
        """Settle a copy of the trick as it stands, or return None if nobody could take it yet.

        Players still to come count as having played a card.
        """
        if not lying.trick_size[0] or self.rules.winning_seat(lying, 0) is None:
            return None
        state = lying.copy()
        state.phase = PLAY
        played = state.trick_seat[: state.trick_size[0]]
        for seat in range(self.view.seats):
            if seat not in played and state.hand_size[seat]:
                state.hand_size[seat] -= 1
                self.rules.after_leaving(state, seat)
        self.rules.settle_trick(state)
        return state

    def outcome_words(self, after: State | None, complete: bool) -> str:
        """Say who takes the trick or has it so far, or who wins one that stays on the table."""
        winner = None if after is None else after.last_winner
        stays = after is not None and after.carried_tricks > self.known.carried_tricks
        if complete and stays and winner is not None:
            return self.by(winner, "effect-wins", "effect-you-win")
        return self.trick_words(winner, complete)

    def face_down_words(self, move: Move) -> Iterator[str]:
        """Yield the role of a face-down card, and its symbols."""
        colour = colour_of(move.steps[0])
        led, trump = self.rules.led_colour(self.known), self.rules.red.trump(self.known)
        if led == NONE:
            role = self.say("effect-you-name", colour=COLOURS[colour])
        elif colour == led:
            role = self.say("effect-follows", colour=COLOURS[colour])
        elif colour == trump:
            role = self.say("effect-trump")
        else:
            role = self.say("effect-thrown-off", count=1)
        yield role
        yield from self.symbol_names([value_of(move.steps[0])])

    def card_words(self, laid: State) -> Iterator[str]:
        """Say what is special about the play today: sum, trump, symbols, that it cannot win."""
        play = laid.trick_size[0] - 1
        card, second = laid.trick_card[play], laid.second[play]
        if second != NONE:
            yield self.say("effect-pair", number=self.rules.red.number(laid, play))
        trump, led = self.rules.red.trump(laid), laid.led(0)
        if colour_of(card) == trump and led != trump:
            yield self.say("effect-trump")
        elif colour_of(card) != led:
            yield self.say("effect-thrown-off", count=1 if second == NONE else 2)
        yield from self.symbol_names(
            [value_of(card)] + ([] if second == NONE else [value_of(second)])
        )
        if not self.rules.may_win(laid, play):
            yield self.say("effect-cannot-win")
        turned = self.rules.turned(laid)
        if turned != self.rules.turned(self.known):
            yield self.say(THEN[turned])
        taken_up = [getattr(state, "taken_up", 0) for state in (laid, self.known)]
        if taken_up[0] != taken_up[1] and laid.hand_size[self.seat or 0]:
            yield self.say("then-take-up")

    def barred_words(self, laid: State) -> str:
        """Say which cards of other seats would win, had no sheet kept them from it."""
        play: int = self.rules.trick_winner(laid)
        others = [] if play < 0 else self.barred_by(laid, play)
        barred = [other for other in others if laid.trick_seat[other] != self.seat]
        if not barred:
            return ""
        return self.say("effect-others-cannot", count=len(barred), cards=self.whose(laid, barred))

    def whose(self, state: State, plays: Sequence[int]) -> str:
        """Name plays of the trick and their seats."""
        return ", ".join(
            self.by(
                state.trick_seat[play], "whose-card", "your-card", card=play_text(state, 0, play)
            )
            for play in plays
        )

    def barred_by(self, state: State, winning: int) -> list[int]:
        """Return the plays that are stronger than the one that wins: a sheet keeps them from it."""
        most = self.strength(state, winning)
        return [
            play
            for play in range(state.trick_size[0])
            if self.strength(state, play) > most  # the first of equals is the strongest
        ]

    def strength(self, state: State, play: int) -> tuple[int, int, int]:
        """Return what a play is compared by, whether or not it may win: trump, led colour or
        neither, then its number, then who was first."""
        colour = colour_of(state.trick_card[play])
        is_trump = colour == self.rules.red.trump(state)
        low = self.rules.turned(state) & (AMONG_TRUMPS if is_trump else IN_COLOURS)
        number = self.rules.red.number(state, play)
        kind = 2 if is_trump else int(colour == state.led(0))
        return kind, -number if low else number, -play

    def symbol_names(self, numbers: Sequence[int]) -> Iterator[str]:
        """Yield the symbols that cards with these numbers have today."""
        for name in self.rules.sheet_names:
            sheet = sheet_of(name, self.rules.version)
            symbol = sheet.symbol_name[language_at(self.position.lang)]
            count = sum(number in sheet.values for number in numbers)
            if count and symbol:
                yield symbol if count == 1 else f"{count} × {symbol}"

    def asked_before(self, made: State) -> Iterator[str]:
        """Say what is asked before the trick is taken."""
        asked: Sentence | None = self.rules.red.before_settling(made)
        if asked is not None:
            yield self.in_words(asked)

    def in_words(self, said: Sentence) -> str:
        """Return a sentence of a sheet."""
        facts = {name: self.fact_words(fact) for name, fact in said.facts.items()}
        if said.seat is None:
            return self.say(said.id, **facts)
        return self.by(said.seat, said.id, said.own, **facts)

    def fact_words(self, fact: object) -> object:
        """Return a fact of a sentence in words."""
        if isinstance(fact, Name):
            return self.view.names[fact.seat]
        if isinstance(fact, Points):
            return signed(fact.points)
        return ", ".join(fact.cards) if isinstance(fact, Cards) else fact

    def gains(self, after: State, winner: int | None, complete: bool) -> tuple[Gain, ...]:
        """Return what the trick adds to each seat's own points, before the end of the round."""
        found = []
        for seat in range(self.view.seats):
            points = [self.rules.own_points(state, seat) for state in (self.known, after)]
            if points[0] != points[1]:
                found.append(Gain(seat=seat, points=points[1] - points[0]))
        return tuple(found)

    def gain_words(self, gains: Sequence[Gain]) -> list[str]:
        """Say what the trick is worth, unless it is just one point for its winner."""
        if len(gains) == 1 and gains[0].points == 1:
            return []
        return [self.worth_words(gain) for gain in gains]

    def done_gains(self, gains: Sequence[Gain], after: State) -> list[str]:
        """Say what everyone got, a single point too."""
        return [self.worth_words(gain) for gain in gains]

    def worth_words(self, gain: Gain) -> str:
        """Say what a seat gets."""
        return self.by(gain.seat, "worth-to", "worth-to-you", points=signed(gain.points))

    def worth(self, winner: int | None) -> tuple[Gain, ...]:
        """Return what the trick is worth as it stands."""
        after = self.settled(self.known)
        return () if after is None else self.gains(after, winner, complete=False)

    # -- What a trick brings about -----------------------------------------------------------------

    def what_comes(self, laid: State, after: State | None, gains: Sequence[Gain]) -> Iterator[str]:
        """Say consequences and points; after a lead the winner is not known yet."""
        if after is None or laid.trick_size[0] > 1:
            yield from self.consequences(laid, after)
            yield from self.gain_words(gains)
            return
        taken = joined(*self.for_winner(laid, after), *self.gain_words(gains))
        if taken:
            yield self.say("effect-if-you-take", then=taken)
        yield from self.for_all(laid, after)

    def consequences(self, lying: State, after: State | None) -> Iterator[str]:
        """Say what changes when the trick is settled, besides points."""
        if after is not None:
            yield from self.for_winner(lying, after)
            yield from self.for_all(lying, after)

    def for_winner(self, lying: State, after: State) -> Iterator[str]:
        """Say what the winner gets and must do."""
        if lying.carried_tricks and after.carried_tricks <= lying.carried_tricks:
            yield self.say("then-takes-pile", count=lying.carried_tricks)
        for sheet in (self.rules.red, self.rules.month):
            yield from map(self.in_words, sheet.for_winner(lying, after))

    def for_all(self, lying: State, after: State) -> Iterator[str]:
        """Yield what happens regardless of the winner."""
        if after.carried_tricks > lying.carried_tricks:
            yield self.say("then-stays")
        for sheet in (self.rules.red, self.rules.month):
            yield from map(self.in_words, sheet.for_all(lying, after))
        yield from self.turned(lying, self.closed(after))
        if after.next_leader != after.last_winner and not after.last_trick:
            yield self.by(after.next_leader, "then-leads", "then-you-lead")

    def closed(self, after: State) -> State:
        """Return the state after the extra choices that follow: direction and switch turn last."""
        if after.phase in (PLAY, OVER) or after.counting:
            return after
        state = after.copy()
        self.rules.red.before_lead(state)
        self.rules.month.before_lead(state)
        return state

    def turned(self, lying: State, after: State) -> Iterator[str]:
        """Say whether direction or trump change."""
        if after.direction != lying.direction:
            yield self.say("then-turns")
        trump: int = self.rules.red.trump(after)
        if trump != self.rules.red.trump(lying):
            yield self.say("then-trump-off" if trump == NONE else "then-trump-on")

    # -- Extra choices -----------------------------------------------------------------------------

    def effect(self, move: Move) -> Effect:
        """Describe a play, or a choice: what its sheet says, and what follows from when it is
        asked for."""
        if self.known.phase == PLAY:
            return self.play_effect(move)
        if self.known.trick_size[0]:
            return self.settling_effect(move)
        return self.last_effect(move) if self.known.counting else self.choice_effect(move)

    def own_words(self, move: Move) -> list[str]:
        """Return what the sheet that asks says about a choice."""
        asker = self.rules.asker(self.known)
        return [self.in_words(said) for said in asker.effect(self.known, self.seat, move)]

    def choice_effect(self, move: Move) -> Effect:
        """Describe a choice between tricks: the points it brings, and what is left in the hand."""
        after = self.chosen(move)
        changes = self.gains(after, None, complete=True)
        parts = self.rules.asker(self.known).manners.get(self.known.phase) == PART_WITH
        rest = self.rest(move) if parts else ""
        text = joined(*self.own_words(move), rest, *map(self.worth_words, changes))
        return Effect(move=move.text, text=text, changes=changes)

    def chosen(self, move: Move) -> State:
        """Return what the choice alone changes: nothing has happened since."""
        state = self.known.copy()
        for step in move.steps:
            self.rules.asker(self.known).choose(state, self.seat, step)
        return state

    def settling_effect(self, move: Move) -> Effect:
        """Describe a choice before the trick is settled: who takes it then."""
        after = self.position.after(move)
        winner = after.last_winner
        changes = self.gains(after, winner, complete=True)
        return Effect(
            move=move.text,
            text=joined(
                *self.own_words(move),
                self.outcome_words(after, complete=True),
                *self.consequences(self.known, after),
                *self.gain_words(changes),
            ),
            winner=winner,
            takes_over=self.takes_over(0, winner),
            complete=True,
            place=0,
            changes=changes,
        )

    def last_effect(self, move: Move) -> Effect:
        """Describe a choice at the end of a round: its points and the total then."""
        assert self.seat is not None
        state = self.chosen(move)
        self.rules.count_points(state)
        points = state.points[self.seat]
        total = bare(state.totals[self.seat] + points)
        result = self.say("effect-take", points=signed(points), total=total)
        changes = (Gain(seat=self.seat, points=points),)
        return Effect(move=move.text, text=joined(*self.own_words(move), result), changes=changes)

    def rest(self, move: Move) -> str:
        """Say how many cards are left of each colour that is given away."""
        gone = move.text.split(",")
        phrases = []
        for colour in dict.fromkeys(card[0] for card in gone):
            count = sum(card[0] == colour and card not in gone for card in self.view.hand)
            phrases.append(
                self.say("rest-some" if count else "rest-none", count=count, colour=colour)
            )
        return self.say("effect-rest", colours=", ".join(phrases))

    def half_made(self, text: str) -> Effect | None:
        """Describe a selection that has too few cards yet."""
        if self.view.phase not in self.rules.asker(self.known).card_sets or self.seat is None:
            return None
        words = [word.strip().upper() for word in text.split(",") if word.strip()]
        cards = [self.rules.read_card(self.known, self.seat, word) for word in words]
        missing = self.cards_to_choose() - len(cards)
        known = not any(isinstance(card, Reason) for card in cards)
        if not known or len(set(words)) < len(words) or missing <= 0:
            return None
        rest = self.rest(Move(",".join(words))) if words else ""
        return Effect(move=text, text=joined(self.say("effect-more-cards", count=missing), rest))

    # -- The table ---------------------------------------------------------------------------------

    def table(self) -> TableNow:
        """Return the trick, trump, low or high, the trick's effects and cross-notes."""
        now = super().table()
        trump = self.rules.red.trump(self.known)
        stated = tuple(self.stated(trump))
        return TableNow(
            tricks=now.tricks,
            lines=(*stated, *self.lines()),
            stated=len(stated),
            notes=tuple(self.notes()),
            lowest=bool(self.rules.turned(self.known) & IN_COLOURS),
            trump=None if trump == NONE else COLOURS[trump],
        )

    def stated(self, trump: int) -> Iterator[str]:
        """Yield the trump of this trick, and whether the lowest wins it."""
        if self.view.phase == "play" or self.known.trick_size[0]:
            yield (
                self.say("now-no-trump")
                if trump == NONE
                else self.say("now-trump", trump=COLOURS[trump])
            )
            turned = self.rules.turned(self.known)
            if turned:
                yield self.say(NOW[turned])

    def lines(self) -> Iterator[str]:
        """Yield what else holds for this trick."""
        state = self.known
        if self.view.phase == "play" or state.trick_size[0]:
            if state.named != NONE:
                yield self.say("now-named", colour=COLOURS[state.named])
            then = joined(*self.consequences(state, self.settled(state)))
            if then:
                yield self.say("now-then", then=then)

    def notes(self) -> Iterator[str]:
        """Yield the cross-notes of today's sheets that matter now."""
        sheets = {"green": self.rules.green, "red": self.rules.red, "month": self.rules.month}
        for name, other, note in notes_of(self.rules.sheet_names, self.rules.version):
            sheet = sheets[sheet_kind(sheet_place(name))]
            if sheet.note_matters(self.known, sheet_place(other)):
                yield note[language_at(self.position.lang)]

    def why(self, play: int) -> str:
        """Say why a card wins: trump or led colour, highest or lowest, or no other may win.

        A stronger card that a sheet keeps from winning is named."""
        state = self.known
        colour, led = colour_of(state.trick_card[play]), state.led(0)
        kind = "trump" if colour == self.rules.red.trump(state) else "led"
        if kind == "led" and colour != led:
            return self.say("why-no-other")
        among = AMONG_TRUMPS if kind == "trump" else IN_COLOURS
        low = bool(self.rules.turned(state) & among)
        pair = state.second[play] != NONE
        why = self.say(WHY[kind, low, pair], led=COLOURS[led])
        barred = self.barred_by(state, play)
        if not barred:
            return why
        cards = self.whose(state, barred)
        return self.say("why-barred", count=len(barred), cards=cards, why=why)

    # -- Points ------------------------------------------------------------------------------------

    def tally(self, seat: int, points: int) -> list[Item]:
        """Explain a seat's points: tricks, the month, the red sheet, then the green one."""
        state = self.known
        tricks = state.tricks_won[seat]
        items = [Item(text=self.say("tally-tricks", count=tricks), points=tricks)]
        month = self.rules.month.own_points(state, seat)
        if month:
            items.append(Item(text=self.month_words(seat), points=month))
        counted = state.copy()
        for other in range(self.view.seats):
            counted.numbers[OWN + other] = self.rules.own_points(state, other)
            counted.points[other] = counted.numbers[OWN + other]
        self.rules.red.settle_points(counted)
        red = counted.points[seat] - counted.numbers[OWN + seat]
        if red:
            items.append(Item(text=self.red_words(seat), points=red))
        green = self.rules.green.score(counted, seat) - counted.points[seat]
        if green:
            tally: str = self.rules.green.tally
            target: int = self.rules.green.exact_total()
            words = self.say(tally, target=target) if tally else self.title_of("green")
            items.append(Item(text=words, points=green))
        return items

    def month_words(self, seat: int) -> str:
        """Say what the month adds points for."""
        month = self.rules.month
        if not month.tally:
            return self.title_of("month")
        count: int = month.tally_count(self.known, seat)
        # The name of a symbol may be another on a custom sheet; what is counted has a name already.
        is_symbol = all(fact.symbols for fact in month.facts if fact.form == "count")
        if is_symbol and any(is_own(name) for name in self.rules.sheet_names):
            return f"{self.title_of('month')} ({count})"
        return self.say(month.tally, count=count)

    def red_words(self, seat: int) -> str:
        """Say what the red sheet changes points for."""
        partner: int = self.rules.red.partner_of(self.known, seat)
        if partner != NOBODY:
            return self.by(partner, "tally-partner", "tally-partner-you")
        tally: str = self.rules.red.tally_id()
        count: int = self.rules.red.tally_count(self.known, seat)
        return self.say(tally, count=count) if tally else self.title_of("red")

    def title_of(self, kind: str) -> str:
        """Return the title of today's sheet of a kind."""
        for name in self.rules.sheet_names:
            if sheet_kind(sheet_place(name)) == kind:
                return sheet_of(name, self.rules.version).title[language_at(self.position.lang)]
        return self.say("tally-round")
