"""Cards and decks: text forms, codes, order."""

import copy
import pickle

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stichwerk import errors
from stichwerk.cards import COLOURS, Deck, card_code, card_text
from stichwerk.errors import BadCardError, BadDealError, StichwerkError

pytestmark = pytest.mark.game

ALL_TEXTS = [f"{colour}{value}" for colour in "RYGBLS" for value in range(16)]

colours = st.sets(st.sampled_from("RYGBLS"), min_size=1).map(
    lambda chosen: "".join(sorted(chosen, key="RYGBLS".index))
)


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    lowest = draw(st.integers(0, 15))
    highest = draw(st.integers(lowest, 15))
    return Deck(draw(colours), lowest, highest, lowest == 0 and draw(st.booleans()))


def test_colour_order_is_part_of_the_format() -> None:
    assert COLOURS == "RYGBLS"


@pytest.mark.parametrize(
    ("text", "code"), [("R0", 0), ("R11", 11), ("Y0", 16), ("G8", 40), ("B0", 48), ("S15", 95)]
)
def test_codes_by_hand(text: str, code: int) -> None:
    assert card_code(text) == code
    assert card_text(code) == text


def test_every_card_reads_back_in_either_case() -> None:
    assert [card_text(card_code(text)) for text in ALL_TEXTS] == ALL_TEXTS
    assert [card_text(card_code(text.lower())) for text in ALL_TEXTS] == ALL_TEXTS
    assert [card_code(text) for text in ALL_TEXTS] == list(range(96))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "G",
        "8",
        "G16",
        "G-1",
        "G08",
        " G8",
        "G8 ",
        "G8\n",
        "X3",
        "GG8",
        "G8.0",
        "\u017f3",
        "G٣",
        "G²",
    ],
)
def test_invalid_card_texts_are_refused(text: str) -> None:
    with pytest.raises(BadCardError) as refusal:
        card_code(text)
    assert refusal.value.id == "bad-card"
    assert refusal.value.data == {"card": text}


@given(st.text(max_size=4))
def test_only_the_known_texts_are_cards(text: str) -> None:
    known = {form for card in ALL_TEXTS for form in (card, card.lower())}
    if text in known:
        assert card_text(card_code(text)) in ALL_TEXTS
    else:
        with pytest.raises(BadCardError):
            card_code(text)


@pytest.mark.parametrize("code", [-1, 96, 1000])
def test_codes_outside_the_colours(code: int) -> None:
    with pytest.raises(BadCardError):
        card_text(code)


@pytest.mark.parametrize(
    ("deck", "size", "first", "last"),
    [
        (Deck("YGBL", 1, 6), 24, "Y1", "L6"),
        (Deck("YGBL", 1, 9), 36, "Y1", "L9"),
        (Deck("YGBL", 1, 12), 48, "Y1", "L12"),
        (Deck("YGBL", 1, 15), 60, "Y1", "L15"),
        (Deck("RYGBL", 0, 11, twin_zeros=True), 65, "R0", "L11"),
        (Deck("RYGBL", 0, 8), 45, "R0", "L8"),
        (Deck("RYGBL", 0, 11), 60, "R0", "L11"),
        (Deck("RYGBL", 0, 14), 75, "R0", "L14"),
        (Deck("RYGBLS", 0, 14), 90, "R0", "S14"),
        (Deck("RYGBLS", 0, 9), 60, "R0", "S9"),
        (Deck("RYGBLS", 0, 11), 72, "R0", "S11"),
    ],
)
def test_the_decks_of_the_four_games(deck: Deck, size: int, first: str, last: str) -> None:
    assert len(deck) == size
    assert (deck.texts[0], deck.texts[-1]) == (first, last)


def test_deck_order_in_full() -> None:
    deck = Deck("RG", 0, 2, twin_zeros=True)
    assert deck.texts == ("R0", "R0", "R1", "R2", "G0", "G0", "G1", "G2")
    assert deck.codes == (0, 0, 1, 2, 32, 32, 33, 34)
    assert deck.text == "R0\nR0\nR1\nR2\nG0\nG0\nG1\nG2"


@given(decks())
def test_decks_are_sorted_and_complete(deck: Deck) -> None:
    assert list(deck.codes) == sorted(deck.codes)
    assert [card_text(code) for code in deck.codes] == list(deck.texts)
    values = deck.highest - deck.lowest + 1 + deck.twin_zeros
    assert len(deck) == len(deck.codes) == len(deck.colours) * values
    assert deck.text.split("\n") == list(deck.texts)
    zeros = [text for text in deck.texts if text[1:] == "0"]
    copies = (1 + deck.twin_zeros) * (deck.lowest == 0)
    assert len(zeros) == len(deck.colours) * copies
    assert len(set(deck.texts)) == len(deck) - len(deck.colours) * deck.twin_zeros


@given(decks(), st.sampled_from(ALL_TEXTS))
def test_membership_by_text_and_by_code(deck: Deck, text: str) -> None:
    inside = text[0] in deck.colours and deck.lowest <= int(text[1:]) <= deck.highest
    assert (text in deck) is inside
    assert (card_code(text) in deck) is inside


@pytest.mark.parametrize(
    ("colours", "lowest", "highest", "twin_zeros"),
    [
        ("", 0, 5, False),
        ("GYLB", 1, 6, False),
        ("RR", 0, 5, False),
        ("RX", 0, 5, False),
        ("R", -1, 5, False),
        ("R", 6, 5, False),
        ("R", 0, 16, False),
        ("R", 1, 5, True),
    ],
)
def test_impossible_decks_are_refused(
    colours: str, lowest: int, highest: int, twin_zeros: bool
) -> None:
    with pytest.raises(BadDealError) as refusal:
        Deck(colours, lowest, highest, twin_zeros)
    assert refusal.value.id == "bad-deck"
    assert refusal.value.data["colours"] == colours


def test_decks_are_frozen_values() -> None:
    deck = Deck("RG", 0, 2)
    assert deck.codes  # a listing already cached must not tell equal decks apart
    assert deck == Deck("RG", 0, 2)
    assert hash(deck) == hash(Deck("RG", 0, 2))
    with pytest.raises(AttributeError):
        deck.lowest = 1  # type: ignore[misc]


def test_a_deck_survives_json() -> None:
    deck = Deck("RG", 0, 2, twin_zeros=True)
    assert deck.codes
    assert msgspec.json.decode(msgspec.json.encode(deck), type=Deck) == deck


KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, StichwerkError)
]


def test_the_kinds_of_refusal() -> None:
    assert {kind.__name__ for kind in KINDS} >= {
        "StichwerkError", "BadCardError", "BadOptionError", "BadSeatsError", "UnknownGameError",
        "IllegalMoveError", "BadRecordError", "BadSeedError", "BadDealError", "BadFileError",
    }  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_refusals_carry_id_and_data_and_can_be_copied(kind: type[StichwerkError]) -> None:
    refusal = kind("some-id", seat=2, card="G8")
    if kind.__str__ is StichwerkError.__str__:  # others read as their sentence
        assert str(refusal) == "some-id: seat=2, card='G8'"
    for twin in (copy.copy(refusal), pickle.loads(pickle.dumps(refusal))):
        assert (type(twin), twin.id, twin.data) == (kind, "some-id", {"seat": 2, "card": "G8"})


def test_a_refusal_without_facts_reads_as_its_id() -> None:
    assert str(BadCardError("bad-card")) == "bad-card"
