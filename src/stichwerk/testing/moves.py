"""Checks that moves are listed, accepted and refused as they should be."""

import re
from collections.abc import Iterator
from itertools import pairwise, permutations

from stichwerk.cards import COLOURS, VALUES_PER_COLOUR, card_code
from stichwerk.engine.codes import has
from stichwerk.engine.constants import PLACES, SEATS
from stichwerk.engine.events import Move
from stichwerk.errors import BadCardError, BadSeatsError, IllegalMoveError
from stichwerk.testing.copies import fields_of
from stichwerk.testing.trial import Trial, check_cards_conserved
from stichwerk.testing.views import everything_seen

NAMES_SEAT = re.compile(r"[a-z]+ (\d)")  # a word and a seat
NONSENSE = (
    *("", " ", ",", ">", "+", "x", "0", "-1", "13", "new", ">new", "pass", "take", "leave"),
    *("veto 0", "veto 9", "R", "8", "R08", "R-1", "R1.0", "R16", "Q8", "ſ8", "R①", "\0", "♥"),
    *("R1>0", "R1>5", "R1>neu", "R1>", "R1>1>1", "R1++R2", "R1,,R2", "1,2,3,4", "1,1,1", "R1 R2"),
    "R1," * 70,
)
OF_OTHER_KINDS = ("1", "1,2,3", "pass", "take", "leave", "veto 0", "R0>0", "R1>new", "R1+R2")


def check_position(trial: Trial) -> None:
    """Run the checks that are cheap enough to run before every move."""
    check_cards_conserved(trial, trial.state)
    check_cards_can_be_held(trial)
    check_someone_can_move(trial)
    for seat in range(trial.rules.seats):
        if seat not in trial.match.waiting_for:
            check_out_of_turn(trial, seat)
        elif not trial.log[-1] or len(trial.match.waiting_for) == 1:
            check_listed_moves(trial, seat)


def check_cards_can_be_held(trial: Trial) -> None:
    """Check that samples may give a seat what it holds: no colour is marked as missing that is
    there."""
    for seat in range(trial.rules.seats):
        for card in trial.rules.hand(trial.state, seat):
            fits = trial.rules.can_hold(trial.state, seat, card_code(card))
            what = f"holds {card}, which samples may not give it (state.voids, may_hold): is"
            trial.demand(fits, f"{what} a void marked by mistake, or does may_play allow it?", seat)


def check_someone_can_move(trial: Trial) -> None:
    """Check that some seat has to move until the match is over, and that each such seat has a
    move."""
    owing = tuple(seat for seat in range(trial.rules.seats) if has(trial.state.owes, seat))
    trial.demand(trial.match.waiting_for == owing, f"waiting for {trial.match.waiting_for}")
    trial.demand(
        not trial.match.over and trial.match.ranking is None, "is over although moves are owed"
    )
    for seat in owing:
        trial.demand(bool(trial.match.moves(seat)), "owes a move and has none", seat)


def check_listed_moves(trial: Trial, seat: int) -> None:
    """Check that listed moves are unique, in the documented order, accepted, and mean
    themselves."""
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
    """Return a sort key for the documented order; None for texts the order does not cover.

    Cards in deck order, places 1-4 then new; numbers rising; singles before pairs; `pass` and
    `leave` last.
    """
    if text in ("pass", "leave"):
        return 2, ()
    if text == "take":
        return 0, ()
    try:
        if seat := NAMES_SEAT.fullmatch(text):
            return 0, (int(seat[1]),)
        if text.replace(",", "").isdecimal():
            return 0, tuple(int(number) for number in text.split(","))
        cards, _, place = text.partition(">")
        codes = tuple(card_code(card) for card in cards.replace("+", ",").split(","))
        at = {"": 0, "new": PLACES + 1}
        return int("+" in cards), (*codes, at[place] if place in at else int(place))
    except (BadCardError, ValueError):
        return None


def check_out_of_turn(trial: Trial, seat: int) -> None:
    """Check that a seat that does not have to move has no moves, and that all its attempts are
    refused: its outermost cards at every position, moves of other kinds in turn."""
    trial.demand(trial.match.moves(seat) == (), "has moves out of turn", seat)
    hand = trial.rules.hand(trial.state, seat)
    begin = len(trial.log[-1]) % len(OF_OTHER_KINDS)
    for text in (*hand[:1], *hand[-1:], *OF_OTHER_KINDS[begin : begin + 2]):
        trial.demand(
            trial.match.objection(seat, text) is not None, f"accepts {text} out of turn", seat
        )


def check_listed_moves_apply(trial: Trial) -> None:
    """Check that every listed move can be made: it changes the state and conserves the cards."""
    for seat in trial.match.waiting_for:
        for move in trial.some(trial.match.moves(seat)):
            after = trial.state.copy()
            for step in move.steps:
                trial.rules.play(after, seat, step)
            trial.demand(fields_of(after) != fields_of(trial.state), f"{move} does nothing", seat)
            check_cards_conserved(trial, after, f"the state after {move}")


def check_other_moves_object(trial: Trial) -> None:
    """Check that a text is accepted if and only if it means a listed move."""
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
    """Yield moves of all kinds with all possible cards, and a few random combinations."""
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
    """Check that a refused move changes nothing, whichever seat tries it."""
    before = everything_seen(trial.match)
    for seat in range(trial.rules.seats):
        for text in ("R16", trial.rules.deck.texts[trial.pick(len(trial.rules.deck.texts))]):
            if trial.match.objection(seat, text) is not None:
                expect_refusal(trial, seat, text)
    for nobody in (-1, trial.rules.seats):
        expect_refusal(trial, nobody, "R1")
    trial.demand(everything_seen(trial.match) == before, "a refused move left a trace")


def expect_refusal(trial: Trial, seat: int, text: str) -> None:
    """Check that this raises."""
    try:
        trial.match.play(seat, text)
    except (IllegalMoveError, BadSeatsError):
        return
    trial.broken(f"plays {text}, to which it objects", seat)
