"""Word and character error rate: the Levenshtein distance from a reference by the length of the reference.

Baselines rather than metrics of correction: they say how far a text is from a reference, so that a system which
changes nothing is often best. Lower is better.
"""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein


def error_counts(hypothesis: Sequence[str], reference: Sequence[str]) -> tuple[int, int]:
    """Return the Levenshtein distance of two texts and the length of the reference, both in units.

    Insertion, deletion and substitution cost 1 each.

    >>> error_counts("a c".split(), "a b c".split())
    (1, 3)
    """
    return Levenshtein.distance(hypothesis, reference), len(reference)


def error_rate(distance: float, length: float) -> float:
    """Return distance by length; an empty reference is counted as one of length 1, so that 0/0 is 0."""
    return distance / max(length, 1.0)
