"""Blocks in a temporary file, for work that needs its whole input before the first output, or two passes.

The temporary file has no name, so nothing is left of it however the program ends.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import IO

from jperrant.core.errors import InputError
from jperrant.core.values import Block
from jperrant.io.files import reason


class Spool:
    """Blocks in a temporary file; iterating again begins anew, one iteration at a time.

    Attributes:
        count: The number of blocks.
        annotators: The annotators of all blocks, in ascending order.
    """

    def __init__(self, stream: IO[bytes], blocks: Iterable[Block]) -> None:
        self._stream, self.count = stream, 0
        annotators: set[int] = set()
        for block in blocks:
            self.count += 1
            pickle.dump(block, stream, pickle.HIGHEST_PROTOCOL)
            annotators.update(a.annotator for a in block.annotations)
        stream.flush()
        self.annotators = sorted(annotators)

    def __iter__(self) -> Iterator[Block]:
        self._stream.seek(0)
        for _ in range(self.count):
            block: Block = pickle.load(self._stream)
            yield block


@contextmanager
def spooled(blocks: Iterable[Block]) -> Iterator[Spool]:
    """Put blocks into a file until the end of the ``with`` block.

    Raises:
        InputError: There is no room for temporary files.
    """
    try:
        with TemporaryFile() as stream:
            spool = Spool(stream, blocks)
            yield spool
    except OSError as error:  # readers and writers of other files have errors of their own
        raise InputError(
            f"temporary file: cannot be written ({reason(error)}); "
            "set TMPDIR to a folder with room for a copy of the input"
        ) from None
