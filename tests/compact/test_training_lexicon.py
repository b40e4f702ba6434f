"""A lemmatizer knows all words of its lexicon; what its treebank says of a word counts first."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from jperrant.core.errors import FormatError, InputError
from training.recipe import read_data, read_recipe
from training.run import train_models
from training.stages import read_lexicon

TREEBANK = Path(__file__).parents[1] / "data" / "treebank"
WORDS = {
    ("fled", "VERB"): "flee",
    ("horsemen", "NOUN"): "horseman",
    ("sang", "VERB"): "sing",
    ("is", "AUX"): "xx",
}


def test_a_lexicon_is_read(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "words.tsv.gz", "wt", encoding="utf-8") as file:
        file.write("saw\tVERB\tsee\nsaw\tVERB\tsaw\r\nsaw\tNOUN\tsaw\n")
    assert read_lexicon(tmp_path / "words.tsv.gz") == {("saw", "VERB"): "see", ("saw", "NOUN"): "saw"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fled\tVERB\tflee\nfled VERB flee\n",
         r"words.tsv:2: found 'fled VERB flee', expected form, UPOS and lemma"),
        ("fled\tVERB\t\n", r"words.tsv:1: found 'fled\\tVERB', expected form, UPOS and lemma"),
        ("", "words.tsv: found no words, expected form, UPOS and lemma"),
    ],
)  # fmt: skip
def test_what_is_no_lexicon(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "words.tsv").write_text(text, encoding="utf-8")
    with pytest.raises((FormatError, InputError), match=message):
        read_lexicon(tmp_path / "words.tsv")


@pytest.mark.models
def test_a_lemmatizer_has_all_words_of_its_lexicon(tmp_path: Path) -> None:
    """As Stanza reads the file, and as jperrant does; the treebank's lemma of *is* stays."""
    import torch
    from stanza.models.lemma.trainer import Trainer

    from jperrant.compact.lemmatizer import Lemmatizer

    (tmp_path / "words.tsv").write_text(
        "".join(f"{f}\t{u}\t{w}\n" for (f, u), w in WORDS.items()), encoding="utf-8"
    )
    (tmp_path / "recipe.yaml").write_text(
        f"package: x\nshorthand: x\ntrain: {TREEBANK / 'train.conllu'}\ndev: {TREEBANK / 'dev.conllu'}\n"
        "stages: {lemma: {schedule: [[3, 0.003]], errors: 1, lexicon: words.tsv,"
        " options: {hidden_dim: 8}}}\n",
        encoding="utf-8",
    )
    recipe = read_recipe(tmp_path / "recipe.yaml")
    data = read_data(recipe, tmp_path)
    assert set(data.lexicon) == WORDS.keys() - {("is", "AUX")}
    train_models("en", data, recipe, tmp_path / "out", lambda *_: None)
    file = tmp_path / "out" / "en" / "lemma" / "x.pt"
    lemmas = Lemmatizer(torch.load(file, weights_only=True)).lemmas(list(WORDS))
    expected = {**WORDS, ("is", "AUX"): "be"}
    assert lemmas == expected
    assert Trainer(model_file=str(file), device="cpu", args={}).predict_dict(list(WORDS)) == list(
        expected.values()
    )
