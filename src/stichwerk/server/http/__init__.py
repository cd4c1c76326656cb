"""The HTTP API, one module per part, and the files of the web client."""
