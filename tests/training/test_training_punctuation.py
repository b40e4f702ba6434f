"""Sentences punctuated as learners do it: what changes, what stays, and that a tokenizer can learn from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.learner_errors import with_loose_punctuation
from training.treebank import Treebank, TreebankSentence, read_treebank, text_and_labels

TREEBANK = read_treebank([str(Path(__file__).parents[1] / "data" / "treebank" / "train.conllu")])


def sentence(*forms: str) -> TreebankSentence:
    rows = [
        (str(n), form, "_", "_", "_", "_", str(n - 1), "_", "_", "_") for n, form in enumerate(forms, start=1)
    ]
    rows[-2] = (*rows[-2][:9], "SpaceAfter=No")
    return TreebankSentence(tuple(rows))


def variants(*forms: str) -> set[str]:
    bank = Treebank("", (sentence(*forms),) * 400)
    made = with_loose_punctuation(bank, 3).sentences
    return {text_and_labels([s])[0] for s in made}


def test_what_happens_to_a_sentence() -> None:
    found = variants("She", "went", "home", ".")
    assert {
        "She went home.", "She went home", "She went home..", "She went home...", "She went home 😀",
        "she went home.", "she went home",
    } <= found  # fmt: skip
    assert all(text.lower().startswith("she went home") for text in found)


def test_what_has_no_stop_at_its_end_keeps_it() -> None:
    assert variants("Who", "cares", ")") == {"Who cares)", "who cares)"}


def test_a_space_may_be_missing_behind_a_stop() -> None:
    bank = Treebank("", (sentence("She", "left", "."),) * 400)
    text, labels = text_and_labels(with_loose_punctuation(bank, 3).sentences)
    assert ".She left" in text
    assert sum(label in "24" for label in labels) == 400


@pytest.mark.parametrize("seed", [1, 2])
def test_sentences_and_words_stay(seed: int) -> None:
    made = with_loose_punctuation(TREEBANK, seed)
    assert made == with_loose_punctuation(TREEBANK, seed)
    assert made != with_loose_punctuation(TREEBANK, seed + 10)
    assert len(made.sentences) == len(TREEBANK.sentences)
    for old, new in zip(TREEBANK.sentences, made.sentences, strict=True):
        assert new.new_paragraph == old.new_paragraph
        assert [r[1].lower() for r in new.rows[:-2]] == [r[1].lower() for r in old.rows[: len(new.rows) - 2]]
        assert 0 <= len(old.rows) - len(new.rows) <= 1
    text, labels = text_and_labels(made.sentences)
    assert len(text) == len(labels)
    assert sum(label in "24" for label in labels) == len(made.sentences)
