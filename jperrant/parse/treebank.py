"""Treebanks: CoNLL-U files read once, checked, and what their columns offer to train.

Unlike ``jperrant.io.conllu``, which reads analyses of text, this keeps every line, multi-word tokens included,
because Stanza's own reader gets them next. https://universaldependencies.org/format.html describes the format.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from jperrant.core.errors import FormatError, InputError
from jperrant.core.messages import plural
from jperrant.core.values import on_cycle

_COLUMNS = 10
FORM, _LEMMA, UPOS, _XPOS, _FEATS, _HEAD, DEPREL, _MISC = 1, 2, 3, 4, 5, 6, 7, 9
_NAMED = {"lemma": _LEMMA, "upos": UPOS, "xpos": _XPOS, "feats": _FEATS, "head": _HEAD}
_OPENERS: dict[str, Callable[..., IO[str]]] = {".xz": lzma.open, ".gz": gzip.open, ".bz2": bz2.open}


@dataclass(frozen=True, slots=True)
class TreebankSentence:
    """A sentence as its lines, comments left out but the mark of a new paragraph.

    Attributes:
        rows: The columns of each line: words and multi-word tokens, no empty nodes.
        new_paragraph: Whether a paragraph or document begins here.
        lacks: Columns that no word of its file has, by the names of ``Treebank.has``; they teach and tell nothing.
            ``head`` is among them where any word of the sentence has none.
    """

    rows: tuple[tuple[str, ...], ...]
    new_paragraph: bool = False
    lacks: frozenset[str] = frozenset()

    @property
    def words(self) -> list[tuple[str, ...]]:
        """The rows of syntactic words."""
        return [row for row in self.rows if "-" not in row[0]]

    def without(self, position: int) -> TreebankSentence | None:
        """Return the sentence without a word, or None where something hangs on it or it is part of a token.

        Args:
            position: Of the word among the words, from 0.
        """
        gone, words = position + 1, self.words
        ranges = [tuple(map(int, row[0].split("-"))) for row in self.rows if "-" in row[0]]
        if len(words) < 2 or words[position][_HEAD] == "0" or any(a <= gone <= b for a, b in ranges):
            return None
        if any(row[_HEAD] == str(gone) for row in words):
            return None

        def moved(number: str) -> str:
            return str(int(number) - (int(number) > gone)) if number.isdecimal() else number

        rows = tuple(
            ("-".join(map(moved, row[0].split("-"))), *row[1:_HEAD], moved(row[_HEAD]), *row[_HEAD + 1 :])
            for row in self.rows
            if row[0] != str(gone)
        )
        return replace(self, rows=rows)


@dataclass(frozen=True, slots=True)
class Treebank:
    """The sentences of some files.

    Attributes:
        name: The files, for messages.
        sentences: Their sentences, in order.
    """

    name: str
    sentences: tuple[TreebankSentence, ...]

    @property
    def word_count(self) -> int:
        """Number of syntactic words."""
        return sum(len(s.words) for s in self.sentences)

    @property
    def multi_word_tokens(self) -> int:
        """Number of tokens that stand for several words."""
        return sum("-" in row[0] for s in self.sentences for row in s.rows)

    def has(self, column: str) -> bool:
        """Whether any word has a value in a column: ``lemma``, ``upos``, ``xpos``, ``feats``.

        For ``head``, whether all words of any sentence do: half a tree is none.
        """
        return _has(self.sentences, column)

    def lines(self) -> Iterator[str]:
        """Yield the treebank as lines of CoNLL-U."""
        for sentence in self.sentences:
            yield from ("\t".join(row) + "\n" for row in sentence.rows)
            yield "\n"


def read_treebank(paths: Sequence[str], named: str = "") -> Treebank:
    """Read CoNLL-U files (``.xz``, ``.gz`` and ``.bz2`` too) into one treebank.

    Args:
        paths: The files.
        named: Keep only sentences whose ``sent_id`` begins so.

    Raises:
        FormatError: A line is malformed, heads form a cycle, or a sentence has not one root; names file and line.
        InputError: A file cannot be read, or has no sentence.
    """
    sentences: list[TreebankSentence] = []
    for path in paths:
        found = list(_read(path, named))
        if not found:
            raise InputError(f"{path}: found no sentences, expected a treebank in CoNLL-U")
        lacks = frozenset(column for column in _NAMED if not _has(found, column))
        sentences += [_lacking(s, lacks) for s in found]
    return Treebank(", ".join(paths), tuple(sentences))


def _has(sentences: Sequence[TreebankSentence], column: str) -> bool:
    if column == "head":
        return any(map(_is_tree, sentences))
    return any(row[_NAMED[column]] != "_" for s in sentences for row in s.words)


def _is_tree(sentence: TreebankSentence) -> bool:
    return all(row[_HEAD] != "_" for row in sentence.words)


def _lacking(sentence: TreebankSentence, lacks: frozenset[str]) -> TreebankSentence:
    """Return a sentence with the columns that its file lacks, and heads if it is no tree."""
    own = lacks if _is_tree(sentence) else lacks | {"head"}
    return replace(sentence, lacks=own) if own else sentence


def _read(path: str, named: str) -> Iterator[TreebankSentence]:
    with open_compressed(path) as stream:
        yield from _sentences(stream, path, named)


@contextmanager
def open_compressed(path: str) -> Iterator[IO[str]]:
    """Open a text for reading; ``.xz``, ``.gz`` and ``.bz2`` are decompressed.

    Raises:
        FormatError: It is not UTF-8.
        InputError: It cannot be read.
    """
    opener = _OPENERS.get(Path(path).suffix, open)
    try:
        # A byte order mark, as some Windows programs write, is no part of the first line.
        with opener(path, "rt", encoding="utf-8-sig", newline="\n") as stream:
            yield stream
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    except UnicodeDecodeError as error:
        raise FormatError(path, None, f"not UTF-8 ({error.reason} at byte {error.start})") from None


def _sentences(lines: IO[str], path: str, named: str) -> Iterator[TreebankSentence]:
    rows: list[tuple[int, tuple[str, ...]]] = []
    new_paragraph, name = False, ""
    for number, ended in enumerate(lines, start=1):
        line = ended.rstrip("\r\n")
        if line.startswith("#"):
            new_paragraph |= line.startswith(("# newpar", "# newdoc"))
            if line.startswith("# sent_id ="):
                name = line.partition("=")[2].strip()
        elif line.strip():
            columns = tuple(line.split("\t"))
            if len(columns) != _COLUMNS:
                hint = "; columns are separated by tabs, not spaces" if len(columns) == 1 else ""
                raise FormatError(
                    path, number, f"found {plural(len(columns), 'column')}, expected {_COLUMNS}{hint}"
                )
            if "." not in columns[0]:  # empty nodes are not text
                rows.append((number, columns))
        elif rows:
            if name.startswith(named):
                yield _sentence(rows, new_paragraph, path)
            rows, new_paragraph, name = [], False, ""
    if rows and name.startswith(named):
        yield _sentence(rows, new_paragraph, path)


def _sentence(rows: list[tuple[int, tuple[str, ...]]], new_paragraph: bool, path: str) -> TreebankSentence:
    words = [(number, row) for number, row in rows if "-" not in row[0]]
    for position, (number, row) in enumerate(words, start=1):
        if row[0] != str(position):
            raise FormatError(path, number, f"found ID {row[0]!r}, expected {position}; words count from 1")
        if not row[FORM].strip():
            raise FormatError(path, number, "found an empty form, expected a word")
        head = row[_HEAD]
        if head != "_" and not (head.isdecimal() and int(head) <= len(words)):
            raise FormatError(
                path, number, f"found head {head!r}, expected a number from 0 to {len(words)}, or _"
            )
    for number, row in rows:
        _check_range(row, len(words), path, number)
    heads = [int(row[_HEAD]) if row[_HEAD] != "_" else None for _, row in words]
    if (word := on_cycle(heads)) is not None:
        raise FormatError(
            path, words[word][0], f"found a cycle of heads through word {word + 1}, expected a tree"
        )
    if None not in heads and heads.count(0) != 1:
        raise FormatError(path, rows[0][0], f"found {heads.count(0)} roots in the sentence, expected 1")
    if not words:
        raise FormatError(path, rows[0][0], "found a sentence without words")
    return TreebankSentence(tuple(row for _, row in rows), new_paragraph)


def _check_range(row: tuple[str, ...], words: int, path: str, number: int) -> None:
    if "-" not in row[0]:
        return
    first, _, last = row[0].partition("-")
    if not (first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last) <= words):
        raise FormatError(path, number, f"found the range {row[0]!r}, expected one within 1-{words}")


def stanza_document(treebank: Treebank) -> Any:
    """Return the treebank as a document of Stanza's."""
    from stanza.utils.conll import CoNLL

    return CoNLL.conll2doc(input_str="".join(treebank.lines()))


def text_and_labels(sentences: Sequence[TreebankSentence]) -> tuple[str, str]:
    """Return running text and a digit for each of its characters.

    A digit is 1 where a token ends, 3 where one of several words does, each plus 1 where a sentence ends, else 0.
    Paragraphs are separated by an empty line in both.
    """
    text: list[str] = []
    labels: list[str] = []
    for number, sentence in enumerate(sentences):
        if number:
            gap = "\n\n" if sentence.new_paragraph else "" if _glued(sentences[number - 1].rows[-1]) else " "
            text.append(gap)
            labels.append("\n\n" if sentence.new_paragraph else "0" * len(gap))
        tokens = list(_tokens(sentence))
        for index, (form, several, glued) in enumerate(tokens):
            last = index == len(tokens) - 1
            gap = "" if last or glued else " "
            text.append(form + gap)
            labels.append("0" * (len(form) - 1) + str(1 + 2 * several + last) + "0" * len(gap))
    return "".join(text), "".join(labels)


def _tokens(sentence: TreebankSentence) -> Iterator[tuple[str, bool, bool]]:
    """Yield each surface token, whether it stands for several words, and whether no space follows."""
    inside = 0
    for row in sentence.rows:
        if "-" in row[0]:
            inside = int(row[0].partition("-")[2])
            yield row[FORM], True, _glued(row)
        elif int(row[0]) > inside:
            yield row[FORM], False, _glued(row)


def _glued(row: Sequence[str]) -> bool:
    return "SpaceAfter=No" in row[_MISC].split("|")
