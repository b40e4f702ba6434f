"""Weights of chunks by similarity, against a second implementation; BERTScore."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from jperrant.core.errors import InputError
from jperrant.core.messages import CountedNote
from jperrant.core.values import Annotation, Block, Edit
from jperrant.encoders.bertscore import BertScore, Unit, default_layer, f_score
from jperrant.evaluation.metric_names import make_scorer
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.cleme.chunk_weights import SentenceWeights, SimilarityWeighting
from jperrant.evaluation.metrics.cleme.scorer import Cleme2Scorer, ClemeScorer
from jperrant.evaluation.metrics.system_score import evaluate, prepare_references

from .chunk_cases import INSERTED, X, Y, block


def md5_similarity(candidate: str, reference: str) -> float:
    """Return the made-up similarity of the reference's notes: any wrong pair of sentences changes all figures."""
    return int(hashlib.md5(f"{candidate}\t{reference}".encode()).hexdigest()[:8], 16) / 2**32


class Recorder:
    """A similarity that keeps what it was asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[list[str], list[str]]] = []

    def __call__(self, candidates: Sequence[str], references: Sequence[str]) -> list[float]:
        self.calls.append((list(candidates), list(references)))
        return [md5_similarity(c, r) for c, r in zip(candidates, references, strict=True)]


#: By assumption: distinct pairs and sentences, the score, weighted TP, FPne, FPun and FN, the score by sentence.
ON_CONLL = {
    "dependent": (7970, 6993, 0.492105953804,
                  143.563458938, 73.735871998, 165.929135683, 410.286464298, 0.538841319197),
    "independent": (None, 5181, 0.545471945274,
                    180.088612250, 96.150077117, 115.628534524, 278.124773193, 0.561400791386),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("assumption", ON_CONLL)
def test_similarity_on_conll(conll14: dict[str, Pair], assumption: str) -> None:
    """Pairs and sentences are as many as in the published code's run.

    Figures are those of a second implementation from the definition with plain loops, ``oracle_rows`` in the
    history of this file (first in ee73b532).
    """
    recorder = Recorder()
    pairs, sentences, *figures, by_sentence = ON_CONLL[assumption]
    weigher = SimilarityWeighting(recorder)
    [corpus] = evaluate(Cleme2Scorer(assumption, custom_weighting=weigher), [conll14["AMU"]])
    [(candidates, references)] = recorder.calls
    asked = list(zip(candidates, references, strict=True))
    assert len(asked) == len(set(asked))
    assert pairs is None or len(asked) == pairs
    assert len({*candidates, *references}) == sentences
    counts = [corpus.counts[name] for name in ("tp", "fp_ne", "fp_un", "fn")]
    assert [corpus.values["score"], *counts] == pytest.approx(figures, abs=1e-9)
    [sentence] = evaluate(Cleme2Scorer(assumption, "sentence", custom_weighting=weigher), [conll14["AMU"]])
    assert sentence.values["score"] == pytest.approx(by_sentence, abs=1e-9)


def test_similarity_of_one_chunk_at_a_time() -> None:
    recorder = Recorder()
    pair = Pair([block(X)], [block(Y, INSERTED)])
    scorer = Cleme2Scorer(custom_weighting=SimilarityWeighting(recorder))
    [labelled], _ = scorer.weighted(scorer.labelled([pair], prepare_references(scorer, [pair])))
    reference = "a y c d z e f"
    assert recorder.calls == [(["a b c d e f", "a x c d e f", "a b c d z e f"], [reference] * 3)]
    anchor, wrong, missed = (md5_similarity(c, reference) for c in recorder.calls[0][0])
    assert labelled[0][0].weights == (abs(wrong - anchor), abs(missed - anchor))


def test_all_weights_zero() -> None:
    same = SimilarityWeighting(lambda candidates, references: [0.5] * len(candidates))
    [found] = evaluate(Cleme2Scorer(custom_weighting=same), [Pair([block(X)], [block(Y)])])
    assert [found.values[name] for name in ("hit", "wrong", "under", "over")] == [0, 0, 0, 0]
    assert found.values["score"] == pytest.approx(0.35 + 0.15 + 0.05)
    [found] = evaluate(ClemeScorer(custom_weighting=same), [Pair([block(X)], [block(X)])])
    assert found.counts["tp"] == 0, "a weight of 0 is not taken as 1"


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ([0.0, math.nan], r"weight nan for the chunk 'x' \(FPne\)"),
        ([0.0, math.inf], r"weight inf for the chunk 'x' \(FPne\)"),
        ([1.0], "found 1 number from the similarity, expected one for each of 2 pairs"),
    ],
)
def test_weights_must_be_finite(numbers: list[float], message: str) -> None:
    weigher = SimilarityWeighting(lambda *_: numbers)
    with pytest.raises(InputError, match=message):
        evaluate(Cleme2Scorer(custom_weighting=weigher), [Pair([block(X)], [block(Y)])])


# BERTScore


class Words:
    """An encoder whose tokens are words; their vectors come from their letters; first and last are special."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def embed_tokens(self, texts: Sequence[str], notes: list[str] | None = None) -> list[SimpleNamespace]:
        self.seen += texts
        if notes is not None:
            notes.append(CountedNote(len(texts), "{count} text is long", "{count} texts are long"))
        return [self._tokens(text) for text in texts]

    def _tokens(self, text: str) -> SimpleNamespace:
        words = ["<s>", *text.split(), "</s>"]
        vectors = [np.random.default_rng(sum(map(ord, word))).normal(size=8) for word in words]
        special = np.array([word[0] == "<" for word in words])
        return SimpleNamespace(vectors=np.array(vectors, dtype=np.float32), special=special)


def f_by_definition(candidate: str, reference: str) -> float:
    sides = Words().embed_tokens([candidate, reference])
    ours, theirs = ([v / np.sqrt(v @ v) for v in side.vectors] for side in sides)
    # the first and the last token are special
    precision = np.mean([max(v @ w for w in theirs) for v in ours[1:-1]])
    recall = np.mean([max(v @ w for w in ours) for v in theirs[1:-1]])
    return float(2 * precision * recall / (precision + recall))


@pytest.mark.parametrize("window", [1, 2, 100])
def test_bertscore_is_that_of_the_definition(window: int) -> None:
    texts = ["a b c", "a c", "d", "b a", "e f g h", "a b c"]
    pairs = [(c, r) for c in texts for r in texts if c <= r]
    encoder, notes, sides = Words(), ["before"], tuple(map(list, zip(*pairs, strict=True)))
    found = BertScore(encoder, window=window)(*sides, notes)
    if window == 100:
        assert sorted(encoder.seen) == sorted(set(texts)), "each distinct sentence is encoded once"
    assert notes == ["before", f"{len(encoder.seen)} texts are long"]
    assert found == pytest.approx([f_by_definition(c, r) for c, r in pairs], abs=1e-6)
    rescaled = BertScore(Words(), baseline=0.352)(*sides)
    assert rescaled == pytest.approx([(f - 0.352) / (1 - 0.352) for f in found], abs=1e-6)


def test_bertscore_of_nothing() -> None:
    assert BertScore(Words())([""], ["a"]) == [0.0]
    unit = Unit(np.zeros((2, 3), dtype=np.float32), np.array([False, False]))
    assert f_score(unit, unit) == (0, 0, 0)
    assert default_layer("some/model") is None


def test_similarity_through_a_real_encoder(tiny_bert: Path) -> None:
    source, missed = ("he", "go", "to", "school", "."), Edit(3, 3, ("the",), "M")
    system = Block(source, (Annotation(0, (Edit(1, 2, ("goes",), "R"),)),))
    gold = Block(source, (Annotation(0, (Edit(1, 2, ("going",), "R"), missed)),))

    def missed_weight(**options: Any) -> float:
        scorer = make_scorer("cleme2", weights="similarity", encoder=str(tiny_bert), **options)
        [found] = evaluate(scorer, [Pair([system], [gold])])
        assert f"layer:{options['layer']}" in found.signature
        assert ("base:0.5" in found.signature) == ("baseline" in options)
        return float(found.counts["fn"])

    weights = missed_weight(layer=1)
    assert weights != missed_weight(layer=2) > 0
    assert missed_weight(layer=1, baseline=0.5) == pytest.approx(weights / 0.5, rel=1e-4)


class LessThanNothing:
    """A weighting of another package."""

    settings = ("w:mine",)
    by_reference = False

    def weights_of(self, systems):
        return [[SentenceWeights((-1.0,) * len(one.labels)) for one in own] for own in systems], ()


def test_negative_weights_are_taken_as_zero() -> None:
    pair = Pair([block(X)], [block(X)])
    [found] = evaluate(Cleme2Scorer(custom_weighting=LessThanNothing()), [pair])
    assert found.counts["tp"] == 0
    assert any(line.endswith("negative weights, taken as 0: 1") for line in found.warnings)
