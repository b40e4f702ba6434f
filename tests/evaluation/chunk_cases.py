"""One sentence of six tokens and edits of it, for tests that weigh chunks."""

from __future__ import annotations

from jperrant.core.values import Annotation, Block, Edit

SOURCE = tuple("abcdef")


def block(*edits: Edit) -> Block:
    return Block(SOURCE, (Annotation(0, edits),))


X, Y = Edit(1, 2, ("x",), "R"), Edit(1, 2, ("y",), "R")
INSERTED = Edit(4, 4, ("z",), "M")
