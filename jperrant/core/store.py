"""Values by kind and key in one SQLite file, and the lock of a folder that one program writes to at a time.

A key stands for everything that its value depends on, so that a value is never out of date. Each value has a
checksum: what is damaged counts as missing and is made anew.
"""

from __future__ import annotations

import hashlib
import os
import socket
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from jperrant.core.errors import InputError, UsageError

#: Seconds in which another process that is writing must have finished.
_PATIENCE = 60
#: Keys in one question to SQLite, which takes 32,766 parameters at most.
_MOST_KEYS = 10_000
_COLUMNS = "kind TEXT, key TEXT, checksum BLOB, value BLOB, PRIMARY KEY (kind, key)"


class Store:
    """Bytes by kind and key in a file, which several processes may read and write.

    A value is there whole or not at all, whatever ends a process. A file that is no store is made anew.

    Args:
        path: The file; made, with its folder, when something is written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._opened: tuple[int, sqlite3.Connection] | None = None

    def __reduce__(self) -> tuple[type[Store], tuple[Path]]:
        return type(self), (self.path,)

    def get(self, kind: str, key: str) -> bytes | None:
        """Return a value; None if it is not there, or damaged."""
        return self.get_many(kind, [key]).get(key)

    def get_many(self, kind: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return those values that are there and whole, by key.

        Raises:
            InputError: The file cannot be opened.
        """
        if not self.path.exists():
            return {}
        found = {}
        for start in range(0, len(keys), _MOST_KEYS):
            some = keys[start : start + _MOST_KEYS]
            places = ",".join("?" * len(some))
            query = f"SELECT key, checksum, value FROM entries WHERE kind = ? AND key IN ({places})"
            for key, checksum, packed in self._run(query, [(kind, *some)]):
                if isinstance(packed, bytes) and checksum == _checksum(kind, key, packed):
                    found[key] = zlib.decompress(packed)
        return found

    def put(self, kind: str, values: Mapping[str, bytes]) -> None:
        """Keep values by key, all of them or none.

        Raises:
            InputError: The file cannot be written.
        """
        packed = [(key, zlib.compress(value)) for key, value in values.items()]
        rows = [(kind, key, _checksum(kind, key, value), value) for key, value in packed]
        self._run("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        if self._opened is not None:
            self._opened[1].close()
            self._opened = None

    def _run(self, command: str, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """Return what a command gives for each row of parameters; a file that is no store is made anew once.

        Raises:
            InputError: The file cannot be used.
        """
        try:
            try:
                return self._try(command, rows)
            except sqlite3.DatabaseError as error:
                damaged = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
                if not damaged and self.path.is_file() and os.access(self.path, os.R_OK | os.W_OK):
                    raise  # another process writes, or the disk is full
                self._remove()
                return self._try(command, rows)
        except (sqlite3.Error, OSError) as error:
            raise InputError(f"{self.path}: cannot be used ({error}); give another folder") from None

    def _try(self, command: str, rows: Sequence[Sequence[Any]]) -> list[Any]:
        connection = self._connection()
        with connection:  # all rows or none
            return [found for row in rows for found in connection.execute(command, row)]

    def _connection(self) -> sqlite3.Connection:
        """Return the connection of this process: one does not survive a fork."""
        if self._opened is None or self._opened[0] != os.getpid():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=_PATIENCE, check_same_thread=False)
            self._opened = os.getpid(), connection
            with connection:
                connection.execute(f"CREATE TABLE IF NOT EXISTS entries ({_COLUMNS})")
        return self._opened[1]

    def _remove(self) -> None:
        """Remove what stands where the store should be: a file, or an empty folder."""
        self.close()
        with suppress(FileNotFoundError):
            self.path.rmdir() if self.path.is_dir() else self.path.unlink()


@contextmanager
def held(folder: Path, name: str = ".lock") -> Iterator[None]:
    """Keep other programs that ask from a folder, until the context or this process ends.

    SQLite locks a file in the folder, on every system; its content says who holds it.

    Args:
        folder: The folder.
        name: The file; another one for each part of the folder that programs may write at the same time.

    Raises:
        UsageError: Another program holds it; says which.
        InputError: The folder cannot be locked.
    """
    path = folder / name
    try:
        connection, holder = _locked(path)
    except sqlite3.Error as error:
        raise InputError(f"{path}: cannot be locked ({error}); remove it, or give another folder") from None
    with closing(connection):
        if holder:
            raise UsageError(f"{folder} is in use by {holder}; wait for it to end, or give another folder")
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink()


def _locked(path: Path) -> tuple[sqlite3.Connection, str]:
    """Return a connection that locks a file as long as it is open, and who has locked it if somebody else has.

    Whoever had locked the file before may have removed it: only a second connection shows what others will find.
    """
    while True:
        connection, attempt = sqlite3.connect(path, timeout=1, isolation_level=None), os.urandom(8)
        holder, written = _lock(connection, attempt)
        if written != attempt:
            return connection, holder
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as another:
            if _lock(another, b"")[1] == attempt:
                return connection, ""
        connection.close()


def _lock(connection: sqlite3.Connection, attempt: bytes) -> tuple[str, bytes]:
    """Lock a file as long as its connection is open; return who has locked it, and in which attempt."""
    who = f"process {os.getpid()} on {socket.gethostname()} since {datetime.now():%Y-%m-%d %H:%M:%S}"
    try:
        connection.execute("PRAGMA journal_mode = MEMORY")  # no file beside it
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("CREATE TABLE IF NOT EXISTS holder (who TEXT, attempt BLOB)")
        connection.execute("DELETE FROM holder")
        connection.execute("INSERT INTO holder VALUES (?, ?)", [who, attempt])
        connection.execute("COMMIT")
        connection.execute("BEGIN IMMEDIATE")  # others can read meanwhile, and cannot begin
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        with suppress(sqlite3.OperationalError):  # nobody has written who it is yet
            holder, theirs = connection.execute("SELECT who, attempt FROM holder").fetchone()
            if theirs != attempt:  # else somebody came between the two transactions
                return holder, theirs
        return "another program", b""
    return who, attempt


def _checksum(kind: str, key: str, packed: bytes) -> bytes:
    return hashlib.sha256(b"\0".join((kind.encode(), key.encode(), packed))).digest()
