"""Fair turns: a client that asks for much waits for it, and nobody waits forever."""

import random

from stichwerk.server.bots.fair_queue import FairQueue


def emptied_seats(turns: FairQueue[str]) -> str:
    return " ".join(turns.take() for _ in range(len(turns)))


def filled(*waiting: str) -> FairQueue[str]:
    """Fill queues with items like a1, a2, b1: the letter is the queue."""
    turns: FairQueue[str] = FairQueue()
    for item in waiting:
        turns.put((item[0],), item)
    return turns


def test_queues_take_turns() -> None:
    assert emptied_seats(filled("a1", "a2", "a3", "a4", "b1", "b2", "c1")) == "a1 b1 c1 a2 b2 a3 a4"


def test_one_queue_is_first_in_first_out() -> None:
    turns: FairQueue[str] = FairQueue()
    for item in "abc":
        turns.put((), item)
    assert emptied_seats(turns) == "a b c"


def test_a_new_queue_goes_before_the_second_item_of_others() -> None:
    turns = filled("a1", "a2", "a3")
    assert turns.take() == "a1"
    turns.put(("b",), "b1")
    assert turns.take() == "b1"
    turns.put(("b",), "b2")
    assert emptied_seats(turns) == "a2 b2 a3", "coming back at once is no way to the front"


def test_waiting_items_are_not_starved() -> None:
    """A newcomer in each moment: the second item of a line still comes in its turn."""
    turns = filled("a1", "a2")
    taken = []
    for number in range(20):
        turns.put((f"new {number}",), f"n{number}")
        taken.append(turns.take())
    assert taken.index("a2") <= 5


def test_nested_queues_take_turns() -> None:
    """An address with many tables has one turn, its tables share that, and so do seats."""
    turns: FairQueue[str] = FairQueue()
    for table in "123":
        for seat in "xy":
            turns.put(("a", table, seat), f"a{table}{seat}")
    turns.put(("b", "1", "x"), "b1x")
    turns.put(("b", "1", "y"), "b1y")
    assert (turns.waiting("a"), turns.waiting("b"), turns.waiting("c")) == (6, 2, 0)
    assert emptied_seats(turns) == "a1x b1x a2x b1y a3x a1y a2y a3y"


def test_cancelled_items_are_removed() -> None:
    turns = filled("a1", "a2", "b1", "b2")
    assert turns.discard(("a",), "a1")
    assert turns.discard(("b",), "b1")
    assert turns.discard(("b",), "b2")
    assert not turns.discard(("b",), "b2")
    assert not turns.discard(("a",), "a9")
    turns.put(("b",), "b3")
    assert emptied_seats(turns) == "a2 b3"
    assert len(turns) == 0


def test_every_item_is_taken_exactly_once() -> None:
    rng = random.Random(14)
    turns: FairQueue[int] = FairQueue()
    waiting: dict[int, tuple[str, str]] = {}
    for number in range(5000):
        path = (rng.choice("abcdef"), rng.choice("xyz"))
        turns.put(path, number)
        waiting[number] = path
        if rng.random() < 0.3:
            gone = rng.choice(list(waiting))
            assert turns.discard(waiting.pop(gone), gone)
        if waiting and rng.random() < 0.6:
            del waiting[turns.take()]
        assert len(turns) == len(waiting)
    while turns:
        del waiting[turns.take()]
    assert not waiting


def test_memory_is_bounded() -> None:
    turns: FairQueue[int] = FairQueue()
    for number in range(10_000):
        turns.put((f"line {number}",), number)
        turns.take()
    assert len(turns._due) < 40
    assert not turns._heap
