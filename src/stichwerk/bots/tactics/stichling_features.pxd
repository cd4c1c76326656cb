cimport cython
from libc.stdint cimport int32_t, int64_t, uint64_t

from stichwerk.bots.nets.features cimport Features
from stichwerk.bots.tactics.stichling cimport StichlingTactics
from stichwerk.engine.codes cimport (
    argument_of, card_at, card_of, choice_slot, colour_of, has, place_of, value_of, values_in,
)
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.games.stichling cimport Stichling

cdef int CHOOSE, NOBODY, PLACES, OWN
cdef int SUITS, FIRST_SUIT, VALUES, CARDS, SEATS, HELD_MOST, FULL, ONE, LEVELS, WANTS, STANDINGS
cdef int SHOWN, STEPS, KINDS, TAKES, UNDER, THROWN, FINE, COARSE, LATE, FEW
cdef int TAKE, TOO_LATE, OVERTAKEN, UNFINISHED
cdef int HAND, UNSEEN, STRONG, WEAK, OPEN_COUNT, LEFT, ALL_LEFT, TABLE
cdef int STARTER, STRICT
cdef int TRICK_SIZE, TRICK_OWNER, TRICK_SUIT, TRICK_TOP, TRICK_BEATEN, TRICK_OVER, TRICK_BELOW
cdef int TRICK_GAIN, TRICK_FILL, LYING
cdef int STANDING, SHOWING, WON, HOLDING, NEXT, WANTING, REFUSING, VOID
cdef int CARD, PLACE_OF_VALUE, OWN_VALUES, OTHER_VALUES, ABOVE, BELOW, OWN_ABOVE, OWN_BELOW
cdef int STRONG_LEFT
cdef int SLOT, FATE, TO_WHOM, GIVEN, DENIED, BEATEN, FILLED
cdef int TIME, AFTER, HELD, PROMISE, FUTURE, OPEN_AFTER, CAN
cdef int OUTLOOK, OUTLOOK_FINE
cdef int ORDER, ORDER_POWER, ORDER_STRONG, ORDER_WEAK, ORDER_TABLE, SIZE
cdef int OWN_ORDER, RANK, TOP, OWNER, NAMED, HOLD, GAIN, LOW, HIGH, CARDS_LEFT, SITUATION, OWNED
cdef int WEAK_COUNT, WORTH, IN_HAND, STRONG_COUNT, WANT, PLAYED, PLACE, KIND, BEST, TAKER, LACKING
cdef int HUNGRY, OPENED, POWER

ctypedef int[4] FourNumbers

@cython.final
cdef class StichlingFeatures(Features):
    cdef readonly Stichling rules
    cdef int highest
    cdef readonly StichlingTactics tactics

    @cython.locals(before=uint64_t)
    cdef void rename(self, State state, int seat, int64_t* facts) noexcept nogil
    @cython.locals(own=uint64_t)
    cdef uint64_t weight(self, State state, int seat, int64_t* facts, int colour) noexcept nogil
    @cython.locals(others=int, at=int, left=int)
    cdef void cards(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    cdef void from_top(self, int32_t* inputs, int first, int values) noexcept nogil
    @cython.locals(
        size=int, share=int, rest=int, values=int, others=int, value=int, above=int,
        rank=int, power=int,
    )
    cdef void weigh_hand(
        self, State state, int seat, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    cdef int rank(self, int others, int value) noexcept nogil

    cdef int scoring(self, State state, int seat, int at) noexcept nogil
    @cython.locals(larger=bint)
    cdef int order_of(self, State state, int seat) noexcept nogil
    cdef int situation(self, int tricks) noexcept nogil
    @cython.locals(now=int, gain=int)
    cdef void own_scoring(
        self, State state, int seat, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(
        wanting=int, refusing=int, who=int, won=int, at=int, up=int, shown=int,
        gain=int,
    )
    cdef void others(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil

    @cython.locals(left=int, size=int, best=int, card=int, others=int, rank=int, before=int)
    cdef void survey(self, State state, int seat, int64_t* facts) noexcept nogil
    @cython.locals(who=int, name=int, weight=int)
    cdef int fullness(self, State state, int seat, int64_t* facts, int place) noexcept nogil
    @cython.locals(first=int, count=int, lying=int)
    cdef void tricks(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    @cython.locals(
        place=int, slot=int, card=int, owner=int, values=int, over=int, others=int,
        beaten=int,
    )
    cdef void trick(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil

    @cython.locals(
        card=int, value=int, values=int, others=int, above=int, own_above=int, place=int, count=int
    )
    cdef void card(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    @cython.locals(lacking=int, taker=int, gain=int)
    cdef void fate(self, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    @cython.locals(tricks=int, held=int, now=int, gain=int)
    cdef void after(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    @cython.locals(
        lacking=int, wish=int, late=int, led=int, others=int, beating=int, filling=int, at=int
    )
    cdef void rest_of_trick(
        self, State state, int seat, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(
        counts=FourNumbers, values=int, taking=int, winning=int, ducking=int, filling=int,
        here=bint, size=int, top=int, over=int,
    )
    cdef void other_cards(
        self, State state, int seat, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    cdef int step_of(self, int count) noexcept nogil

    @cython.locals(values=FourNumbers, others=int, rank=int, chance=int)
    cdef int outlook(self, State state, int seat, int64_t* facts) noexcept nogil
    @cython.locals(power=int)
    cdef void add_cards(self, int64_t* facts, int size, int without, int* values) noexcept nogil
    @cython.locals(first=int, gain=int)
    cdef void add_trick(self, int* values, int stuck, int wanted) noexcept nogil
    @cython.locals(chance=int)
    cdef int stays(self, int rank, int lacking, int left) noexcept nogil
    cdef void show_outlook(self, int32_t* inputs, int outlook) noexcept nogil
    @cython.locals(values=FourNumbers, order=int)
    cdef void order(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
