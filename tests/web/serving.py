"""A server for the browser tests, in a separate process: `python -m tests.web.serving FOLDER`.

It is the real one; only its bots do not pause, so that a match is over in seconds, and what it
draws can be reproduced (`fixed_random.py`). It ends with its standard input, even if the
tests crash. `STICHWERK_TEST_STATIC` names a folder with another build of the page, to test one that
is not committed yet; `STICHWERK_TEST_GAME` names files with custom games, as for
`stichwerk serve --game`.
"""

import os
import signal
import sys
import threading
from functools import partial
from pathlib import Path

from stichwerk.server.http import static_files
from stichwerk.server.network.limits import Limits
from stichwerk.server.run import serve, tables
from stichwerk.server.serve_options import ServeOptions
from tests.web.fixed_random import server_random_source

MANY = Limits(  # the tests are quicker than people
    messages=5_000,
    frames_per_address=500_000,
    bytes_per_address=10**12,
    http_requests=50_000,
    creates=5_000,
    sockets_per_address=500,
    connections_per_address=2_000,
    joins=5_000,
    changes=5_000,
    address_changes=5_000,
)


def end_with_input() -> None:
    """Stop when the parent process is gone."""
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


def main(folder: str, name_file: str, pace: str, port: str) -> int:
    """Serve until standard input ends."""
    threading.Thread(target=end_with_input, daemon=True).start()
    again = "again " if port != "0" else ""  # a restarted server must not draw the same ids
    make = partial(tables, rng=server_random_source(Path(name_file), again))
    if build := os.environ.get("STICHWERK_TEST_STATIC"):
        static_files.STATIC = Path(build)
    own = os.environ.get("STICHWERK_TEST_GAME", "").split(os.pathsep)
    options = ServeOptions(
        port=int(port),
        data=folder,
        open_browser=False,
        workers=1,
        pace=float(pace),
        games=tuple(filter(None, own)),
    )
    return serve(options, "en", make=make, limits=MANY)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
