"""Generates the protocol documentation and types: files that are all derived from `wire`.

    python -m stichwerk.server.protocol_generator           # write them
    python -m stichwerk.server.protocol_generator --check   # are they up to date?

`docs/protocol.md` is for reading, `frontend/src/protocol.ts` for the client, `docs/openapi.json`
for users of the HTTP API, `frontend/src/games/games.json` for a page without a server. Nothing in
them that could differ from what is sent is written by hand: types, limits and docstrings are read
from the code, and examples are real messages.
"""
