"""`python -m stichwerk.envs docs`: rewrite the tables of docs/environments.md."""

import sys

from stichwerk.envs.docs_tables import main

if len(sys.argv) != 2:
    sys.exit("python -m stichwerk.envs FOLDER, for example docs")
main(sys.argv[1])
