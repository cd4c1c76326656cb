"""Recorded matches that must always replay to the same result."""
