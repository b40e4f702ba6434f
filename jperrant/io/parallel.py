"""Sources and their corrections: parallel files of lines, texts, essays and CoNLL-U, TSV, and JSON Lines.

A line of JSON Lines is a record with as much analysis as there is: ``{"source": SENTENCE, "targets": [SENTENCE,
…]}`` or ``{"source": SENTENCE, "target": SENTENCE}``, with an optional ``"id"``. A SENTENCE is a string (tokens
separated by white space, or raw text), a list of strings, or a list of objects with ``form`` and any of ``lemma
upos xpos feats head deprel``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from typing import Any

from rapidfuzz.distance import Indel

from jperrant.alignment.sentences import align_lines
from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.text import essay_heading, sentence_of
from jperrant.core.values import Parallel, Sentence, Token, on_cycle
from jperrant.io.answers import AnswerFormat, check_columns, why_lines_differ
from jperrant.io.conllu import read_conllu
from jperrant.io.files import check_stdin, ended, is_regular, read_lines
from jperrant.io.recognise import LOOKED_AT, Kind, recognise, refuse
from jperrant.io.records import RecordCheck

#: Raw lines that are brought into step together; similarity by characters of a line to its correction.
_PART, _ALIKE = 1_000, 0.8
#: What a file of sentences is not.
_NO_TEXTS = frozenset(Kind) - {Kind.TEXT, Kind.SOURCES, Kind.EMPTY}


def read_lines_parallel(
    source: str, targets: Sequence[str], check: RecordCheck | None = None, remedy: str = ""
) -> Iterator[Parallel]:
    """Yield the lines of a source file with the same lines of the target files, tokens separated by white space.

    Empty lines are empty sentences, but for lines at the end that are blank in all files.

    Args:
        source, targets: The files.
        check: What is accepted, and what happens to the rest.
        remedy: What a caller can do where lines are split or joined, for the message.

    Raises:
        UsageError: No target, or more than one file is standard input.
        FormatError: The files have different numbers of lines (plain files are counted before anything is
            yielded), or a token holds ``|||``.
    """
    _check_kinds([source])
    for target in filter(is_regular, targets):
        if is_regular(source):
            check_columns(target, read_lines(source), read_lines(target))
    _check_kinds(targets)
    _check_files(source, targets)
    _check_counts([source, *targets], remedy)
    yield from _zip(source, targets, _sentences, "line", check)


def _sentences(path: str) -> Iterator[Sentence]:
    """Return the lines of a file as sentences."""
    return map(sentence_of, _sentence_lines(path, read_lines(path)))


def _sentence_lines(path: str, lines: Iterator[str]) -> Iterator[str]:
    """Pass the lines of a file on, unless they are no sentences.

    Raises:
        FormatError: They are of another format.
    """
    first = list(islice(lines, LOOKED_AT))
    refuse(path, recognise(first), _NO_TEXTS)
    return chain(first, lines)


def in_step(records: Iterable[Parallel]) -> Iterator[Parallel]:
    """Yield records of raw lines; lines that correspond only together become one record.

    A correction that splits one line and joins two others has as many lines as its source, and between these
    places none stands beside its own.

    Args:
        records: The lines of texts with equally many, each with the same number of corrections.
    """
    held: list[Parallel] = []
    for record in records:
        held.append(record)
        if len(held) >= _PART and (_is_alike(record) or len(held) == 2 * _PART):
            yield from _joined(held)
            held = []
    yield from _joined(held)


def _is_alike(record: Parallel) -> bool:
    """Whether a line is like all its corrections."""
    texts = record.source.text, *[correction.text for correction in record.corrections]
    return all(Indel.normalized_similarity(texts[0], text) >= _ALIKE for text in texts)


def _joined(records: Sequence[Parallel]) -> Iterator[Parallel]:
    if all(map(_is_alike, records)):
        yield from records
        return
    columns = [[r.source.text for r in records]]
    columns += [[r.corrections[n].text for r in records] for n in range(len(records[0].corrections))]
    for source, *corrections in joined_lines(columns):
        yield Parallel(sentence_of(source), tuple(map(sentence_of, corrections)))


def joined_lines(columns: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield the lines of texts side by side, those as one that are parallel only together.

    Args:
        columns: The lines of a source and of its corrections, equally many.
    """
    for source, others in align_lines(columns[0], columns[1:]):
        sides = zip(columns, (source, *others), strict=True)
        yield tuple(["\n".join(lines[r.start : r.stop]) for lines, r in sides])


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
    yield from _zip(source, targets, lambda path: iter([_whole(path)]), "text", check)


def _whole(path: str) -> Sentence:
    """Return a file as one text."""
    return sentence_of("\n".join(_sentence_lines(path, read_lines(path))))


def read_answers_parallel(
    source: str,
    targets: Sequence[str],
    answers: AnswerFormat,
    tell: Callable[[str], None],
    check: RecordCheck | None = None,
    remedy: str = "",
    *,
    whole_texts: bool = False,
) -> Iterator[Parallel]:
    """Yield the lines of a source file, or all of it, with what language models answered; all texts are in memory.

    Args:
        source, targets, check, remedy: As in :func:`read_lines_parallel`.
        answers: How the targets are read.
        tell: Told what was done to them.
        whole_texts: Take each file as one text.

    Raises:
        UsageError, FormatError: As for lines; also where a file has no such field or column.
    """
    _check_files(source, targets)
    texts = {source: tuple(_sentence_lines(source, read_lines(source)))}
    for target in targets:
        texts[target], notes = answers.read(target, tuple(read_lines(target)), texts[source])
        for note in notes:
            tell(note)
        if len(texts[target]) != len(texts[source]) and not whole_texts:
            why = why_lines_differ(texts[source], texts[target], remedy)
            raise _out_of_step((source, target), (len(texts[source]), len(texts[target])), "line", why)

    def read(path: str) -> Iterator[Sentence]:
        return map(sentence_of, ["\n".join(texts[path])] if whole_texts else texts[path])

    yield from _zip(source, targets, read, "text" if whole_texts else "line", check)


def read_conllu_parallel(
    source: str, targets: Sequence[str], check: RecordCheck | None = None, words: bool = False
) -> Iterator[Parallel]:
    """Yield the sentences of a CoNLL-U file with the same sentences of the target files.

    ``words`` is that of ``read_conllu``.

    Raises:
        UsageError, FormatError: As for lines, and for what is not CoNLL-U.
    """
    _check_files(source, targets)
    yield from _zip(source, targets, lambda path: read_conllu(path, words), "sentence", check)


#: What columns of a TSV file are called, which are no sentences.
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
    if len(columns) < 2 and line.strip():
        raise FormatError(
            path, number, f"found one column, {shorten(line)}, expected source, tab, correction …"
        )
    if number == 1 and all(name.strip().lower() in _HEADINGS for name in columns):
        raise FormatError(
            path, 1, f"found names of columns, {shorten(line)}, expected a sentence; remove the line"
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
    records = _zip(source, targets, read_essays, "essay", check or RecordCheck(tokens_given=False))
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
    check_stdin([source, *targets])


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
    source, *targets = [(path, *_sizes(path)) for path in paths]
    for path, lines, filled in targets:
        sentences = max(filled, source[2])
        counts = min(source[1], sentences), min(lines, sentences)
        if counts[0] != counts[1]:
            why = why_lines_differ(read_lines(source[0]), read_lines(path), remedy)
            raise _out_of_step((source[0], path), counts, "line", why)


def _sizes(path: str) -> tuple[int, int]:
    """Return the number of lines of a file, and that of the last one that is not blank."""
    lines = filled = 0
    for lines, line in enumerate(read_lines(path), start=1):
        if line.strip():
            filled = lines
    return lines, filled


def _out_of_step(files: tuple[str, str], counts: tuple[int, int], unit: str, why: str = "") -> InputError:
    """Return the error of two files with different numbers of lines, or other units, and why that is."""
    found = f"found {plural(counts[0], unit)} in {files[0]} and {counts[1]} in {files[1]}"
    return InputError(f"{found}, expected the same number" + (f": {why}" if why else ""))


def _zip(
    source: str,
    targets: Sequence[str],
    read: Callable[[str], Iterator[Sentence]],
    unit: str,
    check: RecordCheck | None = None,
) -> Iterator[Parallel]:
    """Yield the sentences of files side by side; lines at the end that are blank in all files are none."""
    check, paths = check or RecordCheck(), (source, *targets)
    for number, sentences in _side_by_side(paths, [read(path) for path in paths], unit):
        # Essays and CoNLL-U sentences have many lines.
        line = number if unit == "line" else None

        def place(n: int, line: int | None = line, number: int = number) -> tuple[str, int | None]:
            return (paths[n] if line else f"{paths[n]}: {unit} {number}", line)

        yield check.accept(Parallel(sentences[0], tuple(sentences[1:])), place)


def _side_by_side(
    paths: Sequence[str], streams: Sequence[Iterator[Sentence]], unit: str
) -> Iterator[tuple[int, list[Sentence]]]:
    """Yield numbered rows of what files hold.

    Raises:
        InputError: One file has more than another.
    """
    held: list[tuple[Sentence | None, ...]] = []
    for number, row in enumerate(zip_longest(*streams), start=1):
        held.append(row)
        if unit == "line" and not any(s and s.text.strip() for s in row):
            continue
        for before, one in enumerate(held, start=number - len(held) + 1):
            sentences = [sentence for sentence in one if sentence is not None]
            if len(sentences) < len(one):
                ends = [sum(each[n] is None for each in held) for n in range(len(paths))]
                counts = [number - end + sum(1 for _ in own) for end, own in zip(ends, streams, strict=True)]
                other = next(n for n, count in enumerate(counts) if count != counts[0])
                raise _out_of_step((paths[0], paths[other]), (counts[0], counts[other]), unit)
            yield before, sentences
        held = []


# JSON can write half a pair; UTF-8, and so M2, cannot.
_SURROGATE = re.compile("[\\ud800-\\udfff]")
_KEYS = ("id", "source", "target", "targets")
_TOKEN_KEYS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel")


def read_jsonl(path: str, check: RecordCheck | None = None) -> Iterator[Parallel]:
    """Yield the records of a JSON Lines file, ``-`` meaning standard input.

    Raises:
        FormatError: A line is not JSON or not such a record; names file and line.
    """
    return (check or RecordCheck()).records(path, ended(read_lines(path)), _record)


def _record(line: str, path: str, number: int) -> Parallel:
    try:
        return _parallel(json.loads(line))
    except json.JSONDecodeError as error:
        empty = "found an empty line, expected one JSON object per line"
        raise FormatError(path, number, f"not JSON ({error})" if line.strip() else empty) from None
    except _Problem as problem:
        raise FormatError(path, number, str(problem)) from None
    except (ValueError, RecursionError):
        what = "not JSON that can be read: a number is too long, or it is nested too deeply"
        raise FormatError(path, number, what) from None


class _Problem(Exception):
    """What is wrong with a record."""


def _parallel(record: object) -> Parallel:
    if not isinstance(record, Mapping):
        raise _Problem(f"found {shorten(repr(record))}, expected an object with {', '.join(_KEYS)}")
    _check_keys(record, _KEYS, "", f"; expected one of {', '.join(_KEYS)}")
    if "source" not in record or ("target" in record) == ("targets" in record):
        raise _Problem("expected the key source and either target or targets")
    targets = record["targets"] if "targets" in record else [record["target"]]
    if not isinstance(targets, list):
        raise _Problem("targets: expected a list of sentences")
    source = _sentence(record["source"], "source", str(record.get("id", "")))
    return Parallel(source, tuple(_sentence(t, f"targets[{n}]") for n, t in enumerate(targets)))


def _check_keys(record: Mapping[str, object], keys: Sequence[str], where: str, expected: str = "") -> None:
    for key in record:
        if key not in keys:
            raise _Problem(f"{where}unknown key {key!r}{nearest(key, keys)}{expected}")


def _sentence(value: object, where: str, id: str = "") -> Sentence:
    if isinstance(value, str):
        sentence = sentence_of(value, id)
    elif isinstance(value, list):
        tokens: list[Token] = []
        for n, item in enumerate(value):
            offset = tokens[-1].end + 1 if tokens else 0
            tokens.append(_token(item, len(value), offset, f"{where}[{n}]"))
        if (word := on_cycle([token.head for token in tokens])) is not None:
            raise _Problem(f"{where}: found a cycle of heads through word {word + 1}, expected a tree")
        sentence = Sentence(tuple(tokens), " ".join(t.form for t in tokens), id)
    else:
        raise _Problem(f"{where}: found {shorten(repr(value))}, expected a string or a list of tokens")
    if _SURROGATE.search(sentence.text):
        raise _Problem(f"{where}: found half of a surrogate pair, expected a whole character")
    return sentence


def _token(item: object, count: int, offset: int, where: str) -> Token:
    fields = {"form": item} if isinstance(item, str) else item
    if not isinstance(fields, Mapping):
        raise _Problem(f"{where}: found {shorten(repr(item))}, expected a string or an object with a form")
    _check_keys(fields, _TOKEN_KEYS, f"{where}: ")
    text: dict[str, Any] = {key: fields.get(key) or "" for key in _TOKEN_KEYS if key != "head"}
    form, head = text["form"], fields.get("head")
    if not isinstance(form, str) or len(form.split()) != 1 or form.strip() != form:
        raise _Problem(f"{where}: found the form {form!r}, expected text without white space")
    if others := [key for key, value in text.items() if not isinstance(value, str)]:
        raise _Problem(f"{where}: {', '.join(others)}: expected text")
    if head is not None and (type(head) is not int or not 0 <= head <= count):
        raise _Problem(f"{where}: found head {head!r}, expected a number from 0 to {count}")
    return Token(**text, head=head, start=offset, end=offset + len(form))
