"""The yearbook: the calendar in words, and the rules of one day complete on a page.

Everything here is put together from the sheets; what a sheet says stands on the sheet. Texts are
pairs, German and English. `python -m stichwerk.games.stichtag.yearbook docs` writes the pages.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

from stichwerk.cards import COLOURS
from stichwerk.games.stichtag.calendar import (
    DAYS_OF_MONTH,
    GREEN,
    MONTHS,
    REDS,
    SHEETS,
    find_sheet,
    is_real,
    place_of,
)
from stichwerk.games.stichtag.sheet import Sheet
from stichwerk.locale import LANGUAGES

Text = tuple[str, str]

WIDTH = 100
SEATS = {3: (9, 60, 24), 4: (9, 60, 12), 5: (11, 72, 12)}  # highest value, cards, stock

MONTH_NAMES = (
    ("Januar", "January"),
    ("Februar", "February"),
    ("März", "March"),
    ("April", "April"),
    ("Mai", "May"),
    ("Juni", "June"),
    ("Juli", "July"),
    ("August", "August"),
    ("September", "September"),
    ("Oktober", "October"),
    ("November", "November"),
    ("Dezember", "December"),
)
KINDS = {"green": ("Grün", "Green"), "red": ("Rot", "Red")}

ORIGINS = {
    "documented": (
        "belegt: Regel und Platz im Kalender sind öffentlich beschrieben",
        "documented: rule and place in the calendar have been described publicly",
    ),
    "partly": (
        "teils belegt: Regel oder Thema sind öffentlich beschrieben; Platz, Beträge oder Symbole "
        "sind von uns",
        "partly documented: rule or theme have been described publicly; place, amounts or symbols "
        "are ours",
    ),
    "own": ("eigenes Blatt: von uns erdacht", "own sheet: made up by us"),
}
ORIGIN_WORDS = {
    "documented": ("belegt", "documented"),
    "partly": ("teils belegt", "partly"),
    "own": ("eigen", "own"),
}

BASE: dict[str, tuple[Text, Text]] = {
    "deal": (
        ("Nach dem Geben", "After the deal"),
        (
            "Alle bekommen 12 Karten, der Rest ist der verdeckte Vorrat. Dann spielt zum ersten "
            "Stich aus, wer links von der gebenden Person sitzt.",
            "Everyone gets 12 cards, the rest is the face-down stock. Then the player to the "
            "dealer's left leads the first trick.",
        ),
    ),
    "plays": (
        ("Was gespielt werden darf", "What may be played"),
        ("Du spielst eine Karte aus der Hand.", "You play one card from your hand."),
    ),
    "follow": (
        ("Bedienen", "Duty to follow"),
        (
            "Wer die angespielte Farbe hat, muss sie legen; wer sie nicht hat, darf alles legen. "
            "Trumpfen oder höher spielen muss niemand.",
            "Whoever has the led colour must play it; whoever has none may play anything. Nobody "
            "has to trump or to play higher.",
        ),
    ),
    "turn": (
        ("Reihum oder zugleich", "In turn or at once"),
        (
            "Alle legen reihum und offen, angefangen bei der Person, die ausspielt.",
            "All play in turn and openly, beginning with the leader.",
        ),
    ),
    "trump": (("Trumpf", "Trump"), ("Rot ist Trumpf.", "Red is trump.")),
    "strength": (
        ("Stärke", "Strength of a play"),
        (
            "Trumpf schlägt die angespielte Farbe, die angespielte Farbe alle übrigen; innerhalb "
            "einer Farbe zählt die Zahl.",
            "Trump beats the led colour, the led colour beats all the others; within a colour the "
            "number counts.",
        ),
    ),
    "low": (
        ("Hoch oder niedrig", "High or low"),
        ("Die höchste Zahl gewinnt.", "The highest number wins."),
    ),
    "win": (
        ("Wer gewinnen kann", "Who may win"),
        ("Alle können den Stich gewinnen.", "Everyone can win the trick."),
    ),
    "trick": (
        ("Wohin der Stich geht", "Where the trick goes"),
        (
            "Wer den Stich gewinnt, nimmt ihn und legt ihn verdeckt ab.",
            "Whoever wins the trick takes it and puts it away face down.",
        ),
    ),
    "after": (
        ("Nach dem Stich", "After a trick"),
        ("Es geht gleich mit dem nächsten weiter.", "The next one begins at once."),
    ),
    "direction": (
        ("Spielrichtung", "Direction"),
        ("Gespielt wird im Uhrzeigersinn.", "Play goes clockwise."),
    ),
    "lead": (
        ("Wer ausspielt", "Who leads"),
        ("Wer den Stich gewonnen hat.", "The winner of the trick."),
    ),
    "points": (
        ("Punkte der Runde", "Points of a round"),
        ("Jeder genommene Stich ist 1 Punkt.", "Each trick taken is 1 point."),
    ),
    "goal": (
        ("Ziel", "Goal"),
        (
            "Drei Runden (zum Üben zwei), die meisten Punkte gewinnen. Wer gleich viele hat, teilt "
            "sich den Sieg.",
            "Three rounds (two for practice), most points win. Equal totals share the victory.",
        ),
    ),
}
"""The parts a sheet may change: what each is called, and the base rule in a sentence."""

BY_NOTE = {("March", "lead"): "red 1"}
"""A part that a sheet touches only by its cross-note with another."""

NOT_BY_NOTE = {("March", "direction"): "red 1"}
"""A part that a sheet does not touch because of its cross-note with another."""


class Line(NamedTuple):
    """A sentence that holds on days with all of `every`, none of `never`, and one of `words`.

    `{words}` in the text stands for the words of those sheets that are in play.
    """

    text: Text
    every: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    words: Mapping[str, Text] = {}

    def holds(self, names: Sequence[str]) -> bool:
        """Whether the sentence belongs to a day with these sheets."""
        return (
            all(name in names for name in self.every)
            and not any(name in names for name in self.never)
            and (not self.words or any(name in names for name in self.words))
        )

    def said(self, names: Sequence[str], at: int) -> str:
        """The sentence."""
        words = [pair[at] for name, pair in self.words.items() if name in names]
        return self.text[at].replace("{words}", ", ".join(words))


SYMBOLS = {sheet.name: sheet.symbol_name for sheet in MONTHS}
SWITCH = {"red 5": ("die 5 des Schalters", "the 5 of the switch")}


def symbols_of(*names: str) -> dict[str, Text]:
    """The symbols of some months, for a sentence."""
    return {name: SYMBOLS[name] for name in names}


NEEDS: tuple[Line, ...] = (
    Line(
        (
            "zwei Herzkarten für jede Person (oder Münzen, Knöpfe …)",
            "two heart cards for each player (or coins, buttons …)",
        ),
        every=("green 3",),
    ),
    Line(
        (
            "sechs Zettel, von jeder Farbe einer, für den Trumpf",
            "six slips of paper, one of each colour, for the trump",
        ),
        every=("red 0",),
    ),
    Line(
        (
            "Zettel und Stift für die geheimen Ansagen",
            "paper and pencil for the secret announcements",
        ),
        every=("red 4",),
    ),
    Line(
        (
            "eine Karte oder Münze als Schalter: eine Seite „an“, eine „aus“",
            "a card or a coin as the switch: one side “on”, one side “off”",
        ),
        every=("red 5",),
    ),
    Line(
        (
            "Zettel mit euren Namen als Partnerkarten",
            "slips of paper with your names as partner cards",
        ),
        every=("red 6",),
    ),
    Line(
        ("eine Vetokarte (irgendein Gegenstand)", "a veto card (any object will do)"),
        every=("red 7",),
    ),
    Line(
        (
            "einen Pfeil oder Stift, der die Spielrichtung zeigt",
            "an arrow or a pencil to show the direction of play",
        ),
        every=("March",),
        never=("red 1",),
    ),
    Line(
        (
            "sechs Eierkarten mit den Werten 0, 1, 1, 2, 2, 3",
            "six egg cards with the values 0, 1, 1, 2, 2, 3",
        ),
        every=("April",),
    ),
    Line(
        (
            "eine Sonnenstich-Karte (irgendein Gegenstand)",
            "a Sonnenstich card (any object will do)",
        ),
        every=("July",),
    ),
)
"""Things besides the cards."""

TRICK: tuple[tuple[Line, ...], ...] = (
    (
        Line(
            (
                "Wer ausspielt, legt eine Karte; reihum legen alle anderen je eine dazu.",
                "The leader plays a card; in turn all others add one each.",
            ),
            never=("red 1", "red 2"),
        ),
        Line(
            (
                "Wer ausspielt, legt eine Karte verdeckt und nennt ihre Farbe; alle anderen wählen "
                "zugleich und verdeckt; dann wird aufgedeckt.",
                "The leader lays a card face down and names its colour; all others choose at once, "
                "face down; then all are turned up.",
            ),
            every=("red 1",),
        ),
        Line(
            (
                "Wer ausspielt, legt eine Karte oder ein Paar; reihum legen alle, die noch Karten "
                "haben, ebenso dazu.",
                "The leader plays a card or a pair; in turn all who still have cards do the same.",
            ),
            every=("red 2",),
        ),
        Line(
            (
                "Wer damit die letzte gerade Karte spielt, nimmt sofort die ungeraden auf.",
                "Whoever plays the last even card takes up the odd ones at once.",
            ),
            every=("red 8",),
        ),
    ),
    (
        Line(
            (
                "Liegen alle Karten, heißt es für die Person mit der Vetokarte: streichen oder "
                "passen.",
                "When all cards lie, the holder of the veto card strikes one or passes.",
            ),
            every=("red 7",),
        ),
    ),
    (
        Line(
            (
                "Wer gewinnt? Der höchste Trumpf, sonst die höchste Karte der angespielten Farbe.",
                "Who wins? The highest trump, otherwise the highest of the led colour.",
            ),
            never=("red 9", "October"),
        ),
        Line(
            (
                "Wer gewinnt? Der niedrigste Trumpf, sonst die niedrigste Karte der angespielten "
                "Farbe.",
                "Who wins? The lowest trump, otherwise the lowest of the led colour.",
            ),
            every=("red 9",),
            never=("October",),
        ),
        Line(
            (
                "Wer gewinnt? Der höchste Trumpf, sonst die höchste Karte der angespielten Farbe; "
                "liegt ein Geist im Stich, beide Male die niedrigste.",
                "Who wins? The highest trump, otherwise the highest of the led colour; if there is "
                "a ghost in the trick, the lowest in both cases.",
            ),
            every=("October",),
            never=("red 9",),
        ),
        Line(
            (
                "Wer gewinnt? Der niedrigste Trumpf, sonst die niedrigste Karte der angespielten "
                "Farbe; liegt ein Geist im Stich, beide Male die höchste.",
                "Who wins? The lowest trump, otherwise the lowest of the led colour; if there is a "
                "ghost in the trick, the highest in both cases.",
            ),
            every=("red 9", "October"),
        ),
        Line(
            (
                "Bei einem Paar zählt die Summe, bei gleicher Zahl das zuerst Gespielte.",
                "Of a pair the sum counts, of equal numbers the one played first.",
            ),
            every=("red 2",),
        ),
        Line(
            ("Eine gestrichene Karte gewinnt nicht.", "A struck card does not win."),
            every=("red 7",),
        ),
        Line(
            (
                "Wer die Sonnenstich-Karte schon hat, gewinnt nicht.",
                "Whoever already has the Sonnenstich card does not win.",
            ),
            every=("July",),
        ),
    ),
    (
        Line(
            ("Wer gewinnt, nimmt den Stich.", "The winner takes the trick."),
            never=("September",),
        ),
        Line(
            (
                "Liegt ein Blatt im Stich, bleibt er liegen, außer im letzten Stich der Runde. "
                "Sonst nimmt ihn, wer gewinnt, und alle Stiche, die liegen, dazu.",
                "If there is a leaf in the trick it stays, unless it is the last one of the round. "
                "Otherwise the winner takes it, and all tricks that lie there.",
            ),
            every=("September",),
        ),
    ),
    (
        Line(
            (
                "Wurde gestrichen, wandert die Vetokarte zu der Person, deren Karte es war.",
                "If a card was struck, the veto card moves to the player whose card it was.",
            ),
            every=("red 7",),
        ),
    ),
    (
        Line(
            (
                "Lag eine Maske im Stich, geben alle zugleich eine Handkarte nach links.",
                "If there was a mask in the trick, all pass a hand card to the left at once.",
            ),
            every=("February",),
        ),
        Line(
            (
                "Lag ein Osterei im Stich, nimmt, wer gewonnen hat, eine Eierkarte, ohne sie "
                "anzusehen.",
                "If there was an egg in the trick, the winner takes an egg card without looking.",
            ),
            every=("April",),
        ),
        Line(
            (
                "Wer gewonnen hat, legt die Blumen aus dem Stich offen vor sich.",
                "The winner lays the flowers of the trick open on the table.",
            ),
            every=("June",),
        ),
        Line(
            (
                "Lag ein Sonnenstich im Stich, bekommt, wer gewonnen hat, die Sonnenstich-Karte.",
                "If there was a sunstroke in the trick, the winner takes the Sonnenstich card.",
            ),
            every=("July",),
        ),
        Line(
            (
                "Wer gewonnen hat, legt für jede Sonnenbrille eine Handkarte offen ab und zieht "
                "danach ebenso viele vom Vorrat.",
                "The winner discards a hand card face up for each sunglasses card, then draws as "
                "many from the stock.",
            ),
            every=("August",),
        ),
        Line(
            (
                "Jede Laterne bringt der Person, die sie gespielt hat, 1 Punkt, wenn jemand "
                "anderes gewonnen hat.",
                "Each lantern brings whoever played it 1 point, if another player won.",
            ),
            every=("November",),
        ),
        Line(
            (
                "Wer gewonnen hat, verschenkt alle Geschenke aus dem Stich.",
                "The winner gives all gift cards of the trick away.",
            ),
            every=("December",),
        ),
    ),
    (
        Line(
            (
                "Lag eine 5 im Stich, wird der Schalter umgelegt.",
                "If there was a 5 in the trick, the switch is flipped.",
            ),
            every=("red 5",),
        ),
        Line(
            (
                "Lag ein Drachen im Stich, dreht sich die Spielrichtung um.",
                "If there was a kite in the trick, the direction of play turns round.",
            ),
            every=("March",),
            never=("red 1",),
        ),
    ),
    (
        Line(
            (
                "Zum nächsten Stich spielt aus, wer diesen gewonnen hat.",
                "The winner of this trick leads the next one.",
            ),
            never=("May", "March"),
        ),
        Line(
            (
                "Zum nächsten Stich spielt aus, wer diesen gewonnen hat, und zwar in der Richtung, "
                "die nun gilt.",
                "The winner of this trick leads the next one, in the direction that holds now.",
            ),
            every=("March",),
            never=("red 1",),
        ),
        Line(
            (
                "Zum nächsten Stich spielt aus, wer diesen gewonnen hat; lag ein Drachen darin, "
                "wer links daneben sitzt.",
                "The winner of this trick leads the next one; if there was a kite in it, the "
                "winner's left neighbour does.",
            ),
            every=("March", "red 1"),
        ),
        Line(
            (
                "Zum nächsten Stich spielt aus, wer die erste Knallkarte gespielt hat; ohne Knall, "
                "wer gewonnen hat.",
                "Whoever played the first bang card leads the next trick; without a bang the "
                "winner does.",
            ),
            every=("May",),
        ),
        Line(
            (
                "Wer keine Karte mehr hat, gibt das Ausspielen in Spielrichtung weiter.",
                "Whoever has no card left hands the lead on in the direction of play.",
            ),
            every=("red 2",),
        ),
    ),
)
"""The order of events in a trick: steps, each with the sentences that may belong to it."""

ROUND: tuple[tuple[Line, ...], ...] = (
    (
        Line(("Die Runde hat 12 Stiche.", "The round has 12 tricks."), never=("red 2",)),
        Line(
            (
                "Die Runde endet, sobald weniger als zwei Personen Karten haben.",
                "The round ends as soon as fewer than two players hold cards.",
            ),
            every=("red 2",),
        ),
        Line(
            (
                "Zählt eure eigenen Punkte: 1 für jeden genommenen Stich.",
                "Count your own points: 1 for each trick taken.",
            ),
        ),
        Line(
            ("Dazu 1 für jedes Kleeblatt.", "Add 1 for each clover."),
            every=("January",),
        ),
        Line(
            (
                "Deckt die Eierkarten auf und zählt sie dazu.",
                "Turn up the egg cards and add them.",
            ),
            every=("April",),
        ),
        Line(
            (
                "Dazu die Blumen: 1, 3, 6, 10, 15 oder 21 Punkte für eine bis sechs.",
                "Add the flowers: 1, 3, 6, 10, 15 or 21 points for one to six.",
            ),
            every=("June",),
        ),
        Line(
            (
                "Dazu 1 für jede deiner Laternen, die andere gewonnen haben.",
                "Add 1 for each of your lanterns that others won.",
            ),
            every=("November",),
        ),
        Line(
            ("Dazu 1 für jedes Geschenk vor dir.", "Add 1 for each gift before you."),
            every=("December",),
        ),
    ),
    (
        Line(
            ("Ansage genau getroffen: 5 Punkte dazu.", "Announcement hit exactly: 5 points more."),
            every=("red 4",),
            never=("green 1", "green 2"),
        ),
        Line(
            (
                "Ansage genau getroffen: 5 Punkte weniger.",
                "Announcement hit exactly: 5 points less.",
            ),
            every=("red 4", "green 1"),
        ),
        Line(
            (
                "Wer die Ansage genau getroffen hat, wählt geheim, ob die Punkte zählen; alle "
                "zeigen ihre Wahl zugleich.",
                "Whoever hit the announcement exactly chooses secretly whether to take the points; "
                "all show their choice at once.",
            ),
            every=("red 4", "green 2"),
        ),
    ),
    (
        Line(
            (
                "Zeigt die Partnerkarten. Jede Person zählt die eigenen Punkte ihres Partners aus "
                "Schritt 1 dazu.",
                "Show the partner cards. Everyone adds the partner's own points of step 1.",
            ),
            every=("red 6",),
        ),
    ),
    (
        Line(
            (
                "Trost: Alle mit den wenigsten Punkten bekommen die Punkte der besten Person dazu, "
                "außer wenn alle gleich viele haben.",
                "Consolation: all with the fewest points get the best player's points on top, "
                "unless all are level.",
            ),
            every=("red 3",),
        ),
    ),
    (
        Line(
            (
                "Das sind die Punkte der Runde. Schreibt sie auf und zählt sie zur Summe.",
                "These are the points of the round. Note them and add them to the totals.",
            ),
            never=("green 2",),
        ),
        Line(
            (
                "Das sind die Punkte der Runde. Zählt sie zur Summe; wer damit über 12 käme, zieht "
                "sie ab. Wer genau 12 hat, gewinnt sofort.",
                "These are the points of the round. Add them to the totals; whoever would get "
                "above 12 subtracts them. Whoever has exactly 12 wins at once.",
            ),
            every=("green 2",),
        ),
        Line(
            (
                "Wer die wenigsten Punkte dieser Runde hat, gibt ein Herz ab, außer wenn alle "
                "gleich viele haben.",
                "Whoever has the fewest points of this round gives up a heart, unless all are "
                "level.",
            ),
            every=("green 3",),
        ),
    ),
    (
        Line(
            (
                "Geht die Partie weiter, rücken Geben und erstes Ausspielen einen Sitz weiter, im "
                "Uhrzeigersinn.",
                "If the match goes on, deal and first lead move one seat on, clockwise.",
            ),
        ),
    ),
)
"""The order of events at the end of a round."""

LINES: tuple[Line, ...] = (
    Line(
        (
            "Wenn keine Karte, die gewinnen darf, Trumpf oder von der angespielten Farbe ist, "
            "nimmt unter denen, die gewinnen dürfen, die höchste den Stich, gleich welcher Farbe "
            "(die niedrigste, wo die niedrigste gewinnt); unter gleichen die zuerst gespielte.",
            "If no card that may win is trump or of the led colour, the highest of the cards that "
            "may win takes the trick, whatever its colour (the lowest where the lowest wins); "
            "among equals the first played.",
        ),
        words={"red 7": ("", ""), "July": ("", "")},
    ),
    Line(
        (
            "„Die wenigsten“ und „die beste Person“ meinen immer die Punkte dieser Runde, nie die "
            "Summe.",
            "“Fewest” and “best” always mean the points of this round, never totals.",
        ),
        words={"red 3": ("", ""), "green 3": ("", "")},
    ),
    Line(
        (
            "Wirkt nur einmal je Stich, wie oft es auch darin liegt: {words}.",
            "Takes effect only once a trick, however many lie in it: {words}.",
        ),
        words=symbols_of("February", "March", "April", "July", "September", "October") | SWITCH,
    ),
    Line(
        (
            "Jede Karte mit dem Symbol zählt einzeln: {words}.",
            "Each card with the symbol counts: {words}.",
        ),
        words=symbols_of("January", "June", "August", "November", "December"),
    ),
    Line(
        (
            "„Links“ und „im Uhrzeigersinn“ meinen die Sitzordnung, wie herum auch gespielt wird; "
            "„zuerst gespielt“ und „die nächste Person“ folgen der Spielrichtung.",
            "“Left” and “clockwise” mean the order of seats, whatever the direction of play; "
            "“first played” and “next” follow the play.",
        ),
        every=("March",),
        never=("red 1",),
    ),
    Line(
        (
            "Im letzten Stich einer Runde wird weder weitergegeben noch abgelegt und gezogen.",
            "In the last trick of a round nothing is passed, discarded or drawn.",
        ),
        words={"February": ("", ""), "August": ("", "")},
    ),
    Line(
        (
            "Auch im letzten Stich einer Runde gilt noch: {words}.",
            "In the last trick of a round, too, this still happens: {words}.",
        ),
        words={
            "April": ("Eierkarten nehmen", "taking egg cards"),
            "July": ("die Sonnenstich-Karte nehmen", "taking the Sonnenstich card"),
            "September": ("liegende Stiche mitnehmen", "taking the tricks that lie there"),
            "December": ("Geschenke verteilen", "giving gifts"),
            "red 7": ("das Veto", "the veto"),
        },
    ),
    Line(
        (
            "Der letzte Stich ist mit Paaren der, nach dem weniger als zwei Personen Karten haben; "
            "das entscheidet sich, bevor Karten weitergegeben werden.",
            "With pairs the last trick is the one after which fewer than two players hold cards, "
            "decided before any cards are passed.",
        ),
        every=("red 2",),
    ),
    Line(
        ("In jeder Runde neu beginnt: {words}.", "Each round starts anew with: {words}."),
        words={
            "red 0": ("die Trumpffarbe", "the trump colour"),
            "red 4": ("die Ansagen", "the announcements"),
            "red 5": ("der Schalter („an“)", "the switch (“on”)"),
            "red 6": ("die Partner", "the partners"),
            "red 7": ("die Vetokarte", "the veto card"),
            "red 8": ("das Beiseitelegen", "setting aside"),
            "April": ("die Eierkarten", "the egg cards"),
            "July": ("die Sonnenstich-Karte", "the Sonnenstich card"),
        },
    ),
    Line(
        ("Jede Runde beginnt im Uhrzeigersinn.", "Each round starts clockwise."),
        every=("March",),
        never=("red 1",),
    ),
    Line(
        (
            "Herzen beginnen nicht in jeder Runde neu: Was weg ist, bleibt weg.",
            "Hearts do not start anew each round: what is gone is gone.",
        ),
        every=("green 3",),
    ),
    Line(
        (
            "Das Symbol einer gestrichenen Karte hat in ihrem Stich keine Wirkung: {words}.",
            "The symbol of a struck card has no effect in its trick: {words}.",
        ),
        every=("red 7",),
        words=symbols_of(
            *("February", "March", "April", "May", "July"),
            *("August", "September", "October", "November"),
        ),
    ),
    Line(
        (
            "Gewonnen ist eine gestrichene Karte eine wie jede andere und zählt: {words}.",
            "Once won, a struck card is a card like any other and counts: {words}.",
        ),
        every=("red 7",),
        words=symbols_of("January", "June"),
    ),
    Line(
        (
            "Auch ein gestrichenes Geschenk muss verschenkt werden.",
            "A struck gift still has to be given away.",
        ),
        every=("red 7", "December"),
    ),
    Line(
        (
            "Mit Rot 7 ist nur das Veto freiwillig; alles andere müsst ihr tun.",
            "With red 7 only the veto may be declined; everything else must be done.",
        ),
        every=("red 7",),
    ),
    Line(
        (
            "Mit Rot 4 und Grün 2 ist nur freiwillig, ob du nach einer genauen Ansage die Punkte "
            "nimmst; was die Blätter sonst verlangen, müsst ihr tun.",
            "With red 4 and green 2 only the points after an exact announcement may be declined; "
            "whatever else the sheets ask for must be done.",
        ),
        every=("red 4", "green 2"),
    ),
    Line(
        (
            "Das darf niemand ausschlagen: {words}.",
            "Nobody may decline this: {words}.",
        ),
        never=("red 7",),
        words={
            "February": ("eine Karte nach links geben", "passing a card to the left"),
            "April": ("eine Eierkarte nehmen", "taking an egg card"),
            "July": ("die Sonnenstich-Karte nehmen", "taking the Sonnenstich card"),
            "August": ("ablegen und ziehen", "discarding and drawing"),
            "December": ("Geschenke verteilen", "giving gifts"),
        },
    ),
    Line(
        (
            "Die Ansage zählt genommene Stiche, keine Punkte.",
            "An announcement counts tricks taken, not points.",
        ),
        every=("red 4",),
    ),
    Line(
        (
            "„Trumpf“ meint immer den Trumpf, der gerade gilt.",
            "“Trump” always means the trump in force.",
        ),
        words={"red 0": ("", ""), "red 5": ("", "")},
    ),
    Line(
        (
            "Ein Paar mit einem Symbol trägt es: {words}. Wo Karten einzeln zählen, zählen zwei "
            "doppelt.",
            "A pair with a symbol carries it: {words}. Where cards are counted, two count twice.",
        ),
        every=("red 2",),
        words=SYMBOLS,
    ),
)
"""What settles doubts; each with the days it matters for."""

ALL_TRICK = (
    (
        "Alle Karten liegen.",
        "Veto oder Passe.",
        "Wer gewinnt? Gestrichene Karten und die Person mit der Sonnenstich-Karte können nicht; "
        "dann Trumpf, dann hoch oder niedrig.",
        "Wer gewinnt, nimmt den Stich, oder er bleibt liegen.",
        "Die Vetokarte wandert.",
        "Das Symbol des Monats wirkt.",
        "Der Schalter wird umgelegt, die Spielrichtung dreht sich.",
        "Wer spielt aus?",
    ),
    (
        "All cards lie.",
        "Veto or pass.",
        "Who wins? Struck cards and the holder of the Sonnenstich card cannot; then trump, then "
        "high or low.",
        "The winner takes the trick, or it stays.",
        "The veto card moves.",
        "The month's symbol takes effect.",
        "The switch flips, the direction turns.",
        "Who leads?",
    ),
)
ALL_ROUND = (
    (
        "Eigene Punkte: Stiche, dazu Kleeblätter, Blumen, Geschenke, Eier oder Laternen.",
        "Die Ansage.",
        "Die eigenen Punkte des Partners.",
        "Der Trost; danach stehen die Punkte der Runde fest.",
        "Das grüne Blatt.",
    ),
    (
        "Own points: tricks, and clovers, flowers, gifts, eggs or lanterns.",
        "The announcement.",
        "The partner's own points.",
        "Consolation; now the points of the round are settled.",
        "The green sheet.",
    ),
)


# -- Words -----------------------------------------------------------------------------------------


def language_at(lang: str) -> int:
    """Where a language stands in a text; English for all we do not speak."""
    return LANGUAGES.index(lang if lang in LANGUAGES else "en")


def sheet_label(name: str, lang: str) -> str:
    """What a sheet is called: Rot 4, März."""
    at = language_at(lang)
    kind, _, digit = place_of(name).partition(" ")
    if digit:
        return f"{KINDS[kind][at]} {digit}"
    return MONTH_NAMES[MONTHS.index(SHEETS[place_of(name)])][at]


def sheet_title(name: str, lang: str) -> str:
    """A sheet with its title: Rot 4 (Ansage)."""
    return f"{sheet_label(name, lang)} ({sheet_of(name).title[language_at(lang)]})"


def date_words(date: str, lang: str) -> str:
    """A date as one says it, the impossible ones marked."""
    at = language_at(lang)
    day, month = int(date[3:]), MONTH_NAMES[int(date[:2]) - 1][at]
    words = (f"{day}. {month}", f"{day} {month}")[at]
    mark = ("kein echtes Datum, aber spielbar", "not a real date, but playable")[at]
    return words if is_real(date) else f"{words} ({mark})"


def notes_of(names: Sequence[str]) -> list[tuple[str, str, Text]]:
    """The cross-notes among these sheets: whose it is, for which sheet, and the text."""
    return [
        (name, other, sheet_of(name).notes[other])
        for name in in_order(names)
        for other in sheet_of(name).notes
        if other in map(place_of, names)
    ]


def in_order(names: Iterable[str]) -> list[str]:
    """Green, red, month."""
    given = {place_of(name): name for name in names}
    return [given[name] for name in SHEETS if name in given]


def sheet_of(name: str) -> type[Sheet]:
    """The class of a sheet, someone's own included."""
    return find_sheet(name).sheet


def symbol_words(sheet: type[Sheet], lang: str) -> str:
    """A month's symbol and the cards that carry it."""
    at = language_at(lang)
    cards = ", ".join(" ".join(f"{letter}{value}" for letter in COLOURS) for value in sheet.values)
    on = (" und ", " and ")[at].join(str(value) for value in sheet.values)
    said = (
        f"**{sheet.symbol_name[0]}** auf jeder {on} in allen sechs Farben: {cards}.",
        f"**{sheet.symbol_name[1]}** on every {on} in all six colours: {cards}.",
    )
    return said[at]


def touches(name: str, part: str, names: Sequence[str]) -> bool:
    """Whether a sheet may touch this part beside these others, by its cross-notes."""
    return BY_NOTE.get((name, part), name) in names and NOT_BY_NOTE.get((name, part)) not in names


def part_words(part: str, names: Sequence[str], lang: str) -> str:
    """The base rule of a part, or who replaces it, and who adds to it."""
    at = language_at(lang)
    touching = [name for name in names if touches(name, part, names)]
    replacing = [name for name in touching if part in sheet_of(name).replaces]
    adding = [name for name in touching if part in sheet_of(name).extends]
    said = BASE[part][1][at]
    if replacing:
        who = (" und ", " and ")[at].join(sheet_title(name, lang) for name in replacing)
        said = (f"ersetzt durch {who}.", f"replaced by {who}.")[at]
    if adding:
        who = ", ".join(sheet_title(name, lang) for name in adding)
        said += (f" Dazu kommt {who}.", f" Extended by {who}.")[at]
    return said


# -- Markdown --------------------------------------------------------------------------------------


def paragraph(text: str, first: str = "", rest: str = "") -> str:
    """A paragraph or a point of a list, in lines that fit."""
    return fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def bullets(texts: Iterable[str]) -> str:
    """A list."""
    return "\n".join(paragraph(text, "- ", "  ") for text in texts)


def numbered(texts: Iterable[str]) -> str:
    """A list with numbers."""
    return "\n".join(paragraph(text, f"{at}. ", "   ") for at, text in enumerate(texts, 1))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def steps(order: tuple[tuple[Line, ...], ...], names: Sequence[str], lang: str) -> str:
    """The steps of an order of events that today's sheets need."""
    at = language_at(lang)
    said = [[line.said(names, at) for line in step if line.holds(names)] for step in order]
    return numbered(" ".join(sentences) for sentences in said if sentences)


def page(parts: Iterable[str]) -> str:
    """Paragraphs, lists and headings to one text."""
    return "\n\n".join(parts) + "\n"


# -- One day ---------------------------------------------------------------------------------------


def day_rules(
    names: Sequence[str], lang: str, seats: int | None = None, date: str | None = None
) -> str:
    """The game of one day, or of single sheets over the base rules, complete on a page."""
    today = in_order(names)
    return page(
        [
            *day_opening(today, lang, date),
            *day_sheets(today, lang),
            *day_material(today, lang, seats),
            *day_course(today, lang),
            *day_doubts(today, lang),
            *day_goal(today, lang),
        ]
    )


def day_opening(names: list[str], lang: str, date: str | None) -> Iterator[str]:
    """Which day it is."""
    at = language_at(lang)
    if date is not None:
        day = date_words(date, lang)
    elif names:
        day = (" und ", " and ")[at].join(sheet_label(name, lang) for name in names)
    else:
        day = ("Grundspiel", "base game")[at]
    yield f"# Stichtag: {day}"
    listed = ", ".join(sheet_title(name, lang) for name in names)
    if listed:
        said = (
            f"Heute gilt: {listed}. Diese Blätter verändern die Grundregeln; was sie nicht "
            "erwähnen, bleibt, wie es war.",
            f"Today's sheets: {listed}. They change the base rules; whatever they do not mention "
            "stays as it is.",
        )
    else:
        said = ("Ohne Kalenderblätter.", "Without any sheets of the calendar.")
    yield paragraph(said[at])


def day_sheets(names: list[str], lang: str) -> Iterator[str]:
    """The sheets and the cross-notes among them."""
    at = language_at(lang)
    if names:
        yield ("## Die Blätter", "## The sheets")[at]
    for name in names:
        yield from sheet_parts(sheet_of(name), lang)
    notes = notes_of(names)
    if notes:
        yield ("## Querverweise", "## Cross-notes")[at]
        yield bullets(
            f"**{sheet_label(name, lang)} × {sheet_label(other, lang)}**: {text[at]}"
            for name, other, text in notes
        )


def sheet_parts(sheet: type[Sheet], lang: str) -> Iterator[str]:
    """One sheet: title, symbol, rule, origin."""
    at = language_at(lang)
    yield f"### {sheet_label(sheet.name, lang)}: {sheet.title[at]}"
    if sheet.symbol_name[at]:
        yield paragraph(symbol_words(sheet, lang))
    yield paragraph(sheet.long[at])
    origin = ORIGINS[sheet.origin][at] if sheet.origin in ORIGINS else sheet.origin
    yield paragraph(f"*{('Herkunft', 'Origin')[at]}: {origin}.*")


def day_material(names: list[str], lang: str, seats: int | None) -> Iterator[str]:
    """Cards and other things that are needed."""
    at = language_at(lang)
    yield ("## Was ihr braucht", "## What you need")[at]
    said = (
        "Karten in sechs Farben: R Rot, Y Gelb, G Grün, B Blau, L Lila, S Grau, jede Karte einmal. "
        "`G8` ist die grüne Acht.",
        "Cards in six colours: R red, Y yellow, G green, B blue, L lilac, S silver-grey, every "
        "card once. `G8` is the green 8.",
    )
    yield paragraph(said[at])
    head = (
        ("Personen", "Werte", "Karten", "Hand", "Vorrat"),
        ("players", "values", "cards", "hand", "stock"),
    )
    counts = [seats] if seats else list(SEATS)
    yield table(head[at], [deck_row(count, at) for count in counts])
    things = [line.text[at] for line in NEEDS if line.holds(names)]
    paper = ("Stift und Papier für die Punkte", "pen and paper for the points")[at]
    yield bullets([*things, paper])


def deck_row(seats: int, at: int) -> list[str]:
    """The deck for so many players."""
    highest, cards, stock = SEATS[seats]
    return [str(seats), f"0 {('bis', 'to')[at]} {highest}", str(cards), "12", str(stock)]


def day_course(names: list[str], lang: str) -> Iterator[str]:
    """The base rules part by part, and what happens in which order."""
    at = language_at(lang)
    yield ("## Grundregeln, und was heute gilt", "## Base rules, and what holds today")[at]
    yield bullets(f"**{BASE[part][0][at]}**: {part_words(part, names, lang)}" for part in BASE)
    yield ("## Ein Stich, Schritt für Schritt", "## A trick, step by step")[at]
    yield steps(TRICK, names, lang)
    yield ("## Das Ende der Runde", "## The end of the round")[at]
    yield steps(ROUND, names, lang)


def day_doubts(names: list[str], lang: str) -> Iterator[str]:
    """What settles doubts today."""
    at = language_at(lang)
    said = [line.said(names, at) for line in LINES if line.holds(names)]
    if said:
        yield ("## Im Zweifel", "## In case of doubt")[at]
        yield bullets(said)


def day_goal(names: list[str], lang: str) -> Iterator[str]:
    """How the match ends: what the green sheet says, or the base rule."""
    at = language_at(lang)
    goals = [sheet_of(name).short[at] for name in names if "goal" in sheet_of(name).replaces]
    yield ("## Ziel und Ende der Partie", "## Goal and end of the match")[at]
    above = (" Alles Weitere steht oben auf dem grünen Blatt.", " The green sheet above says more.")
    yield paragraph(" ".join(goals) + above[at] if goals else BASE["goal"][1][at])


# -- The whole calendar ----------------------------------------------------------------------------


def calendar_page(lang: str) -> str:
    """All sheets in tables, and how dates are made of them."""
    at = language_at(lang)
    return page(
        [
            ("# Der Kalender von Stichtag", "# Stichtag's calendar")[at],
            generated_line("yearbook", lang),
            *calendar_opening(lang),
            ("## Grün: das Ziel", "## Green: the goal")[at],
            sheet_table(GREEN, lang),
            ("## Rot: wie die Stiche gespielt werden", "## Red: how tricks are played")[at],
            sheet_table(REDS, lang),
            ("## Monate: Symbole auf den Karten", "## Months: symbols on the cards")[at],
            paragraph(symbols_line(lang)),
            sheet_table(MONTHS, lang),
            ("## Querverweise", "## Cross-notes")[at],
            note_table(lang),
        ]
    )


def generated_line(other: str, lang: str) -> str:
    """Where the page comes from, and its neighbour."""
    said = (
        f"Aus den Blättern erzeugt, nicht von Hand ändern. Siehe auch: [{other}.de.md]"
        f"({other}.de.md).",
        f"Made from the sheets, not to be edited by hand. See also: [{other}.en.md]"
        f"({other}.en.md).",
    )
    return said[language_at(lang)]


def calendar_opening(lang: str) -> Iterator[str]:
    """How 480 settings come about."""
    at = language_at(lang)
    every = len(GREEN) * len(REDS) * len(MONTHS)
    real = sum(DAYS_OF_MONTH)
    sizes = f"{len(GREEN)} × {len(REDS)} × {len(MONTHS)} = {every}"
    said = (
        "Jedes Datum wählt drei Blätter: Die Zehnerziffer des Tages das grüne, die Einerziffer das "
        "rote und der Monat das dritte. Der 14. September ist also Grün 1, Rot 4 und September. "
        f"Das sind {sizes} Spiele, {real} davon mit einem echten Datum. Die übrigen {every - real} "
        "(der 0. und der 32. bis 39. jedes Monats, der 30. Februar …) sind kein echtes Datum, aber "
        "spielbar.",
        "Every date picks three sheets: the tens digit of the day the green one, the ones digit "
        "the red one, and the month the third. So 14 September is green 1, red 4 and September. "
        f"That makes {sizes} games, {real} of them with a real date. The other {every - real} (0 "
        "and 32 to 39 of each month, 30 February …) are not real dates, but playable.",
    )
    yield paragraph(said[at])
    commands = (
        "Das Spiel eines Tages, oder ein oder zwei Blätter allein über den Grundregeln, "
        "vollständig zum Ausdrucken:",
        "The game of a day, or one or two sheets alone over the base rules, complete for printing:",
    )
    yield paragraph(commands[at])
    date, sheet = "stichwerk rules stichtag --date 14.9.", "stichwerk rules stichtag --sheet July"
    yield f"```sh\n{date}\n{sheet}\n```"
    yield paragraph(
        (
            "Das Regelheft druckt die Texte der Blätter nicht ab; diese sind von uns, und jedes "
            "nennt seine Herkunft:",
            "The rulebook does not print the texts of the sheets; these are ours, and each names "
            "its origin:",
        )[at]
    )
    yield bullets(text[at] for text in ORIGINS.values())


def symbols_line(lang: str) -> str:
    """Where the symbols are."""
    return (
        "Jedes Symbol steht auf den genannten Werten in allen sechs Farben. Die 10 und die 11, "
        "die nur zu fünft mitspielen, tragen keins.",
        "Each symbol is on the named values in all six colours. The 10 and the 11, which only "
        "five players use, carry none.",
    )[language_at(lang)]


def sheet_table(sheets: Sequence[type[Sheet]], lang: str) -> str:
    """Some sheets, a row each."""
    at = language_at(lang)
    has_symbols = bool(sheets[0].symbol_name[at])
    head = (["Blatt", "Titel"], ["sheet", "title"])[at]
    head += [("Symbol", "symbol")[at], ("auf", "on")[at]] if has_symbols else []
    head += (["in Kürze", "Herkunft"], ["in short", "origin"])[at]
    return table(head, [sheet_row(sheet, lang, has_symbols) for sheet in sheets])


def sheet_row(sheet: type[Sheet], lang: str, has_symbols: bool) -> list[str]:
    """One sheet in a table."""
    at = language_at(lang)
    row = [sheet_label(sheet.name, lang), sheet.title[at]]
    if has_symbols:
        row += [sheet.symbol_name[at], ", ".join(str(value) for value in sheet.values)]
    return [*row, sheet.short[at], ORIGIN_WORDS[sheet.origin][at]]


def note_table(lang: str) -> str:
    """All cross-notes, a row each."""
    at = language_at(lang)
    head = (["Blatt", "trifft", "dann gilt"], ["sheet", "meets", "then"])[at]
    return table(
        head,
        [
            [sheet_label(name, lang), sheet_label(other, lang), text[at]]
            for name, other, text in notes_of(list(SHEETS))
        ],
    )


# -- The yearbook ----------------------------------------------------------------------------------


def yearbook_page(lang: str) -> str:
    """Every sheet in full, then what holds for all of them."""
    at = language_at(lang)
    kinds = (
        (GREEN, ("## Grüne Blätter: das Ziel", "## Green sheets: the goal")),
        (
            REDS,
            (
                "## Rote Blätter: wie die Stiche gespielt werden",
                "## Red sheets: how tricks are played",
            ),
        ),
        (MONTHS, ("## Monatsblätter: Symbole auf den Karten", "## Months: symbols on the cards")),
    )
    parts = [
        ("# Das Jahrbuch von Stichtag", "# Stichtag's yearbook")[at],
        generated_line("calendar", lang),
    ]
    for sheets, heading in kinds:
        parts.append(heading[at])
        for sheet in sheets:
            parts += yearbook_entry(sheet, lang)
    return page([*parts, *yearbook_closing(lang)])


def yearbook_entry(sheet: type[Sheet], lang: str) -> Iterator[str]:
    """A sheet in full, with the parts it touches and its cross-notes."""
    at = language_at(lang)
    yield from sheet_parts(sheet, lang)
    verbs = (("Ersetzt", "Replaces"), sheet.replaces), (("Ergänzt", "Extends"), sheet.extends)
    touched = [
        f"{verb[at]}: {', '.join(BASE[part][0][at] for part in parts)}."
        for verb, parts in verbs
        if parts
    ]
    yield paragraph(" ".join(touched))
    if sheet.notes:
        yield bullets(
            f"**{('Mit', 'With')[at]} {sheet_label(other, lang)}**: {text[at]}"
            for other, text in sheet.notes.items()
        )


def yearbook_closing(lang: str) -> Iterator[str]:
    """Base rules, orders of events, and what settles doubts."""
    at = language_at(lang)
    yield ("## Die Grundregeln, Teil für Teil", "## The base rules, part by part")[at]
    yield bullets(f"**{name[at]}**: {rule[at]}" for name, rule in BASE.values())
    yield ("## Reihenfolge in einem Stich", "## Order of events in a trick")[at]
    yield numbered(ALL_TRICK[at])
    yield ("## Reihenfolge am Ende der Runde", "## Order of events at the end of a round")[at]
    yield numbered(ALL_ROUND[at])
    yield ("## Im Zweifel", "## In case of doubt")[at]
    yield bullets(line.said(list(SHEETS), at) for line in LINES)


PAGES = {"calendar": calendar_page, "yearbook": yearbook_page}


def pages() -> dict[str, str]:
    """All generated pages by file name."""
    return {f"{name}.{lang}.md": made(lang) for name, made in PAGES.items() for lang in LANGUAGES}


def main(folder: str) -> None:
    """Write the pages into a folder."""
    for name, text in pages().items():
        Path(folder, name).write_text(text, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
