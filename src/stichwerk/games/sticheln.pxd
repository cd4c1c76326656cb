cimport cython
from stichwerk.engine.frame cimport Game, Moves
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State

cdef int CHOOSE, KIND, NOBODY, OVER, PICK, PLAY

@cython.final
cdef class Sticheln(Game):
    cdef int rounds
    cdef bint leader_takes_zeros

    cdef int pain_colour(self, State state, int seat) noexcept nogil
