"""Compiled twin of `machine.py`: the small functions themselves stand inline in `machine.pxd`."""


cdef class Bits:
    pass


cdef class Lock:
    pass


cdef class Demand:
    pass


cdef class Real:
    pass


cdef class Caller:
    def __init__(self, function):
        self.function = function
        self.error = None

    cdef void call(self, object first, int number, object second, object third) noexcept nogil:
        with gil:
            if self.error is None:
                try:
                    self.function(first, number, second, third)
                except BaseException as error:
                    self.error = error

    cpdef check(self):
        if self.error is not None:
            error, self.error = self.error, None
            raise error
