"""One M2 file made several, one for each annotator."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.m2_format import format_block
from jperrant.core.progress import track
from jperrant.core.values import Block
from jperrant.io.files import STDIO, open_outputs, reason
from jperrant.io.spool import spooled

#: What stands for the number of the annotator in a pattern of file names.
PLACE = "{}"


def only(block: Block, annotator: int) -> Block:
    """Return a block with the annotation of one annotator alone, who becomes annotator 0."""
    annotation = block.annotation(annotator)
    return Block(block.source, () if annotation is None else (replace(annotation, annotator=0),))


def split_m2(blocks: Iterable[Block], out: str, file: str = "M2") -> list[str]:
    """Write one file for each annotator and return their names; all of them appear, or none.

    In its file each annotator is number 0. A sentence without an annotation by the annotator is written
    without one.

    Args:
        blocks: The blocks.
        out: Where the files go: a name with ``{}`` in the place of the annotator's number, or else a folder,
            in which they are called ``0.m2``, ``1.m2`` ….
        file: Name of the input, which may not be one of the outputs.

    Raises:
        FormatError: There are no annotations.
        InputError: A file cannot be written.
        UsageError: ``out`` is standard output.
    """
    if out == STDIO:
        raise UsageError(
            "split writes several files; give a folder, or a file name with {} for the annotator's number"
        )
    with spooled(blocks) as spool:
        if not spool.annotators:
            raise FormatError(file, None, "found no annotations, so there is nothing to split")
        paths = {annotator: _path(out, annotator) for annotator in spool.annotators}
        with open_outputs(list(paths.values()), [file]) as streams:
            for block in track(spool, "writing (sentences)", spool.count):
                for annotator, stream in zip(paths, streams, strict=True):
                    stream.write(format_block(only(block, annotator)))
    return list(paths.values())


def _path(out: str, annotator: int) -> str:
    path = Path(out.replace(PLACE, str(annotator))) if PLACE in out else Path(out, f"{annotator}.m2")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent}: the folder cannot be created ({reason(error)})") from None
    return str(path)
