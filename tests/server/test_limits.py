"""Limits, rates, doors and origins."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stichwerk.server.network.limits import (
    UNKNOWN,
    AddressBuckets,
    Limits,
    RequestLimits,
    TokenBucket,
    counted_as,
    host_allowed,
    is_loopback,
    origin_allowed,
    read_host,
    read_origin,
    shortened,
)


def test_limits_are_those_promised() -> None:
    limits = Limits()
    assert limits.frame_bytes == 4096
    assert (limits.messages, limits.seconds) == (100, 20)
    assert limits.sockets_per_address == 20


# -- Rates -----------------------------------------------------------------------------------------


def test_a_bucket_allows_a_burst_then_refills() -> None:
    rate = TokenBucket(100, 20)
    assert [rate.allow(5.0) for _ in range(103)] == [True] * 100 + [False] * 3
    assert not rate.allow(5.19)
    assert rate.allow(5.21)
    assert not rate.allow(5.22)
    assert sum(rate.allow(1000.0) for _ in range(500)) == 100


def test_a_clock_that_steps_back_refills_nothing() -> None:
    rate = TokenBucket(2, 10)
    assert rate.allow(100.0)
    assert rate.allow(50.0)
    assert not rate.allow(0.0)
    assert not rate.allow(104.9)
    assert rate.allow(105.1)


def test_expensive_requests_take_more_and_debts_are_paid_over_time() -> None:
    rate = TokenBucket(100, 20)
    assert rate.allow(0.0, 60)
    assert not rate.allow(0.0, 41)
    assert rate.allow(0.0, 40)
    rate.owe(0.0, 50)
    assert not rate.allow(10.0), "50 are owed, and 50 came"
    assert rate.allow(10.3)
    rate.owe(20.0, 10_000)
    assert not rate.allow(39.9), "no debt is larger than what comes in the whole time"
    assert rate.allow(40.3)


@given(st.integers(1, 20), st.integers(1, 20), st.lists(st.floats(0, 5), min_size=1, max_size=200))
def test_no_span_of_time_gets_more_than_promised(
    count: int, seconds: int, pauses: list[float]
) -> None:
    rate = TokenBucket(count, seconds)
    now, allowed = 0.0, []
    for pause in pauses:
        now += pause
        if rate.allow(now):
            allowed.append(now)
    for first, start in enumerate(allowed):
        for many, end in enumerate(allowed[first:], start=1):
            assert many <= count + (end - start) * count / seconds + 1e-6


def test_addresses_have_separate_rates() -> None:
    rates = AddressBuckets(2, 60)
    assert [rates.allow(name, 0.0) for name in "aaabba"] == [True, True, False, True, True, False]


def test_many_addresses_do_not_fill_memory() -> None:
    rates = AddressBuckets(1, 60, most=100)
    for number in range(10_000):
        assert rates.allow(f"10.0.0.{number}", 0.0)
        first = number == 0
        assert rates.allow("busy", 0.0) == first, "who is not quiet is not forgotten"
    assert len(rates) == 100


# -- Doors -----------------------------------------------------------------------------------------


def test_sockets_of_an_address_are_counted() -> None:
    request_limits = RequestLimits(Limits(sockets_per_address=2))
    assert [request_limits.enter("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert request_limits.enter("192.0.2.2")
    request_limits.leave("192.0.2.1")
    assert request_limits.enter("192.0.2.1")
    assert not request_limits.enter("192.0.2.1")
    assert request_limits.open == 3


def test_sockets_of_all_together_are_counted() -> None:
    request_limits = RequestLimits(Limits(sockets=3))
    assert [request_limits.enter(f"192.0.2.{number}") for number in range(4)] == [
        True,
        True,
        True,
        False,
    ]


def test_closed_sockets_are_forgotten_and_closing_twice_frees_one() -> None:
    request_limits = RequestLimits(Limits(sockets_per_address=1))
    for number in range(1000):
        assert request_limits.enter(f"2001:db8:{number:x}::1")
        request_limits.leave(f"2001:db8:{number:x}::1")
        request_limits.leave(f"2001:db8:{number:x}::1")
    assert request_limits._sockets._by_address == {}
    assert request_limits.open == 0


def test_an_ipv6_64_counts_as_one_address() -> None:
    request_limits = RequestLimits(Limits(sockets_per_address=1, creates=1, http_requests=1))
    assert request_limits.enter("2001:db8::1")
    assert not request_limits.enter("2001:db8::ffff:2")
    assert request_limits.enter("2001:db8:0:1::1")
    assert [request_limits.request(f"2001:db8::{number}", 0.0) for number in (1, 2)] == [
        True,
        False,
    ]
    assert [request_limits.create(f"2001:db8::{number}", 0.0) for number in (1, 2)] == [True, False]


@pytest.mark.parametrize(
    ("address", "counted", "logged"),
    [
        ("192.0.2.77", "192.0.2.77", "192.0.2.0/24"),
        ("::ffff:192.0.2.77", "192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/64", "fe80::/48"),
        ("127.0.0.1", "127.0.0.1", "127.0.0.0/24"),
        (None, UNKNOWN, UNKNOWN),
        ("", UNKNOWN, UNKNOWN),
        ("x" * 10_000, UNKNOWN, UNKNOWN),
        ("192.0.2.1, 192.0.2.2", UNKNOWN, UNKNOWN),
    ],
)
def test_addresses(address: str | None, counted: str, logged: str) -> None:
    assert counted_as(address) == counted
    assert shortened(address) == logged


@given(st.ip_addresses())
def test_an_address_is_in_the_network_it_is_logged_as(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    logged = ipaddress.ip_network(shortened(str(address)))
    assert logged.prefixlen == (24 if logged.version == 4 else 48)
    mapped = getattr(address, "ipv4_mapped", None)
    assert (mapped or address) in logged


def test_loopback() -> None:
    assert all(map(is_loopback, ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"]))
    assert not any(map(is_loopback, ["192.168.0.1", "0.0.0.0", "::", None, "localhost"]))


# -- Origins ---------------------------------------------------------------------------------------


def test_programs_send_no_origin() -> None:
    assert origin_allowed(None, "example.org", ())
    assert origin_allowed(None, None, ())


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:8420", "127.0.0.1:8420"),
        ("http://example.org", "example.org"),
        ("https://example.org", "example.org"),
        ("https://example.org", "example.org:443"),
        ("https://example.org:443", "example.org"),
        ("http://example.org", "example.org:80"),
        ("HTTPS://EXAMPLE.Org", "example.ORG."),
        ("http://example.org.:8420", "example.org:8420"),
        ("http://[::1]:8420", "[::1]:8420"),
        ("http://[0:0:0:0:0:0:0:1]:8420", "[::1]:8420"),
        ("http://[2001:DB8::1]", "[2001:db8:0::1]"),
        ("http://xn--krten-gra.example", "xn--krten-gra.example"),
        ("http://a_b.local:1", "a_b.local:1"),
    ],
)
def test_the_same_host_is_allowed(origin: str, host: str) -> None:
    assert origin_allowed(origin, host, ())


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("null", "example.org"),
        ("null", "null"),
        ("", "example.org"),
        ("http://evil.org", "example.org"),
        ("http://example.org.evil.org", "example.org"),
        ("http://evil-example.org", "example.org"),
        ("http://sub.example.org", "example.org"),
        ("http://example.org:8421", "example.org:8420"),
        ("http://example.org", "example.org:8420"),
        ("http://example.org:8420", "example.org"),
        ("https://example.org", "example.org:80"),
        ("http://example.org", "example.org:443"),
        ("http://localhost:8420", "127.0.0.1:8420"),
        ("http://[::2]:8420", "[::1]:8420"),
        ("http://example.org/", "example.org"),
        ("http://example.org/path", "example.org"),
        ("http://example.org?x", "example.org"),
        ("http://example.org#x", "example.org"),
        ("http://example.org@evil.org", "example.org"),
        ("http://evil.org@example.org", "example.org"),
        ("http://example.org http://evil.org", "example.org"),
        (" http://example.org", "example.org"),
        ("http://example.org\n", "example.org"),
        ("http://example.org\\evil.org", "example.org"),
        ("http://example.org:99999", "example.org:99999"),
        ("http://example.org:0", "example.org:0"),
        ("http://example.org:٨٠", "example.org"),
        ("http://", ""),
        ("http://:80", ":80"),
        ("http://.", "."),
        ("http://[::1", "[::1"),
        ("http://[zz]", "[zz]"),
        ("file://", "example.org"),
        ("file://example.org", "example.org"),
        ("chrome-extension://example.org", "example.org"),
        ("chrome-extension://example.org:8420", "example.org:8420"),
        ("example.org", "example.org"),
        ("http://" + "a" * 1000, "a" * 1000),
        ("http://example.org", None),
        ("http://ex%61mple.org", "example.org"),
    ],
)
def test_others_and_junk_are_refused(origin: str, host: str | None) -> None:
    assert not origin_allowed(origin, host, ())


@pytest.mark.parametrize(
    ("origin", "allowed", "answer"),
    [
        ("https://cards.example.org", "https://cards.example.org", True),
        ("https://cards.example.org:443", "https://CARDS.example.org.", True),
        ("http://cards.example.org", "https://cards.example.org", False),
        ("http://cards.example.org", "cards.example.org", True),
        ("https://cards.example.org", "cards.example.org", True),
        ("https://cards.example.org:8443", "cards.example.org", False),
        ("https://cards.example.org:8443", "cards.example.org:8443", True),
        ("https://xn--krten-kva.example", "https://körten.example", False),
        ("https://xn--krten-jua.example", "https://körten.example", True),
        ("tauri://localhost", "tauri://localhost", True),
        ("tauri://localhost", "localhost", False),
        ("http://localhost", "tauri://localhost", False),
        ("null", "null", False),
        ("https://evil.org", "", False),
        ("https://evil.org", "*", False),
        ("https://evil.org", "https://*", False),
    ],
)
def test_origins_given_to_the_server(origin: str, allowed: str, answer: bool) -> None:
    assert origin_allowed(origin, "127.0.0.1:8420", [allowed]) == answer


@given(st.text(max_size=40), st.text(max_size=40), st.lists(st.text(max_size=20), max_size=3))
def test_no_origin_text_breaks_parsing(origin: str, host: str, allowed: list[str]) -> None:
    if origin_allowed(origin, host, allowed):
        assert read_origin(origin) is not None
    host_allowed(host, allowed)


@given(st.from_regex(r"http://[a-z0-9.:\[\]]{0,12}", fullmatch=True))
def test_a_readable_origin_matches_itself(origin: str) -> None:
    host = origin.removeprefix("http://")
    assert origin_allowed(origin, host, ()) == (read_host(host) is not None)


@pytest.mark.parametrize(
    ("host", "answer"),
    [
        ("127.0.0.1:8420", True),
        ("[::1]:8420", True),
        ("192.168.1.5", True),
        ("localhost:8420", True),
        ("raspberry:8420", True),
        ("raspberry.local:8420", True),
        ("cards.example.org", True),
        ("CARDS.example.org.:443", True),
        ("rebound.evil.org:8420", False),
        ("local.evil.org", False),
        ("127.0.0.1.evil.org", False),
        ("", False),
        (None, False),
        ("a b", False),
    ],
)
def test_public_host_names_are_refused(host: str | None, answer: bool) -> None:
    assert host_allowed(host, ["https://cards.example.org"]) == answer
