"""A temporary file of values, for work that needs its whole input before the first output, or two passes.

The temporary file has no name, so nothing is left of it however the program ends.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from typing import IO, Generic, TypeVar

from jperrant.core.errors import InputError
from jperrant.core.values import Block
from jperrant.io.files import reason

T = TypeVar("T")


class Aside(Generic[T]):
    """Values in a temporary file; first all are put there, then they are read, one iteration at a time.

    Attributes:
        count: The number of values.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.count = 0

    def put(self, value: T) -> None:
        """Put a value behind the others.

        Raises:
            InputError: The disk is full.
        """
        with _disk():
            pickle.dump(value, self._stream, pickle.HIGHEST_PROTOCOL)
        self.count += 1

    def extend(self, values: Iterable[T]) -> None:
        """Put values behind the others.

        Raises:
            InputError: The disk is full.
        """
        for value in values:
            self.put(value)

    def __iter__(self) -> Iterator[T]:
        with _disk():
            self._stream.flush()
            self._stream.seek(0)
        for _ in range(self.count):
            value: T = pickle.load(self._stream)
            yield value


class Spool(Aside[Block]):
    """Blocks in a temporary file; iterating again begins anew, one iteration at a time.

    Attributes:
        annotators: The annotators of all blocks, in ascending order.
    """

    def __init__(self, stream: IO[bytes], blocks: Iterable[Block]) -> None:
        super().__init__(stream)
        annotators: set[int] = set()
        for block in blocks:
            self.put(block)
            annotators.update(a.annotator for a in block.annotations)
        self.annotators = sorted(annotators)


@contextmanager
def aside(kind: type[T]) -> Iterator[Aside[T]]:  # noqa: ARG001 - for type checkers
    """Give a place for values until the end of the ``with`` block.

    Args:
        kind: Their type.

    Raises:
        InputError: There is no room for temporary files.
    """
    with _temporary() as stream:
        yield Aside(stream)


@contextmanager
def spooled(blocks: Iterable[Block]) -> Iterator[Spool]:
    """Put blocks aside until the end of the ``with`` block.

    Raises:
        InputError: There is no room for temporary files.
    """
    with _temporary() as stream:
        yield Spool(stream, blocks)


@contextmanager
def _temporary() -> Iterator[IO[bytes]]:
    with _disk():
        stream = TemporaryFile()  # noqa: SIM115 - closed below
    try:
        yield stream
    finally:
        with suppress(OSError):  # what could not be written fails once more
            stream.close()


@contextmanager
def _disk() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"temporary file: cannot be written ({reason(error)}); "
            "set TMPDIR to a folder with room for a copy of the input"
        ) from None
