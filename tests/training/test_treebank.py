"""What training reads: treebanks, recipes, word vectors, lexicons; and the text that a tokenizer learns from."""

from __future__ import annotations

import gzip
import lzma
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from stanza.models.tokenization.trainer import Trainer

from jperrant.core.errors import FormatError
from jperrant.packs.pack import load_pack
from training.learner_errors import with_loose_punctuation
from training.recipe import read_lexicon, read_recipe, read_vectors
from training.stages import Lessons, TaggerStage, TokenizerStage, resized
from training.treebank import Treebank, read_treebank, text_and_labels

from .treebanks import TREEBANK, bank, sentence

pytestmark = pytest.mark.models

BANK = bank()


def test_what_is_read(tmp_path):
    assert len(BANK.sentences) == 80
    assert BANK.multi_word_tokens > 0
    assert not any(s.lacks for s in BANK.sentences)
    with lzma.open(tmp_path / "t.conllu.xz", "wt", encoding="utf-8") as stream:
        stream.write((TREEBANK / "train.conllu").read_text(encoding="utf-8"))
    assert read_treebank([tmp_path / "t.conllu.xz"]) == BANK
    (tmp_path / "bad.conllu").write_text("1\tx\n\n")
    with pytest.raises(FormatError, match=r"bad\.conllu:1: "):
        read_treebank([tmp_path / "bad.conllu"])


def test_sentences_lack_what_their_file_lacks_and_heads_without_a_whole_tree(tmp_path):
    mixed = "1\tx\t_\tX\tY\t_\t2\tdep\t_\t_\n2\tx\t_\tX\tY\t_\t{}\tdep\t_\t_\n\n"
    (tmp_path / "mixed.conllu").write_text(mixed.format("_") + mixed.format("0"))
    found = [s.lacks for s in read_treebank([tmp_path / "mixed.conllu", TREEBANK / "dev.conllu"]).sentences]
    assert found[:3] == [{"lemma", "feats", "head"}, {"lemma", "feats"}, set()]


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


@pytest.mark.parametrize("name", ["en/recipe", "zh/recipe", "zh/recipe-learner", "ko/recipe"])
def test_the_recipes_of_the_embedded_models_are_recipes(name):
    code, _, file = name.partition("/")
    folder = load_pack(code).compact
    recipe = read_recipe(folder / f"{file}.yaml")
    assert recipe.about["licence"]
    for stage, plan in recipe.stages.items():
        assert (folder / code / stage / f"{recipe.package}.pt").is_file()
        assert plan.schedule or plan.further


FORMS = st.text(st.sampled_from("abé漢.'"), min_size=1, max_size=4)


@given(st.lists(st.tuples(st.lists(FORMS, min_size=1, max_size=5), st.booleans()), min_size=1, max_size=4))
def test_labels_end_every_token_and_sentence(sentences):
    made = [
        sentence(" ".join(f"{form}/_/X/_/_/0/_" for form in forms), "SpaceAfter=No" * glued)
        for forms, glued in sentences
    ]
    text, labels = text_and_labels(made)
    assert len(text) == len(labels)
    ends = [0, *(place for place, label in enumerate(labels, start=1) if label != "0")]
    found = [(text[start:end].strip(), labels[end - 1]) for start, end in pairwise(ends)]
    expected = [
        pair for forms, _ in sentences for pair in zip(forms, "1" * (len(forms) - 1) + "2", strict=True)
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
    _, labels = text_and_labels(made.sentences)
    assert sum(label in "24" for label in labels) == len(made.sentences)


@given(arrays(np.float32, (12, 4), elements=st.floats(-9, 9, width=32)), st.integers(1, 6))
def test_resized_vectors_keep_what_differs_most(table: np.ndarray, size: int) -> None:
    """Distances are kept where nothing is cut off."""
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
    assert {"zyzzyva", "qua"} <= set(vocab)


def test_a_tokenizer_keeps_its_words_and_hands_them_on(tmp_path):
    words = {"图书馆", "汉语"}
    options = {
        "lang": "zh", "shorthand": "zh_test", "batch_size": 2, "max_seqlen": 60, "emb_dim": 8, "hidden_dim": 8,
        "skip_newline": True,
    }  # fmt: skip
    one = "他/_/X/_/_/2/dep 去/_/X/_/_/0/root 图书馆/_/X/_/_/2/dep 。/_/X/_/_/2/dep"
    chinese = Treebank((sentence(one, "SpaceAfter=No"),) * 9)
    first = TokenizerStage(chinese, chinese, options, tmp_path, words=sorted(words))
    first.update(next(first.batches()))
    first.save(tmp_path / "a.pt")
    loaded = Trainer(model_file=str(tmp_path / "a.pt"), device="cpu")
    assert (set(loaded.lexicon), loaded.args["use_dictionary"]) == (words, True)
    second = TokenizerStage(chinese, chinese, options, tmp_path, start=tmp_path / "a.pt")
    assert (set(second.trainer.lexicon), second.score()) == (words, first.score())


def test_a_lexicon_is_read_without_what_the_treebank_has(tmp_path):
    with gzip.open(tmp_path / "words.tsv.gz", "wt", encoding="utf-8") as file:
        file.write("sawn\tVERB\tsee\nsawn\tVERB\tsaw\r\nsawn\tNOUN\tsawn\nis\tAUX\txx\n")
    expected = {("sawn", "VERB"): "see", ("sawn", "NOUN"): "sawn"}
    assert read_lexicon(tmp_path / "words.tsv.gz", BANK) == expected
