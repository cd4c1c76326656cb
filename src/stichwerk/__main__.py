"""`python -m stichwerk` is the command line."""

import sys

from stichwerk.cli import main

if __name__ == "__main__":
    sys.exit(main())
