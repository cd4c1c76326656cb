from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.engine.unseen_cards cimport UnseenCards

cdef int CHOOSE, COLOURS, KIND, NOBODY, PLAY, SEATS, TWIN

cdef class Game(UnseenCards):
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
    cpdef play_event(self, State before, int seat, move)
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
