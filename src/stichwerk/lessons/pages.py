"""What the page shows: every scene of a script, played by the rules, as JSON."""

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from stichwerk import game as setting_of
from stichwerk import narration, outlook
from stichwerk.lessons.scene_deals import ScriptError, deal_for
from stichwerk.lessons.script import LessonStep, Scene, Script, Words, read
from stichwerk.match import Match
from stichwerk.view import View

LANGUAGES = ("de", "en")
YOU = {"de": "du", "en": "you"}
_PAGE = Path(__file__).parents[3] / "frontend/src"
PAGES: dict[str, Callable[[Script], tuple[Scene, ...]]] = {
    "learn/lessons": lambda script: script.scene,
    "rules/examples": lambda script: script.example,
}
"""The folder of each part of a script, below the sources of the page."""


def page(folder: str, game: str) -> str:
    """Return the JSON of one file: a line for each step, so that diffs are readable."""
    script = read(game)
    scenes = [played(script, scene) for scene in PAGES[folder](script)]
    lines = ",\n".join(_scene_lines(scene) for scene in scenes)
    return f'{{"game": "{game}", "scenes": [\n{lines}\n]}}\n'


def path_of(folder: str, game: str) -> Path:
    """Return the path of a file."""
    return _PAGE / folder / f"{game}.json"


def _scene_lines(scene: dict[str, Any]) -> str:
    steps = ",\n".join(_json(step) for step in scene["steps"])
    head = _json({key: value for key, value in scene.items() if key != "steps"})
    return f'{head[:-1]},"steps":[\n{steps}\n]}}'


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


# -- Playing ---------------------------------------------------------------------------------------


def played(script: Script, scene: Scene) -> dict[str, Any]:
    """Play a scene from its deal to its last words."""
    setting = setting_of(script.game, seats=len(script.names), **scene.options)
    match = setting.new(deals=[deal_for(setting, scene)], names=script.names)
    for line in scene.before:
        make(match, line)
    first = facts_of(match, scene)
    steps = list(steps_of(match, scene))
    return {
        "title": scene.title,
        "section": scene.section,
        "seat": scene.seat,
        "view": first,
        "steps": steps,
    }


def steps_of(match: Match, scene: Scene) -> Iterator[dict[str, Any]]:
    """Yield the moves and the words, one after the other."""
    for step in scene.step:
        for line in step.moves:
            yield beat(match, scene, line)
        yield said(match, scene, step)
        if step.good:
            yield beat(match, scene, f"{scene.seat} {step.good}")


def beat(match: Match, scene: Scene, line: str) -> dict[str, Any]:
    """Make a move and return its events and the changes of the view."""
    before = facts_of(match, scene)
    events = [event for event in make(match, line) if event.visible(scene.seat)]
    after = facts_of(match, scene)
    readers = {lang: narration.reader_of(match.view(scene.seat), lang) for lang in LANGUAGES}
    return {
        "beat": line,
        "events": events,
        "words": {
            lang: [narration.words(event, reader) for event in events]
            for lang, reader in readers.items()
        },
        "view": {name: value for name, value in after.items() if value != before[name]},
    }


def make(match: Match, line: str) -> tuple[Any, ...]:
    """Make a move that is written `1 G7`."""
    who, _, move = line.partition(" ")
    objection = match.objection(int(who), move)
    if objection is not None:
        raise ScriptError(f"{line}: {objection.id} {objection.data}")
    return match.play(int(who), move)


def facts_of(match: Match, scene: Scene) -> dict[str, Any]:
    """Return the view without its history, which the page knows already."""
    view = msgspec.structs.replace(match.view(scene.seat), history=())
    facts: dict[str, Any] = msgspec.to_builtins(view)
    return facts


# -- Words -----------------------------------------------------------------------------------------


def said(match: Match, scene: Scene, step: LessonStep) -> dict[str, Any]:
    """Return the words of a step, with the outlook at that moment."""
    view = match.view(scene.seat)
    words: dict[str, Any] = {"say": Words(de=step.de, en=step.en), "look": step.look}
    words["outlook"] = {lang: outlook_of(view, lang) for lang in LANGUAGES}
    if not step.good:
        return words
    if step.good not in view.moves:
        raise ScriptError(f"{scene.title.en}: {step.good} is not possible")
    words |= {"good": step.good, "praise": step.praise, "otherwise": step.otherwise}
    words["replies"] = replies_of(view, scene, step)
    if not words["outlook"]["en"]["effects"]:  # too many moves: explain the good one
        words["tries"] = {lang: list(tries_of(view, step.good, lang)) for lang in LANGUAGES}
    return words


def tries_of(view: View, good: str, lang: str) -> Iterator[Any]:
    """Yield what each part of a choice of several cards would do."""
    cards = good.split(",")
    for count in range(1, len(cards) + 1):
        for some in combinations(cards, count):
            yield outlook.one(view, ",".join(some), lang)


def replies_of(view: View, scene: Scene, step: LessonStep) -> dict[str, Words]:
    """Map each move to its reply; refuse moves that nobody can make."""
    found = {}
    for reply in step.replies:
        for move in reply.moves.split():
            if move not in view.moves or move == step.good or move in found:
                raise ScriptError(f"{scene.title.en}: nobody answers to {move}")
            found[move] = Words(de=reply.de, en=reply.en)
    if step.otherwise is None and set(view.moves) - {step.good, *found}:
        missing = sorted(set(view.moves) - {step.good, *found})
        raise ScriptError(f"{scene.title.en}: no reply to {missing}")
    return found


def outlook_of(view: View, lang: str) -> dict[str, Any]:
    """Return the outlook in one language, without empty parts."""
    names = tuple(YOU[lang] if at == view.seat else name for at, name in enumerate(view.names))
    seen = outlook.look(msgspec.structs.replace(view, names=names), lang)
    facts: dict[str, Any] = msgspec.to_builtins(seen)
    del facts["one"]
    return facts
