"""Tables: their log, their state, requests, the lobby, and tables in use."""
