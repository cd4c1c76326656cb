from stichwerk.engine.frame cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.games.stichtag.sheet cimport Sheet

cdef int DISCARD, DROP, GIFT, GIVE, KIND, NOBODY, NONE, PASS, PICK
cdef int EGGS, FACE_DOWN, UPSIDE_DOWN, KITE

cdef class January(Sheet):
    pass

cdef class February(Sheet):
    pass

cdef class March(Sheet):
    pass

cdef class April(Sheet):
    pass

cdef class May(Sheet):
    pass

cdef class June(Sheet):
    pass

cdef class July(Sheet):
    pass

cdef class August(Sheet):
    cdef int above(self, State state, int seat, int last) noexcept nogil

cdef class September(Sheet):
    pass

cdef class October(Sheet):
    pass

cdef class November(Sheet):
    pass

cdef class December(Sheet):
    cdef void put_due(self, State state, int card) noexcept nogil
