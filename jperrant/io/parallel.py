"""Readers of sources and corrections: parallel files of lines, texts, essays or CoNLL-U, TSV, and JSON Lines.

Each line of JSON Lines is a record: ``{"source": SENTENCE, "targets": [SENTENCE, …]}`` or ``{"source": SENTENCE,
"target": SENTENCE}``, with an optional ``"id"``. A SENTENCE is a string (tokens separated by white space, or raw
text) or a list of tokens.
"""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, zip_longest
from typing import Any, TypeAlias, cast

from rapidfuzz.distance import Indel

from jperrant.alignment.sentences import align_lines
from jperrant.core.display import shorten, shown
from jperrant.core.errors import FormatError, InputError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.text import essay_heading, sentence_of
from jperrant.core.values import (
    NONE,
    SEPARATOR,
    UNKNOWN,
    Annotation,
    Block,
    Edit,
    Parallel,
    Sentence,
    alternatives_of,
    format_block,
)
from jperrant.io.answers import check_columns, read_answers, why_lines_differ
from jperrant.io.conllu_files import read_conllu
from jperrant.io.dialects import NO_ERROR, NOT_ANNOTATABLE
from jperrant.io.files import check_stdin, ended, is_regular, read_lines
from jperrant.io.recognise import LOOKED_AT, Kind, recognise, refuse

#: A file and a line in it; None instead of a line for CoNLL-U and essays, which have several per sentence.
Place: TypeAlias = tuple[str, int | None]


@dataclass
class RecordCheck:
    """Checks that M2 can hold the records that are read and the blocks that are made from them.

    Attributes:
        tokens_given: Whether the blocks have the tokens of the texts.
        places: The places of the records whose blocks are still to come; None if a record may become several
            blocks.
        unsure: For each record of ChERRANT's input whose block is still to come, the annotators who could not
            judge it.
    """

    tokens_given: bool = True
    places: deque[Place] | None = None
    unsure: deque[frozenset[int]] = field(default_factory=deque)

    def accept(self, record: Parallel, places: Sequence[Place]) -> Parallel:
        """Return a record after checking that M2 can hold it, as far as that is known before annotation.

        Args:
            record: The record.
            places: The places of its source and of its corrections; a single one for all of them in a file of
                records.

        Raises:
            FormatError: M2 cannot hold it; the message names file, line and token.
        """
        for number, sentence in enumerate((record.source, *record.corrections)):
            token, why = "", f"contains '{SEPARATOR}', which separates the fields of M2"
            if SEPARATOR in sentence.text:
                token = next((form for form in sentence.forms if SEPARATOR in form), SEPARATOR)
            elif number and self.tokens_given and ("||" in sentence.text or NONE in sentence.text):
                # A token that the source lacks, or has less often, is part of an edit in any alignment.
                new = Counter(sentence.forms) - Counter(record.source.forms)
                token = next((form for form in new if form == NONE or len(alternatives_of(form)) > 1), "")
                why = "contains '||', which separates alternative corrections in M2"
                if token == NONE:
                    why = "stands for a deletion in M2 and cannot be a correction"
            if token:
                problem = f"token {token!r} {why}; replace it in the text"
                raise FormatError(*places[min(number, len(places) - 1)], problem)
        if self.places is not None:
            self.places.append(places[0])
        return record

    def records(
        self, path: str, lines: Iterable[str], read: Callable[[str, str, int], Parallel]
    ) -> Iterator[Parallel]:
        """Read each line of a file into a record, given the file's path and the line's number, and yield it.

        Raises:
            FormatError: A line cannot be read.
        """
        for number, line in enumerate(lines, start=1):
            yield self.accept(read(line, path, number), [(path, number)])

    def blocks(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Yield the blocks of the accepted records, in order, after checking that they can be written.

        An annotator who could not judge a sentence gets one detection edit ``UNK`` over all of it, as in
        ``read_cherrant``.

        Raises:
            FormatError: A block cannot be written.
        """
        for made in blocks:
            block = _with_unsure(made, self.unsure.popleft()) if self.unsure else made
            # If a text became several blocks, only the sentence is known, which the error names.
            place = ("annotation", None) if self.places is None else self.places.popleft()
            try:
                format_block(block)
            except InputError as error:
                raise FormatError(*place, str(error)) from None
            yield block


#: Fewest raw lines that are brought into step together, and least similarity of a line and its correction in
#: step.
_PART, _ALIKE = 1_000, 0.8
#: The kinds of files that do not hold sentences.
_NO_TEXTS = frozenset(Kind) - {Kind.TEXT, Kind.SOURCES, Kind.EMPTY}


def read_lines_parallel(
    source: str,
    targets: Sequence[str],
    check: RecordCheck | None = None,
    remedy: str = "",
    *,
    whole_texts: bool = False,
    answers: str = "",
    notes: list[str] | None = None,
) -> Iterator[Parallel]:
    """Yield the lines of a source file with those of the target files, as tokens separated by white space.

    Empty lines are empty sentences, except lines at the end that are blank in all files.

    Args:
        source, targets: The files.
        check: Checks the records.
        remedy: Advice in the message if lines are split or joined.
        whole_texts: Yield one record: the whole of the source with the whole of each target, as raw texts.
        answers: The form of targets that language models wrote, as in :func:`read_answers`; all texts are then
            held in memory.
        notes: Notes on what was done to read them are appended.

    Raises:
        UsageError: There is no target, or more than one file is standard input.
        FormatError: The files have different numbers of lines (plain files are counted before anything is
            yielded), a token holds ``|||``, or answers have no such field or column.
    """
    plain = all(map(is_regular, paths := [source, *targets]))
    if is_regular(source):
        next(_sentence_lines(source), "")
    for target in targets if plain and not answers else ():
        check_columns(target, read_lines(source), read_lines(target))
    _check_files(source, targets)
    texts: dict[str, Sequence[str]] = {source: tuple(_sentence_lines(source))} if answers else {}
    for target in targets if answers else ():
        texts[target], told = read_answers(answers, target, tuple(read_lines(target)), texts[source])
        if notes is not None:
            notes += told

    def lines(path: str) -> Iterator[str]:
        return iter(texts[path]) if answers else _sentence_lines(path)

    def why(target: str) -> str:
        return why_lines_differ(lines(source), lines(target), remedy)

    if whole_texts:
        yield from _records(paths, [iter(["\n".join(lines(path))]) for path in paths], "text", check)
        return
    if plain or answers:
        for _ in _side_by_side(paths, list(map(lines, paths)), "line", why):
            pass
    yield from _records(paths, list(map(lines, paths)), "line", check)


def _sentence_lines(path: str) -> Iterator[str]:
    """Yield the lines of a file after checking that they are sentences.

    Raises:
        FormatError: The file has another format.
    """
    lines = read_lines(path)
    first = list(islice(lines, LOOKED_AT))
    refuse(path, recognise(first), _NO_TEXTS)
    yield from chain(first, lines)


def in_step(records: Iterable[Parallel]) -> Iterator[Parallel]:
    """Yield records of raw lines; lines that correspond only together become one record.

    A correction that splits one line and joins two others has as many lines as its source, but the lines
    between these places no longer correspond by number.

    Args:
        records: The lines of texts that have equally many, each line with the same number of corrections.
    """
    held: list[Parallel] = []
    for record in records:
        held.append(record)
        if len(held) >= _PART and (_is_alike(record) or len(held) == 2 * _PART):
            yield from _joined(held)
            held = []
    yield from _joined(held)


def _is_alike(record: Parallel) -> bool:
    """Whether a line is similar to all its corrections."""
    texts = record.source.text, *[correction.text for correction in record.corrections]
    return all(Indel.normalized_similarity(texts[0], text) >= _ALIKE for text in texts)


def _joined(records: Sequence[Parallel]) -> Iterator[Parallel]:
    if all(map(_is_alike, records)):
        yield from records
        return
    rows = [[record.source.text, *[one.text for one in record.corrections]] for record in records]
    for source, *corrections in joined_lines(list(zip(*rows, strict=True))):
        yield Parallel(sentence_of(source), tuple(map(sentence_of, corrections)))


def joined_lines(columns: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield the lines of texts side by side; lines that correspond only together are joined.

    Args:
        columns: The lines of a source and of its corrections, equally many.
    """
    for source, others in align_lines(columns[0], columns[1:]):
        sides = zip(columns, (source, *others), strict=True)
        yield tuple(["\n".join(lines[r.start : r.stop]) for lines, r in sides])


def read_conllu_parallel(
    source: str, targets: Sequence[str], check: RecordCheck | None = None, words: bool = False
) -> Iterator[Parallel]:
    """Yield the sentences of a CoNLL-U file with the same sentences of the target files.

    ``words`` is as in ``read_conllu``.

    Raises:
        UsageError, FormatError: As for lines, and for what is not CoNLL-U.
    """
    _check_files(source, targets)
    paths = [source, *targets]
    yield from _records(paths, [read_conllu(path, words) for path in paths], "sentence", check)


#: Names of columns in the first row of a TSV file, which are not sentences.
_HEADINGS = frozenset(
    ["source", "original", "orig", "input", "target", "tgt", "corrected", "correction", "reference", "output"]
)


def read_tsv(path: str, check: RecordCheck | None = None) -> Iterator[Parallel]:
    """Yield the rows of a TSV file: the source, then one column for each annotator's correction.

    Rows may have different numbers of columns. An empty column is a correction that deletes everything.

    Raises:
        FormatError: A row has no correction, or a token holds ``|||``.
    """
    return (check or RecordCheck()).records(path, ended(read_lines(path)), _row)


def _row(line: str, path: str, number: int) -> Parallel:
    columns = line.split("\t")
    problem = ""
    if len(columns) < 2 and line.strip():
        problem = f"found one column, {shorten(line)}, expected source, tab, correction …"
    elif number == 1 and all(name.strip().lower() in _HEADINGS for name in columns):
        problem = f"found names of columns, {shorten(line)}, expected a sentence; remove the line"
    if problem:
        raise FormatError(path, number, problem)
    source, *corrections = [sentence_of(column) for column in columns]
    # An empty line is an empty sentence that nobody changed.
    return Parallel(source, tuple(corrections or [source]))


def read_essays_parallel(
    source: str, targets: Sequence[str], check: RecordCheck | None = None
) -> Iterator[Parallel]:
    """Yield the essays of a MultiGEC file with the same essays of the target files, as raw texts.

    Raises:
        UsageError, FormatError: As for lines; also if essays at the same place have different ids.
    """
    _check_files(source, targets)
    paths, check = [source, *targets], check or RecordCheck(tokens_given=False)
    for number, record in enumerate(_records(paths, list(map(read_essays, paths)), "essay", check), start=1):
        for path, correction in zip(targets, record.corrections, strict=True):
            if correction.id != record.source.id:
                found = f"essay {number} is {correction.id!r}, but {record.source.id!r} in {source}"
                raise FormatError(path, None, f"{found}; put the essays of all files in the same order")
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
    """Check that corrections are given, and standard input at most once."""
    if not targets:
        raise UsageError(f"{source}: no file of corrections was given; give at least one after the source")
    check_stdin([source, *targets])


def _records(
    paths: Sequence[str], streams: Sequence[Iterator[str | Sentence]], unit: str, check: RecordCheck | None
) -> Iterator[Parallel]:
    """Yield records from files read side by side; a string is split into tokens at white space."""
    check = check or RecordCheck()
    for number, row in _side_by_side(paths, streams, unit):
        source, *corrections = [sentence_of(one) if isinstance(one, str) else one for one in row]
        places = [(path, number) if unit == "line" else (f"{path}: {unit} {number}", None) for path in paths]
        yield check.accept(Parallel(source, tuple(corrections)), places)


def _side_by_side(
    paths: Sequence[str],
    streams: Sequence[Iterator[str | Sentence]],
    unit: str,
    why: Callable[[str], str] = lambda _: "",
) -> Iterator[tuple[int, Sequence[str | Sentence]]]:
    """Yield numbered rows from files read side by side, without lines at the end that are blank in all files.

    Raises:
        InputError: The files have different lengths; ``why`` explains it, given the file that differs from the
            source.
    """
    held: list[tuple[str | Sentence | None, ...]] = []
    for number, row in enumerate(zip_longest(*streams), start=1):
        held.append(row)
        if unit == "line" and not any(isinstance(one, str) and one.strip() for one in row):
            continue
        for before, one in enumerate(held, start=number - len(held) + 1):
            if any(each is None for each in one):
                ends = [sum(each[n] is None for each in held) for n in range(len(paths))]
                rest = [ended(map(str, own)) if unit == "line" else own for own in streams]
                counts = [number - end + sum(1 for _ in own) for end, own in zip(ends, rest, strict=True)]
                other = next(n for n, count in enumerate(counts) if count != counts[0])
                found = f"found {plural(counts[0], unit)} in {paths[0]} and {counts[other]} in {paths[other]}"
                reason = why(paths[other])
                raise InputError(f"{found}, expected the same number" + (f": {reason}" if reason else ""))
            yield before, cast(Sequence[str | Sentence], one)
        held = []


# JSON can hold half of a surrogate pair; UTF-8, and so M2, cannot.
_SURROGATE = re.compile("[\\ud800-\\udfff]")
_KEYS = ("id", "source", "target", "targets")


def read_jsonl(path: str, check: RecordCheck | None = None) -> Iterator[Parallel]:
    """Yield the records of a JSON Lines file, ``-`` meaning standard input.

    Raises:
        FormatError: A line is not JSON, or not such a record; the message names file and line.
    """
    return (check or RecordCheck()).records(path, ended(read_lines(path)), _record)


def _record(line: str, path: str, number: int) -> Parallel:
    try:
        record: Any = json.loads(line) if line.strip() else None
    except (ValueError, RecursionError) as error:  # also numbers that are too long, and arrays too deep
        raise FormatError(path, number, f"not JSON that can be read ({error})") from None
    if not isinstance(record, Mapping):
        found = shown(record) if line.strip() else "an empty line"
        raise FormatError(path, number, f"found {found}, expected an object with {', '.join(_KEYS)}")
    for key in record:
        if key not in _KEYS:
            expected = f"{nearest(key, _KEYS)}; expected one of {', '.join(_KEYS)}"
            raise FormatError(path, number, f"unknown key {key!r}{expected}")
    if "source" not in record or ("target" in record) == ("targets" in record):
        raise FormatError(path, number, "expected the key source and either target or targets")
    if not isinstance(targets := record.get("targets", [record.get("target")]), list):
        raise FormatError(path, number, "targets: expected a list of sentences")
    sentences = {"source": record["source"]} | {f"targets[{n}]": one for n, one in enumerate(targets)}
    for where, one in sentences.items():
        if problem := _wrong(one):
            raise FormatError(path, number, f"{where}: {problem}")
    made = [Sentence.from_forms(s) if isinstance(s, list) else sentence_of(s) for s in sentences.values()]
    return Parallel(replace(made[0], id=str(record.get("id", ""))), tuple(made[1:]))


def _wrong(sentence: object) -> str:
    """Return what is wrong with a sentence of a record; empty if nothing is."""
    if not isinstance(sentence, str | list):
        return f"found {shown(sentence)}, expected a string or a list of tokens"
    tokens = sentence if isinstance(sentence, list) else []
    if odd := [token for token in tokens if not isinstance(token, str) or token.split() != [token]]:
        return f"found the token {shown(odd[0])}, expected text without white space"
    half = _SURROGATE.search("".join(sentence))
    return "found half of a surrogate pair, expected a whole character" if half else ""


def read_para(path: str, check: RecordCheck | None = None) -> Iterator[Parallel]:
    """Yield the rows of ChERRANT's input: name, source and one correction per annotator, separated by tabs.

    Instead of a correction, ``没有错误`` says that there is no error, and ``无法标注`` that the annotator could not
    judge the sentence, which ``check`` records. Both are read as the unchanged source. An empty line is an
    empty sentence that nobody changed.

    Raises:
        FormatError: A row has no correction, or a token holds ``|||``.
    """
    check = check or RecordCheck()

    def row(line: str, path: str, number: int) -> Parallel:
        name, *texts = line.split("\t")
        if len(texts) < 2 and line.strip():
            found = plural(len(texts) + 1, "column")
            raise FormatError(path, number, f"found {found}, expected name, source, correction …")
        source, *corrections = texts or ["", ""]
        said = [text.strip() for text in corrections]
        check.unsure.append(frozenset([n for n, one in enumerate(said) if one == NOT_ANNOTATABLE]))
        same = {NO_ERROR: source, NOT_ANNOTATABLE: source}
        made = [same.get(one, text) for one, text in zip(said, corrections, strict=True)]
        return Parallel(sentence_of(source, name), tuple(map(sentence_of, made)))

    return check.records(path, read_lines(path), row)


def _with_unsure(block: Block, unsure: frozenset[int]) -> Block:
    """Return the block with a detection edit for each annotator who could not judge the sentence."""
    if not unsure:
        return block
    whole = (Edit(0, len(block.source), None, UNKNOWN),)
    marked = [Annotation(a.annotator, whole) if a.annotator in unsure else a for a in block.annotations]
    return Block(block.source, tuple(marked))
