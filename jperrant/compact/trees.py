"""The best dependency tree with one root, given the score of each head for each word.

Where every word's best head already makes a tree with one root, that tree is the answer, because no tree can score
more. Otherwise cycles are contracted (Chu and Liu 1965; Edmonds 1967), first with any number of roots, and then, if
that tree has several, with arcs to the root made so costly that one is all the best tree can afford.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

_Scores = np.ndarray[Any, np.dtype[np.floating[Any]]]
_Heads = np.ndarray[Any, np.dtype[np.integer[Any]]]


def best_trees(scores: _Scores, lengths: Sequence[int]) -> _Heads:
    """Return the heads of the best tree with one root of each sentence.

    Args:
        scores: Score of each head for each node, shape ``(sentences, nodes, nodes)``; ``-inf`` on the diagonal and
            for heads beyond a sentence.
        lengths: Nodes of each sentence.

    Returns:
        Shape ``(sentences, nodes)``; 0 beyond a sentence.
    """
    heads: _Heads = scores.argmax(axis=2)
    heads[:, 0] = 0
    inside = np.arange(heads.shape[1]) < np.asarray(lengths)[:, None]
    heads[~inside] = 0
    roots = ((heads == 0) & inside)[:, 1:].sum(axis=1)
    for n in np.flatnonzero((roots > 1) | has_cycle(heads)).tolist():
        heads[n, : lengths[n]] = best_tree(scores[n, : lengths[n], : lengths[n]])
    return heads


def best_tree(scores: _Scores) -> _Heads:
    """Return the head of each node in the best tree with one root.

    Args:
        scores: Score of each head for each node, shape ``(nodes, nodes)``; node 0 stands for the root. They are
            finite but for the diagonal, which does not count.

    Returns:
        Shape ``(nodes,)``; the head of node 0 is 0.
    """
    table = scores.astype(np.float64)
    np.fill_diagonal(table, -np.inf)  # no word is its own head
    table[0] = -np.inf
    heads = arborescence(table)
    if len(table) > 1 and np.count_nonzero(heads[1:] == 0) > 1:
        finite = table[np.isfinite(table)]
        table[1:, 0] -= (finite.max() - finite.min() + 1) * len(table)
        heads = arborescence(table)
    return heads


def arborescence(scores: _Scores) -> _Heads:
    """Return the head of each node in the best tree below node 0, with any number of nodes below it.

    Args:
        scores: Score of each head for each node, shape ``(nodes, nodes)``; ``-inf`` for no arc.
    """
    table = scores.copy()
    contractions: list[tuple[Any, Any, Any, Any]] = []
    while True:
        heads: _Heads = np.argmax(table, axis=1)
        heads[0] = 0
        # Contracted nodes have no arcs left, so their best head is node 0.
        cycle = first_cycle(heads)
        if cycle is None:
            break
        contractions.append(_contract(table, heads, np.array(cycle)))
    for nodes, inside, entered, left in reversed(contractions):
        head = heads[nodes[0]]
        below = heads == nodes[0]
        below[nodes] = False
        heads[below] = left[below]
        heads[nodes] = inside
        heads[entered[head]] = head
    return heads


def _contract(table: _Scores, heads: _Heads, cycle: Any) -> tuple[Any, Any, Any, Any]:
    """Make a cycle one node, the first of its nodes, in place.

    Returns:
        The nodes; the head of each inside the cycle; for each node, the one of the cycle that it would be the head
        of, and the one of the cycle that would be its head.
    """
    node, rest = cycle[0], cycle[1:]
    inside = heads[cycle]
    gains = table[cycle] - table[cycle, inside][:, None]
    entered = cycle[np.argmax(gains, axis=0)]
    left = cycle[np.argmax(table[:, cycle], axis=1)]
    into, out = gains.max(axis=0), table[:, cycle].max(axis=1)
    table[node], table[:, node] = into, out
    table[rest], table[:, rest] = -np.inf, -np.inf
    table[node, cycle] = -np.inf
    table[cycle, node] = -np.inf
    return cycle, inside, entered, left


def first_cycle(heads: _Heads) -> list[int] | None:
    """Return the nodes of a cycle that does not hold node 0, or None, given the head of each node."""
    astray = _leads_astray(heads)
    if not astray.any():
        return None
    links, walk = heads.tolist(), [int(astray.argmax())]
    while links[walk[-1]] not in walk:
        walk.append(links[walk[-1]])
    return walk[walk.index(links[walk[-1]]) :]


def has_cycle(heads: _Heads) -> Any:
    """Whether some node does not lead to node 0, given the head of each, shape ``(…, nodes)``."""
    return _leads_astray(heads).any(axis=-1)


def _leads_astray(heads: _Heads) -> Any:
    """Whether each node does not lead to node 0, given the head of each, shape ``(…, nodes)``."""
    nodes = heads.shape[-1]
    first = np.arange(0, heads.size, nodes).reshape(*heads.shape[:-1], 1)
    ahead = (heads + first).ravel()
    for _ in range(nodes.bit_length()):
        ahead = ahead[ahead]  # twice as far each time
    return ahead.reshape(heads.shape) != first
