"""A table in the words of the protocol, for a receiver who may see all of it or only a part."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from stichwerk.server import wire
from stichwerk.server.tables.audience import Audience

if TYPE_CHECKING:
    from stichwerk.server.tables.table_state import TableState

NO_TIMES: Mapping[str, int] = MappingProxyType({})


def described(
    table: "TableState",
    here: set[str],
    deadline: int | None,
    audience: Audience,
    bot_at: Mapping[str, int],
) -> wire.Table:
    """Return the table as this receiver may see it. `here`: who is connected. `bot_at`: when a bot
    takes over for absent people."""
    return wire.Table(
        id=table.id,
        game=table.game,
        seats=table.seats,
        options=table.options,
        settings=table.settings,
        host=table.host,
        people=described_people(table, here, audience, bot_at),
        places=tuple(
            wire.Place(
                person=one.person,
                level=one.level if audience.inside or one.person is None else None,
                mark=one.mark,
            )
            for one in table.places
        ),
        stage=table.stage,
        match=table.match_id if audience.sees else None,
        dealing=dealing_of(table) if audience.sees else None,
        ask=wire.Ask(seat=table.ask.seat, waiting=tuple(sorted(table.ask.waiting)))
        if table.ask and audience.sees
        else None,
        deadline=deadline if audience.sees else None,
        aborts=table.aborts if audience.sees else 0,
        agreed=tuple(sorted(table.agreed)) if audience.sees else (),
        owner=table.owner,
        blocked=tuple(wire.Blocked(id=id, name=one.name) for id, one in table.blocked.items())
        if audience.runs
        else (),
    )


def described_people(
    table: "TableState", here: set[str], audience: Audience, bot_at: Mapping[str, int] = NO_TIMES
) -> tuple[wire.Person, ...]:
    """Return everyone; for strangers at a private table only the names that an invitation
    needs."""
    if audience.inside or audience.runs:
        return tuple(
            wire.Person(
                id=one.id,
                name=one.name,
                here=one.id in here,
                muted=one.muted,
                bot_at=bot_at.get(one.id),
            )
            for one in table.people.values()
        )
    known = {table.host, *(place.person for place in table.places)}
    return tuple(
        wire.Person(id=one.id, name=one.name, here=True)
        for one in table.people.values()
        if one.id in known
    )


def dealing_of(table: "TableState") -> wire.Dealing | None:
    """Return the progress of the verifiable deal."""
    shuffle = table.shuffle or (table.running.shuffle if table.running else None)
    rounds_over = table.running.rounds_over if table.running and not table.shuffle else 0
    return shuffle.describe(rounds_over) if shuffle else None
