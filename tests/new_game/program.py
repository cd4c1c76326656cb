"""Play the new game in a copy of the package; print what each part of the package makes of it."""

import json

import jsonschema
import numpy as np
import pytest

import stichwerk
from stichwerk import cli, outlook, record
from stichwerk.bots.position import Position
from stichwerk.bots.reasons import reason_for
from stichwerk.envs import Batch, Spec
from stichwerk.envs.docs_tables import sizes
from stichwerk.envs.zoo import env as env_for
from stichwerk.games import registry
from stichwerk.lessons import GAMES as LESSONS
from stichwerk.match import Match
from stichwerk.reference import page
from stichwerk.server.http.game_catalogue import game_info
from stichwerk.server.protocol_generator.files import made
from stichwerk.simulate import play_match
from stichwerk.terminal.event_text import event_lines
from stichwerk.terminal.seat import LocalSeat
from stichwerk.terminal.session import Session
from stichwerk.terminal.table import table_lines
from stichwerk.testing import check_game

NAME = "hot-number"
SEATS = 3
PLAYERS = ["Ada", "Ben", "Cem"]
Told = dict[str, object]


def new_match() -> Match:
    """A match at its first choice."""
    return stichwerk.game(NAME, SEATS, starter=0).new(seed=5, names=PLAYERS)


class Keys:
    """A screen whose player always types the first move."""

    colours = False

    def __init__(self, match: Match) -> None:
        self.match = match
        self.said: list[str] = []

    def say(self, line: str = "") -> None:
        """Keep what is said."""
        self.said.append(line)

    def ask(self) -> str | None:
        """Type a move in lower case."""
        moves = self.match.view(0).moves
        return moves[0].lower() if moves else None


def recorded() -> Told:
    """A whole match of bots, kept in a record."""
    match = play_match(stichwerk.game(NAME, 4), ["random", "greedy", "flat@8", "tree@8"], 3)
    line = record.encode(record.record(match))
    schema = json.loads(record.schema())
    refused = jsonschema.Draft202012Validator(schema).iter_errors(json.loads(line))
    wrong = {**json.loads(line), "options": {"burn": 4, "starter": None}}
    return {
        "rounds": len(match.scores),
        "record": record.verify(record.decode(line)).status,
        "refused": [error.message for error in refused],
        "checked": not jsonschema.Draft202012Validator(schema).is_valid(wrong),
    }


def asked() -> Told:
    """What a seat that has to choose is shown, and what all see once everyone has chosen."""
    match = new_match()
    view = match.view(0)
    now = outlook.situation(view, "en")
    lines = list(table_lines(view, "de"))
    effects = [effect.move for effect in outlook.effects(view, "en")]
    reason = reason_for(Position(view), match.moves(0)[0]).id
    cards = [match.view(seat).hand[0] for seat in range(SEATS)]
    for seat, card in enumerate(cards):
        match.play(seat, card)
    seen = list(event_lines(match.view(1), 0, "en"))
    return {
        "phase": view.phase,
        "title": lines[1].split("─")[2].strip(),
        "choices": effects == list(view.hand) == list(view.moves),
        "heading": now.heading,
        "reason": reason,
        "shown": match.view(None).table["hot"] == cards,
        "told": any(all(card in line for card in cards) for line in seen),
    }


def typed() -> Told:
    """A match at the typed table, to its end."""
    match = new_match()
    screen = Keys(match)
    bots = {seat: stichwerk.bot("easy", seat) for seat in range(1, SEATS)}
    finished = Session(LocalSeat(match, 0, bots, "en"), screen).run()
    tally = outlook.tally(match.view(None), SEATS, "en")
    return {
        "finished": finished,
        "over": match.over,
        "points": [sum(item.points or 0 for item in one.items) for one in tally],
        "scores": list(match.scores[-1]),
        "braces": [line for line in screen.said if "{" in line],
    }


def in_environments() -> Told:
    """An episode by PettingZoo, and some steps of a batch."""
    env = env_for(NAME, SEATS, episode="match")
    env.reset(seed=5)
    for _ in env.agent_iter():
        seen, _, over, cut, _ = env.last()
        env.step(None if over or cut else int(np.flatnonzero(seen["action_mask"])[0]))
    batch = Batch(Spec(NAME, SEATS), 2, seed=5)
    for _ in range(2 * SEATS):
        batch.step(batch.masks.argmax(axis=1).astype(np.int32))
    return {
        "agents": len(env.agents),
        "kinds": [kind.kind for kind in Spec(NAME, SEATS).kinds][:2],
        "batch": batch.masks.any(axis=1).tolist(),
        "documented": sizes().count(NAME),
    }


def described() -> Told:
    """What server, reference, generators and command line say about it."""
    info = game_info(NAME, "de")
    return {
        "last": list(registry.GAMES)[-1],
        "title": info.title,
        "sentence": info.sentence,
        "options": [option.title for option in info.options["4"]],
        "page": [info.presentation.page, info.presentation.lesson, info.presentation.rules],
        "generated": [path for path, text in made().items() if f'"{NAME}"' in text],
        "reference": "by seat the card laid out" in page(),
        "lesson": NAME in LESSONS,
        "rules": cli.main(["rules", NAME, "--lang", "en"]),
    }


def main() -> None:
    """Check the rules, play, then print."""
    tests = pytest.main(["-q", "-p", "no:cacheprovider", "tests/rulebook"])
    check_game(stichwerk.game(NAME, SEATS), matches=1)
    result = {
        "package": stichwerk.__file__,
        "rulebook": int(tests),
        "recorded": recorded(),
        "asked": asked(),
        "typed": typed(),
        "in_environments": in_environments(),
        "described": described(),
    }
    print("\n" + json.dumps(result))


if __name__ == "__main__":
    main()
