"""A bench of positions: fixed decisions from self-play, judged once by a long search.

How much a bot's moves cost there is known in seconds, where a tournament takes hours. Beside this
file lie, for each game, the records of the matches and the decisions taken from them with what each
move is worth; `python -m stichwerk.arena.positions make` makes them anew.
"""
