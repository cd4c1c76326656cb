"""Bots at tables: worker processes, their queue, and simulated thinking times."""
