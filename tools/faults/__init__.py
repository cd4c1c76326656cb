"""Plant the faults of `tests/faults/catalogue.toml` one by one: do the tests find each?"""
