from stichwerk.engine.frame cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State

cdef int NONE, RED

cdef class Sheet:
    cdef readonly int seats, green, red, month
    cdef int symbol

    cdef void draw(self, State state, Generator generator) noexcept nogil
    cdef void after_deal(self, State state) noexcept nogil
    cdef void legal(self, State state, int seat, Moves moves) noexcept nogil
    cdef void choose(self, State state, int seat, int move) noexcept nogil
    cdef void ask_everyone(self, State state, int phase) noexcept nogil
    cdef void ask(self, State state, int phase, int seat) noexcept nogil
    cdef int trump(self, State state) noexcept nogil
    cdef int number(self, State state, int play) noexcept nogil
    cdef bint lowest_wins(self, State state) noexcept nogil
    cdef bint may_win(self, State state, int play) noexcept nogil
    cdef bint asks_veto(self, State state) noexcept nogil
    cdef bint stays(self, State state) noexcept nogil
    cdef void after_trick(self, State state, int winner) noexcept nogil
    cdef void before_lead(self, State state) noexcept nogil
    cdef int leader(self, State state, int winner) noexcept nogil
    cdef int own_points(self, State state, int seat) noexcept nogil
    cdef bint asks_at_end(self, State state) noexcept nogil
    cdef void settle_points(self, State state) noexcept nogil
    cdef int score(self, State state, int seat) noexcept nogil
    cdef int symbols_of(self, State state, int play) noexcept nogil
    cdef int symbols(self, State state) noexcept nogil
    cdef int won_symbols(self, State state, int seat) noexcept nogil
