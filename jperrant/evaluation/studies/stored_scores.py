"""Scores as documents that JSON can hold, and back: figures keep every bit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from jperrant.core.values import Edit
from jperrant.evaluation.comparison import (
    PairedTestOptions,
    PartComparison,
    SentenceComparison,
    SystemComparison,
)
from jperrant.evaluation.metrics.base import Candidate, Scorer
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.shared_edits import SystemEdit
from jperrant.evaluation.statistics.differences import Difference


def score_document(score: Score, warnings: Sequence[str]) -> dict[str, Any]:
    """Return a score as a document.

    Args:
        score: The score.
        warnings: What is kept as its warnings.
    """
    return {
        "signature": score.signature,
        "hypothesis": score.hypothesis,
        "warnings": list(warnings),
        "notes": list(score.notes),
        "spans": score.spans,
        "candidates": [[_candidate(one) for one in sentence] for sentence in score.candidates],
        "combined": [
            next((n for n, one in enumerate(sentence) if one is chosen), _candidate(chosen))
            for sentence, chosen in zip(score.candidates, score.combined, strict=True)
        ],
    }


def score_of(document: Mapping[str, Any], scorer: Scorer) -> Score:
    """Return the score of a document.

    Args:
        document: From :func:`score_document`.
        scorer: The metric that made it.
    """
    candidates = [[_candidate_of(one) for one in sentence] for sentence in document["candidates"]]
    combined = [
        sentence[chosen] if isinstance(chosen, int) else _candidate_of(chosen)
        for sentence, chosen in zip(candidates, document["combined"], strict=True)
    ]
    spans = tuple((start, end) for start, end in document["spans"])
    return Score(
        scorer,
        document["signature"],
        document["hypothesis"],
        candidates,
        tuple(combined),
        tuple(document["warnings"]),
        spans,
        tuple(document["notes"]),
    )


def comparison_document(comparison: SystemComparison) -> dict[str, Any]:
    """Return a comparison of systems as a document, without their scores."""
    return {
        "overall": asdict(comparison.overall),
        "types": [asdict(part) for part in comparison.types],
        "sentences": [_sentence_document(sentence) for sentence in comparison.sentences],
        "notes": comparison.notes,
    }


def comparison_of(
    document: Mapping[str, Any], scores: Scores, options: PairedTestOptions
) -> SystemComparison:
    """Return the comparison of a document.

    Args:
        document: From :func:`comparison_document`.
        scores: The scores of the systems that were compared.
        options: How they were.
    """
    return SystemComparison(
        scores,
        _part(document["overall"]),
        tuple(_part(part) for part in document["types"]),
        tuple(_sentence(sentence) for sentence in document["sentences"]),
        options,
        tuple(document["notes"]),
    )


def _candidate(one: Candidate) -> list[Any]:
    return [one.hypothesis, one.reference, one.row, one.by_type, one.details]


def _candidate_of(values: Sequence[Any]) -> Candidate:
    hypothesis, reference, row, by_type, details = values
    return Candidate(hypothesis, reference, tuple(row), {t: tuple(r) for t, r in by_type.items()}, details)


def _part(values: Mapping[str, Any]) -> PartComparison:
    differences = tuple(Difference(**difference) for difference in values["differences"])
    return PartComparison(values["type"], tuple(values["support"]), tuple(values["values"]), differences)


def _sentence_document(sentence: SentenceComparison) -> dict[str, Any]:
    edits = [{"edit": e.edit.to_dict(), "systems": e.systems, "right": e.right} for e in sentence.edits]
    return {**asdict(replace(sentence, edits=())), "edits": edits}


def _sentence(values: Mapping[str, Any]) -> SentenceComparison:
    edits = [
        SystemEdit(Edit.from_dict(one["edit"]), tuple(one["systems"]), one["right"])
        for one in values["edits"]
    ]
    lists = {key: tuple(values[key]) for key in ("sentences", "source", "values")}
    return SentenceComparison(**{**values, **lists, "edits": tuple(edits)})
