"""`python -m stichwerk.server.protocol_generator`."""

import sys

from stichwerk.server.protocol_generator.files import main

if __name__ == "__main__":
    sys.exit(main())
