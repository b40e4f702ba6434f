"""A short cut while Stanza decodes dependency trees.

Stanza forbids a second root by making root arcs very dear, after which nearly every sentence has cycles that
Chu-Liu-Edmonds must contract one by one, in Python: a third of the parser's time. But where every word's best
head already makes a tree with one root, that tree is the answer, because no tree can score more; and so is the
best tree of all where it has one root. Only the others go through Stanza's own search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

_Scores = np.ndarray[Any, np.dtype[np.floating[Any]]]
_Heads = np.ndarray[Any, np.dtype[np.integer[Any]]]
_Search = Callable[[_Scores], _Heads]
_NAME = "chuliu_edmonds_one_root"


@contextmanager
def fast_trees() -> Iterator[None]:
    """Let Stanza's parser take the short cut for a while; do nothing where it decodes otherwise."""
    from stanza.models.common.chuliu_edmonds import chuliu_edmonds
    from stanza.models.depparse import model

    search = getattr(model, _NAME, None)
    if search is None:
        yield
        return
    setattr(model, _NAME, lambda scores: best_tree(scores, chuliu_edmonds, search))
    try:
        yield
    finally:
        setattr(model, _NAME, search)


def best_tree(scores: _Scores, free: _Search, one_root: _Search) -> _Heads:
    """Return the head of each node in the best tree with one root.

    Args:
        scores: Score of each head for each node, shape ``(nodes, nodes)``; node 0 stands for the root.
        free: Finds the best tree, with any number of roots; may change the scores it is given.
        one_root: Finds the best tree with one root in all cases.
    """
    own = scores.astype(np.float64)
    np.fill_diagonal(own, -np.inf)  # no word is its own head
    heads: _Heads = np.argmax(own, axis=1)
    heads[0] = 0
    if has_cycle(heads):
        heads = free(own)
    return heads if np.count_nonzero(heads[1:] == 0) == 1 else one_root(scores)


def has_cycle(heads: _Heads) -> bool:
    """Whether some node does not lead to node 0, given the head of each, shape ``(nodes,)``."""
    for _ in range(len(heads).bit_length()):
        heads = heads[heads]  # twice as far each time
    return bool(heads.any())
