cimport cython
from stichwerk.engine.codes cimport (
    argument_of, choice_of, choice_slot, colour_of, has, move_of, only, value_of, won_values,
)
from stichwerk.engine.frame cimport Game
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.state cimport State

cdef int ALL_COLOURS, CHOOSE, PICK

@cython.final
cdef class HotNumber(Game):
    cdef int burn

    cdef int hot_number(self, State state, int seat) noexcept nogil
    cdef int hot_cards(self, State state, int seat) noexcept nogil
