"""What tagger and parser learn from a teacher: the sentences that it labelled, and the words that they bring."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from training.error_tables import ErrorTable
from training.errors import with_errors
from training.lemmas import guessed_lemmas, with_lemmas
from training.treebank import Treebank

_FORM = 1


@dataclass(frozen=True, slots=True)
class Taught:
    """What a network learns beside its treebanks; its vocabularies come from the treebanks, but for ``words``.

    Attributes:
        treebanks: What a teacher labelled, each with how often an epoch takes each sentence.
        words: Words that the network knows beside those of its treebanks, in lower case.
    """

    treebanks: tuple[tuple[Treebank, float], ...] = ()
    words: tuple[str, ...] = ()


NOTHING = Taught()


def taught(
    bank: Treebank, share: float, words: int, train: Treebank, errors: ErrorTable | None, seed: int
) -> Taught:
    """Return what a network learns from sentences that a teacher labelled.

    Args:
        bank: The sentences.
        share: How often an epoch takes each; where there are errors, half as often with errors in it, too.
        words: How many words they bring, the most frequent.
        train: The treebank, which knows lemmas and inflected forms.
        errors: Learners' errors, or None.
        seed: What is drawn derives from it.
    """
    counts = Counter(row[_FORM].lower() for s in bank.sentences for row in s.words)
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    banks = [(bank, share)]
    if errors is not None:
        banks.append((with_errors(_inflected(bank, train), errors, seed, lexicon=train), share / 2))
    return Taught(tuple(banks), tuple(ranked[:words]))


def _inflected(bank: Treebank, train: Treebank) -> Treebank:
    """Return sentences with the lemmas that the treebank knows, by which errors of inflection are made."""
    lemmas = guessed_lemmas(train.sentences)
    return replace(bank, sentences=tuple(with_lemmas(s, lemmas, unknown="_") for s in bank.sentences))
