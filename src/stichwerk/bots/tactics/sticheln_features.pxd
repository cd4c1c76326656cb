cimport cython
from libc.stdint cimport int32_t, int64_t, uint64_t

from stichwerk.bots.nets.features cimport Features
from stichwerk.engine.codes cimport (
    bit_of, card_of, choice_of, colour_of, half_of, half_slot, value_of, values_in,
)
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.games.sticheln cimport Sticheln

cdef int CHOOSE, COLOURS, NOBODY, OWN
cdef int VALUES, CARDS, SEATS, POINTS, STEP, UP, DOWN, GAINS, BEST_GAIN, WORST_GAIN
cdef int HAND, UNSEEN, TRICK_COLOUR, TRICK_VALUE, LED, STRONGEST, STRONGEST_TRUMP, WINNING, PAIN
cdef int SCORE, LEFT, TABLE, LYING
cdef int CARD, OWN_VALUES, OTHER_VALUES, VALUE, PAIN_VALUE, HURTS_WINNER, HURTS, WINS, LOSES
cdef int BEATEN_BY, GAIN, GIVEN, WANTED, LEADS, FOLLOWS, TRUMPS
cdef int PICKED, PICKED_AMONG, PICKED_OTHERS, PICKED_COUNT, SIZE
cdef int RANK, TOTAL, LOW, HIGH, BEST, WINNER

@cython.final
cdef class StichelnFeatures(Features):
    cdef readonly Sticheln rules
    cdef uint64_t[2] full

    @cython.locals(name=int, other=int, pain=int, most=int, found=int, count=int)
    cdef void rename(self, State state, int seat, int64_t* facts) noexcept nogil
    @cython.locals(mask=uint64_t)
    cdef uint64_t unseen(self, State state, int seat, int word) noexcept nogil
    @cython.locals(size=int, card=int, who=int, play=int, first=int)
    cdef void trick(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    @cython.locals(who=int, pain=int, score=int, steps=int)
    cdef void others(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    cdef int points(self, State state, int seat, int card) noexcept nogil

    @cython.locals(
        size=int, to_come=int, led=int, strength=int, winner=int, gain=int, beating=int, other=int
    )
    cdef void fate(
        self, State state, int seat, int card, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(count=int, values=uint64_t)
    cdef int beating(self, uint64_t low, uint64_t high, int led, int strength) noexcept nogil
    cdef int step_of(self, int count) noexcept nogil
