"""M2 files over the same sentences: several merged into one, and one split into a file for each annotator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from jperrant.core.edits import numbered_on
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.messages import plural
from jperrant.core.progress import track
from jperrant.core.values import Annotation, Block, format_block
from jperrant.exchange.collect import difference
from jperrant.io.files import STDIO, open_outputs, reason
from jperrant.io.m2 import Spool, spooled


def merge_m2(
    files: Sequence[Iterable[Block]], names: Sequence[str], notes: list[str] | None = None
) -> Iterator[Block]:
    """Yield the blocks of several files as one, annotators numbered from 0 in the order of files.

    A file without any annotation counts as one annotator who changed nothing. An annotator of a file who is
    missing in a sentence counts as having changed nothing there, too.

    Args:
        files: The blocks of each file.
        names: The names of the files.
        notes: Gets a line for each file in which one of several annotators is missing somewhere, and for each
            file that is given twice.

    Raises:
        FormatError: The sentences are not the same; shows the first that differs.
    """
    if notes is not None:
        twice = [name for name, count in Counter(names).items() if count > 1]
        notes += [f"{name}: given twice, so its annotators appear twice" for name in twice]
    with ExitStack() as stack:
        spools = [stack.enter_context(spooled(file)) for file in files]
        numbers, missing = numbered_on(spool.annotators for spool in spools), [0] * len(spools)
        # Everything is compared before the first block is yielded, so that a merge that fails writes nothing.
        _require_same(spools, names)
        for blocks in track(
            zip(*spools, strict=True), "merging (sentences)", spools[0].count if spools else 0
        ):
            annotations: list[Annotation] = []
            for k, block in enumerate(blocks):
                missing[k] += len(block.annotations) < len(spools[k].annotators)
                annotations += _annotations(block, numbers[k])
            yield Block(blocks[0].source, tuple(annotations))
    if notes is not None:
        for name, spool, n in zip(names, spools, missing, strict=True):
            if n and len(spool.annotators) > 1:
                notes.append(f"{name}: an annotator is missing in {plural(n, 'sentence')}, read as unchanged")


def _annotations(block: Block, numbers: Mapping[int, int]) -> list[Annotation]:
    return [replace(block.annotation(old) or Annotation(old), annotator=new) for old, new in numbers.items()]


def _require_same(spools: Sequence[Spool], names: Sequence[str]) -> None:
    """Compare the sentences of all files with those of the first.

    Raises:
        FormatError: They are not the same; shows the first that differs.
    """
    for number, blocks in enumerate(zip(*spools, strict=False), start=1):
        for block, name in zip(blocks, names, strict=True):
            if block.source != blocks[0].source:
                problem = difference(" ".join(block.source), " ".join(blocks[0].source))
                raise FormatError(name, None, f"sentence {number} differs from that of {names[0]}: {problem}")
    for spool, name in zip(spools, names, strict=True):
        if spool.count != spools[0].count:
            problem = f"found {plural(spool.count, 'sentence')}, expected {spools[0].count} as in {names[0]}"
            raise FormatError(name, None, problem)


#: The placeholder for the number of the annotator in a pattern of file names.
PLACE = "{}"


def only(block: Block, annotator: int) -> Block:
    """Return a block with the annotation of one annotator, who becomes annotator 0."""
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
