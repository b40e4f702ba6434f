"""What an edit does to the meaning of a sentence, as a vector: the difference of two encoded texts.

Goto, Sakai and Watanabe, "Grammatical Error Correction Evaluation by Optimally Transporting Edit Representation":

- ``remove`` (Eq. 1): all edits applied, minus all but this one;
- ``add``: this edit alone applied, minus the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from jperrant.core.apply import apply_edits
from jperrant.core.arrays import FloatArray
from jperrant.core.errors import EditError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import annotations_of

VECTORS = {"remove": "all edits against all but this one", "add": "this edit alone against the source"}


class TextEncoder(Protocol):
    """What gives texts vectors (``jperrant.encoders.Encoder``)."""

    def embed(self, texts: Sequence[str]) -> FloatArray:
        """Return one vector a text, shape ``(texts, dim)``."""


@dataclass(frozen=True, slots=True)
class EditVectors:
    """The edits of one annotator in one sentence, with their vectors.

    Attributes:
        annotator: The annotator's number.
        edits: The edits that change the text, in the order of the file; detection edits are left out.
        vectors: Shape ``(edits, dim)``; zeros for an edit that the encoder cannot see.
        overlapping: Whether some edits overlap, of which only the first of each is in the text.
    """

    annotator: int
    edits: tuple[Edit, ...]
    vectors: FloatArray
    overlapping: bool = False

    @property
    def norms(self) -> FloatArray:
        """The Euclidean length of each vector, shape ``(edits,)``."""
        norms: FloatArray = np.linalg.norm(self.vectors, axis=-1)
        return norms


def encode_edits(
    files: Sequence[Sequence[Block]], names: Sequence[str], encoder: TextEncoder, vector: str = "remove"
) -> list[list[tuple[EditVectors, ...]]]:
    """Return the edit vectors of every annotator, for each file, for each sentence.

    The texts of all files are encoded together, each distinct one once.

    Args:
        files: Systems and references.
        names: What to call each of them in messages.
        encoder: Gives texts vectors.
        vector: ``remove`` or ``add``.

    Raises:
        EditError: An edit reaches outside its sentence; names file and sentence.
        InputError: The encoder gives numbers that are not finite.
    """
    rows: dict[str, int] = {}
    wanted: list[list[list[tuple[Annotation, list[tuple[int, int]]]]]] = []
    for blocks, name in zip(files, names, strict=True):
        wanted.append([])
        for number, block in enumerate(blocks):
            sentence = []
            for annotation in annotations_of(block):
                pairs = _texts(block, annotation, vector, f"{name}: sentence {number} (counted from 0)")
                numbered = [
                    (rows.setdefault(one, len(rows)), rows.setdefault(other, len(rows)))
                    for one, other in pairs
                ]
                sentence.append((annotation, numbered))
            wanted[-1].append(sentence)
    embedded = encoder.embed(list(rows))
    return [
        [
            tuple([_vectors(annotation, pairs, embedded) for annotation, pairs in sentence])
            for sentence in file
        ]
        for file in wanted
    ]


def edit_texts(source: Sequence[str], edits: Sequence[Edit], vector: str = "remove") -> list[tuple[str, str]]:
    """Return for each edit the two texts whose difference its vector is.

    >>> from jperrant.core.values import Edit
    >>> edit_texts(("He", "go", "home"), [Edit(1, 2, ("goes",), "R:VERB:SVA"), Edit(3, 3, (".",), "M:PUNCT")])
    [('He goes home .', 'He go home .'), ('He goes home .', 'He goes home')]

    Args:
        source: The tokens of the sentence.
        edits: All edits of one annotator that change it.
        vector: ``remove`` or ``add``.

    Raises:
        EditError: An edit reaches outside the sentence.
    """
    if vector == "add":
        plain = applied(source, ())
        return [(applied(source, [edit]), plain) for edit in edits]
    corrected = applied(source, edits)
    return [(corrected, applied(source, [*edits[:at], *edits[at + 1 :]])) for at in range(len(edits))]


def applied(source: Sequence[str], edits: Iterable[Edit]) -> str:
    """Return the text with edits applied, tokens joined by spaces; of two that overlap only the first counts.

    Raises:
        EditError: An edit reaches outside the sentence.
    """
    return " ".join(apply_edits(source, without_overlaps(edits)))


def changing(annotation: Annotation) -> tuple[Edit, ...]:
    """Return the edits that propose a correction, in the order of the file."""
    return tuple([edit for edit in annotation.edits if not edit.is_detection])


def without_overlaps(edits: Iterable[Edit]) -> list[Edit]:
    """Return edits in the order of the text; of two that overlap, the one that begins first.

    Insertions at one place do not overlap.
    """
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept


def _texts(block: Block, annotation: Annotation, vector: str, place: str) -> list[tuple[str, str]]:
    try:
        return edit_texts(block.source, changing(annotation), vector)
    except EditError as error:
        raise EditError(f"{place}: {error}") from error


def _vectors(annotation: Annotation, pairs: Sequence[tuple[int, int]], embedded: FloatArray) -> EditVectors:
    edits = changing(annotation)
    ones, others = [one for one, _ in pairs], [other for _, other in pairs]
    overlapping = any(left.end > right.start for left, right in pairwise(sorted(edits, key=_place)))
    return EditVectors(annotation.annotator, edits, embedded[ones] - embedded[others], overlapping)


def _place(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end
