"""The schema of a store in PostgreSQL, and its migrations.

The tables are those of the SQLite file (`schema.py`), with one difference: what changes with every
move, the number of the last entry and the time, has a row of its own in `heads`. That row is small
and in no other index, so PostgreSQL rewrites it in place.

A published step is never changed; differences come as another step. Servers of two versions may
run at the same time, so a step only adds what the version before can ignore.
"""

from stichwerk.server.storage.postgres_connection import Connection
from stichwerk.server.storage.store import StorageError

MIGRATION_LOCK = 0x57_69_63_68  # any number that no other program on the database uses

STEPS: tuple[str, ...] = (
    # Ids sort by their bytes, as in SQLite, whatever the language of the database.
    # `last` is -1 for a table without entries. `epoch` rises with each claim; only the process that
    # holds the current one may append.
    """
    CREATE TABLE heads (
        id text COLLATE "C" PRIMARY KEY,
        last bigint NOT NULL,
        touched bigint NOT NULL,
        epoch bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 70);
    CREATE TABLE tables (
        id text COLLATE "C" PRIMARY KEY,
        created bigint NOT NULL,
        open boolean NOT NULL,
        behind boolean NOT NULL,
        doomed bigint,
        summary bytea NOT NULL
    );
    CREATE INDEX open_tables ON tables (id) WHERE open;
    CREATE INDEX tables_behind ON tables (id) WHERE behind;
    CREATE TABLE log (
        table_id text COLLATE "C" NOT NULL,
        seq bigint NOT NULL,
        at bigint NOT NULL,
        entry bytea NOT NULL,
        PRIMARY KEY (table_id, seq)
    );
    CREATE TABLE matches (
        id text COLLATE "C" PRIMARY KEY,
        table_id text COLLATE "C",
        finished bigint,
        game text NOT NULL,
        record bytea NOT NULL
    );
    CREATE INDEX matches_of_table ON matches (table_id);
    """,
)
VERSION = len(STEPS)


async def migrate(connection: Connection) -> None:
    """Bring the database to the current version; processes that start together take turns."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
        await connection.execute(
            "CREATE TABLE IF NOT EXISTS stichwerk_store (version integer NOT NULL)"
        )
        found: int | None = await connection.fetchval("SELECT version FROM stichwerk_store")
        if found is None:
            await connection.execute("INSERT INTO stichwerk_store VALUES (0)")
        version = found or 0
        if version > VERSION:
            raise StorageError("storage-too-new", version=version, known=VERSION)
        for step in STEPS[version:]:
            await connection.execute(step)
        if version < VERSION:
            await connection.execute("UPDATE stichwerk_store SET version = $1", VERSION)
