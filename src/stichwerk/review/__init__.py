"""A match looked at afterwards: what the deal brought each seat, and which moves cost it most.

Every move is judged by what its seat could know when it made it. All figures are points above the
mean of the others, as in the arena.
"""
