cimport cython
from libc.stdint cimport uint64_t

from stichwerk.engine.codes cimport (
    bit_of, card_at, card_in, choice_of, colour_of, half_of, half_slot, move_of, sum_of,
    value_of, values_in,
)
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Tactics
from stichwerk.games.sticheln cimport Sticheln

cdef int CHOOSE, COLOURS, NOBODY, PICK
cdef double GREED, MALICE, ZERO, HIGH, HIGH_EARLY, HIGH_LED
cdef double PAIN_EARLY, PAIN_VALUE_EARLY, PAIN_LED

ctypedef int[6] SeatNumbers

@cython.final
cdef class StichelnTactics(Tactics):
    cdef readonly Sticheln rules
    cdef uint64_t[2] full
    cdef uint64_t[16] above

    @cython.locals(values=int)
    cdef int pain_card(self, State state, int seat) noexcept nogil

    @cython.locals(mask=uint64_t)
    cdef uint64_t unseen(self, State state, int seat, int word) noexcept nogil
    @cython.locals(led_low=uint64_t, led_high=uint64_t, above=uint64_t, trump=uint64_t, count=int)
    cdef int beating(self, uint64_t low, uint64_t high, int led, int strength) noexcept nogil
    cdef int points(self, State state, int seat, int card) noexcept nogil
    @cython.locals(pain=int, count=int, total=double)
    cdef double thrown(self, State state, int seat, uint64_t low, uint64_t high) noexcept nogil

    @cython.locals(
        low=uint64_t, high=uint64_t, hand=uint64_t, totals=SeatNumbers, winner=int, strongest=int,
        strength=int, card=int, led=int, share=double, thrown=double, chance=double, beaten=double,
        gain=double, worth=double, best=double,
    )
    cdef int best_card(self, State state, int seat) noexcept nogil
    @cython.locals(worth=double, early=double, leading=bint)
    cdef double relief(self, State state, int seat, int card) noexcept nogil
    cdef double envy(self, int points) noexcept nogil
    @cython.locals(worth=double, open_still=double)
    cdef double outlook(
        self, State state, int seat, int card, int* totals, double chance, double gain
    ) noexcept nogil
