from stichwerk.engine.state cimport State
from stichwerk.games.stichtag.sheet cimport Sheet

cdef int HEARTS, TWELVE

cdef class Goal(Sheet):
    pass

cdef class Green0(Goal):
    pass

cdef class Green1(Goal):
    pass

cdef class Green2(Goal):
    pass

cdef class Green3(Goal):
    pass
