cimport cython
from libc.stdint cimport int16_t, int32_t, int64_t

cdef int MOST_INPUTS, HIDDEN, SECOND
cdef int FIRST_SHIFT, SECOND_SHIFT, UNIT, CEILING
cdef double SCORE_SCALE
cdef bint PLAIN

ctypedef int32_t[128] Sums
ctypedef int16_t[128] Outputs
ctypedef int32_t[512] OnInputs

@cython.final
cdef class Net:
    cdef readonly int inputs, hidden, second
    cdef int16_t[262144] first_weights
    cdef int16_t[8192] second_weights
    cdef int16_t[64] last_weights
    cdef int16_t[128] first_biases
    cdef int16_t[64] second_biases

    cdef void begin(self, int32_t* inputs, int32_t* sums) noexcept nogil
    @cython.locals(row=int, unit=int)
    cdef void add(self, int32_t* inputs, int32_t* sums) noexcept nogil
    @cython.locals(sums=Sums, outputs=Outputs, result=int, total=int32_t, row=int, at=int, unit=int)
    cdef int score(self, int32_t* inputs, int32_t* base) noexcept nogil
    @cython.locals(inputs=OnInputs, sums=Sums)
    cpdef double value(self, position, move)
