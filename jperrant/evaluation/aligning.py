"""Aligning two M2 files over the same text, with different sentences or tokens, to the same blocks and tokens."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from jperrant.alignment.documents import AlignedBlocks, align_blocks
from jperrant.core.edits import annotators_in
from jperrant.core.errors import InputError
from jperrant.core.messages import plural
from jperrant.core.values import Block
from jperrant.evaluation.read_sides import M2Input, M2Reader, read_blocks
from jperrant.io.files import STDIO, check_outputs, check_stdin, is_regular, open_outputs, reason
from jperrant.io.m2 import FormatDeviations, FormatDeviationWarning, read_m2, write_m2

#: The number of sentences of a file above which it is aligned in parts of this size, to bound memory.
TOGETHER = 20_000


def align(
    hyp: M2Input, ref: M2Input, method: str = "jp", *, threshold: float | None = None, strict: bool = False
) -> AlignedBlocks:
    """Align two M2 files, or lists of blocks, over the same text to the same blocks and tokens
    (``jperrant.align``).

    Args:
        hyp, ref: Paths of M2 files, or blocks in the order of the text.
        method, threshold: As in :func:`~jperrant.alignment.documents.align_blocks`.
        strict: Make every deviation from M2 an error instead of a FormatDeviationWarning.

    Raises:
        UsageError: The method is unknown.
        InputError: A file cannot be read or is not M2, or the two sides are different texts.
    """
    left, right = read_blocks(hyp, "the hypothesis", strict), read_blocks(ref, "the reference", strict)
    for note in (*left.notes, *right.notes):
        warnings.warn(note, FormatDeviationWarning, stacklevel=2)
    return align_blocks(
        left.blocks, right.blocks, method, threshold=threshold, hyp_name=left.name, ref_name=right.name
    )


def output_paths(hypothesis: str, references: str, folder: Path) -> tuple[Path, Path]:
    """Return the paths of two aligned files: the names of the inputs, with ``.hyp`` and ``.ref`` if these are
    equal.

    Args:
        hypothesis, references: The input files, ``-`` for standard input.
        folder: The folder of the output.

    Raises:
        UsageError: Both sides are standard input, or an output would overwrite an input.
    """
    check_stdin((hypothesis, references))
    hyp, ref = (
        Path(default if path == STDIO else Path(path).name)
        for path, default in ((hypothesis, "hypothesis.m2"), (references, "references.m2"))
    )
    # File systems may not distinguish case.
    if hyp.name.casefold() == ref.name.casefold():
        hyp, ref = Path(f"{hyp.stem}.hyp{hyp.suffix}"), Path(f"{ref.stem}.ref{ref.suffix}")
    targets = folder / hyp, folder / ref
    for target in targets:
        check_outputs([str(target)], (hypothesis, references))
    return targets


def align_files(
    hypothesis: str,
    references: str,
    targets: tuple[Path, Path],
    method: str = "jp",
    *,
    strict: bool = False,
    watch: Callable[[Iterable[Block]], Iterable[Block]] = iter,
) -> tuple[AlignedBlocks, list[str]]:
    """Align two M2 files and write both outputs completely, or neither.

    Files of more than ``TOGETHER`` sentences are aligned in parts, which end between two sentences that are equal
    in both files. Pipes are aligned as a whole.

    Args:
        hypothesis, references: The files.
        targets: The paths of the outputs, from :func:`output_paths`; their folder is created.
        method: As in :func:`~jperrant.alignment.documents.align_blocks`.
        strict: Make every deviation from M2 an error.
        watch: A function that passes blocks on, such as a progress bar.

    Returns:
        The alignment without its blocks, and notes about the files.

    Raises:
        UsageError: The method is unknown, or an output would overwrite an input.
        InputError: A file cannot be read or written or is not M2, or the two files are different texts.
    """
    paths = hypothesis, references
    readers = [M2Reader(path, strict=strict) for path in paths]
    streams = [iter(watch(reader)) for reader in readers]
    sides = [list(islice(stream, TOGETHER + 1)) for stream in streams]
    large = max(map(len, sides)) > TOGETHER and all(map(is_regular, paths))
    hyps, refs = [chain(sides.pop(0), stream) for stream in streams]
    size, names = TOGETHER if large else None, None
    if large:
        names = [annotators_in(read_m2(path, False, FormatDeviations())) or [0] for path in paths]
    done: list[AlignedBlocks] = []
    parts = _aligned(paths, _parts(hyps, refs, size), method, names)
    first = next(parts)  # errors of the first part are raised before the folder is created
    folder = targets[0].parent
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: the folder cannot be created ({reason(error)})") from None
    try:
        with open_outputs([*map(str, targets)], paths) as [hyp_stream, ref_stream]:
            for aligned, starts in chain([first], parts):
                write_m2(aligned.hyp, hyp_stream)
                write_m2(aligned.ref, ref_stream)
                done.append(_counted_on(aligned, *starts))
    except BaseException:
        if is_new:
            with suppress(OSError):  # the folder is not empty if another program wrote to it
                folder.rmdir()
        raise
    notes = [note for reader in readers for note in reader.notes()]
    if large:
        notes.append(
            f"{hypothesis} and {references} have more than {TOGETHER:,} sentences, so they were aligned in "
            f"{plural(len(done), 'part')}, each of which ends between two sentences that are equal in both files"
        )
    return _summed(done), notes


def _aligned(
    paths: tuple[str, str],
    parts: Iterable[tuple[list[Block], list[Block]]],
    method: str,
    annotators: Sequence[Sequence[int]] | None,
) -> Iterator[tuple[AlignedBlocks, tuple[int, int]]]:
    """Yield the alignment of each part, with the number of sentences before it in each file."""
    starts = 0, 0
    for sides in parts:
        called = list(paths)
        if annotators is not None:  # the files have several parts
            each = zip(paths, starts, sides, strict=True)
            called = [f"{path}, sentences {start + 1}-{start + len(own)}" for path, start, own in each]
        yield (
            align_blocks(*sides, method, hyp_name=called[0], ref_name=called[1], annotators=annotators),
            starts,
        )
        starts = starts[0] + len(sides[0]), starts[1] + len(sides[1])


def _parts(
    hyps: Iterator[Block], refs: Iterator[Block], together: int | None
) -> Iterator[tuple[list[Block], list[Block]]]:
    """Yield the blocks of both sides in parts of about ``together`` blocks, or more if no cut is found."""
    hyp, ref, size = list[Block](), list[Block](), together
    while True:
        hyp += islice(hyps, None if size is None else size - len(hyp))
        ref += islice(refs, None if size is None else size - len(ref))
        if size is None or (len(hyp) < size and len(ref) < size):
            yield hyp, ref
            return
        if (cut := _cut(hyp, ref)) is None:
            size *= 2
            continue
        yield hyp[: cut[0]], ref[: cut[1]]
        hyp, ref, size = hyp[cut[0] :], ref[cut[1] :], together


def _cut(hyp: Sequence[Block], ref: Sequence[Block]) -> tuple[int, int] | None:
    """Return the last position between two sentences that are equal on both sides and unique; None without one."""
    ours, theirs = (["".join(block.source) for block in side] for side in (hyp, ref))
    once = {text for side in (Counter(ours), Counter(theirs)) for text, count in side.items() if count == 1}
    once -= {text for side in (Counter(ours), Counter(theirs)) for text, count in side.items() if count > 1}
    places = {text: number for number, text in enumerate(theirs) if text in once}
    for number in range(len(ours) - 1, 0, -1):
        place, before = places.get(ours[number], 0), ours[number - 1]
        if place and before in once and before == theirs[place - 1]:
            return number, place
    return None


def _counted_on(aligned: AlignedBlocks, hyp: int, ref: int) -> AlignedBlocks:
    """Return an alignment without its blocks; the numbers in its groups continue those of the parts before."""
    groups = [(tuple([n + ref for n in a]), tuple([n + hyp for n in b])) for a, b in aligned.groups]
    return replace(aligned, hyp=(), ref=(), groups=tuple(groups))


def _summed(parts: Sequence[AlignedBlocks]) -> AlignedBlocks:
    """Return the alignments of all parts as one."""
    if len(parts) == 1:
        return parts[0]
    groups = tuple([group for part in parts for group in part.groups])
    counts = {name: sum(part.counts[name] for part in parts) for name in parts[0].counts}
    return replace(
        parts[0],
        groups=groups,
        similarity=sum(part.similarity * len(part.groups) for part in parts) / len(groups),
        counts=counts,
    )
