"""A sheet of the calendar: the base rules part by part, as a blank sheet has them.

`PARTS` is the closed list of what a sheet may change. A sheet says which parts it replaces and
which it extends; two sheets that replace the same part need a cross-note. A sheet is one module in
`sheets/`: its rules, the choices it asks for, how they are typed and recorded, its events, what it
shows, what a seat learns, and its storage in the state. `Course` and `Stichtag` ask the sheets in
play, and know none of them by name.

The first half of `Sheet` runs compiled; the second half, from "At the table" on, is for matches and
people.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from stichwerk.cards import card_text, is_card
from stichwerk.engine.area import Area
from stichwerk.engine.codes import (
    argument_of,
    card_in,
    card_of,
    half_slot,
    has,
    kind_of,
    only,
    place_of,
    play_at,
    value_of,
)
from stichwerk.engine.constants import NOBODY, NONE
from stichwerk.engine.events import (
    CardPlayed,
    ChoiceHidden,
    ChoiceMade,
    Event,
    GameEvent,
    Move,
    MoveParts,
    TrickTaken,
)
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.round_rules import Moves
from stichwerk.engine.state import State
from stichwerk.errors import Reason
from stichwerk.games.stichtag.constants import RED
from stichwerk.games.stichtag.sentence import Sentence
from stichwerk.games.stichtag.steps import Steps
from stichwerk.games.stichtag.storage import STRUCK

# What a choice is about, for bots; a choice without one of these is made at random.
BID, ACCEPT_POINTS, STRIKE_PLAY, GIVE_TO, PART_WITH, NAME_TRUMP = 1, 2, 3, 4, 5, 6

IN_COLOURS, AMONG_TRUMPS = 1, 2  # where the lowest number wins: see `Course.turned`

PARTS = {
    "deal": "after the deal",
    "plays": "what may be played",
    "follow": "duty to follow",
    "turn": "in turn or at once",
    "trump": "trump",
    "strength": "strength of a play",
    "low": "high or low",
    "win": "who may win",
    "trick": "where the trick goes",
    "after": "after a trick",
    "direction": "direction",
    "lead": "who leads",
    "points": "points of a round",
    "goal": "goal",
}


class Sheet:
    """The base rules. Sheets of the calendar override the parts they name."""

    # No annotations here: a compiled class would not keep such a name as a class attribute.
    name = ""
    replaces = ()  # type: tuple[str, ...]
    extends = ()  # type: tuple[str, ...]
    values = ()  # type: tuple[int, ...]
    origin = ""  # `documented`, `partly` or `own`
    # Texts in German and English; `values` above carry the symbol, `notes` names other sheets.
    title = ("", "")
    symbol_name = ("", "")
    drawing = ""  # the symbol as an SVG path in a square of 24, filled evenodd
    short = ("", "")
    long = ("", "")
    notes = {}  # type: dict[str, tuple[str, str]]
    # By other sheet the sentences, of either sheet, that the cross-note for it cancels.
    cancels = {}  # type: dict[str, tuple[tuple[str, str], ...]]
    # The choices it asks for: phases by number, those in which all choose secretly, kinds of moves.
    # A number belongs to one sheet; environments and states store it.
    asks = {}  # type: dict[int, str]
    secret = ()  # type: tuple[int, ...]
    kinds = {}  # type: dict[int, str]
    seat_kinds = ()  # type: tuple[int, ...]  # kinds of moves whose argument is a seat
    card_seat_kinds = ()  # type: tuple[int, ...]  # whose argument is `play_at` of a card and a seat
    seat_separators = {}  # type: dict[str, str]  # by phase: see `Game`
    emits = ()  # type: tuple[type[Event], ...]  # kinds of events that not every day has
    specials = ()  # type: tuple[str, ...]  # what is drawn after the deal and written to records
    at_once = False  # all but the leader play at the same time, face down
    pairs = False  # a play may be two cards
    sets_aside = False  # cards are set aside
    trumps_apart = False  # high or low is another question among trumps than in the colours
    narrows = False  # what is known says more about hidden cards than voids do
    own_hook = ""  # a method that only sheets like this one have; a custom sheet may replace it
    open_end = False  # the match may end before its last round
    # For bots: the goal, and what a choice is about, by phase.
    fewest_win = False
    hurts_last = False  # the last of a round lose something besides points
    lifts_last = False  # the last of a round get the best one's points
    symbols_help = 0  # 1: a symbol is good for the seat that takes it; -1: it is a burden
    manners = {}  # type: dict[int, int]
    # For environments: phases in which every chosen card, in choice 1, goes to the left neighbour.
    passes_left = ()  # type: tuple[int, ...]
    # Presentation: what a seat has in front of it; as ids of sentences what each phase asks, and
    # what points are given for.
    facts = ()  # type: tuple[Any, ...]  # each a `SeatFact`
    shown = ()  # type: tuple[Any, ...]  # on the table, or to its seat only; each a `TableFact`
    marks = ()  # type: tuple[Any, ...]  # on the plays of a trick; each a `TrickMark`
    panels = ()  # type: tuple[Any, ...]  # how the page asks for its choices; each a `ChoicePanel`
    questions = {}  # type: dict[str, str]
    play_moment = ""  # what kind of play is owed, where that is neither `lead` nor `follow`
    event_words = {}  # type: dict[str, str]  # what happened, by kind of event; see also `narrate`
    tally = ""
    # What is said of a revealed choice, by the choice: of another seat, of the reader's own.
    choice_words = {}  # type: dict[str, tuple[str, str]]
    labels = {}  # type: dict[str, str]  # of choices in a list, by their first word; then a seat may follow
    card_sets = ()  # type: tuple[str, ...]  # phases in which a choice is several cards, in any order

    def __init__(self, seats: int, green: int, red: int, month: int) -> None:
        self.seats = seats
        self.green_number = green  # of the sheets in play, NOBODY for none:
        self.red_number = red  # cross-notes look at them
        self.month_number = month
        self.symbol = 0
        for value in self.values:
            self.symbol |= only(value)

    def join(self, steps: Steps) -> None:
        """Join a game: reserve what the sheet stores in the state."""
        self.steps = steps
        self.reserve(steps.area)

    def reserve(self, area: Area) -> None:
        """Reserve what the sheet stores in the state."""

    def find(self, area: Area) -> None:
        """Look up what another sheet in play stores in the state, for a cross-note."""

    # -- After the deal ----------------------------------------------------------------------------

    def draw(self, state: State, generator: Generator) -> None:
        """Draw special cards at random after the deal."""

    def after_deal(self, state: State) -> None:
        """Act between the deal and the first lead."""

    # -- Extra choices: the sheet that asks lists them and carries them out ------------------------

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """List what may be chosen, in the documented order."""

    def choose(self, state: State, seat: int, move: int) -> None:
        """Make a choice; clear what is owed when it is done."""

    def settled(self, state: State, seat: int) -> None:
        """Carry out what waited for all choices; then the round goes on."""

    def ask_everyone(self, state: State, phase: int) -> None:
        """Ask every seat that has a card for a secret choice."""
        state.phase = phase
        state.owes = 0
        for seat in range(self.seats):
            if state.hand_size[seat]:
                state.owes |= only(seat)

    def ask(self, state: State, phase: int, seat: int) -> None:
        """Ask one seat for an open choice."""
        state.phase = phase
        state.owes = only(seat)

    # -- Playing -----------------------------------------------------------------------------------

    def more_plays(self, state: State, seat: int, colours: int, moves: Moves) -> None:
        """List plays besides single cards, of these colours."""

    def random_play(self, state: State, seat: int, colours: int, generator: Generator) -> int:
        """Return a play of these colours, all equally likely; only for a sheet with pairs."""
        return NOBODY

    def lay_more(self, state: State, seat: int, play: int, move: int) -> None:
        """Play the rest after the first card; only for a sheet with pairs."""

    def lay_at_once(self, state: State, seat: int, move: int) -> None:
        """Play a card that is not seen yet; only for a sheet on which all play at once."""

    def is_face_down(self, state: State, holder: int, card: int) -> bool:
        """Return whether the holder has played this card, which others do not know yet; only for a
        sheet on which all play at once."""
        return False

    # -- Cards that are not in hand ----------------------------------------------------------------

    def after_leaving(self, state: State, seat: int) -> None:
        """Act after a card has left the hand; only for a sheet that sets cards aside."""

    def goes_aside(self, state: State, seat: int, card: int) -> bool:
        """Return whether a card that comes in is set aside; only for a sheet that sets cards
        aside."""
        return False

    # -- Strength of a play ------------------------------------------------------------------------

    def trump(self, state: State) -> int:
        """Return the current trump colour, NONE for none: red."""
        return RED

    def number(self, state: State, play: int) -> int:
        """Return the number of a play: that of its card."""
        return value_of(state.trick_card[play])

    def lowest_wins(self, state: State) -> bool:
        """Return whether the lowest number wins instead of the highest."""
        return False

    def lowest_trump_wins(self, state: State) -> bool:
        """Return whether the lowest of several trumps wins; only for a sheet with
        `trumps_apart`."""
        return self.lowest_wins(state)

    def may_win(self, state: State, play: int) -> bool:
        """Return whether this play can win the trick at all."""
        return True

    # -- The trick ---------------------------------------------------------------------------------

    def asks_before_settling(self, state: State) -> bool:
        """Return whether someone is asked before the winner is settled."""
        return False

    def stays(self, state: State) -> bool:
        """Return whether the trick stays on the table instead of going to its winner."""
        return False

    def after_trick(self, state: State, winner: int) -> None:
        """Apply the effects of a trick once it is taken; may ask for a choice."""

    def before_lead(self, state: State) -> None:
        """Act last before the next lead."""

    def leader(self, state: State, winner: int) -> int:
        """Return who leads next: the winner."""
        return winner

    # -- Points ------------------------------------------------------------------------------------

    def own_points(self, state: State, seat: int) -> int:
        """Return what a seat gets besides a point for each trick."""
        return 0

    def asks_at_end(self, state: State) -> bool:
        """Return whether someone is asked before the points of the round are settled."""
        return False

    def settle_points(self, state: State) -> None:
        """Change the points once everyone's own are counted."""

    def score(self, state: State, seat: int) -> int:
        """Return what the round adds to the seat's total."""
        return state.points[seat]

    # -- Sampling: what a seat cannot see ----------------------------------------------------------

    def fits(self, state: State, holder: int, card: int) -> bool:
        """Return whether what is known allows this card there; only for a sheet that `narrows`."""
        return True

    def spread_unseen(self, state: State, seat: int, generator: Generator) -> bool:
        """Find a holder for every unseen card, including those that are face down."""
        return self.steps.deal_unseen(state, seat, generator)

    def fill(self, state: State, generator: Generator) -> None:
        """Draw at random what the sheet keeps secret."""

    # -- Looking at the trick ----------------------------------------------------------------------

    def has_symbol(self, card: int) -> int:
        """Return 1 if the card carries the symbol, else 0; colours do not matter."""
        return has(self.symbol, value_of(card))

    def symbols_of(self, state: State, play: int) -> int:
        """Return how many cards of a play carry the symbol; a struck play shows none."""
        if play == state.numbers[STRUCK]:
            return 0
        count = self.has_symbol(state.trick_card[play])
        if state.second[play] != NONE:
            count += self.has_symbol(state.second[play])
        return count

    def symbols(self, state: State) -> int:
        """Return how many cards with the symbol are in the trick, without struck plays."""
        count = 0
        for play in range(state.trick_size[0]):
            if play != state.numbers[STRUCK]:
                count += has(self.symbol, value_of(state.trick_card[play]))
                if state.second[play] != NONE:
                    count += has(self.symbol, value_of(state.second[play]))
        return count

    def won_symbols(self, state: State, seat: int) -> int:
        """Return how many cards with the symbol the seat has won."""
        count = 0
        for word in range(2):
            mask = state.won[half_slot(seat, word)]
            while mask:
                count += self.has_symbol(Bits.lowest(mask))
                mask &= mask - 1
        return count

    # -- For bots: what can be known and gained ----------------------------------------------------

    def exact_total(self) -> int:
        """Return the total that wins the match, 0 for none."""
        return 0

    def second_of(self, move: int) -> int:
        """Return the second card of a play, NONE for none; only for a sheet with pairs."""
        return NONE

    def partner_of(self, state: State, seat: int) -> int:
        """Return the seat whose points count for this one too, NOBODY for none."""
        return NOBODY

    def is_barred(self, state: State, seat: int) -> bool:
        """Return whether this seat can win no trick now."""
        return False

    def seen_points(self, state: State, seat: int) -> int:
        """Return `own_points` as far as everyone can see."""
        return self.own_points(state, seat)

    def given_points(self, state: State, play: int) -> int:
        """Return the points that a play brings its own seat if another takes the trick."""
        return 0

    def wanted_tricks(self, state: State, seat: int) -> int:
        """Return how many tricks the seat must take exactly, NONE for no such number."""
        return NONE

    def trick_worth(self, state: State, seat: int, left: int) -> float:
        """Estimate in points what the trick brings the seat that takes it with so many cards left.

        Estimates were found by playing many rounds with different numbers.
        """
        return 1.0

    # -- At the table: choices as text -------------------------------------------------------------

    def step_count(self, state: State) -> int:
        """Return how many actions make one choice."""
        return 1

    def step_text(self, step: int) -> str:
        """Return one action as it is typed: its card."""
        return card_text(argument_of(step))

    def step_parts(self, step: int) -> MoveParts:
        """Return what one action names: a card, a seat or both, by the kinds above; nothing if its
        text is something else."""
        kind, argument = kind_of(step), argument_of(step)
        if kind in self.seat_kinds:
            return MoveParts(seat=None if argument == NONE else argument)
        if kind in self.card_seat_kinds:
            return MoveParts(cards=(card_text(card_of(step)),), seat=place_of(step))
        text = self.step_text(step)
        return MoveParts(cards=(text,) if is_card(text) else ())

    def judge(self, state: State, seat: int, text: str) -> Move | Reason:
        """Return the choice a typed text means, or why the seat cannot make it."""
        return Reason("not-a-move", text=text)

    def judge_play(self, state: State, seat: int, text: str) -> Move | Reason | None:
        """Return a play that is not a single card, or why it is refused; None for all others."""
        return None

    def known_steps(self, state: State, text: str) -> tuple[int, ...] | None:
        """Return the actions of a choice, or of a play of several cards, that is known to be
        legal."""
        return None

    def all_in(self, state: State, seat: int) -> bool:
        """Return whether all plays are in with that of this seat; only for a sheet on which all
        play at once."""
        return state.owes == only(seat)

    def has_played(self, state: State, seat: int) -> bool:
        """Return whether the seat has played a card that is not seen yet; only for a sheet on which
        all play at once."""
        return False

    def chosen_text(self, state: State, seat: int) -> str:
        """Return a secret choice that was made, as it is typed; empty for none."""
        return ""

    # -- Actions of environments, the same on every day --------------------------------------------

    @classmethod
    def action_arguments(cls, kind: int, game: Game) -> list[int]:
        """Return all arguments of a kind of move as seat 0 may choose them, in a fixed order."""
        if kind in cls.seat_kinds:
            return list(range(game.seats))
        cards = list(dict.fromkeys(game.deck.codes))
        if kind in cls.card_seat_kinds:
            return [play_at(card, other) for card in cards for other in range(1, game.seats)]
        return cards

    @classmethod
    def action_text(cls, kind: int, argument: int) -> str:
        """Return the argument of an action in words; seats as steps to the left."""
        if kind in cls.seat_kinds:
            return f"+{argument}"
        if kind in cls.card_seat_kinds:
            return f"{card_text(card_of(argument))} to +{place_of(argument)}"
        return card_text(argument)

    # -- Events ------------------------------------------------------------------------------------

    def play_events(self, before: State, seat: int, move: Move) -> list[Event]:
        """Return what a play shows; only for a sheet on which all play at once."""
        return [CardPlayed(seat, move.text, tuple(move.text.split("+")))]

    def choice_events(self, before: State, seat: int, move: Move) -> list[Event]:
        """Return what a choice shows: openly, under the name of its phase."""
        return [GameEvent(self.asks[before.phase], seat, move.text)]

    def secret_events(self, before: State, seat: int, move: Move) -> list[Event]:
        """Return a secret choice, which only its seat sees."""
        return [ChoiceMade(seat, move.text, to=(seat,)), ChoiceHidden(seat)]

    def all_chosen(self, before: State, seat: int, move: Move) -> list[str]:
        """Return everyone's secret choices, the last of which is this move."""
        texts = [self.chosen_text(before, other) for other in range(self.seats)]
        texts[seat] = move.text
        return texts

    def last_cards(self, before: State, move: Move) -> list[str]:
        """Return the cards that a play adds to the trick it completes."""
        return move.text.split("+")

    def trick_event(self, before: State, after: State, cards: tuple[str, ...]) -> Event:
        """Return that a trick of these cards is settled: its winner took it."""
        return TrickTaken(seat=after.last_winner, cards=cards)

    def trick_events(self, before: State, after: State) -> list[Event]:
        """Return the public effects of a settled trick."""
        return []

    def change_events(self, before: State, after: State) -> list[Event]:
        """Return the public changes of any move."""
        return []

    def opening_events(self, state: State) -> list[Event]:
        """Return what is shown after the deal."""
        return []

    def closing_events(self, state: State) -> list[Event]:
        """Return what is shown at the end of a round."""
        return []

    # -- Views -------------------------------------------------------------------------------------

    def table(self, state: State) -> dict[str, object]:
        """Return what this sheet shows on the table."""
        return {}

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        """Return what this sheet shows this seat only."""
        return {}

    def learn(self, state: State, event: Event) -> bool:
        """Apply an event of this sheet to what one seat knows; return False for other events."""
        if type(event) is not GameEvent or event.seat is None:
            return False
        if event.name not in self.asks.values():
            return False
        self.steps.replay_move(state, event.seat, event.move)
        return True

    # -- Texts -------------------------------------------------------------------------------------

    @classmethod
    def narrate(cls, event: Any, reader: int | None) -> Sentence | None:
        """Return what to say about an event of this sheet to a seat, or a spectator (None); None
        for nothing."""
        return None

    @classmethod
    def play_question(cls, moves: Sequence[str], table: Mapping[str, Any]) -> Sentence | None:
        """Return what a seat is asked that may play so, where that is more than a card; None for
        the usual question."""
        return None

    def effect(self, state: State, seat: int, move: Move) -> list[Sentence]:
        """Return what a choice does besides points: the outlook adds those, and who takes the
        trick."""
        return []

    def reason(self, state: State, seat: int, move: Move) -> Sentence | None:
        """Return why a bot makes a choice, as far as the seat knows; None for no reason of its
        own."""
        return None

    def for_winner(self, lying: State, after: State) -> list[Sentence]:
        """Return what the winner of a trick gets and must do, besides points."""
        return []

    def for_all(self, lying: State, after: State) -> list[Sentence]:
        """Return what a settled trick causes, regardless of its winner."""
        return []

    def before_settling(self, state: State) -> Sentence | None:
        """Return what is asked before the winner of the trick is settled; None for nothing."""
        return None

    def note_matters(self, state: State, other: str) -> bool:
        """Return whether the cross-note for the other sheet matters now."""
        return True

    def tally_id(self) -> str:
        """Return the id of the sentence that says what its points are given for."""
        return self.tally

    def tally_count(self, state: State, seat: int) -> int:
        """Return how many things of a seat `tally` counts: cards with the symbol that it has
        won."""
        return self.won_symbols(state, seat)

    # -- Records -----------------------------------------------------------------------------------

    def entry(self, move: Move) -> object:
        """Return a choice as a record contains it."""
        return move.text

    @classmethod
    def draw_special(cls, stream: Any, seats: int) -> Any:
        """Draw from the stream of a deal; `draw` does the same for states, with fast numbers."""

    @classmethod
    def special_draws(cls, seats: int) -> list[Any]:
        """Return all that can be drawn, each equally likely."""
        return []

    @staticmethod
    def entry_text(value: object) -> str:
        """Return a record's choice as it is typed; empty if it has no such form."""
        return ""

    def is_special(self, value: Any) -> bool:
        """Return whether this can be what is drawn after the deal."""
        return False

    def place_special(self, state: State, value: Any) -> None:
        """Place what was drawn after the deal."""

    def match_facts(self, scores: Sequence[Sequence[int]]) -> dict[str, object]:
        """Return what is public and outlasts a round, besides the scores."""
        return {}


class Goal(Sheet):
    """What the green sheets have in common: when the match ends and how seats are compared."""

    replaces = ("goal",)
    rounds = 3

    def over(self, scores: Sequence[Sequence[int]]) -> bool:
        """Return whether the match ends after these rounds: after the last one."""
        return len(scores) >= self.rounds

    def standing(self, scores: Sequence[Sequence[int]], seat: int) -> tuple[int, ...]:
        """Return what seats are compared by, larger is better."""
        return (sum([points[seat] for points in scores]),)


def mask_texts(low: int, high: int) -> list[str]:
    """Return the cards of two masks in deck order."""
    cards = []
    for half, mask in enumerate((low, high)):
        while mask:
            cards.append(card_text(card_in(half, Bits.lowest(mask))))
            mask &= mask - 1
    return cards
