"""Sentence vectors kept on disk, by model and tokens."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from jperrant.core.errors import InputError
from jperrant.encoders.find import first_line
from jperrant.encoders.types import Vectors

_SECONDS = 60.0
#: SQLite takes so many values in one statement whatever its version.
_AT_ONCE = 500
#: Bytes of the checksum at the end of each row, as many as a number has.
_CHECKSUM = 4


class VectorCache:
    """A file of vectors; several processes may use it at once.

    Args:
        folder: Where the file lies; made if it is not there.
        model: What the vectors depend on besides the tokens; part of the file's name.

    Raises:
        InputError: The folder or file cannot be used.
    """

    def __init__(self, folder: Path, model: str) -> None:
        self.path = folder / f"{model}.sqlite"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with closing(self._connect()) as database, database:
                database.execute(
                    "CREATE TABLE IF NOT EXISTS vectors (tokens BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID"
                )
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from error

    def get(self, sequences: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], Vectors]:
        """Return the vectors that are there, by token numbers; damaged rows count as missing."""
        keys = {_key(sequence): sequence for sequence in sequences}
        wanted, cached = list(keys), {}
        try:
            with closing(self._connect()) as database:
                for start in range(0, len(wanted), _AT_ONCE):
                    chunk = wanted[start : start + _AT_ONCE]
                    marks = ",".join("?" * len(chunk))
                    query = f"SELECT tokens, vector FROM vectors WHERE tokens IN ({marks})"
                    for key, vector in database.execute(query, chunk):
                        if (values := _values(vector)) is not None:
                            cached[keys[key]] = values
        except sqlite3.Error as error:
            raise self._unusable(error) from error
        return cached

    def put(self, vectors: Mapping[tuple[int, ...], Vectors]) -> None:
        """Keep vectors."""
        rows: Iterable[tuple[bytes, bytes]] = (
            (_key(sequence), _row(vector)) for sequence, vector in vectors.items()
        )
        try:
            with closing(self._connect()) as database, database:
                database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=_SECONDS)

    def _unusable(self, error: Exception) -> InputError:
        return InputError(
            f"cache {self.path}: cannot be used ({first_line(error)}); delete it or give another folder"
        )


def _row(vector: Vectors) -> bytes:
    values = vector.astype(np.float32).tobytes()
    return values + zlib.crc32(values).to_bytes(_CHECKSUM, "little")


def _values(row: object) -> Vectors | None:
    """Return the vector of a row, or None if the row is damaged, so that it is made again."""
    if not isinstance(row, bytes) or len(row) <= _CHECKSUM or len(row) % _CHECKSUM:
        return None
    values, checksum = row[:-_CHECKSUM], row[-_CHECKSUM:]
    if zlib.crc32(values).to_bytes(_CHECKSUM, "little") != checksum:
        return None
    return np.frombuffer(values, dtype=np.float32)


def _key(sequence: tuple[int, ...]) -> bytes:
    return hashlib.sha256(np.array(sequence, dtype="<i8").tobytes()).digest()
