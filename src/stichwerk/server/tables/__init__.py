"""Tables: log, state, requests, lobby, and live tables."""
