"""Numbers of the annotators of several files: counted on from file to file.

They hold for all sentences, so that whoever is missing in one of them moves nobody else down.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count

from jperrant.core.values import Annotation, Block


def annotators_in(blocks: Iterable[Block]) -> list[int]:
    """Return the annotators of a file, in ascending order."""
    return sorted({annotation.annotator for block in blocks for annotation in block.annotations})


def numbers_of(files: Iterable[Iterable[Block]]) -> list[dict[int, int]]:
    """Return for each file the new numbers of its annotators, in ascending order.

    Args:
        files: The blocks of each.
    """
    return numbered_on(map(annotators_in, files))


def numbered_on(annotators: Iterable[Collection[int]]) -> list[dict[int, int]]:
    """Return for each file the new numbers of its annotators, in ascending order.

    Args:
        annotators: Those of each file; one whose sentences have no annotations stands for one annotator.
    """
    new = count()
    return [{old: next(new) for old in sorted(own) or [0]} for own in annotators]


def joined_block(blocks: Sequence[Block], numbers: Sequence[Mapping[int, int]]) -> Block:
    """Return the blocks of one sentence in several files as one, with the annotators of all.

    Args:
        blocks: The block of each file; the first annotator of a file left one without annotations unchanged.
        numbers: As :func:`numbers_of` returns them.
    """
    annotations = [
        replace(annotation, annotator=new[annotation.annotator])
        for block, new in zip(blocks, numbers, strict=True)
        for annotation in block.annotations or (Annotation(min(new)),)
    ]
    return replace(blocks[0], annotations=tuple(sorted(annotations, key=lambda a: a.annotator)))
