from stichwerk.engine.frame cimport Game, Moves
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State

cdef int CHOOSE, COLOURS, KIND, NONE, OVER, PICK, PLAY, TWIN

cdef class NullNichtig(Game):
    cdef int lays
    cdef readonly object target, teams

    cdef int laid(self, State state, int seat) noexcept nogil
    cdef int choosable(self, State state, int seat, int first) noexcept nogil
    cdef void list_colour(self, State state, int seat, int colour, Moves moves) noexcept nogil
    cdef void pile_up(self, State state, int seat, int card) noexcept nogil

    cpdef str laid_text(self, State state, int seat)
    cpdef list piles(self, State state, int seat)
