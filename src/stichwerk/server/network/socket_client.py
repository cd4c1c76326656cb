"""A connected client: its send queue, and the person at the other end."""

import asyncio
from collections.abc import Awaitable, Callable

from stichwerk import locale
from stichwerk.errors import StichwerkError
from stichwerk.server import wire

Send = Callable[[str], Awaitable[None]]
# Close codes, as in docs/protocol.md.
STOPPING, REMOVED, TOO_SLOW, TOO_MANY = 1001, 4410, 4413, 4429


class SocketClient:
    """A socket with a send queue, so that senders never wait for it.

    A client that does not read for long is disconnected. It can resume later, and nobody waits for
    it meanwhile.
    """

    def __init__(self, send: Send, most: int, most_bytes: int) -> None:
        self.person: str | None = None
        self.address = ""  # as counted (`counted_as`)
        self.lang = "en"
        self.reads = False  # the person asked bots to wait meanwhile
        self.closing: tuple[int, str] | None = None
        self.ending = asyncio.get_running_loop().create_future()  # done when it has to end
        self._send = send
        self._most = most
        self._most_bytes = most_bytes
        self._queue: list[bytes] = []  # short, and usually empty: a deque takes 700 bytes
        self._bytes = 0  # in the queue
        self._wake = asyncio.Event()

    def send(self, message: bytes) -> None:
        """Queue a message."""
        if self.closing is not None:
            return
        size = len(message)
        if self._queue and (  # a single message may be large: a long match
            len(self._queue) >= self._most or self._bytes + size > self._most_bytes
        ):
            self._queue.clear()
            self.close(TOO_SLOW, "too-slow")
            return
        self._queue.append(message)
        self._bytes += size
        self._wake.set()

    def tell(self, message: wire.FromServer) -> None:
        """Send a message to this client only."""
        self.send(wire.write(message))

    def refuse(self, id: int | None, error: StichwerkError) -> None:
        """Refuse a request, with the reason."""
        data = wire.plain(error.data)
        text = locale.text(error.id, self.lang, **data)
        self.tell(wire.Refused(id=id, error=error.id, text=text, data=data))

    def close(self, code: int, why: str) -> None:
        """Send a goodbye and end the connection."""
        if self.closing is None:
            bye = wire.Bye(error=why, text=locale.text(why, self.lang))
            self._queue.append(wire.write(bye))
            self.closing = (code, why)
            self.ending.set_result(None)
            self._wake.set()

    async def pump(self) -> None:
        """Send queued messages until the connection is to end."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            message = b""
            while self._queue:
                message = self._queue.pop(0)
                self._bytes -= len(message)
                await self._send(message.decode())
            del message  # keep no reference while the client is idle
            if self.closing is not None:
                return
