# The functions of `codes.py` once more, inline: compiled, a call costs nothing. A user imports a name
# in its .py and cimports it in its .pxd. Declared `cpdef`, because Cython takes the import of a `cdef`
# function for an assignment; unbound, because the Python form in each user is never called.
# This file is compiled into its users only.
cimport cython
from libc.stdint cimport uint64_t

from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int colour_of(int card) noexcept nogil:
    return card >> 4


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int value_of(int card) noexcept nogil:
    return card & 15


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int card_at(int colour, int value) noexcept nogil:
    return colour << 4 | value


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline bint has(uint64_t mask, int number) noexcept nogil:
    return mask >> number & 1


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int only(int number) noexcept nogil:
    return 1 << number


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int all_below(int number) noexcept nogil:
    return (1 << number) - 1


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int sum_of(uint64_t mask) noexcept nogil:
    cdef int total = 0
    while mask:
        total += Bits.lowest(mask)
        mask &= mask - 1
    return total


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int below(int mask, int number) noexcept nogil:
    return mask & ((1 << number) - 1)


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int above(int mask, int number) noexcept nogil:
    return mask >> (number + 1) << (number + 1)


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int half_of(int card) noexcept nogil:
    return card >> 6


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline uint64_t bit_of(int card) noexcept nogil:
    return <uint64_t>1 << (card & 63)


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int card_in(int half, int bit) noexcept nogil:
    return half << 6 | bit


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int values_in(uint64_t low, uint64_t high, int colour) noexcept nogil:
    return <int>((high if colour >> 2 else low) >> ((colour & 3) << 4) & 0xFFFF)


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int move_of(int kind, int argument) noexcept nogil:
    return kind << 12 | argument


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int kind_of(int move) noexcept nogil:
    return move >> 12


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int argument_of(int move) noexcept nogil:
    return move & 4095


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int play_at(int card, int place) noexcept nogil:
    return place << 7 | card


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int card_of(int move) noexcept nogil:
    return move & 127


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int place_of(int move) noexcept nogil:
    return move >> 7 & 31


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int choice_of(State state, int seat) noexcept nogil:
    return state.choice[3 * seat]


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int choice_slot(int seat, int nth) noexcept nogil:
    return 3 * seat + nth


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int half_slot(int seat, int half) noexcept nogil:
    return 2 * seat + half


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int colour_slot(int seat, int colour) noexcept nogil:
    return 6 * seat + colour


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int trick_slot(int place, int nth) noexcept nogil:
    return 6 * place + nth


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int won_values(State state, int seat, int colour) noexcept nogil:
    return values_in(state.won[2 * seat], state.won[2 * seat + 1], colour)


@cython.binding(False)
@cython.always_allow_keywords(False)
cpdef inline int won_count(State state, int seat) noexcept nogil:
    return Bits.count(state.won[2 * seat]) + Bits.count(state.won[2 * seat + 1])
