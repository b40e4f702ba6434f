"""An M2 file as it stands: its blocks and the exact text of each, so that what nobody changed stays as it was."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from jperrant.core.errors import InputError
from jperrant.core.m2_format import format_block
from jperrant.core.values import Block
from jperrant.io.files import decode_lines, open_input, read_raw
from jperrant.io.m2 import FormatDeviations, LineKind, kind_of, parse_m2, visible


@dataclass(frozen=True, slots=True)
class Original:
    """An M2 file.

    Attributes:
        path: Its name as the user gave it.
        head: What stands before the first S line: blank lines, a byte-order mark.
        blocks: Its blocks.
        texts: The exact text of each block up to the next; None where it is that of ``format_block``.
        sha256: The checksum of its bytes, after decompression.
        deviations: What was read leniently.
    """

    path: str
    head: str
    blocks: tuple[Block, ...]
    texts: tuple[str | None, ...]
    sha256: str
    deviations: FormatDeviations


def read_original(path: str, strict: bool = False) -> Original:
    """Read an M2 file, ``-`` meaning standard input.

    Raises:
        FormatError: A line cannot be read, or any deviation from the dialect if strict.
        InputError: The file cannot be read.
    """
    with open_input(path) as stream:
        raw = list(read_raw(path, stream))
    deviations = FormatDeviations(strict)
    lines = list(decode_lines(raw, path, lambda line, kind: deviations.add(path, line, kind)))
    blocks = tuple(parse_m2(lines, path, deviations))
    head, *texts = _block_texts(lines, raw)
    exact = [None if text == _format(block) else text for block, text in zip(blocks, texts, strict=True)]
    checksum = hashlib.sha256(b"".join(raw)).hexdigest()
    return Original(path, head, blocks, tuple(exact), checksum, deviations)


def text_of(block: Block, exact: str | None) -> str:
    """Return a block as its file has it.

    Raises:
        InputError: It cannot be written in M2.
    """
    return format_block(block) if exact is None else exact


def _block_texts(lines: Sequence[str], raw: Sequence[bytes]) -> list[str]:
    """Return the text before the first S line, and that of each S line with what follows it."""
    texts: list[list[str]] = [[]]
    for number, line in enumerate(raw):
        if number < len(lines) and kind_of(visible(lines[number])) is LineKind.SOURCE:
            texts.append([])
        texts[-1].append(line.decode("utf-8"))
    return ["".join(text) for text in texts]


def _format(block: Block) -> str | None:
    try:
        return format_block(block)
    except InputError:  # what was read leniently may be nothing that can be written
        return None
