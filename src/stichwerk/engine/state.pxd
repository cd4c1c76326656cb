cimport cython
from libc.stdint cimport int16_t, uint16_t, uint64_t

from stichwerk.engine.machine cimport Bits

cdef int SEATS, TWIN
cdef bint PLAIN

@cython.final
@cython.freelist(64)
cdef class State:
    cdef public int seats, twins, phase, owes, turn, leader, starter, round, direction
    cdef public int unknown, plays, tricks_done, last_winner, stock_size, stock_top, open_places
    cdef public int layout
    cdef public uint64_t[12] hands
    cdef public uint64_t[12] won
    cdef public uint64_t[2] gone
    cdef public uint16_t[6] hand_size
    cdef public uint16_t[6] tricks_won
    cdef public uint16_t[6] voids
    cdef public int16_t[6] points
    cdef public int16_t[6] totals
    cdef public uint16_t[18] choice
    cdef public uint16_t[4] trick_size
    cdef public uint16_t[24] trick_card
    cdef public uint16_t[24] trick_seat
    cdef public uint16_t[96] stock
    cdef public uint64_t[2] carried
    cdef public uint64_t[12] aside
    cdef public uint16_t[6] aside_size
    cdef public uint16_t[6] second
    cdef public int16_t[64] numbers
    cdef public uint64_t[32] sets

    cdef bint holds(self, int seat, int card) noexcept nogil
    cdef int colour(self, int seat, int colour) noexcept nogil
    cdef void give(self, int seat, int card) noexcept nogil
    cdef void remove(self, int seat, int card) noexcept nogil
    cdef void collect(self, int seat, int card) noexcept nogil
    cdef void dismiss(self, int card) noexcept nogil
    cdef int lay(self, int place, int seat, int card) noexcept nogil
    cdef int led(self, int place) noexcept nogil
    cdef void sweep(self, int place) noexcept nogil
    cdef void assign(self, State other) noexcept nogil
    cdef void renew(self, State other) noexcept nogil
    @cython.locals(twin=State)
    cpdef State copy(self)
