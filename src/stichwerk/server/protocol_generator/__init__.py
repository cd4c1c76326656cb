"""The protocol told to people and to programs: files that are all made from `wire`.

    python -m stichwerk.server.protocol_generator           # write them
    python -m stichwerk.server.protocol_generator --check   # are they up to date?

`docs/protocol.md` is for reading, `frontend/src/protocol.ts` for the client, `docs/openapi.json`
for users of the HTTP API, `frontend/src/games/games.json` for a page without a server. Nothing in
them is typed that could come to differ from what is sent: types, limits and docstrings are read
from the code, examples are real messages.
"""
