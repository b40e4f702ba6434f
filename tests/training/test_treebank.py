"""What training reads: treebanks, recipes, word vectors, lexicons; and the text that a tokenizer learns from."""

from __future__ import annotations

import gzip
import lzma
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from jperrant.packs.pack import load_pack
from training.learner_errors import with_loose_punctuation
from training.recipe import read_lexicon, read_recipe, read_vectors
from training.stages import Lessons, TaggerStage, resized
from training.treebank import Treebank, TreebankSentence, read_treebank, text_and_labels

pytestmark = pytest.mark.models

TREEBANK = Path(__file__).parents[1] / "data" / "treebank"
BANK, DEV = (read_treebank([TREEBANK / f"{name}.conllu"]) for name in ("train", "dev"))


def written(path: Path, bank: Treebank) -> Path:
    """Write a treebank as CoNLL-U."""
    rows = ("".join("\t".join(row) + "\n" for row in s.rows) for s in bank.sentences)
    path.write_text("".join(f"{sentence}\n" for sentence in rows), encoding="utf-8")
    return path


def blanked(bank: Treebank, *columns: int) -> Treebank:
    """Return sentences without some columns."""

    def rows(sentence: TreebankSentence) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple("_" if n in columns else value for n, value in enumerate(row)) for row in sentence.rows
        )

    return Treebank(tuple(replace(s, rows=rows(s)) for s in bank.sentences))


def test_what_is_read(tmp_path):
    assert len(BANK.sentences) == 80
    assert BANK.multi_word_tokens > 0
    assert not any(s.lacks for s in BANK.sentences)
    with lzma.open(tmp_path / "t.conllu.xz", "wt", encoding="utf-8") as stream:
        stream.write((TREEBANK / "train.conllu").read_text(encoding="utf-8"))
    assert read_treebank([tmp_path / "t.conllu.xz"]) == BANK


def test_sentences_lack_what_their_file_lacks_and_heads_without_a_whole_tree(tmp_path):
    first, *others = DEV.sentences
    half = replace(first, rows=((*first.rows[0][:6], "_", *first.rows[0][7:]), *first.rows[1:]))
    bank = blanked(Treebank((half, *others)), 2, 5)
    mixed, whole = written(tmp_path / "mixed.conllu", bank), TREEBANK / "train.conllu"
    found = [s.lacks for s in read_treebank([mixed, whole]).sentences]
    bare = {"lemma", "feats"}
    assert found == [{*bare, "head"}, *([bare] * len(others)), *([set()] * len(BANK.sentences))]


def test_a_treebank_can_be_cut_by_the_names_of_sentences(tmp_path):
    """A name after ``#`` in a recipe reads those sentences only; without names nothing begins so."""
    row = "1\tx\tx\tX\t_\t_\t0\troot\t_\t_\n\n"
    path = tmp_path / "a.conllu"
    path.write_text(f"# sent_id = cfl-1\n{row}# sent_id = hk-1\n{row}{row}", encoding="utf-8")
    assert [len(read_treebank([path], name).sentences) for name in ("", "cfl")] == [3, 1]


@pytest.mark.parametrize("text", ["{pso: {}}", "{pos: {step: 3}}"])
def test_a_recipe_has_no_unknown_stage_or_key(tmp_path, text):
    path = tmp_path / "r.yaml"
    path.write_text(f"package: x\nshorthand: x_x\ntrain: [a]\ndev: [b]\nabout: {{}}\nstages: {text}\n")
    with pytest.raises((KeyError, TypeError), match=r"pso|step"):
        read_recipe(path)


def test_the_recipes_of_the_embedded_models_are_recipes():
    for code, names in (("en", ["recipe"]), ("zh", ["recipe", "recipe-learner"]), ("ko", ["recipe"])):
        folder = load_pack(code).compact
        for name in names:
            recipe = read_recipe(folder / f"{name}.yaml")
            assert recipe.about["licence"]
            for stage, plan in recipe.stages.items():
                assert (folder / code / stage / f"{recipe.package}.pt").is_file()
                assert plan.schedule or plan.further


FORMS = st.text(st.sampled_from("abé漢.'"), min_size=1, max_size=4)


@given(st.lists(st.lists(st.tuples(FORMS, st.booleans()), min_size=1, max_size=5), min_size=1, max_size=4))
def test_labels_end_every_token_and_sentence(sentences):
    bank = [
        TreebankSentence(
            tuple(
                (str(n), form, "_", "X", "_", "_", "0", "_", "_", "SpaceAfter=No" if glued else "_")
                for n, (form, glued) in enumerate(words, start=1)
            )
        )
        for words in sentences
    ]
    text, labels = text_and_labels(bank)
    assert len(text) == len(labels)
    found, at = [], 0
    for place, label in enumerate(labels):
        if label != "0":
            found.append((text[at : place + 1].strip(), label))
            at = place + 1
    expected = [
        (form, "2" if n == len(words) - 1 else "1")
        for words in sentences
        for n, (form, _) in enumerate(words)
    ]
    assert found == expected


@pytest.mark.parametrize("seed", [1, 2])
def test_sentences_and_words_stay_where_punctuation_is_loose(seed):
    made = with_loose_punctuation(BANK, seed)
    assert made == with_loose_punctuation(BANK, seed)
    assert made != with_loose_punctuation(BANK, seed + 10)
    for old, new in zip(BANK.sentences, made.sentences, strict=True):
        assert new.new_paragraph == old.new_paragraph
        assert [r[1].lower() for r in new.rows[:-2]] == [r[1].lower() for r in old.rows[: len(new.rows) - 2]]
        assert 0 <= len(old.rows) - len(new.rows) <= 1
    text, labels = text_and_labels(made.sentences)
    assert len(text) == len(labels)
    assert sum(label in "24" for label in labels) == len(made.sentences)


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


def test_a_tagger_knows_words_beyond_its_treebank(tmp_path):
    text = "4 3\nthe 1 2 3\nThe 7 7 7\nzyzzyva -1 0 4\nof 2 2 2\nin 2 2 2\n"
    (tmp_path / "vectors.txt").write_text(text, encoding="utf-8")
    vectors = read_vectors(tmp_path, {"vectors.txt": 3})
    assert {word: vector.tolist() for word, vector in vectors.items()} == {
        "the": [1, 2, 3], "zyzzyva": [-1, 0, 4], "of": [2, 2, 2],
    }  # fmt: skip
    options = {"lang": "en", "shorthand": "en_test", "word_emb_dim": 3}
    stage = TaggerStage(Lessons([(BANK, 1.0)], BANK, vectors, words=["qua"]), options)
    vocab, rows = stage.trainer.vocab["word"], stage.trainer.model.word_emb.weight.detach().numpy()
    assert len(rows) == len(vocab)
    for word, vector in resized(vectors, 3).items():
        np.testing.assert_array_equal(rows[vocab.unit2id(word)], vector)
    assert "zyzzyva" in vocab
    assert "qua" in vocab
    assert stage.tagger.predict(BANK.sentences[:1])


def test_a_lexicon_is_read_without_what_the_treebank_has(tmp_path):
    with gzip.open(tmp_path / "words.tsv.gz", "wt", encoding="utf-8") as file:
        file.write("sawn\tVERB\tsee\nsawn\tVERB\tsaw\r\nsawn\tNOUN\tsawn\nis\tAUX\txx\n")
    expected = {("sawn", "VERB"): "see", ("sawn", "NOUN"): "sawn"}
    assert read_lexicon(tmp_path / "words.tsv.gz", BANK) == expected
