"""The example conversation in the protocol page: real messages of a real match."""

import json
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from stichwerk import narration
from stichwerk.engine.events import Event
from stichwerk.fairness import (
    Deal,
    Setup,
    Stream,
    client_commit,
    deal_key,
    options_text,
    server_commit,
    transcript,
)
from stichwerk.hash_words import fingerprint
from stichwerk.match import Match, Setting, deal_from
from stichwerk.server import wire
from stichwerk.server.protocol_generator.schema import info, sent
from stichwerk.server.protocol_generator.wording import WIDE, filled
from stichwerk.server.tables.running_match import hand_change
from stichwerk.view import View


class ConversationMessage(msgspec.Struct, frozen=True):
    """A message of the conversation: a comment, its sender, and the message itself."""

    words: str
    sender: Literal["Anna", "Ben", "server"]
    message: wire.FromClient | wire.FromServer


class ExampleConversation:
    """A table of two up to its first move. Everything is real: shares, words and cards."""

    table_id, match_id = "quiet-otter", "quiet-otter-1"
    token = "an-example-of-a-personal-token"
    ben, anna = "p1", "p2"

    def __init__(self) -> None:
        self.setting = Setting("stichling", 2, {"starter": 0})
        rules = self.setting.rules
        self.setup = Setup(
            match=self.match_id,
            rules=f"{rules.name}/{rules.version}",
            options=options_text(self.setting.options),
            deck=rules.deck.text,
            seats=2,
            rounds=rules.most_rounds(),
        )
        # Shares that anyone can type: never do this at a real table.
        self.server_seeds = [bytes([100 + r]) * 32 for r in range(self.setup.rounds + 1)]
        self.shares = [bytes([seat]) * 32 for seat in range(2)]
        self.server_commits = [
            server_commit(self.match_id, r, seed) for r, seed in enumerate(self.server_seeds)
        ]
        self.commits = [
            client_commit(self.match_id, seat, share) for seat, share in enumerate(self.shares)
        ]
        self.transcript = transcript(self.setup, self.server_commits, self.commits)

    def deal(self) -> Deal:
        """Return the cards of the first round."""
        key = deal_key(self.server_seeds[1], self.transcript, 1, self.shares)
        return deal_from(Stream(key), self.setting.rules, 0)

    def match(self) -> Match:
        """Return the match, dealt."""
        return self.setting.new(deals=[self.deal()], names=("Ben", "Anna"))

    def table(self, stage: Literal["gathering", "dealing", "playing"], *names: str) -> wire.Table:
        """Return the table as it is sent, with these people in its seats."""
        ids = (self.ben, self.anna)[: len(names)]
        people = [
            wire.Person(id=i, name=name, here=True) for i, name in zip(ids, names, strict=True)
        ]
        places = [wire.Place(person=i) for i in ids] + [wire.Place()] * (2 - len(ids))
        return wire.Table(
            id=self.table_id,
            game=self.setting.name,
            seats=2,
            options=self.setting.options,
            settings=wire.Settings(),
            host=self.ben,
            people=tuple(people),
            places=tuple(places),
            stage=stage,
            match=None if stage == "gathering" else self.match_id,
            dealing=self.dealing() if stage == "dealing" else None,
        )

    def dealing(self) -> wire.Dealing:
        """Return the deal when only the server has sealed its shares."""
        return wire.Dealing(
            match=self.match_id,
            rules=self.setup.rules,
            options=self.setup.options,
            deck=self.setup.deck,
            rounds=self.setup.rounds,
            server_commits=tuple(commit.hex() for commit in self.server_commits),
            client_commits=(None, None),
            trusted=(True, True),
            client_seeds=(None, None),
        )

    def coming_in(self) -> Iterator[ConversationMessage]:
        """Yield the messages from hello to a seat."""
        hello = wire.Hello(version=wire.VERSION, table=self.table_id)
        welcome = wire.Welcome(
            version=wire.VERSION,
            seq=1,
            fresh=True,
            person=None,
            seat=None,
            ply=0,
            table=self.table("gathering", "Ben"),
            view=None,
            steps=(),
        )
        joined = wire.JoinDone(id=1, seq=2, person=self.anna, seat=1, token=self.token)
        yield ConversationMessage(
            "Ben has created a table. Anna opens its link; the server does not know her yet.",
            "Anna",
            hello,
        )
        yield ConversationMessage("She may see the table.", "server", welcome)
        yield ConversationMessage("She joins.", "Anna", wire.Join(id=1, name="Anna"))
        yield ConversationMessage(
            "She keeps the token: with it in `hello` she can reconnect. (A `welcome` "
            "follows, with what she may see now.)",
            "server",
            joined,
        )

    def sealing(self) -> Iterator[ConversationMessage]:
        """Yield the messages from the host's begin to opened shares."""
        begun = wire.Update(
            seq=3,
            steps=(wire.Step(seq=3, notes=(wire.Sealing(match=self.match_id),)),),
            seat=1,
            ply=0,
            table=self.table("dealing", "Ben", "Anna"),
        )
        commit = wire.Commit(id=2, match=self.match_id, commit=self.commits[1].hex())
        reveal = wire.Reveal(id=3, match=self.match_id, seed=self.shares[1].hex())
        words = " ".join(fingerprint(self.transcript))
        yield ConversationMessage("Ben is the host, and begins.", "Ben", wire.Begin(id=7))
        yield ConversationMessage(
            "The server has sealed its shares; now it is Anna's turn.", "server", begun
        )
        yield ConversationMessage("Anna's client generates a share and seals it.", "Anna", commit)
        yield ConversationMessage("It is stored.", "server", wire.Done(id=2, seq=4))
        yield ConversationMessage(
            f"Ben seals too, and both read the same six words: *{words}*. Now Anna opens.",
            "Anna",
            reveal,
        )
        yield ConversationMessage("It is stored.", "server", wire.Done(id=3, seq=6))

    def playing(self) -> Iterator[ConversationMessage]:
        """Yield the messages from the deal to the first move."""
        match = self.match()
        before = match.view(1)
        move = before.moves[0]
        words = words_of(before, before.history)
        notes = (
            wire.Opened(seat=0),
            wire.Begun(match=self.match_id),
            wire.Published(round=0, seed=self.server_seeds[0].hex()),
        )
        yield ConversationMessage(
            "Ben opens last: the cards are dealt. (What does not change is null here.)",
            "server",
            wire.Update(
                seq=7,
                steps=(wire.Step(seq=7, notes=notes, events=before.history, words=words),),
                seat=1,
                ply=0,
                view=msgspec.structs.replace(before, history=()),
            ),
        )
        play = wire.Play(id=4, match=self.match_id, ply=0, move=move)
        yield ConversationMessage("Anna makes one of the `moves` of her view.", "Anna", play)
        events = tuple(event for event in match.play(1, move) if event.visible(1))
        after = msgspec.structs.replace(match.view(1), history=())
        hand = hand_change(before.hand, after.hand)
        step = wire.Step(seq=8, events=events, words=words_of(after, events), hand=hand)
        yield ConversationMessage(
            "Once stored, everyone receives what they may see; this is what Anna receives.",
            "server",
            wire.Update(seq=8, steps=(step,), seat=1, ply=1, view=after),
        )
        yield ConversationMessage(
            "Then the request is answered, and cannot be lost.", "server", wire.Done(id=4, seq=8)
        )


def words_of(view: View, events: Iterable[Event]) -> tuple[str, ...]:
    """Return what happened, in words for the seat of a view."""
    reader = narration.reader_of(view, "en")
    return tuple(narration.words(event, reader) for event in events)


def conversation() -> list[ConversationMessage]:
    """Return a short conversation between two people and the server."""
    story = ExampleConversation()
    return [*story.coming_in(), *story.sealing(), *story.playing()]


def conversation_part() -> Iterator[str]:
    """Yield the conversation, each message in JSON."""
    yield "## A conversation"
    for said in conversation():
        way = f"{said.sender} to server" if said.sender != "server" else "Server to Anna"
        yield filled(f"**{way}.** {said.words}")
        yield f"```json\n{spread(msgspec.json.decode(encoded(said.message)))}\n```"


def encoded(message: wire.FromClient | wire.FromServer) -> bytes:
    """Encode a message as it is sent; optional fields with their default are left out."""
    raw = msgspec.json.encode(message)
    if type(message) not in sent():
        return raw
    optional = {field.encode_name for field in info(type(message)).fields if not field.required}
    held = msgspec.json.decode(raw).items()
    return msgspec.json.encode(
        {key: value for key, value in held if key not in optional or value != default(message, key)}
    )


def default(message: msgspec.Struct, name: str) -> object:
    """Return the default of a field."""
    fields = {field.encode_name: field for field in info(type(message)).fields}
    return msgspec.to_builtins(fields[name].default)


def spread(value: object, depth: int = 0) -> str:
    """Return JSON on as few lines as fit."""
    flat = json.dumps(value, ensure_ascii=False)
    if 2 * depth + len(flat) <= WIDE - 8 or not isinstance(value, dict | list):
        return flat
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict):
        lines = [f"{inner}{json.dumps(key)}: {spread(value[key], depth + 1)}" for key in value]
        return "{\n" + ",\n".join(lines) + f"\n{outer}}}"
    lines = [inner + spread(item, depth + 1) for item in value]
    return "[\n" + ",\n".join(lines) + f"\n{outer}]"
