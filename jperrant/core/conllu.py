"""The lines of CoNLL-U as sentences: words, multi-word tokens, comments, and what is wrong with them.

Every reader of CoNLL-U starts here. https://universaldependencies.org/format.html describes the format; empty nodes
are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jperrant.core.errors import FormatError
from jperrant.core.m2_format import shorten
from jperrant.core.messages import plural
from jperrant.core.values import on_cycle

COLUMNS = 10
ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, _DEPS, MISC = range(COLUMNS)
#: A line's columns.
Row = tuple[str, ...]
_EMPTY_NODE = re.compile(r"[0-9]+\.[0-9]+")
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class ConlluSentence:
    """A sentence of CoNLL-U; its IDs, heads and ranges are right.

    Attributes:
        rows: The ten columns of each word and multi-word token, in order.
        new_paragraph: Whether a comment says that a paragraph or document begins here.
        lines: The number of each of their lines.
        comments: The number of each comment's line, and the comment without ``#`` and the spaces around it.
    """

    rows: tuple[Row, ...]
    new_paragraph: bool = False
    lines: tuple[int, ...] = ()
    comments: tuple[tuple[int, str], ...] = ()

    @property
    def words(self) -> list[Row]:
        """The rows of syntactic words."""
        return [row for row in self.rows if "-" not in row[ID]]

    def comment(self, key: str) -> str:
        """Return the value of the first comment ``key = value``; empty where there is none."""
        values = (comment.partition("=") for _, comment in self.comments)
        return next((value.strip() for name, _, value in values if name.strip() == key), "")


def conllu_sentences(lines: Iterable[str], file: str) -> Iterator[ConlluSentence]:
    """Yield the sentences of lines without their ends.

    A sentence without words (comments only, then a blank line) is an empty sentence; comments after the last
    blank line belong to none.

    Args:
        lines: The lines.
        file: Their file, for messages.

    Raises:
        FormatError: A line has not ten columns, an ID or a head is wrong, or the heads form a cycle; names file
            and line.
    """
    rows: list[tuple[int, Row]] = []
    comments: list[tuple[int, str]] = []
    for number, line in enumerate(lines, start=1):
        if line.startswith("#"):
            comments.append((number, line[1:].strip()))
        elif line.strip():
            rows.append((number, _columns(line, file, number)))
        elif rows or comments:
            yield _sentence(rows, comments, file)
            rows, comments = [], []
    if rows:
        yield _sentence(rows, comments, file)


def _columns(line: str, file: str, number: int) -> Row:
    columns = tuple(line.split("\t"))
    if len(columns) != COLUMNS:
        hint = "; columns are separated by tabs, not spaces" if len(columns) == 1 else ""
        raise FormatError(file, number, f"found {plural(len(columns), 'column')}, expected {COLUMNS}{hint}")
    return columns


def _sentence(
    rows: Sequence[tuple[int, Row]], comments: Sequence[tuple[int, str]], file: str
) -> ConlluSentence:
    rows = [(number, row) for number, row in rows if not _EMPTY_NODE.fullmatch(row[ID])]
    words = _words(rows, file)
    heads = [_head(row, len(words), file, number) for number, row in words]
    if (word := on_cycle(heads)) is not None:
        problem = f"found a cycle of heads through word {word + 1}, expected a tree; correct HEAD (column 7)"
        raise FormatError(file, words[word][0], problem)
    new_paragraph = any(comment.startswith(("newpar", "newdoc")) for _, comment in comments)
    numbers, columns = zip(*rows, strict=True) if rows else ((), ())
    return ConlluSentence(columns, new_paragraph, numbers, tuple(comments))


def _words(rows: Sequence[tuple[int, Row]], file: str) -> list[tuple[int, Row]]:
    """Return the words, which count from 1; each multi-word token stands before its first."""
    words: list[tuple[int, Row]] = []
    first = last = line = 0
    for number, row in rows:
        if found := _RANGE.fullmatch(row[ID]):
            before, (first, last), line = (first, last), map(int, found.groups()), number
            if first != len(words) + 1:
                _refuse_range(row[ID], f"before word {len(words) + 1}", file, number)
            if last < first:
                _refuse_range(row[ID], "whose last word is before its first", file, number)
            if first <= before[1]:
                _refuse_range(row[ID], f"inside {before[0]}-{before[1]}", file, number)
            continue
        words.append((number, row))
        if row[ID] != str(len(words)):
            problem = f"found ID {shorten(row[ID])}, expected {len(words)}; words count from 1"
            raise FormatError(file, number, problem)
    if last > len(words):
        _refuse_range(f"{first}-{last}", f"of a sentence of {plural(len(words), 'word')}", file, line)
    return words


def _refuse_range(id: str, problem: str, file: str, line: int) -> None:
    problem = f"found ID {shorten(id)} {problem}; a multi-word token stands before its first word"
    raise FormatError(file, line, problem)


def _head(row: Row, words: int, file: str, number: int) -> int | None:
    """Return the head of a word, None for none."""
    head, deprel = row[HEAD], row[DEPREL]
    if deprel.isdecimal():
        swapped = "" if head.isdecimal() else "; the columns HEAD (7) and DEPREL (8) seem to be swapped"
        expected = swapped or ", expected a relation such as nsubj, or _"
        raise FormatError(file, number, f"found the number {shorten(deprel)} as DEPREL{expected}")
    if head == "_":
        return None
    if not _NUMBER.fullmatch(head) or int(head) > words:
        problem = f"found head {shorten(head)}, expected a number from 0 to {words}, or _"
        raise FormatError(file, number, problem)
    return int(head)


def surface_tokens(rows: Iterable[Row]) -> Iterator[tuple[str, bool, bool]]:
    """Yield each token of the text: its form, whether it stands for several words, and whether no space follows."""
    inside = 0
    for row in rows:
        if "-" in row[ID]:
            inside = int(row[ID].partition("-")[2])
            yield row[FORM], True, is_glued(row)
        elif int(row[ID]) > inside:
            yield row[FORM], False, is_glued(row)


def is_glued(row: Row) -> bool:
    """Whether no space follows a word or token."""
    return "SpaceAfter=No" in row[MISC].split("|")
