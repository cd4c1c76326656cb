"""The twelve month sheets: a symbol that is printed on some cards, and what it does."""

from stichwerk.engine.constants import (
    DISCARD,
    DROP,
    GIFT,
    GIVE,
    KIND,
    NOBODY,
    NONE,
    PASS,
    PICK,
)
from stichwerk.engine.frame import Moves
from stichwerk.engine.generator import Generator
from stichwerk.engine.machine import Bits
from stichwerk.engine.state import State
from stichwerk.games.stichtag.sheet import Sheet

EGGS = 6
FACE_DOWN = 1  # red 1
UPSIDE_DOWN = 9  # red 9
KITE = 2


class January(Sheet):
    """Clover: a point for each you won."""

    name = "January"
    extends = ("points",)
    values = (7,)
    origin = "partly"
    title = ("Glücksklee", "Lucky clover")
    symbol_name = ("Kleeblatt", "clover")
    short = (
        "Jedes Kleeblatt in deinen Stichen bringt 1 Punkt.",
        "Each clover card you won is 1 more point.",
    )
    long = (
        "Am Ende der Runde bringt dir jedes Kleeblatt in deinen Stichen 1 Punkt, zusätzlich zu "
        "dem Punkt für den Stich. Beispiel: Vier Stiche mit zusammen zwei Kleeblättern sind 6 "
        "Punkte.",
        "At the end of the round each clover card in the tricks you won brings you 1 point, on "
        "top of the point for the trick. Example: four tricks with two clovers in them are 6 "
        "points.",
    )

    def own_points(self, state: State, seat: int) -> int:
        """One for each clover card."""
        return self.won_symbols(state, seat)


class February(Sheet):
    """Mask: everyone gives a card to the left."""

    name = "February"
    extends = ("after",)
    values = (6,)
    origin = "partly"
    title = ("Maskenball", "Masked ball")
    symbol_name = ("Maske", "mask")
    short = (
        "Nach einem Stich mit einer Maske geben alle gleichzeitig eine Handkarte nach links.",
        "After a trick with a mask everyone passes one hand card to the left, all at once.",
    )
    long = (
        "Nach einem Stich, in dem eine Maske liegt, wählen alle geheim eine Handkarte und geben "
        "sie verdeckt nach links, alle gleichzeitig. Erst gehen alle Karten weg, dann kommen die "
        "neuen auf die Hand: Du kannst also nicht weitergeben, was du gerade bekommst. „Links“ "
        "ist immer die nächste Person im Uhrzeigersinn. Auch mit mehreren Masken wird nur einmal "
        "gegeben, und nach dem letzten Stich gar nicht mehr.",
        "After a trick with a mask in it everyone secretly chooses a hand card and passes it face "
        "down to the left, all at once. First all cards leave, then the new ones come in: so you "
        "cannot pass on what you are just getting. “Left” is always the next player clockwise. "
        "Even with several masks you pass only once, and after the last trick not at all.",
    )
    notes = {
        "red 2": (
            "Wer noch eine Karte hat, gibt eine. Eine leere Hand gibt keine, bekommt aber eine "
            "und spielt mit ihr weiter.",
            "Whoever has a card gives one. An empty hand gives none, but receives one and plays "
            "on with it.",
        ),
        "red 8": (
            "Beiseitegelegte Karten sind keine Handkarten, du kannst sie nicht nach links geben. "
            "Gibst du deine letzte gerade Karte ab, nimmst du erst deine ungeraden auf; dann "
            "kommt die neue Karte dazu.",
            "Cards aside are not hand cards, so you cannot pass them to the left. If you pass "
            "your last even card, you first take up your odd ones; then the new card comes in.",
        ),
    }

    def after_trick(self, state: State, winner: int) -> None:
        """After a trick with a mask everyone gives one hand card to the left, all at once."""
        if self.symbols(state) and not state.last_trick:
            self.ask_everyone(state, PASS)

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """Any card of the hand."""
        for word in range(2):
            mask = state.hands[2 * seat + word]
            while mask:
                moves.add(PICK * KIND + 64 * word + Bits.lowest(mask))
                mask &= mask - 1

    def choose(self, state: State, seat: int, move: int) -> None:
        """The card lies ready; with the last one all are handed over."""
        state.choice[3 * seat + 1] = move % KIND
        state.owes &= ~(1 << seat)


class March(Sheet):
    """Kite: the direction of play turns round."""

    name = "March"
    replaces = ("direction",)
    extends = ("lead",)
    values = (2,)
    origin = "own"
    title = ("Drachenwind", "Kite wind")
    symbol_name = ("Drachen", "kite")
    short = (
        "Nach einem Stich mit einem Drachen dreht sich die Spielrichtung um.",
        "After a trick with a kite the direction of play turns round.",
    )
    long = (
        "Nach einem Stich, in dem ein Drachen liegt, wird in der anderen Richtung weitergespielt, "
        "bis der nächste Drachen sie wieder dreht. Mehrere Drachen in einem Stich drehen nur "
        "einmal. Jede Runde beginnt im Uhrzeigersinn. Geben und erstes Ausspielen rücken immer im "
        "Uhrzeigersinn weiter. Beispiel: Ada, Ben, Cem spielen, ein Drachen liegt im Stich, Ben "
        "nimmt ihn. Nun geht es von Ben über Ada zu Cem.",
        "After a trick with a kite in it play goes on in the other direction, until the next kite "
        "turns it back. Several kites in one trick turn it only once. Each round starts "
        "clockwise. Deal and first lead always move clockwise. Example: Ada, Ben, Cem play, there "
        "is a kite in the trick, and Ben takes it. Now play goes from Ben to Ada to Cem.",
    )
    notes = {
        "red 1": (
            "Alle legen zugleich, es gibt also keine Richtung zu drehen. Stattdessen spielt nach "
            "einem Stich mit einem Drachen nicht aus, wer ihn gewonnen hat, sondern wer links "
            "daneben sitzt.",
            "All play at once, so there is no order to turn. Instead, after a trick with a kite "
            "not the winner leads, but the winner's left neighbour.",
        ),
    }

    def after_trick(self, state: State, winner: int) -> None:
        """After a trick with a kite play goes the other way. Cross-note red 1: nothing to turn."""
        if self.symbols(state) and self.red != FACE_DOWN:
            state.flip |= KITE

    def before_lead(self, state: State) -> None:
        """The direction turns last."""
        if state.flip & KITE:
            state.direction = -state.direction

    def leader(self, state: State, winner: int) -> int:
        """The winner. Cross-note red 1: after a trick with a kite his left neighbour."""
        if self.red == FACE_DOWN and self.symbols(state):
            return (winner + 1) % self.seats
        return winner


class April(Sheet):
    """Egg: whoever wins one takes an egg card, unseen until the end of the round."""

    name = "April"
    extends = ("deal", "after", "points")
    values = (1, 8)
    origin = "partly"
    title = ("Ostereier", "Easter eggs")
    symbol_name = ("Osterei", "egg")
    short = (
        "Wer einen Stich mit einem Ei nimmt, bekommt eine verdeckte Eierkarte, 0 bis 3 Punkte "
        "wert.",
        "Whoever wins a trick with an egg takes a face-down egg card, worth 0 to 3 points.",
    )
    long = (
        "Mischt vor jeder Runde die sechs Eierkarten 0, 1, 1, 2, 2, 3 und legt sie als verdeckten "
        "Stapel hin. Wer einen Stich nimmt, in dem ein Ei liegt, legt die oberste Eierkarte "
        "verdeckt vor sich; niemand schaut sie an, auch du selbst nicht. Mehrere Eier in einem "
        "Stich bringen nur eine Eierkarte, und sind alle sechs weg, gibt es keine mehr. Am Ende "
        "der Runde deckt ihr sie auf und zählt ihre Werte zu euren Punkten. Auch der letzte Stich "
        "kann noch eine bringen.",
        "Before each round shuffle the six egg cards 0, 1, 1, 2, 2, 3 and lay them down as a "
        "face-down pile. Whoever wins a trick with an egg in it lays the top egg card face down "
        "in front of them; nobody looks at it, not even its owner. Several eggs in one trick "
        "bring only one egg card, and once all six are gone there are no more. At the end of the "
        "round they are turned up and their values are added to your points. The last trick can "
        "still bring one.",
    )

    def draw(self, state: State, generator: Generator) -> None:
        """The six egg cards 0, 1, 1, 2, 2, 3 are shuffled."""
        for at in range(EGGS):
            generator.cards[at] = (at + 1) // 2
        generator.shuffle(EGGS)
        for at in range(EGGS):
            state.eggs[at] = generator.cards[at]

    def after_trick(self, state: State, winner: int) -> None:
        """A trick with an egg brings its winner one egg card, until they are gone."""
        if self.symbols(state) and state.eggs_taken < EGGS:
            state.egg_owner[state.eggs_taken] = winner
            state.eggs_taken += 1

    def own_points(self, state: State, seat: int) -> int:
        """The egg cards are turned up and added."""
        points = 0
        for at in range(state.eggs_taken):
            if state.egg_owner[at] == seat and state.eggs[at] != NONE:
                points += state.eggs[at]
        return points


class May(Sheet):
    """Bang: whoever played it leads next."""

    name = "May"
    replaces = ("lead",)
    values = (3,)
    origin = "documented"
    title = ("Der Knall", "With a bang")
    symbol_name = ("Knall", "bang")
    short = (
        "Wer eine Knallkarte gespielt hat, spielt zum nächsten Stich aus, auch ohne zu gewinnen.",
        "Whoever played a bang card leads the next trick, even without winning.",
    )
    long = (
        "Liegt im Stich eine Knallkarte, spielt zum nächsten Stich aus, wer sie gespielt hat, "
        "ganz gleich, wer den Stich nimmt. Bei mehreren gilt die zuerst gespielte. Ohne Knall "
        "spielt aus, wer gewonnen hat. Beispiel: G3 von Ada, G9 von Ben, Y3 von Cem. Ben nimmt "
        "den Stich, aber Ada hat zuerst geknallt und spielt aus.",
        "If there is a bang card in the trick, whoever played it leads the next one, no matter "
        "who wins the trick. With several, the first played counts. Without a bang the winner "
        "leads. Example: G3 from Ada, G9 from Ben, Y3 from Cem. Ben takes the trick, but Ada was "
        "the first with a bang and leads.",
    )

    def leader(self, state: State, winner: int) -> int:
        """The first who played a bang card, otherwise the winner."""
        for play in range(state.trick_size[0]):
            if self.symbols_of(state, play):
                return state.trick_seat[play]
        return winner


class June(Sheet):
    """Flower: each further one is worth more."""

    name = "June"
    extends = ("points",)
    values = (4,)
    origin = "own"
    title = ("Blumenwiese", "Flower meadow")
    symbol_name = ("Blume", "flower")
    short = (
        "Sammle Blumen: 1, 2, 3, 4 … Blumen sind 1, 3, 6, 10 … Punkte wert.",
        "Collect flowers: 1, 2, 3, 4 … flowers are worth 1, 3, 6, 10 … points.",
    )
    long = (
        "Lege die Blumen aus deinen Stichen offen vor dich. Am Ende der Runde sind n Blumen "
        "n·(n+1)/2 Punkte wert, zusätzlich zu den Punkten für die Stiche: eine 1, zwei 3, drei 6, "
        "vier 10, fünf 15, alle sechs 21. Beispiel: Vier Stiche mit drei Blumen sind 4 + 6 = 10 "
        "Punkte.",
        "Lay the flower cards you won open in front of you. At the end of the round n flowers are "
        "worth n·(n+1)/2 points, on top of the points for tricks: one 1, two 3, three 6, four 10, "
        "five 15, all six 21. Example: four tricks with three flowers are 4 + 6 = 10 points.",
    )

    def own_points(self, state: State, seat: int) -> int:
        """n flowers are worth n * (n + 1) / 2."""
        flowers = self.won_symbols(state, seat)
        return flowers * (flowers + 1) // 2


class July(Sheet):
    """Sunstroke: who takes one can win no trick until someone else takes one."""

    name = "July"
    replaces = ("win",)
    extends = ("after",)
    values = (9,)
    origin = "documented"
    title = ("Sonnenstich", "Sunstroke")
    symbol_name = ("Sonnenstich", "sunstroke")
    short = (
        "Wer einen Stich mit einem Sonnenstich nimmt, bekommt die Sonnenstich-Karte und kann "
        "keinen Stich gewinnen, bis jemand anderes sie nimmt.",
        "Whoever takes a trick with a sunstroke gets the Sonnenstich card and can win no trick "
        "until someone else takes it.",
    )
    long = (
        "Wer einen Stich nimmt, in dem ein Sonnenstich liegt, bekommt die Sonnenstich-Karte. "
        "Solange sie vor dir liegt, kannst du keinen Stich gewinnen, was du auch spielst; du "
        "legst ganz normal dazu und musst bedienen. Los wirst du sie erst, wenn jemand anderes "
        "einen Stich mit einem Sonnenstich nimmt. Den Stich, der sie dir bringt, behältst du, und "
        "du spielst danach aus: Deine Karte bestimmt die angespielte Farbe, auch wenn sie nicht "
        "gewinnen kann. Zu Beginn der Runde hat niemand die Karte. Beispiel: Ada hat die "
        "Sonnenstich-Karte und spielt G9, Ben legt G4, Cem G2. Ben nimmt den Stich, und weil die "
        "9 ein Sonnenstich ist, auch die Karte.",
        "Whoever takes a trick with a sunstroke in it gets the Sonnenstich card. As long as it "
        "lies in front of you, you can win no trick, whatever you play; you play along as usual "
        "and must follow. You are rid of it only when someone else takes a trick with a "
        "sunstroke. You keep the trick that brought it, and you lead after it: your card sets the "
        "led colour even though it cannot win. At the start of the round nobody has the card. "
        "Example: Ada has the Sonnenstich card and leads G9, Ben plays G4, Cem G2. Ben takes the "
        "trick and, as the 9 is a sunstroke, the card as well.",
    )
    notes = {
        "red 7": (
            "Die Karte der Person, vor der die Sonnenstich-Karte liegt, kann nicht gestrichen "
            "werden.",
            "The card of the player who has the Sonnenstich card cannot be struck.",
        ),
    }

    def may_win(self, state: State, play: int) -> bool:
        """Not the holder of the Sonnenstich card."""
        return state.trick_seat[play] != state.sunstroke

    def after_trick(self, state: State, winner: int) -> None:
        """A trick with a sunstroke brings its winner the Sonnenstich card."""
        if self.symbols(state):
            state.sunstroke = winner


class August(Sheet):
    """Sunglasses: the winner discards and draws from the stock."""

    name = "August"
    extends = ("after",)
    values = (2, 7)
    origin = "partly"
    title = ("Sonnenbrille", "Sunglasses")
    symbol_name = ("Sonnenbrille", "sunglasses")
    short = (
        "Für jede Sonnenbrille im Stich, den du nimmst, legst du eine Handkarte ab und ziehst "
        "eine vom Vorrat.",
        "For each sunglasses card in a trick you won, discard one hand card and draw one from the "
        "stock.",
    )
    long = (
        "Für jede Sonnenbrille im Stich, den du gewonnen hast, legst du eine Handkarte deiner "
        "Wahl offen ab. Erst wenn alle liegen, ziehst du ebenso viele vom Vorrat nach. Wie viele "
        "es sind, steht vorher fest: so viele, wie Sonnenbrillen im Stich liegen, aber nicht "
        "mehr, als du Handkarten hast und im Vorrat liegen. Abgelegte Karten sind aus dem Spiel "
        "und zählen nichts. Nach dem letzten Stich wird nicht mehr getauscht. Beispiel: Im Stich "
        "liegen G2, G7 und G9, also zwei Brillen. Du legst Y0 und L1 ab und ziehst zwei Karten.",
        "For each sunglasses card in the trick you won you discard a hand card of your choice "
        "face up. Only when all of them lie there you draw as many from the stock. How many is "
        "fixed before: as many as there are sunglasses in the trick, but no more than you have "
        "cards in hand and there are in the stock. Discarded cards are out of play and count "
        "nothing. After the last trick nothing is exchanged. Example: G2, G7 and G9 lie in the "
        "trick, so two sunglasses. You discard Y0 and L1 and draw two cards.",
    )
    notes = {
        "red 8": (
            "Beiseitegelegte Karten sind keine Handkarten, du kannst sie nicht ablegen, und sie "
            "zählen nicht für die Grenze. Legst du deine letzte gerade Karte ab, nimmst du erst "
            "deine ungeraden auf; dann ziehst du.",
            "Cards aside are not hand cards: you cannot discard them, and they do not count for "
            "the limit. If you discard your last even card, you first take up your odd ones; then "
            "you draw.",
        ),
    }

    def after_trick(self, state: State, winner: int) -> None:
        """One card for each symbol, as far as hand and stock reach; fixed before the first."""
        count = min(self.symbols(state), state.hand_size[winner], state.stock_size)
        if count and not state.last_trick:
            state.pending = count
            state.draws = count
            state.last_card = NOBODY
            self.ask(state, DISCARD, winner)

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """Cards in rising order, so that every set is listed once; enough must be left."""
        left = self.above(state, seat, state.last_card)
        for word in range(2):
            mask = state.hands[2 * seat + word]
            while mask:
                card = 64 * word + Bits.lowest(mask)
                mask &= mask - 1
                if card > state.last_card:
                    if left >= state.pending:
                        moves.add(DROP * KIND + card)
                    left -= 1

    def above(self, state: State, seat: int, last: int) -> int:
        """How many hand cards come after this one in deck order."""
        count = 0
        for word in range(2):
            mask = state.hands[2 * seat + word]
            while mask:
                if 64 * word + Bits.lowest(mask) > last:
                    count += 1
                mask &= mask - 1
        return count

    def choose(self, state: State, seat: int, move: int) -> None:
        """Discard face up."""
        card = move % KIND
        state.remove(seat, card)
        state.dismiss(card)
        state.last_card = card
        state.pending -= 1
        if state.pending == 0:
            state.owes = 0


class September(Sheet):
    """Leaf: the trick stays on the table until a trick without one."""

    name = "September"
    replaces = ("trick",)
    values = (6,)
    origin = "own"
    title = ("Laubhaufen", "Leaf pile")
    symbol_name = ("Blatt", "leaf")
    short = (
        "Ein Stich mit einem Blatt bleibt liegen. Wer den nächsten Stich ohne Blatt gewinnt, "
        "nimmt alles mit.",
        "A trick with a leaf stays on the table. Whoever wins the next trick without a leaf takes "
        "it all.",
    )
    long = (
        "Ein Stich, in dem ein Blatt liegt, bleibt auf dem Tisch; wer ihn gewinnt, bekommt ihn "
        "nicht, spielt aber zum nächsten aus. Wer dann den nächsten Stich ohne Blatt gewinnt, "
        "nimmt alle Stiche, die liegen, dazu: Jeder zählt als ein Stich. Den letzten Stich der "
        "Runde nimmt immer, wer ihn gewinnt, auch mit einem Blatt, und alles, was noch liegt, "
        "dazu. Beispiel: Zwei Stiche mit Blatt liegen, den dritten ohne Blatt gewinnt Cem. Cem "
        "nimmt drei Stiche auf einmal.",
        "A trick with a leaf in it stays on the table; whoever wins it does not get it, but leads "
        "the next one. Whoever then wins the next trick without a leaf takes all the tricks that "
        "lie there as well: each counts as one trick. The last trick of the round always goes to "
        "its winner, even with a leaf, and with it everything that still lies there. Example: two "
        "tricks with a leaf lie there, and Cem wins the third, which has none. Cem takes three "
        "tricks at once.",
    )
    notes = {
        "red 4": (
            "Die Ansage zählt genommene Stiche, keine gewonnenen: Ein Stich, der liegen bleibt, "
            "zählt erst für die Person, die ihn mitnimmt, und jeder Stich eines Laubhaufens zählt "
            "einzeln.",
            "The announcement counts tricks taken, not tricks won: a trick that stays counts only "
            "for whoever takes it in the end, and every single trick of a leaf pile counts.",
        ),
    }

    def stays(self, state: State) -> bool:
        """A trick with a leaf stays, unless it is the last."""
        return self.symbols(state) != 0 and not state.last_trick


class October(Sheet):
    """Ghost: the lowest number wins a trick with a ghost."""

    name = "October"
    replaces = ("low",)
    values = (8,)
    origin = "own"
    title = ("Geisterstunde", "Ghost hour")
    symbol_name = ("Geist", "ghost")
    short = (
        "In einem Stich mit einem Geist gewinnt die niedrigste Zahl.",
        "In a trick with a ghost the lowest number wins.",
    )
    long = (
        "Liegt im Stich ein Geist, gewinnt die niedrigste Zahl statt der höchsten: der niedrigste "
        "Trumpf, wenn Trumpf liegt, sonst die niedrigste Karte der angespielten Farbe. Mehrere "
        "Geister ändern daran nichts. Ohne Geist gewinnt wie immer die höchste. Beispiel: G5, G9, "
        "S8. Die S8 ist ein Geist, also nimmt die G5 den Stich.",
        "If there is a ghost in the trick, the lowest number wins instead of the highest: the "
        "lowest trump if there is trump, otherwise the lowest card of the led colour. Several "
        "ghosts change nothing about it. Without a ghost the highest wins as usual. Example: G5, "
        "G9, S8. The S8 is a ghost, so the G5 takes the trick.",
    )
    notes = {
        "red 9": (
            "Beide Blätter drehen einander um: In einem Stich mit einem Geist gewinnt die höchste "
            "Zahl, in allen anderen die niedrigste.",
            "The two sheets turn each other round: in a trick with a ghost the highest number "
            "wins, in all others the lowest.",
        ),
    }

    def lowest_wins(self, state: State) -> bool:
        """In a trick with a ghost. Cross-note red 9: they turn each other round."""
        return (self.symbols(state) != 0) != (self.red == UPSIDE_DOWN)


class November(Sheet):
    """Lantern: a point for whoever played it, if another wins the trick."""

    name = "November"
    extends = ("after", "points")
    values = (3,)
    origin = "own"
    title = ("Laternenumzug", "Lantern walk")
    symbol_name = ("Laterne", "lantern")
    short = (
        "Jede Laterne bringt der Person, die sie gespielt hat, 1 Punkt, wenn jemand anderes den "
        "Stich gewinnt.",
        "Each lantern card is 1 point for whoever played it, if another player wins the trick.",
    )
    long = (
        "Hast du eine Laterne gespielt und jemand anderes gewinnt den Stich, bekommst du 1 Punkt; "
        "merk ihn dir gleich mit einem Strich. Gewinnst du den Stich selbst, bringt deine Laterne "
        "nichts, und die Laternen der anderen bringen ihnen je 1 Punkt. Beispiel: G3 von Ada, G7 "
        "von Ben, S3 von Cem. Ben nimmt den Stich, Ada und Cem bekommen je 1 Punkt.",
        "If you played a lantern and another player wins the trick, you get 1 point; mark it at "
        "once. If you win the trick yourself, your lantern brings nothing, and the others' "
        "lanterns bring them 1 point each. Example: G3 from Ada, G7 from Ben, S3 from Cem. Ben "
        "takes the trick, Ada and Cem get 1 point each.",
    )

    def after_trick(self, state: State, winner: int) -> None:
        """Each lantern card shines for the one who gave it away."""
        for play in range(state.trick_size[0]):
            if state.trick_seat[play] != winner:
                state.bonus[state.trick_seat[play]] += self.symbols_of(state, play)

    def own_points(self, state: State, seat: int) -> int:
        """The lanterns that others won."""
        return state.bonus[seat]


class December(Sheet):
    """Gift: gift cards that you won go to others."""

    name = "December"
    extends = ("after", "points")
    values = (0,)
    origin = "partly"
    title = ("Bescherung", "Giving gifts")
    symbol_name = ("Geschenk", "gift")
    short = (
        "Geschenke aus einem Stich, den du gewinnst, musst du an andere verteilen. Jedes Geschenk "
        "vor dir ist 1 Punkt wert.",
        "Gift cards in a trick you won must be given to other players. Each gift before you is 1 "
        "point.",
    )
    long = (
        "Geschenke aus einem Stich, den du gewonnen hast, musst du verschenken: offen, eins nach "
        "dem anderen, jedes an eine Person deiner Wahl, nie an dich selbst; dieselbe Person darf "
        "mehrere bekommen. Ein Geschenk bleibt offen vor der Person liegen, die es bekommen hat, "
        "und wird nicht weitergegeben. Am Ende der Runde ist jedes Geschenk vor dir 1 Punkt wert. "
        "Auch im letzten Stich wird verschenkt. Beispiel: Du nimmst G6, G0 und S0. Die G0 gibst "
        "du Ben, die S0 Cem; beide bekommen 1 Punkt.",
        "Gift cards in a trick you won must be given away: openly, one by one, each to a player "
        "of your choice, never to yourself; the same player may get several. A gift stays open "
        "before the player who got it and is not passed on. At the end of the round each gift "
        "before you is 1 point. Gifts are given in the last trick, too. Example: you take G6, G0 "
        "and S0. You give the G0 to Ben and the S0 to Cem; both get 1 point.",
    )
    notes = {
        "red 6": (
            "Auch deinem geheimen Partner darfst du schenken. Der Punkt für das Geschenk gehört "
            "zu seinen eigenen Punkten und kommt so auch zu dir.",
            "You may give to your secret partner, too. The point for the gift is one of your "
            "partner's own points and so comes to you as well.",
        ),
    }

    def after_trick(self, state: State, winner: int) -> None:
        """Every gift card of the trick must be given away, a struck one too."""
        for play in range(state.trick_size[0]):
            self.put_due(state, state.trick_card[play])
            if state.second[play] != NONE:
                self.put_due(state, state.second[play])
        if state.due[0] | state.due[1]:
            self.ask(state, GIFT, winner)

    def put_due(self, state: State, card: int) -> None:
        """A gift card must be given."""
        if self.symbol >> (card & 15) & 1:
            state.due[card >> 6] |= Bits.bit(card & 63)

    def legal(self, state: State, seat: int, moves: Moves) -> None:
        """Each gift card to each other seat."""
        for word in range(2):
            mask = state.due[word]
            while mask:
                card = 64 * word + Bits.lowest(mask)
                mask &= mask - 1
                for other in range(self.seats):
                    if other != seat:
                        moves.add(GIVE * KIND + card + 128 * other)

    def choose(self, state: State, seat: int, move: int) -> None:
        """The gift lies before the other now."""
        card = move % 128
        other = move % KIND // 128
        state.due[card >> 6] &= ~Bits.bit(card & 63)
        state.won[2 * seat + (card >> 6)] &= ~Bits.bit(card & 63)
        state.collect(other, card)
        state.gifts[other] += 1
        if not state.due[0] | state.due[1]:
            state.owes = 0

    def own_points(self, state: State, seat: int) -> int:
        """A point for each gift."""
        return state.gifts[seat]
