"""Stanza's dependency parser (Dozat and Manning 2017): scores of arcs and relations, and the best tree.

If the best heads of all words form a tree with one root, that tree is the result, because no tree scores
higher. Otherwise cycles are contracted (Chu and Liu 1965; Edmonds 1967), at first with any number of roots. If
the resulting tree has several roots, it is computed again with arcs to the root so costly that the best tree
has only one.

Deep biaffine scorers rate each word as the head of each other word, and the relation between the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from jperrant.compact.layers import (
    BOUND,
    READS_WORDS,
    ROOT_FORM,
    SINGLE,
    CharacterVectors,
    HighwayLSTM,
    Linear,
    Packing,
    Rounding,
    batches,
    rounded,
    rounded_weights,
    simple_mark,
)
from jperrant.compact.weights import PREFIX, ROOT, check_settings, parts_of, read_vocabularies
from jperrant.compact.words import Arc, RelationClasses, Word

_Scores = np.ndarray[Any, np.dtype[np.floating[Any]]]
_Heads = np.ndarray[Any, np.dtype[np.integer[Any]]]


def best_trees(scores: _Scores, lengths: Sequence[int]) -> _Heads:
    """Return the heads of the best single-root tree of each sentence.

    Args:
        scores: The score of each head for each node, shape ``(sentences, nodes, nodes)``; ``-inf`` on the
            diagonal and for heads beyond the end of a sentence.
        lengths: The number of nodes of each sentence.

    Returns:
        Shape ``(sentences, nodes)``; 0 beyond the end of a sentence.
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
    """Return the head of each node in the best single-root tree.

    Args:
        scores: The score of each head for each node, shape ``(nodes, nodes)``; node 0 stands for the root.
            Scores are finite; the diagonal is ignored.

    Returns:
        Shape ``(nodes,)``; the head of node 0 is 0.
    """
    table = scores.astype(np.float64)
    np.fill_diagonal(table, -np.inf)  # no node is its own head
    table[0] = -np.inf
    heads = arborescence(table)
    if len(table) > 1 and np.count_nonzero(heads[1:] == 0) > 1:
        finite = table[np.isfinite(table)]
        table[1:, 0] -= (finite.max() - finite.min() + 1) * len(table)
        heads = arborescence(table)
    return heads


def arborescence(scores: _Scores) -> _Heads:
    """Return the head of each node in the best tree rooted in node 0, which may have any number of dependents.

    Args:
        scores: The score of each head for each node, shape ``(nodes, nodes)``; ``-inf`` for no arc.
    """
    table = scores.copy()
    contractions: list[tuple[Any, Any, Any, Any]] = []
    while True:
        heads: _Heads = np.argmax(table, axis=1)
        heads[0] = 0
        # Contracted nodes have no arcs left, so argmax gives them node 0 as head.
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
    """Contract a cycle to its first node, in place.

    Returns:
        The nodes of the cycle; their heads inside the cycle; for each node of the graph, the node of the cycle
            that it would be the head of, and the node of the cycle that would be its head.
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
    """Return the nodes of a cycle without node 0, given the head of each node; None if there is no cycle."""
    astray = _leads_astray(heads)
    if not astray.any():
        return None
    links, walk = heads.tolist(), [int(astray.argmax())]
    while links[walk[-1]] not in walk:
        walk.append(links[walk[-1]])
    return walk[walk.index(links[walk[-1]]) :]


def has_cycle(heads: _Heads) -> Any:
    """Whether some node's path of heads never reaches node 0, given the heads, shape ``(…, nodes)``."""
    return _leads_astray(heads).any(axis=-1)


def _leads_astray(heads: _Heads) -> Any:
    """Whether each node's path of heads never reaches node 0, given the heads, shape ``(…, nodes)``."""
    nodes = heads.shape[-1]
    first = np.arange(0, heads.size, nodes).reshape(*heads.shape[:-1], 1)
    ahead = (heads + first).ravel()
    for _ in range(nodes.bit_length()):
        ahead = ahead[ahead]  # doubles the length of the paths
    return ahead.reshape(heads.shape) != first


_WORDS, _SENTENCES = 1_500, 100
_SCORED = 64
"""The words whose relations are scored at a time: enough for fast products, in a few megabytes."""
_Key = tuple[str, str, str, str]
_ROOT: _Key = (ROOT_FORM, ROOT_FORM, ROOT_FORM, ROOT_FORM)
_ARCS = ("unlabeled", "linearization", "distance")
"""The scorers of arcs: the two words, the direction of the head, and its distance."""
_KIND = {
    **READS_WORDS, "linearization": True, "distance": True, "resolve_head_constraints": False, "reversed": False,
    "use_arc_embedding": False, "use_upos": True, "use_xpos": True, "use_ufeats": True, "model_type": "graph",
}  # fmt: skip


class GraphParser:
    """Parses sentences of tagged words; thread-safe.

    Args:
        model: The result of ``read_model``.
        classes: The relations that words of each UPOS tag can have. If the parser knows none of those of a tag,
            its words can have any relation.

    Raises:
        OtherFormatError: The model is of another kind.
    """

    def __init__(self, model: Mapping[str, Any], classes: RelationClasses = MappingProxyType({})) -> None:
        check_settings(model, _KIND)
        state, vocabularies = model["model"], read_vocabularies(model["vocab"])
        count = len(state["deprel.scorer.W_bilin.bias"])
        self._relations = [vocabularies["deprel"].units[n] for n in range(PREFIX, PREFIX + count)]
        self._classes = classes
        self._allowed: dict[str, Any] = {}
        self._characters = CharacterVectors(state, vocabularies["char"], ROOT)
        self._embeddings = {
            name: (vocabularies[name], [state[f"{part}.weight"] for part in parts_of(state, f"{name}_emb")])
            for name in ("word", "lemma", "upos", "xpos")
        }
        word, lemma, tag = (self._embeddings[name][1][0].shape[1] for name in ("word", "lemma", "upos"))
        transform = state["trans_char.weight"]
        # Stanza adds the tags' vector twice: it uses it also in place of the features' vector.
        tags_twice = (2 * tag, np.tile(np.eye(tag), (2, 1)))
        parts = [(word, None), (lemma, None), tags_twice, (len(transform), transform)]
        self._lstm = HighwayLSTM(state, "parserlstm", parts)
        sides = [f"{name}.W{side}." for name in (*_ARCS, "deprel") for side in (1, 2)]
        weight, bias = (np.concatenate([state[side + end] for side in sides]) for end in ("weight", "bias"))
        self._sides = Linear(weight, bias, BOUND)
        self._arcs = [_ArcScorer(state, name) for name in _ARCS]
        self._labels = _RelationScorer(state)

    def parse(self, sentences: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        """Return the arcs of the words of each sentence; an empty tag is read as an underscore."""
        keys = [[_ROOT, *(word[:4] for word in sentence)] if sentence else [] for sentence in sentences]
        rows = {key: row for row, key in enumerate(dict.fromkeys(key for words in keys for key in words))}
        projection = self._project(list(rows))
        tags = {tag: number for number, tag in enumerate(dict.fromkeys(key[2] for key in rows))}
        classes = np.array([tags[key[2]] for key in rows], np.intp)
        allowed = np.array([self._allowed_to(tag) for tag in tags])
        arcs: list[list[Arc]] = [[] for _ in sentences]
        for numbers in batches([len(sentence) for sentence in keys], _WORDS, _SENTENCES):
            taken = [[rows[key] for key in keys[n]] for n in numbers]
            for number, found in zip(numbers, self._batch(projection, taken, classes, allowed), strict=True):
                arcs[number] = found
        return arcs

    def relations_of(self, upos: str) -> frozenset[str]:
        """Return the relations that words with a UPOS tag can have."""
        names = zip(self._relations, self._allowed_to(upos).tolist(), strict=True)
        return frozenset([name for name, allowed in names if allowed])

    def _allowed_to(self, upos: str) -> Any:
        """Return whether words with a UPOS tag can have each relation, shape ``(relations,)``."""
        if upos not in self._allowed:
            names = self._classes.get(upos, frozenset()).intersection(self._relations) or self._relations
            self._allowed[upos] = np.array([relation in names for relation in self._relations])
        return self._allowed[upos]

    def _project(self, keys: Sequence[_Key]) -> Any:
        """Return the first layer's values for words, given as form, lemma, UPOS and XPOS."""
        forms = [simple_mark(key[0]) for key in keys]
        columns = [forms, *([key[n] or ("_" if key[0] else ROOT_FORM) for key in keys] for n in (1, 2, 3))]
        word, lemma, upos = map(self._vectors, self._embeddings, columns[:3])
        tags = self._vectors("xpos", columns[3], upos)
        return self._lstm.project([word, lemma, tags, self._characters.vectors(forms)])

    def _vectors(self, name: str, values: Sequence[str], total: Any = 0) -> Any:
        """Return the vectors of forms, lemmas or tags, added to ``total``.

        The vector of a tag is the sum of those of its parts, in order.
        """
        vocabulary, tables = self._embeddings[name]
        known = {value: vocabulary.parts(value) for value in dict.fromkeys(values)}
        known[ROOT_FORM] = [ROOT] * vocabulary.width
        numbers = np.array([known[value] for value in values], np.intp).reshape(-1, vocabulary.width)
        for part, table in enumerate(tables):
            total = total + table[numbers[:, part]].astype(np.float32)
        return total

    def _batch(
        self, projection: Any, rows: Sequence[Sequence[int]], classes: Any, allowed: Any
    ) -> list[list[Arc]]:
        lengths = [len(sentence) for sentence in rows]
        scores, dependents, governors = self._scores(projection, rows)
        heads = best_trees(scores, lengths)
        starts = np.cumsum(lengths) - lengths
        flat = np.concatenate([heads[n, :length] + starts[n] for n, length in enumerate(lengths)])
        classes = classes[[row for sentence in rows for row in sentence]]
        labels = self._labels.best(dependents, governors, flat, classes, allowed).tolist()
        return [
            [
                Arc(head, self._relations[label])
                for head, label in zip(
                    heads[n, 1:length].tolist(), labels[start + 1 : start + length], strict=True
                )
            ]
            for n, (start, length) in enumerate(zip(starts.tolist(), lengths, strict=True))
        ]

    def _scores(self, projection: Any, rows: Sequence[Sequence[int]]) -> tuple[Any, Any, Any]:
        """Return the score of each head for each word, and the vectors for scoring relations.

        Args:
            projection: The first layer's values for distinct words.
            rows: The row of each word of each sentence, the root first; longest sentence first.

        Returns:
            Scores of shape ``(sentences, words, words)``, ``-inf`` on the diagonal and beyond the end of a
                sentence; the vectors of words as dependents and as heads, sentences concatenated, both of shape
                ``(words, size)``.
        """
        lengths = [len(sentence) for sentence in rows]
        packing, width = Packing(lengths), lengths[0]
        taken = np.array([row for sentence in rows for row in sentence])[packing.order]
        sides = self._sides.of_rounded(packing.unpacked(self._lstm.run(projection, taken, packing)))
        np.maximum(sides, 0, out=sides)
        *of_arcs, dependents, governors = np.split(sides, 2 * (len(_ARCS) + 1), axis=1)
        offset = np.arange(width)[None, :] - np.arange(width)[:, None]
        scores, side, distance = (
            scorer(of_arcs[2 * n], of_arcs[2 * n + 1], lengths) for n, scorer in enumerate(self._arcs)
        )
        scores += _direction(side, offset)
        scores += _distance(distance, offset)
        inside = np.arange(width) < np.asarray(lengths)[:, None]
        scores[~np.broadcast_to(inside[:, None, :], scores.shape)] = -np.inf
        scores.reshape(len(lengths), -1)[:, :: width + 1] = -np.inf
        return scores, dependents, governors


class _ArcScorer:
    """Scores each word as the head of each other word.

    Args:
        state: The arrays of the model by name.
        name: The name of the scorer.
    """

    def __init__(self, state: Mapping[str, Any], name: str) -> None:
        weight = np.asarray(state[f"{name}.scorer.W_bilin.weight"], np.float64)[:, :, 0]
        self._layer = Linear(weight[:-1].T, weight[-1], None)
        self._bias = np.float32(state[f"{name}.scorer.W_bilin.bias"][0])

    def __call__(self, dependents: Any, governors: Any, lengths: Sequence[int]) -> Any:
        """Return the score of each pair of words of each sentence; 0 beyond the end of a sentence.

        Args:
            dependents: The vectors of words as dependents, shape ``(words, size)``, sentences concatenated.
            governors: The vectors of words as heads, same shape.
            lengths: The number of words of each sentence, in descending order.
        """
        between = self._layer(dependents)
        last = (between[:, -1] + self._bias)[:, None]
        first, second = rounded(between[:, :-1]), rounded(governors)
        scores = np.zeros((len(lengths), lengths[0], lengths[0]), np.float32)
        stop = 0
        for length, of_sentence in zip(lengths, scores, strict=True):
            start, stop = stop, stop + length
            part = of_sentence[:length, :length]
            part[:] = first[start:stop] @ second[start:stop].T
            part += last[start:stop]
        return scores


def _direction(scores: Any, offset: Any) -> Any:
    """Return the log probability of each head's direction, given the score that the head follows the word."""
    scores *= np.sign(offset).astype(np.float32)
    return np.minimum(scores, 0) - np.log(1 + np.exp(-np.abs(scores)))


def _distance(scores: Any, offset: Any) -> Any:
    """Return the log score of each head's distance, given the score of the expected distance."""
    expected = np.maximum(scores, 0) + np.log(1 + np.exp(-np.abs(scores))) + 1
    return -np.log((np.abs(offset).astype(np.float32) - expected) ** 2 * np.float32(0.5) + 1)


class _RelationScorer:
    """Scores the relations between words.

    Args:
        state: The arrays of the model by name.
    """

    def __init__(self, state: Mapping[str, Any]) -> None:
        weight = np.asarray(state["deprel.scorer.W_bilin.weight"], np.float64)  # (dependent, head, relation)
        self._bias = np.asarray(state["deprel.scorer.W_bilin.bias"], np.float64)
        self._shape = (weight.shape[1], weight.shape[2], weight.shape[0])
        # With one step for the whole matrix, sums over its products need no rounding either.
        columns = weight.transpose(2, 0, 1).reshape(-1, weight.shape[1])
        self._weight = rounded_weights(columns, common=True).reshape(self._shape)
        self._round = Rounding(None, SINGLE)
        self._parts: dict[bytes, tuple[Any, Any]] = {}

    def best(self, dependents: Any, governors: Any, heads: Any, classes: Any, allowed: Any) -> Any:
        """Return the number of the best relation of each word to its head.

        Args:
            dependents: The vectors of words as dependents, shape ``(words, size)``.
            governors: The vectors of words as heads, same shape.
            heads: The head of each word, shape ``(words,)``.
            classes: The class of each word (a number for its UPOS tag), same shape.
            allowed: Whether the words of each class can have each relation, shape ``(classes, relations)``.
        """
        words = rounded(_with_one(dependents))[..., None]
        inputs = self._round(_with_one(governors))
        best = np.empty(len(heads), np.intp)
        for number in np.unique(classes):
            relations, weight = self._part(allowed[number])
            members = np.flatnonzero(classes == number)
            for start in range(0, len(members), _SCORED):
                part = members[start : start + _SCORED]
                sums = (inputs[heads[part]] @ weight).reshape(len(part), len(relations), -1)
                scores = (sums.astype(np.float64) @ words[part])[..., 0]
                best[part] = relations[(scores + self._bias[relations]).argmax(axis=1)]
        return best

    def _part(self, allowed: Any) -> tuple[Any, Any]:
        """Return the numbers of the allowed relations, and the weights that score them."""
        key = allowed.tobytes()
        if key not in self._parts:
            relations = np.flatnonzero(allowed)
            columns = np.ascontiguousarray(self._weight[:, relations].reshape(len(self._weight), -1))
            self._parts[key] = relations, columns
        return self._parts[key]


def _with_one(vectors: Any) -> Any:
    return np.concatenate([vectors, np.ones((len(vectors), 1), np.float32)], axis=1)
