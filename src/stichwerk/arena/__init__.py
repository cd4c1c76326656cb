"""The arena: which of two bots is better, by how much, and how sure that is.

`deals` says what is played and plays it, `runner` where (here, on all cores, on a Ray cluster),
`journal` keeps it so that a run can be taken up again, `statistics` says how sure a mean is and
when to stop, `contest` puts these together, `ratings` rates a pool, and `report`, `table` and
`picture` show the results to programs and people. `command` is what the command line calls.
"""
