"""What all tests share."""

import os
import signal

from hypothesis import settings

# No time limits: machines are noisy. Continuous integration tries the same examples every time; at
# home each run looks for new ones.
settings.register_profile("stichwerk", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("stichwerk")

# A shell that runs the tests in the background switches Ctrl+C off, for all processes they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
