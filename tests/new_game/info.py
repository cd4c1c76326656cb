"""The description of Hot Number."""

from stichwerk.games.hot_number import HotNumber
from stichwerk.games.info import (
    CARD,
    ONE_CARD,
    OVER,
    Form,
    GameDescription,
    Key,
    Phase,
    Reference,
)

INFO = GameDescription(
    rules=HotNumber,
    reference=Reference(
        events=("choice", "chosen", "revealed"),
        phases={
            "heat": Phase(
                meaning="Before play everyone lays a card face down.",
                forms=(Form(CARD, "Y2", "the card"),),
                entry="choices",
                secret=True,
            ),
            "play": Phase(meaning="Play a card.", forms=(ONE_CARD,)),
            "over": OVER,
        },
        table={"hot": Key(list[str] | None, "by seat the card laid out; null until all chose")},
        mine={"hot": Key(str, "the card you laid face down, while others still choose")},
    ),
)
