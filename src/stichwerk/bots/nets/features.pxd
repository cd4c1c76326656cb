cimport cython
from libc.stdint cimport int32_t, int64_t, uint64_t

from stichwerk.engine.frame cimport Game
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State

cdef class Features:
    cdef readonly Game game
    cdef readonly int size

    cdef void position(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    cdef void move(
        self, State state, int seat, int move, int64_t* facts, int32_t* inputs
    ) noexcept nogil

    @cython.final
    cdef void on(self, int32_t* inputs, int at) noexcept nogil
    @cython.final
    cdef void one_of(self, int32_t* inputs, int first, int number, int count) noexcept nogil
    @cython.final
    cdef void up_to(self, int32_t* inputs, int first, int number, int count) noexcept nogil
    @cython.final
    cdef void signed(self, int32_t* inputs, int first, int number, int up, int down) noexcept nogil
    @cython.final
    cdef void each(self, int32_t* inputs, int first, uint64_t mask) noexcept nogil
    @cython.final
    cdef int relative(self, int seat, int other) noexcept nogil
