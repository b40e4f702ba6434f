"""The side file ``NAME.jperrant.json``: the exported M2 file, from which unchanged sentences are restored.

No tool stores who looked at a sentence without correcting it, the order of edits at one place, empty sentences or
the exact bytes. The side file holds the text of the M2 file, block by block, and the number of blocks of each
document::

    {"format": "jperrant-side-file", "version": 2, "m2": "gold.m2", "sha256": "…", "documents": [["gold", 2]],
     "blocks": [
    "",
    "S Tihs is\\nA 0 1|||R:SPELL|||This|||REQUIRED|||-NONE-|||0\\n\\n",
    "S \\r\\n\\r\\n"
    ]}

The first text is what stands before the first block.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, NonNegativeInt

from jperrant.core.edits import annotators_in
from jperrant.core.errors import FormatError, InputError
from jperrant.core.values import Block, format_block
from jperrant.exchange.marks import Document
from jperrant.exchange.reading import checked_model, read_bytes
from jperrant.io.files import decode_lines, open_input, read_raw
from jperrant.io.m2 import TARGET_SKIPPED, FormatDeviations, LineKind, kind_of, parse_m2, visible

SUFFIX = ".jperrant.json"
#: A block, and its exact text in its file if that is to be written.
Exact = tuple[Block, str | None]


@dataclass(frozen=True, slots=True)
class Original:
    """An M2 file that was read, or that a side file contains.

    Attributes:
        path: Its path as the user gave it, or the path of the side file.
        head: The text before the first S line: blank lines, a byte-order mark.
        blocks: Its blocks.
        texts: The exact text of each block up to the next; None if ``format_block`` gives the same.
        sha256: The checksum of its bytes, after decompression.
        deviations: The deviations that were read leniently.
        documents: The documents that were exported.
    """

    path: str
    head: str
    blocks: tuple[Block, ...]
    texts: tuple[str | None, ...]
    sha256: str
    deviations: FormatDeviations
    documents: tuple[Document, ...] = ()

    @property
    def annotators(self) -> tuple[int, ...]:
        """The annotators, in ascending order."""
        return tuple(annotators_in(self.blocks))

    @property
    def types(self) -> set[str]:
        """The types of all edits."""
        return {e.type for block in self.blocks for a in block.annotations for e in a.edits}


def read_original(path: str, strict: bool = False) -> Original:
    """Read an M2 file, ``-`` meaning standard input.

    Raises:
        FormatError: A line cannot be read, or any deviation from the dialect if strict; or the file is ChERRANT's.
        InputError: The file cannot be read.
    """
    with open_input(path) as stream:
        original = _parsed(path, list(read_raw(path, stream)), FormatDeviations(strict))
    if line := original.deviations.first.get(TARGET_SKIPPED):
        problem = (
            "found ChERRANT's T line; its R means redundant, not replaced. Convert the file: jperrant m2"
        )
        raise FormatError(path, line, f"{problem} convert FILE OUT.m2 --from cherrant")
    return original


def original_of(path: str, blocks: Sequence[Block]) -> Original:
    """Return blocks as an M2 file in our dialect.

    Raises:
        InputError: One cannot be written in M2.
    """
    checksum = hashlib.sha256("".join(map(format_block, blocks)).encode()).hexdigest()
    return Original(path, "", tuple(blocks), (None,) * len(blocks), checksum, FormatDeviations())


def _parsed(path: str, raw: Sequence[bytes], deviations: FormatDeviations) -> Original:
    lines = list(decode_lines(raw, path, deviations.add))
    blocks = tuple(parse_m2(lines, path, deviations))
    texts: list[list[str]] = [[]]
    for number, line in enumerate(raw):
        if number < len(lines) and kind_of(visible(lines[number])) is LineKind.SOURCE:
            texts.append([])
        texts[-1].append(line.decode("utf-8"))
    head, *own = ["".join(text) for text in texts]
    exact = [None if text == _format(block) else text for block, text in zip(blocks, own, strict=True)]
    return Original(path, head, blocks, tuple(exact), hashlib.sha256(b"".join(raw)).hexdigest(), deviations)


def _format(block: Block) -> str | None:
    try:
        return format_block(block)
    except InputError:  # some content that is read leniently cannot be written
        return None


class _SideFile(BaseModel):
    """The JSON of a side file."""

    format: Literal["jperrant-side-file"]
    version: Literal[2]
    m2: str
    sha256: str
    documents: list[tuple[str, NonNegativeInt]]
    blocks: list[str]


def side_file_lines(original: Original, documents: Iterable[Document]) -> Iterator[str]:
    """Yield the lines of the side file of an export, one for each sentence."""
    header = {
        "format": "jperrant-side-file",
        "version": 2,
        "m2": Path(original.path).name,
        "sha256": original.sha256,
        "documents": [[document.name, len(document.blocks)] for document in documents],
    }
    yield _json(header)[:-1] + ', "blocks": [\n' + _json(original.head)
    for block, exact in zip(original.blocks, original.texts, strict=True):
        yield ",\n" + _json(format_block(block) if exact is None else exact)
    yield "\n]}\n"


def read_side_file(path: str) -> Original:
    """Read a side file.

    Raises:
        FormatError: It is not a side file, or one of a version that this release does not know, or damaged.
        InputError: It cannot be read.
    """
    side = checked_model(_SideFile, read_bytes(path), path, "a side file of jperrant")
    return original_from(path, side.blocks, side.documents, side.sha256)


def original_from(
    path: str, texts: Iterable[str], documents: Sequence[tuple[str, int]], sha256: str
) -> Original:
    """Return the M2 file in a side file or review.

    Args:
        path: The file that contains it.
        texts: The text before its first block, and the text of each block.
        documents: The names of documents and their numbers of sentences.
        sha256: The checksum of the M2 file.

    Raises:
        FormatError: The parts do not fit together; names the file.
    """
    try:
        raw = io.BytesIO("".join(texts).encode()).readlines()
        original = _parsed(path, raw, FormatDeviations())
    except (InputError, ValueError) as error:  # not UTF-8, or not M2
        raise FormatError(path, None, f"a damaged side file ({error}); export again") from None
    if original.sha256 != sha256:
        problem = "a damaged side file (its sentences do not match their checksum); export again"
        raise FormatError(path, None, problem)
    if sum(count for _, count in documents) != len(original.blocks):
        problem = "a damaged side file (its documents have more or fewer sentences than it); export again"
        raise FormatError(path, None, problem)
    blocks = iter(original.blocks)
    cut = [Document(name, tuple(islice(blocks, count))) for name, count in documents]
    return replace(original, documents=tuple(cut))


def find_side_file(path: str) -> str | None:
    """Return the side file of an export: in its folder, or beside its file (``tasks.jsonl.jperrant.json``).

    Raises:
        InputError: A folder has several.
    """
    place = Path(path)
    if not place.is_dir():
        return path + SUFFIX if Path(path + SUFFIX).is_file() else None
    several = sorted(place.glob(f"*{SUFFIX}"))
    if len(several) > 1:
        names = ", ".join(file.name for file in several)
        raise InputError(f"{path}: found several side files ({names}); give one with --side")
    return str(several[0]) if several else None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
