"""Treebanks: the sentences of CoNLL-U files, and what their columns offer to train."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from jperrant.core.conllu import (
    FEATS,
    FORM,
    HEAD,
    LEMMA,
    UPOS,
    XPOS,
    ConlluSentence,
    conllu_sentences,
    is_glued,
    surface_tokens,
)
from jperrant.core.errors import FormatError, InputError
from jperrant.io.files import read_lines

_NAMED = {"lemma": LEMMA, "upos": UPOS, "xpos": XPOS, "feats": FEATS, "head": HEAD}


@dataclass(frozen=True, slots=True)
class TreebankSentence(ConlluSentence):
    """A sentence of a treebank.

    Attributes:
        lacks: Columns that no word of its file has, by the names of ``Treebank.has``; they teach and tell nothing.
            ``head`` is among them where any word of the sentence has none.
    """

    lacks: frozenset[str] = frozenset()

    def without(self, position: int) -> TreebankSentence | None:
        """Return the sentence without a word, or None where something hangs on it or it is part of a token.

        Args:
            position: Of the word among the words, from 0.
        """
        gone, words = position + 1, self.words
        ranges = [tuple(map(int, row[0].split("-"))) for row in self.rows if "-" in row[0]]
        if len(words) < 2 or words[position][HEAD] == "0" or any(a <= gone <= b for a, b in ranges):
            return None
        if any(row[HEAD] == str(gone) for row in words):
            return None

        def moved(number: str) -> str:
            return str(int(number) - (int(number) > gone)) if number.isdecimal() else number

        rows = tuple(
            ("-".join(map(moved, row[0].split("-"))), *row[1:HEAD], moved(row[HEAD]), *row[HEAD + 1 :])
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
    """Read CoNLL-U files, compressed ones too, into one treebank.

    Args:
        paths: The files.
        named: Keep only sentences whose ``sent_id`` begins so.

    Raises:
        FormatError: A line is malformed, heads form a cycle, or a sentence has not one root; names file and line.
        InputError: A file cannot be read, or has no sentence.
    """
    sentences: list[TreebankSentence] = []
    for path in paths:
        found = [
            _checked(sentence, path)
            for sentence in conllu_sentences(read_lines(path), path)
            if sentence.rows and sentence.comment("sent_id").startswith(named)
        ]
        if not found:
            raise InputError(f"{path}: found no sentences, expected a treebank in CoNLL-U")
        lacks = frozenset(column for column in _NAMED if not _has(found, column))
        sentences += [_lacking(s, lacks) for s in found]
    return Treebank(", ".join(paths), tuple(sentences))


def _checked(sentence: ConlluSentence, path: str) -> TreebankSentence:
    """Return a sentence whose forms are words and whose tree, if it is one, has one root."""
    for line, row in zip(sentence.lines, sentence.rows, strict=True):
        if not row[FORM].strip():
            raise FormatError(path, line, "found an empty form, expected a word")
    heads = [row[HEAD] for row in sentence.words]
    if "_" not in heads and heads.count("0") != 1:
        raise FormatError(
            path, sentence.lines[0], f"found {heads.count('0')} roots in the sentence, expected 1"
        )
    return TreebankSentence(sentence.rows, sentence.new_paragraph)


def _has(sentences: Sequence[TreebankSentence], column: str) -> bool:
    if column == "head":
        return any(map(_is_tree, sentences))
    return any(row[_NAMED[column]] != "_" for s in sentences for row in s.words)


def _is_tree(sentence: TreebankSentence) -> bool:
    return all(row[HEAD] != "_" for row in sentence.words)


def _lacking(sentence: TreebankSentence, lacks: frozenset[str]) -> TreebankSentence:
    """Return a sentence with the columns that its file lacks, and heads if it is no tree."""
    own = lacks if _is_tree(sentence) else lacks | {"head"}
    return replace(sentence, lacks=own) if own else sentence


def text_and_labels(sentences: Sequence[TreebankSentence]) -> tuple[str, str]:
    """Return running text and a digit for each of its characters.

    A digit is 1 where a token ends, 3 where one of several words does, each plus 1 where a sentence ends, else 0.
    Paragraphs are separated by an empty line in both.
    """
    text: list[str] = []
    labels: list[str] = []
    for number, sentence in enumerate(sentences):
        if number:
            gap = (
                "\n\n" if sentence.new_paragraph else "" if is_glued(sentences[number - 1].rows[-1]) else " "
            )
            text.append(gap)
            labels.append("\n\n" if sentence.new_paragraph else "0" * len(gap))
        tokens = list(surface_tokens(sentence.rows))
        for index, (form, several, glued) in enumerate(tokens):
            last = index == len(tokens) - 1
            gap = "" if last or glued else " "
            text.append(form + gap)
            labels.append("0" * (len(form) - 1) + str(1 + 2 * several + last) + "0" * len(gap))
    return "".join(text), "".join(labels)
