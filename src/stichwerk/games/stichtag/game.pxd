cimport cython
from stichwerk.engine.frame cimport Game
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.games.stichtag.course cimport Course

cdef int ACCEPT, ANNOUNCE, CHOOSE, DISCARD, DROP, GIFT, GIVE, KIND, NOBODY
cdef int NONE, OVER, PAIR, PASS, PICK, PLAY, STRIKE, TAKE, VETO
cdef int MOST_TRICKS, EGGS
cdef int DRAWN_TRUMP, FACE_DOWN, ANNOUNCEMENT, PARTNERS, THE_VETO
cdef int MARCH, APRIL, JULY, AUGUST, SEPTEMBER, NOVEMBER, DECEMBER

@cython.final
cdef class Stichtag(Course):
    cpdef judge_number(self, State state, int seat, str text)
    cpdef judge_veto(self, State state, int seat, str text)
    cpdef judge_pass(self, State state, int seat, str text)
    cpdef judge_discard(self, State state, int seat, str text)
    cpdef judge_gift(self, State state, int seat, str text)
    cpdef judge_take(self, State state, int seat, str text)
    cpdef list play_events(self, State before, int seat, move, State after)
    cpdef list secret_events(self, State before, int seat, move, State after)
    cpdef str chosen_text(self, State state, int seat)
    cpdef list lying(self, State state)
    cpdef list aside_events(self, State before, State after)
    cpdef list closing_events(self, State state)
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
