cimport cython
from stichwerk.engine.codes cimport (
    argument_of, below, card_of, choice_slot, colour_of, move_of, colour_slot, place_of, sum_of,
    trick_slot, value_of,
)
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Tactics
from stichwerk.games.null_nichtig cimport NullNichtig
from stichwerk.games.sticheln cimport Sticheln
from stichwerk.games.stichling cimport Stichling

cdef int CHOOSE, COLOURS, ORDER, PLACES, TWIN, WORST

@cython.final
cdef class SmallSticheln(Tactics):
    cdef readonly Sticheln rules

    cdef int comfort(self, State state, int seat, int card) noexcept nogil
    cdef int lead_liking(self, State state, int seat, int card) noexcept nogil
    @cython.locals(pain=bint, last=bint)
    cdef int follow_liking(self, State state, int seat, int card, int gain, int most) noexcept nogil
    cdef int gain(self, State state, int seat) noexcept nogil
    cdef int card_strength(self, State state, int card) noexcept nogil
    cdef int strongest(self, State state) noexcept nogil

@cython.final
cdef class SmallNullNichtig(Tactics):
    cdef readonly NullNichtig rules

    cdef int next_high(self, State state, int seat, Moves moves) noexcept nogil
    cdef int better_colours(self, State state, int seat, int colour, int first) noexcept nogil
    cdef int top(self, State state, int seat, int colour) noexcept nogil
    cdef int liking(self, State state, int seat, int card) noexcept nogil
    cdef int highest(self, State state) noexcept nogil
    cdef int change(self, State state, int seat, int card) noexcept nogil

@cython.final
cdef class SmallStichling(Tactics):
    cdef readonly Stichling rules

    cdef int order(self, State state, int seat) noexcept nogil
    cdef bint hungry(self, State state, int seat) noexcept nogil
    @cython.locals(mine=bint, wins=bint)
    cdef int liking(self, State state, int seat, int card, int place, bint hungry) noexcept nogil
    cdef int best(self, State state, int place) noexcept nogil
