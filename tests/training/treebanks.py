"""Sentences of treebanks for the tests of training."""

from __future__ import annotations

from pathlib import Path

from jperrant.core.values import on_cycle
from training.treebank import Treebank, TreebankSentence, read_treebank

ROOT = Path(__file__).parents[2]
TREEBANK = ROOT / "tests" / "data" / "treebank"
ENGLISH = ROOT / "langpacks" / "en" / "models"


def bank(name: str = "train") -> Treebank:
    """Return one of the treebanks of the test data: ``train`` or ``dev``."""
    return read_treebank([TREEBANK / f"{name}.conllu"])


def sentence(text: str, glued: str = "") -> TreebankSentence:
    """Return a sentence.

    Args:
        text: Its words as ``form/lemma/UPOS/XPOS/FEATS/head/relation``.
        glued: ``SpaceAfter=No`` where no space is written between words.
    """
    words = (word.split("/") for word in text.split(" "))
    return TreebankSentence(
        tuple((str(n), *columns, "_", glued or "_") for n, columns in enumerate(words, start=1))
    )


def check_tree(one: TreebankSentence) -> None:
    """Check that words are numbered and hang on one root, and that tokens of several words are whole."""
    heads = [int(row[6]) for row in one.words]
    assert on_cycle(heads) is None
    assert heads.count(0) == 1
    assert [row[0] for row in one.words] == [str(n) for n in range(1, len(heads) + 1)]
    ranges = [row[0].split("-") for row in one.rows if "-" in row[0]]
    assert all(1 <= int(a) < int(b) <= len(heads) for a, b in ranges)
