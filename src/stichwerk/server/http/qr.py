"""Links of this server as QR codes, for whoever holds a phone beside the screen."""

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

MARGIN = 4  # modules of white around it, as the standard wants
MOST_KEPT = 256


def drawn(text: str) -> bytes:
    """A QR code in SVG: black on white, whatever colours the page has, and as large as its box."""
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
    """Draws QR codes, one at a time, and keeps the last ones: each costs some 20 ms of computing.

    `may_draw` is asked before one is drawn; for one that is kept it is not.
    """

    def __init__(self, may_draw: Callable[[str | None], bool]) -> None:
        self.may_draw = may_draw
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()
        self._drawing = asyncio.Lock()

    async def answer(self, request: Request, places: Collection[str]) -> Response:
        """A link to one of these places, drawn. It comes in a body and not in the address, as it
        may hold a personal token."""
        wish = await body(request, wire.QrText)
        if not any(wish.text == place or wish.text.startswith(f"{place}/") for place in places):
            raise ForbiddenError("foreign-link")
        picture = await self._picture(wish.text, address(request))
        return Response(picture, media_type="image/svg+xml")

    async def _picture(self, text: str, requester: str | None) -> bytes:
        key = sha256(text.encode()).digest()  # links hold tokens: none is kept as text
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
