"""The ten red sheets: how tricks are played. The ones digit of the date chooses one."""

from stichwerk.engine.constants import (
    ACCEPT,
    ANNOUNCE,
    CHOOSE,
    KIND,
    NOBODY,
    NONE,
    RED,
    STRIKE,
    TAKE,
    VETO,
)
from stichwerk.engine.frame import Moves
from stichwerk.engine.generator import Generator
from stichwerk.engine.state import State
from stichwerk.games.stichtag.sheet import Sheet

MOST_TRICKS = 12
EXACT = 5  # what an exact announcement brings
JULY = 7
SWITCH = 1


class Red0(Sheet):
    """Trump of the round: a drawn trump-colour card."""

    name = "red 0"
    replaces = ("trump",)
    extends = ("deal",)
    origin = "own"
    title = ("Trumpf der Runde", "Trump of the round")
    short = (
        "Nach jedem Geben wird eine Trumpffarbe gezogen. Sie gilt für die ganze Runde.",
        "After each deal a trump colour is drawn. It holds for the whole round.",
    )
    long = (
        "Zieht nach jedem Geben eine der sechs Trumpffarbkarten, von jeder Farbe gibt es eine, "
        "und legt sie offen hin. Diese Farbe ist in dieser Runde Trumpf, an Stelle von Rot. Vor "
        "der nächsten Runde wird neu gezogen, wieder aus allen sechs. Beispiel: Gezogen ist Blau. "
        "Auf G9 liegt R8, dann B0. Die blaue Null sticht beide.",
        "After each deal draw one of the six trump-colour cards, one for every colour, and lay it "
        "open. That colour is trump for this round, in place of red. Before the next round you "
        "draw again, from all six. Example: blue is drawn. On G9 lies R8, then B0. The blue 0 "
        "beats them both.",
    )

    def draw(self, state: State, generator: Generator) -> None:
        """One of the six trump-colour cards is drawn and lies open."""
        state.trump = generator.below(6)

    def trump(self, state: State) -> int:
        """The drawn colour."""
        return state.trump


class Red1(Sheet):
    """Face down: the leader names a colour, all others choose secretly at once."""

    name = "red 1"
    replaces = ("turn",)
    origin = "partly"
    title = ("Verdeckt", "Face down")
    short = (
        "Wer ausspielt, legt verdeckt und nennt die Farbe. Die anderen wählen geheim und "
        "gleichzeitig, dann wird aufgedeckt.",
        "The leader lays a card face down and names its colour. The others choose secretly, all "
        "at once; then all is turned up.",
    )
    long = (
        "Wer ausspielt, legt eine Karte verdeckt vor sich und nennt wahrheitsgemäß ihre Farbe; "
        "die Zahl bleibt geheim. Alle anderen wählen gleichzeitig und verdeckt eine Karte und "
        "müssen die genannte Farbe bedienen, wenn sie können. Erst wenn alle Karten liegen, "
        "werden sie zusammen aufgedeckt. Als „zuerst gespielt“ gilt die Reihenfolge im "
        "Uhrzeigersinn, angefangen bei der Person, die ausgespielt hat. Beispiel: Ada sagt "
        "„Grün“, dann drehen alle um: G4, G7, R1. Die R1 nimmt den Stich, und Ben mit G7 hat "
        "davon nichts geahnt.",
        "The leader lays a card face down and truthfully names its colour; the number stays "
        "secret. All others choose a card at the same time, face down, and must follow the named "
        "colour if they can. Only when all cards lie are they turned up together. “First played” "
        "means the order clockwise from the leader. Example: Ada says “green”, then all turn up: "
        "G4, G7, R1. The R1 takes the trick, and Ben with the G7 never saw it coming.",
    )


class Red2(Sheet):
    """Pairs: one or two cards of one colour, the values add up."""

    name = "red 2"
    replaces = ("plays", "strength")
    origin = "partly"
    title = ("Paare", "Pairs")
    short = (
        "Spiel eine Karte oder zwei derselben Farbe; zwei zählen zusammen.",
        "Play one card, or two of one colour; the values of two add up.",
    )
    long = (
        "Du spielst eine Karte oder zwei Karten derselben Farbe, beim Ausspielen wie beim "
        "Dazulegen. Zwei Karten sind ein Paar, und ihre Zahl ist die Summe. Wer bedienen kann, "
        "spielt nur die angespielte Farbe; hast du von ihr eine einzige Karte, legst du sie "
        "allein. Wer nicht bedienen kann, legt eine beliebige Karte oder ein beliebiges Paar. Bei "
        "gleicher Zahl gewinnt, was zuerst gespielt wurde. Weil die Hände verschieden schnell "
        "leer werden, wird übersprungen, wer keine Karte mehr hat; müsste so jemand ausspielen, "
        "tut es die nächste Person in Spielrichtung, die noch Karten hat. Die Runde endet, sobald "
        "weniger als zwei Personen Karten haben; übrige Karten zählen nichts. Beispiel: Ada "
        "spielt G3+G4, das ist 7. Ben legt G8, Cem G2+G6, auch 8. Bens Acht lag zuerst und nimmt "
        "den Stich.",
        "You play one card, or two cards of one colour, whether you lead or follow. Two cards are "
        "a pair, and its number is their sum. If you can follow, you play only the led colour; "
        "with a single card of it you play that one alone. If you cannot follow, play any card or "
        "any pair. Equal numbers: the one played first wins. As hands empty at different speeds, "
        "whoever has no card is skipped; if the player who should lead has none, the next in the "
        "direction of play who has one leads. The round ends as soon as fewer than two players "
        "hold cards; cards left over count nothing. Example: Ada leads G3+G4, that is 7. Ben "
        "plays G8, Cem G2+G6, 8 as well. Ben's 8 lay first and takes the trick.",
    )

    def number(self, state: State, play: int) -> int:
        """The sum of the cards."""
        number = state.trick_card[play] & 15
        return number if state.second[play] == NONE else number + (state.second[play] & 15)


class Red3(Sheet):
    """Consolation: the last also get what the best has."""

    name = "red 3"
    extends = ("points",)
    origin = "documented"
    title = ("Trost", "Consolation")
    short = (
        "Wer in der Runde die wenigsten Punkte hat, bekommt die Punkte der besten Person dazu.",
        "Whoever has the fewest points of the round also gets as many as the best player has.",
    )
    long = (
        "Am Ende der Runde bekommen alle, die in ihr die wenigsten Punkte haben, zu ihren eigenen "
        "noch so viele Punkte dazu, wie die beste Person dieser Runde hat. Haben alle gleich "
        "viele, bekommt niemand etwas. Beispiel: 6, 4 und 2 Punkte. Die 2 bekommt 6 dazu und hat "
        "nun 8, mehr als alle anderen. Der vorletzte Platz ist heute der schlechteste.",
        "At the end of the round all who have the fewest points in it get, on top of their own, "
        "as many points as the best player of this round has. If all are level, nobody gets "
        "anything. Example: 6, 4 and 2 points. The 2 gets 6 more and now has 8, more than anyone "
        "else. To be last but one is the worst place today.",
    )
    notes = {
        "green 3": (
            "Die Herzen richten sich nach den Punkten nach dem Trost: Die Letzten sind gerettet, "
            "und in Gefahr ist, wer knapp vor ihnen lag. Auch ob alle gleich viele Punkte haben, "
            "entscheidet sich erst nach dem Trost. Beispiel: Aus 6, 4 und 2 wird 6, 4 und 8; die "
            "4 kostet ein Herz.",
            "Hearts look at the points after consolation: the last are saved, and those before "
            "them are in danger. Whether all are level is judged after consolation, too. Example: "
            "6, 4 and 2 become 6, 4 and 8; the 4 costs a heart.",
        ),
    }

    def settle_points(self, state: State) -> None:
        """All with the fewest points get the best one's on top; nobody, if all are level."""
        fewest = state.points[0]
        best = state.points[0]
        for seat in range(1, self.seats):
            fewest = min(fewest, state.points[seat])
            best = max(best, state.points[seat])
        for seat in range(self.seats):
            if fewest < best and state.points[seat] == fewest:
                state.points[seat] += best


class Red4(Sheet):
    """Announcement: how many tricks will you take?"""

    name = "red 4"
    extends = ("deal", "points")
    origin = "partly"
    title = ("Ansage", "Announcement")
    short = (
        "Sag nach dem Geben geheim an, wie viele Stiche du machst. Genau getroffen: 5 Punkte dazu.",
        "After the deal announce secretly how many tricks you will take. Hit exactly: 5 more "
        "points.",
    )
    long = (
        "Nach dem Geben sagen alle geheim an, wie viele Stiche sie in dieser Runde machen werden, "
        "von 0 bis 12; dann werden die Ansagen gemeinsam aufgedeckt und bleiben offen liegen. Wer "
        "am Ende der Runde genau so viele Stiche genommen hat, bekommt 5 Punkte dazu. Wer daneben "
        "liegt, bekommt nichts dazu und verliert nichts. Die Ansagen müssen zusammen nicht "
        "aufgehen. Beispiel: Du sagst 3 an und machst 3 Stiche: 3 + 5 = 8 Punkte. Mit 4 Stichen "
        "wären es 4.",
        "After the deal everyone secretly announces how many tricks they will take in this round, "
        "from 0 to 12; then the announcements are revealed together and stay open. Whoever has "
        "taken exactly that many tricks at the end of the round gets 5 more points. Whoever "
        "misses gets nothing extra and loses nothing. The announcements need not add up. Example: "
        "you announce 3 and take 3 tricks: 3 + 5 = 8 points. With 4 tricks it would be 4.",
    )
    notes = {
        "green 1": (
            "Heute gewinnen die wenigsten Punkte, deshalb bringt eine genaue Ansage −5 statt +5 "
            "Punkte. Die Punkte einer Runde können so unter 0 fallen.",
            "Fewest points win today, so an exact announcement brings −5 points instead of +5. "
            "The points of a round may fall below 0.",
        ),
        "green 2": (
            "Eine genaue Ansage bringt keinen Bonus. Dafür wählen am Ende der Runde alle, die "
            "genau getroffen haben, geheim und gleichzeitig, ob sie die Punkte der Runde "
            "überhaupt nehmen oder liegen lassen. Liegen gelassene Punkte zählen 0.",
            "An exact announcement brings no bonus. Instead all who hit exactly choose at the end "
            "of the round, secretly and all at once, whether to take the points of the round at "
            "all or to leave them. Points that are left count 0.",
        ),
    }

    def after_deal(self, state: State) -> None:
        """Everyone secretly announces a number of tricks; all are revealed together."""
        self.ask_everyone(state, CHOOSE)

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """0 to 12; at the end of a round on green 2: take the points or leave them."""
        if state.phase == TAKE:
            moves.add(ACCEPT * KIND + 1)
            moves.add(ACCEPT * KIND)
            return
        for tricks in range(MOST_TRICKS + 1):
            moves.add(ANNOUNCE * KIND + tricks)

    def choose(self, state: State, seat: int, move: int) -> None:
        """An announcement, or whether the points are taken."""
        if state.phase == TAKE:
            state.choice[3 * seat + 2] = move % KIND
        else:
            state.choice[3 * seat] = move % KIND
        state.owes &= ~(1 << seat)

    def hit(self, state: State, seat: int) -> bool:
        """Whether the seat took exactly as many tricks as announced."""
        return state.choice[3 * seat] == state.tricks_won[seat]

    def settle_points(self, state: State) -> None:
        """Hit exactly: +5. Cross-notes: −5 on green 1; on green 2 nothing, but a choice."""
        for seat in range(self.seats):
            if self.hit(state, seat):
                if self.green == 1:
                    state.points[seat] -= EXACT
                elif self.green == 2:
                    if state.choice[3 * seat + 2] == 0:
                        state.points[seat] = 0
                else:
                    state.points[seat] += EXACT

    def asks_at_end(self, state: State) -> bool:
        """Cross-note green 2: who hit chooses, secretly and all at once, whether to take the
        points.
        """
        state.owes = 0
        for seat in range(self.seats):
            if self.green == 2 and self.hit(state, seat):
                state.owes |= 1 << seat
        if state.owes:
            state.phase = TAKE
        return state.owes != 0


class Red5(Sheet):
    """On-off switch: a 5 switches the trump off and on."""

    name = "red 5"
    replaces = ("trump",)
    extends = ("after",)
    values = (5,)
    origin = "own"
    title = ("Schalter", "On-off switch")
    short = (
        "Ein Stich mit einer 5 schaltet den Trumpf aus oder wieder ein.",
        "A trick with a 5 switches trump off, or on again.",
    )
    long = (
        "Jede Runde beginnt mit dem Schalter auf „an“: Rot ist Trumpf. Ein Stich, in dem eine 5 "
        "liegt, gleich welcher Farbe, legt den Schalter um, und zwar einmal, auch wenn mehrere "
        "Fünfen darin liegen, und erst wenn der Stich erledigt ist. Steht der Schalter auf „aus“, "
        "gibt es keinen Trumpf: Dann gewinnt die angespielte Farbe, und Rot ist eine Farbe wie "
        "jede andere. Beispiel: G5, G8, R1. Noch ist Rot Trumpf, R1 nimmt den Stich. Dann wird "
        "ausgeschaltet, und im nächsten Stich sticht Rot nicht mehr.",
        "Each round starts with the switch “on”: red is trump. A trick that contains a 5 of any "
        "colour flips the switch, once even if several fives lie in it, and only when the trick "
        "is settled. While the switch is “off” there is no trump at all: the led colour wins, and "
        "red is a colour like any other. Example: G5, G8, R1. Red is still trump, so R1 takes the "
        "trick. Then trump is switched off, and in the next trick red beats nothing.",
    )

    def after_deal(self, state: State) -> None:
        """Each round starts with the switch on."""
        state.trump = RED

    def trump(self, state: State) -> int:
        """Red while the switch is on, otherwise none."""
        return state.trump

    def after_trick(self, state: State, winner: int) -> None:
        """A trick that contains a 5 will flip the switch once."""
        if self.symbols(state):
            state.flip |= SWITCH

    def before_lead(self, state: State) -> None:
        """The switch is flipped after everything else is settled."""
        if state.flip & SWITCH:
            state.trump = NONE if state.trump == RED else RED


class Red6(Sheet):
    """Team partners: a secret partner, whose points you add."""

    name = "red 6"
    extends = ("deal", "points")
    origin = "own"
    title = ("Geheime Partner", "Secret partners")
    short = (
        "Alle ziehen geheim eine Partnerkarte. Am Ende der Runde bekommst du die Punkte deines "
        "Partners dazu.",
        "Everyone secretly draws a partner card. At the end of the round you add your partner's "
        "points.",
    )
    long = (
        "Nach jedem Geben ziehen alle geheim eine Partnerkarte. Niemand zieht sich selbst, und "
        "jede Person wird genau einmal gezogen; klappt das nicht, zieht ihr alle noch einmal. Du "
        "weißt, wer dein Partner ist, aber nicht, wessen Partner du bist (zu dritt kannst du es "
        "erschließen). Am Ende der Runde zeigt ihr die Karten, und du zählst die eigenen Punkte "
        "deines Partners aus dieser Runde zu deinen dazu, ohne das, was dein Partner wiederum von "
        "seinem bekommt. Beispiel: Ada hat 5, Ben 4 und Cem 3 Punkte; Ada zog Ben, Ben zog Cem, "
        "Cem zog Ada. Es bekommen Ada 9, Ben 7 und Cem 8.",
        "After each deal everyone secretly draws a partner card. Nobody draws their own, and "
        "every player is drawn exactly once; if it does not come out like that, all draw again. "
        "You know who your partner is, but not whose partner you are (with three players you can "
        "work it out). At the end of the round the cards are shown, and you add your partner's "
        "own points of this round to yours, without what your partner gets from a partner in "
        "turn. Example: Ada has 5, Ben 4 and Cem 3 points; Ada drew Ben, Ben drew Cem, Cem drew "
        "Ada. Ada gets 9, Ben 7 and Cem 8.",
    )

    def draw(self, state: State, generator: Generator) -> None:
        """Everyone draws a partner card: every seat once, nobody himself."""
        fixed = 1
        while fixed:
            for seat in range(self.seats):
                generator.cards[seat] = seat
            generator.shuffle(self.seats)
            fixed = 0
            for seat in range(self.seats):
                state.partners[seat] = generator.cards[seat]
                if generator.cards[seat] == seat:
                    fixed += 1

    def settle_points(self, state: State) -> None:
        """Add the partner's own points, without what his partner brings him."""
        for seat in range(self.seats):
            if state.partners[seat] != NONE:  # not known yet to who only watches
                state.points[seat] += state.own[state.partners[seat]]


class Red7(Sheet):
    """Veto: one card of another seat may be struck."""

    name = "red 7"
    extends = ("win", "deal")
    origin = "documented"
    title = ("Veto", "Veto")
    short = (
        "Wer die Vetokarte hat, darf vor der Wertung eines Stichs die Karte einer anderen Person "
        "streichen. Die bekommt dann die Vetokarte.",
        "Before a trick is settled the holder of the veto card may strike another player's card. "
        "That player then gets the veto card.",
    )
    long = (
        "Die Vetokarte liegt zu Beginn der Runde bei der Person, die zum ersten Stich ausspielt. "
        "Liegen alle Karten eines Stichs, wird gefragt, wer die Vetokarte hat, auch im letzten "
        "Stich: Diese Person darf die Karte einer anderen Person streichen oder laut „passe“ "
        "sagen. Die gestrichene Karte kann nicht gewinnen und zählt in diesem Stich als nichts; "
        "war sie ausgespielt, bleibt ihre Farbe die angespielte. Sie wandert aber mit dem Stich. "
        "Danach bekommt die Vetokarte, wessen Karte gestrichen wurde. Höchstens ein Veto je "
        "Stich, nie gegen sich selbst. Beispiel: G4, G9, G6. Ada mit der G4 streicht Bens G9: Cem "
        "nimmt mit G6 alle drei Karten, und Ben hat nun die Vetokarte.",
        "At the start of the round the veto card lies with the leader of the first trick. When "
        "all cards of a trick lie, its holder is asked, also in the last trick, and may strike "
        "the card of another player, or openly pass. A struck card cannot win and counts as "
        "nothing in this trick; if it was led, its colour still is the led colour. It goes with "
        "the trick, though. Then the veto card passes to the player whose card was struck. At "
        "most one veto a trick, never against oneself. Example: G4, G9, G6. Ada, who played the "
        "G4, strikes Ben's G9: Cem takes all three cards with the G6, and Ben now holds the veto "
        "card.",
    )

    def after_deal(self, state: State) -> None:
        """The leader of the first trick holds the veto card."""
        state.veto = state.starter

    def asks_veto(self, state: State) -> bool:
        """Its holder is asked when all cards lie."""
        self.ask(state, VETO, state.veto)
        return True

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """Another seat's card, or pass. Cross-note July: not the Sonnenstich holder's."""
        for other in range(self.seats):
            if other != seat and self.may_be_struck(state, other):
                moves.add(STRIKE * KIND + other)
        moves.add(STRIKE * KIND + NONE)

    def may_be_struck(self, state: State, seat: int) -> bool:
        """Whether this seat has played to the trick, and no cross-note spares it."""
        if self.month == JULY and seat == state.sunstroke:
            return False
        for play in range(state.trick_size[0]):
            if state.trick_seat[play] == seat:
                return True
        return False

    def choose(self, state: State, seat: int, move: int) -> None:
        """A struck card counts as nothing."""
        for play in range(state.trick_size[0]):
            if state.trick_seat[play] == move % KIND:
                state.struck = play
        state.owes = 0

    def may_win(self, state: State, play: int) -> bool:
        """Every play but the struck one."""
        return play != state.struck

    def after_trick(self, state: State, winner: int) -> None:
        """The veto card goes to the seat that was struck."""
        if state.struck != NOBODY:
            state.veto = state.trick_seat[state.struck]


class Red8(Sheet):
    """Odd later: odd cards are set aside until the even ones are gone."""

    name = "red 8"
    extends = ("deal", "plays")
    origin = "partly"
    title = ("Ungerade später", "Odd later")
    short = (
        "Leg nach dem Geben deine ungeraden Karten verdeckt beiseite. Du nimmst sie auf, sobald "
        "deine letzte gerade Karte weg ist.",
        "After the deal set your odd cards aside face down. You take them up as soon as your last "
        "even card is gone.",
    )
    long = (
        "Nach dem Geben legen alle ihre ungeraden Karten verdeckt beiseite; wie viele das sind, "
        "dürfen alle sehen. Beiseitegelegte Karten gehören nicht zur Hand: Du darfst sie nicht "
        "spielen und musst mit ihnen nicht bedienen. Sobald deine letzte gerade Karte gespielt, "
        "abgegeben oder abgelegt ist, nimmst du deine ungeraden Karten auf, und zwar sofort, "
        "bevor etwas Neues auf deine Hand kommt; hast du gar keine gerade Karte bekommen, schon "
        "vor dem ersten Stich. Ungerade Karten, die vorher zu dir kommen, legst du zu den anderen "
        "beiseite; hast du einmal aufgenommen, wird nichts mehr beiseitegelegt. Die 0 ist gerade. "
        "Beispiel: Auf der Hand hast du G2 und R4, beiseite G7. Grün ist ausgespielt: Du musst G2 "
        "legen, die G7 kannst du noch nicht spielen.",
        "After the deal everyone sets all odd cards aside face down; how many they are is for all "
        "to see. Cards aside are not in your hand: you may not play them, and they do not bind "
        "you to follow. As soon as your last even card is played, given or discarded, you take "
        "your odd cards up, at once, before anything new comes into your hand; if you were dealt "
        "no even card, before the first trick. Odd cards that come to you before that go aside "
        "with the others; once you have taken them up, nothing is set aside again. The 0 is even. "
        "Example: you hold G2 and R4, aside lies G7. Green is led: you must play the G2, the G7 "
        "cannot be played yet.",
    )


class Red9(Sheet):
    """Upside down: the lowest number wins."""

    name = "red 9"
    replaces = ("low",)
    origin = "own"
    title = ("Kopfüber", "Upside down")
    short = (
        "Die niedrigste Zahl gewinnt. Trumpf schlägt weiterhin alle anderen Farben.",
        "The lowest number wins. Trump still beats every other colour.",
    )
    long = (
        "Im Stich gewinnt die niedrigste Zahl statt der höchsten: Liegt Trumpf im Stich, der "
        "niedrigste Trumpf, sonst die niedrigste Karte der angespielten Farbe. Rot ist weiterhin "
        "Trumpf und schlägt alle anderen Farben. Beispiele: G4, G2, S0. Die G2 nimmt den Stich, "
        "denn Grau ist nicht angespielt. G4, R9, R3: Die R3 nimmt ihn.",
        "In a trick the lowest number wins instead of the highest: if there is trump in it, the "
        "lowest trump, otherwise the lowest card of the led colour. Red still is trump and beats "
        "every other colour. Examples: G4, G2, S0. The G2 takes the trick, as grey was not led. "
        "G4, R9, R3: the R3 takes it.",
    )

    def lowest_wins(self, state: State) -> bool:
        """Always."""
        return True
