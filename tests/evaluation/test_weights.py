"""Weights of chunks by similarity, against a second implementation; BERTScore."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
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


# A second implementation, from the definition: character maps and plain loops, nothing shared with the first.


def oracle_rows(pair: Pair, independent: bool) -> Iterator[list[list[float]]]:
    """Yield for each sentence, and each reference that is kept, the weighted TP, FPne, FPun, FN."""
    for ours, theirs in zip(pair.hypothesis, pair.references, strict=True):
        source = list(ours.source)
        refs = [list(a.edits) for a in theirs.annotations]
        refs = [r for r in refs if apply(source, r)] or refs[:1]
        rows = [list(ours.annotations[0].edits), *refs]
        regions: list[list[int]] = []
        for start, end in sorted((e.start, e.end) for row in rows for e in row):
            if regions and start <= regions[-1][1]:
                regions[-1][1] = max(regions[-1][1], end)
            else:
                regions.append([start, end])
        yield [oracle_row(source, regions, rows, number, independent) for number in range(len(refs))]


def apply(source: list[str], edits: list[Edit], start: int = 0, end: int | None = None) -> list[str]:
    end = len(source) if end is None else end
    out, at = [], start
    for edit in edits:
        if start <= edit.start and edit.end <= end:
            out += source[at : edit.start] + list(edit.correction or ())
            at = edit.end
    return out + source[at:end]


def cell(source: list[str], row: list[Edit], start: int, end: int) -> tuple[bool, list[str]]:
    """Return whether somebody changes something in a region, and the text."""
    return any(start <= e.start and e.end <= end for e in row), apply(source, row, start, end)


def oracle_row(
    source: list[str], regions: list[list[int]], rows: list[list[Edit]], number: int, independent: bool
) -> list[float]:
    target = " ".join(apply(source, rows[1 + number]))
    anchor = md5_similarity(" ".join(source), target)
    sums = [0.0] * 4
    for start, end in regions:
        hyp, *others = (cell(source, row, start, end) for row in rows)
        seen = others if independent else [others[number]]
        if hyp[0]:
            label = 0 if hyp[1] in [o[1] for o in seen] else 1 if any(o[0] for o in seen) else 2
            put = hyp[1]
        elif all(o[0] for o in seen) and (independent or seen[0][1] != source[start:end]):
            label, put = 3, others[number][1]
        else:
            continue
        text = source[:start] + put + source[end:] or source
        sums[label] += abs(md5_similarity(" ".join(text), target) - anchor)
    return sums


def oracle_score(row: Sequence[float], factors: Sequence[float]) -> float:
    tp, ne, un, fn = row
    need, made = tp + ne + fn, tp + ne + un
    rates = [tp / need, ne / need, fn / need] if need else [0.0] * 3
    rates.append(un / made if made else 0.0)
    a, b, c, d = factors
    return a * rates[0] + b * (1 - rates[1]) + c * (1 - rates[2]) + d * (1 - rates[3])


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize(
    ("assumption", "pairs", "sentences"), [("dependent", 7970, 6993), ("independent", None, 5181)]
)
def test_similarity_on_conll(
    conll14: dict[str, Pair], assumption: str, pairs: int | None, sentences: int
) -> None:
    """Distinct pairs and sentences are as many as were counted in the published code's run."""
    recorder, amu = Recorder(), conll14["AMU"]
    weigher = SimilarityWeighting(recorder)
    [corpus] = evaluate(Cleme2Scorer(assumption, custom_weighting=weigher), [amu])
    [(candidates, references)] = recorder.calls
    asked = list(zip(candidates, references, strict=True))
    assert len(asked) == len(set(asked))
    assert pairs is None or len(asked) == pairs
    assert len({*candidates, *references}) == sentences
    rows = list(oracle_rows(amu, assumption == "independent"))
    factors, total = (0.45, 0.35, 0.15, 0.05), [0.0] * 4
    for ways in rows:
        sums = [[t + w for t, w in zip(total, way, strict=True)] for way in ways]
        scores = [oracle_score(own, factors) for own in sums]
        keys = [(s, w[0], -(w[1] + w[2]), -w[3]) for s, w in zip(scores, ways, strict=True)]
        total = sums[keys.index(max(keys))]
    assert corpus.values["score"] == pytest.approx(oracle_score(total, factors), abs=1e-9)
    assert [corpus.counts[name] for name in ("tp", "fp_ne", "fp_un", "fn")] == pytest.approx(total, abs=1e-9)
    [sentence] = evaluate(Cleme2Scorer(assumption, "sentence", custom_weighting=weigher), [amu])
    best = [max(oracle_score(way, (0.35, 0.25, 0.20, 0.20)) for way in ways) for ways in rows]
    assert sentence.values["score"] == pytest.approx(sum(best) / len(best), abs=1e-9)


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


def brute_f(candidate: str, reference: str) -> float:
    c, r = Words().embed_tokens([candidate, reference])

    def cosine(a: Any, b: Any) -> float:
        return float(a @ b / np.sqrt(float(a @ a) * float(b @ b)))

    def mean(ones: Any, others: Any) -> float:
        counted = ones.vectors[~ones.special]
        best = [max(cosine(v, w) for w in others.vectors) for v in counted]
        return sum(best) / len(best) if best else 0.0

    p, q = mean(c, r), mean(r, c)
    return 2 * p * q / (p + q) if p and q else 0.0


@pytest.mark.parametrize("window", [1, 2, 100])
def test_bertscore_is_that_of_the_definition(window: int) -> None:
    texts = ["a b c", "a c", "d", "b a", "e f g h", "a b c"]
    pairs = [(c, r) for c in texts for r in texts if c <= r]
    encoder, notes, sides = Words(), ["before"], tuple(map(list, zip(*pairs, strict=True)))
    found = BertScore(encoder, window=window)(*sides, notes)
    if window == 100:
        assert sorted(encoder.seen) == sorted(set(texts)), "each distinct sentence is encoded once"
    assert notes == ["before", f"{len(encoder.seen)} texts are long"]
    assert found == pytest.approx([brute_f(c, r) for c, r in pairs], abs=1e-6)
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
