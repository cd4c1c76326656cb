"""What all tests share."""

import os

from hypothesis import settings

# No time limits: machines are noisy. Continuous integration tries the same examples every time; at
# home each run looks for new ones.
settings.register_profile("stichwerk", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("stichwerk")
