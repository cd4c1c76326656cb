cimport cython
from stichwerk.engine.codes cimport (
    argument_of, choice_of, choice_slot, colour_of, has, move_of, sum_of, value_of, won_count,
    won_values,
)
from stichwerk.engine.frame cimport Game
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State

cdef int CHOOSE, NOBODY, PICK

@cython.final
cdef class Sticheln(Game):
    cdef int rounds
    cdef bint leader_takes_zeros

    cdef int pain_colour(self, State state, int seat) noexcept nogil
