"""The terminal client: shows one seat's view and takes typed moves. Contains no rules."""
