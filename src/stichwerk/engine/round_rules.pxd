cimport cython
from libc.stdint cimport int32_t, uint8_t, uint64_t

from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits, Demand, Lock
from stichwerk.engine.state cimport State

cdef bint PLAIN
cdef int MOST_CARDS
cdef int ALL_COLOURS, CHOOSE, NOBODY, NONE, OVER, PLAY, SEATS, TWIN

@cython.final
@cython.freelist(16)
cdef class Moves:
    cdef int32_t[192] items
    cdef int size

    cdef void add(self, int move) noexcept nogil

cdef class RoundRules:
    cdef readonly int seats, hand_size, deck_size, version
    cdef readonly object deck
    cdef readonly tuple specials
    cdef public tuple recipe
    cdef readonly object area
    cdef State blank
    cdef uint8_t[96] cards
    cdef uint64_t[128] spread

    cdef void clear(self, State state) noexcept nogil
    cdef void deal(self, State state, Generator generator) noexcept nogil
    cdef int cards_each(self, State state) noexcept nogil
    cdef void draw_specials(self, State state, Generator generator) noexcept nogil
    cdef void begin(self, State state) noexcept nogil
    cdef void ask_everyone(self, State state) noexcept nogil
    cdef void start_play(self, State state) noexcept nogil
    cdef void lead(self, State state, int seat) noexcept nogil

    cdef void legal(self, State state, int seat, Moves moves) noexcept nogil
    cdef void legal_plays(self, State state, int seat, Moves moves) noexcept nogil
    cdef int may_play(self, State state, int seat) noexcept nogil
    cdef void legal_choices(self, State state, int seat, Moves moves) noexcept nogil

    cdef void apply(self, State state, int seat, int move) noexcept nogil
    cdef void choose(self, State state, int seat, int move) noexcept nogil
    cdef void settle(self, State state, int seat) noexcept nogil
    cdef void reveal(self, State state) noexcept nogil
    cdef void play_card(self, State state, int seat, int card) noexcept nogil
    cdef int next_seat(self, State state, int seat) noexcept nogil

    cdef int strength(self, State state, int play) noexcept nogil
    cdef int trick_winner(self, State state) noexcept nogil
    cdef void finish_trick(self, State state) noexcept nogil
    cdef void take_trick(self, State state, int play, int winner) noexcept nogil
    cdef int next_leader(self, State state, int winner) noexcept nogil

    cdef void finish_round(self, State state) noexcept nogil
    cdef int score(self, State state, int seat) noexcept nogil

    cdef int random_move(self, State state, int seat, Generator generator, Moves moves) noexcept nogil
    cdef int random_play(self, State state, int seat, Generator generator, Moves moves) noexcept nogil
    cdef long play_out(self, State state, Generator generator, Moves moves) noexcept nogil
    cdef long run_rounds(self, State state, long rounds, Generator generator, Moves moves) noexcept

    cpdef list actions(self, State state, int seat)
    cpdef play(self, State state, int seat, int action)
    cpdef new_round(self, State state, hands, stock)
    cpdef State new_state(self)
    cpdef shuffled_round(self, State state, Generator generator)
    cpdef long random_rounds(self, long rounds, seed)
    cpdef long finish(self, State state, Generator generator)
    cpdef long perft(self, State state, int depth)
