"""The store in PostgreSQL: fenced writers, a database that stops, and one that refuses."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import asyncpg
import pytest

from stichwerk.server.storage import postgres_schema
from stichwerk.server.storage.addresses import postgres_store, without_password
from stichwerk.server.storage.postgres_errors import refusal
from stichwerk.server.storage.postgres_store import PostgresStore
from stichwerk.server.storage.store import StorageError
from tests.server.postgres_setup import DURABLE, Cluster
from tests.server.postgres_setup import cluster as own_cluster
from tests.server.store_setup import change, in_store, outcome, outcomes, well

pytestmark = pytest.mark.slow  # they need a database

RACES = 100


def in_two_stores(
    url: str, deed: Callable[[PostgresStore, PostgresStore], Awaitable[None]]
) -> None:
    """Open the same store twice, as two processes would."""

    async def run() -> None:
        one, other = PostgresStore(url), PostgresStore(url)
        await asyncio.gather(one.open(), other.open())
        try:
            await deed(one, other)
        finally:
            await asyncio.gather(one.close(), other.close())

    asyncio.run(run())


# Fencing


def test_only_the_last_to_claim_a_table_may_write(cluster: Cluster) -> None:
    async def deed(one: PostgresStore, other: PostgresStore) -> None:
        assert await one.claim("a") == 0, "there is no such table"
        await one.append(change("a", 1, "made"))
        assert await outcome(other.append(change("a", 2, "unclaimed", epoch=1))) == "storage-fenced"
        first = await one.claim("a")
        await one.append(change("a", 2, "first", epoch=first))
        second = await other.claim("a")
        assert second > first
        late = [
            one.append(change("a", 3, "zombie", epoch=first)),
            one.append(change("a", 3, "unclaimed")),
            one.append(change("a", 3, epoch=first, summary=b"zombie", open=False)),
        ]
        for refused in late:
            assert await outcome(refused) == "storage-fenced"
        await other.append(change("a", 3, "second", epoch=second))
        assert await one.read("a") == [b"made", b"first", b"second"]
        assert [summary for _, summary, _ in await one.tables()] == [b"{}"]

    in_two_stores(cluster.empty(), deed)


def test_racing_writers_never_both_win(cluster: Cluster) -> None:
    """Each entry names the epoch that wrote it: those of a log never fall, and none is missing."""

    async def deed(one: PostgresStore, other: PostgresStore) -> None:
        await one.append(change("a", 1, "0"))
        stored = 1

        async def take_over(store: PostgresStore) -> int:
            """Claim the table and write until someone else has claimed it."""
            done = 0
            for _ in range(RACES):
                epoch = await store.claim("a")
                while True:
                    seq = len(await store.read("a")) + 1
                    said = await outcome(store.append(change("a", seq, str(epoch), epoch=epoch)))
                    if said != "stored":
                        assert said in ("storage-fenced", "storage-conflict")
                        break
                    done += 1
                    if done % 3 == 0:
                        break
            return done

        stored += sum(await asyncio.gather(take_over(one), take_over(other)))
        log = [int(entry) for entry in await one.read("a")]
        assert log == sorted(log)
        assert len(log) == stored

    in_two_stores(cluster.empty(), deed)


def test_only_one_server_uses_a_database(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stichwerk.server.storage.postgres_store.ALONE_SECONDS", 0.1)
    url, elsewhere = cluster.empty(), cluster.empty()

    async def run() -> None:
        first, second = PostgresStore(url, alone=True), PostgresStore(url, alone=True)
        await first.open()
        assert await outcome(second.open()) == "storage-in-use"
        assert await outcome(second.read("a")) == "storage-closed"
        others = [PostgresStore(url), PostgresStore(elsewhere, alone=True)]
        for other in others:
            await other.open()
            await other.close()
        await first.close()
        await second.open()
        await second.close()

    asyncio.run(run())


# Opening


def test_processes_that_start_together_make_the_tables_once(cluster: Cluster) -> None:
    url = cluster.empty()

    async def run() -> None:
        stores = [PostgresStore(url) for _ in range(4)]
        await asyncio.gather(*(store.open() for store in stores))
        await stores[0].append(change("a", 1, "x"))
        assert [await store.read("a") for store in stores] == [[b"x"]] * 4
        await asyncio.gather(*(store.close() for store in stores))

    asyncio.run(run())


def test_a_newer_schema_is_left_alone(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    url = cluster.empty()
    with monkeypatch.context() as newer:
        newer.setattr(postgres_schema, "VERSION", postgres_schema.VERSION + 1)
        newer.setattr(postgres_schema, "STEPS", (*postgres_schema.STEPS, "SELECT 1"))
        assert asyncio.run(opened(url)) == "stored"
        assert asyncio.run(opened(url)) == "stored", "a version is reached once"
    assert asyncio.run(opened(url)) == "storage-too-new"


def test_addresses_that_lead_nowhere(cluster: Cluster) -> None:
    wrong = {
        "postgresql://127.0.0.1:1/none": "storage-unreachable",
        cluster.url.replace("/postgres", "/nowhere"): "storage-refused",
    }
    assert {url: asyncio.run(opened(url)) for url in wrong} == wrong
    for address in ("mysql://here/there", "postgresql://here", "postgresql:///", "here"):
        with pytest.raises(StorageError, match="storage-bad-address"):
            postgres_store(address)


def test_an_address_is_shown_without_its_password() -> None:
    shown = without_password("postgresql://ada:secret@db:5432/cards?password=secret")
    assert shown == "postgresql://ada@db:5432/cards"
    assert without_password("postgresql://db/cards") == "postgresql://db/cards"


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stichwerk.server.storage.postgres_store", None)
    with pytest.raises(StorageError, match="storage-no-postgres"):
        postgres_store("postgresql://db/cards")


async def opened(url: str) -> str:
    """Open and close a store; return how that ended."""
    store = PostgresStore(url)
    answer = await outcome(store.open())
    await store.close()
    return answer


# Failures


def test_a_database_that_crashes_loses_nothing_acknowledged() -> None:
    """Everything acknowledged is there after a crash; once it is back, so is the store."""
    with own_cluster(DURABLE) as crashing:

        async def deed(store: PostgresStore) -> None:
            loop = asyncio.get_running_loop()
            acknowledged = 0
            for mode in ("immediate", "fast"):
                down = loop.run_in_executor(None, crashing.stop, mode)
                while await outcome(store.append(change("a", acknowledged, "x"))) == "stored":
                    acknowledged += 1
                await down
                failures = [store.append(change("b", 0, "y")), store.read("a"), store.claim("a")]
                assert await outcomes(failures) == ["storage-unreachable"] * 3
                assert not well(store)
                await loop.run_in_executor(None, crashing.start)
                found = len(await store.read("a"))
                assert found in (acknowledged, acknowledged + 1), "the last one was in doubt"
                acknowledged = found
            await store.append(change("a", acknowledged, "back"))
            await store.probe()

        in_store(lambda: PostgresStore(crashing.url), deed)


def test_a_replica_takes_over_with_everything_acknowledged() -> None:
    """The primary waits for its replica, crashes and stays away; the address names both."""
    with own_cluster(DURABLE) as primary, own_cluster(DURABLE, replica_of=primary) as replica:
        primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.sql("SELECT pg_reload_conf()")
        hosts = f"127.0.0.1:{primary.port},127.0.0.1:{replica.port}"
        url = f"postgresql://postgres@{hosts}/postgres?target_session_attrs=read-write"

        async def deed(store: PostgresStore) -> None:
            loop = asyncio.get_running_loop()
            await store.append(change("a", 1, "made"))
            epoch, acknowledged = await store.claim("a"), 1
            for _ in range(20):
                acknowledged += 1
                await store.append(change("a", acknowledged, "x", epoch=epoch))
            down = loop.run_in_executor(None, primary.kill)
            while (
                await outcome(store.append(change("a", acknowledged + 1, "x", epoch=epoch)))
                == "stored"
            ):
                acknowledged += 1
            await down
            assert await outcome(store.read("a")) == "storage-unreachable"
            await loop.run_in_executor(None, replica.promote)
            found = len(await store.read("a"))
            assert found in (acknowledged, acknowledged + 1), "the last one was in doubt"
            await store.append(change("a", found + 1, "new primary", epoch=epoch))
            assert well(store)

        in_store(lambda: PostgresStore(url), deed)


class SlowLine:
    """A connection to the database that holds what is sent to it, and delivers it later, even if
    the sender has given up meanwhile."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.flows = asyncio.Event()
        self.flows.set()
        self.held = asyncio.Event()
        self.tasks: list[asyncio.Task[None]] = []

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[int]:
        """Listen; yield the port."""
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
            for task in self.tasks:
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        database = await asyncio.open_connection("127.0.0.1", self.port)
        self.tasks += [
            asyncio.create_task(self._carry(reader, database[1], self.flows)),
            asyncio.create_task(self._carry(database[0], writer, None)),
        ]

    async def _carry(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        flows: asyncio.Event | None,
    ) -> None:
        try:
            while data := await source.read(65_536):
                if flows is not None and not flows.is_set():
                    self.held.set()
                    await flows.wait()
                target.write(data)
                await target.drain()
        except ConnectionError:
            pass
        finally:
            target.close()


def test_a_statement_that_arrives_late_changes_nothing(cluster: Cluster) -> None:
    """A process hangs or its line does; others take over, and then its statement arrives."""
    url = cluster.empty()

    async def run() -> None:
        line = SlowLine(cluster.port)
        async with line.listening() as port:
            zombie = PostgresStore(url.replace(f":{cluster.port}/", f":{port}/"), answer_seconds=1)
            other = PostgresStore(url)
            await asyncio.gather(zombie.open(), other.open())
            await zombie.append(change("a", 1, "made"))
            epoch = await zombie.claim("a")
            line.flows.clear()
            late = asyncio.create_task(outcome(zombie.append(change("a", 2, "late", epoch=epoch))))
            await line.held.wait()
            assert await late == "storage-unreachable"
            assert not well(zombie)
            taken = await other.claim("a")
            line.flows.set()
            await asyncio.gather(*line.tasks[:2])  # the writer's connection: all of it has arrived
            await other.append(change("a", 2, "other", epoch=taken))
            again = zombie.append(change("a", 3, "again", epoch=epoch))
            assert await outcome(again) == "storage-fenced", "it has a new connection"
            assert await other.read("a") == [b"made", b"other"]
            await asyncio.gather(zombie.close(), other.close())

    asyncio.run(run())


def test_a_full_disk_refuses_and_recovers(cluster: Cluster) -> None:
    """The database reports the error of a full disk, whatever its cause."""
    url = cluster.empty()
    schema = url.partition("search_path=")[2]
    full = f"""CREATE FUNCTION {schema}.no_room() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full'; END $$;
        CREATE TRIGGER no_room BEFORE INSERT ON {schema}.log
        FOR EACH STATEMENT EXECUTE FUNCTION {schema}.no_room()"""

    async def deed(store: PostgresStore) -> None:
        await store.append(change("a", 1, "x"))
        cluster.sql(full)
        wanted = [change("a", 2, "y"), change("b", 1, "z")]
        assert await outcomes(store.append(each) for each in wanted) == ["storage-full"] * 2
        assert await outcome(store.probe()) == "storage-full"
        assert not well(store)
        assert await store.read("a") == [b"x"]
        cluster.sql(f"DROP TRIGGER no_room ON {schema}.log")
        await store.probe()
        assert well(store)
        await store.append(change("a", 2, "y"))

    in_store(lambda: PostgresStore(url), deed)


def test_a_cut_connection_is_replaced(cluster: Cluster) -> None:
    url = cluster.empty()

    async def deed(store: PostgresStore) -> None:
        for seq in range(1, 4):
            assert await outcome(store.append(change("a", seq, "x"))) == "stored"
            cluster.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'stichwerk'"
            )
            said = await outcome(store.append(change("a", seq + 1, "x")))
            if said == "stored":  # it was noticed before anything was sent
                break
            assert said == "storage-unreachable"
            assert len(await store.read("a")) == seq

    in_store(lambda: PostgresStore(url), deed)


@pytest.mark.parametrize(
    ("error", "id"),
    [
        (asyncpg.ReadOnlySQLTransactionError("x"), "storage-read-only"),
        (asyncpg.DeadlockDetectedError("x"), "storage-locked"),
        (asyncpg.AdminShutdownError("x"), "storage-unreachable"),
        (ConnectionRefusedError("x"), "storage-unreachable"),
        (TimeoutError("x"), "storage-unreachable"),
        (asyncpg.InvalidPasswordError("x"), "storage-refused"),
        (asyncpg.UndefinedTableError("x"), "storage-failed"),
        (StorageError("storage-closed"), "storage-closed"),
    ],
)
def test_errors_say_what_can_be_done(error: Exception, id: str) -> None:
    async def refused() -> None:
        raise refusal(error)

    assert asyncio.run(outcome(refused())) == id
