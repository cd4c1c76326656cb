from stichwerk.engine.frame cimport Game
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.state cimport State

cdef class Steps(Game):
    cdef void lay_openly(self, State state, int seat, int move) noexcept nogil
    cdef void all_lie(self, State state) noexcept nogil
    cdef void settle_trick(self, State state) noexcept nogil
    cdef void close_trick(self, State state) noexcept nogil
    cdef void count_points(self, State state) noexcept nogil
    cdef void go_on(self, State state) noexcept nogil
    cdef void after_leaving(self, State state, int seat) noexcept nogil
    cdef void take_in(self, State state, int seat, int card) noexcept nogil
    cdef bint deal_unseen(self, State state, int seat, Generator generator) noexcept nogil
    cpdef read_seat(self, str text)
    cpdef follow_objection(self, State state, int seat, int card)
    cpdef learn_cards(self, State state, int seat, tuple cards)
    cpdef recount(self, State state)
