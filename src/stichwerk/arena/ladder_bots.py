"""How each bot thinks, for the page of the ladder; parameters are read from the bots."""

from collections.abc import Iterator

from stichwerk import bots
from stichwerk.arena.ladder import LEVELS
from stichwerk.arena.ladder_text import paragraph, table
from stichwerk.bots import characters, master, search
from stichwerk.bots.registry import BUILT_IN, Listing
from stichwerk.engine import plain


def thinking() -> Iterator[str]:
    """Write a paragraph for each way to play."""
    yield "## How each bot thinks"
    yield paragraph(
        "**`random`** plays any legal move, all equally likely. It is the baseline for "
        "everything else."
    )
    yield paragraph(
        "**`greedy-1`** plays by [small rules](../src/stichwerk/bots/tactics/small.py) that "
        "say in a few lines what a beginner learns first; in Sticheln, for example: pain colour "
        "long and low, lead low pain, take what pays, duck what hurts. It looks no "
        "further than the trick. It is frozen: others are measured against it, so it must "
        "never choose another move."
    )
    yield paragraph(
        "**`greedy-2`** plays by all the [tactics](../src/stichwerk/bots/tactics) we have "
        "written down, a module for each game. It still looks at one trick only: well "
        "under a millisecond a move."
    )
    yield paragraph(
        "**`chooser`** searches its choices before the round as `flat` does (pain colour, "
        "cards to pass on, order of scoring cards, announcement) and then plays like "
        "the `greedy` of its version. It measures what these choices alone are worth."
    )
    yield from searching()
    yield from learning()
    yield paragraph(
        "**Characters** are opponents with a name, a face and a "
        "[taste](../src/stichwerk/bots/characters.py). They know what `net` thinks of each move "
        "and follow their taste among moves that are worth nearly as much as the best one; `gives` "
        "in the table below says how much less, in spreads of a round. What a move brings until "
        f"their next turn they foresee on {characters.IMAGINED} deals that fit. `rocco` is bold: "
        "goes for tricks, plays high. `tilda` is careful: prefers to know what will come of a "
        "move, plays low. `zora` is spiteful: hurts the rival in front first of all. "
        f"`otto` counts: solves the deals that fit from {characters.LAST_CARDS} cards on. "
        "`luna` dreams: remembers only the last card of each seat, so that all others may still be "
        "out. `kiki` is chaotic: loves moves that no tactics would make. Nobody throws dice. "
        "Without a net they play by tactics; in a game that has none only their taste decides."
    )
    yield paragraph(
        "**Strangers** are there to be measured against. `ismcts` is a plain tree search: it "
        "draws any deal that fits, plays it out at random and knows no tactics. `highest` and "
        "`lowest` always play their highest or lowest card, `hoarder` saves high cards and long "
        "colours for later, and `moody` plays like `hard` but makes one move in five on a whim."
    )


def learning() -> Iterator[str]:
    """Write a paragraph for each bot with a net."""
    inner = plain.twin("stichwerk.engine.search")
    yield paragraph(
        "**`net`** makes the move that a small neural net values most; it does not look ahead. "
        "The net was trained by playing against itself and a pool of others, see "
        "[training](training.md). It sees what its seat sees, nothing else. `net-0` is an early "
        "net, small and hardly trained, to be measured against."
    )
    yield paragraph(
        f"**`master`** compares its moves by {master.ITERATIONS[3]} play-outs, like `flat`; fewer "
        "in games in which they are long. Its "
        "belief is careful: a seat whose moves no tactics explain counts as a stranger, and says "
        "nothing about its cards. If in a deal all others have nearly always moved as the tactics "
        "do, the deal is played to the end; otherwise to the seat's next decision, and the net "
        "says what that is worth. The move of the net stays unless another is better by "
        f"{master.BETTER:g} standard error, among strangers by {master.FAR_BETTER:g}. What comes "
        "out counts with the chance to win the match after it, which is worth "
        f"{inner.MATCH:g} times the spread of a round: a leader plays safe, a seat behind takes "
        "risks. That chance follows from totals and rounds left, and was "
        "[learned from matches](training.md#chances-to-win-a-match)."
    )
    yield paragraph(
        f"**`grandmaster`** does the same with {master.GRAND_ITERATIONS:,} play-outs, and solves "
        "the last tricks exactly."
    )
    yield paragraph(
        f"**`master-2`** and **`grandmaster-1`** ask for {master.CLEAR:g} standard errors among "
        "all, and take no notice of totals before the last round, in which they play all deals to "
        "the end, for the match."
    )
    yield paragraph(
        f"**`master-1`** adds what the net thinks to the mean of {master.ITERATIONS[1]} play-outs: "
        f"among strangers a point of the net counts {master.STRANGE} times as much as a point of "
        f"the play-outs, among seats that play by known tactics {master.UNDERSTOOD} times."
    )


def searching() -> Iterator[str]:
    """Yield a paragraph for each search, and the parameters of all bots."""
    inner, endgame = plain.twin("stichwerk.engine.search"), plain.twin("stichwerk.engine.endgame")
    flat = parameters("flat")
    yield paragraph(
        "**`flat`** draws deals of the unseen cards that fit what it knows, tries every move "
        f"on the same deals and plays each round out, the others by the {flat['style']} "
        "rules, itself by the full tactics; the move with the best mean wins. "
        "The deals are plausible ones: from one to the next, "
        f"{flat['effort']} times two unseen cards are swapped, and stay so if the others would "
        "then have played as they did no less often (a Metropolis chain over deals). A seat that "
        "does not play by the small rules is assumed to play by the full ones, whichever fits "
        "better. "
        "It repeatedly drops the worse half of the moves (successive halving), so that "
        f"most of its {flat['iterations']:,} play-outs go to those that are hard to tell "
        "apart. A round is worth the seat's points above the mean of the others', plus a bonus "
        "for being the best of all."
    )
    yield paragraph(
        "**`tree`** grows one tree over all deals (information-set search): a node is the "
        "moves made since, for all hidden hands, so a move is weighted by how often it was "
        "available (availability counts). Every seat makes the move that is worth most to "
        "itself (max^n), the full tactics order the moves and play out what "
        f"is beyond the tree. Its exploration constant is {inner.EXPLORE} spreads of "
        f"the results, and it stops growing at {inner.NODES:,} nodes. Hidden moves of others are "
        "no branches: they follow their tactics."
    )
    yield paragraph(
        f"**Exact endgames.** From {search.ENDGAME_CARDS} cards per seat on, the deals that "
        f"fit are solved instead of played out (by {endgame_solvers()}): all of them, if "
        f"{search.POSITIONS} positions for each iteration suffice, otherwise as many as can be "
        f"drawn, {endgame.MOST_DEALS:,} at most and {endgame.ENOUGH} at least. `stichwerk "
        "positions` checks that they are exact."
    )
    yield paragraph(
        "**Levels.** "
        + ", ".join(f"`{level}`" for level in LEVELS[:-1])
        + " make the move that `net-1` values most among those they notice; `notices` says how "
        "many of a hundred those are. So they err like people, who overlook good moves and choose "
        f"well among those they see. `{LEVELS[-1]}` thinks as `master-2` does. In a game without a "
        "net they play like their first versions: those are tactics and `flat`, some with slips "
        "(this many of a hundred moves are random). The parameters of this table come from the "
        "bots themselves:"
    )
    yield table(
        ("bot", "kind", "parameters"),
        [
            (f"`{listing.full_name}`", listing.kind, shown_parameters(listing))
            for listing in BUILT_IN
        ],
        words=3,
    )


def parameters(name: str) -> dict[str, object]:
    """Ask a bot for its parameters; a level for those of the bot it uses."""
    found = dict(vars(bots.build(name)))
    thinks = found.pop("thinks", None)
    found = (dict(vars(thinks)) if thinks is not None else {}) | found
    slips = found.get("slips")
    if isinstance(slips, dict) and any(slips.values()):
        found["slips"] = ", ".join(f"{game or 'else'} {many}" for game, many in slips.items())
    plain_kinds = (bool, int, float, str)
    return {
        key: value
        for key, value in found.items()
        if isinstance(value, plain_kinds) and key not in ("name", "seed", "version")
    }


def shown_parameters(listing: Listing) -> str:
    """Format parameters for a table cell."""
    found = parameters(listing.full_name)
    return ", ".join(f"{name} {word(value)}" for name, value in found.items())


def endgame_solvers() -> str:
    """Return the bots that solve their last cards exactly."""
    built = {listing.full_name: parameters(listing.full_name) for listing in BUILT_IN}
    found = [name for name, has in built.items() if has.get("endgames")]
    return ", ".join(f"`{name}`" for name in found if built[name]["plays"] != "greedy") or "none"


def word(value: object) -> str:
    """Format a parameter for a table cell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)
