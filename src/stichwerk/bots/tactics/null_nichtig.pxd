cimport cython
from libc.stdint cimport uint64_t

from stichwerk.engine.codes cimport (
    argument_of, below, bit_of, card_at, card_in, choice_of, choice_slot, colour_of, half_of,
    half_slot, has, move_of, colour_slot, value_of, values_in,
)
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Tactics
from stichwerk.games.null_nichtig cimport NullNichtig

cdef int CHOOSE, NONE, PICK, TWIN
cdef int HIGHEST, LAST, PILES, SHORT
cdef double NOTHING, TOP, FADING, BEATEN, RIVALS, BURDEN, LATER

@cython.final
cdef class NullNichtigTactics(Tactics):
    cdef readonly NullNichtig rules
    cdef int teams, target
    cdef double[16] held
    cdef double[16] laid
    cdef double[16] lasting
    cdef uint64_t[16] above

    cdef int lay_out(self, State state, int seat, Moves moves) noexcept nogil
    @cython.locals(best=double, worth=double, first=int, second=int, third=int)
    cdef int best_set(self, State state, int seat, Moves moves) noexcept nogil
    cdef void list_hand(self, State state, int seat, Moves moves) noexcept nogil
    @cython.locals(worth=double)
    cdef double set_worth(self, int first, int second, int third) noexcept nogil
    cpdef double move_worth(self, move)

    @cython.locals(low=uint64_t, high=uint64_t, mask=uint64_t, best=double, worth=double)
    @cython.locals(chance=double, number=int, top=int, higher=int, taker=int)
    cdef int best_card(self, State state, int seat) noexcept nogil
    @cython.locals(cards=uint64_t)
    cdef uint64_t seen(self, State state, int seat, int word) noexcept nogil
    @cython.locals(chance=double)
    cdef double chance_to_stay(self, int higher, int unseen, int to_come) noexcept nogil
    @cython.locals(reach=double, change=double, covered=int, top=int)
    cdef double taken(self, State state, int seat, int taker, int left) noexcept nogil
    @cython.locals(worth=double, change=int, covered=int, top=int)
    cdef double overtaken(self, State state, int seat, int left) noexcept nogil
    cdef double sympathy(self, int seat, int owner) noexcept nogil
    @cython.locals(own=double, total=double, size=int)
    cdef double team_worth(self, State state, int seat) noexcept nogil
    cdef double team_share(self, State state, int seat) noexcept nogil
    cdef int team_total(self, State state, int seat) noexcept nogil
