"""Bots at tables: worker processes, their queue, and how long they seem to think."""
