cimport cython
from libc.stdint cimport int32_t

from stichwerk.engine.codes cimport (
    card_in, card_of, choice_slot, half_slot, has, value_of,
)
from stichwerk.engine.frame cimport Game
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Tactics

cdef int NONE, PLAY, SEATS, TWIN
cdef double HABIT, SLIPS
cdef int CERTAIN, CHOICES, DOUBT, RECHOOSE, SETTLING, FEW_MOVES, SELDOM
cdef bint PLAIN

cdef class Belief:
    cdef readonly Tactics tactics, second
    cdef readonly Game game
    cdef State known, deal, proposed, start, past
    cdef Moves moves
    cdef int seat, everyone, steps, trail_size, unseen
    cdef bint walking, stuck, choices_hidden, two_pictures, careful
    cdef int32_t[512] trail_seat
    cdef int32_t[512] trail_move
    cdef int32_t[96] card
    cdef int32_t[96] holder
    cdef int32_t[6] surprises
    cdef int32_t[6] moves_seen
    cdef int32_t[6] understood
    cdef int32_t[6] proposed_understood
    cdef double[6] by_chance
    cdef double[6] by_model
    cdef double[6] by_second
    cdef double[6] weight
    cdef double[6] proposed_weight
    cdef int32_t[6] proposed_surprises
    cdef int32_t[6] second_surprises
    cdef int32_t[6] plays_second
    cdef int32_t[6] proposed_second

    cpdef remember(self, State start, list trail, int steps)
    cpdef forget(self)
    cpdef list drawn(self, State known, int seat, object seed, int count)
    cpdef check(self)
    cpdef int surprise(self, State deal)
    cpdef double understood_share(self)

    cdef bint predicts_all(self) noexcept nogil
    cdef void take_in(self, State known, int seat) noexcept nogil
    cdef void draw(self, Generator generator) noexcept nogil
    cdef void walk(self, int steps, Generator generator) noexcept nogil
    cdef void list_unseen(self) noexcept nogil
    cdef void list_hand(self, int seat, int word) noexcept nogil
    cdef void list_card(self, int card, int holder) noexcept nogil

    cdef bint can_be_exchanged(self, int one, int other) noexcept nogil
    cdef bint is_laid_down(self, int holder, int card) noexcept nogil
    cdef void try_exchange(self, int one, int other, Generator generator) noexcept nogil
    cdef void replace(self, State deal, int holder, int card, int instead) noexcept nogil
    cdef void try_new_deal(self, Generator generator) noexcept nogil
    cdef void try_other_choices(self, Generator generator) noexcept nogil
    cdef bint is_accepted(self, int asked, Generator generator) noexcept nogil
    cdef bint is_likely(self, int asked, Generator generator) noexcept nogil
    cdef double likelihood(self, int seat) noexcept nogil
    cdef void keep_counts(self, int asked) noexcept nogil

    cdef void count_surprises(self, State deal, int asked, Generator generator) noexcept nogil
    @cython.locals(first=bint, second=bint, chance=double, slip=double)
    cdef void ask(self, int seat, int move, Generator generator) noexcept nogil
    cdef void rewind(self, State past, State deal) noexcept nogil
