"""The conformance suite: what every game must hold, ours and yours.

`check_game(stichwerk.game("mine", seats=4))` plays random matches and looks at each position from
all sides: are cards lost, does a refused move leave a trace, does a view tell what is hidden? It
raises a `ConformanceError` that names the game, the seed and the place; it needs no test framework.

A match is never looked into. Beside it runs a state of our own, dealt and moved through the rules'
integer interface: the two must agree, and ours may be looked at, copied and tried out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from typing import NamedTuple, NoReturn, TypeVar

import msgspec

from stichwerk.cards import COLOURS, VALUES_PER_COLOUR, card_code, card_text
from stichwerk.engine.area import layout, read
from stichwerk.engine.codes import choice_slot, half_slot, has, trick_slot
from stichwerk.engine.constants import NONE, PLACES, SEATS, TWIN
from stichwerk.engine.events import Event, Move
from stichwerk.engine.frame import Game
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.errors import BadCardError, BadGameError, BadSeatsError, IllegalMoveError
from stichwerk.match import Match, Setting
from stichwerk.view import Standing, View, assemble, knowledge, sample

__all__ = ["ConformanceError", "check_game"]

CLOSE_LOOKS = 12
"""About how many positions of a match, besides its first choices, get the expensive checks."""

HANDFUL = 48
"""Of how many moves at most each one is tried out; of more, as many are drawn."""

CARD_MASKS = ("hands", "won", "gone", "carried", "aside")
"""Fields of a state in which cards lie as bits, two masks a pile."""

SECRET_FIELDS = ("hands", "stock", "aside", "trace_card", "trace_mask")
"""Fields in which a sampled state may differ from the truth; the last two only say what a viewer
remembers."""

DRAWN_FIELDS = ("partners", "eggs")
"""Fields in which it may differ as long as the round goes on."""

ATTEMPTS = 12
"""How often hidden cards are exchanged at random before it is left at fewer of them."""

NONSENSE = (
    *("", " ", ",", ">", "+", "x", "0", "-1", "13", "new", ">new", "pass", "take", "leave"),
    *("veto 0", "veto 9", "R", "8", "R08", "R-1", "R1.0", "R16", "Q8", "ſ8", "R①", "\0", "♥"),
    *("R1>0", "R1>5", "R1>neu", "R1>", "R1>1>1", "R1++R2", "R1,,R2", "1,2,3,4", "1,1,1", "R1 R2"),
    "R1," * 70,
)


Thing = TypeVar("Thing")


class ConformanceError(AssertionError):
    """A game broke a promise; the message says which, and where to find it."""


def check_game(game: Setting, matches: int = 5, seed: int = 0) -> None:
    """Play this many random matches with the seeds from `seed` on; raise on the first fault."""
    check_copies_are_complete(game)
    for number in range(seed, seed + matches):
        trial = Trial(game, number)
        try:
            check_match(trial)
        except BadGameError as error:
            trial.broken(str(error))


def check_match(trial: "Trial") -> None:
    """Play one random match, and look at it from all sides."""
    while trial.match.waiting_for:
        check_position(trial)
        if trial.looks_closely():
            check_closely(trial)
        trial.advance()
    check_end(trial)
    check_replays(trial)


class MadeMove(NamedTuple):
    """A move that was made, whether it was a secret choice, and what the match told about it."""

    seat: int
    move: Move
    secret: bool
    told: tuple[Event, ...]


class Trial:
    """One random match under examination, and the state of our own that follows it."""

    def __init__(self, game: Setting, seed: int) -> None:
        self.game = game
        self.rules: Game = game.rules
        self.seed = seed
        self.generator = Generator(seed)
        self.match = game.new(seed=seed)
        self.state = self.rules.new_state()
        self.log: list[list[MadeMove]] = []
        self.pending = 0
        self.glimpses = 0
        self.start_round()

    def start_round(self) -> None:
        """Deal the match's new round to our own state."""
        self.log.append([])
        self.pending = 0
        deal_to(self.state, self.match)

    @property
    def choosing(self) -> bool:
        """Whether secret choices are being made."""
        return self.rules.secret(self.state)

    @property
    def viewers(self) -> tuple[int | None, ...]:
        """A spectator and every seat."""
        return (None, *range(self.rules.seats))

    @property
    def glimpsers(self) -> tuple[int | None, ...]:
        """Who is shown another world here: all in the first round, later, as the way there is long,
        one after the other."""
        if len(self.log) == 1:
            return self.viewers
        return (self.viewers[self.glimpses % len(self.viewers)],)

    def looks_closely(self) -> bool:
        """At every first choice and at a few random positions."""
        phase = self.rules.phases[self.state.phase]
        if phase != "play" and len(self.log) == 1 and (not self.log[0] or self.pick(4) == 0):
            return True
        plies = self.rules.seats * self.rules.hand_size * min(self.rules.most_rounds(), 16)
        return self.generator.number(max(1, plies // CLOSE_LOOKS)) == 0

    def pick(self, count: int) -> int:
        """A random number below `count`."""
        return self.generator.number(count)

    def some(self, things: Sequence[Thing]) -> Sequence[Thing]:
        """All of them, or of very many a random handful."""
        if len(things) <= HANDFUL:
            return things
        return [things[self.pick(len(things))] for _ in range(HANDFUL)]

    def advance(self) -> None:
        """A random seat that owes a move makes a random one, in the match and in our own state."""
        seat = self.match.waiting_for[self.pick(len(self.match.waiting_for))]
        move = self.random_move(seat)
        before, secret = self.state.copy(), self.choosing
        self.pending = self.pending + 1 if secret else 0
        if secret and self.rules.all_in(before, seat):
            self.pending = 0
        for step in move.steps:
            self.rules.play(self.state, seat, step)
        told = self.match.play(seat, move.text if self.pick(2) else move)
        self.log[-1].append(MadeMove(seat, move, secret, told))
        expected = tuple(self.rules.move_events(before, seat, move, self.state))
        if told[: len(expected)] != expected:
            self.broken(f"{move} tells {told}, the rules {expected}", seat)
        check_length(self)
        if self.state.owes == 0:
            check_round_end(self)
            if self.match.waiting_for:
                self.start_round()

    def is_hidden(self, number: int, at: int) -> bool:
        """Whether a secret choice, by its round and ply, has not been shown to all yet."""
        if not self.log[number][at].secret:
            return False
        if self.rules.hidden_to_the_end:
            return not self.match.over
        return number == len(self.log) - 1 and at >= len(self.log[number]) - self.pending

    def random_move(self, seat: int) -> Move:
        """Any listed move. With odd seeds mostly one with a low card: zeros meet that way, which
        else hardly ever happens."""
        listed = self.match.moves(seat)
        if self.seed % 2 and self.pick(4):
            return min(listed, key=lambda move: move.steps[-1] % VALUES_PER_COLOUR)
        return listed[self.pick(len(listed))]

    def broken(self, what: str, seat: int | None = None) -> NoReturn:
        """Say what broke, and where."""
        who = "" if seat is None else f", seat {seat}"
        place = f"round {len(self.log)}, ply {len(self.log[-1])}{who}"
        raise ConformanceError(f"{self.game!r}, seed {self.seed}, {place}: {what}")

    def demand(self, holds: bool, what: str, seat: int | None = None) -> None:
        """This must hold."""
        if not holds:
            self.broken(what, seat)


def deal_to(state: State, match: Match) -> None:
    """Deal the newest round of a match to a state of our own."""
    rules, deal = match.rules, match.rounds[-1].deal
    state.round = len(match.rounds)
    state.starter = deal.starter
    state.totals = [*match.totals, *[0] * (SEATS - rules.seats)]
    hands = [[card_code(card) for card in hand] for hand in deal.hands]
    rules.new_round(state, hands, [card_code(card) for card in deal.stock])
    rules.place_specials(state, dict(deal.specials))


# -- Every position --------------------------------------------------------------------------------


def check_position(trial: Trial) -> None:
    """What is cheap enough to be checked before every move."""
    check_cards_conserved(trial, trial.state)
    check_cards_can_be_held(trial)
    check_someone_can_move(trial)
    for seat in range(trial.rules.seats):
        if seat not in trial.match.waiting_for:
            check_out_of_turn(trial, seat)
        elif not trial.log[-1] or len(trial.match.waiting_for) == 1:
            check_listed_moves(trial, seat)


def check_cards_conserved(trial: Trial, state: State, what: str = "the state") -> None:
    """All cards of the deck lie somewhere, each as often as there are copies; sizes are right."""
    found, deck = Counter(cards_of(state)), Counter(trial.rules.deck.codes)
    extra = [named(card) for card in (found - deck).elements()]
    missing = [card_text(card) for card in (deck - found).elements()]
    trial.demand(found == deck, f"{what} has lost {missing} and gained {extra}")
    for seat in range(trial.rules.seats):
        held = len(trial.rules.hand(state, seat))
        size = state.hand_size[seat]
        trial.demand(held == size, f"{what} counts {size} cards in a hand of {held}", seat)


def check_cards_can_be_held(trial: Trial) -> None:
    """What a seat holds, samples may give it: no colour is marked as missing that is there."""
    for seat in range(trial.rules.seats):
        for card in trial.rules.hand(trial.state, seat):
            fits = trial.rules.can_hold(trial.state, seat, card_code(card))
            what = f"holds {card}, which samples may not give it (state.voids, may_hold): is a"
            trial.demand(fits, f"{what} void marked that is none, or does may_play allow it?", seat)


def named(card: int) -> str:
    """A card by its text; what is none at all by its number."""
    try:
        return card_text(card)
    except BadCardError:
        return f"card {card}"


def cards_of(state: State) -> Iterator[int]:
    """Every card that lies somewhere in a state."""
    for field in CARD_MASKS:
        for at, mask in enumerate(getattr(state, field)):
            yield from cards_in(mask, 64 * (at % 2), bool(state.twins))
    for place in range(PLACES):
        first = trick_slot(place, 0)
        yield from state.trick_card[first : first + state.trick_size[place]]
    yield from (card for card in state.second[: state.trick_size[0]] if card != NONE)
    yield from stock_of(state)


def stock_of(state: State) -> list[int]:
    """What is left of the stock, the next card first."""
    return list(state.stock[state.stock_top : state.stock_top + state.stock_size])


def pile(masks: Sequence[int], seat: int) -> Counter[str]:
    """A seat's cards in one of the fields with two masks a seat; never twins."""
    low, high = masks[half_slot(seat, 0) : half_slot(seat, 2)]
    return Counter(map(card_text, (*cards_in(low, 0, False), *cards_in(high, 64, False))))


def cards_in(mask: int, first: int, twins: bool) -> Iterator[int]:
    """The cards that the bits of one mask stand for; a twin's bit is its card once more."""
    while mask:
        bit = (mask & -mask).bit_length() - 1
        is_twin = twins and bit % VALUES_PER_COLOUR == TWIN
        yield first + bit - (TWIN if is_twin else 0)
        mask &= mask - 1


def check_someone_can_move(trial: Trial) -> None:
    """Until the match is over somebody owes a move, and whoever owes one has one."""
    owing = tuple(seat for seat in range(trial.rules.seats) if has(trial.state.owes, seat))
    trial.demand(trial.match.waiting_for == owing, f"waiting for {trial.match.waiting_for}")
    trial.demand(not trial.match.over and trial.match.ranking is None, "over, yet moves are owed")
    for seat in owing:
        trial.demand(bool(trial.match.moves(seat)), "owes a move and has none", seat)


def check_listed_moves(trial: Trial, seat: int) -> None:
    """Listed moves are unique, in the documented order, accepted, and mean themselves."""
    moves = trial.match.moves(seat)
    trial.demand(moves == tuple(trial.rules.moves(trial.state, seat)), "lists other moves", seat)
    texts = [move.text for move in moves]
    trial.demand(len(set(texts)) == len(texts), f"lists a move twice: {texts}", seat)
    keys = [key for key in map(order_key, texts) if key is not None]
    in_order = all(earlier < later for earlier, later in pairwise(keys))
    trial.demand(in_order, f"lists moves out of order: {texts}", seat)
    for move in trial.some(moves):
        reason = trial.match.objection(seat, move)
        trial.demand(reason is None, f"lists {move} and objects: {reason}", seat)
        meant = trial.rules.judge(trial.state, seat, move.text)
        trial.demand(meant == move, f"reads {move!r} as {meant!r}", seat)


def order_key(text: str) -> tuple[int, tuple[int, ...]] | None:
    """Where a move stands in the documented order; None for texts the order says nothing about.

    Cards in deck order, places 1-4 then new; numbers rising; singles before pairs; `pass` and
    `leave` last.
    """
    if text in ("pass", "leave"):
        return 2, ()
    if text == "take":
        return 0, ()
    try:
        if text.startswith("veto "):
            return 0, (int(text[5:]),)
        if text.replace(",", "").isdecimal():
            return 0, tuple(int(number) for number in text.split(","))
        cards, _, place = text.partition(">")
        codes = tuple(card_code(card) for card in cards.replace("+", ",").split(","))
        at = {"": 0, "new": PLACES + 1}
        return int("+" in cards), (*codes, at[place] if place in at else int(place))
    except (BadCardError, ValueError):
        return None


def check_out_of_turn(trial: Trial, seat: int) -> None:
    """A seat that owes nothing has no moves, and whatever it tries is refused."""
    trial.demand(trial.match.moves(seat) == (), "has moves out of turn", seat)
    hand = trial.rules.hand(trial.state, seat)
    others = ("1", "1,2,3", "pass", "take", "leave", "veto 0", "R0>0", "R1>new", "R1+R2")
    for text in (*hand[:1], *hand[-1:], *others):
        trial.demand(trial.match.objection(seat, text) is not None, f"may {text} out of turn", seat)


def check_length(trial: Trial) -> None:
    """A match ends: no more rounds than the rules say, no more moves than cards and choices."""
    plies, rounds = len(trial.log[-1]), len(trial.log)
    most = 4 * (len(trial.rules.deck.codes) + trial.rules.seats)
    trial.demand(plies <= most, f"a round of more than {most} moves")
    trial.demand(rounds <= trial.rules.most_rounds(), f"round {rounds} is one too many")


# -- A closer look ---------------------------------------------------------------------------------


def check_closely(trial: Trial) -> None:
    """What is only checked at some positions."""
    for seat in trial.match.waiting_for:
        check_listed_moves(trial, seat)
    check_listed_moves_apply(trial)
    check_other_moves_object(trial)
    check_refusals_leave_no_trace(trial)
    check_copies_are_independent(trial)
    check_views(trial)
    for viewer in trial.glimpsers:
        check_hidden_cards(trial, viewer)
        trial.glimpses += 1


def check_views(trial: Trial) -> None:
    """Everything about the views of this position but what they would give away."""
    for viewer in trial.viewers:
        view = trial.match.view(viewer)
        check_view_is_assembled(trial, view)
        check_view_as_json(trial, view)
        check_knowledge(trial, view)
        check_sample(trial, view)


def check_listed_moves_apply(trial: Trial) -> None:
    """Every listed move can be made: it changes the state and keeps the cards together."""
    for seat in trial.match.waiting_for:
        for move in trial.some(trial.match.moves(seat)):
            after = trial.state.copy()
            for step in move.steps:
                trial.rules.play(after, seat, step)
            trial.demand(fields_of(after) != fields_of(trial.state), f"{move} does nothing", seat)
            check_cards_conserved(trial, after, f"the state after {move}")


def check_other_moves_object(trial: Trial) -> None:
    """A text is accepted if and only if it means a listed move; every other one is refused."""
    seat = trial.match.waiting_for[trial.pick(len(trial.match.waiting_for))]
    listed = {move.text: move for move in trial.match.moves(seat)}
    for text in (*forms(trial, seat), *NONSENSE):
        accepted = trial.match.objection(seat, text) is None
        trial.demand(accepted or text not in listed, f"refuses the listed {text}", seat)
        if accepted:
            meant = trial.rules.judge(trial.state, seat, text)
            known = isinstance(meant, Move) and listed.get(meant.text) == meant
            trial.demand(known, f"accepts {text!r}, which is not listed", seat)


def forms(trial: Trial, seat: int) -> Iterator[str]:
    """Moves of all kinds with all cards there could be, and a handful of random combinations."""
    cards = [f"{colour}{value}" for colour in COLOURS for value in range(VALUES_PER_COLOUR)]
    for card in cards:
        yield card
        yield card.lower()
    deck, hand = trial.rules.deck.texts, trial.rules.hand(trial.state, seat)
    for card in deck:
        yield from (f"{card}>{place}" for place in (0, 1, 2, 3, 4, 5, "new"))
    yield from (str(number) for number in range(15))
    yield from (f"veto {other}" for other in range(SEATS))
    yield from (f"{low}+{high}" for low, high in pairwise(hand))
    for factor in (1, 2, 3):
        for order in permutations((factor, 2 * factor, 3 * factor)):
            yield ",".join(map(str, order))
    for count in (2, 2, 3, 3, 3, 3, 4) * 6:
        source = hand if hand and trial.pick(2) else deck
        some = [source[trial.pick(len(source))] for _ in range(count)]
        yield ("+" if trial.pick(3) == 0 else ",").join(some)


def check_refusals_leave_no_trace(trial: Trial) -> None:
    """A refused move changes nothing, whoever tries it."""
    before = everything_seen(trial.match)
    for seat in range(trial.rules.seats):
        for text in ("R16", trial.rules.deck.texts[trial.pick(len(trial.rules.deck.texts))]):
            if trial.match.objection(seat, text) is not None:
                expect_refusal(trial, seat, text)
    for nobody in (-1, trial.rules.seats):
        expect_refusal(trial, nobody, "R1")
    trial.demand(everything_seen(trial.match) == before, "a refused move left a trace")


def expect_refusal(trial: Trial, seat: int, text: str) -> None:
    """This must raise."""
    try:
        trial.match.play(seat, text)
    except (IllegalMoveError, BadSeatsError):
        return
    trial.broken(f"plays {text}, to which it objects", seat)


def everything_seen(match: Match) -> list[bytes]:
    """All views of a match, byte for byte."""
    return [encoded(match.view(viewer)) for viewer in (None, *range(match.rules.seats))]


def encoded(view: View) -> bytes:
    """A view as bytes, so that equal means equal to the last one."""
    return msgspec.json.encode(view)


# -- Copies ----------------------------------------------------------------------------------------


def fields_of(state: State) -> dict[str, int | list[int]]:
    """All public fields of a state, as they are now."""
    names = [name for name in dir(state) if not name.startswith("_")]
    values = {name: getattr(state, name) for name in names}
    return {
        name: list(value) if isinstance(value, list) else value
        for name, value in values.items()
        if not callable(value)
    }


def named_fields(state: State) -> dict[str, object]:
    """The fields of a state, with what its game has reserved under the names it has there."""
    fields: dict[str, object] = {**fields_of(state)}
    for area in ("layout", "numbers", "sets"):
        del fields[area]
    return fields | {name: read(state, name) for name in layout(state.layout)}


def check_copies_are_complete(game: Setting) -> None:
    """A copy takes over every field, and shares none."""
    full = game.rules.new_state()
    for number, (name, value) in enumerate(fields_of(full).items(), 1):
        if isinstance(value, list):
            setattr(full, name, [number + at for at in range(len(value))])
        else:
            setattr(full, name, number)
    wanted = fields_of(full)
    copy = full.copy()
    lost = [name for name, value in fields_of(copy).items() if value != wanted[name]]
    for name, value in wanted.items():
        if isinstance(value, list):
            getattr(copy, name)[0] = 0
        else:
            setattr(copy, name, 0)
    shared = [name for name, value in fields_of(full).items() if value != wanted[name]]
    if lost or shared:
        raise ConformanceError(f"{game!r}: copies of a state lose {lost} and share {shared}")


def check_copies_are_independent(trial: Trial) -> None:
    """Playing on in a copy leaves the original as it was, and the other way round."""
    before = fields_of(trial.state)
    copy, second = trial.state.copy(), trial.state.copy()
    trial.demand(fields_of(copy) == before, "a copy differs from its original")
    play_to_the_end(trial, copy)
    trial.demand(fields_of(trial.state) == before, "playing on in a copy changed the original")
    trial.demand(fields_of(second) == before, "playing on in a copy changed another copy")


def play_to_the_end(trial: Trial, state: State) -> None:
    """Make random moves until the round is over."""
    while state.owes:
        seat = next(seat for seat in range(trial.rules.seats) if has(state.owes, seat))
        actions = trial.rules.actions(state, seat)
        trial.demand(bool(actions), "played on at random, owes a move and has none", seat)
        trial.rules.play(state, seat, actions[trial.pick(len(actions))])


# -- Views -----------------------------------------------------------------------------------------


def standing_of(view: View) -> Standing:
    """What a view says about the match around its round."""
    return Standing(
        options=view.options,
        names=view.names,
        stock=view.stock,
        scores=view.scores,
        ranking=view.ranking,
    )


def check_view_is_assembled(trial: Trial, view: View) -> None:
    """A view says what its own door, `assemble`, makes of the same position and visible events."""
    history = [event for event in trial.match.events if event.visible(view.seat)]
    expected = assemble(trial.rules, trial.state, view.seat, standing_of(view), history)
    trial.demand(view == expected, f"{difference(view, expected)} in the view", view.seat)
    truth = Standing(
        options=trial.game.options,
        names=trial.match.names,
        stock=trial.state.stock_size,
        scores=trial.match.scores,
        ranking=trial.match.ranking,
    )
    shown = standing_of(view)
    trial.demand(shown == truth, f"the view shows {shown}, the truth is {truth}", view.seat)


def check_view_as_json(trial: Trial, view: View) -> None:
    """A view survives JSON, and says the same when asked again."""
    again = msgspec.json.decode(encoded(view), type=View)
    trial.demand(again == view, f"{difference(again, view)} after JSON", view.seat)
    trial.demand(encoded(trial.match.view(view.seat)) == encoded(view), "asks twice", view.seat)


def check_knowledge(trial: Trial, view: View) -> None:
    """A view knows its own cards, of others at most cards that came from it, and no secrets."""
    state = knowledge(view)
    for seat in range(trial.rules.seats):
        known = Counter(trial.rules.hand(state, seat))
        truth = Counter(trial.rules.hand(trial.state, seat))
        right = known == truth if seat == view.seat else known <= truth & dealt_to(trial, view.seat)
        what = f"the view takes {sorted(known)} for the hand of seat {seat}, {sorted(truth)}"
        trial.demand(right, what, view.seat)
        aside = pile(trial.state.aside, seat) if seat == view.seat else Counter()
        known = pile(state.aside, seat)
        trial.demand(known == aside, f"the view takes {sorted(known)} for set aside", view.seat)
    trial.demand(set(stock_of(state)) <= {NONE}, "the view knows the stock", view.seat)
    if trial.state.owes:
        for kind in [kind for kind in DRAWN_FIELDS if kind in trial.rules.specials]:
            values = enumerate(getattr(state, kind))
            others = [value for at, value in values if at != view.seat or kind == "eggs"]
            trial.demand(set(others) == {NONE}, f"the view knows {kind}", view.seat)
    if trial.rules.hidden_to_the_end:
        return  # some of these choices are shown one after the other
    for at, made in enumerate(trial.log[-1]):
        if trial.is_hidden(len(trial.log) - 1, at) and made.seat != view.seat:
            known_choice = state.choice[choice_slot(made.seat, 0) : choice_slot(made.seat, 3)]
            truth_now = trial.state.choice[choice_slot(made.seat, 0) : choice_slot(made.seat, 3)]
            same = known_choice == truth_now
            trial.demand(not same, f"the view knows the choice of {made.seat}", view.seat)


def dealt_to(trial: Trial, viewer: int | None) -> Counter[str]:
    """The cards that a seat was dealt this round; a spectator has none."""
    return Counter(() if viewer is None else trial.match.rounds[-1].deal.hands[viewer])


def check_sample(trial: Trial, view: View) -> None:
    """A sampled state has all cards, looks just like the view, and differs only in secrets."""
    state = sample(view, trial.generator)
    check_cards_conserved(trial, state, "a sample")
    seen = assemble(trial.rules, state, view.seat, standing_of(view), view.history)
    same = encoded(seen) == encoded(view)
    trial.demand(same, f"{difference(seen, view)} in the view of a sample", view.seat)
    truth = named_fields(trial.state)
    secret = {*SECRET_FIELDS, *(DRAWN_FIELDS if trial.state.owes else ())}
    if choices_are_secret(trial):
        secret.add("choice")
    for name, value in named_fields(state).items():
        alike = name in secret or value == truth[name]
        trial.demand(alike, f"a sample has {name} {value}, the truth {truth[name]}", view.seat)


def choices_are_secret(trial: Trial) -> bool:
    """Whether there may be choices of this round that were not shown to all."""
    if trial.rules.hidden_to_the_end:
        return not trial.match.over
    return trial.choosing


def difference(one: View, other: View) -> str:
    """The first thing in which two views differ."""
    for name in View.__struct_fields__:
        here, there = getattr(one, name), getattr(other, name)
        if here != there:
            return f"{name} is {shortened(here)} instead of {shortened(there)}"
    return "the bytes differ"


def shortened(value: object) -> str:
    """A value in a few words; of a long one the end, where histories differ."""
    text = repr(value)
    return text if len(text) <= 400 else f"... {text[-400:]}"


# -- Swapped secrets -------------------------------------------------------------------------------


def check_hidden_cards(trial: Trial, viewer: int | None) -> None:
    """Exchange all that this viewer cannot know: in the other world it sees the very same.

    The other world is a whole match: the deals are changed as `sample` says, secret choices are
    replaced, and every move that was seen is made again. So each of them must be allowed there,
    which fails when a sample gives a seat cards that it has shown not to have.
    """
    view = trial.match.view(viewer)
    other = another_world(trial, view)
    seen = other.view(viewer)
    same = encoded(seen) == encoded(view)
    trial.demand(same, f"{difference(view, seen)} when hidden cards are swapped", viewer)


def another_world(trial: Trial, view: View) -> Match:
    """A match with other secrets in which the viewer would have seen the same until now."""
    state = sample(view, trial.generator)
    finished = [past_deal(trial, view.seat, number) for number in range(len(trial.log) - 1)]
    if not cards_moved(trial):
        other = World(trial, view.seat, [*finished, sampled_deal(trial, view.seat, state)])
        other.replay_history(state)
        return other.match
    hidden = hidden_cards(trial, view.seat)
    for attempt in range(ATTEMPTS, -1, -1):
        renamed = exchanged(trial, hidden, attempt)
        other = World(trial, view.seat, [*finished, renamed_deal(trial, state, renamed)], renamed)
        if other.can_replay_history(state):
            return other.match
    trial.broken("the same deal cannot be played again", view.seat)


class World:
    """Another match with the same visible history, and a state of our own that follows it."""

    def __init__(
        self,
        trial: Trial,
        viewer: int | None,
        deals: list[dict[str, object]],
        renamed: Mapping[str, str] | None = None,
    ) -> None:
        self.trial = trial
        self.viewer = viewer
        self.renamed = renamed or {}
        self.match = trial.game.new(deals=deals)
        self.state = trial.rules.new_state()
        deal_to(self.state, self.match)

    def replay_history(self, sampled: State) -> None:
        """Make every move again; each must be allowed."""
        for number, moves in enumerate(self.trial.log):
            for at, made in enumerate(moves):
                text = self.text(sampled, number, at, made)
                reason = self.match.objection(made.seat, text)
                what = f"in a sampled deal seat {made.seat} cannot {text}: {reason}"
                self.trial.demand(reason is None, what)
                self.play(made.seat, text)

    def can_replay_history(self, sampled: State) -> bool:
        """Make every move again, as long as they are allowed; whether all were."""
        for number, moves in enumerate(self.trial.log):
            for at, made in enumerate(moves):
                text = self.text(sampled, number, at, made)
                if self.match.objection(made.seat, text) is not None:
                    return False
                self.play(made.seat, text)
        return True

    def text(self, sampled: State, number: int, at: int, made: MadeMove) -> str:
        """The move as it is made here: what the viewer has not seen may be another one."""
        current = number == len(self.trial.log) - 1
        if made.seat == self.viewer:
            return made.move.text
        if self.trial.is_hidden(number, at):
            if self.renamed and not self.trial.rules.hidden_to_the_end:
                return self.another_choice(made)
            wanted = sampled.choice if current else seen_of_choices(self.trial, number)
            return fitting_choice(self.trial, self, made.seat, wanted)
        if current and made.secret:
            return self.renamed.get(made.move.text, made.move.text)
        return made.move.text

    def another_choice(self, made: MadeMove) -> str:
        """Any choice instead of one that is still secret; of a card whose colour was named, one of
        that colour."""
        colours = [event.move for event in made.told if event.kind == "named"]
        listed = [move.text for move in self.match.moves(made.seat)]
        fitting = [text for text in listed if not colours or text[0] == colours[0]]
        return fitting[self.trial.pick(len(fitting))] if fitting else made.move.text

    def play(self, seat: int, text: str) -> None:
        """In the match and in our own state."""
        move = self.trial.rules.judge(self.state, seat, text)
        if not isinstance(move, Move):
            self.trial.broken(f"match and rules disagree about {text}", seat)
        for step in move.steps:
            self.trial.rules.play(self.state, seat, step)
        self.match.play(seat, text)
        if self.state.owes == 0 and self.match.waiting_for:
            deal_to(self.state, self.match)


def cards_moved(trial: Trial) -> bool:
    """Whether cards came into hands this round after the deal."""
    told = (event for made in trial.log[-1] for event in made.told)
    return any(event.kind in ("received", "drew") for event in told)


def hidden_cards(trial: Trial, viewer: int | None) -> list[str]:
    """The cards of this round that the viewer has never seen."""
    seen = set(dealt_to(trial, viewer))
    for event in (event for made in trial.log[-1] for event in made.told):
        if event.kind == "round":
            break
        if event.kind in ("play", "discard"):
            seen.update(event.move.replace("+", ",").split(","))
        if event.kind in ("received", "drew", "trick", "stays") and event.visible(viewer):
            seen.update(event.cards)
    return [card for card in trial.rules.deck.texts if card not in seen]


def exchanged(trial: Trial, hidden: Sequence[str], times: int) -> dict[str, str]:
    """These cards with other names, after so many exchanges. Where odd cards are set aside in the
    sight of all, odd cards stay odd."""
    renamed = {card: card for card in hidden}
    for _ in range(times if hidden else 0):
        one, other = (hidden[trial.pick(len(hidden))] for _ in range(2))
        alike = (card_code(one) + card_code(other)) % 2 == 0
        if alike or "aside" not in trial.match.view(None).table:
            renamed[one], renamed[other] = renamed[other], renamed[one]
    return renamed


def renamed_deal(trial: Trial, state: State, renamed: Mapping[str, str]) -> dict[str, object]:
    """The deal of this round with hidden cards renamed, and draws as a sampled state has them."""
    deal = trial.match.rounds[-1].deal
    hands = [[renamed.get(card, card) for card in hand] for hand in deal.hands]
    stock = [renamed.get(card, card) for card in deal.stock]
    extra = sampled_specials(trial, state)
    return {"starter": deal.starter, "hands": hands, "stock": stock, "extra": extra}


def sampled_deal(trial: Trial, viewer: int | None, state: State) -> dict[str, object]:
    """The deal of this round as a sampled state would have it: what is left and what was played."""
    deal = trial.match.rounds[-1].deal
    hands: list[Sequence[str]] = []
    for seat, dealt in enumerate(deal.hands):
        played = Counter(dealt) - kept(trial, trial.state, seat)
        sampled = (kept(trial, state, seat) + played).elements()
        hands.append(dealt if seat == viewer else shuffled(trial, sampled))
    stock = [card_text(card) for card in stock_of(state)]
    extra = sampled_specials(trial, state)
    return {"starter": deal.starter, "hands": hands, "stock": stock, "extra": extra}


def kept(trial: Trial, state: State, seat: int) -> Counter[str]:
    """What a seat has in hand and aside."""
    return Counter(trial.rules.hand(state, seat)) + pile(state.aside, seat)


def sampled_specials(trial: Trial, state: State) -> list[list[object]]:
    """The special cards of this round as a sampled state has them; open ones as they are."""
    drawn: dict[str, object] = {}
    for kind in DRAWN_FIELDS:
        if kind in trial.rules.specials:
            values = list(getattr(state, kind))
            drawn[kind] = values[: trial.rules.seats] if kind == "partners" else values
    specials = trial.match.rounds[-1].deal.specials
    return [[0, None, kind, drawn.get(kind, value)] for kind, value in specials]


def past_deal(trial: Trial, viewer: int | None, number: int) -> dict[str, object]:
    """The deal of a finished round: not known are the order in which hands were dealt, and that of
    the stock, as far as nobody has drawn from it."""
    deal = trial.match.rounds[number].deal
    hands = [
        hand if seat == viewer else shuffled(trial, hand) for seat, hand in enumerate(deal.hands)
    ]
    told = (event for made in trial.log[number] for event in made.told)
    drawn = sum(len(event.cards) for event in told if event.kind == "drew")
    stock = [*deal.stock[:drawn], *shuffled(trial, deal.stock[drawn:])]
    extra = [[0, None, kind, value] for kind, value in deal.specials]
    return {"starter": deal.starter, "hands": hands, "stock": stock, "extra": extra}


def shuffled(trial: Trial, cards: Iterable[str]) -> list[str]:
    """The same cards in random order."""
    rest = list(cards)
    return [rest.pop(trial.pick(len(rest))) for _ in range(len(rest))]


def seen_of_choices(trial: Trial, number: int) -> list[int]:
    """What became known of the choices of a finished round; NONE stands for what did not."""
    known = [NONE] * choice_slot(SEATS, 0)
    current = 0
    for event in trial.match.events:
        current = event.round or current if event.kind == "round" else current
        if event.kind == "turned" and current == number + 1:
            at = choice_slot(event.seat or 0, event.position or 0)
            known[at] = NONE if event.value is None else event.value
    return known


def fitting_choice(trial: Trial, other: World, seat: int, wanted: Sequence[int]) -> str:
    """A random choice of this seat in the other world that fits what is wanted; NONE fits all."""
    wish = wanted[choice_slot(seat, 0) : choice_slot(seat, 3)]
    fitting = []
    for move in other.match.moves(seat):
        after = other.state.copy()
        for step in move.steps:
            trial.rules.play(after, seat, step)
        made = after.choice[choice_slot(seat, 0) : choice_slot(seat, 3)]
        if all(want in (NONE, got) for want, got in zip(wish, made, strict=True)):
            fitting.append(move.text)
    trial.demand(bool(fitting), f"seat {seat} cannot have made the sampled choice {wish}")
    return fitting[trial.pick(len(fitting))]


# -- The end ---------------------------------------------------------------------------------------


def check_round_end(trial: Trial) -> None:
    """Our own state and the match agree on the points of the round; no card is lost."""
    check_cards_conserved(trial, trial.state, "the end of the round")
    points = tuple(trial.state.points[: trial.rules.seats])
    scores = trial.match.scores
    trial.demand(len(scores) == len(trial.log), f"{len(scores)} rounds are scored")
    trial.demand(scores[-1] == points, f"scores {scores[-1]}, the rules say {points}")
    sums = tuple(sum(column) for column in zip(*scores, strict=True))
    trial.demand(trial.match.totals == sums, f"totals {trial.match.totals} instead of {sums}")


def check_end(trial: Trial) -> None:
    """The match has a ranking of all seats, and nobody may do anything any more."""
    match, seats = trial.match, range(trial.rules.seats)
    trial.demand(match.over and match.ranking is not None, "stops without a ranking")
    ranked = sorted(seat for group in match.ranking or () for seat in group)
    trial.demand(ranked == list(seats), f"ranks {match.ranking}")
    for seat in seats:
        trial.demand(match.moves(seat) == (), "has moves after the end", seat)
        for text in ("R1", "1,2,3", *NONSENSE):
            trial.demand(match.objection(seat, text) is not None, f"may {text!r} at the end", seat)
    check_views(trial)
    for viewer in trial.viewers[:2]:
        check_hidden_cards(trial, viewer)


def check_replays(trial: Trial) -> None:
    """The same moves on the same deals bring about the same, from the seed and from the record."""
    logs = trial.match.rounds
    deals = [log.deal for log in logs]
    for again in (trial.game.new(seed=trial.seed), trial.game.new(deals=deals)):
        for seat, move, _, told in (made for round in trial.log for made in round):
            trial.demand(again.play(seat, move.text) == told, f"a replay of {move} differs", seat)
        trial.demand(again.events == trial.match.events, "a replay has other events")
        trial.demand(again.scores == trial.match.scores, "a replay has other scores")
        trial.demand(again.ranking == trial.match.ranking, "a replay has another ranking")
        same = everything_seen(again) == everything_seen(trial.match)
        trial.demand(same, "a replay shows other views")
