cimport cython
from stichwerk.engine.frame cimport Game
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits, Caller
from stichwerk.engine.state cimport State

cdef int CHOOSE
cdef double NEVER, SURE
cdef bint PLAIN

cdef class Numbers:
    cdef double[192] items

cdef class Tactics:
    cdef readonly Game game
    cdef public double victory

    cdef int move(self, State state, int seat, Generator generator, Moves moves) noexcept nogil
    cdef long play_out(self, State state, Generator generator, Moves moves) noexcept nogil
    @cython.locals(total=double, gap=double)
    cdef double worth(self, State state, int seat) noexcept nogil
    cdef double match_share(self, State state, int seat) noexcept nogil
    cdef int parties(self) noexcept nogil
    cdef double standing(self, State state, int seat) noexcept nogil
    cdef double missing(self, State state) noexcept nogil
    cdef bint hides(self, State state) noexcept nogil
    cdef bint countable(self, State state) noexcept nogil
    cdef bint more_is_hidden(self, State state) noexcept nogil
    cdef bint surprised(
        self, State state, int seat, int move, Generator generator, Moves moves
    ) noexcept nogil
    cdef void weigh(
        self,
        State state,
        int seat,
        Generator generator,
        Moves moves,
        Moves spare,
        Numbers weights,
    ) noexcept nogil
    cdef bint judge(self, State state, Numbers values) noexcept nogil
    cdef double foresee(
        self, State state, int seat, Generator generator, Moves moves
    ) noexcept nogil
    cdef bint failed(self) noexcept nogil

    cpdef int pick(self, State state, int seat, Generator generator)
    cpdef double value(self, State state, int seat)
    cpdef list shortlist(self, State state, int seat, list moves)
    cpdef check(self)

cdef class PolicyTactics(Tactics):
    cdef Tactics base
    cdef bint has_policy, has_value, broken
    cdef Caller policy, judgement
    cdef tuple functions
