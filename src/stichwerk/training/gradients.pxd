cimport cython
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t

from stichwerk.engine.machine cimport Lock

cdef float MOST
cdef int CEILING, UNIT

ctypedef float[128] HiddenFloats
ctypedef float[64] SecondFloats

@cython.final
cdef class Gradients:
    cdef int hidden, units
    cdef double errors, squares
    cdef float[::1] first, first_bias, second, turned, second_bias, last
    cdef float[::1] to_first, to_first_bias, to_second, to_second_bias, to_last
    cdef uint16_t[::1] items
    cdef int64_t[::1] starts
    cdef int32_t[::1] counts
    cdef float[::1] targets

    cpdef add(self, items, starts, counts, targets, double last_bias)
    @cython.locals(
        one=HiddenFloats, two=SecondFloats, back_one=HiddenFloats, hidden=int, start=int64_t,
        place=int64_t, row=int, unit=int, other=int, value=float, error=float,
    )
    cdef void add_one(self, int at, double last_bias) noexcept nogil
