"""One side of a comparison: an M2 file, or blocks in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TypeAlias

from jperrant.data import Block
from jperrant.errors import FormatError
from jperrant.io.m2 import Oddities, read_m2

#: The path of an M2 file, or blocks.
Side: TypeAlias = str | PathLike[str] | Iterable[Block]


@dataclass(frozen=True, slots=True)
class NamedBlocks:
    """The blocks of one side.

    Attributes:
        blocks: The blocks.
        name: The side in tables and messages; the path of a file.
        notes: What was odd about the file, in at most one line.
    """

    blocks: tuple[Block, ...]
    name: str
    notes: tuple[str, ...] = ()


def read_side(
    side: Side, name: str, strict: bool = False, watch: Callable[[Iterable[Block]], Iterable[Block]] = iter
) -> NamedBlocks:
    """Return the blocks of one side.

    Args:
        side: The path of an M2 file, or blocks; a file must have a sentence, blocks may be none.
        name: What to call blocks in memory.
        strict: Make every departure of a file from the M2 dialect an error.
        watch: Passes on the blocks of a file as they are read (a progress bar).

    Raises:
        FormatError: The file is not M2, or has no sentences.
        InputError: The file cannot be read.
    """
    if not isinstance(side, str | PathLike):
        return NamedBlocks(tuple(side), name)
    path = fspath(side)
    oddities = Oddities(strict)
    blocks = tuple(watch(read_m2(path, strict, oddities)))
    if not blocks:
        raise FormatError(path, None, "no sentences, expected M2 blocks that begin with an S line")
    summary = oddities.summary(path)
    return NamedBlocks(blocks, path, (summary,) if summary else ())
