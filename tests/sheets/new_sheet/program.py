"""Play with the new sheet in a copy of the package; print what each part of the package says."""

import json

import jsonschema
import msgspec
import numpy as np

import stichwerk
from stichwerk import outlook, record, reference
from stichwerk.bots.position import Position
from stichwerk.bots.reasons import reason_for
from stichwerk.cards import card_code
from stichwerk.engine.constants import KIND
from stichwerk.envs.zoo import env as env_for
from stichwerk.errors import IllegalMoveError
from stichwerk.games.events import AnyEvent
from stichwerk.games.stichtag import record_schema
from stichwerk.games.stichtag.calendar import SHEETS
from stichwerk.games.stichtag.yearbook import sheet_of
from stichwerk.match import Match
from stichwerk.reference import PHASES, TABLE
from stichwerk.server.http.game_catalogue import sheet_info
from stichwerk.terminal import day
from stichwerk.terminal.event_text import event_lines
from stichwerk.terminal.table import before_seat, question
from stichwerk.testing import check_game

Facts = dict[str, object]


def asked_at(sheet: str, phase: str, *others: str) -> Match:
    """Return a match in which a seat owes the choice of the sheet."""
    game = stichwerk.game("stichtag", 3, sheets=[sheet, *others])
    match = game.new(seed=5, names=["Ada", "Ben", "Cem"])
    while match.view(match.waiting_for[0]).phase != phase:
        match.play(match.waiting_for[0], match.moves(match.waiting_for[0])[0])
    return match


def played(sheet: str, phase: str) -> tuple[Match, int]:
    """Play a whole match; return it and how many such choices were made."""
    choices = 0
    match = stichwerk.game("stichtag", 3, sheets=[sheet]).new(seed=5)
    players = [stichwerk.bot("greedy", seed=seat) for seat in range(3)]
    while match.waiting_for:
        seat = match.waiting_for[0]
        view = match.view(seat)
        choices += view.phase == phase
        match.play(seat, players[seat].choose(view))
    return match, choices


def asked(sheet: str, phase: str, *others: str) -> Facts:
    """Return what the seat that owes the choice is asked."""
    match = asked_at(sheet, phase, *others)
    seat = match.waiting_for[0]
    view = match.view(seat)
    now = outlook.situation(view, "en")
    return {
        "moves": view.moves,
        "question": question(view, "de"),
        "heading": now.heading,
        "rule": now.sentences,
        "sheet": now.sheet,
        "effects": [effect.move for effect in outlook.effects(view, "en")],
        "reason": reason_for(Position(view), match.moves(seat)[0]).id,
    }


def chosen(sheet: str, phase: str, fact: str) -> Facts:
    """Try a wrong choice, which is refused, and a right one, which all see."""
    match = asked_at(sheet, phase)
    seat = match.waiting_for[0]
    refused = ""
    try:
        match.play(seat, "for 3")
    except IllegalMoveError as error:
        refused = str(error)
    watching = (seat + 1) % 3
    seen = len(match.view(watching).history)
    match.play(seat, "for Cem")
    view = match.view(watching)
    return {
        "refused": refused,
        "table": view.table[fact],
        "before": before_seat(view, 2, "en"),
        "lines": list(event_lines(view, seen, "en")),
        "chooser": view.names[seat],
    }


def recorded(sheet: str, phase: str) -> Facts:
    """Play a whole match; return what its record says."""
    match, choices = played(sheet, phase)
    line = record.encode(record.record(match))
    again = record.decode(line)
    schema = record_schema.generated(json.loads(record.schema()))
    refused = jsonschema.Draft202012Validator(schema).iter_errors(json.loads(line))
    tally = outlook.tally(match.view(None), 1, "en")
    return {
        "choices": choices,
        "tricks": sum(event.kind == "trick" for event in match.events),
        "points": sum(match.totals),
        "record": record.verify(again).status,
        "drawn": [deal.deal.specials for deal in match.rounds],
        "refused": [error.message for error in refused],
        "tally": [item.text for one in tally for item in one.items],
    }


def in_environment(sheet: str, phase: str) -> Facts:
    """An episode by PettingZoo: each choice goes to the left neighbour of its seat, if asked."""
    env = env_for("stichtag", 3, sheets=[sheet], episode="match")
    env.reset(seed=5)
    spec = env.unwrapped.spec
    [actions] = [kind for kind in spec.kinds if kind.kind == phase]
    choices = 0
    for _ in env.agent_iter():
        seen, _, over, cut, _ = env.last()
        legal = [] if over or cut else [int(id) for id in np.flatnonzero(seen["action_mask"])]
        asked = [id for id in legal if actions.first <= id < actions.first + actions.size]
        choices += bool(asked)
        env.step((asked[1] if asked else legal[0]) if legal else None)
    return {
        "actions": [spec.action_text(actions.first + at) for at in range(actions.size)],
        "of_seat_2": spec.action(actions.first + 1, seat=2) % KIND,
        "choices": choices,
        "meaning": actions.meaning,
    }


def searched(sheet: str, phase: str) -> str:
    """Return the choice of a bot that searches a tree."""
    match = asked_at(sheet, phase)
    return stichwerk.bot("tree@40", seed=1).choose(match.view(match.waiting_for[0]))


def described(sheet: str, name: str, fact: str) -> Facts:
    """Return what the calendar, the reference and the server say about it."""
    phase = PHASES["stichtag"][name]
    info = sheet_info(SHEETS[sheet], "en")
    return {
        "title": sheet_of(sheet).title,
        "where": [phase.where, TABLE["stichtag"][fact].where],
        "example": phase.forms[0].example,
        "drawing": info.drawing,
        "facts": msgspec.to_builtins(info.facts),
    }


# -- The sheet with stakes -------------------------------------------------------------------------


def stakes_asked() -> Facts:
    """What is said to a seat that owes a secret stake, and to one that has chosen it."""
    match = stichwerk.game("stichtag", 3, sheets=["red 5"]).new(seed=5, names=["Ada", "Ben", "Cem"])
    view = match.view(0)
    card = view.hand[0]
    effect = outlook.effects(view, "en")[0]
    reason = reason_for(Position(view), match.moves(0)[0])
    match.play(0, card)
    return {
        "phase": view.phase,
        "is_hand": view.moves == view.hand,
        "question": question(view, "en").replace(card, "CARD"),
        "effect": effect.text.startswith("then "),
        "reason": [reason.id, reason.data["name"]],
        "own": list(day.own_lines(match.view(0), "en")) == [f"You have chosen: {card}"],
        "others": [card in str(match.view(seat).history[-1]) for seat in (1, 2)],
        "sampled": match.view(1).phase,
    }


def raising() -> tuple[Match, int]:
    """A match in which a leader may raise the trick."""
    match = asked_at("red 5", "raise")
    return match, match.waiting_for[0]


def stakes_shown() -> Facts:
    """What all see of stakes, and what is said before a trick is settled."""
    match, seat = raising()
    view, watching = match.view(seat), (seat + 1) % 3
    [shown] = [event for event in view.history if event.kind == "stakes"]
    again = msgspec.json.decode(msgspec.json.encode(shown), type=AnyEvent)
    effects = outlook.effects(view, "en")
    seen = [len(match.view(one).history) for one in (seat, watching)]
    sizes = match.view(watching).hand_sizes[seat]
    match.play(seat, "raise")
    lines = [
        list(event_lines(match.view(one), at, "en"))
        for one, at in zip((seat, watching), seen, strict=True)
    ]
    return {
        "again": again == shown,
        "line": [*sorted(shown.cards, key=card_code)] == view.table["stakes"],
        "table": [line for line in day.day_lines(view, "en") if line.startswith("Staked: ")] != [],
        "trick": len(view.tricks[0].plays),
        "moves": view.moves,
        "effects": [effect.text.split(" · ")[0] for effect in effects],
        "winner": {effect.winner for effect in effects} == {view.tricks[0].winning},
        "heading": outlook.situation(view, "en").heading,
        "drew": [[line.split(" ")[:2] for line in some][:2] for some in lines],
        "names": view.names[seat],
        "more": match.view(watching).hand_sizes[seat] - sizes,
        "kept_secret": ["raise-drew" in {e.kind for e in match.view(watching).history}],
    }


def stakes_played() -> Facts:
    """A whole match, recorded; and an episode of an environment."""
    match, raises = played("red 5", "raise")
    line = record.encode(record.record(match))
    schema = record_schema.generated(json.loads(record.schema()))
    refused = jsonschema.Draft202012Validator(schema).iter_errors(json.loads(line))
    raised = sum(event.kind == "raised" and event.move == "raise" for event in match.events)
    env = env_for("stichtag", 3, sheets=["red 5"])
    env.reset(seed=5)
    for _ in env.agent_iter():
        seen, _, over, cut, _ = env.last()
        env.step(None if over or cut else int(np.flatnonzero(seen["action_mask"])[0]))
    tricks = sum(event.kind == "trick" for event in match.events)
    return {
        "asked": raises > 0,
        "points": sum(match.totals) == tricks + raised,
        "record": record.verify(record.decode(line)).status,
        "refused": [error.message for error in refused],
        "kinds": [word for word in reference.EVENTS if word in ("stakes", "raised", "raise-drew")],
        "shown": [info.name for info in sheet_info(SHEETS["red 5"], "en").shown],
    }


def stakes_searched() -> str:
    """The choice of a bot that searches a tree."""
    match, seat = raising()
    return stichwerk.bot("tree@20", seed=1).choose(match.view(seat))


def parts(sheet: str, phase: str, *others: str) -> Facts:
    """What each part of the package says about one of the new sheets."""
    return {
        "asked": asked(sheet, phase, *others),
        "chosen": chosen(sheet, phase, f"{phase}es"),
        "recorded": recorded(sheet, phase),
        "in_environment": in_environment(sheet, phase),
        "searched": searched(sheet, phase),
        "described": described(sheet, phase, f"{phase}es"),
    }


def main() -> None:
    """Play, then print."""
    for red in ("red 1", "red 2", "red 8"):
        check_game(stichwerk.game("stichtag", 3, sheets=[red, "January"]), matches=1)
    check_game(stichwerk.game("stichtag", 3, sheets=["red 5", "August"]), matches=1)
    result = {
        "package": stichwerk.__file__,
        "January": parts("January", "wish"),
        "red 3": parts("red 3", "toss", "October"),
        "red 5": {
            "asked": stakes_asked(),
            "shown": stakes_shown(),
            "played": stakes_played(),
            "searched": stakes_searched(),
        },
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
