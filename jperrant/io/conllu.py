"""CoNLL-U in: sentences whose analysis is given.

The tokens are those of the text. A multi-word token (``3-4``) is one token with the analysis of its words, unless
they spell it, as ``do`` and ``n't`` spell ``don't``; then they are tokens. Its lemma, tags and relation are those
of one word, its features those of all words (``jperrant.core.multiword``), and heads are numbered by tokens.
Empty nodes are not read. https://universaldependencies.org/format.html describes the format; tags, features and
relations that are not in it are refused, for they would spoil error types without a word. FEATS are read as they
are written, also unsorted and in a treebank's own names, as long as each is a name and a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, NoReturn

from jperrant.core.errors import FormatError, nearest
from jperrant.core.m2_format import SEPARATOR, shorten
from jperrant.core.messages import plural
from jperrant.core.multiword import are_tokens, head_word, token_arcs, token_feats
from jperrant.core.values import UPOS, Sentence, Token, on_cycle
from jperrant.io.files import read_lines
from jperrant.io.m2_lines import number_of

_COLUMNS = 10
#: The other IDs belong to words.
_EMPTY_NODE = re.compile(r"[0-9]+\.[0-9]+")
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_LEMMA, _UPOS, _XPOS, _FEATS, _HEAD, _DEPREL = 2, 3, 4, 5, 6, 7
_NONE = "_"
_FEATURE = re.compile(r"[A-Za-z][A-Za-z0-9]*(\[[A-Za-z0-9]+\])?=[^=|\s]+")
_Rows = list[tuple[int, list[str]]]


class _Range(NamedTuple):
    """A multi-word token: its first and last word, from 1, its form and features, and its line."""

    first: int
    last: int
    form: str
    feats: str
    line: int


def read_conllu(path: str, words: bool = False) -> Iterator[Sentence]:
    """Yield the sentences of a CoNLL-U file, ``-`` meaning standard input, in constant memory.

    Args:
        path: The file.
        words: Whether the tokens are the syntactic words, and lines of multi-word tokens are not read.

    Raises:
        FormatError: A line has not ten columns, a number is wrong, a form is empty or holds white space, a UPOS
            does not exist, FEATS are malformed, or the heads form a cycle; names file and line.
        InputError: The file cannot be read.
    """
    yield from parse_conllu(read_lines(path), path, words)


def parse_conllu(lines: Iterable[str], file: str, words: bool = False) -> Iterator[Sentence]:
    """Yield sentences from lines; ``file`` is the name used in messages, ``words`` as in ``read_conllu``.

    A sentence without words (comments only, then a blank line) is an empty sentence; comments after the last
    blank line belong to none.
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
            yield _sentence(rows, comments, file, words)
            rows, comments, started = [], {}, False
    if rows:
        yield _sentence(rows, comments, file, words)


def _columns(line: str, file: str, number: int) -> list[str]:
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        hint = "; columns are separated by tabs, not spaces" if len(columns) == 1 else ""
        raise FormatError(file, number, f"found {plural(len(columns), 'column')}, expected {_COLUMNS}{hint}")
    return columns


def _sentence(rows: _Rows, comments: dict[str, str], file: str, by_words: bool) -> Sentence:
    ranges: list[_Range] = []
    words: _Rows = []
    for number, row in rows:
        if multi_word := _RANGE.fullmatch(row[0]):
            if not by_words:
                ranges.append(_range(multi_word, row, len(words), ranges, file, number))
        elif not _EMPTY_NODE.fullmatch(row[0]):
            words.append((number, row))
    if ranges and ranges[-1].last > len(words):
        _refuse_range(ranges[-1], f"of a sentence of {plural(len(words), 'word')}", file)
    tokens = _words(words, file)
    if (word := on_cycle([token.head for token in tokens])) is not None:
        raise FormatError(
            file,
            words[word][0],
            f"found a cycle of heads through word {word + 1}, expected a tree; correct HEAD (column 7)",
        )
    if ranges := [token for token in ranges if not _spelled(token, tokens)]:
        tokens = _spaced(_surface(tokens, ranges))
    return Sentence(tuple(tokens), " ".join(t.form for t in tokens), comments.get("sent_id", ""))


def _words(rows: _Rows, file: str) -> list[Token]:
    tokens, offset = [], 0
    for position, (number, row) in enumerate(rows, start=1):
        if row[0] != str(position):
            raise FormatError(
                file, number, f"found ID {shorten(row[0])}, expected {position}; words count from 1"
            )
        _check_row(row, file, number)
        head = _head(row[6], len(rows), file, number)
        form = row[1]
        lemma, upos, xpos, feats = _value(row[2], form), *map(_value, row[3:6])
        tokens.append(Token(form, lemma, upos, xpos, feats, head, _value(row[7]), offset, offset + len(form)))
        offset += len(form) + 1
    return tokens


def _check_row(row: list[str], file: str, number: int) -> None:
    form = row[1]
    if not form or len(form.split()) != 1 or form.strip() != form:
        raise FormatError(file, number, f"found the form {form!r}, expected text without white space")
    if SEPARATOR in form:
        raise FormatError(
            file, number, f"the form {form!r} contains '|||', which separates the fields of M2; replace it"
        )
    if problem := field_problem(row):
        raise FormatError(file, number, problem)


# Multi-word tokens


def _range(
    ids: re.Match[str], row: list[str], words: int, before: Sequence[_Range], file: str, line: int
) -> _Range:
    """Return the multi-word token of a row that stands after so many words."""
    _check_row(row, file, line)
    first, last = int(ids[1]), int(ids[2])
    token = _Range(first, last, row[1], _value(row[_FEATS]), line)
    if first != words + 1:
        _refuse_range(token, f"before word {words + 1}", file)
    if last < first:
        _refuse_range(token, "whose last word is before its first", file)
    if before and first <= before[-1].last:
        _refuse_range(token, f"inside {before[-1].first}-{before[-1].last}", file)
    return token


def _refuse_range(token: _Range, problem: str, file: str) -> NoReturn:
    found = f"found ID {shorten(f'{token.first}-{token.last}')} {problem}"
    raise FormatError(file, token.line, f"{found}; a multi-word token stands before its first word")


def _spelled(token: _Range, words: Sequence[Token]) -> bool:
    """Whether the words stay tokens. Treebanks that may not show their text have ``_`` for every form."""
    forms = [word.form for word in words[token.first - 1 : token.last]]
    return token.form == "_" or are_tokens(token.form, forms)


def _surface(words: list[Token], ranges: Sequence[_Range]) -> list[Token]:
    """Return tokens with each multi-word token in place of its words."""
    inside = {token.first: token for token in ranges}
    tokens, sizes, position = [], [], 0
    while position < len(words):
        token = inside.get(position + 1)
        sizes.append(token.last - position if token else 1)
        tokens.append(_merged(token, words[position : token.last]) if token else words[position])
        position += sizes[-1]
    if any(word.head is None for word in words):
        return [token._replace(head=None) for token in tokens]
    arcs = token_arcs([word.head or 0 for word in words], [word.upos for word in words], sizes)
    return [
        token._replace(head=head, deprel=words[word].deprel)
        for token, (head, word) in zip(tokens, arcs, strict=True)
    ]


def _merged(token: _Range, words: Sequence[Token]) -> Token:
    upos = [word.upos for word in words]
    feats = token_feats(upos, [word.feats for word in words], token.feats)
    forms = tuple(word.form for word in words) if len(words) > 1 else ()
    return words[head_word(upos)]._replace(form=token.form, feats=feats, words=forms)


def _spaced(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens with their offsets in the text in which single spaces separate them."""
    starts = accumulate((len(token.form) + 1 for token in tokens), initial=0)
    return [
        token._replace(start=start, end=start + len(token.form))
        for token, start in zip(tokens, starts, strict=False)
    ]


# Columns


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


def field_problem(columns: Sequence[str]) -> str:
    """Return what is wrong with the tags, features and relation of a word; empty if nothing is.

    >>> field_problem("1 goes go VBZ VERB _ 0 root _ _".split())
    "UPOS 'VBZ' does not exist; the columns UPOS (4) and XPOS (5) seem to be swapped"

    Args:
        columns: The ten columns of the word.
    """
    return _upos_problem(columns) or _feats_problem(columns) or _deprel_problem(columns)


def _upos_problem(columns: Sequence[str]) -> str:
    upos = columns[_UPOS]
    if upos == _NONE or upos in UPOS:
        return ""
    found = f"unknown UPOS {shorten(upos)}"
    for name, column in (("LEMMA (3)", _LEMMA), ("XPOS (5)", _XPOS), ("FEATS (6)", _FEATS)):
        if columns[column] in UPOS:
            return f"{found}; the columns UPOS (4) and {name} seem to be swapped"
    hint = " (it is CCONJ since UD 2)" if upos == "CONJ" else nearest(upos.upper(), sorted(UPOS))
    return f"{found}{hint}; expected one of {', '.join(sorted(UPOS))}, or _ for none"


def _feats_problem(columns: Sequence[str]) -> str:
    feats = columns[_FEATS]
    if _are_features(columns[_XPOS]):
        return (
            f"found the features {shorten(columns[_XPOS])} as XPOS; the columns XPOS (5) and FEATS (6) seem "
            "to be swapped"
        )
    if feats == _NONE:
        return ""
    if not _are_features(feats):
        return f"found FEATS {shorten(feats)}, expected Name=Value|Name=Value, or _ for none"
    names = [feature.partition("=")[0] for feature in feats.split("|")]
    twice = next((name for name in names if names.count(name) > 1), "")
    return (
        f"FEATS {shorten(feats)} give {twice} twice; separate several values of one feature by commas"
        if twice
        else ""
    )


def _deprel_problem(columns: Sequence[str]) -> str:
    deprel, head = columns[_DEPREL], columns[_HEAD]
    if deprel.isdecimal():
        swapped = "" if head.isdecimal() else "; the columns HEAD (7) and DEPREL (8) seem to be swapped"
        return (
            f"found the number {shorten(deprel)} as "
            f"DEPREL{swapped or ', expected a relation such as nsubj, or _'}"
        )
    if not deprel or len(deprel.split()) != 1:
        return f"found DEPREL {shorten(deprel)}, expected a relation such as nsubj, or _"
    return ""


def _are_features(text: str) -> bool:
    return all(_FEATURE.fullmatch(feature) for feature in text.split("|"))
