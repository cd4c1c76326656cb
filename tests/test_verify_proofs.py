"""Records with a proof of their deal: tampered ones are refused."""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import stichwerk
from stichwerk.fairness import (
    Deal,
    Setup,
    Stream,
    client_commit,
    deal_key,
    deal_round,
    draw_specials,
    first_starter,
    options_text,
    server_commit,
    transcript,
)
from stichwerk.hash_words import fingerprint
from stichwerk.locale import sentences, text
from stichwerk.match import Match, Setting
from stichwerk.record import (
    BrokenRecordError,
    Claims,
    Fairness,
    Record,
    RecordPlace,
    decode,
    encode,
    record,
    replay,
    verify,
)
from tests.verify_setup import Json, fault, judged, play_on, record_json, unfinished

pytestmark = pytest.mark.game


# Fair deals


def fair(setting: Setting, rounds: int | None = None) -> Record:
    """Return a match dealt verifiably, to its end or for this many rounds."""
    rules, seats, most = setting.rules, setting.seats, setting.rules.most_rounds()
    server = [bytes([r, 1]) * 16 for r in range(most + 1)]
    client = [bytes([i, 2]) * 16 for i in range(seats)]
    server_commits = [server_commit("m", r, seed) for r, seed in enumerate(server)]
    client_commits = [client_commit("m", i, seed) for i, seed in enumerate(client)]
    named = f"{setting.name}/{2 if setting in NEWER else 1}"
    agreed = (named, options_text(setting.options), rules.deck.text)
    setup = Setup("m", *agreed, seats, most)
    agreement = transcript(setup, server_commits, client_commits)

    class Dealer:
        seed: int | None = None

        def first_starter(self) -> int:
            fixed = setting.options["starter"]
            stream = Stream(deal_key(server[0], agreement, 0, client))
            return fixed if isinstance(fixed, int) else first_starter(stream, seats)

        def deal(self, round: int, starter: int) -> Any:
            if rounds is not None and round > rounds:
                return None
            stream = Stream(deal_key(server[round], agreement, round, client))
            made = deal_round(stream, rules.deck, seats, rules.hand_size, starter)
            specials = draw_specials(stream, rules.specials, seats)
            return Deal(made.starter, made.hands, made.stock, specials)

    match = play_on(Match(setting, Dealer()))
    proof = Fairness(
        match="m",
        server_commits=tuple(commit.hex() for commit in server_commits),
        client_commits=tuple(commit.hex() for commit in client_commits),
        client_seeds=tuple(seed.hex() for seed in client),
        server_seeds=tuple(seed.hex() for seed in server[: len(match.rounds) + 1]),
        transcript=agreement.hex(),
    )
    return record(match, proof)


FAIR = {
    "sticheln": stichwerk.game("sticheln", seats=3),
    "stichling": stichwerk.game("stichling", seats=2, starter=1),
    "null-nichtig": stichwerk.game("null-nichtig", seats=4, target=60),
    "stichtag": stichwerk.game("stichtag", seats=5),
    "drawn trumps and eggs": stichwerk.game("stichtag", seats=4, date="04-10"),
    "drawn partners and eggs": stichwerk.game("stichtag", seats=5, date="04-06"),
    "drawn trump and eggs": stichwerk.game("stichtag", seats=4, rules=1, date="04-10"),
    "first null-nichtig": stichwerk.game("null-nichtig", seats=4, rules=1, target=60),
}
FIRST = ("sticheln", "stichling", "drawn trump and eggs", "first null-nichtig")
NEWER = [setting for name, setting in FAIR.items() if name not in FIRST]
"""Those that follow version 2 of their rules: their transcripts say `stichtag/2`."""


@lru_cache
def fair_text(name: str) -> str:
    return encode(fair(FAIR[name])).decode()


def test_a_proof_is_distinguished_from_none() -> None:
    assert verify(decode(fair_text("sticheln"))).proven
    for seed in (True, False):
        plain = judged(record_json("sticheln", 3, seed=seed))
        assert plain.ok
        assert not plain.proven


OWN = (bytes([1, 2]) * 16).hex()  # of seat 1 in every record of `fair`


@pytest.mark.parametrize(
    ("claims", "why_broken"),
    [
        (Claims(shares=((None, OWN),)), ""),
        (Claims(shares=((1, OWN), (0, (bytes([0, 2]) * 16).hex()))), ""),
        (Claims(shares=((0, OWN),)), "share-not-of-seat"),
        (Claims(shares=((9, OWN),)), "share-not-of-seat"),
        (Claims(shares=((None, "00" * 32),)), "share-not-in-record"),
        (Claims(shares=((1, OWN), (None, "00" * 32))), "share-not-in-record"),
        (Claims(words=("arena",) * 6), "words-not-of-record"),
    ],
)
def test_claims_about_a_deal(claims: Claims, why_broken: str) -> None:
    verdict = verify(decode(fair_text("sticheln")), claims)
    assert verdict.id == why_broken
    assert verdict.ok == (not why_broken)
    if verdict.ok:
        assert verdict.shares == len(claims.shares)


def test_words_of_a_deal() -> None:
    made = decode(fair_text("sticheln"))
    assert isinstance(made.fairness, Fairness)
    words = fingerprint(bytes.fromhex(made.fairness.transcript))
    assert verify(made, Claims(words=words)).words == 6
    assert verify(made, Claims(words=words[::-1])).id == "words-not-of-record"


@pytest.mark.parametrize("claims", [Claims(shares=((None, OWN),)), Claims(words=("arena",) * 6)])
def test_claims_about_a_record_without_proof(claims: Claims) -> None:
    for seed in (True, False):
        assert verify(decode(json.dumps(record_json("sticheln", 3, seed=seed))), claims).id == (
            "no-proof-to-compare"
        )


def fair_record_json(name: str) -> Json:
    loaded: Json = json.loads(fair_text(name))
    return loaded


@pytest.mark.parametrize("name", FAIR)
def test_fair_deals_hold(name: str) -> None:
    whole = fair(FAIR[name])
    assert verify(whole).status == "holds"
    assert decode(encode(whole)) == whole
    assert record(replay(whole)) == whole
    assert list(json.loads(encode(whole)))[-1] == "fairness"


@pytest.mark.parametrize(
    ("name", "kind", "forged"),
    [
        ("drawn trump and eggs", "trump", "RYGBLS"),
        ("drawn trumps and eggs", "trumps", [["R", "Y"], ["Y", "R"]]),
        ("drawn partners and eggs", "partners", [[1, 2, 3, 4, 0], [4, 0, 1, 2, 3]]),
        ("drawn partners and eggs", "eggs", [[0, 1, 1, 2, 2, 3], [3, 2, 2, 1, 1, 0]]),
    ],
)
def test_forged_draws_are_refused(name: str, kind: str, forged: Sequence[object]) -> None:
    loaded = fair_record_json(name)
    entry = next(entry for entry in loaded["rounds"][1]["extra"] if entry[2] == kind)
    entry[3] = next(value for value in forged if value != entry[3])
    assert fault(loaded) == ("round 2", "special-not-as-drawn")


def test_the_seed_of_a_running_round_is_still_secret() -> None:
    running = fair(FAIR["sticheln"], rounds=2)
    assert verify(running).status == "unfinished"
    loaded = unfinished(fair_record_json("sticheln"), 1, 10)
    loaded["fairness"]["server_seeds"] = loaded["fairness"]["server_seeds"][:3]
    assert judged(loaded).status == "unfinished"
    loaded["fairness"]["server_seeds"].pop()
    assert judged(loaded).status == "unfinished"
    loaded["fairness"]["server_seeds"].pop()
    assert fault(loaded) == ("", "bad-count")


def flip(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


@pytest.mark.parametrize("name", FAIR)
@pytest.mark.parametrize(
    ("field", "id"),
    [
        ("server_commits", "wrong-transcript"),
        ("client_commits", "wrong-transcript"),
        ("client_seeds", "wrong-client-seed"),
        ("server_seeds", "wrong-server-seed"),
    ],
)
def test_a_tampered_proof(name: str, field: str, id: str) -> None:
    for at in (0, 1, -1):
        loaded = fair_record_json(name)
        loaded["fairness"][field][at] = flip(loaded["fairness"][field][at])
        assert fault(loaded) == ("", id)
    for spoil in (str.upper, lambda text: text[:-1], lambda text: text + "\n", lambda text: "g"):
        loaded = fair_record_json(name)
        loaded["fairness"][field][0] = spoil(loaded["fairness"][field][0][:-1] + "a")
        assert fault(loaded) == ("", "not-a-hash")
    loaded = fair_record_json(name)
    loaded["fairness"][field].pop()
    assert fault(loaded) == ("", "bad-count")
    loaded = fair_record_json(name)
    loaded["fairness"][field].append("0" * 64)
    assert fault(loaded) == ("", "bad-count")


def test_a_round_too_many_with_a_proof() -> None:
    """The round is what is wrong; the seeds are never called "4 instead of 4"."""
    loaded = fair_record_json("sticheln")
    loaded["rounds"].append(loaded["rounds"][-1])
    assert fault(loaded) == ("round 4", "extra-round")
    loaded["fairness"]["server_seeds"].append("0" * 64)
    verdict = judged(loaded)
    assert verdict.id == "bad-count"
    assert verdict.data["count"] != verdict.data["expected"]


def test_a_proof_of_something_else() -> None:
    loaded = fair_record_json("stichtag")
    loaded["fairness"]["match"] = "n"
    assert fault(loaded) == ("", "wrong-transcript")
    loaded = fair_record_json("stichtag")
    loaded["fairness"]["transcript"] = flip(loaded["fairness"]["transcript"])
    assert fault(loaded) == ("", "wrong-transcript")
    loaded = fair_record_json("stichtag")
    loaded["options"]["starter"] = loaded["rounds"][0]["starter"]
    assert fault(loaded) == ("", "wrong-transcript")
    assert fault(fair_record_json("stichtag") | {"seed": 7}) == ("", "seed-and-fairness")


def test_other_cards_than_the_proof_deals() -> None:
    loaded = fair_record_json("stichtag")
    hand = loaded["rounds"][2]["hands"][4]
    hand[0], hand[1] = hand[1], hand[0]
    assert fault(loaded) == ("round 3", "hand-not-as-dealt")
    loaded = fair_record_json("stichtag")
    for round_json in loaded["rounds"]:
        round_json["starter"] = (round_json["starter"] + 1) % 5
    assert fault(loaded) == ("round 1", "wrong-starter")


# Playing again


def test_replay_names_the_place() -> None:
    loaded = record_json("sticheln", 4)
    loaded["rounds"][1]["plays"][16][1] = "S1"
    with pytest.raises(BrokenRecordError) as refusal:
        replay(decode(json.dumps(loaded)))
    assert refusal.value.place == RecordPlace(2, 17)
    assert (refusal.value.id, refusal.value.data) == ("not-in-deck", {"card": "S1"})


def test_places_in_words() -> None:
    assert str(RecordPlace(2, 17)) == "round 2, play 17"
    assert str(RecordPlace(1, seat=3)) == "round 1, choice of seat 3"
    assert str(RecordPlace(4)) == "round 4"
    for place in (RecordPlace(2, 17), RecordPlace(1, seat=3), RecordPlace(4)):
        assert text(place.id, "en", **place.data) == str(place)
        assert text(place.id, "de", **place.data).startswith("Runde")


def test_every_id_has_its_sentences() -> None:
    """All ids in the package, and no sentence too many."""
    source = Path(stichwerk.__file__).parent
    module = "\n".join(path.read_text("utf-8") for path in sorted(source.glob("record/*.py")))
    own = {
        lang: json.loads((source / f"locale/records.{lang}.json").read_text())
        for lang in ("de", "en")
    }
    assert own["de"].keys() == own["en"].keys()
    for id in own["en"]:
        assert f'"{id}"' in module
    raised = [
        part.split('"')[1] for part in module.split("RecordError(")[1:] if part.startswith('"')
    ]
    raised += [
        part.split('"')[1] for part in module.split("BadDealError(")[1:] if part.startswith('"')
    ]
    raised += [
        part.split('"')[1] for part in module.split("BadFileError(")[1:] if part.startswith('"')
    ]
    assert len(raised) > 30
    for id in raised:
        assert id in sentences("de")
        assert id in sentences("en")
