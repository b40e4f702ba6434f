"""Treebanks: what is read and refused, loose punctuation, words that a tokenizer marks, word vectors."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from jperrant.core.errors import FormatError, InputError
from training.learner_errors import with_loose_punctuation
from training.recipe import read_data, read_recipe
from training.stages import TaggerStage, joined, read_vectors, resized
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


@pytest.mark.parametrize("first", ["# newdoc\n", ""])
def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path, first):
    [plain] = read_treebank([written(tmp_path, first + ROW)]).sentences
    [marked] = read_treebank([written(tmp_path, "\ufeff" + first + ROW)]).sentences
    assert marked == plain
    assert marked.new_paragraph == bool(first)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tcat\n", r":1: found 2 columns, expected 10"),
        ("1 cat\n", r":1: found 1 column, expected 10; .*tabs"),
        (ROW.replace("1\t", "2\t", 1), r":1: found ID '2', expected 1"),
        (ROW.replace("\t0\troot", "\t7\troot"), r":1: found head '7'"),
        (ROW.replace("\t0\troot", "\t1\tdep"), r":1: found a cycle of heads"),
        (ROW + ROW.replace("1\t", "2\t", 1), r"found 2 roots"),
        ("1-3\tcats\t_\t_\t_\t_\t_\t_\t_\t_\n" + ROW, r"found ID '1-3' of a sentence of 1 word"),
        ("", "found no sentences"),
        ("# only a comment\n\n", "found no sentences"),
    ],
)
def test_malformed_files_are_named(tmp_path, text, message):
    with pytest.raises(InputError, match=message) as error:
        read_treebank([written(tmp_path, text)])
    assert "\n" not in str(error.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_treebank([str(tmp_path / "none.conllu")])
    (tmp_path / "bad.conllu").write_bytes(b"1\t\xff\n")
    with pytest.raises(FormatError, match="not UTF-8"):
        read_treebank([str(tmp_path / "bad.conllu")])


@pytest.mark.parametrize(("ending", "module"), [(".gz", gzip), (".xz", lzma), (".bz2", bz2)])
@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_damaged_compressed_files_cannot_be_read(tmp_path, ending, module, damage):
    path = tmp_path / f"x.conllu{ending}"
    whole = module.compress(Path(TRAIN).read_bytes())
    damaged = {
        "cut": whole[: len(whole) // 2],
        "changed": whole[:40] + b"\xff" * 40 + whole[80:],
    }
    path.write_bytes(damaged[damage])
    with pytest.raises(InputError, match=f"{re.escape(str(path))}: (damaged compressed file|cannot be read)"):
        read_treebank([str(path)])


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


def test_a_text_alone_is_a_list_and_what_is_not_said_is_as_in_others(tmp_path):
    text = NAMED + "stages: {lemma: {schedule: [[9, 1e-3]]}, pos: {options: {hidden_dim: 9}}}"
    recipe = read_recipe(Path(written(tmp_path, text, "r.yaml")))
    assert (recipe.train, recipe.dev) == (("a.conllu",), ("b.conllu",))
    assert list(recipe.stages) == ["pos", "lemma"]
    assert recipe.stages["lemma"].schedule == ((9, 0.001),)
    assert recipe.stages["pos"].epochs == 15
    assert recipe.stages["pos"].options["hidden_dim"] == 9
    assert recipe.stages["pos"].options["word_cutoff"] == 3


def test_the_recipes_of_the_embedded_models_are_recipes():
    from jperrant.packs import load_pack

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
