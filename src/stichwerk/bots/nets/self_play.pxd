cimport cython
from libc.stdint cimport int32_t, uint16_t, uint64_t

from stichwerk.bots.nets.net_tactics cimport NetTactics
from stichwerk.engine.codes cimport has
from stichwerk.engine.frame cimport Game
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits, Lock
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Tactics

cdef int CERTAIN, MOST_DECISIONS, MOST_KEPT

ctypedef int32_t[512] OnInputs
ctypedef double[6] SeatWorths

@cython.final
cdef class SelfPlay:
    cdef readonly NetTactics learner
    cdef readonly Game game
    cdef Generator generator
    cdef State state
    cdef Moves moves
    cdef readonly int room, decisions, used, results
    cdef readonly double wins, gain
    cdef readonly uint16_t[::1] items
    cdef readonly int32_t[::1] counts, seats
    cdef readonly float[::1] returns

    cpdef bint has_room(self) noexcept nogil
    cpdef int play(self, Tactics rival, int rivals, int explore, int rounds)
    @cython.locals(move=int)
    cdef void play_round(self, Tactics rival, int rivals, int explore) noexcept nogil
    @cython.locals(worths=SeatWorths, best=double, winners=int)
    cdef void count_results(self, int rivals) noexcept nogil
    @cython.locals(move=int)
    cdef int learners_move(self, int seat, int explore) noexcept nogil
    @cython.locals(inputs=OnInputs, count=int)
    cdef void keep(self, int seat, int move) noexcept nogil
