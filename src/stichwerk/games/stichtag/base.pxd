cimport cython
from stichwerk.engine.frame cimport Game
from stichwerk.engine.state cimport State

cdef int ALL_COLOURS, RED

@cython.final
cdef class Stichtag(Game):
    cdef int rounds

    cdef int trump(self, State state) noexcept nogil
