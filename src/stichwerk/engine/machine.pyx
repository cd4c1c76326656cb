"""Compiled twin of `machine.py`: the functions themselves stand inline in `machine.pxd`."""


cdef class Bits:
    pass


cdef class Lock:
    pass
