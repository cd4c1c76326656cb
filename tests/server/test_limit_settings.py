"""Limits as settings of `serve`, and where they are documented."""

import re
from pathlib import Path

import msgspec
import pytest

from stichwerk.locale import text
from stichwerk.server import wire
from stichwerk.server.network.limit_settings import BadLimitError, read_limits
from stichwerk.server.network.limits import Limits
from stichwerk.server.protocol_generator import endpoints
from stichwerk.server.run import serve
from stichwerk.server.serve_options import ServeOptions

PAGE = (Path(__file__).parents[2] / "docs/hosting.md").read_text("utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| ([\d,.]+) \| (.+) \|$", PAGE, re.MULTILINE)


def test_limits_can_be_set() -> None:
    given = ("messages=200", "hello-seconds=2.5", " sockets = 1_000 ", "messages=300")
    limits = read_limits(given, Limits(creates=7))
    assert limits == Limits(creates=7, messages=300, hello_seconds=2.5, sockets=1000)


def test_every_limit_can_be_set() -> None:
    for name, usual in msgspec.structs.asdict(Limits()).items():
        assert read_limits([f"{name}={usual}"], Limits()) == Limits()


@pytest.mark.parametrize(
    ("given", "id", "words"),
    [
        ("messages", "limit-without-value", "messages=200"),
        ("message=3", "no-such-limit", "messages"),
        ("=3", "no-such-limit", "frame_bytes"),
        ("messages=0", "bad-limit", "from 1 to"),
        ("messages=-1", "bad-limit", "'-1'"),
        ("messages=1.5", "bad-limit", "whole number"),
        ("messages=", "bad-limit", "whole number"),
        ("messages=" + "9" * 5000, "bad-limit", "whole number"),
        ("messages=\u0662", "bad-limit", "whole number"),
        (f"frame_bytes={wire.LARGEST + 1}", "bad-limit", f"{wire.LARGEST}"),
        ("bytes_per_address=1000", "bad-limit", "65536"),
        ("seconds=0", "bad-limit-seconds", "above 0"),
        ("seconds=nan", "bad-limit-seconds", "nan"),
        ("seconds=inf", "bad-limit-seconds", "inf"),
    ],
)
def test_an_unknown_limit_is_refused_with_an_explanation(
    given: str, id: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadLimitError) as refused:
        read_limits([given], Limits())
    assert refused.value.id == id
    assert words in text(id, "en", **refused.value.data)
    assert serve(ServeOptions(limits=(given,)), "de") == 1
    assert capsys.readouterr().err == text(id, "de", **refused.value.data) + "\n"


def test_the_page_about_hosting_lists_every_limit_with_its_value() -> None:
    result = {name: float(value.replace(",", "")) for name, value, _ in ROWS}
    assert result == msgspec.structs.asdict(Limits())
    assert [name for name, _, _ in ROWS] == list(Limits.__struct_fields__)
    assert set(endpoints.LIMITS) == set(Limits.__struct_fields__)
