"""A tokenizer that marks the words of a list: trained anew, and a trained one that learns them."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("stanza")

from training.stages import TokenizerStage
from training.treebank import Treebank, TreebankSentence, read_treebank

WORDS = ["图书馆", "大学", "汉语"]
OPTIONS = {
    "lang": "zh",
    "shorthand": "zh_test",
    "batch_size": 2,
    "max_seqlen": 60,
    "emb_dim": 8,
    "hidden_dim": 8,
    "skip_newline": True,
}


def _treebank() -> Treebank:
    forms = (["我", "去", "图书馆", "。"], ["他", "学习", "汉语", "。"], ["大学", "很", "大", "。"])
    sentences = [
        TreebankSentence(
            tuple(
                (
                    str(n), form, form, "X", "_", "_", str(n - 1), "dep" if n > 1 else "root", "_",
                    "SpaceAfter=No",
                )
                for n, form in enumerate(words, start=1)
            )
        )
        for words in forms
    ]  # fmt: skip
    return Treebank("made", tuple(sentences * 4))


def _stage(folder: Path, start: Path | None = None, words: Path | None = None) -> TokenizerStage:
    return TokenizerStage(_treebank(), _treebank(), OPTIONS, folder, start, words)


def _words_file(folder: Path) -> Path:
    path = folder / "words.txt"
    path.write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    return path


def test_words_are_kept_in_the_model_and_taken_from_it(tmp_path: Path) -> None:
    """What a model was trained with, Stanza loads with it, and another training reads from it."""
    from stanza.models.tokenization.trainer import Trainer

    first = _stage(tmp_path, words=_words_file(tmp_path))
    first.update(next(first.batches()))
    first.save(tmp_path / "a.pt")
    loaded = Trainer(model_file=str(tmp_path / "a.pt"), device="cpu")
    assert set(loaded.lexicon) == set(WORDS)
    assert loaded.args["use_dictionary"]
    second = _stage(tmp_path, words=tmp_path / "a.pt")
    assert set(second.trainer.lexicon) == set(WORDS)


def test_a_model_without_words_learns_them(tmp_path: Path) -> None:
    """It starts from its own weights; only the marks' inputs are new, and small."""
    import torch

    plain = _stage(tmp_path)
    plain.save(tmp_path / "plain.pt")
    wide = _stage(tmp_path, start=tmp_path / "plain.pt", words=_words_file(tmp_path))
    old, new = (stage.trainer.model.rnn.weight_ih_l0 for stage in (plain, wide))
    assert torch.equal(old, new[:, : old.shape[1]])
    assert new.shape[1] == old.shape[1] + 8
    wide.update(next(wide.batches()))
    wide.save(tmp_path / "wide.pt")
    again = _stage(tmp_path, start=tmp_path / "wide.pt")
    assert again.score() == wide.score()


def test_a_treebank_can_be_cut_by_the_names_of_sentences(tmp_path: Path) -> None:
    """A name after ``#`` in a recipe reads those sentences only; without names nothing begins so."""
    row = "1\tx\tx\tX\t_\t_\t0\troot\t_\t_\n\n"
    path = tmp_path / "a.conllu"
    path.write_text(f"# sent_id = cfl-1\n{row}# sent_id = hk-1\n{row}{row}", encoding="utf-8")
    assert len(read_treebank([str(path)]).sentences) == 3
    assert len(read_treebank([str(path)], "cfl").sentences) == 1
