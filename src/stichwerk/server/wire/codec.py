"""Decoding and encoding of messages."""

from collections.abc import Mapping

import msgspec

from stichwerk.errors import StichwerkError
from stichwerk.server.wire.field_types import LARGEST
from stichwerk.server.wire.from_client import FromClient
from stichwerk.server.wire.from_server import FromServer

# A type annotation, not a class, which mypy cannot express.
_decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)

_encoder = msgspec.json.Encoder()


class BadMessageError(StichwerkError):
    """A message that cannot be decoded, or that is not allowed at this point."""


def read(raw: bytes | str) -> FromClient:
    """Decode a message from a client; raise BadMessageError if anything is wrong with it."""
    size = len(raw) if isinstance(raw, bytes) else len(raw.encode("utf-8", "surrogatepass"))
    if size > LARGEST:
        raise BadMessageError("message-too-large", most=LARGEST)
    try:
        return _decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError) as error:
        raise BadMessageError("message-unreadable", why=str(error)[:100]) from None


def write(message: FromServer) -> bytes:
    """Encode a message from the server."""
    return _encoder.encode(message)


def plain(data: Mapping[str, object]) -> dict[str, object]:
    """Convert the data of a refusal to JSON-compatible values."""
    kinds = (str, int, float, bool, type(None))
    return {key: value if isinstance(value, kinds) else str(value) for key, value in data.items()}
