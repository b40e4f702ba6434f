"""Treebanks: the sentences of CoNLL-U files, and the columns that can be trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jperrant.core.conllu import (
    FEATS,
    HEAD,
    LEMMA,
    UPOS,
    XPOS,
    ConlluSentence,
    conllu_sentences,
    is_glued,
    surface_tokens,
)
from jperrant.io.files import read_lines

_NAMED = {"lemma": LEMMA, "upos": UPOS, "xpos": XPOS, "feats": FEATS}


@dataclass(frozen=True, slots=True)
class TreebankSentence(ConlluSentence):
    """A sentence of a treebank.

    Attributes:
        lacks: The columns among ``lemma``, ``upos``, ``xpos``, ``feats`` that no word of its file has; nothing is
            learnt from them. ``head`` is included where a word of the sentence has no head.
    """

    lacks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Treebank:
    """Sentences to train on or to choose the best round by."""

    sentences: tuple[TreebankSentence, ...]

    @property
    def word_count(self) -> int:
        """Number of syntactic words."""
        return sum(len(s.words) for s in self.sentences)

    @property
    def multi_word_tokens(self) -> int:
        """Number of tokens that consist of several words."""
        return sum("-" in row[0] for s in self.sentences for row in s.rows)


def read_treebank(paths: Sequence[Path], named: str = "") -> Treebank:
    """Read CoNLL-U files, compressed ones too, into one treebank.

    Args:
        paths: The files.
        named: Keep only sentences whose ``sent_id`` begins with this.

    Raises:
        FormatError: A line is malformed; names file and line.
        InputError: A file cannot be read.
    """
    sentences: list[TreebankSentence] = []
    for path in map(str, paths):
        found = [
            sentence
            for sentence in conllu_sentences(read_lines(path), path)
            if sentence.rows and sentence.comment("sent_id").startswith(named)
        ]
        lacks = {
            name
            for name, column in _NAMED.items()
            if all(row[column] == "_" for sentence in found for row in sentence.words)
        }
        for sentence in found:
            own = lacks if all(row[HEAD] != "_" for row in sentence.words) else {*lacks, "head"}
            sentences.append(TreebankSentence(sentence.rows, sentence.new_paragraph, lacks=frozenset(own)))
    return Treebank(tuple(sentences))


def joined(banks: Sequence[Treebank]) -> Treebank:
    """Return the sentences of several treebanks as one."""
    return Treebank(tuple(sentence for bank in banks for sentence in bank.sentences))


def text_and_labels(sentences: Sequence[TreebankSentence]) -> tuple[str, str]:
    """Return running text and a digit for each of its characters.

    A digit is 1 at the end of a token, 3 at the end of a token of several words, one more at the end of a sentence,
    and else 0. Paragraphs are separated by an empty line in both.
    """
    text: list[str] = []
    labels: list[str] = []
    gap = ""
    for sentence in sentences:
        if text and sentence.new_paragraph:
            gap = "\n\n"
        for form, several, glued in surface_tokens(sentence.rows):
            text += [gap, form]
            labels += [gap.replace(" ", "0"), "0" * (len(form) - 1), "3" if several else "1"]
            gap = "" if glued else " "
        labels[-1] = str(int(labels[-1]) + 1)
        gap = "" if is_glued(sentence.rows[-1]) else " "
    return "".join(text), "".join(labels)
