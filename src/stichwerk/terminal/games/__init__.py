"""The terminal views of each game: its table in lines, and full-screen."""
