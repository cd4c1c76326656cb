"""Clients of a table: a Python client, its check of the deal, and the load test."""
