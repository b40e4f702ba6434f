"""Sources and their corrections: parallel files of lines or CoNLL-U sentences, and TSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from typing import TypeVar

from rapidfuzz.distance import Indel

from jperrant.core.errors import DecodingError, FormatError, InputError, UsageError
from jperrant.core.m2_format import shorten
from jperrant.core.messages import plural
from jperrant.core.raw_text import essay_heading
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel, Sentence
from jperrant.io.conllu import read_conllu
from jperrant.io.files import STDIO, count_lines, is_regular, read_decodable, read_lines
from jperrant.io.recognise import LOOKED_AT, Kind, recognise, refuse
from jperrant.io.record_check import RecordCheck, whole

T = TypeVar("T")

#: Lines compared to find where two files go out of step, and how far a shift must help to be one.
_WINDOW = 4
_SHIFT_HELPS = 0.25
#: What a file of sentences is not.
_NO_TEXTS = frozenset(Kind) - {Kind.TEXT, Kind.SOURCES, Kind.EMPTY}


def read_lines_parallel(
    source: str, targets: Sequence[str], check: RecordCheck | None = None, remedy: str = ""
) -> Iterator[Parallel]:
    """Yield the lines of a source file with the same lines of the target files, tokens separated by white space.

    Empty lines are empty sentences.

    Args:
        source, targets: The files.
        check: What is accepted, and what happens to the rest.
        remedy: What a caller can do about different numbers of lines, for the message.

    Raises:
        UsageError: No target, or more than one file is standard input.
        FormatError: The files have different numbers of lines (plain files are counted before anything is
            yielded), or a token holds ``|||``.
    """
    _check_kinds([source, *targets])
    _check_files(source, targets)
    _check_counts([source, *targets], remedy)
    yield from _zip(source, targets, _sentences, "lines", check, remedy)


def _sentences(path: str) -> Iterator[Sentence | DecodingError]:
    """Yield the lines of a file as sentences."""
    for line in _sentence_lines(path, read_decodable(path)):
        yield line if isinstance(line, DecodingError) else sentence_of(line)


def _sentence_lines(path: str, lines: Iterator[T]) -> Iterator[T]:
    """Pass the lines of a file on, unless they are no sentences.

    Raises:
        FormatError: They are of another format.
    """
    first = list(islice(lines, LOOKED_AT))
    refuse(path, recognise(line for line in first if isinstance(line, str)), _NO_TEXTS)
    return chain(first, lines)


def read_texts_parallel(
    source: str, targets: Sequence[str], check: RecordCheck | None = None
) -> Iterator[Parallel]:
    """Yield one record: the whole of a source file with the whole of the target files, as raw texts.

    Raises:
        UsageError: No target, or more than one file is standard input.
    """
    _check_kinds([source, *targets])
    _check_files(source, targets)
    check = check or RecordCheck(tokens_given=False)
    yield from _zip(source, targets, lambda path: iter([_whole(path)]), "texts", check)


def _whole(path: str) -> Sentence:
    """Return a file as one text."""
    return sentence_of("\n".join(_sentence_lines(path, read_lines(path))))


def read_conllu_parallel(
    source: str, targets: Sequence[str], check: RecordCheck | None = None, words: bool = False
) -> Iterator[Parallel]:
    """Yield the sentences of a CoNLL-U file with the same sentences of the target files.

    ``words`` is that of ``read_conllu``.

    Raises:
        UsageError, FormatError: As for lines, and for what is not CoNLL-U.
    """
    _check_files(source, targets)
    yield from _zip(source, targets, lambda path: read_conllu(path, words), "sentences", check)


def read_tsv(path: str, check: RecordCheck | None = None) -> Iterator[Parallel]:
    """Yield the rows of a TSV file: the source, then one column for each annotator's correction.

    Rows may have different numbers of columns. An empty column is a correction that deletes everything.

    Raises:
        FormatError: A row has no correction, or a token holds ``|||``.
    """
    check = check or RecordCheck()
    for number, line in enumerate(read_decodable(path), start=1):
        try:
            record = check.accept(_row(whole(line), path, number), lambda _: (path, number))  # noqa: B023
        except FormatError as error:
            check.refuse(error, line)
        else:
            yield record


def _row(line: str, path: str, number: int) -> Parallel:
    columns = line.split("\t")
    if len(columns) < 2 and line.strip():
        raise FormatError(
            path, number, f"found one column, {shorten(line)}, expected source, tab, correction …"
        )
    source, *corrections = [sentence_of(column) for column in columns]
    # An empty line is an empty sentence that nobody changed.
    return Parallel(source, tuple(corrections or [source]))


def read_essays_parallel(
    source: str, targets: Sequence[str], check: RecordCheck | None = None
) -> Iterator[Parallel]:
    """Yield the essays of a MultiGEC file with the same essays of the target files, as raw texts.

    Raises:
        UsageError, FormatError: As for lines; also where essays do not have the same id.
    """
    _check_files(source, targets)
    records = _zip(source, targets, read_essays, "essays", check or RecordCheck(tokens_given=False))
    for number, record in enumerate(records, start=1):
        for path, correction in zip(targets, record.corrections, strict=True):
            if correction.id != record.source.id:
                raise FormatError(
                    path,
                    None,
                    f"essay {number} is {correction.id!r}, but {record.source.id!r} in {source}; "
                    "put the essays of all files in the same order",
                )
        yield record


def read_essays(path: str) -> Iterator[Sentence]:
    """Yield the essays of a MultiGEC file: each begins with a line ``### essay_id = ID``; its text is raw.

    Raises:
        FormatError: There is text before the first such line.
    """
    id, lines = None, list[str]()
    for number, line in enumerate(read_lines(path), start=1):
        if heading := essay_heading(line):
            if id is not None:
                yield sentence_of("\n".join(lines).strip(), id)
            id, lines = heading[1], []
        elif id is not None:
            lines.append(line)
        elif line.strip():
            raise FormatError(path, number, f"found {shorten(line)}, expected '### essay_id = …' first")
    if id is not None:
        yield sentence_of("\n".join(lines).strip(), id)


def _check_files(source: str, targets: Sequence[str]) -> None:
    """Check that there are corrections, and one standard input at most."""
    if not targets:
        raise UsageError(f"{source}: no file of corrections was given; give at least one after the source")
    if [source, *targets].count(STDIO) > 1:
        raise UsageError("standard input (-) was given twice; only one file can be read from it")


def _check_kinds(paths: Sequence[str]) -> None:
    """Check that files hold sentences, where they can be read twice.

    Raises:
        FormatError: One is of another format.
    """
    for path in filter(is_regular, paths):
        refuse(path, recognise(read_lines(path)), _NO_TEXTS)


def _check_counts(paths: Sequence[str], remedy: str) -> None:
    """Compare numbers of lines before any work is done, where the files can be read twice."""
    if not all(is_regular(path) for path in paths):
        return
    expected = count_lines(paths[0])
    for path in paths[1:]:
        actual = count_lines(path)
        if actual != expected:
            raise _out_of_step(paths[0], expected, path, actual, "lines", remedy)


def _zip(
    source: str,
    targets: Sequence[str],
    read: Callable[[str], Iterator[Sentence | DecodingError]],
    unit: str,
    check: RecordCheck | None = None,
    remedy: str = "",
) -> Iterator[Parallel]:
    check = check or RecordCheck()
    paths = (source, *targets)
    streams = [read(path) for path in paths]
    for number, row in enumerate(zip_longest(*streams), start=1):
        sentences = [s for s in row if s is not None]
        if len(sentences) < len(row):
            counts = [
                number - 1 if s is None else number + sum(1 for _ in rest)
                for s, rest in zip(row, streams, strict=True)
            ]
            other = next(n for n in range(1, len(row)) if counts[n] != counts[0])
            raise _out_of_step(source, counts[0], targets[other - 1], counts[other], unit, remedy)
        # Essays and CoNLL-U sentences have many lines.
        line = number if unit == "lines" else None

        def place(n: int, line: int | None = line, number: int = number) -> tuple[str, int | None]:
            return (paths[n] if line else f"{paths[n]}: {unit.removesuffix('s')} {number}", line)

        try:
            source_sentence, *corrections = [whole(sentence) for sentence in sentences]
            record = check.accept(Parallel(source_sentence, tuple(corrections)), place)
        except FormatError as error:
            check.refuse(error, "\t".join(sentence.text for sentence in sentences))
        else:
            yield record


def _out_of_step(source: str, expected: int, target: str, actual: int, unit: str, remedy: str) -> InputError:
    message = (
        f"found {plural(expected, unit.removesuffix('s'))} in {source} and {actual} in {target}, expected "
        "the same number"
    )
    if unit == "lines" and is_regular(source) and is_regular(target):
        step = first_out_of_step(read_lines(source), read_lines(target), target_is_longer=actual > expected)
        if step is not None:
            number, line, other = step
            if abs(actual - expected) == 1 and None in step and not (line or other or "").strip():
                longer = source if other is None else target
                message += f"; {longer} has one more line at its end, {number}, which is blank"
            else:
                message += f"; they seem to differ from line {number} on: {_seen(line)} and {_seen(other)}"
    return InputError(f"{message}; {remedy}" if remedy else message)


def _seen(line: str | None) -> str:
    return "the end of the file" if line is None else shorten(line)


def first_out_of_step(
    source: Iterable[str], target: Iterable[str], target_is_longer: bool
) -> tuple[int, str | None, str | None] | None:
    """Find where two line-aligned texts begin to differ by a line.

    Args:
        source, target: The lines of both sides.
        target_is_longer: Which side is thought to have a line too many.

    Returns:
        1-based number and both lines where from then on the longer side fits better one line later; the end of
        the shorter side, whose line is None, where nothing earlier does; None if both are equally long.
    """
    a, b = iter(source), iter(target)
    window = list(zip_longest(islice(a, _WINDOW + 1), islice(b, _WINDOW + 1)))
    number = 1
    while window:
        left, right = window[0]
        if left is None or right is None:
            return number, left, right
        straight = [_similarity(x, y) for x, y in window[:_WINDOW]]
        longer = [(y if target_is_longer else x) for x, y in window[1:]]
        shorter = [(x if target_is_longer else y) for x, y in window]
        shifted = [_similarity(x, y) for x, y in zip(shorter, longer, strict=False)]
        if straight[0] < 1 and _mean(shifted) > _mean(straight[: len(shifted)]) + _SHIFT_HELPS:
            return number, left, right
        window.pop(0)
        window += [(x, y) for x, y in [(next(a, None), next(b, None))] if x is not None or y is not None]
        number += 1
    return None


def _similarity(line: str | None, other: str | None) -> float:
    return 0.0 if line is None or other is None else Indel.normalized_similarity(line, other)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
