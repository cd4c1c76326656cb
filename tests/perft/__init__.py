"""Node counts and move lists from fixed deals, in plain text."""
