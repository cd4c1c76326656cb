cimport cython
from stichwerk.engine.frame cimport Game, Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.games.stichtag.sheet cimport Sheet

cdef int ALL_COLOURS, ANNOUNCE, ACCEPT, ASIDE, CARD, CHOOSE, COLOURS, DISCARD, DROP, GIFT, GIVE, KIND
cdef int NOBODY, NONE, OVER, PAIR, PASS, PICK, PLAY, STRIKE, TAKE, VETO
cdef int LED, OTHER, RED, TRUMP
cdef int FACE_DOWN, PAIRS, ODD_LATER, MOST_TRICKS, EGGS
cdef int DRAWN_TRUMP, ANNOUNCEMENT, PARTNERS, THE_VETO
cdef int MARCH, APRIL, JULY, AUGUST, SEPTEMBER, NOVEMBER, DECEMBER

@cython.final
cdef class Stichtag(Game):
    cdef readonly Sheet green, red, month
    cdef Sheet low_by
    cdef readonly tuple sheet_names
    cdef object rounds
    cdef readonly object goal
    cdef bint at_once, pairs, odd_later, anyone_may_win

    cdef void set_odd_aside(self, State state, int seat) noexcept nogil
    cdef void put_aside(self, State state, int seat, int card) noexcept nogil
    cdef void after_leaving(self, State state, int seat) noexcept nogil
    cdef void take_in(self, State state, int seat, int card) noexcept nogil
    cdef int led_colour(self, State state) noexcept nogil
    cdef void list_pairs(self, int values, int first, Moves moves) noexcept nogil
    cdef bint red_asks(self, State state) noexcept nogil
    cdef void lay_openly(self, State state, int seat, int move) noexcept nogil
    cdef void lay_face_down(self, State state, int seat, int move) noexcept nogil
    cdef void turn_up(self, State state) noexcept nogil
    cdef void go_on(self, State state, int seat) noexcept nogil
    cdef void all_lie(self, State state) noexcept nogil
    cdef bint may_win(self, State state, int play) noexcept nogil
    cdef void settle_trick(self, State state) noexcept nogil
    cdef bint few_hold_cards(self, State state) noexcept nogil
    cdef void leave_trick(self, State state) noexcept nogil
    cdef void carry(self, State state, int card) noexcept nogil
    cdef void hand_on(self, State state) noexcept nogil
    cdef void draw_cards(self, State state, int seat) noexcept nogil
    cdef void close_trick(self, State state) noexcept nogil
    cdef void count_points(self, State state) noexcept nogil
    cdef int nth_play(self, int values, int count, int at, int first) noexcept nogil
    cdef bint traced(self, State state, int holder, int card) noexcept nogil
    cdef void fill_partners(self, State state, Generator generator) noexcept nogil

    cpdef judge_number(self, State state, int seat, str text)
    cpdef judge_veto(self, State state, int seat, str text)
    cpdef judge_pass(self, State state, int seat, str text)
    cpdef judge_discard(self, State state, int seat, str text)
    cpdef judge_gift(self, State state, int seat, str text)
    cpdef judge_take(self, State state, int seat, str text)
    cpdef list play_happenings(self, State before, int seat, move, State after)
    cpdef list secret_happenings(self, State before, int seat, move, State after)
    cpdef str chosen_text(self, State state, int seat)
    cpdef list lying(self, State state)
    cpdef list aside_happenings(self, State before, State after)
    cpdef list closing_happenings(self, State state)
    cpdef announced(self, State state)
    cpdef struck_seat(self, State state)
    cpdef recount(self, State state)
    cpdef learn_taken(self, State state, tuple choices)
    cpdef learn_aside(self, State state, tuple counts)
    cpdef learn_named(self, State state, int seat, str colour)
    cpdef learn_own_play(self, State state, int seat, str text)
    cpdef learn_turned_up(self, State state, int seat, str text)
    cpdef learn_passed(self, State state, tuple counts)
    cpdef trace(self, State state, int card, int holder)
    cpdef trace_on(self, State state, tuple counts)
    cpdef learn_cards(self, State state, int seat, tuple cards)
