"""The rulebooks as tests: every worked case and ruling, in the books' order, written as text."""
