cimport cython
from stichwerk.engine.codes cimport (
    argument_of, below, card_at, choice_slot, colour_of, has, move_of, colour_slot, value_of,
    won_values,
)
from stichwerk.engine.frame cimport Game
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State

cdef int CHOOSE, COLOURS, NONE, PICK, TWIN
cdef int PILES

@cython.final
cdef class NullNichtig(Game):
    cdef int lays
    cdef bint as_played
    cdef readonly int tops
    cdef readonly object target, teams

    cdef int laid(self, State state, int seat) noexcept nogil
    @cython.locals(twin=bint)
    cdef int choosable(self, State state, int seat, int colour) noexcept nogil
    cdef void list_colour(self, int colour, int values, Moves moves) noexcept nogil
    cdef int collected_at(self, int best, int at) noexcept nogil
    cdef void pile_up(self, State state, int seat, int card) noexcept nogil

    cpdef str laid_text(self, State state, int seat)
    cpdef list piles(self, State state, int seat)
    cpdef dict laid_out(self, State state, int seat)
    cpdef dict taken_trick(self, State state, int seat, int card, list heaps)
    cpdef list collecting_order(self, State state)
    cpdef dict collected(self, State state, int seat, int play)
