"""Recorded matches that must replay to the same result for ever."""
