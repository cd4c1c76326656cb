"""What can be foreseen: effects of moves before they are made, reasons, the current rule.

All of it is a function of a `View` and nothing else, so it cannot reveal what a seat may not know.
What the rules say is asked of the rules themselves, on a copy of what the view knows.
"""

from stichwerk.outlook.queries import effects, look, one, reasons, situation, standing, tally

__all__ = ["effects", "look", "one", "reasons", "situation", "standing", "tally"]
