cimport cython
from stichwerk.engine.frame cimport Game, Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.games.stichtag.sheet cimport Sheet

cdef int ALL_COLOURS, ASIDE, CHOOSE, COLOURS, DISCARD, KIND, NOBODY, NONE, OVER, PAIR, PASS, PLAY, RED, TAKE, VETO
cdef int OTHER, LED, TRUMP
cdef int DRAWN_TRUMP, FACE_DOWN, PAIRS, PARTNERS, ODD_LATER, APRIL

cdef class Course(Game):
    cdef readonly Sheet green, red, month
    cdef Sheet low_by
    cdef readonly tuple sheet_names
    cdef readonly object goal
    cdef object rounds
    cdef bint at_once, pairs, odd_later, anyone_may_win

    @cython.final
    cdef void set_odd_aside(self, State state, int seat) noexcept nogil
    @cython.final
    cdef void put_aside(self, State state, int seat, int card) noexcept nogil
    @cython.final
    cdef void after_leaving(self, State state, int seat) noexcept nogil
    @cython.final
    cdef void take_in(self, State state, int seat, int card) noexcept nogil
    @cython.final
    cdef int led_colour(self, State state) noexcept nogil
    @cython.final
    cdef void list_pairs(self, int values, int first, Moves moves) noexcept nogil
    @cython.final
    cdef bint red_asks(self, State state) noexcept nogil
    @cython.final
    cdef void lay_openly(self, State state, int seat, int move) noexcept nogil
    @cython.final
    cdef void lay_face_down(self, State state, int seat, int move) noexcept nogil
    @cython.final
    cdef void turn_up(self, State state) noexcept nogil
    @cython.final
    cdef void go_on(self, State state, int seat) noexcept nogil
    @cython.final
    cdef void all_lie(self, State state) noexcept nogil
    @cython.final
    cdef bint may_win(self, State state, int play) noexcept nogil
    @cython.final
    cdef void settle_trick(self, State state) noexcept nogil
    @cython.final
    cdef bint few_hold_cards(self, State state) noexcept nogil
    @cython.final
    cdef void leave_trick(self, State state) noexcept nogil
    @cython.final
    cdef void carry(self, State state, int card) noexcept nogil
    @cython.final
    cdef void hand_on(self, State state) noexcept nogil
    @cython.final
    cdef void draw_cards(self, State state, int seat) noexcept nogil
    @cython.final
    cdef void close_trick(self, State state) noexcept nogil
    @cython.final
    cdef void count_points(self, State state) noexcept nogil
    @cython.final
    cdef int nth_play(self, int values, int count, int at, int first) noexcept nogil
    @cython.final
    cdef bint traced(self, State state, int holder, int card) noexcept nogil
    @cython.final
    cdef int face_down_card(self, State state, Generator generator, int tried) noexcept nogil
    @cython.final
    cdef void fill_partners(self, State state, Generator generator) noexcept nogil
