cimport cython
from libc.stdint cimport int32_t, int64_t, uint64_t, uint8_t

from stichwerk.engine.codes cimport (
    argument_of, card_of, has, kind_of, move_of, place_of, play_at,
)
from stichwerk.engine.frame cimport Game
from stichwerk.engine.generator cimport Generator
from stichwerk.engine.machine cimport Bits, Lock
from stichwerk.engine.round_rules cimport Moves
from stichwerk.engine.state cimport State
from stichwerk.envs.batch_observer cimport Memory, Observer

cdef int CARD_AND_SEAT, MOST, MOVE_LIMIT, NO_SEAT, NOBODY, NONE, SEAT, SEATS
cdef uint64_t WIDE, GOLDEN, FIRST, SECOND

cdef uint64_t mixed(uint64_t word) noexcept nogil

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
    cdef int32_t[::1] engine_action, code_of, seat_naming, ended, counts, listed, worth, hearts
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
