cimport cython

from stichwerk.engine.codes cimport card_of, colour_of, value_of
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Tactics

cdef int PLAY

@cython.final
cdef class HabitTactics(Tactics):
    cdef int value_weight, colour_weight
