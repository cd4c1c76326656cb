cimport cython
from libc.stdint cimport int16_t, uint16_t, uint64_t

from stichwerk.engine.codes cimport (
    card_at, choice_of, choice_slot, half_slot, has, colour_slot, trick_slot, won_values,
)
from stichwerk.engine.frame cimport Game
from stichwerk.engine.machine cimport Bits, Caller
from stichwerk.engine.state cimport State

cdef int CHOOSE, COLOURS, NOBODY, NONE, OVER, PLACES, SEATS, TWIN, ANNOUNCED, ANNOUNCEMENTS
cdef int ASIDE_SIZES, BEFORE, CARRIED, CARRIED_TRICKS, CHOICES, DIRECTION, EGGS, FACE_DOWN
cdef int FACE_UP, FEW, GIFTS, GONE, HAND, HAND_SIZES, HEARTS, DRAWN_TRUMPS, LANTERNS, LEADER, LED, LYING, MANY
cdef int NAMED, OWES, PAIN, PARTNER, PASSED, PASSING, PENDING, PHASE, PICKED, POINTS, ROUND
cdef int SCORING, SET_ASIDE, SHEETS, SOME, STARTER, STOCK, STRUCK, SUNSTROKE, TAKEN, TAKING
cdef int TO_GIVE, TOPS, TOTALS, TRICKS, TRUMP, UNSEEN, VETO_CARD, VOIDS, CARRIED_COUNT
cdef int NAMED_COLOUR, STRUCK_PLAY, TRACES
cdef bint PLAIN

@cython.final
cdef class Memory:
    cdef uint16_t[72] trace_card
    cdef uint16_t[72] trace_mask
    cdef int16_t[6] before
    cdef int16_t[6] hearts

    cdef void forget_traces(self) noexcept nogil
    @cython.locals(gives=bint)
    cdef void note_passes(self, State state, int seats, int last, int card) noexcept nogil
    cdef void note_pass(self, int seat, int card, int holder) noexcept nogil
    cpdef take_traces(self, State state, int seat)

@cython.final
cdef class Observer:
    cdef readonly Game game
    cdef int seats, fixed_trump, sheet_count, cards, colours, passing_phases, taking_phases
    cdef int tops_at, trump_at, drawn_trumps_at, veto_at, sunstroke_at, pending_at, due_at
    cdef int eggs_at, owner_at, lanterns_at, gifts_at, partners_at
    cdef readonly int width
    cdef bint announces, at_once, reveals
    cdef uint64_t deck_low, deck_high
    cdef Caller asked
    cdef float[::1] out
    cdef int[56] offsets
    cdef int[3] sheets
    cdef int[128] place
    cdef int[6] colour_place
    cdef int[96] copies

    cdef void write(self, State state, int seat, Memory memory, int row) noexcept nogil
    cdef int relative(self, int other, int seat) noexcept nogil
    cdef void mark(self, uint64_t low, uint64_t high, int at) noexcept nogil
    cdef void unmark(self, uint64_t low, uint64_t high, int at) noexcept nogil
    cdef void mark_card(self, int card, int at) noexcept nogil
    cdef void write_cards(self, State state, int seat, int first) noexcept nogil
    cdef void write_trick(self, State state, int seat, int place, int first) noexcept nogil
    @cython.locals(low=uint64_t, high=uint64_t)
    cdef void write_unseen(self, State state, int seat, int to) noexcept nogil
    cdef void write_unseen_twins(self, State state, int seat, int to) noexcept nogil
    cdef void write_table(self, State state, int seat, Memory memory, int first) noexcept nogil
    cdef void write_voids(self, int voids, int steps, int first) noexcept nogil
    cdef void write_pain(self, State state, int seat, int first) noexcept nogil
    cdef void write_piles(self, State state, int seat, int first) noexcept nogil
    cdef void write_scoring(self, State state, int seat, int first) noexcept nogil
    cdef void write_calendar(self, State state, int seat, Memory memory, int first) noexcept nogil
    cdef void write_seat(self, int other, int seat, int to) noexcept nogil
    cdef void write_counts(self, State state, int seat, Memory memory, int first) noexcept nogil
    cdef void write_secrets(self, State state, int seat, int first) noexcept nogil
    cdef void write_traces(self, int seat, Memory memory, int first) noexcept nogil
    cdef void write_choices(self, State state, int seat, int first) noexcept nogil
    cpdef observe(self, State state, int seat, Memory memory, int row)
    cpdef check(self)
