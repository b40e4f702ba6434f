"""Word vectors that networks begin with: read from the usual formats, and known beyond the words of a treebank."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from jperrant.core.errors import FormatError, InputError
from training.recipe import read_data, read_recipe
from training.stages import TaggerStage, joined, read_vectors, resized
from training.treebank import read_treebank

TREEBANK = Path(__file__).parents[1] / "data" / "treebank"


def test_both_formats_are_read(tmp_path: Path) -> None:
    """word2vec's text begins with a line of two numbers, GloVe's does not; words are lowercased."""
    with gzip.open(tmp_path / "word2vec.txt.gz", "wt", encoding="utf-8") as file:
        file.write("4 2\nthe 1 2\nThe 5 6\nof -3 4e-1\nto 7 8\n")
    (tmp_path / "glove.txt").write_text("the 1 2\nof -3 .4\n", encoding="utf-8")
    for name in ("word2vec.txt.gz", "glove.txt"):
        found = read_vectors(tmp_path / name, 2)
        assert {word: v.tolist() for word, v in found.items()} == {
            "the": [1, 2],
            "of": [-3, np.float32(0.4)],
        }
    both = joined({"glove.txt": 1, "word2vec.txt.gz": 9}, tmp_path)
    assert list(both) == ["the", "of", "to"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the 1 2\nof 1\n", "vectors.txt:2: a word vector of 1 number, expected 2 as in the lines before"),
        ("the 1 2\nof 1 x\n", "vectors.txt:2: a word vector holds 'x', expected numbers"),
        ("the\n", "vectors.txt:1: a word without a vector"),
        ("", "vectors.txt: no word vectors there"),
    ],
)
def test_what_is_no_vector(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "vectors.txt").write_text(text, encoding="utf-8")
    with pytest.raises((FormatError, InputError), match=message):
        read_vectors(tmp_path / "vectors.txt", 9)


@given(arrays(np.float32, (12, 4), elements=st.floats(-9, 9, width=32)), st.integers(1, 6))
def test_resized_vectors_keep_what_differs_most(table: np.ndarray, size: int) -> None:
    """Distances are kept where nothing is cut off, and never grow where something is."""
    if table.std(0).max() < 0.01:
        table = table + np.eye(12, 4, dtype=np.float32)
    made = np.stack(list(resized({str(n): row for n, row in enumerate(table)}, size).values()))
    assert made.shape == (12, size)
    assert made[:, : min(size, 4)].std() == pytest.approx(1, abs=1e-3)
    if size >= 4:
        old, new = (np.linalg.norm(t[:, None] - t[None], axis=2) for t in (table, made))
        scale = np.linalg.norm(new) / np.linalg.norm(old)
        np.testing.assert_allclose(new, old * scale, atol=1e-3 * new.max())


@pytest.mark.models
def test_a_tagger_knows_words_beyond_its_treebank(tmp_path: Path) -> None:
    (tmp_path / "vectors.txt").write_text("the 1 2 3\nzyzzyva -1 0 4\nof 2 2 2\n", encoding="utf-8")
    bank = read_treebank([str(TREEBANK / "train.conllu")])
    vectors = read_vectors(tmp_path / "vectors.txt", 9)
    options = {"lang": "en", "shorthand": "en_test", "word_emb_dim": 3}
    stage = TaggerStage([(bank, 1.0)], bank, options, None, vectors)
    vocab, rows = stage.trainer.vocab["word"], stage.trainer.model.word_emb.weight.detach().numpy()
    assert len(rows) == len(vocab)
    for word, vector in resized(vectors, 3).items():
        np.testing.assert_array_equal(rows[vocab.unit2id(word)], vector)
    assert "zyzzyva" in vocab
    assert stage.tagger.predict(bank.sentences[:1])


def test_a_recipe_names_vectors_beside_its_treebanks(tmp_path: Path) -> None:
    (tmp_path / "vectors.txt").write_text("the 1 2 3\nof 2 2 2\n", encoding="utf-8")
    (tmp_path / "train.conllu").write_bytes((TREEBANK / "train.conllu").read_bytes())
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "package: x\nshorthand: x\ntrain: [train.conllu]\ndev: train.conllu\n"
        "stages: {pos: {vectors: {vectors.txt: 1}}}\n",
        encoding="utf-8",
    )
    data = read_data(read_recipe(recipe), tmp_path)
    assert {name: list(found) for name, found in data.vectors.items()} == {"pos": ["the"]}
