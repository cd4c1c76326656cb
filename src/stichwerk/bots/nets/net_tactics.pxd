cimport cython
from libc.stdint cimport int32_t, int64_t

from stichwerk.bots.nets.features cimport Features
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.net cimport Net
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Tactics

cdef int FULL, SMALL
cdef double SCORE_SCALE

ctypedef int64_t[64] Facts
ctypedef int32_t[128] Sums
ctypedef int32_t[512] OnInputs

@cython.final
cdef class NetTactics(Tactics):
    cdef readonly Net net
    cdef readonly Features features
    cdef readonly Tactics full, small

    @cython.locals(
        facts=Facts, inputs=OnInputs, sums=Sums, full=int, small=int, best=int, found=int, score=int
    )
    cdef int best_move(self, State state, int seat, Generator generator, Moves moves) noexcept nogil
    @cython.locals(
        facts=Facts, inputs=OnInputs, sums=Sums, full=int, small=int, best=int, score=int
    )
    cdef int best_score(self, State state, int seat, Generator generator, Moves moves) noexcept nogil
    cdef void describe(
        self, State state, int seat, int move, int full, int small, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(facts=Facts)
    cdef void record(
        self, State state, int seat, int move, Generator generator, Moves moves, int32_t* inputs
    ) noexcept nogil
    @cython.locals(inputs=OnInputs, sums=Sums)
    cpdef dict scores(self, State state, int seat, Generator generator)
    @cython.locals(inputs=OnInputs)
    cpdef list inputs_of(self, State state, int seat, int move, Generator generator)
