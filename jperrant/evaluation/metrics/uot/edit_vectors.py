"""What an edit does to the meaning of a sentence, as a vector: the difference of two encoded texts.

Goto, Sakai and Watanabe, "Grammatical Error Correction Evaluation by Optimally Transporting Edit Representation":

- ``remove`` (Eq. 1): all edits applied, minus all but this one;
- ``add``: this edit alone applied, minus the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import EditError
from jperrant.core.messages import plural
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import annotations_of
from jperrant.evaluation.metrics.texts import applied, changing

#: For each sentence the annotations, and the two texts of each edit.
EditTexts: TypeAlias = list[list[tuple[Annotation, list[tuple[str, str]]]]]

#: Edits of one annotator in a sentence from which on their texts are worth a line.
MANY = 100

VECTORS = {"remove": "all edits against all but this one", "add": "this edit alone against the source"}


class TextEncoder(Protocol):
    """What gives texts vectors (``jperrant.encoders.Encoder``)."""

    def embed(self, texts: Sequence[str], notes: list[str] | None = None) -> FloatArray:
        """Return one vector a text, shape ``(texts, dim)``; what users should know goes to ``notes``."""


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
    files: Sequence[Sequence[Block]],
    names: Sequence[str],
    encoder: TextEncoder,
    vector: str = "remove",
    notes: list[str] | None = None,
) -> list[list[tuple[EditVectors, ...]]]:
    """Return the edit vectors of every annotator, for each file, for each sentence.

    The texts of all files are encoded together, each distinct one once.

    Args:
        files: Systems and references.
        names: What to call each of them in messages.
        encoder: Gives texts vectors.
        vector: ``remove`` or ``add``.
        notes: Where to put what users should know about the encoding.

    Raises:
        EditError: An edit reaches outside its sentence; names file and sentence.
        InputError: The encoder gives numbers that are not finite.
    """
    texts = [texts_of_edits(blocks, name, vector) for blocks, name in zip(files, names, strict=True)]
    return encode_texts(texts, encoder, notes)


def texts_of_edits(blocks: Sequence[Block], name: str, vector: str = "remove", first: int = 1) -> EditTexts:
    """Return for each sentence and annotator the two texts of each edit; see :func:`edit_texts`.

    Args:
        blocks: The sentences.
        name: What to call the file in messages.
        vector: ``remove`` or ``add``.
        first: The number of the first sentence in the file, from 1.

    Raises:
        EditError: An edit reaches outside its sentence; names file and sentence.
    """
    return [
        [
            (annotation, _texts(block, annotation, vector, f"{name}: sentence {number} (counted from 1)"))
            for annotation in annotations_of(block)
        ]
        for number, block in enumerate(blocks, first)
    ]


def encode_texts(
    files: Sequence[EditTexts], encoder: TextEncoder, notes: list[str] | None = None
) -> list[list[tuple[EditVectors, ...]]]:
    """Return the edit vectors of every annotator, for each file, for each sentence.

    The texts of all files are encoded together, each distinct one once.

    Args:
        files: The texts of the edits of systems and references.
        encoder: Gives texts vectors.
        notes: Where to put what users should know about the encoding.

    Raises:
        InputError: The encoder gives numbers that are not finite.
    """
    rows: dict[str, int] = {}
    for texts in (t for file in files for sentence in file for _, pairs in sentence for t in pairs):
        for text in texts:
            rows.setdefault(text, len(rows))
    if notes is not None:
        notes += _many_edits(files)
    embedded = encoder.embed(list(rows), notes)
    return [
        [
            tuple(
                [
                    _vectors(annotation, [(rows[first], rows[second]) for first, second in pairs], embedded)
                    for annotation, pairs in sentence
                ]
            )
            for sentence in file
        ]
        for file in files
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
    return [
        (corrected, applied(source, [*edits[:number], *edits[number + 1 :]])) for number in range(len(edits))
    ]


def _many_edits(files: Sequence[EditTexts]) -> list[str]:
    """Return a line on the annotations whose texts take long: as many as edits, each as long as the sentence."""
    sizes = [len(pairs) for file in files for sentence in file for _, pairs in sentence if len(pairs) > MANY]
    if not sizes:
        return []
    return [
        f"{plural(len(sizes), 'annotation')} with over {MANY} edits (up to {max(sizes)}), each of which is encoded "
        "as a text of its own"
    ]


def _texts(block: Block, annotation: Annotation, vector: str, place: str) -> list[tuple[str, str]]:
    try:
        return edit_texts(block.source, changing(annotation), vector)
    except EditError as error:
        raise EditError(f"{place}: {error}") from error


def _vectors(annotation: Annotation, pairs: Sequence[tuple[int, int]], embedded: FloatArray) -> EditVectors:
    edits = changing(annotation)
    ones, others = [first for first, _ in pairs], [second for _, second in pairs]
    overlapping = any(left.end > right.start for left, right in pairwise(sorted(edits, key=_place)))
    return EditVectors(annotation.annotator, edits, embedded[ones] - embedded[others], overlapping)


def _place(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end
