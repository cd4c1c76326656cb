"""The six words: a list that never changes, and numbers turned into it bit by bit."""

import hashlib
import re
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stichwerk import hash_words
from stichwerk.errors import BadDealError
from stichwerk.hash_words import fingerprint, word_list

# Part of stichwerk-deal-v1. If this fails, the list is wrong, never the test.
DIGEST = "d30708693304d33df207731e61dd367dfd81e39aa772e52bf6bc0b1de5718f71"


def binary(transcript: bytes) -> str:
    """Return all bits as text: the slow way to see them."""
    return "".join(f"{byte:08b}" for byte in transcript)


def one_edit_apart(one: str, other: str) -> bool:
    """Return whether one letter put in, left out or changed makes the one word the other."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next(
        (at for at, pair in enumerate(zip(short, long, strict=False)) if len(set(pair)) > 1),
        len(short),
    )
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]


# -- The list --------------------------------------------------------------------------------------


def test_the_list_is_frozen() -> None:
    raw = hash_words._FILE.read_bytes()
    assert hashlib.sha256(raw).hexdigest() == DIGEST
    assert raw.decode("ascii") == "".join(f"{word}\n" for word in word_list())


def test_there_are_1024_different_words_in_order() -> None:
    assert len(word_list()) == 1024 == 2**hash_words.BITS
    assert len(set(word_list())) == 1024
    assert list(word_list()) == sorted(word_list())


def test_words_are_short_and_plain() -> None:
    assert [word for word in word_list() if not re.fullmatch("[a-z]{3,9}", word)] == []


def test_no_word_begins_another() -> None:
    """In order, a word would be right before those that it begins."""
    assert [pair for pair in pairwise(word_list()) if pair[1].startswith(pair[0])] == []


def test_no_two_words_differ_in_one_letter() -> None:
    assert [pair for pair in combinations(word_list(), 2) if one_edit_apart(*pair)] == []


@pytest.mark.parametrize("pair", ["cat cut", "cat cats", "cats cat", "at cat", "ct cat", "cat cat"])
def test_words_that_are_too_close_are_found(pair: str) -> None:
    assert one_edit_apart(*pair.split())


@pytest.mark.parametrize("pair", ["cat dog", "cat cute", "cat tac", "cat at home", "c cat"])
def test_words_that_are_far_enough_are_not(pair: str) -> None:
    assert not one_edit_apart(*pair.split(" ", 1))


def test_a_word_sounds_like_no_other() -> None:
    """Spellings of one sound made equal: what is left must still differ."""
    sounds = [("ph", "f"), ("th", "t"), ("ck", "k"), ("c", "k"), ("y", "i"), ("z", "s"), ("v", "f")]

    def spoken(word: str) -> str:
        for spelling, sound in sounds:
            word = word.replace(spelling, sound)
        return re.sub(r"(.)\1", r"\1", word).rstrip("e")

    assert len({spoken(word) for word in word_list()}) == 1024


# -- Fingerprints ----------------------------------------------------------------------------------


def test_known_examples() -> None:
    first, second, *_, last = word_list()
    assert fingerprint(bytes(32)) == (first,) * 6
    assert fingerprint(b"\xff" * 32) == (last,) * 6
    assert fingerprint(b"\x00\x40" + bytes(30)) == (second, *(first,) * 5)
    assert fingerprint(bytes(7) + b"\x10" + bytes(24)) == (*(first,) * 5, second)
    assert fingerprint(bytes(7) + b"\x0f" + b"\xff" * 24) == (first,) * 6


def test_a_pinned_example() -> None:
    result = fingerprint(hashlib.sha256(b"stichwerk").digest())
    assert " ".join(result) == "charlotte mexico cannes thriller regatta lasagne"


@given(st.binary(min_size=32, max_size=32))
def test_bits_are_taken_from_the_left(transcript: bytes) -> None:
    bits = binary(transcript)
    numbers = [int(bits[at : at + 10], 2) for at in range(0, 60, 10)]
    assert fingerprint(transcript) == tuple(word_list()[number] for number in numbers)
    whole = sum(number << 10 * (5 - at) for at, number in enumerate(numbers))
    assert int.from_bytes(transcript[:8], "big") >> 4 == whole


def test_every_word_can_come_at_every_place() -> None:
    for at in range(6):
        numbers = [number << 10 * (5 - at) << 196 for number in range(1024)]
        found = [fingerprint(number.to_bytes(32, "big"))[at] for number in numbers]
        assert tuple(found) == word_list()


@given(st.binary(max_size=70).filter(lambda raw: len(raw) != 32))
def test_only_a_whole_hash_has_words(raw: bytes) -> None:
    with pytest.raises(BadDealError) as refused:
        fingerprint(raw)
    assert refused.value.id == "not-32-bytes"
