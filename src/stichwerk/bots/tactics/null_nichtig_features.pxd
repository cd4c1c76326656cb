cimport cython
from libc.stdint cimport int32_t, int64_t, uint64_t

from stichwerk.bots.nets.features cimport Features
from stichwerk.engine.codes cimport (
    below, card_of, choice_slot, colour_of, colour_slot, has, value_of, won_values,
)
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.games.null_nichtig cimport NullNichtig

cdef int CHOOSE, NOBODY, OWN, TWIN
cdef int VALUES, WITH_TWIN, PILES, SEATS, SEATS_TO_COME, STEPS, SHARES, POINTS, STEP, STAGES
cdef int GAINS, WORST, LATER_GAINS, LATER_WORST, COUNTS, HIGH_CARD, LOW_CARD, FEW, WHOLE, FIFTH
cdef int BEATEN, LOW_EXPECTED, HIGH_EXPECTED
cdef int TABLE, TEAMS, MATE, AS_PLAYED, HELD, LEFT, HAND, OTHERS, OTHERS_IN, OTHERS_LOW
cdef int OTHERS_HIGH, UNSEEN, TOPS, SCORE, MARGIN, LYING, TRICK_COLOUR, TRICK_VALUE, COVER
cdef int BEST_VALUE, WINNING, RICHNESS, GIVEN_BEST, POWER, POWERS, TRICKS, ALL_TRICKS
cdef int CARD, VALUE, OWN_TOP, RISE, RIVAL_TOP, OWN_VALUES, OTHER_VALUES, LOWER, HIGHER, WINS, LOSES
cdef int BEATEN_BY, STAYS, CHEAPER, DEPTH, GAIN, GIVEN, GIVEN_MATE, TAKEN_MARGIN, GIVEN_MARGIN
cdef int AFTER, LATER, LATER_MATE, MOST_LATER, LOWEST_LEFT, NEXT_LOWEST, HIGHEST_LEFT, NEXT_HIGHEST
cdef int DUCKS, DUCKS_TWICE, COMMANDS
cdef int PICK, COVERED, PICKED_TOPS, FILLED_SUM, FOLLOWING, PASSED, KEPT, SIZE
cdef int RANK, ABOVE, COUNT, HIDDEN, BEST, LEADING, UNSEEN_COUNT, BEST_RIVAL, PILE, NUMBER

@cython.final
cdef class NullNichtigFeatures(Features):
    cdef readonly NullNichtig rules
    cdef int teams

    cdef bint is_mate(self, int step) noexcept nogil
    @cython.locals(values=int, value=int)
    cdef void count_hand(
        self, State state, int seat, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(name=int, key=int64_t)
    cdef void rename(self, State state, int seat, int64_t* facts) noexcept nogil
    @cython.locals(values=int64_t, top=int64_t)
    cdef int64_t key(self, State state, int seat, int colour) noexcept nogil
    @cython.locals(
        total=int, values=int, name=int, low=int, high=int, value=int, above=int, count=int,
        first=int, points=int
    )
    cdef void unseen(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    @cython.locals(unseen=int, share=int, chance=int)
    cdef void power(self, int64_t* facts) noexcept nogil
    @cython.locals(own=int, seen=int, zeros=int, won=int, card=int, values=int)
    cdef int hidden(self, State state, int seat, int colour) noexcept nogil
    @cython.locals(best=int, who=int, first=int, top=int, points=int)
    cdef void piles(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    cdef void gain(self, int32_t* inputs, int first, int points) noexcept nogil
    @cython.locals(steps=int)
    cdef void staged_gain(
        self, int32_t* inputs, int first, int stage, int points
    ) noexcept nogil
    @cython.locals(size=int, covered=int, at=int, card=int, name=int, who=int)
    cdef void trick(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil

    @cython.locals(
        lower=int, higher=int, lowest=int, next_lowest=int, highest=int, next_highest=int,
        count=int, unseen=int, tricks=int
    )
    cdef void hand_left(self, int value, int64_t* facts, int32_t* inputs) noexcept nogil
    @cython.locals(
        size=int, to_come=int, value=int, best=int, stage=int, own=int, between=int, change=int,
        owner=int, reached=int, higher=int, unseen=int, chance=int
    )
    cdef void fate(
        self, State state, int seat, int card, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    cdef int stage(self, int left) noexcept nogil
    @cython.locals(
        size=int, seats=int, uncovered=int, piles=int, covered=int, reach=int, change=int, play=int,
        expected=int, lying=int, colour=int, top=int
    )
    cdef int change(self, State state, int owner, int taker, int card) noexcept nogil
    @cython.locals(size=int, lying=int)
    cdef void after(
        self, State state, int seat, int card, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(size=int, other=int, most=int, mates=int, change=int, steps=int)
    cdef void later(self, State state, int seat, int card, int32_t* inputs) noexcept nogil
    cdef int step_of(self, int count) noexcept nogil

    @cython.locals(
        laid=int, value=int, highest=int, middle=int, lowest=int, colour=int, earlier=int,
        number=int, missing=int
    )
    cdef void laying(
        self, State state, int seat, int card, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(first=int, second=int, passed=int, values=int, value=int)
    cdef void following(
        self, State state, int seat, int card, int missing, int points, int32_t* inputs
    ) noexcept nogil
    cdef int filled(self, int values) noexcept nogil
