cimport cython
from stichwerk.engine.codes cimport argument_of, colour_of, has, kind_of, only
from stichwerk.engine.frame cimport Game
from stichwerk.engine.state cimport State
from stichwerk.games.stichtag.course cimport Course
from stichwerk.games.stichtag.sheet cimport Sheet

cdef int CHOOSE, NONE, OVER, PLAY

@cython.final
cdef class Stichtag(Course):
    cpdef list lying(self, State state)
    cpdef Sheet asker(self, State state)
