"""Links to this server as QR codes, to be scanned from the screen with a phone."""

import asyncio
import io
from collections import OrderedDict
from collections.abc import Callable, Collection
from hashlib import sha256

import segno
from starlette.requests import Request
from starlette.responses import Response

from stichwerk.server import wire
from stichwerk.server.http.responses import ForbiddenError, TooManyRequestsError, address, body

MARGIN = 4  # white modules around it, as the standard requires
MOST_KEPT = 256


def drawn(text: str) -> bytes:
    """Return a QR code in SVG: black on white in every theme, and as large as its container."""
    picture = io.BytesIO()
    segno.make_qr(text).save(
        picture,
        kind="svg",
        border=MARGIN,
        dark="#000",
        light="#fff",
        omitsize=True,
        xmldecl=False,
        svgns=True,
        nl=False,
    )
    return picture.getvalue()


class QrCodes:
    """Draws QR codes, one at a time, and caches the last ones: each takes about 20 ms of CPU.

    `may_draw` is asked before one is drawn, but not for a cached one.
    """

    def __init__(self, may_draw: Callable[[str | None], bool]) -> None:
        self.may_draw = may_draw
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._drawing = asyncio.Lock()

    async def answer(self, request: Request, places: Collection[str]) -> Response:
        """Respond with a QR code of a link to one of these places. The link comes in the body, not
        in the URL, as it may contain a personal token."""
        asked = await body(request, wire.QrText)
        if not any(asked.text == place or asked.text.startswith(f"{place}/") for place in places):
            raise ForbiddenError("foreign-link")
        picture = await self._picture(asked.text, address(request))
        return Response(picture, media_type="image/svg+xml")

    async def _picture(self, text: str, requester: str | None) -> bytes:
        key = sha256(text.encode()).digest()  # links contain tokens: no link is kept as text
        if key not in self._kept:
            if not self.may_draw(requester):
                raise TooManyRequestsError("too-many-requests")
            async with self._drawing:
                picture = await asyncio.to_thread(drawn, text)
            self._kept[key] = picture
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return picture
        self._kept.move_to_end(key)
        return self._kept[key]
