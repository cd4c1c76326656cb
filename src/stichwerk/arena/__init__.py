"""The arena: measures which of two bots is better, by how much, and how certain that is.

`deals` says what is played and plays it, `runner` where (here, on all cores, on a Ray cluster),
`journal` stores it so that a run can be resumed, `statistics` computes confidence intervals and
when to stop, `tournament` puts these together, `ratings` rates a pool, and `report`, `text_tables`
and `chart` show the results to programs and people. `command` is what the command line calls.
"""
