"""Lemmas for sentences whose files have none: those that the same words have elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from training.treebank import TreebankSentence

_FORM, _LEMMA, _UPOS = 1, 2, 3


def guessed_lemmas(sentences: Iterable[TreebankSentence]) -> dict[tuple[str, str], str]:
    """Return the most frequent lemma of each form in lower case and UPOS."""
    counts = Counter(
        (row[_FORM].lower(), row[_UPOS], row[_LEMMA])
        for s in sentences
        if "lemma" not in s.lacks
        for row in s.words
    )
    lemmas: dict[tuple[str, str], str] = {}
    for (form, upos, lemma), _ in counts.most_common():
        lemmas.setdefault((form, upos), lemma)
    return lemmas


def with_lemmas(
    sentence: TreebankSentence, lemmas: Mapping[tuple[str, str], str], unknown: str | None = None
) -> TreebankSentence:
    """Return a sentence with lemmas where its file has none but others have.

    Args:
        sentence: The sentence; lemmas that it has already stay.
        lemmas: What ``guessed_lemmas`` returns.
        unknown: The lemma of words that have none there; None for the word itself.
    """
    if "lemma" not in sentence.lacks or not lemmas:
        return sentence
    rows = []
    for row in sentence.rows:
        if "-" not in row[0] and row[_LEMMA] == "_":
            form = row[_FORM].lower()
            lemma = lemmas.get((form, row[_UPOS]), form if unknown is None else unknown)
            row = (*row[:_LEMMA], lemma, *row[_UPOS:])
        rows.append(row)
    return replace(sentence, rows=tuple(rows))
