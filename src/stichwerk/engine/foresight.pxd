cimport cython
from libc.stdint cimport int32_t

from stichwerk.engine.belief cimport Belief
from stichwerk.engine.frame cimport Game
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits, Lock
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Tactics

cdef int LONG, MOST, MOST_MOVES, ROOM
cdef bint PLAIN

@cython.final
cdef class Foresight:
    cdef readonly Belief belief
    cdef readonly Tactics tactics, own
    cdef readonly Game game
    cdef Generator generator
    cdef State table
    cdef Moves spare
    cdef int seat, count, done
    cdef bint endless
    cdef int32_t[3072] steps
    cdef double[4096] found

    cpdef begin(self, State known, int seat, object seed)
    cpdef list worths(self, list moves, int deals)
    cpdef list ends(self, list moves, list places, int deals)
    cpdef check(self)

    cdef void take_in(self, list moves)
    cdef void draw(self)
    cdef void run(self, int deals) noexcept
    cdef void begin_with(self, int at) noexcept nogil
    cdef void play_on(self, int place) noexcept nogil
    cdef void move(self) noexcept nogil
