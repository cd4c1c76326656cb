from stichwerk.engine.frame cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.state cimport State
from stichwerk.games.stichtag.sheet cimport Sheet

cdef int ACCEPT, ANNOUNCE, CHOOSE, KIND, NOBODY, NONE, STRIKE, TAKE, VETO
cdef int RED, MOST_TRICKS, EXACT, JULY, SWITCH

cdef class Red0(Sheet):
    pass

cdef class Red1(Sheet):
    pass

cdef class Red2(Sheet):
    pass

cdef class Red3(Sheet):
    pass

cdef class Red4(Sheet):
    cdef bint hit(self, State state, int seat) noexcept nogil

cdef class Red5(Sheet):
    pass

cdef class Red6(Sheet):
    pass

cdef class Red7(Sheet):
    cdef bint may_be_struck(self, State state, int seat) noexcept nogil

cdef class Red8(Sheet):
    pass

cdef class Red9(Sheet):
    pass
