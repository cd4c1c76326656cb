cimport cython
from libc.stdint cimport uint64_t

from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.round_rules cimport Moves, RoundRules
from stichwerk.engine.state cimport State

cdef int DOUBTFUL, ENOUGH, FREE, LONGEST_CHOICE, SETTLED, TRIES, VISITED
cdef int ASIDE, NOBODY, NONE, SEATS, TWIN

cdef class UnseenCards(RoundRules):
    cdef bint may_hold(self, State state, int seat, int card) noexcept nogil
    cdef bint is_laid_down(self, State state, int holder, int card) noexcept nogil
    cdef bint fill(self, State state, int seat, Generator generator, Moves moves) noexcept nogil
    cdef bint spread_unseen(self, State state, int seat, Generator generator) noexcept nogil
    @cython.locals(low=uint64_t, high=uint64_t, twins_low=uint64_t, twins_high=uint64_t, seen=uint64_t)
    cdef void gather_unseen(self, State state, Generator generator) noexcept nogil
    cdef bint assign_holders(self, State state, int seat, Generator generator) noexcept nogil
    cdef int hand_room(self, State state, int holder) noexcept nogil
    cdef int stock_room(self, State state) noexcept nogil
    cdef bint fits(self, State state, int holder, int card) noexcept nogil
    cdef int misplaced(self, State state, Generator generator) noexcept nogil
    cdef bint mend_voids(self, State state, Generator generator) noexcept nogil
    cdef bint can_be_dealt(self, State state, Generator generator) noexcept nogil
    cdef bint place_misfits(self, State state, Generator generator) noexcept nogil
    cdef void mark_misfits(self, State state, Generator generator) noexcept nogil
    cdef bint find_place(
        self, State state, Generator generator, int card, int origin
    ) noexcept nogil
    cdef int exchange_cost(self, State state, Generator generator, int a, int b) noexcept nogil
    cdef void hand_over(self, State state, int holder, int card) noexcept nogil
    cdef void fill_choices(self, State state, Generator generator, Moves moves) noexcept nogil

    cpdef complete(self, State state, seat, generator)
    cpdef bint can_hold(self, State state, int seat, int card)
    cpdef contradiction(self, State state, int seat)
