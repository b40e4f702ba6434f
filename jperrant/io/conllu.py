"""CoNLL-U in: sentences whose analysis is given.

Only what annotation needs is read: words (not multi-word tokens, not empty nodes), their lemma, tags, features,
head and relation. https://universaldependencies.org/format.html describes the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from jperrant.core.errors import FormatError
from jperrant.core.m2_format import SEPARATOR, shorten
from jperrant.core.messages import plural
from jperrant.core.values import Sentence, Token, on_cycle
from jperrant.io.conllu_fields import field_problem
from jperrant.io.files import read_lines
from jperrant.io.m2_lines import number_of

_COLUMNS = 10
#: IDs of multi-word tokens (``3-4``) and of empty nodes (``3.1``); all others belong to words.
_NOT_A_WORD = re.compile(r"[0-9]+[-.][0-9]+")


def read_conllu(path: str) -> Iterator[Sentence]:
    """Yield the sentences of a CoNLL-U file, ``-`` meaning standard input, in constant memory.

    Raises:
        FormatError: A line has not ten columns, a number is wrong, a form is empty or holds white space, a UPOS
            does not exist, FEATS are malformed, or the heads form a cycle; names file and line.
        InputError: The file cannot be read.
    """
    yield from parse_conllu(read_lines(path), path)


def parse_conllu(lines: Iterable[str], file: str) -> Iterator[Sentence]:
    """Yield sentences from lines; ``file`` is the name used in messages.

    A sentence without words (comments only, then a blank line) is an empty sentence.
    """
    rows: list[tuple[int, list[str]]] = []
    comments: dict[str, str] = {}
    started = False
    number = 0
    for number, line in enumerate(lines, start=1):
        if line.startswith("#"):
            started = True
            key, _, value = line[1:].partition("=")
            comments.setdefault(key.strip(), value.strip())
        elif line.strip():
            started = True
            rows.append((number, _columns(line, file, number)))
        elif started:
            yield _sentence(rows, comments, file)
            rows, comments, started = [], {}, False
    if started:
        yield _sentence(rows, comments, file)


def _columns(line: str, file: str, number: int) -> list[str]:
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        hint = "; columns are separated by tabs, not spaces" if len(columns) == 1 else ""
        raise FormatError(file, number, f"found {plural(len(columns), 'column')}, expected {_COLUMNS}{hint}")
    return columns


def _sentence(rows: list[tuple[int, list[str]]], comments: dict[str, str], file: str) -> Sentence:
    words = [(number, row) for number, row in rows if not _NOT_A_WORD.fullmatch(row[0])]
    tokens, offset = [], 0
    for position, (number, row) in enumerate(words, start=1):
        if row[0] != str(position):
            raise FormatError(
                file, number, f"found ID {shorten(row[0])}, expected {position}; words count from 1"
            )
        form = row[1]
        if not form or len(form.split()) != 1 or form.strip() != form:
            raise FormatError(
                file, number, f"form {form!r} is empty or holds white space, which no token can"
            )
        if SEPARATOR in form:
            raise FormatError(file, number, f"form {form!r} holds '|||', which separates the fields of M2")
        if problem := field_problem(row):
            raise FormatError(file, number, problem)
        head = _head(row[6], len(words), file, number)
        tokens.append(
            Token(form, _value(row[2], form), _value(row[3]), _value(row[4]), _value(row[5]), head, _value(row[7]),
                  offset, offset + len(form))
        )  # fmt: skip
        offset += len(form) + 1
    if (word := on_cycle([token.head for token in tokens])) is not None:
        raise FormatError(file, words[word][0], f"the heads form a cycle through word {word + 1}")
    return Sentence(tuple(tokens), " ".join(t.form for t in tokens), comments.get("sent_id", ""))


def _value(column: str, form: str = "") -> str:
    """Return a column, an underscore meaning nothing, unless that is what the word is."""
    return "" if column == "_" and form != "_" else column


def _head(column: str, words: int, file: str, number: int) -> int | None:
    if column == "_":
        return None
    head = number_of(column) if column.isdecimal() else None
    if head is None or head > words:
        raise FormatError(
            file, number, f"found head {shorten(column)}, expected a number from 0 to {words}, or _"
        )
    return head
