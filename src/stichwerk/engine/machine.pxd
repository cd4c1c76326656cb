cimport cython
from libc.math cimport sqrt
from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__GNUC__) || defined(__clang__)
    #define sw_count(x) __builtin_popcountll(x)
    #define sw_lowest(x) __builtin_ctzll(x)
    #define sw_highest(x) (63 - __builtin_clzll(x))
    #else
    static int sw_count(uint64_t x) { int n = 0; for (; x; x &= x - 1) n++; return n; }
    static int sw_lowest(uint64_t x) { int n = 0; while (!(x & 1)) { x >>= 1; n++; } return n; }
    static int sw_highest(uint64_t x) { int n = -1; while (x) { x >>= 1; n++; } return n; }
    #endif
    #if defined(__BMI2__)
    #include <immintrin.h>
    #define sw_nth(x, k) sw_lowest(_pdep_u64((uint64_t)1 << (k), (x)))
    #else
    static inline int sw_nth(uint64_t x, int k) { while (k-- > 0) x &= x - 1; return sw_lowest(x); }
    #endif
    """
    int sw_count(uint64_t mask) noexcept nogil
    int sw_lowest(uint64_t mask) noexcept nogil
    int sw_highest(uint64_t mask) noexcept nogil
    int sw_nth(uint64_t mask, int k) noexcept nogil

cdef extern from "Python.h":
    ctypedef struct PyThreadState:
        pass
    PyThreadState* PyEval_SaveThread() noexcept
    void PyEval_RestoreThread(PyThreadState* token) noexcept


@cython.final
cdef class Bits:
    @staticmethod
    cdef inline uint64_t bit(int at) noexcept nogil:
        return <uint64_t>1 << at

    @staticmethod
    cdef inline int count(uint64_t mask) noexcept nogil:
        return sw_count(mask)

    @staticmethod
    cdef inline int lowest(uint64_t mask) noexcept nogil:
        return sw_lowest(mask)

    @staticmethod
    cdef inline int highest(uint64_t mask) noexcept nogil:
        return sw_highest(mask)

    @staticmethod
    cdef inline int nth(uint64_t mask, int k) noexcept nogil:
        return sw_nth(mask, k)


@cython.final
cdef class Lock:
    @staticmethod
    cdef inline uint64_t release() noexcept:
        return <uint64_t>PyEval_SaveThread()

    @staticmethod
    cdef inline void take(uint64_t token) noexcept:
        PyEval_RestoreThread(<PyThreadState*>token)


@cython.final
cdef class Demand:
    @staticmethod
    cdef inline void winner(object game, object state, int winner) noexcept nogil:
        pass

    @staticmethod
    cdef inline void moves(object game, object state, int seat, int count) noexcept nogil:
        pass


@cython.final
cdef class Real:
    @staticmethod
    cdef inline double root(double number) noexcept nogil:
        return sqrt(number)


@cython.final
cdef class Caller:
    cdef object function, error

    cdef void call(self, object first, int number, object second, object third) noexcept nogil
    cpdef check(self)
