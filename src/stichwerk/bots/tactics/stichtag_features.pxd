cimport cython
from libc.stdint cimport int32_t, int64_t, uint64_t

from stichwerk.bots.nets.features cimport Features
from stichwerk.bots.tactics.stichtag cimport StichtagTactics
from stichwerk.engine.codes cimport (
    argument_of, card_of, colour_of, half_slot, has, place_of, value_of, values_in,
)
from stichwerk.engine.machine cimport Bits
from stichwerk.engine.state cimport State
from stichwerk.games.stichtag.course cimport Course

cdef int COLOURS, NOBODY, NONE, PLAY, OWN
cdef int ACCEPT_POINTS, BID, GIVE_TO, NAME_TRUMP, PART_WITH, STRIKE_PLAY
cdef int CARRIED_TRICKS, NAMED, STRUCK
cdef int SEATS, RIVALS, PHASES, HOPES
cdef int NAMES, HEIGHTS, UNIT, NEAR, GAPS, GAP, NEEDS, MISSING, WORTHS, CHANCES, EXPECTED
cdef int JUDGED, RANKS, TAKE, AVOID, COME_TO, STAY_AT, AIMS
cdef int SHEET, TABLE, PHASE, HAND, UNSEEN, SET_ASIDE, PLAYED_NAME, PLAYED_HEIGHT
cdef int PLAYED_SYMBOL, PLAYED_PAIR, WINNING, WINNING_HEIGHT, LYING, LEADER, LED, TURNED
cdef int HAS_TRUMP, SYMBOLS, RED_SYMBOLS, LEFT, SIZES, ASIDES, AIM, NEED, NEEDED, HOPED, SHORT
cdef int POINTS, TRICKS, DISTANCE, BEHIND, AHEAD, VOIDS, PARTNER, BARRED, ASKED, MASTERS, CARRIED
cdef int VALUE, OWN_VALUES, OTHER_VALUES, RANK, UNSEEN_LEFT, KEPT, MANNER, CHANCE, FATE, GAIN
cdef int EXPECTS, JUDGEMENT, SYMBOL, RED_SYMBOL, LOST_TO, GIVEN, RIVAL, RIVAL_NEED, SPARED
cdef int MATE, NEXT_LEAD, STAYS, TURNS, PAIR, SUM
cdef int BIDS, BID_SHORT, ACCEPTS, STRIKES, STRUCK_FOR, PRIZE, GIVES, GIVES_AHEAD, GIVES_MATE
cdef int PARTS, PARTS_RANK, PARTS_KEPT, PARTS_SYMBOL, TRUMP_COUNT, TRUMP_HOPED, SIZE
cdef int NAME, LOW, HIGH, TRUMP, USUAL, GOAL, WANTED, PROMISED, SCORE, COUNT, OTHERS, ABOVE, FOLLOW

@cython.final
cdef class StichtagFeatures(Features):
    cdef readonly Course rules
    cdef StichtagTactics tactics
    cdef int top, sheets

    @cython.locals(found=int, weight=int, part=double)
    cdef int units(self, double number) noexcept nogil
    cdef int height(self, int number, bint lowest) noexcept nogil
    @cython.locals(value=int)
    cdef void heights(self, int32_t* inputs, int first, int values, bint lowest) noexcept nogil
    @cython.locals(steps=int)
    cdef int place(self, State state, int seat, int other) noexcept nogil

    @cython.locals(wanted=int)
    cdef void prepare(self, State state, int seat, int64_t* facts) noexcept nogil
    @cython.locals(hoped=double)
    cdef int promised(self, State state, int seat, int64_t* facts, int trump) noexcept nogil
    @cython.locals(
        trump=int, led=int, left=int, name=int, most=int, found=int, values=int, count=int
    )
    cdef void rename(self, State state, int seat, int64_t* facts) noexcept nogil
    @cython.locals(
        trump=int, symbols=int, red_symbols=int, unseen=int, name=int, lowest=bint, values=int,
        others=int, aside=int, masters=int, shy=int,
    )
    cdef void cards(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    @cython.locals(found=int, rank=int)
    cdef int masters(self, int values, int others, bint lowest) noexcept nogil
    @cython.locals(short=int)
    cdef void goal(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    @cython.locals(
        size=int, turned=int, winner=int, who=int, colour=int, lowest=bint, height=int,
        first=int,
    )
    cdef void trick(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    @cython.locals(
        most=int, fewest=int, phase=int, owes=int, asked=int, who=int, gap=int, need=int, partner=int
    )
    cdef void others(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    @cython.locals(tricks=int, points=int)
    cdef int need(self, State state, int other) noexcept nogil

    @cython.locals(
        lying=int, card_before=int, seat_before=int, second_before=int, turned=int, card=int,
        second=int,
    )
    cdef void play(
        self, State state, int seat, int move, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(colour=int, lowest=bint, values=int, others=int)
    cdef int held(
        self, State state, int seat, int card, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(colour=int, aim=int, height=int, first=int, manner=int)
    cdef void card(
        self, State state, int seat, int card, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(
        aim=int, play=int, left=int, to_come=int, chance=double, part=int, worth=int, symbols=int,
        expected=int, winner=int, leads=int,
    )
    cdef void fate(self, State state, int seat, int64_t* facts, int32_t* inputs) noexcept nogil
    @cython.locals(play=int, winner=int, worth=int)
    cdef void lost(
        self, State state, int seat, int left, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(gap=int, need=int)
    cdef void rival(
        self, State state, int seat, int winner, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(
        play=int, card=int, second=int, low=uint64_t, high=uint64_t,
        trump=int, turned=int, worth=double, after=double, step=int,
    )
    cdef void judge(
        self, State state, int seat, double chance, int left, int64_t* facts, int32_t* inputs
    ) noexcept nogil

    @cython.locals(
        manner=int, tricks=int, short=int, above=int, first=int, other=int, gap=int, colour=int,
        lowest=bint, hoped=int,
    )
    cdef void choice(
        self, State state, int seat, int move, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(aim=int, winner=int, place=int, taker=int, left=int, worth=int)
    cdef void strike(
        self, State state, int seat, int target, int64_t* facts, int32_t* inputs
    ) noexcept nogil
    @cython.locals(aim=int, height=int, first=int)
    cdef void part_with(
        self, State state, int seat, int card, int64_t* facts, int32_t* inputs
    ) noexcept nogil
