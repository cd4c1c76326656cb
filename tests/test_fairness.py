"""Shuffles to the byte, and the verifiable deal.

The functions named `slow_…` are written from the specification alone and share nothing with the
module, not even its way of cutting the stream into blocks.
"""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stichwerk.cards import Deck
from stichwerk.errors import BadDealError, BadSeatsError, BadSeedError
from stichwerk.fairness import (
    Deal,
    Setup,
    Stream,
    client_commit,
    deal_key,
    deal_round,
    draw_specials,
    first_starter,
    lp,
    options_text,
    seed_key,
    server_commit,
    transcript,
    u32,
    u64,
)

STICHLING_2 = Deck("YGBL", 1, 6)
NULL_NICHTIG = Deck("RYGBL", 0, 11, twin_zeros=True)
STICHELN_4 = Deck("RYGBL", 0, 11)
STICHTAG_5 = Deck("RYGBLS", 0, 11)

TABLES = [
    (STICHLING_2, 2, 12),
    (Deck("YGBL", 1, 9), 3, 12),
    (Deck("YGBL", 1, 12), 4, 12),
    (Deck("YGBL", 1, 15), 5, 12),
    (NULL_NICHTIG, 3, 13),
    (NULL_NICHTIG, 4, 13),
    (NULL_NICHTIG, 5, 13),
    (NULL_NICHTIG, 6, 10),
    (Deck("RYGBL", 0, 8), 3, 15),
    (STICHELN_4, 4, 15),
    (Deck("RYGBL", 0, 14), 5, 15),
    (Deck("RYGBLS", 0, 14), 6, 15),
    (Deck("RYGBLS", 0, 9), 3, 12),
    (Deck("RYGBLS", 0, 9), 4, 12),
    (STICHTAG_5, 5, 12),
]

keys = st.binary(min_size=32, max_size=32)
seeds = st.integers(0, 2**53 - 1)
rounds = st.integers(0, 64)
tables = st.sampled_from(TABLES)


# The specification once more, slowly


def slow_lp(*fields: bytes) -> bytes:
    joined = b""
    for field in fields:
        joined += len(field).to_bytes(4, "big") + field
    return joined


def slow_seed_key(seed: int, round: int) -> bytes:
    fields = slow_lp(b"stichwerk-seed", str(seed).encode("ascii"), round.to_bytes(4, "big"))
    return hashlib.sha256(fields).digest()


def slow_bytes(key: bytes) -> Iterator[int]:
    j = 0
    while True:
        yield from hmac.new(key, j.to_bytes(8, "big"), hashlib.sha256).digest()
        j += 1


def slow_below(stream: Iterator[int], m: int) -> int:
    usable = [byte for byte in range(256) if byte < 256 - (256 % m)]
    for byte in stream:
        if byte in usable:
            return byte % m
    raise AssertionError("the stream has no end")


def slow_shuffle(stream: Iterator[int], items: list[str]) -> list[str]:
    d = list(items)
    i = len(d) - 1
    while i >= 1:
        j = slow_below(stream, i + 1)
        kept = d[i]
        d[i] = d[j]
        d[j] = kept
        i -= 1
    return d


def slow_deal(
    stream: Iterator[int], deck: Deck, seats: int, hand_size: int, starter: int
) -> tuple[list[list[str]], list[str]]:
    d = slow_shuffle(stream, deck.text.split("\n"))
    hands: list[list[str]] = [[] for _ in range(seats)]
    for k in range(seats * hand_size):
        hands[(starter + k) % seats].append(d[k])
    return hands, d[seats * hand_size :]


def slow_partners(stream: Iterator[int], seats: int) -> list[int]:
    while True:
        p = [int(seat) for seat in slow_shuffle(stream, [str(seat) for seat in range(seats)])]
        if not any(p[i] == i for i in range(seats)):
            return p


# Check values of the specification


def test_keys_of_seed_7() -> None:
    assert seed_key(7, 0).hex().startswith("47151bea23d2549a")
    assert seed_key(7, 1).hex().startswith("b9ca361e646cbcc7")


@pytest.mark.parametrize(
    ("deck", "seats", "hand_size", "starter", "hand", "stock"),
    [
        (STICHELN_4, 4, 15, 3, "G5 R9 G3 L4 B3 R2 Y5 R1 B1 G4 G7 G2 Y8 B5 B11", ""),
        (NULL_NICHTIG, 3, 13, 2, "B1 Y2 Y7 B8 G8 Y0 R6 G2 G3 Y1 B3 G6 B9", "R5 G9 Y6 G0"),
        (STICHTAG_5, 5, 12, 0, "Y4 B2 G6 L8 R4 S10 G11 R3 B10 R8 L9 L2", None),
        (STICHLING_2, 2, 12, 1, "Y1 L3 Y3 Y6 L4 L1 L6 Y4 G4 B1 G5 L5", ""),
    ],
    ids=["sticheln", "null-nichtig", "stichtag", "stichling"],
)
def test_deals_of_seed_7(
    deck: Deck, seats: int, hand_size: int, starter: int, hand: str, stock: str | None
) -> None:
    assert first_starter(Stream(seed_key(7, 0)), seats) == starter
    deal = deal_round(Stream(seed_key(7, 1)), deck, seats, hand_size, starter)
    assert deal.starter == starter
    assert " ".join(deal.hands[starter]) == hand
    assert len(deal.stock) == len(deck) - seats * hand_size
    if stock is not None:
        assert " ".join(deal.stock[:4]) == stock


# Bytes


def test_lp_by_hand() -> None:
    assert lp() == b""
    assert lp("ü", b"\x00", u32(258)) == bytes.fromhex("00000002c3bc 0000000100 0000000400000102")
    assert u64(258) == bytes.fromhex("0000000000000102")


@given(st.lists(st.binary(max_size=5)), st.lists(st.binary(max_size=5)))
def test_lp_keeps_fields_apart(fields: list[bytes], others: list[bytes]) -> None:
    assert (lp(*fields) == lp(*others)) is (fields == others)
    assert lp(*fields) == slow_lp(*fields)


# The stream


@given(seeds, rounds)
def test_seed_keys_follow_the_specification(seed: int, round: int) -> None:
    assert seed_key(seed, round) == slow_seed_key(seed, round)


@given(keys, st.lists(st.integers(2, 256), min_size=1, max_size=80))
def test_draws_follow_the_specification(key: bytes, limits: list[int]) -> None:
    stream, slow = Stream(key), slow_bytes(key)
    drawn = [stream.below(m) for m in limits]
    assert drawn == [slow_below(slow, m) for m in limits]
    assert all(0 <= answer < m for answer, m in zip(drawn, limits, strict=True))


@given(keys, st.integers(2, 256))
def test_rejected_bytes_are_used_up(key: bytes, m: int) -> None:
    stream, slow = Stream(key), slow_bytes(key)
    stream.below(m)
    slow_below(slow, m)
    assert [stream.below(256) for _ in range(40)] == [next(slow) for _ in range(40)]


@pytest.mark.parametrize("m", [-1, 0, 1, 257])
def test_one_byte_decides_between_2_and_256_answers(m: int) -> None:
    with pytest.raises(ValueError, match="between 2 and 256"):
        Stream(bytes(32)).below(m)


@given(keys, st.integers(0, 256))
def test_shuffles_follow_the_specification(key: bytes, size: int) -> None:
    items = [str(number) for number in range(size)]
    shuffled = list(items)
    Stream(key).shuffle(shuffled)
    assert shuffled == slow_shuffle(slow_bytes(key), items)


def test_nothing_is_drawn_to_shuffle_a_single_item() -> None:
    stream = Stream(bytes(32))
    stream.shuffle([])
    stream.shuffle(["R0"])
    assert stream.below(256) == next(slow_bytes(bytes(32)))


@pytest.mark.parametrize("seed", [-1, 2**53, 2**64, True, False, 1.0, "7", None])
def test_wrong_seeds_are_refused(seed: int) -> None:
    with pytest.raises(BadSeedError) as refusal:
        seed_key(seed, 0)
    assert refusal.value.id == "bad-seed"
    assert refusal.value.data == {"seed": str(seed), "highest": 9007199254740991}


@given(st.integers(max_value=-1) | st.integers(min_value=2**53))
def test_every_number_outside_is_refused(seed: int) -> None:
    with pytest.raises(BadSeedError):
        seed_key(seed, 1)


@pytest.mark.parametrize("seed", [0, 2**53 - 1])
def test_the_lowest_and_highest_seeds_work(seed: int) -> None:
    assert len(seed_key(seed, 1)) == 32


# Draws of a round


@given(keys, tables, st.data())
def test_deals_follow_the_specification(
    key: bytes, table: tuple[Deck, int, int], data: st.DataObject
) -> None:
    deck, seats, hand_size = table
    starter = data.draw(st.integers(0, seats - 1))
    deal = deal_round(Stream(key), deck, seats, hand_size, starter)
    hands, stock = slow_deal(slow_bytes(key), deck, seats, hand_size, starter)
    assert [list(hand) for hand in deal.hands] == hands
    assert list(deal.stock) == stock


@given(keys, tables, st.data())
def test_every_card_is_dealt_once_per_copy(
    key: bytes, table: tuple[Deck, int, int], data: st.DataObject
) -> None:
    deck, seats, hand_size = table
    starter = data.draw(st.integers(0, seats - 1))
    deal = deal_round(Stream(key), deck, seats, hand_size, starter)
    assert [len(hand) for hand in deal.hands] == [hand_size] * seats
    dealt = [card for hand in deal.hands for card in hand]
    assert Counter(dealt) + Counter(deal.stock) == Counter(deck.texts)


def drawn(kind: str, stream: Stream, seats: int) -> Any:
    """Draw special cards of one kind."""
    [(name, special)] = draw_specials(stream, [kind], seats)
    assert name == kind
    return special


@given(keys, st.integers(3, 5))
def test_later_draws_continue_the_stream_of_the_deal(key: bytes, seats: int) -> None:
    stream, slow = Stream(key), slow_bytes(key)
    deal_round(stream, STICHTAG_5, seats, 12, 0)
    slow_deal(slow, STICHTAG_5, seats, 12, 0)
    assert drawn("trump", stream, seats) == "RYGBLS"[slow_below(slow, 6)]
    assert list(drawn("partners", stream, seats)) == slow_partners(slow, seats)
    eggs = slow_shuffle(slow, ["0", "1", "1", "2", "2", "3"])
    assert list(drawn("eggs", stream, seats)) == [int(egg) for egg in eggs]


@given(keys, st.integers(3, 5))
def test_two_trumps_are_drawn_one_after_the_other(key: bytes, seats: int) -> None:
    """Since version 2 of Stichtag's rules: one of six, then one of the other five."""
    stream, slow = Stream(key), slow_bytes(key)
    deal_round(stream, STICHTAG_5, seats, 12, 0)
    slow_deal(slow, STICHTAG_5, seats, 12, 0)
    first = "RYGBLS"[slow_below(slow, 6)]
    others = "RYGBLS".replace(first, "")
    assert drawn("trumps", stream, seats) == (first, others[slow_below(slow, 5)])
    assert stream.below(256) == next(slow)


def test_pairs_of_trumps_are_drawn_evenly() -> None:
    """Thirty ordered pairs; over 6,000 fixed keys about 200 each."""
    found = Counter(drawn("trumps", Stream(seed_key(seed, 1)), 4) for seed in range(6000))
    assert len(found) == 30
    assert all(150 < count < 250 for count in found.values())


@given(keys, st.integers(2, 8))
def test_nobody_is_their_own_partner(key: bytes, seats: int) -> None:
    partners = drawn("partners", Stream(key), seats)
    assert sorted(partners) == list(range(seats))
    assert all(partner != seat for seat, partner in enumerate(partners))


def test_partners_are_drawn_evenly() -> None:
    """Nine ways for four seats to miss themselves; over 1,800 fixed keys about 200 each."""
    found = Counter(drawn("partners", Stream(seed_key(seed, 1)), 4) for seed in range(1800))
    assert len(found) == 9
    assert all(150 < count < 250 for count in found.values())


def test_starters_are_drawn_evenly() -> None:
    drawn = Counter(first_starter(Stream(seed_key(seed, 0)), 5) for seed in range(1000))
    assert sorted(drawn) == [0, 1, 2, 3, 4]
    assert all(150 < count < 250 for count in drawn.values())


@given(keys)
def test_the_eggs_are_always_the_same_six(key: bytes) -> None:
    assert sorted(drawn("eggs", Stream(key), 4)) == [0, 1, 1, 2, 2, 3]


@pytest.mark.parametrize("seats", [-1, 0, 1, 257])
def test_impossible_numbers_of_seats_are_refused(seats: int) -> None:
    stream = Stream(bytes(32))
    with pytest.raises(BadSeatsError):
        first_starter(stream, seats)
    with pytest.raises(BadSeatsError):
        drawn("partners", stream, seats)
    with pytest.raises(BadSeatsError):
        deal_round(stream, STICHELN_4, seats, 1, 0)


@pytest.mark.parametrize("starter", [-1, 4])
def test_a_starter_outside_the_table_is_refused(starter: int) -> None:
    with pytest.raises(BadSeatsError) as refusal:
        deal_round(Stream(bytes(32)), STICHELN_4, 4, 15, starter)
    assert refusal.value.id == "bad-starter"


@pytest.mark.parametrize("hand_size", [-1, 0, 16])
def test_hands_must_fit_the_deck(hand_size: int) -> None:
    with pytest.raises(BadDealError) as refusal:
        deal_round(Stream(bytes(32)), STICHELN_4, 4, hand_size, 0)
    assert refusal.value.id == "bad-hand-size"


def test_a_deal_is_frozen_and_survives_json() -> None:
    deal = deal_round(Stream(seed_key(7, 1)), NULL_NICHTIG, 3, 13, 2)
    assert msgspec.json.decode(msgspec.json.encode(deal), type=Deal) == deal
    assert hash(deal) == hash(msgspec.structs.replace(deal))
    with pytest.raises(AttributeError):
        deal.starter = 0  # type: ignore[misc]


# The verifiable deal


def slow_hash(*fields: bytes) -> bytes:
    return hashlib.sha256(slow_lp(b"stichwerk-deal-v1", *fields)).digest()


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


@given(st.text(), st.integers(0, 64), keys)
def test_commits_follow_the_specification(match: str, index: int, seed: bytes) -> None:
    name = match.encode()
    server = slow_hash(b"server-commit", name, number(index), seed)
    client = slow_hash(b"client-commit", name, number(index), seed)
    assert server_commit(match, index, seed) == server
    assert client_commit(match, index, seed) == client


@given(st.text(), st.lists(keys, min_size=2, max_size=9), st.lists(keys, min_size=2, max_size=6))
def test_transcripts_and_keys_follow_the_specification(
    match: str, server: list[bytes], client: list[bytes]
) -> None:
    options = options_text({"starter": None, "discard": "card"})
    deck = STICHLING_2.text
    setup = Setup(match, "stichling/1", options, deck, len(client), len(server) - 1)
    sizes = [number(len(client)), number(len(server) - 1)]
    texts = [match.encode(), b"stichling/1", options.encode(), deck.encode()]
    agreed = slow_hash(b"transcript", *texts, *sizes, *server, *client)
    assert transcript(setup, server, client) == agreed
    message = slow_lp(b"stichwerk-deal-v1", b"deal-key", agreed, number(1), *client)
    assert deal_key(server[1], agreed, 1, client) == hmac.new(server[1], message, "sha256").digest()


def small_setup() -> Setup:
    return Setup("m1", "stichling/1", "{}", STICHLING_2.text, 2, 3)


@pytest.mark.parametrize(("servers", "clients"), [(3, 2), (5, 2), (4, 1), (4, 3)])
def test_a_transcript_takes_every_commit(servers: int, clients: int) -> None:
    with pytest.raises(BadDealError) as refusal:
        transcript(small_setup(), [bytes(32)] * servers, [bytes(32)] * clients)
    assert refusal.value.id == "bad-count"


@pytest.mark.parametrize("wrong", [b"", bytes(31), bytes(33), b"0" * 64])
def test_seeds_and_hashes_are_32_raw_bytes(wrong: bytes) -> None:
    good = bytes(32)
    attempts: list[Callable[[], object]] = [
        lambda: Stream(wrong),
        lambda: server_commit("m1", 0, wrong),
        lambda: client_commit("m1", 0, wrong),
        lambda: transcript(small_setup(), [good, good, good, wrong], [good] * 2),
        lambda: transcript(small_setup(), [good] * 4, [good, wrong]),
        lambda: deal_key(wrong, good, 1, [good]),
        lambda: deal_key(good, wrong, 1, [good]),
        lambda: deal_key(good, good, 1, [good, wrong]),
    ]
    for attempt in attempts:
        with pytest.raises(BadDealError) as refusal:
            attempt()
        assert refusal.value.id == "not-32-bytes"
        assert refusal.value.data["length"] == len(wrong)


def test_every_part_of_the_setup_changes_the_transcript() -> None:
    changes = [
        {"match": "m2"},
        {"rules": "stichling/2"},
        {"options": '{"starter":1}'},
        {"deck": STICHELN_4.text},
    ]
    setups = [small_setup()] + [msgspec.structs.replace(small_setup(), **c) for c in changes]
    drawn = {transcript(setup, [bytes(32)] * 4, [bytes(32)] * 2) for setup in setups}
    assert len(drawn) == len(setups)


def test_options_by_hand() -> None:
    options = {"starter": None, "rounds": 4, "all_zero": "nobody", "sheets": ["Fähre", 'a"b']}
    expected = r'{"all_zero":"nobody","rounds":4,"sheets":["Fähre","a\"b"],"starter":null}'
    assert options_text(options) == expected


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(st.dictionaries(st.text(), values, max_size=5))
def test_options_are_canonical_json(options: dict[str, object]) -> None:
    plain = json.dumps(options, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert options_text(options) == plain
