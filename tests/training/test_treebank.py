"""Treebanks: what is read and refused, loose punctuation, words that a tokenizer marks, word vectors."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from jperrant.core.errors import FormatError, InputError
from training.learner_errors import with_loose_punctuation
from training.recipe import read_data, read_recipe
from training.stages import TaggerStage, read_vectors, resized
from training.treebank import Treebank, TreebankSentence, read_treebank, text_and_labels

TREEBANK = Path(__file__).parents[1] / "data" / "treebank"
TRAIN, DEV = str(TREEBANK / "train.conllu"), str(TREEBANK / "dev.conllu")
ROW = "1\tcat\tcat\tNOUN\tNN\t_\t0\troot\t_\t_\n"


def written(tmp_path: Path, text: str, name: str = "x.conllu") -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_what_is_read(tmp_path):
    bank = read_treebank([TRAIN])
    assert len(bank.sentences) == 80
    assert bank.has("lemma")
    assert bank.has("xpos")
    assert bank.multi_word_tokens > 0
    with lzma.open(tmp_path / "t.conllu.xz", "wt", encoding="utf-8") as stream:
        stream.write(Path(TRAIN).read_text(encoding="utf-8"))
    assert read_treebank([str(tmp_path / "t.conllu.xz")]).sentences == bank.sentences


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tcat\n", r":1: found 2 columns, expected 10"),
        ("1 cat\n", r":1: found 1 column, expected 10; .*tabs"),
        (ROW.replace("1\t", "2\t", 1), r":1: found ID '2', expected 1"),
        (ROW.replace("\t0\troot", "\t7\troot"), r":1: found head '7'"),
        (ROW.replace("\t0\troot", "\t1\tdep"), r":1: found a cycle of heads"),
        (ROW + ROW.replace("1\t", "2\t", 1), r"found 2 roots"),
        (
            "1-3\tcats\t_\t_\t_\t_\t_\t_\t_\t_\n" + ROW,
            r"found ID '1-3', expected a multi-word token right before its words",
        ),
        ("", "found no sentences"),
        ("# only a comment\n\n", "found no sentences"),
    ],
)
def test_malformed_files_are_named(tmp_path, text, message):
    with pytest.raises(InputError, match=message) as error:
        read_treebank([written(tmp_path, text)])
    assert "\n" not in str(error.value)


def blanked(bank: Treebank, *columns: int) -> Treebank:
    rows = tuple(
        TreebankSentence(
            tuple(tuple("_" if n in columns else value for n, value in enumerate(row)) for row in s.rows)
        )
        for s in bank.sentences
    )
    return Treebank(bank.name, rows)


def test_sentences_without_a_whole_tree_lack_heads(tmp_path):
    trees, bare = read_treebank([DEV]), blanked(read_treebank([TRAIN]), 6)
    first, *others = trees.sentences
    half = TreebankSentence(((*first.rows[0][:6], "_", *first.rows[0][7:]), *first.rows[1:]))
    mixed = Treebank("mixed", (half, *bare.sentences, *others))
    read = read_treebank([written(tmp_path, "".join(mixed.lines()))])
    assert ["head" in s.lacks for s in read.sentences] == [True] * 81 + [False] * len(others)
    assert read.has("head")
    only_half = written(tmp_path, "".join(Treebank("half", (half, *bare.sentences)).lines()), "half.conllu")
    assert not read_treebank([only_half]).has("head")


NAMED = "package: x\nshorthand: x_x\ntrain: a.conllu\ndev: b.conllu\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stages: {pso: {}}", r"r\.yaml:5: .*'pso'"),
        ("stages: {pos: {step: 3}}", r"r\.yaml:5: unknown key 'step'"),
        ("stages: {}\nseed: abc", r"r\.yaml:6: seed: found 'abc', expected a whole number"),
        ("stages: {pos: {schedule: 5}}", r"r\.yaml:5: schedule: found 5, expected a list"),
        ("stages: {pos: {schedule: [[a, 1]]}}", "found 'a', expected a whole number"),
        ("stages: {pos: {average: 2}}", "average: "),
        ("stages: {pos: {noise: -1}}", "noise: "),
        ("stages: {pos: {options: [a]}}", r"options: found .*, expected a mapping"),
        ("stages: {}\nteacher: {}", "texts"),
        ("stages: {}\nteacher: {texts: [a], epochs: 0}", "epochs: "),
        ("{", r"r\.yaml:\d: not YAML"),
    ],
)
def test_recipes_that_are_wrong(tmp_path, text, message):
    with pytest.raises(InputError, match=message) as error:
        read_recipe(Path(written(tmp_path, NAMED + text, "r.yaml")))
    assert "\n" not in str(error.value)


def test_the_recipes_of_the_embedded_models_are_recipes():
    from jperrant.packs.pack import load_pack

    for code in ("en", "zh", "ko"):
        folder = load_pack(code).compact
        recipe = read_recipe(folder / "recipe.yaml")
        assert recipe.train
        assert recipe.about["licence"]
        assert (folder / code / "pos" / f"{recipe.package}.pt").is_file()


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


LOOSE_TREEBANK = read_treebank([str(Path(__file__).parents[1] / "data" / "treebank" / "train.conllu")])


def sentence(*forms: str) -> TreebankSentence:
    rows = [
        (str(n), form, "_", "_", "_", "_", str(n - 1), "_", "_", "_") for n, form in enumerate(forms, start=1)
    ]
    rows[-2] = (*rows[-2][:9], "SpaceAfter=No")
    return TreebankSentence(tuple(rows))


@pytest.mark.parametrize("seed", [1, 2])
def test_sentences_and_words_stay(seed: int) -> None:
    made = with_loose_punctuation(LOOSE_TREEBANK, seed)
    assert made == with_loose_punctuation(LOOSE_TREEBANK, seed)
    assert made != with_loose_punctuation(LOOSE_TREEBANK, seed + 10)
    assert len(made.sentences) == len(LOOSE_TREEBANK.sentences)
    for old, new in zip(LOOSE_TREEBANK.sentences, made.sentences, strict=True):
        assert new.new_paragraph == old.new_paragraph
        assert [r[1].lower() for r in new.rows[:-2]] == [r[1].lower() for r in old.rows[: len(new.rows) - 2]]
        assert 0 <= len(old.rows) - len(new.rows) <= 1
    text, labels = text_and_labels(made.sentences)
    assert len(text) == len(labels)
    assert sum(label in "24" for label in labels) == len(made.sentences)


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
