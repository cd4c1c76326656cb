"""The schema of the store, and its migrations.

The version of a file is in its `user_version`. A new file takes the same steps as an old one, so
that there is only one way to the current schema. A published step is never changed; differences
come as another step.
"""

import sqlite3

Step = tuple[str, ...]

STEPS: tuple[Step, ...] = (
    (  # 1
        """CREATE TABLE tables (
            id TEXT NOT NULL PRIMARY KEY,
            created INTEGER NOT NULL,
            touched INTEGER NOT NULL,
            summary BLOB NOT NULL
        )""",
        """CREATE TABLE log (
            table_id TEXT NOT NULL,
            seq INTEGER NOT NULL,
            at INTEGER NOT NULL,
            entry BLOB NOT NULL,
            PRIMARY KEY (table_id, seq)
        ) WITHOUT ROWID""",
        # `table_id` is NULL for imported matches and once the table is deleted; `finished`, in
        # milliseconds since 1970, is NULL if unknown.
        """CREATE TABLE matches (
            id TEXT NOT NULL PRIMARY KEY,
            table_id TEXT,
            finished INTEGER,
            game TEXT NOT NULL,
            record BLOB NOT NULL
        )""",
    ),
    (  # 2: at start only the tables of interest are read; for old ones that is unknown
        "ALTER TABLE tables ADD COLUMN open INTEGER NOT NULL DEFAULT 1",
        # Not by `touched`: that changes with every move, and the index would be written each time.
        "CREATE INDEX open_tables ON tables (id) WHERE open",
        "CREATE INDEX matches_of_table ON matches (table_id)",
    ),
    (  # 3: `behind`: summary or records may lack what the log has; unknown for old tables
        "ALTER TABLE tables ADD COLUMN behind INTEGER NOT NULL DEFAULT 0",
        "UPDATE tables SET behind = open",
        # When an idle table may be deleted, in milliseconds since 1970.
        "ALTER TABLE tables ADD COLUMN doomed INTEGER",
    ),
)
VERSION = len(STEPS)


OURS = {"tables", "log", "matches"}


def is_ours(connection: sqlite3.Connection) -> bool:
    """Return whether a file has the tables of a store. One without them is never filled: its
    content was lost, or it belongs to another program."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return version(connection) > 0 and {name for (name,) in found} >= OURS


def version(connection: sqlite3.Connection) -> int:
    """Return the version of a file; 0 for a new one."""
    (found,) = connection.execute("PRAGMA user_version").fetchall()[0]
    return int(found)


def migrate(connection: sqlite3.Connection, upto: int = VERSION) -> None:
    """Migrate a file to a version, one transaction per step: a crash leaves it between two
    steps."""
    while version(connection) < upto:
        connection.execute("BEGIN IMMEDIATE")
        try:
            _take_step(connection, upto)
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _take_step(connection: sqlite3.Connection, upto: int) -> None:
    """Take the next step. The version is read again, as another process may have taken it
    meanwhile."""
    done = version(connection)
    if done >= upto:
        return
    for statement in STEPS[done]:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {done + 1}")
