cimport cython
from libc.stdint cimport uint64_t

from stichwerk.engine.codes cimport (
    above, argument_of, below, bit_of, card_in, card_of, colour_of, half_of, half_slot, has, place_of,
    value_of, values_in,
)
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.engine.tactics cimport Tactics
from stichwerk.games.stichtag.course cimport Course

cdef int NOBODY, NONE, PLAY
cdef int ACCEPT_POINTS, BID, GIVE_TO, NAME_TRUMP, PART_WITH, STRIKE_PLAY
cdef int AMONG_TRUMPS, IN_COLOURS
cdef int CARRIED_TRICKS, NAMED, OWN, STRUCK
cdef int COUNTS, HIGHEST, MOST_TRICKS, PARTS, RANKS, PAIRED
cdef double NOTHING, ALONE, NEARLY_ALONE, TRUMP_PROMISE, TRUMP_LESS, TRUMP_LEAST
cdef double TRUMP_PRICE, TRUMP_CHEAPER, TRUMP_EARLY, TRUMP_CHEAPEST
cdef double BEATEN, TRICK, LEAD, LEAD_EARLY, VOID, FAR, PARTNER_LEADS, PARTNER_MAY
cdef double SPARED, RID, HUMBLE, CAREFUL, VETO_CARD, HEART

@cython.final
cdef class StichtagTactics(Tactics):
    cdef readonly Course rules
    cdef bint fewest_win, hurts_last, lifts_last
    cdef int exact_total, symbols_help
    cdef int[32] manners
    cdef uint64_t[2] deck_masks
    cdef double[16] promises
    cdef double[16] prices
    cdef double[512] misses

    @cython.locals(seen=uint64_t)
    cdef uint64_t unseen(self, State state, int seat, int word) noexcept nogil
    cdef int better(self, int values, int number, bint lowest) noexcept nogil
    cdef int usually_turned(self, State state) noexcept nogil
    cdef bint lowest_in(self, int turned, int colour, int trump) noexcept nogil
    cdef int left(self, State state, int seat) noexcept nogil

    @cython.locals(lowest=bint)
    cdef double promise(self, int card, uint64_t low, uint64_t high, int trump, int turned) noexcept nogil
    @cython.locals(price=double, lowest=bint)
    cdef double price(self, int card, uint64_t low, uint64_t high, int trump, int turned, int left) noexcept nogil
    @cython.locals(total=double, mask=uint64_t)
    cdef double hand_promise(self, State state, int seat, uint64_t low, uint64_t high, int trump) noexcept nogil

    cdef int points_so_far(self, State state, int seat) noexcept nogil
    cdef int aim(self, State state, int seat) noexcept nogil
    cdef int wanted(self, State state, int seat) noexcept nogil

    @cython.locals(low=uint64_t, high=uint64_t, hoped=double, best=double)
    @cython.locals(chance=double, kept=double, worth=double, after=double, second=int)
    cdef int best_play(self, State state, int seat, Moves moves) noexcept nogil
    cdef bint is_last(self, State state, int seat, int card) noexcept nogil
    @cython.locals(worth=double, mine=double)
    cdef double free_worth(self, State state, int seat, double chance, int left) noexcept nogil
    @cython.locals(won=double, lost=double)
    cdef double exact_worth(self, State state, int seat, double chance, int left, double missing) noexcept nogil
    cdef double partner_takes(self, State state, int partner) noexcept nogil
    @cython.locals(lowest=bint, chance=double, beaten=double, void=double)
    cdef double chance(self, State state, int seat, int trump, uint64_t low, uint64_t high) noexcept nogil
    cdef double given_away(self, State state) noexcept nogil

    @cython.locals(low=uint64_t, high=uint64_t, hoped=double, number=int)
    cdef int bid(self, State state, int seat, Moves moves) noexcept nogil
    cdef int accept(self, State state, int seat, Moves moves) noexcept nogil
    @cython.locals(prize=double, best=double, worth=double)
    cdef int strike(self, State state, int seat, Moves moves) noexcept nogil
    @cython.locals(best=int, worth=int)
    cdef int give_to(self, State state, int seat, Moves moves) noexcept nogil
    @cython.locals(low=uint64_t, high=uint64_t, aim=int, best=double, worth=double, hoped=double)
    cdef int name_trump(self, State state, int seat, Moves moves) noexcept nogil
    @cython.locals(low=uint64_t, high=uint64_t, aim=int, best=double, worth=double)
    cdef int part_with(self, State state, int seat, Moves moves) noexcept nogil

    @cython.locals(fewest=int, most=int, total=double, own=double, points=double)
    cdef double gap(self, State state, int seat) noexcept nogil
