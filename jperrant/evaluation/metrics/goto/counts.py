"""What GoToScorer counts: weights of right and wrong chunks.

Gotou et al. (2020), section 3.3. A chunk of weight w that the system edited adds w to tp if it is right; if it is
wrong, to fp, and also to fn where the reference edits it. A chunk that the system left alone adds w to tn if it is
right, and to fn if it is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

from jperrant.evaluation.metrics.goto.chunks import Chunk
from jperrant.evaluation.metrics.goto.verdicts import Verdict

COUNTS = ("tp", "fp", "fn", "tn")


def weighted_counts(
    chunks: Sequence[Chunk], verdicts: Sequence[Verdict], weights: Sequence[float]
) -> tuple[tuple[float, ...], dict[str, tuple[float, ...]]]:
    """Return tp, fp, fn and tn of a sentence, in all and by error type.

    By type there are only chunks that one of the two sides edits. They have the type of the reference's edit or,
    where there is none, of the system's edit.

    Args:
        chunks: The chunks of the reference.
        verdicts: What the system did with each.
        weights: The weight of each.
    """
    total = [0.0] * len(COUNTS)
    by_type: dict[str, list[float]] = {}
    for chunk, verdict, weight in zip(chunks, verdicts, weights, strict=True):
        type_ = chunk.type or verdict.type
        rows = [total, by_type.setdefault(type_, [0.0] * len(COUNTS))] if type_ else [total]
        for row in rows:
            for column in _columns(chunk, verdict):
                row[column] += weight
    return tuple(total), {type_: tuple(row) for type_, row in by_type.items()}


def _columns(chunk: Chunk, verdict: Verdict) -> tuple[int, ...]:
    """Return where a chunk counts: 0 tp, 1 fp, 2 fn, 3 tn."""
    if verdict.modified:
        if verdict.right:
            return (0,)
        return (1, 2) if chunk.edited else (1,)
    return (3,) if verdict.right else (2,)
