"""Links of this server as QR codes, for whoever holds a phone beside the screen."""

import asyncio
import io
from collections.abc import Collection

import segno
from starlette.requests import Request
from starlette.responses import Response

from stichwerk.server import wire
from stichwerk.server.answers import Forbidden, body

MARGIN = 4  # modules of white around it, as the standard wants


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


async def qr(request: Request, places: Collection[str]) -> Response:
    """A link to one of these places, drawn. It comes in a body and not in the address, as it may
    hold a personal token."""
    wish = await body(request, wire.QrText)
    if not any(wish.text == place or wish.text.startswith(f"{place}/") for place in places):
        raise Forbidden("foreign-link")
    picture = await asyncio.to_thread(drawn, wish.text)  # a long link takes its time
    return Response(picture, media_type="image/svg+xml")
