cimport cython
from libc.stdint cimport uint8_t

from stichwerk.engine.codes cimport (
    argument_of, card_at, card_of, choice_slot, colour_of, has, move_of, place_of, play_at,
    trick_slot,
)
from stichwerk.engine.frame cimport Game
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State

cdef int CHOOSE, COLOURS, NOBODY, NONE, ORDER, OVER, PLACES, PLAY
cdef int FULL, SCORING, ALL_OPEN, NEW

@cython.final
cdef class Stichling(Game):
    cdef bint whole_hand
    cdef int led_places
    cdef uint8_t[18] orders

    cdef int may_lay(self, State state, int seat, int colour) noexcept nogil
    cdef int free_place(self, State state) noexcept nogil
    cdef bint could_follow(self, State state, int seat) noexcept nogil
    cdef void note_voids(self, State state, int seat) noexcept nogil
    cdef int owner(self, State state, int place) noexcept nogil
    cdef int best(self, State state, int place) noexcept nogil
    cdef void remove_full_trick(self, State state, int place) noexcept nogil
    cdef int scoring_value(self, State state, int number) noexcept nogil
    cpdef int worth(self, State state, int seat, int tricks) noexcept nogil
    cdef int face_up(self, int tricks) noexcept nogil
    cdef void fill_order(self, State state, int seat, Generator generator) noexcept nogil

    cpdef str order_text(self, State state, order)
    cpdef list scoring_values(self, State state)
    cpdef dict taken_trick(self, State state, int seat, int play)
    cpdef best_card(self, State state, int place)
    cpdef why_no_place(self, State state, int seat, int card, int places)
    cpdef why_not_there(self, State state, int card, int place)
