"""What one seat of an episode sees: as the documented row of numbers, and as lines of text."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stichwerk.envs.batch import hearts, observer, observers_of
from stichwerk.envs.episode_state import EpisodeState
from stichwerk.envs.spec import Spec
from stichwerk.terminal.table import ranking_lines, sheet_lines, table_lines
from stichwerk.view import View, knowledge

LIMIT = 1024.0
"""No number of an observation is larger: points are kept in 16 bits and shown divided by 32."""

Row = NDArray[np.float32]


class ObservationWriter:
    """Writes observations of one game, as a batch does, for episode states."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.row: Row = np.zeros((1, spec.width), np.float32)
        self._observer = observer(spec, self.row)
        self._memory: Any = observers_of(spec.rules).Memory

    def __reduce__(self) -> tuple[Any, ...]:
        return ObservationWriter, (self.spec,)  # nothing else outlives a look

    def look(self, episode_state: EpisodeState, seat: int) -> Row:
        """Return what the seat may know now; the row is reused. Of a move in several actions the
        others see nothing until it is complete."""
        memory = self._memory()
        scores = episode_state.scores if episode_state.episode == "match" else ()
        memory.fill(scores[-1] if scores else (), hearts(episode_state.rules, scores))
        if episode_state.cards_were_passed:
            memory.take_traces(knowledge(episode_state.memory(seat)), seat)
        state = (
            episode_state.visible_state
            if seat != episode_state.asked and episode_state.unfinished
            else episode_state.state
        )
        self._observer.observe(state, seat, memory, 0)
        seen: Row = self.row[0]
        return seen


def table_text(view: View, lang: str) -> str:
    """Return the table as the plain terminal shows it; at the end the score sheet and ranking."""
    if view.ranking is not None:
        return "\n".join([*sheet_lines(view, lang), *ranking_lines(view, lang)])
    return "\n".join(table_lines(view, lang))
