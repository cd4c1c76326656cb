"""The bot that plays by a trained net, without any search."""

from typing import ClassVar

from stichwerk.bots.greedy import GreedyBot


class NetBot(GreedyBot):
    """Plays by a net alone, in well under a millisecond; by tactics where a game has no net.

    Its version is that of the weights.
    """

    name: ClassVar[str] = "net"

    def __init__(self, seed: int, *, version: int = 1) -> None:
        super().__init__(seed, version=version)
        self.style = f"net-{version}"
