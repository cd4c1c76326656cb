cimport cython
from libc.stdint cimport int32_t, uint8_t, uint64_t

from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits, Demand, Lock
from stichwerk.engine.state cimport State

cdef bint PLAIN
cdef int DOUBTFUL, ENOUGH, FREE, LONGEST_CHOICE, MOST_CARDS, MOST_STOCK, SETTLED, TRIES, VISITED
cdef int ALL_COLOURS, ASIDE, CHOOSE, COLOURS, KIND, NOBODY, NONE, OVER, PLAY, SEATS, TWIN

@cython.final
@cython.freelist(16)
cdef class Moves:
    cdef int32_t[192] items
    cdef int size

    cdef void add(self, int move) noexcept nogil

cdef class Game:
    cdef readonly int seats, hand_size, deck_size
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

    cdef bint may_hold(self, State state, int seat, int card) noexcept nogil
    cdef bint is_laid_down(self, State state, int holder, int card) noexcept nogil
    cdef bint fill(self, State state, int seat, Generator generator, Moves moves) noexcept nogil
    @cython.locals(low=uint64_t, high=uint64_t, twins_low=uint64_t, twins_high=uint64_t, seen=uint64_t)
    cdef void gather_unseen(self, State state, Generator generator) noexcept nogil
    cdef bint assign_holders(self, State state, int seat, Generator generator) noexcept nogil
    cdef int hand_room(self, State state, int holder) noexcept nogil
    cdef int stock_room(self, State state) noexcept nogil
    cdef bint fits(self, State state, int holder, int card) noexcept nogil
    cdef int misplaced(self, State state, Generator generator) noexcept nogil
    cdef bint spread_unseen(self, State state, int seat, Generator generator) noexcept nogil
    cdef bint mend_voids(self, State state, Generator generator) noexcept nogil
    cdef bint can_be_dealt(self, State state, Generator generator) noexcept nogil
    cdef bint place_misfits(self, State state, Generator generator) noexcept nogil
    cdef void mark_misfits(self, State state, Generator generator) noexcept nogil
    cdef bint find_place(
        self, State state, Generator generator, int card, int origin
    ) noexcept nogil
    cdef int exchange_cost(self, State state, Generator generator, int a, int b) noexcept nogil
    cdef void hand_over(self, State state, int holder, int card) noexcept nogil
    cdef void fill_choices(self, State state, Generator generator, Moves moves) noexcept nogil

    cpdef list actions(self, State state, int seat)
    cpdef play(self, State state, int seat, int action)
    cpdef new_round(self, State state, hands, stock)
    cpdef State new_state(self)
    cpdef shuffled_round(self, State state, Generator generator)
    cpdef long random_rounds(self, long rounds, seed)
    cpdef long finish(self, State state, Generator generator)
    cpdef complete(self, State state, seat, generator)
    cpdef bint can_hold(self, State state, int seat, int card)
    cpdef contradiction(self, State state, int seat)
    cpdef long perft(self, State state, int depth)

    cpdef int steps(self, State state)
    cpdef list moves(self, State state, int seat)
    cpdef list _sequences(self, State state, int seat, int length)
    cpdef str move_text(self, State state, tuple steps)
    cpdef judge(self, State state, int seat, str text)
    cpdef judge_play(self, State state, int seat, str text)
    cpdef colour_objection(self, State state, int seat, int card, int colours)
    cpdef judge_choice(self, State state, int seat, str text)
    cpdef read_card(self, State state, int seat, str text)

    cpdef list move_events(self, State before, int seat, move, State after)
    cpdef list opening_events(self, State state)
    cpdef list revealed(self, State before, State after)
    cpdef list trick_events(self, State before, move, State after)
    cpdef winning_seat(self, State state, int place)
    cpdef tuple hand(self, State state, int seat)
    cpdef dict table(self, State state)
    cpdef dict secrets(self, State state, int seat)
    cpdef learn(self, State state, event)
    cpdef replay_move(self, State state, int seat, str text)
    cpdef tuple known_steps(self, State state, str text)
    cpdef place_specials(self, State state, specials)
    cpdef bint secret(self, State state)
    cpdef bint all_in(self, State state, int seat)
    cpdef bint has_chosen(self, State state, int seat)
    cpdef str entry_kind(self, State state)
    cpdef list entry_order(self, State state)
    cpdef str play_text(self, State state, entry)
