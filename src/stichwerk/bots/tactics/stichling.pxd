cimport cython
from libc.stdint cimport uint64_t

from stichwerk.engine.codes cimport (
    above, bit_of, card_at, choice_slot, colour_of, half_of, half_slot, has, move_of, play_at,
    trick_slot, value_of, values_in,
)
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Tactics
from stichwerk.games.stichling cimport Stichling

cdef int CHOOSE, ORDER, PLACES, PLAY
cdef int FULL, NEW
cdef double TAKE, STUCK, TOO_LATE, OVERTAKEN, UNFINISHED, ENVY

ctypedef int[4] PlaceNumbers
ctypedef double[4] FourValues
ctypedef int[12] HandNumbers
ctypedef double[12] HandValues

@cython.final
cdef class StichlingTactics(Tactics):
    cdef readonly Stichling rules
    cdef uint64_t[2] full

    @cython.locals(mask=uint64_t)
    cdef uint64_t unseen(self, State state, int seat, int word) noexcept nogil
    @cython.locals(values=int)
    cdef double rank(self, uint64_t low, uint64_t high, int card) noexcept nogil
    @cython.locals(chance=double)
    cdef double stays(self, double rank, int lacking, int left) noexcept nogil
    @cython.locals(values=int, rest=double, share=double, rank=double)
    cdef int weigh_hand(
        self, State state, int seat, uint64_t low, uint64_t high, int* cards, double* powers
    ) noexcept nogil

    @cython.locals(
        none=double, first=double, second=double, third=double, stuck=double, more=double,
        gain=double, again=double,
    )
    cdef void before_cards(self, double* values, double* powers, int start, int end) noexcept nogil
    @cython.locals(chance=double, first=double)
    cdef void with_tricks(
        self, double* values, double* later, double* holds, int owned
    ) noexcept nogil

    @cython.locals(
        low=uint64_t, high=uint64_t, cards=HandNumbers, powers=HandValues, values=FourValues,
        best=double,
    )
    cdef int best_order(self, State state, int seat) noexcept nogil

    @cython.locals(
        low=uint64_t, high=uint64_t, tops=PlaceNumbers, owners=PlaceNumbers, holds=FourValues,
        cards=HandNumbers, powers=HandValues, later=FourValues, base=FourValues, values=FourValues,
        card=int, top=int, now=int, after=int, left=int, places=int, rank=double, top_rank=double,
        gains=FourValues, whole=FourValues, owned=int, here=double, there=double, worth=double,
        best=double,
    )
    cdef int best_play(self, State state, int seat) noexcept nogil
    cdef int situation(self, int tricks) noexcept nogil
    @cython.locals(owned=int)
    cdef int owned_places(
        self, State state, int seat, int* tops, int* owners, double* gains
    ) noexcept nogil
    @cython.locals(places=int)
    cdef int places_for(self, State state, int seat, int card, int free) noexcept nogil
    cdef int cards_left(self, State state) noexcept nogil
    cdef void scoring_values(self, State state, int seat, double* values) noexcept nogil
    @cython.locals(chance=double)
    cdef double envy(self, double hold, int lacking, double gain) noexcept nogil
    cdef bint beats(self, int card, int top) noexcept nogil
    @cython.locals(card=int)
    cdef void survey(
        self, State state, uint64_t low, uint64_t high, int left, int* tops, int* owners,
        double* holds,
    ) noexcept nogil
    cdef bint alike(self, int* cards, int at, int* tops) noexcept nogil
    @cython.locals(now=double, hidden=double)
    cdef double gain(self, State state, int seat) noexcept nogil
