"""All messages between clients and the server, defined in one place.

A WebSocket belongs to one person (or spectator) at one table. The first message is `hello`. Every
later request carries an `id` chosen by the client and is answered by `done` or `refused` with the
same `id`. `done` is sent only after the change has been stored durably. Changes at the table arrive
as numbered `update` messages: a client that says `hello` with the last `seq` it saw receives what
it missed.

`docs/protocol.md` and the client's TypeScript types are generated from this package (`python -m
stichwerk.server.protocol_generator`). The docstrings here are the documentation there.
"""

from stichwerk.server.wire.codec import *
from stichwerk.server.wire.field_types import *
from stichwerk.server.wire.from_client import *
from stichwerk.server.wire.from_server import *
from stichwerk.server.wire.http import *
from stichwerk.server.wire.table_facts import *
