"""Paths of the generated files, and the command that writes them."""

PAGE = "docs/protocol.md"
OPENAPI = "docs/openapi.json"
TYPES = "frontend/src/protocol.ts"
GAMES = "frontend/src/games/games.json"
COMMAND = "python -m stichwerk.server.protocol_generator"
