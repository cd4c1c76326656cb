cimport cython
from stichwerk.engine.codes cimport (
    bit_of, card_of, colour_of, half_of, half_slot, has, only, value_of,
)
from stichwerk.engine.frame cimport Game
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.state cimport State
from stichwerk.games.stichtag.sheet cimport Sheet
from stichwerk.games.stichtag.steps cimport Steps

cdef int ALL_COLOURS, ASIDE, NOBODY, NONE, OVER, PLAY, SEATS
cdef int CARRIED_TRICKS, COUNTING, LAST_TRICK, NAMED, NEXT_LEADER, OWN, STRUCK
cdef int OTHER, LED, TRUMP, IN_COLOURS, AMONG_TRUMPS

cdef class Course(Steps):
    cdef readonly Sheet green, red, month
    cdef Sheet low_by
    cdef readonly tuple sheet_names
    cdef readonly object goal
    cdef object rounds
    cdef int red_phases, secret_phases
    cdef bint at_once, pairs, sets_aside, narrows, anyone_may_win, red_bars, month_bars
    cdef bint trumps_apart

    @cython.final
    cdef void begin_month(self, State state) noexcept nogil
    @cython.final
    cdef int led_colour(self, State state) noexcept nogil
    @cython.final
    cdef bint red_asks(self, State state) noexcept nogil
    @cython.final
    cdef int turned(self, State state) noexcept nogil
    @cython.final
    cdef bint may_win(self, State state, int play) noexcept nogil
    @cython.final
    cdef bint few_hold_cards(self, State state) noexcept nogil
    @cython.final
    cdef void count_own(self, State state) noexcept nogil
    @cython.final
    cdef int own_points(self, State state, int seat) noexcept nogil
    @cython.final
    cdef void leave_trick(self, State state) noexcept nogil
    @cython.final
    cdef void carry(self, State state, int card) noexcept nogil
