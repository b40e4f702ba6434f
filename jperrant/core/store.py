"""A key-value store in one SQLite file, and a lock by which only one program at a time writes to a folder.

A key covers everything that its value depends on, so that a value is never out of date. A damaged value,
detected by the checksum of its compressed form, counts as missing and is computed again.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from jperrant.core.errors import InputError, UsageError

#: Seconds to wait for another process that is writing.
_PATIENCE = 60
_COLUMNS = "kind TEXT, key TEXT, value BLOB, PRIMARY KEY (kind, key)"
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Store:
    """Bytes by kind and key, in a file that several processes may read and write.

    A value is stored whole or not at all, however a process ends. A file that is not a store is replaced by a
    new one.

    Args:
        path: The file; created, with its folder, at the first write.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._opened: tuple[int, sqlite3.Connection] | None = None

    def __reduce__(self) -> tuple[type[Store], tuple[Path]]:
        return type(self), (self.path,)

    def get(self, kind: str, key: str) -> bytes | None:
        """Return a value, or None if it is missing or damaged."""
        return self.get_many(kind, [key]).get(key)

    def get_many(self, kind: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the values by key, without those that are missing or damaged.

        Raises:
            InputError: The file cannot be opened.
        """
        if not self.path.exists():
            return {}
        query, found = "SELECT key, value FROM packed WHERE kind = ? AND key = ?", {}
        for key, packed in self._run(query, [(kind, key) for key in keys]):
            with suppress(zlib.error, TypeError):
                found[key] = zlib.decompress(packed)
        return found

    def put(self, kind: str, values: Mapping[str, bytes]) -> None:
        """Store values by key, all of them or none.

        Raises:
            InputError: The file cannot be written.
        """
        rows = [(kind, key, zlib.compress(value)) for key, value in values.items()]
        self._run("INSERT OR REPLACE INTO packed VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        if self._opened is not None:
            self._opened[1].close()
            self._opened = None

    def _run(self, command: str, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """Run a command for each row of parameters and return the results; a damaged file is replaced once.

        Raises:
            InputError: The file cannot be used.
        """
        try:
            try:
                return self._try(command, rows)
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode & 0xFF not in _DAMAGED:
                    raise  # another process writes, or the disk is full
                self.close()
                self.path.unlink()
                return self._try(command, rows)
        except (sqlite3.Error, OSError) as error:
            raise InputError(f"{self.path}: cannot be used ({error}); give another folder") from None

    def _try(self, command: str, rows: Sequence[Sequence[Any]]) -> list[Any]:
        connection = self._connection()
        with connection:  # all rows or none
            return [found for row in rows for found in connection.execute(command, row)]

    def _connection(self) -> sqlite3.Connection:
        """Return the connection of this process, as connections do not survive a fork."""
        if self._opened is None or self._opened[0] != os.getpid():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=_PATIENCE, check_same_thread=False)
            self._opened = os.getpid(), connection
            with connection:
                connection.execute(f"CREATE TABLE IF NOT EXISTS packed ({_COLUMNS})")
        return self._opened[1]


@contextmanager
def held(folder: Path, name: str = ".lock") -> Iterator[None]:
    """Lock a folder against other programs that lock it, until the context or this process ends.

    The lock is SQLite's on a file in the folder, which works on every system. The file is not removed, as
    another program may be waiting for it.

    Args:
        folder: The folder.
        name: The file to lock; parts of the folder that programs may write at the same time need different
            ones.

    Raises:
        UsageError: Another program holds the lock.
        InputError: The folder cannot be locked.
    """
    path = folder / name
    try:
        connection = sqlite3.connect(path, timeout=1, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            problem = "is in use by another program; wait for it to end, or give another folder"
            raise UsageError(f"{folder} {problem}") from None
        raise InputError(f"{path}: cannot be locked ({error}); remove it, or give another folder") from None
    with closing(connection):
        yield
