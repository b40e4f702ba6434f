"""Error clusters: the places where annotators correct a sentence, each with the ways they do it.

Felice and Briscoe (2015), section 3: corrections of different annotators that overlap are alternatives of each
other; those of different clusters are independent, so that a reference may take each from another annotator. A
cluster that not every annotator has may be left as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from jperrant.core.apply import apply_edits
from jperrant.core.values import Annotation, Edit


@dataclass(frozen=True, slots=True)
class Cluster:
    """One stretch of the source and what it may be replaced by.

    Attributes:
        start, end: Half-open range of source tokens; equal where every annotator only inserts.
        alternatives: Different texts for the stretch, in the order of the annotators; the untouched one last,
            where an annotator leaves the stretch as it is.
    """

    start: int
    end: int
    alternatives: tuple[tuple[str, ...], ...]


def combinations_of(clusters: Sequence[Cluster]) -> int:
    """Return how many references the clusters combine to."""
    return prod(len(cluster.alternatives) for cluster in clusters)


def find_clusters(source: Sequence[str], annotations: Sequence[Annotation]) -> list[Cluster]:
    """Return the clusters of a sentence in the order of the source; their ranges do not overlap.

    Two edits are of one cluster if their ranges are equal or share a token, if one inserts inside the range of
    the other, or if further edits link them. The edits of one annotator in a cluster belong together.

    Args:
        source: The tokens.
        annotations: Of each annotator; the edits of one do not overlap each other.
    """
    edits = [
        (edit, number) for number, a in enumerate(annotations) for edit in a.edits if not edit.is_detection
    ]
    clusters = []
    for linked in _linked(sorted(edits, key=lambda pair: (pair[0].start, pair[0].end))):
        start, end = min(e.start for e, _ in linked), max(e.end for e, _ in linked)
        stretch = source[start:end]
        ways: dict[tuple[str, ...], None] = {}
        for number in range(len(annotations)):
            mine = [_shifted(edit, start) for edit, annotator in linked if annotator == number]
            if mine:
                ways[apply_edits(stretch, mine)] = None
        if len({annotator for _, annotator in linked}) < len(annotations):
            ways.setdefault(tuple(stretch))
        clusters.append(Cluster(start, end, tuple(ways)))
    return clusters


def _linked(edits: Sequence[tuple[Edit, int]]) -> list[list[tuple[Edit, int]]]:
    """Return edits, sorted by range, in groups that are linked by overlaps."""
    groups: list[list[tuple[Edit, int]]] = []
    for pair in edits:
        linked = [group for group in groups if any(_overlap(pair[0], other) for other, _ in group)]
        groups = [group for group in groups if not any(group is linked_group for linked_group in linked)]
        groups.append([*(member for group in linked for member in group), pair])
    # At one place an insertion comes before what replaces the tokens there, as when edits are applied.
    return sorted(groups, key=lambda group: (min(e.start for e, _ in group), max(e.end for e, _ in group)))


def _overlap(edit: Edit, other: Edit) -> bool:
    if (edit.start, edit.end) == (other.start, other.end):
        return True
    return edit.start < other.end and other.start < edit.end


def _shifted(edit: Edit, start: int) -> Edit:
    return Edit(edit.start - start, edit.end - start, edit.correction, edit.type)
