"""The type of connections to PostgreSQL, whether they come from a pool or not."""

from typing import TypeAlias

import asyncpg
from asyncpg.pool import PoolConnectionProxy

Connection: TypeAlias = asyncpg.Connection | PoolConnectionProxy
