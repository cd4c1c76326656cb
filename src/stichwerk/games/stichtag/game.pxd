cimport cython
from stichwerk.engine.frame cimport Game
from stichwerk.engine.state cimport State
from stichwerk.games.stichtag.course cimport Course
from stichwerk.games.stichtag.sheet cimport Sheet

cdef int CHOOSE, KIND, NONE, OVER, PLAY
cdef int CARRIED_TRICKS, NAMED, OWN

@cython.final
cdef class Stichtag(Course):
    cpdef list lying(self, State state)
    cpdef Sheet asker(self, State state)
