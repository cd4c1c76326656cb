"""The four games, one module each, in the order of their rulebooks."""
