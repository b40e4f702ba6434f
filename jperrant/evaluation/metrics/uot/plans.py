"""The transport plans of chosen sentences, to look at: which edit was transported to which."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.display import shown
from jperrant.core.messages import plural
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Candidate, Pair, Row
from jperrant.evaluation.metrics.score import evaluate
from jperrant.evaluation.metrics.texts import changing
from jperrant.evaluation.metrics.uot.scorer import EditVectors, UotScorer, encode_edits

#: Where warnings name a sentence of those that are scored.
_PLACE = re.compile(r"(?<=sentence )\d+(?= \(counted from 1)")


@dataclass(frozen=True, slots=True)
class SentencePlan:
    """One sentence of a hypothesis against one reference.

    Attributes:
        hypothesis: The name of the system.
        sentence: Its number, from 1.
        source: Its tokens.
        annotator, reference: The numbers of the annotators of both sides.
        hypothesis_edits, reference_edits: Their edits, in the order of the masses.
        hypothesis_mass, reference_mass: What each edit weighs, shapes ``(n,)`` and ``(m,)``.
        cost: Distances of the edits, shape ``(n, m)``.
        plan: Transported mass, shape ``(n, m)``.
        counts: ``tp``, ``fp`` and ``fn``.
        values: ``precision``, ``recall`` and ``f``.
        by_type: Tp, fp and fn of each error type.
    """

    hypothesis: str
    sentence: int
    source: tuple[str, ...]
    annotator: int
    reference: int
    hypothesis_edits: tuple[Edit, ...]
    reference_edits: tuple[Edit, ...]
    hypothesis_mass: FloatArray
    reference_mass: FloatArray
    cost: FloatArray
    plan: FloatArray
    counts: Mapping[str, float]
    values: Mapping[str, float]
    by_type: Mapping[str, Row]

    def __repr__(self) -> str:
        return (
            f"<SentencePlan of sentence {self.sentence} (counted from 1): "
            f"{plural(len(self.hypothesis_edits), 'edit')} of the hypothesis, {len(self.reference_edits)} of "
            f"reference {self.reference}, {shown(dict(self.counts))}>"
        )


def plans_of(
    scorer: UotScorer, pair: Pair, sentences: Sequence[int] = ()
) -> tuple[list[SentencePlan], list[str]]:
    """Return the plan of each chosen sentence, and one line for each thing that affects the figures.

    Args:
        scorer: The metric with its options; each sentence chooses its best reference for itself.
        pair: The sentences of both sides.
        sentences: Numbers from 1; if empty all in which some annotator has edits.
    """
    chosen = list(sentences) or _with_edits(pair)
    shown = Pair(
        [pair.hypothesis[number - 1] for number in chosen],
        [pair.references[number - 1] for number in chosen],
        pair.name,
    )
    [score] = evaluate(replace(scorer, plans=True, level="sentence"), [shown])
    blocks = zip(chosen, shown.hypothesis, shown.references, score.combined, strict=True)
    # Only the chosen sentences were scored: their numbers become those of the file.
    warnings = [_PLACE.sub(lambda place: str(chosen[int(place[0]) - 1]), line) for line in score.warnings]
    return [_plan(scorer, pair.name, *sentence) for sentence in blocks], warnings


def vectors_of_sides(scorer: UotScorer, pairs: Sequence[Pair]) -> dict[str, list[EditVectors]]:
    """Return the edit vectors of each system, by its name, and of the ``references``, over all sentences.

    Args:
        scorer: Says which encoder and which vectors.
        pairs: The systems with their references; the first one's references are taken.
    """
    files = [*(pair.hypothesis for pair in pairs), pairs[0].references]
    names = [*(pair.name for pair in pairs), "references"]
    sides = encode_edits(files, names, scorer.load(), scorer.vector)
    vectors = [[edits for sentence in side for edits in sentence] for side in sides]
    return dict(zip(names, vectors, strict=True))


def gathered(edits: Sequence[EditVectors]) -> tuple[FloatArray, list[str]]:
    """Return the vectors of many annotations, shape ``(edits, dim)``, and the type of each."""
    with_edits = [own for own in edits if own.edits]
    vectors = np.concatenate([own.vectors for own in with_edits]) if with_edits else np.zeros((0, 1))
    return vectors, [edit.type for own in with_edits for edit in own.edits]


def norms_by_type(edits: Sequence[EditVectors]) -> dict[str, FloatArray]:
    """Return the lengths of the vectors of each error type, sorted by type (the paper's Table 3)."""
    norms: dict[str, list[float]] = {}
    for edit_vectors in edits:
        for edit, norm in zip(edit_vectors.edits, edit_vectors.norms, strict=True):
            norms.setdefault(edit.type, []).append(float(norm))
    return {type_: np.array(norms[type_]) for type_ in sorted(norms)}


def _with_edits(pair: Pair) -> list[int]:
    """Return the sentences, counted from 1, in which some annotator of either side has edits."""
    both = zip(pair.hypothesis, pair.references, strict=True)
    return [
        n for n, sides in enumerate(both, start=1) if any(changing(a) for b in sides for a in b.annotations)
    ]


def _reference(candidate: Candidate) -> int:
    """Return the annotator that a candidate was transported to; every one has one."""
    return 0 if candidate.reference is None else candidate.reference


def _plan(
    scorer: UotScorer, name: str, number: int, hypothesis: Block, references: Block, candidate: Candidate
) -> SentencePlan:
    told = cast(Mapping[str, Any], candidate.details)
    ours = changing(hypothesis.annotation(candidate.hypothesis) or Annotation(0))
    theirs = changing(references.annotation(_reference(candidate)) or Annotation(0))
    shape = len(ours), len(theirs)
    return SentencePlan(
        hypothesis=name,
        sentence=number,
        source=hypothesis.source,
        annotator=candidate.hypothesis,
        reference=_reference(candidate),
        hypothesis_edits=ours,
        reference_edits=theirs,
        hypothesis_mass=np.array(told["hypothesis_mass"]),
        reference_mass=np.array(told["reference_mass"]),
        cost=np.array(told["cost"]).reshape(shape),
        plan=np.array(told["plan"]).reshape(shape),
        counts=dict(zip(scorer.counts, candidate.row[:3], strict=True)),
        values=dict(zip(("precision", "recall", "f"), candidate.row[3:6], strict=True)),
        by_type={type_: row[:3] for type_, row in candidate.by_type.items()},
    )
