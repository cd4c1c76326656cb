"""The table in the terminal: shows one seat's view and takes typed moves. Contains no rule."""
