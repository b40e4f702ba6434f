"""Heads with two subjects or two objects, and the better tree without them, as Stanza's pipeline resolves them.

Relations of one group exclude each other below one head. Where two words share a group, each in turn keeps it: the
others' arcs are then scored together with the best relation still open to them, and the tree is searched anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from jperrant.compact.trees import best_tree

_GROUPS = {
    "nsubj": "subject", "csubj": "subject", "nsubj:pass": "subject", "csubj:pass": "subject",
    "nsubj:outer": "outer subject", "csubj:outer": "outer subject", "obj": "object",
}  # fmt: skip
_ROUNDS = 5


class Violation(NamedTuple):
    """Words that share a head and a group of relations that it can have once."""

    head: int
    group: str
    words: list[int]


def violations(heads: Sequence[int], relations: Sequence[str]) -> list[Violation]:
    """Return where a head has two words of one group, in the order in which heads and groups first come.

    Args:
        heads: The head of each node, that of the root first.
        relations: The relation of each word.
    """
    words: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for word, (head, relation) in enumerate(zip(heads[1:], relations, strict=True), start=1):
        if relation in _GROUPS:
            words[head][_GROUPS[relation]].append(word)
    return [Violation(head, g, w) for head, groups in words.items() for g, w in groups.items() if len(w) > 1]


def resolved(
    scores: Any, relation_scores: Any, heads: Sequence[int], relations: Sequence[str]
) -> tuple[list[int], list[str]]:
    """Return heads and relations without violations, as far as a few rounds find them.

    Args:
        scores: Score of each head for each node, shape ``(nodes, nodes)``; node 0 stands for the root.
        relation_scores: Log probability of each relation between two nodes, shape ``(nodes, nodes, relations)``,
            the dependent first.
        heads: The head of each node in the best tree.
        relations: The names of the relations.

    Returns:
        The head of each node, and the relation of each, that of the root first and without meaning.
    """
    search = _Search(_log_probabilities(scores), relation_scores, relations)
    tree = _Tree(list(heads), search.relations_of(heads, {}))
    for _ in range(_ROUNDS):
        found = violations(tree.heads, [relations[number] for number in tree.relations[1:]])
        if not found:
            break
        tree = search.better(found[0])
    return tree.heads, [relations[number] for number in tree.relations]


class _Tree(NamedTuple):
    heads: list[int]
    relations: list[int]


class _Search:
    """The trees of one sentence; what one round closes to a word stays closed."""

    def __init__(self, scores: Any, relation_scores: Any, relations: Sequence[str]) -> None:
        self.scores, self.relation_scores = scores, relation_scores
        self.groups = np.array([_GROUPS.get(relation, "") for relation in relations])
        self.closed: dict[tuple[int, int], set[str]] = defaultdict(set)

    def better(self, found: Violation) -> _Tree:
        """Return the best tree in which one word of a violation keeps its group, and close it to the others."""
        candidates = [
            self._without(found, [word for word in found.words if word != kept]) for kept in found.words
        ]
        best = max(range(len(candidates)), key=lambda n: self._total(candidates[n]))  # the first of equals
        for number, word in enumerate(found.words):
            if number != best:
                self.closed[word, found.head].add(found.group)
        return candidates[best]

    def relations_of(self, heads: Sequence[int], also: dict[tuple[int, int], str]) -> list[int]:
        """Return the best relation of each node to its head, of those still open and not closed here also."""
        return [
            0,
            *(int(self._open(word, head, also).argmax()) for word, head in enumerate(heads[1:], start=1)),
        ]

    def _without(self, found: Violation, others: Sequence[int]) -> _Tree:
        also = {(word, found.head): found.group for word in others}
        scores = self.scores.copy()
        for word in others:
            scores[word] += [self._open(word, head, also).max() for head in range(len(scores))]
        heads = best_tree(scores).tolist()
        return _Tree(heads, self.relations_of(heads, also))

    def _open(self, word: int, head: int, also: dict[tuple[int, int], str]) -> Any:
        groups = [*self.closed.get((word, head), ()), *([also[word, head]] if (word, head) in also else [])]
        scores = self.relation_scores[word, head]
        return np.where(np.isin(self.groups, groups), -np.inf, scores) if groups else scores

    def _total(self, tree: _Tree) -> float:
        arcs = list(zip(range(len(tree.heads)), tree.heads, tree.relations, strict=True))[1:]
        return float(sum(self.scores[w, h] + self.relation_scores[w, h, r] for w, h, r in arcs))


def _log_probabilities(scores: Any) -> Any:
    table = scores.astype(np.float64)
    table -= table.max(axis=1, keepdims=True)
    return table - np.log(np.exp(table).sum(axis=1, keepdims=True))
