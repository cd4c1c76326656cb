cimport cython
from libc.stdint cimport int32_t

from stichwerk.engine.frame cimport Game
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits, Demand, Lock
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Tactics

cdef int NONE
cdef int DEEPEST, ENOUGH, HOLDERS, MOST_DEALS, PILOTS
cdef long MANY
cdef bint PLAIN

@cython.final
cdef class Budget:
    cdef long left

@cython.final
cdef class Level:
    cdef State state
    cdef Moves moves
    cdef Level below
    cdef double[6] values

    cdef void solve(self, Game game, Tactics tactics, Budget budget) noexcept nogil
    cdef void pass_forced(self, Game game) noexcept nogil

@cython.final
cdef class Endgame:
    cdef readonly Tactics tactics
    cdef readonly Game game
    cdef Generator generator
    cdef Moves spare, moves
    cdef State known, deal
    cdef Level top
    cdef Budget budget
    cdef int seat, unseen_size
    cdef long deals
    cdef bint stuck
    cdef double[192] sums
    cdef double[192] squares
    cdef int32_t[96] unseen
    cdef int32_t[96] placed
    cdef int32_t[14] room

    cpdef list open_values(self, State state)
    cpdef dict values(self, State known, int seat, long positions)
    cpdef long count(self, State known, int seat)

    cdef void run_open(self) noexcept
    @cython.locals(cost=long)
    cdef void run(self, long positions) noexcept
    cdef void begin(self, long positions) noexcept nogil
    cdef long pilot(self, long positions) noexcept nogil
    @cython.locals(count=long, passes=long)
    cdef void solve_deals(self, long positions, long affordable) noexcept nogil
    cdef void draw(self) noexcept nogil
    cdef void list_unseen(self) noexcept nogil
    @cython.locals(ways=long)
    cdef long most_deals(self) noexcept nogil
    cdef void place(self, int at) noexcept nogil
    cdef void hand_out(self) noexcept nogil
    @cython.locals(worth=double)
    cdef void solve_deal(self) noexcept nogil
