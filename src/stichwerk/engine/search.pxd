cimport cython
from libc.stdint cimport int32_t

from stichwerk.engine.belief cimport Belief
from stichwerk.engine.frame cimport Game
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits, Demand, Lock, Real
from stichwerk.engine.prospects cimport Prospects
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Numbers, Tactics

cdef int MOST_MOVES, MOVE_LIMIT
cdef int DEEP, FIRST, LONG, MOST, NODES
cdef double EXPLORE, MATCH, ROOT_SURE
cdef bint PLAIN

@cython.final
cdef class Search:
    cdef readonly Tactics tactics, own, beyond
    cdef readonly Game game
    cdef Generator generator
    cdef readonly Belief belief
    cdef State table
    cdef Moves moves, spare
    cdef Numbers weights, values
    cdef int seat, count, size, depth
    cdef bint endless, has_horizon, has_prospects
    cdef readonly Prospects prospects
    cdef double usual
    cdef public bint last_round
    cdef double unit
    cdef long trials
    cdef double sum, square_sum
    cdef int32_t[3072] steps
    cdef int32_t[192] alive
    cdef int32_t[32768] visits
    cdef int32_t[32768] available
    cdef double[32768] sums
    cdef double[32768] squares
    cdef int32_t[32768] first_child
    cdef int32_t[32768] sibling
    cdef int32_t[32768] move_of
    cdef int32_t[32768] seat_of
    cdef int32_t[65536] child_of
    cdef int32_t[512] path

    cpdef list flat(self, State known, int seat, list moves, long iterations)
    cpdef dict tree(self, State known, int seat, long iterations)
    cdef void take_in(self, State known, int seat) noexcept
    cdef void expect(self)
    cpdef tuple result(self, int at)

    cdef void run_flat(self, long iterations) noexcept
    cdef void halve(self, long iterations) noexcept nogil
    @cython.locals(worth=double)
    cdef void try_out(self, int at) noexcept nogil
    @cython.locals(worth=double)
    cdef double outcome(self) noexcept nogil
    @cython.locals(worth=double, gain=double, unplayed=double, chance=double)
    cdef double match_outcome(self) noexcept nogil
    cdef double foreseen(self) noexcept nogil
    cdef void play_out(self) noexcept nogil
    cdef int expected(self, int seat) noexcept nogil
    cdef int drop_worse(self, int left) noexcept nogil
    cdef double mean(self, int at) noexcept nogil

    cdef void run_tree(self, long iterations) noexcept
    cdef int add_node(self, int parent, int move, int seat) noexcept nogil
    cdef void descend(self) noexcept nogil
    cdef int step_down(self, int node, int seat) noexcept nogil
    cdef void forget_children(self, int node) noexcept nogil
    @cython.locals(total=double, usual=double, bonus=double, most=double, value=double, weight=double)
    cdef int choose(self, int node) noexcept nogil
    @cython.locals(mean=double, variance=double)
    cdef double spread(self) noexcept nogil
    cdef void evaluate(self) noexcept nogil
    @cython.locals(worth=double, own=double)
    cdef void climb(self) noexcept nogil
