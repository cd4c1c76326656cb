"""A match: rounds, totals, ranking. Moves go in, events come out; no I/O."""

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cache
from typing import Any, Protocol, Self

from stichwerk.cards import card_code, card_text
from stichwerk.engine.codes import has
from stichwerk.engine.constants import MOST_MOVES
from stichwerk.engine.copying import fitted
from stichwerk.engine.events import (
    ChoicesRevealed,
    Event,
    HandDealt,
    MatchEnded,
    Move,
    RoundScored,
    RoundStarted,
)
from stichwerk.engine.frame import Game
from stichwerk.engine.state import State
from stichwerk.errors import (
    BadCardError,
    BadDealError,
    BadGameError,
    BadSeatsError,
    IllegalMoveError,
    Reason,
    StichwerkError,
    shown,
)
from stichwerk.fairness import (
    HIGHEST_SEED,
    Deal,
    Special,
    Stream,
    deal_round,
    draw_specials,
    first_starter,
    seed_key,
)
from stichwerk.games import registry
from stichwerk.games.options import Value, worded
from stichwerk.move_judge import judge_typed
from stichwerk.view import Standing, View, assemble, completed, public_facts, totals

MOST_NAMED = 5  # cards of a wrong deal listed in an error


class Setting:
    """A game with its seats and options fixed, as returned by `stichwerk.game`."""

    def __init__(
        self, name: str, seats: int, options: Mapping[str, object], rules: int | None = None
    ) -> None:
        self.options: dict[str, Value] = registry.settle_options(name, seats, options, rules)
        self.rules = registry.build(name, seats, self.options, rules)
        self.name = name
        self.seats = seats

    def __repr__(self) -> str:
        options = "".join(f", {key}={value!r}" for key, value in self.options.items())
        version = self.rules.version
        older = "" if version == registry.version_of(self.name) else f", rules={version}"
        return f"stichwerk.game({self.name!r}, seats={self.seats}{older}{options})"

    def new(
        self,
        seed: int | None = None,
        deals: Sequence[Deal | Mapping[str, object]] | None = None,
        names: Sequence[str] | None = None,
    ) -> "Match":
        """Start a match, dealt from a seed (drawn, if none is given) or from given deals."""
        if deals is not None:
            return Match(self, GivenDeals(self, deals), names)
        seed = secrets.randbelow(HIGHEST_SEED + 1) if seed is None else seed
        return Match(self, SeededDeals(self, seed), names)


class Deals(Protocol):
    """Where the cards of a match come from."""

    seed: int | None

    def first_starter(self) -> int:
        """Return who starts the first round."""

    def deal(self, round: int, starter: int) -> Deal | None:
        """Return the cards of a round; None if they are not known yet."""


class SeededDeals:
    """Deals from a seed, as the record format defines them byte for byte."""

    def __init__(self, setting: Setting, seed: int) -> None:
        self.setting = setting
        self.seed: int | None = seed
        self._starter_key = seed_key(seed, 0)  # a bad seed is refused here, before anything starts

    def first_starter(self) -> int:
        """Return the seat that the options name, or one drawn from stream 0."""
        fixed = self.setting.options["starter"]
        if isinstance(fixed, int):
            return fixed
        return first_starter(Stream(self._starter_key), self.setting.seats)

    def deal(self, round: int, starter: int) -> Deal | None:
        """Shuffle and deal from this round's stream."""
        assert self.seed is not None
        return deal_from(Stream(seed_key(self.seed, round)), self.setting.rules, starter)


def deal_from(stream: Stream, rules: Game, starter: int) -> Deal:
    """Return the cards of a round from its stream: hands and stock, then the special cards."""
    deal = deal_round(stream, rules.deck, rules.seats, rules.hand_size, starter)
    specials = draw_specials(stream, rules.specials, rules.seats)
    return Deal(deal.starter, deal.hands, deal.stock, specials)


class GivenDeals:
    """Given deals, as in a record. They are checked before they are used."""

    seed: int | None = None

    def __init__(self, setting: Setting, deals: Sequence[Deal | Mapping[str, object]]) -> None:
        self.setting = setting
        if not isinstance(deals, list | tuple):
            raise BadDealError("bad-deals")
        self.deals = [read_deal(setting, deal) for deal in deals]
        if not self.deals:
            raise BadDealError("no-deal")
        fixed = setting.options["starter"]
        if fixed is not None and self.deals[0].starter != fixed:
            raise BadDealError("wrong-starter", starter=self.deals[0].starter, expected=fixed)

    def first_starter(self) -> int:
        """Return the starter of the first deal."""
        return self.deals[0].starter

    def deal(self, round: int, starter: int) -> Deal | None:
        """Return the round's deal, if there is one; its starter must be the one the rules
        determine."""
        if round > len(self.deals):
            return None
        deal = self.deals[round - 1]
        if deal.starter != starter:
            raise BadDealError("wrong-starter", starter=deal.starter, expected=starter)
        return deal


def read_deal(setting: Setting, given: Deal | Mapping[str, object]) -> Deal:
    """Return a deal from outside, checked: the right seat starts, every card is there exactly
    once."""
    if isinstance(given, Mapping):
        unknown = set(given) - {"starter", "hands", "stock", "extra"}
        if unknown or "starter" not in given or "hands" not in given:
            raise BadDealError("bad-deal", fields=shown(", ".join(sorted(map(shown, given)))))
        starter, hands, stock = given["starter"], given["hands"], given.get("stock", ())
        specials = read_specials(given.get("extra", ()))
    elif isinstance(given, Deal):
        starter, hands, stock = given.starter, given.hands, given.stock
        specials = given.specials
    else:
        raise BadDealError("bad-deal", fields=type(given).__name__)
    rules = setting.rules
    if isinstance(starter, bool) or not isinstance(starter, int) or not 0 <= starter < rules.seats:
        raise BadDealError("bad-starter", starter=shown(starter), seats=rules.seats)
    piles = [_cards(pile) for pile in (*_piles(hands, rules.seats), stock)]
    for seat, hand in enumerate(piles[:-1]):
        if len(hand) != rules.hand_size:
            raise BadDealError("bad-hand", seat=seat, cards=len(hand), expected=rules.hand_size)
    dealt = sorted(card_code(card) for pile in piles for card in pile)
    if dealt != sorted(rules.deck.codes):
        raise _not_the_deck(Counter(dealt), Counter(rules.deck.codes))
    if tuple(kind for kind, _ in specials) != setting.rules.specials:
        raise BadDealError("wrong-specials", expected=", ".join(setting.rules.specials) or "-")
    setting.rules.place_specials(
        setting.rules.new_state(), dict(specials)
    )  # refuses impossible ones
    return Deal(starter, tuple(piles[:-1]), piles[-1], specials)


def _not_the_deck(dealt: Counter[int], deck: Counter[int]) -> BadDealError:
    """Return the error for these cards: it names those that differ from the deck."""
    missing, surplus = _listed(deck - dealt), _listed(dealt - deck)
    return BadDealError("not-the-deck", missing=missing, surplus=surplus)


def _listed(cards: Counter[int]) -> str:
    """Return a few cards by name, `-` for none."""
    listed = [card_text(card) for card in cards.elements()]
    return ", ".join([*listed[:MOST_NAMED], *(["…"] if len(listed) > MOST_NAMED else [])]) or "-"


def read_specials(extra: object) -> tuple[tuple[str, Special], ...]:
    """Return the draws among a record's extra entries: those that no seat made."""
    drawn: list[tuple[str, Special]] = []
    for entry in extra if isinstance(extra, list | tuple) else ():
        if isinstance(entry, list | tuple) and len(entry) == 4 and entry[1] is None:
            at, _, kind, value = entry
            if at != 0 or not isinstance(kind, str):
                raise BadDealError("bad-special", kind=shown(kind), value=worded(value))
            drawn.append((kind, tuple(value) if isinstance(value, list) else value))
    return tuple(drawn)


def _piles(hands: object, seats: int) -> Sequence[object]:
    if not isinstance(hands, list | tuple) or len(hands) != seats:
        raise BadDealError("bad-hands", seats=seats)
    return hands


def _cards(pile: object) -> tuple[str, ...]:
    if not isinstance(pile, list | tuple) or not all(isinstance(card, str) for card in pile):
        raise BadDealError("bad-cards")
    for card in pile:
        try:
            card_code(card)
        except BadCardError:
            raise BadDealError("bad-card", card=card[:20]) from None
    return tuple(card.upper() for card in pile)


class RoundLog:
    """What a record stores of a round."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.pending: dict[int, Move] = {}
        self.choices: list[object] = []
        self.plays: list[list[object]] = []
        self.extra: list[list[object]] = [
            [0, None, kind, list(value) if isinstance(value, tuple) else value]
            for kind, value in deal.specials
        ]
        self.scores: tuple[int, ...] | None = None
        self.left_over: tuple[tuple[str, ...], ...] = ()
        """The hands when the round was over."""
        self.moves = 0


class Match:
    """A match from the first deal to the ranking."""

    def __init__(self, setting: Setting, deals: Deals, names: Sequence[str] | None = None) -> None:
        self.setting = setting
        self.rules = setting.rules
        self.deals = deals
        self.names = _names(setting.seats, names)
        self.rounds: list[RoundLog] = []
        self._state = self.rules.new_state()
        self._events: list[Event] = []
        self._seen: dict[int | None, list[Event]] = {}
        self._seen_up_to: dict[int | None, int] = {}
        self._scores: list[tuple[int, ...]] = []
        self._ranking: tuple[tuple[int, ...], ...] | None = None
        self._judged: tuple[int, str, Move] | None = None
        self.open_history: dict[str, object] = {}  # see `Game.open_history_after`
        self._start_round(deals.first_starter())

    # -- Copies ----------------------------------------------------------------------------------

    def copy(self) -> Self:
        """Return an independent copy, hidden cards included: the same moves lead both to the same
        end.

        Immutable parts (rules, events, the source of the cards) are shared.
        """
        twin = self.__class__.__new__(self.__class__)
        for name, value in self.__getstate__().items():
            setattr(twin, name, value.copy() if isinstance(value, list) else value)
        twin._state = self._state.copy()
        twin.rounds = [copy(log) for log in self.rounds]
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """Return everything but caches: what each seat has seen, and the last judgement."""
        return {**vars(self), "_seen": {}, "_seen_up_to": {}, "_judged": None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update({"open_history": {}, **kept})
        self._state = fitted(self._state, self.rules)

    # -- Queries -----------------------------------------------------------------------------------

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The seats that have to move now; empty when the match is over."""
        return seats_in(self._state.owes, self.rules.seats)

    @property
    def phase(self) -> str:
        """What is asked for now: `play`, a choice by the name its game gives it, or `over`."""
        return self.rules.phases[self._state.phase]

    @property
    def over(self) -> bool:
        """Whether the ranking is final."""
        return self._ranking is not None

    @property
    def scores(self) -> tuple[tuple[int, ...], ...]:
        """For each finished round what it added to each seat's total."""
        return tuple(self._scores)

    @property
    def totals(self) -> tuple[int, ...]:
        """The sum of all finished rounds for each seat."""
        return totals(self.rules.seats, self._scores)

    @property
    def points_now(self) -> tuple[int, ...]:
        """What the running round would count for each seat if it ended here, hidden cards counted:
        not for players."""
        return tuple(self.rules.points_now(self._state))

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...] | None:
        """Seats from best to worst, tied ones in one group; None while the match runs."""
        return self._ranking

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, secrets included: not for players."""
        return tuple(self._events)

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """All hands, by seat: not for players."""
        return tuple([self.rules.hand(self._state, seat) for seat in range(self.rules.seats)])

    def moves(self, seat: int) -> tuple[Move, ...]:
        """Return what the seat may do now, in the documented order; empty out of turn."""
        self._check_seat(seat)
        return tuple(self.rules.moves(self._state, seat))

    def objection(self, seat: int, move: str | Move) -> Reason | None:
        """Return None, or why the seat cannot make this move now."""
        answer = self._judge(seat, move)
        return answer if isinstance(answer, Reason) else None

    def typed(self, entry: object) -> str:
        """Return how a move in a record (a play without its seat) is typed now; empty if there is
        no such form."""
        kind = self.rules.entry_kind(self._state)
        if kind == "plays":
            return self.rules.play_text(self._state, entry) if isinstance(entry, Sequence) else ""
        if kind == "choices":
            return self.rules.choice_text(entry)
        return self.rules.extra_text(kind, entry)

    @property
    def entry_kind(self) -> str:
        """Return where a record stores the next move: `plays`, `choices`, or a kind of `extra`."""
        return self.rules.entry_kind(self._state)

    def view(self, seat: int | None) -> View:
        """Return what this seat may know; None: a spectator."""
        if seat is not None:
            self._check_seat(seat)
        return assemble(self.rules, self._state, seat, self._standing(), self._history(seat))

    def views(self, seats: Iterable[int | None]) -> dict[int | None, View]:
        """Return views without their history, for callers that send many at once.

        Their public part is built once and shared: they must not be modified, or passed on to code
        that might.
        """
        facts = public_facts(self.rules, self._state, self._standing())
        return {seat: completed(self.rules, self._state, seat, facts, ()) for seat in seats}

    def _standing(self) -> Standing:
        return Standing(
            options=self.setting.options,
            names=self.names,
            stock=self._state.stock_size,
            scores=self.scores,
            ranking=self._ranking,
            history=self.open_history,
        )

    def _history(self, seat: int | None) -> list[Event]:
        """Return what the seat has seen so far; checks only what is new since the last call."""
        seen = self._seen.setdefault(seat, [])
        known = self._seen_up_to.get(seat, 0)
        seen += [event for event in self._events[known:] if event.visible(seat)]
        self._seen_up_to[seat] = len(self._events)
        return seen

    # -- Playing ---------------------------------------------------------------------------------

    def play(self, seat: int, move: str | Move) -> tuple[Event, ...]:
        """Make a move and return its events. A move that is not allowed changes nothing."""
        answer = self._judge(seat, move)
        if isinstance(answer, Reason):
            raise IllegalMoveError(answer.id, **answer.data)
        log = copy(self.rounds[-1])
        if log.moves == MOST_MOVES:
            game, phase = self.setting.name, self.phase
            raise BadGameError("own-game-endless", game=game, moves=MOST_MOVES, phase=phase)
        self.rounds[-1].moves += 1
        self._judged = None
        before = self._state.copy()
        known, shown_before = len(self._events), self.open_history
        for step in answer.steps:
            self.rules.play(self._state, seat, step)
        self._write_down(before, seat, answer)
        self._events += self.rules.move_events(before, seat, answer, self._state)
        self.open_history = self.rules.open_history_after(
            shown_before, before, seat, answer, self._state
        )
        if self._state.owes == 0:
            try:
                self._finish_round()
            except StichwerkError:  # the next deal is refused: then this move is not made either
                self._take_back(before, known, log)
                self.open_history = shown_before
                raise
        return tuple(self._events[known:])

    def ends_round(self, seat: int, move: str | Move) -> bool:
        """Return whether a move would be the last of its round; False for one that is not
        allowed."""
        answer = self._judge(seat, move)
        if isinstance(answer, Reason):
            return False
        after = self._state.copy()
        for step in answer.steps:
            self.rules.play(after, seat, step)
        return after.owes == 0

    def _take_back(self, before: State, known: int, log: "RoundLog") -> None:
        """Undo the last move of a round, after which nothing else has happened."""
        self._state = before
        self.rounds[-1] = log
        del self._events[known:]
        self._scores.pop()

    def _judge(self, seat: int, move: str | Move) -> Move | Reason:
        """Return the move that is meant, or why it cannot be made.

        Caches the last allowed one: a server asks whether a move is allowed, then whether it ends
        the round, then makes it.
        """
        self._check_seat(seat)
        text = move.text if isinstance(move, Move) else move
        if self._judged is not None and isinstance(text, str) and self._judged[:2] == (seat, text):
            return self._judged[2]
        answer = judge_typed(
            self.rules,
            self._state,
            seat,
            text,
            waiting_for=self.waiting_for,
            names=self.names,
            over=self.over,
        )
        self._judged = (seat, text, answer) if isinstance(answer, Move) else None
        return answer

    def _check_seat(self, seat: int) -> None:
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.rules.seats:
            raise BadSeatsError("no-such-seat", seat=shown(seat), highest=self.rules.seats - 1)

    # -- Rounds ----------------------------------------------------------------------------------

    def _start_round(self, starter: int) -> None:
        number = len(self.rounds) + 1
        deal = self.deals.deal(number, starter)
        if deal is None:
            return
        self.rounds.append(RoundLog(deal))
        self._state.round = number
        self._state.starter = starter
        self._state.totals = [*self.totals, *[0] * (6 - self.rules.seats)]
        hands = [[card_code(card) for card in hand] for hand in deal.hands]
        self.rules.new_round(self._state, hands, [card_code(card) for card in deal.stock])
        self.rules.place_specials(self._state, dict(deal.specials))
        self.open_history = self.rules.open_history_at_deal(self.open_history)
        stock = len(deal.stock)
        self._events.append(RoundStarted(number, starter, stock))
        for seat, hand in enumerate(deal.hands):
            self._events.append(HandDealt(seat, hand, to=(seat,)))
        self._events += self.rules.opening_events(self._state)

    def _write_down(self, before: State, seat: int, move: Move) -> None:
        """Store the move for the record; secret moves enter it only when all are made."""
        log = self.rounds[-1]
        kind = self.rules.entry_kind(before)
        if not self.rules.secret(before):
            self._enter(log, kind, seat, move)
            return
        log.pending = {**log.pending, seat: move}
        if self.rules.all_in(before, seat):
            for other in self.rules.entry_order(before):
                if other in log.pending:
                    self._enter(log, kind, other, log.pending[other])
            log.pending = {}

    def _enter(self, log: RoundLog, kind: str, seat: int, move: Move) -> None:
        """Add one entry to the record."""
        if kind == "plays":
            log.plays = [*log.plays, self.rules.play_entry(seat, move)]
        elif kind == "choices":
            log.choices = [*log.choices, self.rules.choice_entry(move)]
        else:
            log.extra = [*log.extra, [len(log.plays), seat, kind, self.rules.extra_entry(move)]]

    def _finish_round(self) -> None:
        scores = tuple(self._state.points[seat] for seat in range(self.rules.seats))
        self.rounds[-1].scores = scores
        self.rounds[-1].left_over = self.hands
        self._scores.append(scores)
        self._events.append(RoundScored(scores, self.totals))
        if self.rules.match_over(self._scores):
            self._finish_match()
        else:
            self._start_round(self.rules.next_starter(self._state.starter, self._scores))

    def _finish_match(self) -> None:
        self._ranking = tuple(tuple(group) for group in self.rules.ranking(self._scores))
        self._events.append(MatchEnded(self._ranking))
        if self.rules.hidden_to_the_end:
            for number, log in enumerate(self.rounds, 1):
                texts = tuple(self.rules.choice_text(entry) for entry in log.choices)
                self._events.append(ChoicesRevealed(texts, number))


@cache
def seats_in(owes: int, seats: int) -> tuple[int, ...]:
    """Return the seats in a set of seats: there are few such sets, and they are asked for often."""
    return tuple([seat for seat in range(seats) if has(owes, seat)])


def _names(seats: int, names: Sequence[str] | None) -> tuple[str, ...]:
    """Return one name per seat; seat numbers if none are given."""
    if names is None:
        return tuple(str(seat) for seat in range(seats))
    fitting = isinstance(names, list | tuple) and len(names) == seats
    if not fitting or not all(_is_name(name) for name in names):
        raise BadSeatsError("bad-names", seats=seats)
    return tuple(names)


def _is_name(name: object) -> bool:
    """Return whether this is a non-empty text; half a surrogate pair is not one, as no file could
    contain it."""
    if not isinstance(name, str) or not name.strip():
        return False
    return not any("\ud800" <= sign <= "\udfff" for sign in name)
