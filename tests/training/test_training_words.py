"""A tokenizer that marks the words of a list, which it keeps and hands on."""

from __future__ import annotations

import pytest
from stanza.models.tokenization.trainer import Trainer

from training.stages import TokenizerStage
from training.treebank import Treebank, TreebankSentence

pytestmark = pytest.mark.models

WORDS = ["图书馆", "大学", "汉语"]
OPTIONS = {
    "lang": "zh", "shorthand": "zh_test", "batch_size": 2, "max_seqlen": 60, "emb_dim": 8, "hidden_dim": 8,
    "skip_newline": True,
}  # fmt: skip


def treebank() -> Treebank:
    forms = ("我 去 图书馆 。", "他 学习 汉语 。", "大学 很 大 。")
    rows = (
        tuple(
            (str(n), form, form, "X", "_", "_", str(n - 1), "dep" if n > 1 else "root", "_", "SpaceAfter=No")
            for n, form in enumerate(words.split(), start=1)
        )
        for words in forms
    )
    return Treebank(tuple(map(TreebankSentence, rows)) * 4)


def test_words_are_kept_in_the_model_and_in_what_is_trained_from_it(tmp_path):
    first = TokenizerStage(treebank(), treebank(), OPTIONS, tmp_path, words=WORDS)
    first.update(next(first.batches()))
    first.save(tmp_path / "a.pt")
    loaded = Trainer(model_file=str(tmp_path / "a.pt"), device="cpu")
    assert set(loaded.lexicon) == set(WORDS)
    assert loaded.args["use_dictionary"]
    second = TokenizerStage(treebank(), treebank(), OPTIONS, tmp_path, start=tmp_path / "a.pt")
    assert set(second.trainer.lexicon) == set(WORDS)
    assert second.score() == first.score()
