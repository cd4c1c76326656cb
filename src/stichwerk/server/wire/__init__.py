"""Every message between a client and the server, defined once.

One WebSocket belongs to one person (or spectator) at one table. The first message is `hello`; each
later request carries an `id` of the client's choice and is answered by `done` or `refused` with the
same `id`. `done` comes only after what was asked for is stored for good. What happens at the table
comes as `update`, numbered: whoever says `hello` with the last `seq` he saw gets what he missed.

`docs/protocol.md` and the TypeScript types of the client are made from this package
(`python -m stichwerk.server.protocol_generator`). Docstrings here are documentation there.
"""

from stichwerk.server.wire.codec import *
from stichwerk.server.wire.field_types import *
from stichwerk.server.wire.from_client import *
from stichwerk.server.wire.from_server import *
from stichwerk.server.wire.http import *
from stichwerk.server.wire.table_facts import *
