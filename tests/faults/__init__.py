"""A catalogue of faults that the tests must find; `tools.faults` plants them."""
