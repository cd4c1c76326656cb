cimport cython
from libc.stdint cimport uint32_t, uint64_t, uint8_t

cdef uint64_t WORD

@cython.final
cdef class Generator:
    cdef uint64_t[4] words
    cdef uint8_t[96] cards
    cdef uint8_t[96] holders
    cdef uint8_t[96] marks
    cdef uint8_t[96] kept
    cdef int size

    cdef uint64_t draw(self) noexcept nogil
    cdef int below(self, int bound) noexcept nogil
    cdef void shuffle(self, int count) noexcept nogil
