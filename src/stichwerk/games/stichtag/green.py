"""The four green sheets: the goal. The tens digit of the date chooses one."""

from collections.abc import Sequence

from stichwerk.engine.state import State
from stichwerk.games.stichtag.sheet import Sheet

Scores = Sequence[Sequence[int]]
HEARTS = 2
TWELVE = 12


class Goal(Sheet):
    """What the green sheets have in common: when the match ends and how seats are compared."""

    replaces = ("goal",)
    rounds = 3

    def over(self, scores: Scores) -> bool:
        """Whether the match ends after these rounds: after the last one."""
        return len(scores) >= self.rounds

    def standing(self, scores: Scores, seat: int) -> tuple[int, ...]:
        """What seats are compared by, the larger the better."""
        return (sum([points[seat] for points in scores]),)


class Green0(Goal):
    """Three rounds, most points."""

    name = "green 0"
    origin = "partly"
    title = ("Die meisten Punkte", "Most points")
    short = ("Drei Runden. Die meisten Punkte gewinnen.", "Three rounds. Most points win.")
    long = (
        "Ihr spielt drei Runden und zählt ihre Punkte zusammen. Wer am Ende die meisten hat, "
        "gewinnt; wer gleich viele hat, teilt sich den Sieg.",
        "You play three rounds and add up their points. Whoever has the most at the end wins; "
        "equal totals share the victory.",
    )


class Green1(Goal):
    """Three rounds, fewest points."""

    name = "green 1"
    origin = "documented"
    title = ("Die wenigsten Punkte", "Fewest points")
    short = ("Drei Runden. Die wenigsten Punkte gewinnen.", "Three rounds. Fewest points win.")
    long = (
        "Ihr spielt drei Runden und zählt ihre Punkte zusammen. Wer am Ende die wenigsten hat, "
        "gewinnt; wer gleich viele hat, teilt sich den Sieg. Was sonst lockt, ist heute eine "
        "Last: Jeder Stich zählt gegen dich, und mit ihm alles, was er an Punkten mitbringt. "
        "Beispiel: Nach drei Runden stehen 11, 8 und 17 auf dem Block. Die 8 gewinnt.",
        "You play three rounds and add up their points. Whoever has the fewest at the end wins; "
        "equal totals share the victory. What tempts you on other days is a burden today: every "
        "trick counts against you, and so does every point that comes with it. Example: after "
        "three rounds the totals are 11, 8 and 17. The 8 wins.",
    )

    def standing(self, scores: Scores, seat: int) -> tuple[int, ...]:
        """The fewest points are the best."""
        return (-sum([points[seat] for points in scores]),)


class Green2(Goal):
    """Exactly 12."""

    name = "green 2"
    origin = "partly"
    rounds = 4
    title = ("Genau 12", "Exactly 12")
    short = (
        "Wer nach einer Runde genau 12 Punkte hat, gewinnt sofort. Was dich über 12 brächte, wird "
        "abgezogen.",
        "Whoever has exactly 12 points after a round wins at once. What would carry you above 12 "
        "is subtracted.",
    )
    long = (
        "Nach jeder Runde zählst du ihre Punkte zu deiner Summe. Kämst du damit über 12, werden "
        "sie stattdessen abgezogen; die Summe darf dabei unter 0 fallen. Wer nach einer Runde "
        "genau 12 hat, gewinnt sofort; sind es mehrere, teilen sie sich den Sieg. Hat auch nach "
        "vier Runden niemand genau 12, gewinnt die höchste Summe, und Gleichstand teilt den Sieg. "
        "Beispiel: Du stehst bei 9. Eine Runde mit 3 Punkten bringt dich auf 12, und du hast "
        "gewonnen. Eine Runde mit 4 Punkten brächte 13, also gehst du zurück auf 5.",
        "After each round you add its points to your total. If that would carry you above 12, "
        "they are subtracted instead; your total may fall below 0. Whoever has exactly 12 after a "
        "round wins at once; if there are several, they share the victory. If nobody has exactly "
        "12 after four rounds either, the highest total wins, and ties are shared. Example: you "
        "stand at 9. A round of 3 points takes you to 12, and you have won. A round of 4 points "
        "would make 13, so you go back to 5.",
    )

    def score(self, state: State, seat: int) -> int:
        """A round that would carry the total above 12 is subtracted instead."""
        points = state.points[seat]
        return -points if state.totals[seat] + points > TWELVE else points

    def over(self, scores: Scores) -> bool:
        """At once when someone has exactly 12, at the latest after four rounds."""
        totals = [sum(column) for column in zip(*scores, strict=True)]
        return TWELVE in totals or len(scores) >= self.rounds

    def standing(self, scores: Scores, seat: int) -> tuple[int, ...]:
        """Exactly 12 wins; otherwise the highest total."""
        total = sum([points[seat] for points in scores])
        return (int(total == TWELVE), total)


class Green3(Goal):
    """Hearts."""

    name = "green 3"
    origin = "own"
    rounds = 4
    title = ("Herzen", "Hearts")
    short = (
        "Alle haben zwei Herzen. Wer in einer Runde die wenigsten Punkte hat, verliert eins. Die "
        "meisten Herzen gewinnen.",
        "Everyone has two hearts. Whoever has the fewest points of a round loses one. Most hearts "
        "win.",
    )
    long = (
        "Legt zu Beginn der Partie je zwei Herzkarten vor euch. Nach jeder Runde geben alle, die "
        "in dieser Runde die wenigsten Punkte haben, ein Herz ab; haben alle gleich viele, "
        "verliert niemand eins. Die Partie endet, sobald jemand kein Herz mehr hat, spätestens "
        "nach vier Runden. Die meisten Herzen gewinnen; bei Gleichstand entscheiden die meisten "
        "Punkte aller Runden zusammen, danach wird der Sieg geteilt. Beispiel: Die Runde endet "
        "mit 5, 3, 2 und 2 Punkten. Beide mit 2 Punkten geben ein Herz ab.",
        "At the start of the match everyone lays two heart cards in front of them. After each "
        "round all who have the fewest points of that round give up a heart; if all are level, "
        "nobody does. The match ends as soon as someone has no heart left, at the latest after "
        "four rounds. Most hearts win; ties go to the most points of all rounds together, then "
        "the victory is shared. Example: a round ends with 5, 3, 2 and 2 points. Both players "
        "with 2 points give up a heart.",
    )

    def hearts(self, scores: Scores, seat: int) -> int:
        """Two, less one for each round in which the seat was among the last (not if all were
        level).
        """
        left = HEARTS
        for points in scores:
            if points[seat] == min(points) < max(points):
                left -= 1
        return left

    def over(self, scores: Scores) -> bool:
        """When someone has no heart left, at the latest after four rounds."""
        seats = range(len(scores[0]))
        return len(scores) >= self.rounds or 0 in [self.hearts(scores, seat) for seat in seats]

    def standing(self, scores: Scores, seat: int) -> tuple[int, ...]:
        """Hearts first, then points."""
        return (self.hearts(scores, seat), sum([points[seat] for points in scores]))
