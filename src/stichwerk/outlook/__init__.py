"""What one sees coming: effects of moves before they are made, reasons, the rule of the moment.

All of it is a function of a `View` and nothing else, so it can tell nobody what he may not know.
What the rules say is asked of the rules themselves, on a copy of what the view knows.
"""

from stichwerk.outlook.queries import effects, look, one, reasons, situation, standing, tally

__all__ = ["effects", "look", "one", "reasons", "situation", "standing", "tally"]
