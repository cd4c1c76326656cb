"""Frauds with shares, seeds, cards, rules and words of a deal."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any
from unittest.mock import patch

from msgspec import UNSET
from msgspec.structs import replace

from stichwerk.cards import COLOURS
from stichwerk.engine.events import Event
from stichwerk.errors import StichwerkError
from stichwerk.fairness import Deal, client_commit, server_commit
from stichwerk.hash_words import fingerprint, word_list
from stichwerk.record import Fairness, Record
from stichwerk.server import wire
from stichwerk.server.network.socket_client import SocketClient
from stichwerk.server.network.socket_sessions import SocketSession
from stichwerk.server.tables.shuffle import Shuffle
from stichwerk.view import View
from tests.attack.fraud import HOST, TRIES, VICTIM, Strategy, agreed_again, drawn, worth

# -- Shares that are not those of the players ------------------------------------------------------


class OwnShares(Shuffle):
    """A host that puts shares of its own in place of others, and tries many of them."""

    tries = TRIES

    def take_over(self, seats: Sequence[int]) -> None:
        """Own shares for these seats; of the last one the best of many. All are open at once."""
        for seat in seats:
            self._put(seat, drawn(self.match, seat))
        self.seeds = list(self.own)
        options = [drawn(self.match, seats[-1], number) for number in range(self.tries)]
        self._put(seats[-1], max(options, key=partial(self._worth, seats[-1])))
        self.seeds = list(self.own)

    def _put(self, seat: int, seed: bytes) -> None:
        self.own[seat] = self.seeds[seat] = seed
        self.commits[seat] = client_commit(self.match, seat, seed)

    def _worth(self, seat: int, seed: bytes) -> int:
        self._put(seat, seed)
        return worth(self.deal(1, self.first_starter()))

    def check_open(self, seat: int, seed: bytes) -> None:
        return  # whatever is opened is forgotten

    def open(self, seat: int, seed: bytes) -> None:
        return


class Stolen(OwnShares):
    """On arrival."""

    def seal(self, seat: int, commit: bytes) -> None:
        self._put(seat, drawn(self.match, seat))
        self.seeds[seat] = None
        missing = self.unsealed_seats()
        if not missing:
            people = [at for at, trusted in enumerate(self.trusted) if trusted and at != seat]
            for at in people:
                self._put(at, drawn(self.match, at))
            self._settle()
            self.take_over([seat])


class StolenShares(Strategy):
    """The published attack."""

    name = "stolen-shares"
    what = "stores a share of its own for each that arrives, confirms it, and takes the best of 400"
    shuffle = Stolen
    stops: tuple[str, ...] = ("deal-share-replaced",)
    share = True


class SilentSwap(StolenShares):
    """As long as the seal is not answered, the program may think that it is still on its way."""

    name = "silent-swap"
    what = (
        "stores a share of its own for each that arrives, never answers the seal, and tells of the "
        "table only when the match begins and ends"
    )
    stops: tuple[str, ...] = ()
    says = "deal-share-foreign"
    page = "asks `deal-share-replaced`"

    def __init__(self, victim: int = VICTIM) -> None:
        super().__init__(victim)
        self.begun: set[SocketClient] = set()

    def patches(self) -> list[tuple[object, str, object]]:
        """Suppress the answer to the victim's seal."""
        honest = SocketSession._answer

        async def answer(connection: Any, request: Any, moment: Any) -> None:
            client, table = connection.client, connection.live_table.table
            victim = table.seat_of(client.person) == self.victim
            if not (victim and isinstance(request, wire.Commit)):
                await honest(connection, request, moment)
                return
            with patch.object(client, "tell", lambda message: None), suppress(StichwerkError):
                await honest(connection, request, moment)

        return [(SocketSession, "_answer", answer)]

    def tell(self, message: wire.FromServer, client: SocketClient) -> wire.FromServer:
        if not isinstance(message, wire.Update) or message.seat != self.victim:
            return message
        if message.table is None or message.table.stage != "playing":
            return message
        begun = client in self.begun
        self.begun.add(client)
        return replace(message, table=None) if begun else message


class OtherSeat(SilentSwap):
    """A share for another seat is not missed."""

    name = "other-seat"
    what = (
        "stores a share of its own for each that arrives, and names another seat than before to "
        "the player"
    )
    stops = ("deal-seat",)
    says = page = ""

    def tell(self, message: wire.FromServer, client: SocketClient) -> wire.FromServer:
        if isinstance(message, wire.Update) and message.seat == self.victim and message.table:
            dealing = message.table.dealing
            if dealing is not None and dealing.client_commits[self.victim] is not None:
                return replace(message, seat=2)
        return message


class SealedFirst(OwnShares):
    """As soon as a match is set up."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.take_over([seat for seat, trusted in enumerate(self.trusted) if trusted])


class ForeignShares(Strategy):
    """Like another window of the same person."""

    name = "foreign-shares"
    what = "seals for everyone before they can, as if they had done it in another window"
    shuffle = SealedFirst
    says = "deal-share-foreign"
    share = True


class DrawnFirst(SealedFirst):
    """And says so."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.trusted = [False] * len(self.trusted)


class DrawnShares(Strategy):
    """Nobody takes part but the host."""

    name = "drawn-shares"
    what = "draws the shares of all seats itself, and says so (`trusted` false)"
    shuffle = DrawnFirst
    says = "deal-no-share"
    share = True


class LateSwap(OwnShares):
    """When all are sealed."""

    def seal(self, seat: int, commit: bytes) -> None:
        Shuffle.seal(self, seat, commit)
        if self.sealed:
            self.take_over([at for at, trusted in enumerate(self.trusted) if trusted])


class SwappedShares(Strategy):
    """Later than on arrival."""

    name = "swapped-shares"
    what = "keeps each share until all are sealed, then puts its own in their place"
    shuffle = LateSwap
    stops = ("deal-share-replaced", "deal-changed")
    share = True


class SwapInside(Shuffle):
    """Commits as they are; a transcript over others."""

    @property
    def transcript(self) -> bytes:
        shown = list(self.commits)
        self.commits[VICTIM] = drawn(self.match, "other")
        try:
            return super().transcript
        finally:
            self.commits = shown


class SwappedInTranscript(Strategy):
    """The hash is not that of the seals."""

    name = "swapped-in-transcript"
    what = "shows the share that was sealed, and hashes another one into the transcript"
    shuffle = SwapInside
    stops = ("deal-transcript",)
    broken = share = words = True


# -- The server's own seeds ------------------------------------------------------------------------


class LateSeeds(Shuffle):
    """New server seeds once all shares are open."""

    tries = TRIES

    def open(self, seat: int, seed: bytes) -> None:
        super().open(seat, seed)
        if self.opened:
            options = [self._seeds(number) for number in range(self.tries)]
            self._use(max(options, key=self._worth))

    def _seeds(self, number: int) -> tuple[bytes, ...]:
        count = len(self.server_seeds)
        return tuple(drawn(self.match, "server", number, at) for at in range(count))

    def _use(self, seeds: tuple[bytes, ...]) -> None:
        self.server_seeds = seeds
        self.server_commits = tuple(
            server_commit(self.match, number, seed) for number, seed in enumerate(seeds)
        )

    def _worth(self, seeds: tuple[bytes, ...]) -> int:
        self._use(seeds)
        return worth(self.deal(1, self.first_starter()))


class LateServerSeeds(Strategy):
    """Everything fits in itself afterwards."""

    name = "late-server-seeds"
    what = "seals its own seeds anew once it has seen all shares"
    shuffle = LateSeeds
    stops = ("deal-changed",)
    words = True


class OtherSeeds(Shuffle):
    """Seeds that were never sealed."""

    def describe(self, rounds_over: int) -> wire.Dealing:
        honest = super().describe(rounds_over)
        return replace(honest, server_seeds=("ab" * 32,) * len(honest.server_seeds))

    def proof(self, rounds_over: int) -> Fairness:
        honest = super().proof(rounds_over)
        return replace(honest, server_seeds=("ab" * 32,) * len(honest.server_seeds))


class WrongServerSeeds(Strategy):
    """Publishes what it likes."""

    name = "wrong-server-seeds"
    what = "publishes other seeds than it sealed"
    shuffle = OtherSeeds
    stops = ("deal-server-seed",)
    broken = share = words = True


class WithheldSeeds(Strategy):
    """Publishes nothing."""

    name = "withheld-seeds"
    what = "does not publish its seed when a round is over"
    stops = ("deal-seed-missing",)

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> wire.Dealing:
        return replace(dealing, server_seeds=dealing.server_seeds[:1])


class IncompleteSeals(Strategy):
    """To seal the rest when it is known."""

    name = "incomplete-seals"
    what = "leaves out its seals of later rounds, to choose those seeds later"
    stops = ("deal-incomplete",)

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> wire.Dealing:
        return replace(dealing, server_commits=dealing.server_commits[:1])


# -- Cards, rules, words ---------------------------------------------------------------------------


class OwnCards(Shuffle):
    """The best of the hands goes to the host."""

    def deal(self, round: int, starter: int) -> Deal | None:
        made = super().deal(round, starter)
        assert made is not None
        best = max(range(len(made.hands)), key=lambda seat: worth(made, seat))
        hands = list(made.hands)
        hands[HOST], hands[best] = hands[best], hands[HOST]
        if hands[VICTIM] == made.hands[VICTIM]:
            hands[VICTIM], hands[2] = hands[2], hands[VICTIM]
        return Deal(made.starter, tuple(hands), made.stock, made.specials)


class OtherHands(Strategy):
    """The proof is of other cards."""

    name = "other-hands"
    what = "deals other hands than those that follow from the shares"
    shuffle = OwnCards
    stops = ("deal-hand",)
    broken = share = words = True


class ShownHand(Strategy):
    """The event is true, what the person sees is not."""

    name = "shown-hand"
    what = "deals as agreed, and shows the victim other cards than those"
    stops = ("deal-hand",)
    first_card = 0  # from when on: how many cards of the hand are gone

    def tell(self, message: wire.FromServer, client: SocketClient) -> wire.FromServer:
        if not isinstance(message, wire.Update | wire.Welcome) or message.seat != self.victim:
            return message
        view = message.view
        if view is None or len(view.hand) > max(view.hand_sizes) - self.first_card:
            return message
        return replace(message, view=replace(view, hand=self.show(view)))

    def show(self, view: View) -> tuple[str, ...]:
        """Low cards."""
        low = [f"{colour}{value}" for value in range(8) for colour in COLOURS[:4]]
        return tuple(sorted(low[: len(view.hand)]))


class HiddenCard(ShownHand):
    """When nobody looks at the deal any more."""

    name = "hidden-card"
    what = "deals as agreed, and hides a card of the victim's hand later in the round"

    def tell(self, message: wire.FromServer, client: SocketClient) -> wire.FromServer:
        view = getattr(message, "view", None)
        late = view is not None and view.phase == "play" and 0 < len(view.hand) < 12
        return super().tell(message, client) if late else message

    def show(self, view: View) -> tuple[str, ...]:
        return view.hand[:-1]


class UnannouncedHand(Strategy):
    """No event, nothing to compare."""

    name = "untold-hand"
    what = "begins a round as if the line had been cut, and leaves out which cards were dealt"
    stops = ("deal-hand",)

    def __init__(self, victim: int = VICTIM) -> None:
        super().__init__(victim)
        self.sent_events: dict[SocketClient, list[Event]] = {}

    def tell(self, message: wire.FromServer, client: SocketClient) -> wire.FromServer:
        if not isinstance(message, wire.Update) or message.seat != self.victim:
            return message
        events = [event for step in message.steps for event in step.events]
        if message.view is None or not any(event.kind == "round" for event in events):
            return message
        known = self.sent_events.setdefault(client, [])
        known += [event for event in events if event.kind != "hand"]
        return as_welcome(message, client, known)


def as_welcome(
    message: wire.Update, client: SocketClient, history: Sequence[Event] | None = None
) -> wire.FromServer:
    """Return an update as if the connection had just been lost, with the table, if there is one."""
    if message.table is None:
        return message
    view = message.view
    if view is not None and history is not None:
        view = replace(view, history=tuple(history))
    return wire.Welcome(
        version=wire.VERSION,
        seq=message.seq,
        fresh=True,
        person=client.person,
        seat=message.seat,
        ply=message.ply,
        table=message.table,
        view=view,
        steps=(),
    )


class OtherOptions(Strategy):
    """When all are sealed."""

    name = "changed-options"
    what = "changes the options of the match after the shares are sealed"
    stops = ("deal-changed",)
    words = True

    def tell_table(self, table: wire.Table, seat: int | None) -> wire.Table:
        dealing = table.dealing
        if dealing is None or dealing.transcript is None:
            return table
        options = {**table.options, "rounds": 2}
        text = dealing.options.replace('"rounds":1', '"rounds":2')
        changed = agreed_again(replace(dealing, options=text))
        return replace(table, options=options, dealing=changed)


class NewerRules(Shuffle):
    """Rules that nobody else has."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.setup = replace(self.setup, rules="sticheln/99")


class UnknownRules(Strategy):
    """So that no client can deal the cards again."""

    name = "unknown-rules"
    what = "names rules that no client knows, so that nobody can deal the cards again"
    shuffle = NewerRules
    says = "deal-unknown-rules"
    stops = ("deal-record-broken",)
    page = "stops `deal-rules`"
    broken = share = words = True


class WrongWords(Strategy):
    """As text."""

    name = "wrong-words"
    what = "shows six words of its own, the same to all"
    stops = ("deal-words",)
    words = True

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> wire.Dealing:
        return replace(dealing, words=word_list()[:6]) if dealing.words else dealing


class TwoStories(Strategy):
    """What the victim hears is consistent, and differs from what the others hear."""

    name = "two-stories"
    what = "tells the victim of another share of the host than it tells the others"
    stops = ("deal-starter", "deal-hand")
    words = True

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> wire.Dealing:
        at = 0 if self.victim else 1
        if seat != self.victim or dealing.client_commits[at] is None:
            return dealing
        share = drawn(dealing.match, "story")
        commits, seeds = list(dealing.client_commits), list(dealing.client_seeds)
        commits[at] = client_commit(dealing.match, at, share).hex()
        seeds[at] = share.hex() if seeds[at] else None
        changed = replace(dealing, client_commits=tuple(commits), client_seeds=tuple(seeds))
        return agreed_again(changed)


class EarlyReveal(Strategy):
    """To know a share while others can still be chosen."""

    name = "early-reveal"
    what = "claims that all are sealed while shares are missing, so that others open theirs"
    stops = ("deal-transcript",)
    words = True

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> wire.Dealing:
        if dealing.transcript is not None:
            return dealing
        early = drawn(dealing.match, "early")
        return replace(dealing, transcript=early.hex(), words=fingerprint(early))


class NoDeal(Strategy):
    """No shares, no proof."""

    name = "no-deal"
    what = "plays without a verifiable deal"
    shuffle = DrawnFirst
    says = "deal-unproven"

    def tell_deal(self, dealing: wire.Dealing, seat: int | None) -> Any:
        return None

    def record(self, record: Record) -> Record:
        return replace(record, fairness=UNSET)
