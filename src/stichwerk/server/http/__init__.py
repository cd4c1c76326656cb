"""The HTTP API: one module for each part of it, and the files of the web client."""
