cimport cython

from stichwerk.engine.machine cimport Real
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Tactics

cdef int SQUARINGS
cdef double LOWEST, POWER, SOONEST

@cython.final
cdef class Prospects:
    cdef readonly Tactics tactics
    cdef readonly double sharpness, pace
    cdef double rounds_left

    cpdef ahead(self, int rounds_left)
    @cython.locals(left=double, own=double, scale=double, total=double, best=double, weight=double, parties=int)
    cdef double chance(self, State state, int seat, double gain, double unplayed) noexcept nogil
    @cython.locals(own=double, standing=double)
    cdef double result(self, State state, int seat, int parties) noexcept nogil
    @cython.locals(missing=double, left=double)
    cdef double left(self, State state) noexcept nogil
    @cython.locals(found=double)
    cdef double power(self, double number) noexcept nogil
    cpdef double share(self, State state, int seat)
