"""The sentences of an M2 file as documents: all in one, some at a time, or by their headings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from jperrant.core.errors import UsageError
from jperrant.core.values import Block
from jperrant.exchange.base import Document
from jperrant.exchange.offsets import sentence_text


def cut_documents(
    blocks: Sequence[Block], name: str, sentences: int | None = None, heading: str | None = None
) -> tuple[Document, ...]:
    """Return the documents of a file.

    Args:
        blocks: Its sentences.
        name: The name of the only document; several get a number behind it, from 1 on.
        sentences: How many sentences a document has at most.
        heading: How the first sentence of each document begins, as ``# `` in the M2 files of UA-GEC.

    Raises:
        UsageError: Both are given, or not even one sentence goes into a document, or there is no such heading.
    """
    if sentences is not None and heading is not None:
        raise UsageError("both a number of sentences and a heading are given; give only one")
    if sentences is not None and sentences < 1:
        raise UsageError(f"found {sentences} sentences per document, expected at least 1")
    begins = [0]
    if sentences is not None:
        begins += range(sentences, len(blocks), sentences)
    elif heading is not None:
        headings = [k for k, block in enumerate(blocks) if sentence_text(block).startswith(heading)]
        if not headings:
            raise UsageError(
                f"no sentence begins with {heading!r}; give the heading that begins each document"
            )
        begins += [k for k in headings if k]
    if len(begins) == 1:
        return (Document(name, tuple(blocks)),)
    width = len(str(len(begins)))
    return tuple(
        [
            Document(f"{name}-{number:0{width}}", tuple(blocks[first:last]), first)
            for number, (first, last) in enumerate(pairwise([*begins, len(blocks)]), start=1)
        ]
    )
