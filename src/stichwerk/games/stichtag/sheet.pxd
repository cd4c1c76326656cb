cimport cython
from stichwerk.engine.codes cimport (
    argument_of, card_in, card_of, half_slot, has, kind_of, only, place_of, play_at, value_of,
)
from stichwerk.engine.frame cimport Game
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.games.stichtag.steps cimport Steps

cdef int NOBODY, NONE, RED
cdef int STRUCK

cdef class Sheet:
    cdef readonly int seats, green_number, red_number, month_number
    cdef int symbol
    cdef Steps steps

    cdef void draw(self, State state, Generator generator) noexcept nogil
    cdef void after_deal(self, State state) noexcept nogil
    cdef void legal(self, State state, int seat, Moves moves) noexcept nogil
    cdef void choose(self, State state, int seat, int move) noexcept nogil
    cdef void settled(self, State state, int seat) noexcept nogil
    cdef void ask_everyone(self, State state, int phase) noexcept nogil
    cdef void ask(self, State state, int phase, int seat) noexcept nogil
    cdef void more_plays(self, State state, int seat, int colours, Moves moves) noexcept nogil
    cdef int random_play(self, State state, int seat, int colours, Generator generator) noexcept nogil
    cdef void lay_more(self, State state, int seat, int play, int move) noexcept nogil
    cdef void lay_at_once(self, State state, int seat, int move) noexcept nogil
    cdef bint is_face_down(self, State state, int holder, int card) noexcept nogil
    cdef void after_leaving(self, State state, int seat) noexcept nogil
    cdef bint goes_aside(self, State state, int seat, int card) noexcept nogil
    cdef int trump(self, State state) noexcept nogil
    cdef int number(self, State state, int play) noexcept nogil
    cdef bint lowest_wins(self, State state) noexcept nogil
    cdef bint lowest_trump_wins(self, State state) noexcept nogil
    cdef bint may_win(self, State state, int play) noexcept nogil
    cdef bint asks_before_settling(self, State state) noexcept nogil
    cdef bint stays(self, State state) noexcept nogil
    cdef void after_trick(self, State state, int winner) noexcept nogil
    cdef void before_lead(self, State state) noexcept nogil
    cdef int leader(self, State state, int winner) noexcept nogil
    cdef int own_points(self, State state, int seat) noexcept nogil
    cdef bint asks_at_end(self, State state) noexcept nogil
    cdef void settle_points(self, State state) noexcept nogil
    cdef int score(self, State state, int seat) noexcept nogil
    cdef bint fits(self, State state, int holder, int card) noexcept nogil
    cdef bint spread_unseen(self, State state, int seat, Generator generator) noexcept nogil
    cdef void fill(self, State state, Generator generator) noexcept nogil
    @cython.final
    cdef int has_symbol(self, int card) noexcept nogil
    @cython.final
    cdef int symbols_of(self, State state, int play) noexcept nogil
    @cython.final
    cdef int symbols(self, State state) noexcept nogil
    @cython.final
    cdef int won_symbols(self, State state, int seat) noexcept nogil
    cdef int second_of(self, int move) noexcept nogil
    cdef int partner_of(self, State state, int seat) noexcept nogil
    cdef bint is_barred(self, State state, int seat) noexcept nogil
    cdef int seen_points(self, State state, int seat) noexcept nogil
    cdef int given_points(self, State state, int play) noexcept nogil
    cdef int wanted_tricks(self, State state, int seat) noexcept nogil
    cdef double trick_worth(self, State state, int seat, int left) noexcept nogil

    cpdef int step_count(self, State state)
    cpdef judge(self, State state, int seat, str text)
    cpdef judge_play(self, State state, int seat, str text)
    cpdef known_steps(self, State state, str text)
    cpdef bint all_in(self, State state, int seat)
    cpdef bint has_played(self, State state, int seat)
    cpdef str chosen_text(self, State state, int seat)
    cpdef list play_events(self, State before, int seat, move)
    cpdef list choice_events(self, State before, int seat, move)
    cpdef list secret_events(self, State before, int seat, move)
    cpdef list all_chosen(self, State before, int seat, move)
    cpdef list last_cards(self, State before, move)
    cpdef trick_event(self, State before, State after, tuple cards)
    cpdef list trick_events(self, State before, State after)
    cpdef list change_events(self, State before, State after)
    cpdef list opening_events(self, State state)
    cpdef list closing_events(self, State state)
    cpdef dict table(self, State state)
    cpdef dict secrets(self, State state, int seat)
    cpdef bint learn(self, State state, event)
    cpdef list effect(self, State state, int seat, move)
    cpdef reason(self, State state, int seat, move)
    cpdef place_special(self, State state, value)
    cpdef bint note_matters(self, State state, str other)
    cpdef int tally_count(self, State state, int seat)

cdef class Goal(Sheet):
    pass
