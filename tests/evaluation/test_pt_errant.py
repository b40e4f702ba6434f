"""PT-ERRANT against weights worked out by hand: token vectors, best matches, special tokens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from jperrant.core.values import Annotation, Block, Edit
from jperrant.encoders.options import EncoderOptions
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.pretrained import PtErrantScorer
from jperrant.evaluation.metrics.score import Score, evaluate
from jperrant.evaluation.scorers import make_scorer

SOURCE = ("he", "go", "to", "a", "school", ".")
SVA = Edit(1, 2, ("goes",), "R:VERB:SVA")
THE = Edit(3, 4, ("the",), "R:DET")
NO_DET = Edit(3, 4, (), "U:DET")


def block(*annotators: tuple[Edit, ...]) -> Block:
    return Block(SOURCE, tuple(Annotation(n, edits) for n, edits in enumerate(annotators)))


def score(scorer: PtErrantScorer, hypothesis: Block, reference: Block) -> Score:
    [found] = evaluate(scorer, [Pair([hypothesis], [reference])])
    return found


class ByHand:
    """BERTScore written from its definition: layer, cosine, best match, special tokens matched but not counted."""

    def __init__(self, folder: Path, layer: int) -> None:
        from transformers import AutoModel, AutoTokenizer

        self.tokenizer = AutoTokenizer.from_pretrained(str(folder))
        self.model = AutoModel.from_pretrained(str(folder)).eval()
        self.layer = layer

    def vectors(self, text: str) -> np.ndarray:
        import torch

        with torch.inference_mode():
            ids = torch.tensor([self.tokenizer(text)["input_ids"]])
            hidden = self.model(ids, output_hidden_states=True).hidden_states[self.layer][0].double().numpy()
        return hidden / np.linalg.norm(hidden, axis=1, keepdims=True)

    def f(self, candidate: str, reference: str) -> float:
        similarity = self.vectors(candidate) @ self.vectors(reference).T
        precision = similarity[1:-1].max(axis=1).mean()  # without [CLS] and [SEP]
        recall = similarity[:, 1:-1].max(axis=0).mean()
        return float(2 * precision * recall / (precision + recall))

    def weight(self, candidate: str, source: str, reference: str) -> float:
        return abs(self.f(candidate, reference) - self.f(source, reference))


@pytest.mark.parametrize("layer", [1, 2])
def test_weights_by_hand(tiny_bert: Path, layer: int) -> None:
    found = score(
        make_scorer("pt-errant", encoder=str(tiny_bert), layer=layer), block((SVA, NO_DET)), block((SVA, THE))
    )
    hand, source, reference = ByHand(tiny_bert, layer), "he go to a school .", "he goes to the school ."
    sva = hand.weight("he goes to a school .", source, reference)
    deleted = hand.weight("he go to school .", source, reference)
    the = hand.weight("he go to the school .", source, reference)
    assert min(sva, deleted, the) > 1e-4
    assert found.counts == pytest.approx({"tp": sva, "fp": deleted, "fn": the}, abs=1e-6)
    precision, recall = sva / (sva + deleted), sva / (sva + the)
    f = 1.25 * precision * recall / (0.25 * precision + recall)
    assert found.values == pytest.approx({"precision": precision, "recall": recall, "f": f}, abs=1e-4)
    assert found.by_type["U:DET"][:3] == pytest.approx((0, deleted, 0), abs=1e-6)


def test_rescaling_changes_weights_but_no_score(tiny_bert: Path) -> None:
    plain = score(make_scorer("pt-errant", encoder=str(tiny_bert)), block((SVA, NO_DET)), block((SVA, THE)))
    scaled = score(
        make_scorer("pt-errant", encoder=str(tiny_bert), baseline=0.5),
        block((SVA, NO_DET)),
        block((SVA, THE)),
    )
    assert scaled.counts["tp"] == pytest.approx(2 * plain.counts["tp"])
    assert scaled.values == pytest.approx(plain.values)
    assert "|base:0.5|" in scaled.signature


@pytest.mark.parametrize(
    ("hyp", "ref", "values"),
    [((), (), (1, 1, 1)), ((SVA,), (), (0, 1, 0)), ((), (SVA,), (1, 0, 0)), ((SVA,), (SVA,), (1, 1, 1))],
)
def test_empty_sides(
    tiny_bert: Path, hyp: tuple[Edit, ...], ref: tuple[Edit, ...], values: tuple[float, ...]
) -> None:
    for level in ("corpus", "sentence"):
        found = score(make_scorer("pt-errant", encoder=str(tiny_bert), level=level), block(hyp), block(ref))
        assert tuple(found.values.values()) == values


def test_the_best_reference_is_chosen(tiny_bert: Path) -> None:
    found = score(make_scorer("pt-errant", encoder=str(tiny_bert)), block((SVA,)), block((THE,), (SVA,)))
    assert found.combined[0].reference == 1


def test_equal_edits_with_other_types_match(tiny_bert: Path) -> None:
    renamed = Edit(1, 2, ("goes",), "R:VERB:FORM")
    found = score(make_scorer("pt-errant", encoder=str(tiny_bert)), block((renamed,)), block((SVA,)))
    assert found.values["f"] == 1
    assert set(found.by_type) == {"R:VERB:FORM"}


def test_duplicates_and_deleting_everything(tiny_bert: Path) -> None:
    everything = Edit(0, 6, (), "U:OTHER")
    found = score(
        make_scorer("pt-errant", encoder=str(tiny_bert)), block((SVA, SVA, everything)), block((SVA,))
    )
    single = score(make_scorer("pt-errant", encoder=str(tiny_bert)), block((SVA,)), block((SVA,)))
    assert found.counts["tp"] == pytest.approx(2 * single.counts["tp"])
    assert found.counts["fp"] > 0


def test_layers_of_known_models() -> None:
    assert EncoderOptions().for_bertscore().layer == 9
    assert EncoderOptions("minilm").for_bertscore().layer is None
