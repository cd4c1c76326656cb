cimport cython
from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint64_t, uint8_t

from stichwerk.engine.codes cimport (
    argument_of, card_at, card_of, choice_of, choice_slot, half_slot, has, kind_of, move_of,
    pile_slot, place_of, play_at, trick_slot, won_values,
)
from stichwerk.engine.frame cimport Game
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits, Caller, Lock
from stichwerk.engine.state cimport State

cdef int CHOOSE, COLOURS, GIVE, KIND, NOBODY, NONE, OVER, PASS, PLACES, SEATS, STRIKE, TAKE, TWIN
cdef int ANNOUNCED, ANNOUNCEMENTS, ASIDE_SIZES, BEFORE, CARRIED, CARRIED_TRICKS, CHOICES, DIRECTION, EGGS
cdef int FACE_DOWN, FACE_UP, FEW, GIFTS, GONE, HAND, HAND_SIZES, HEARTS, LANTERNS, LEADER, LED, LYING
cdef int MANY, NAMED, OWES, PAIN, PARTNER, PASSED, PASSING, PENDING, PHASE, PICKED, POINTS, ROUND
cdef int SCORING, SET_ASIDE, SHEETS, SOME, STARTER, STOCK, STRUCK, SUNSTROKE, TAKEN, TAKING, TO_GIVE
cdef int TOPS, TOTALS, TRICKS, TRUMP, UNSEEN, VETO_CARD, VOIDS
cdef int CARRIED_COUNT, NAMED_COLOUR, STRUCK_PLAY
cdef int MOST, TRACES, DRAWN_TRUMP, AT_ONCE, ANNOUNCING, SWITCHED
cdef uint64_t WIDE, GOLDEN, FIRST, SECOND
cdef bint PLAIN

cdef uint64_t mixed(uint64_t word) noexcept nogil

@cython.final
cdef class Memory:
    cdef uint16_t[72] trace_card
    cdef uint16_t[72] trace_mask
    cdef int16_t[6] before
    cdef int16_t[6] hearts

    cdef void forget_traces(self) noexcept nogil
    @cython.locals(gives=bint)
    cdef void note_passes(self, State state, int seats, int last, int card) noexcept nogil
    cdef void note_pass(self, int seat, int card, int holder) noexcept nogil
    cpdef take_traces(self, State state, int seat)

@cython.final
cdef class Observer:
    cdef readonly Game game
    cdef int seats, red, fixed_trump, sheet_count, cards, colours
    cdef int trump_at, veto_at, sunstroke_at, pending_at, due_at
    cdef int eggs_at, owner_at, lanterns_at, gifts_at, partners_at
    cdef readonly int width
    cdef bint reveals
    cdef uint64_t deck_low, deck_high
    cdef Caller asked
    cdef float[::1] out
    cdef int[48] offsets
    cdef int[3] sheets
    cdef int[128] place
    cdef int[6] colour_place
    cdef int[96] copies

    cdef void write(self, State state, int seat, Memory memory, int row) noexcept nogil
    cdef int relative(self, int other, int seat) noexcept nogil
    cdef void mark(self, uint64_t low, uint64_t high, int at) noexcept nogil
    cdef void unmark(self, uint64_t low, uint64_t high, int at) noexcept nogil
    cdef void mark_card(self, int card, int at) noexcept nogil
    cdef void write_cards(self, State state, int seat, int first) noexcept nogil
    cdef void write_trick(self, State state, int seat, int place, int first) noexcept nogil
    @cython.locals(low=uint64_t, high=uint64_t)
    cdef void write_unseen(self, State state, int seat, int to) noexcept nogil
    cdef void write_unseen_twins(self, State state, int seat, int to) noexcept nogil
    cdef void write_table(self, State state, int seat, Memory memory, int first) noexcept nogil
    cdef void write_voids(self, int voids, int steps, int first) noexcept nogil
    cdef void write_pain(self, State state, int seat, int first) noexcept nogil
    cdef void write_piles(self, State state, int seat, int first) noexcept nogil
    cdef void write_scoring(self, State state, int seat, int first) noexcept nogil
    cdef void write_calendar(self, State state, int seat, Memory memory, int first) noexcept nogil
    cdef void write_seat(self, int other, int seat, int to) noexcept nogil
    cdef void write_counts(self, State state, int seat, Memory memory, int first) noexcept nogil
    cdef void write_secrets(self, State state, int seat, int first) noexcept nogil
    cdef void write_traces(self, int seat, Memory memory, int first) noexcept nogil
    cdef void write_choices(self, State state, int seat, int first) noexcept nogil
    cpdef observe(self, State state, int seat, Memory memory, int row)
    cpdef check(self)

@cython.final
cdef class BatchMatch:
    cdef readonly int index
    cdef readonly State state
    cdef readonly Memory memory
    cdef public BatchMatch left, right

@cython.final
cdef class BatchEngine:
    cdef readonly Observer observer
    cdef readonly Game game
    cdef readonly int size, seat_count, actions, strange
    cdef int starter, ended_count
    cdef bint by_match, auto_reset, looks
    cdef uint64_t seed
    cdef Moves moves
    cdef Generator generator
    cdef readonly list rows
    cdef BatchMatch root
    cdef int32_t[::1] engine_action, code_of, ended, counts, listed, worth, hearts
    cdef int64_t[::1] episode
    cdef uint64_t[::1] chance
    cdef uint8_t[::1] over, masks, done
    cdef signed char[::1] seats
    cdef float[::1] rewards
    cdef const int32_t[::1] ids
    cdef int32_t[::1] picks

    @cython.locals(key=uint64_t)
    cdef void reseed(self, int at, int number) noexcept nogil
    cpdef pick_actions(self, out)
    cdef void pick_all(self) noexcept nogil
    @cython.locals(table=BatchMatch)
    cpdef renew(self, int at)
    cpdef wipe(self, int at)
    cdef void begin_episode(self, State state, Memory memory, int at) noexcept nogil
    cdef void deal(self, State state, Memory memory, int at) noexcept nogil
    @cython.locals(table=BatchMatch, state=State)
    cpdef next_round(self, int at, int starter, before)
    cdef void ask(self, State state, Memory memory, int at) noexcept nogil
    cdef void clear_mask(self, int at) noexcept nogil
    cdef int turned(self, int action, int by) noexcept nogil
    cpdef int step(self, ids)
    cdef int first_wrong(self) noexcept nogil
    cdef bint is_open(self, int at, int code) noexcept nogil
    cdef void walk(self, BatchMatch table) noexcept nogil
    cdef void advance(self, State state, Memory memory, int at) noexcept nogil
    cdef void finish_round(self, State state, Memory memory, int at) noexcept nogil
    cdef void finish_episode(self, State state, Memory memory, int at) noexcept nogil
    @cython.locals(table=BatchMatch)
    cpdef finish_match(self, int at, rewards)
