cimport cython
from libc.stdint cimport uint64_t

from stichwerk.engine.codes cimport (
    above, argument_of, below, bit_of, card_at, card_in, card_of, choice_of, colour_of, half_of,
    half_slot, has, kind_of, move_of, place_of, value_of, values_in,
)
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Tactics
from stichwerk.games.stichtag.course cimport Course

cdef int ACCEPT, ANNOUNCE, CHOOSE, DISCARD, GIFT, NOBODY, NONE, PAIR, PASS, PLAY, TAKE, VETO
cdef int CARRIED_TRICKS, NAMED, OWN, STRUCK
cdef int FEWEST, TWELVE, HEARTS, CONSOLATION, ANNOUNCEMENT, PARTNERS
cdef int JANUARY, APRIL, JUNE, JULY, AUGUST, SEPTEMBER, NOVEMBER, DECEMBER
cdef int COUNTS, EGGS, GOAL, HIGHEST, MOST_TRICKS, PARTS, RANKS, PAIRED
cdef double EGG, NOTHING, ALONE, NEARLY_ALONE, TRUMP_PROMISE, TRUMP_LESS, TRUMP_LEAST
cdef double TRUMP_PRICE, TRUMP_CHEAPER, TRUMP_EARLY, TRUMP_CHEAPEST
cdef double BEATEN, TRICK, LEAD, LEAD_EARLY, VOID, FAR, PARTNER_LEADS, PARTNER_MAY
cdef double SPARED, RID, LEAF, SUNSTROKE, EXCHANGE, HUMBLE, CAREFUL, VETO_CARD, HEART

@cython.final
cdef class StichtagTactics(Tactics):
    cdef readonly Course rules
    cdef int green, red, month, partners, eggs_taken, egg_owner, sunstroke
    cdef uint64_t[2] deck_masks
    cdef double[16] promises
    cdef double[16] prices
    cdef double[512] misses

    @cython.locals(seen=uint64_t)
    cdef uint64_t unseen(self, State state, int seat, int word) noexcept nogil
    cdef int better(self, int values, int number, bint lowest) noexcept nogil
    @cython.locals(lowest=bint)
    cdef bint usually_lowest(self, State state) noexcept nogil
    cdef int left(self, State state, int seat) noexcept nogil

    cdef double promise(self, int card, uint64_t low, uint64_t high, int trump, bint lowest) noexcept nogil
    @cython.locals(price=double)
    cdef double price(self, int card, uint64_t low, uint64_t high, int trump, bint lowest, int left) noexcept nogil
    @cython.locals(total=double, mask=uint64_t, lowest=bint)
    cdef double hand_promise(self, State state, int seat, uint64_t low, uint64_t high) noexcept nogil

    cdef int points_so_far(self, State state, int seat) noexcept nogil
    cdef int aim(self, State state, int seat) noexcept nogil
    cdef int wanted(self, State state, int seat) noexcept nogil

    @cython.locals(low=uint64_t, high=uint64_t, lowest=bint, hoped=double, best=double)
    @cython.locals(chance=double, kept=double, worth=double, after=double, second=int)
    cdef int best_play(self, State state, int seat, Moves moves) noexcept nogil
    cdef bint is_last(self, State state, int seat, int card) noexcept nogil
    @cython.locals(worth=double, mine=double)
    cdef double free_worth(self, State state, int seat, double chance, int left) noexcept nogil
    @cython.locals(won=double, lost=double)
    cdef double exact_worth(self, State state, int seat, double chance, int left, double missing) noexcept nogil
    cdef double partner_takes(self, State state, int seat) noexcept nogil
    @cython.locals(lowest=bint, chance=double, beaten=double, void=double)
    cdef double chance(self, State state, int seat, int trump, uint64_t low, uint64_t high) noexcept nogil
    cdef bint is_barred(self, State state, int seat) noexcept nogil
    cdef double trick_worth(self, State state, int seat, int left) noexcept nogil
    cdef double given_away(self, State state) noexcept nogil

    @cython.locals(low=uint64_t, high=uint64_t, hoped=double, number=int)
    cdef int announcement(self, State state, int seat) noexcept nogil
    cdef int accept(self, State state, int seat) noexcept nogil
    @cython.locals(prize=double, best=double, worth=double)
    cdef int veto(self, State state, int seat, Moves moves) noexcept nogil
    @cython.locals(best=int, worth=int)
    cdef int gift(self, State state, int seat, Moves moves) noexcept nogil
    @cython.locals(low=uint64_t, high=uint64_t, lowest=bint, aim=int, best=double, worth=double)
    cdef int part_with(self, State state, int seat, Moves moves) noexcept nogil

    @cython.locals(fewest=int, most=int, total=double, own=double, points=double)
    cdef double gap(self, State state, int seat) noexcept nogil
