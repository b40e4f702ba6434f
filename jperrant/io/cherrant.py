"""ChERRANT's dialect of M2 (Zhang et al. 2022): reading it and writing it.

It differs from ours in its letters, in ``-NONE-`` for the text of a deletion, in ``T`` lines that hold the
corrected sentence before the edits of each annotator, in alternatives (``T0-A0``, ``T0-A1`` …: edits that are as
cheap as the first ones), and in an annotation ``NA`` for sentences that cannot be annotated. Files of this kind
come with three sets of letters, which cannot be told apart; so the reader takes the set as an argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TextIO

from jperrant.core.edits import corrected
from jperrant.core.errors import FormatError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.text import sentence_of
from jperrant.core.values import (
    DETECTION_TYPES,
    NONE,
    NOOP,
    SEPARATOR,
    UNKNOWN,
    Annotation,
    Block,
    Edit,
    Parallel,
    format_block,
    line_of,
)
from jperrant.io.files import read_lines
from jperrant.io.m2 import (
    TARGET_SKIPPED,
    FormatDeviations,
    LineKind,
    kind_of,
    m2_lines,
    parse_m2,
    visible,
)
from jperrant.io.records import RecordCheck

#: Letters for what is missing, unnecessary, replaced and moved. ``rsw`` are ChERRANT's own (R is redundant);
#: ``ust`` CLEME's; ``mur`` ERRANT's, where a move is a replacement.
LETTERS: Mapping[str, Mapping[str, str]] = {
    "rsw": {"M": "M", "R": "U", "S": "R", "W": "R:WO"},
    "ust": {"M": "M", "U": "U", "S": "R", "T": "R:WO"},
    "mur": {"M": "M", "U": "U", "R": "R"},
}
NO_ERROR, NOT_ANNOTATABLE = "没有错误", "无法标注"
NA = "NA"
_MOVE = "R:WO"
#: Labels written otherwise; the second is a slip of CLEME's.
_LABELS = {"QUAN": "QUANT", "PERP": "PREP"}
#: The T line of an annotator's first correction, or of the only one.
_FIRST = re.compile(r"T\d+(?:-A0)?(?:\s|\Z)")
#: What the dialect is known for; alternatives begin again at the left.
_EXPECTED = frozenset([TARGET_SKIPPED, "-NONE- as the correction of a deletion"])
_EXPECTED_OF_POOLED = _EXPECTED | {"edits out of order", "overlapping edits"}


def read_cherrant(
    path: str,
    letters: str = "rsw",
    deviations: FormatDeviations | None = None,
    notes: list[str] | None = None,
) -> Iterator[Block]:
    """Yield the blocks of a file of ChERRANT's dialect in ours, ``-`` meaning standard input.

    Of alternatives the first is read. An annotator who marked a sentence as not annotatable gets one detection
    edit ``UNK`` over the whole of it: it says that something is wrong, and changes nothing.

    Args:
        path: The file.
        letters: What its letters mean, a name of ``LETTERS``.
        deviations: Counts what is in neither dialect, or makes it an error.
        notes: Gets a line when alternatives were left out.

    Raises:
        UsageError: The letters are not known.
        FormatError: A line cannot be read, or has a letter that is not among these.
        InputError: The file cannot be opened.
    """
    left_out: list[int] = []
    yield from _blocks(path, _letters(letters), deviations, left_out)
    if left_out and notes is not None:
        notes.append(
            f"{path}: {plural(len(left_out), 'alternative')} (A1, A2 …) left out: M2 holds one correction for "
            "each annotator"
        )


def read_cherrant_pooled(path: str, deviations: FormatDeviations | None = None) -> Iterator[Block]:
    """Yield blocks as ChERRANT's scorer reads them: types as they are, alternatives in one annotation.

    A sentence marked as not annotatable has an edit of the type ``NA`` over the whole of it.
    """
    return _blocks(path, {}, deviations, [])


def _blocks(
    path: str, letters: Mapping[str, str], deviations: FormatDeviations | None, left_out: list[int]
) -> Iterator[Block]:
    """Yield blocks with our types, or with their own if there are no letters."""
    counted = deviations if deviations is not None else FormatDeviations()
    counted.expected = _EXPECTED if letters else _EXPECTED_OF_POOLED
    return parse_m2(_our_lines(path, m2_lines(path, counted), letters, left_out), path, counted)


def _our_lines(
    path: str, lines: Iterable[str], letters: Mapping[str, str], left_out: list[int]
) -> Iterator[str]:
    """Yield lines in our dialect, one for one, so that they can be counted; what is left out becomes a T line.

    Args:
        path, lines: The file and its lines.
        letters: Our letters by theirs; none to leave types as they are and no alternative out.
        left_out: Gets the lines of alternatives.
    """
    length, skipping = 0, False
    for number, line in enumerate(lines, start=1):
        kind, fields = kind_of(bare := visible(line)), bare.split(SEPARATOR)
        if kind is LineKind.SOURCE:
            length, skipping = len(bare[1:].split()), False
        elif kind is LineKind.TARGET and letters:
            skipping = _FIRST.match(bare) is None
            left_out += [number] * skipping
        elif kind is LineKind.EDIT and skipping:
            fields = ["T0"]
        elif kind is LineKind.EDIT and fields[1:2] == [NA]:
            fields[:3] = f"A 0 {length}", UNKNOWN if letters else NA, NONE
        elif kind is LineKind.EDIT and letters and len(fields) > 2 and fields[1] != NOOP:
            fields[1] = _ours(fields[1], letters, path, number)
        yield line.removesuffix(bare) + SEPARATOR.join(fields)


def _ours(name: str, letters: Mapping[str, str], path: str, line: int) -> str:
    """Return our type for one of ChERRANT's."""
    letter, colon, label = name.partition(":")
    if name in DETECTION_TYPES:
        return name
    if letter not in letters:
        fix = f"give the letters of this file (cherrant:letters={'|'.join(LETTERS)})"
        raise FormatError(path, line, f"type {name!r} begins with none of {', '.join(letters)}; {fix}")
    ours = letters[letter]
    return ours if ours == _MOVE or not colon else f"{ours}:{_LABELS.get(label, label)}"


def read_para(
    path: str,
    unsure: Callable[[frozenset[int]], None] = lambda _: None,
    check: RecordCheck | None = None,
) -> Iterator[Parallel]:
    """Yield the rows of ChERRANT's input: a name, the source and one correction for each annotator, in tabs.

    ``没有错误`` instead of a correction says that there is no error, ``无法标注`` that the annotator could not
    tell; both stand for the source as it is. An empty line is an empty sentence that nobody changed.

    Args:
        path: The file; ``-`` is standard input.
        unsure: Is told of each row which annotators could not tell.
        check: Checks the rows.

    Raises:
        FormatError: A row has no correction, or a token holds ``|||``.
    """
    check = check or RecordCheck()
    for number, line in enumerate(read_lines(path), start=1):
        name, *texts = line.split("\t")
        if len(texts) < 2 and line.strip():
            found = plural(len(texts) + 1, "column")
            raise FormatError(path, number, f"found {found}, expected name, source, correction …")
        source, *corrections = texts or ["", ""]
        said = [text.strip() for text in corrections]
        same = [
            text if one not in (NO_ERROR, NOT_ANNOTATABLE) else source
            for text, one in zip(corrections, said, strict=True)
        ]
        record = Parallel(sentence_of(source, name), tuple(map(sentence_of, same)))
        unsure(frozenset([n for n, one in enumerate(said) if one == NOT_ANNOTATABLE]))
        yield check.accept(record, lambda _, number=number: (path, number))


def with_unsure(block: Block, unsure: frozenset[int]) -> Block:
    """Return the block with those who could not tell marked as in ``read_cherrant``."""
    if not unsure:
        return block
    whole = (Edit(0, len(block.source), None, UNKNOWN),)
    marked = [Annotation(a.annotator, whole) if a.annotator in unsure else a for a in block.annotations]
    return Block(block.source, tuple(marked))


def write_cherrant(
    blocks: Iterable[Block],
    stream: TextIO,
    letters: str = "rsw",
    labels: Mapping[str, str] | None = None,
    bare: bool = False,
    file: str = "M2",
) -> int:
    """Write blocks in ChERRANT's dialect, each annotator with a T line, and return how many there were.

    Args:
        blocks: The blocks.
        stream: Where to write.
        letters: Which letters to use, a name of ``LETTERS``.
        labels: ChERRANT's names of types (``M:QUAN`` for ``M:QUANT``); a type not among them keeps its name.
        bare: Write letters without labels, as ChERRANT does at character level.
        file: Name of the file in messages.

    Raises:
        UsageError: The letters are not known.
        InputError: A token or type cannot be written in M2.
        FormatError: Edits overlap or reach outside their sentence; names file, sentence and annotator.
    """
    theirs = {ours: letter for letter, ours in _letters(letters).items()}
    count = 0
    for count, block in enumerate(blocks, start=1):
        lines = [line_of(block.source)]
        for annotation in block.annotations:
            name = f"T{annotation.annotator}"
            if annotation.edits == (
                Edit(0, len(block.source), None, UNKNOWN),
            ):  # the whole is wrong, no more
                fields = ("A -1 -1", NA, NONE, "REQUIRED", NONE, str(annotation.annotator))
                lines += [f"{name} {NOT_ANNOTATABLE}", SEPARATOR.join(fields)]
                continue
            tokens = corrected(block.source, annotation.edits, file, count, annotation.annotator)
            lines.append(" ".join((f"{name}-A0", *tokens)) if annotation.edits else f"{name} {NO_ERROR}")
            edits = [
                replace(e, type=_in_letters(e.type, theirs, labels or {}, bare)) for e in annotation.edits
            ]
            typed = Annotation(annotation.annotator, tuple(edits))
            rows = format_block(Block(block.source, (typed,))).rstrip("\n").split("\n")[1:]
            lines += map(_deletion_named, rows)
        stream.write("\n".join(lines) + "\n\n")
    return count


def _deletion_named(row: str) -> str:
    """Return an edit line whose empty correction is ``-NONE-``; a correction may hold bars of its own."""
    span, type_, rest = row.split(SEPARATOR, 2)
    correction, *tail = rest.rsplit(SEPARATOR, 3)
    return SEPARATOR.join((span, type_, correction or NONE, *tail))


def _in_letters(type_: str, theirs: Mapping[str, str], labels: Mapping[str, str], bare: bool) -> str:
    if type_ == UNKNOWN or (type_ == _MOVE and _MOVE in theirs):
        return theirs.get(type_, type_)
    letter, colon, label = labels.get(type_, type_).partition(":")
    letter = theirs.get(letter, letter)
    return letter if bare or not colon else f"{letter}:{label}"


def _letters(name: str) -> Mapping[str, str]:
    if name not in LETTERS:
        raise UsageError(
            f"unknown letters {name!r}{nearest(name, LETTERS)}; expected one of {', '.join(LETTERS)}"
        )
    return LETTERS[name]
