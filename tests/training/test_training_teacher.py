"""A teacher learns from a treebank, labels text with trees, and taggers and parsers learn from what it labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from jperrant.core.errors import InputError, UsageError
from jperrant.packs.pack import load_pack
from jperrant.parse.models import ModelFolder, find_models
from training.__main__ import main
from training.learner_errors import read_error_table
from training.loop import seed_everything
from training.recipe import Data, TeacherRecipe, read_recipe
from training.run import train_models
from training.teacher import (
    HEAD_PIECES,
    TAIL_PIECES,
    Lessons,
    Segmenter,
    TeacherStage,
    Trainable,
    WordPieces,
    labelled,
    teach,
)
from training.treebank import Treebank, read_treebank

pytestmark = [pytest.mark.slow, pytest.mark.models]
TREEBANK = Path(__file__).parents[1] / "data" / "treebank"
ERRORS = Path(__file__).parents[2] / "langpacks" / "en" / "models" / "errors.yaml"
BANK = read_treebank([str(TREEBANK / "train.conllu")])
TEXTS = (
    "I don't know him. She doesn't like to go there, does she?",
    "He goes home . The weather was very nice today!  Yes.",
    "She goes to the old school. I don't know him.",
    " ".join(["words"] * 20) + ".",
)


@pytest.fixture(scope="module")
def models() -> ModelFolder:
    return find_models("compact", "en", load_pack("en").compact, "en")


@pytest.fixture
def first(tiny_bert):
    """Short sentences, which the tiny encoder takes, as a treebank of their own."""
    pieces = WordPieces(tiny_bert)
    short = sorted(BANK.sentences, key=lambda s: sum(map(len, pieces.of([r[1] for r in s.words]))))
    return Treebank("first", tuple(s for s in short if len(s.words) > 2)[:20])


def stage_of(bank, encoder, frozen=0):
    seed_everything(3)
    return TeacherStage([(bank, 1.0)], bank, Trainable(encoder, frozen), 0.002)


def taught_text(folder, models, encoder, epochs):
    """Let a teacher of a few steps label the texts; return what it labels, and what it reports."""
    folder.mkdir()
    reported = []
    lessons = Lessons([(BANK, 1.0)], BANK, TEXTS, models)
    plan = TeacherRecipe(texts=["x"], encoder=str(encoder), epochs=epochs)
    bank, _ = teach(lessons, plan, 5, folder, lambda name, step, *_: reported.append((name, step)))
    return bank, reported


def test_labelled_text_is_a_treebank(tiny_bert, models, tmp_path):
    """The reader of treebanks refuses cycles and several roots."""
    found, reported = taught_text(tmp_path / "work", models, tiny_bert, 0.2)
    assert reported[-1] == ("teacher labels", len(TEXTS))
    written = "".join(found.lines())
    (tmp_path / "taught.conllu").write_text(written, encoding="utf-8")
    read_treebank([str(tmp_path / "taught.conllu")])
    forms = [" ".join(row[1] for row in s.words) for s in found.sentences]
    # Each once; neither what is shorter than three words nor what the encoder cannot take.
    assert forms == [
        "I do n't know him .",
        "She does n't like to go there , does she ?",
        "He goes home .",
        "The weather was very nice today !",
        "She goes to the old school .",
    ]
    assert "1-2\tdon't" not in written
    assert "\n2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdo\t_\t" in written
    seen = {place: {row[place] for s in BANK.sentences for row in s.words} for place in (3, 4, 5, 7)}
    for sentence in found.sentences:
        assert sentence.lacks == {"lemma"}
        assert all(row[place] in seen[place] for row in sentence.words for place in seen)
        assert [row[7] == "root" for row in sentence.words] == [row[6] == "0" for row in sentence.words]
        assert len({row[6] for row in sentence.words}) > 1


@pytest.mark.ci
def test_texts_are_cut_by_networks_as_training_leaves_them(models, tmp_path):
    from stanza.models.mwt.trainer import Trainer as Expander
    from stanza.models.tokenization.trainer import Trainer as Tokenizer

    for name, trainer in (("tokenize", Tokenizer), ("mwt", Expander)):
        trainer(model_file=str(models.files[name]), device="cpu").save(str(tmp_path / f"{name}.pt"))
    left = ModelFolder(tmp_path, "en", "", {name: tmp_path / f"{name}.pt" for name in ("tokenize", "mwt")})
    found = list(Segmenter(left).sentences(TEXTS))
    assert found == list(Segmenter(models).sentences(TEXTS))
    assert any("-" in row[0] for s in found for row in s.rows)
    with pytest.raises(UsageError, match="contains none; also train tokenize"):
        Segmenter(replace(left, files={}))


@pytest.mark.ci
def test_what_the_treebank_has_is_not_labelled_again(tiny_bert, models, tmp_path):
    text = "From the AP comes this story :"
    lessons = Lessons([(BANK, 1.0)], BANK, [text], models)
    with pytest.raises(InputError, match="found no sentence in the texts for the teacher that it can label"):
        teach(
            lessons,
            TeacherRecipe(texts=["x"], encoder=str(tiny_bert), epochs=0.1),
            5,
            tmp_path,
            lambda *_: None,
        )


@pytest.mark.ci
def test_the_same_teacher_labels_the_same(tiny_bert, models, tmp_path):
    assert taught_text(tmp_path / "a", models, tiny_bert, 1.5) == taught_text(
        tmp_path / "b", models, tiny_bert, 1.5
    )


@pytest.mark.ci
def test_a_teacher_learns_its_treebank_by_heart(first, tiny_bert):
    stage = stage_of(first, tiny_bert)
    batches = stage.batches()
    for _ in range(70):
        stage.update(next(batches))
    found = [labelled(s, labels, stage.labels) for s, labels in labels_by(stage, first)]
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


def labels_by(stage, bank):
    return zip(bank.sentences, stage.label(bank.sentences), strict=True)


def test_frozen_layers_stay(first, tiny_bert):
    stage = stage_of(first, tiny_bert, frozen=1)
    before = {name: weight.clone() for name, weight in stage.network.encoder.state_dict().items()}
    stage.update(next(stage.batches()))
    changed = {
        n for n, weight in stage.network.encoder.state_dict().items() if not torch.equal(weight, before[n])
    }
    assert {name.split(".")[2] for name in changed} == {"1"}
    groups = stage.optimizers[0].param_groups
    assert [group.get("times", 1) * 0.002 for group in groups] == [0.002, 0.002]
    with pytest.raises(UsageError, match="frozen: found 3, but encoder tiny-bert has 2 layers"):
        Trainable(tiny_bert, 3)


def test_sentences_too_long_for_the_encoder(first, tiny_bert):
    rows = tuple((str(n + 1), "a", *"_____", "_", "_", "_") for n in range(20))
    long = Treebank("long.conllu", (replace(first.sentences[0], rows=rows),))
    assert stage_of(first, tiny_bert).label(long.sentences) == [None]
    with pytest.raises(
        UsageError,
        match=r"all sentences have more than the 16 word pieces",
    ):
        stage_of(long, tiny_bert)


def tokenizers():
    """Tokenizers of the kinds that encoders have: over bytes, SentencePiece, WordPiece."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

    special = ["<s>", "</s>", "<unk>"]
    text = [" ".join(row[1] for row in s.words) for s in BANK.sentences]
    around = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 1)])
    over_bytes = Tokenizer(models.BPE())
    over_bytes.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    over_bytes.decoder = decoders.ByteLevel()
    over_bytes.train_from_iterator(text, trainers.BpeTrainer(vocab_size=400, special_tokens=special))
    pieces = Tokenizer(models.Unigram())
    pieces.pre_tokenizer = pre_tokenizers.Metaspace()
    pieces.train_from_iterator(
        text, trainers.UnigramTrainer(vocab_size=300, special_tokens=special, unk_token="<unk>")
    )
    words = Tokenizer(models.WordPiece(unk_token="<unk>"))
    words.normalizer = normalizers.BertNormalizer()
    words.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    words.train_from_iterator(text, trainers.WordPieceTrainer(vocab_size=300, special_tokens=special))
    for tokenizer in (over_bytes, pieces, words):
        tokenizer.post_processor = around
    return {"bytes": over_bytes, "sentencepiece": pieces, "wordpiece": words}


@pytest.mark.parametrize("kind", ["bytes", "sentencepiece", "wordpiece"])
def test_words_have_the_pieces_that_they_have_in_a_text(kind, tmp_path):
    from transformers import PreTrainedTokenizerFast

    tokenizer = tokenizers()[kind]
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="<unk>", bos_token="<s>", eos_token="</s>"
    ).save_pretrained(tmp_path)
    pieces = WordPieces(tmp_path)
    forms = [row[1] for s in BANK.sentences[:30] for row in s.words]
    found = pieces.of(forms)
    expected = tokenizer.encode(" " + " ".join(forms)).ids[1:-1]
    assert (pieces.opening, pieces.closing) == ((0,), (1,))
    if max(map(len, found)) < HEAD_PIECES + TAIL_PIECES:
        assert [piece for word in found for piece in word] == expected
    (long,) = pieces.of(["qxz" * 30])
    assert 1 <= len(long) <= HEAD_PIECES + TAIL_PIECES
    if kind == "wordpiece":
        assert pieces.of(["\x07"]) == [(2,)]


@pytest.mark.parametrize(
    ("encoder", "text", "code", "message"),
    [
        ("nobody/has-this", "Text.", 3, "jperrant models get --encoder nobody/has-this"),
        ("{tiny}", None, 2, "texts.txt: cannot be read (no such file or directory)"),
        ("{tiny}", "\n \n", 2, "texts.txt: found no text, expected one paragraph per line"),
    ],
)
def test_what_is_missing_is_said_at_once(tiny_bert, tmp_path, capsys, encoder, text, code, message):
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "package: x\nshorthand: x\nstages: {}\ntrain: [train.conllu]\ndev: dev.conllu\n"
        f"teacher: {{texts: [texts.txt], "
        f"encoder: {encoder.format(tiny=tiny_bert)}}}\n",
        encoding="utf-8",
    )
    for name in ("train.conllu", "dev.conllu"):
        (tmp_path / name).write_bytes((TREEBANK / name).read_bytes())
    if text is not None:
        (tmp_path / "texts.txt").write_text(text, encoding="utf-8")
    options = ["--recipe", str(recipe), "--treebanks", str(tmp_path), "-o", str(tmp_path / "out")]
    assert main(["en", *options]) == code
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.ci
def test_models_learn_from_a_teacher(tiny_bert, models, tmp_path):
    """Tagger and parser are trained further, the tokenizer of the models they come from cuts the texts."""
    stage = "{further: [[4, 0.003]], every: 2, copies: 1, taught: 1, errors: 1}"
    (tmp_path / "recipe.yaml").write_text(
        f"package: x\nshorthand: en_embed\ntrain: x\ndev: x\nstages: {{pos: {stage}, depparse: {stage}}}\n"
        f"teacher: {{texts: x, encoder: {tiny_bert}, epochs: 1}}\n",
        encoding="utf-8",
    )
    recipe = read_recipe(tmp_path / "recipe.yaml")
    data, seen = Data(BANK, BANK, {}, read_error_table(ERRORS), {}, TEXTS), []
    out = tmp_path / "out"
    scores = train_models("en", data, recipe, out, lambda name, *_: seen.append(name), models)
    assert set(scores) == {"teacher", "pos", "depparse"}
    assert len(list(out.rglob("*.pt"))) == 2
    assert list(dict.fromkeys(seen)) == ["teacher", "teacher labels", "pos", "depparse"]
