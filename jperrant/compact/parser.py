"""Stanza's dependency parser (Dozat and Manning 2017): arcs, trees, relations; each distinct word read once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from jperrant.compact.batches import batches, simple_mark
from jperrant.compact.biaffine import ArcScorer, RelationScorer
from jperrant.compact.characters import ROOT, CharacterVectors
from jperrant.compact.exact import WIDE, Linear
from jperrant.compact.head_constraints import resolved, violations
from jperrant.compact.highway import BOUND, HighwayLSTM, Projection
from jperrant.compact.lstm import Packing
from jperrant.compact.relation_classes import RelationClasses
from jperrant.compact.tagger import readable
from jperrant.compact.trees import best_trees
from jperrant.compact.vocabularies import PREFIX, Vocabulary, read_vocabularies
from jperrant.compact.vocabularies import ROOT as ROOT_NUMBER
from jperrant.compact.words import Arc, Word

_WORDS, _SENTENCES = 1_500, 100
_Key = tuple[str, str, str, str]
_ROOT: _Key = (ROOT, ROOT, ROOT, ROOT)


class GraphParser:
    """Parses sentences given as tagged words; threads may share it.

    Args:
        model: What ``read_model`` returns of a parser that ``fits``.
        classes: The relations that words of each class can have; any, where it names none that the parser knows.
    """

    def __init__(self, model: Mapping[str, Any], classes: RelationClasses = MappingProxyType({})) -> None:
        state, self._config = model["model"], model["config"]
        self._vocabularies = read_vocabularies(model["vocab"])
        # As Stanza's own pipeline reads it: models trained by its command line say no.
        self._resolves = bool(self._config.get("resolve_head_constraints", True))
        relations = self._vocabularies["deprel"]
        self._relations = [
            relations.unit(n) for n in range(PREFIX, PREFIX + len(state["deprel.scorer.W_bilin.bias"]))
        ]
        self._classes = classes
        self._allowed: dict[str, Any] = {}
        self._characters = CharacterVectors(state, self._vocabularies["char"], ROOT_NUMBER)
        self._embeddings = _Embeddings(state, self._config, self._vocabularies)
        transform = state["trans_char.weight"]
        parts = [*self._embeddings.parts, (len(transform), transform)]
        self._lstm = HighwayLSTM(state, "parserlstm", parts)
        names = ["unlabeled", *(name for name in ("linearization", "distance") if self._config.get(name))]
        sides = [f"{name}.W{side}." for name in (*names, "deprel") for side in (1, 2)]
        weight, bias = (np.concatenate([state[side + end] for side in sides]) for end in ("weight", "bias"))
        self._sides = Linear(weight, bias, BOUND, WIDE)
        self._arcs = ArcScorer(state, names)
        self._labels = RelationScorer(state)

    @staticmethod
    def fits(model: Mapping[str, Any]) -> bool:
        """Whether a model is of the kind this knows."""
        config, state = model.get("config", {}), model.get("model", {})
        return (
            readable(model, "parserlstm")
            and model.get("model_type", "graph") == "graph"
            and "deprel.scorer.W_bilin.weight" in state
            and not config.get("use_arc_embedding")
            and not config.get("reversed")
        )

    def parse(self, sentences: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        """Return the arcs of each sentence's words; an empty tag is read as an underscore."""
        keys = [[_ROOT, *(word[:4] for word in sentence)] if sentence else [] for sentence in sentences]
        rows = {
            key: row for row, key in enumerate(dict.fromkeys(key for sentence in keys for key in sentence))
        }
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
        """Return the relations that words of a class can have."""
        names = zip(self._relations, self._allowed_to(upos).tolist(), strict=True)
        return frozenset([name for name, allowed in names if allowed])

    def _allowed_to(self, upos: str) -> Any:
        """Return whether words of a class can have each relation, shape ``(relations,)``."""
        if upos not in self._allowed:
            names = self._classes.get(upos, frozenset()).intersection(self._relations) or self._relations
            self._allowed[upos] = np.array([relation in names for relation in self._relations])
        return self._allowed[upos]

    def _project(self, keys: Sequence[_Key]) -> Projection:
        forms = [simple_mark(key[0]) for key in keys]
        vectors = [*self._embeddings.vectors(keys, forms), self._characters.vectors(forms)]
        return self._lstm.project(vectors)

    def _batch(
        self, projection: Projection, rows: Sequence[Sequence[int]], classes: Any, allowed: Any
    ) -> list[list[Arc]]:
        lengths = [len(sentence) for sentence in rows]
        scores, dependents, governors = self._scores(projection, rows)
        heads = best_trees(scores, lengths)
        starts = np.cumsum(lengths) - lengths
        flat = np.concatenate([heads[n, :length] + starts[n] for n, length in enumerate(lengths)])
        classes = classes[[row for sentence in rows for row in sentence]]
        labels = self._labels.best(dependents, governors, flat, classes, allowed).tolist()
        arcs = []
        for n, (start, length) in enumerate(zip(starts.tolist(), lengths, strict=True)):
            words = slice(start, start + length)
            tree, relations = heads[n, :length].tolist(), [self._relations[label] for label in labels[words]]
            if self._resolves and violations(tree, relations[1:]):
                every = self._labels.every(dependents[words], governors[words], allowed[classes[words]])
                tree, relations = resolved(scores[n, :length, :length], every, tree, self._relations)
            arcs.append(list(map(Arc, tree[1:], relations[1:])))
        return arcs

    def _scores(self, projection: Projection, rows: Sequence[Sequence[int]]) -> tuple[Any, Any, Any]:
        """Return the score of each head for each word, and what words are in relations.

        Args:
            projection: What the first layer computes of distinct words.
            rows: The row of each word of each sentence, the root first, longest sentence first.

        Returns:
            Shape ``(sentences, words, words)``; and, sentences one after the other, what words are as dependents
            and as heads, each of shape ``(words, size)``.
        """
        lengths = [len(sentence) for sentence in rows]
        packing = Packing(lengths)
        taken = np.array([row for sentence in rows for row in sentence])[packing.order]
        outputs = self._lstm.run(projection, taken, packing)
        in_order = np.empty_like(outputs)  # several times narrower than what is computed of it
        in_order[packing.order] = outputs
        sides = self._sides.of_rounded(in_order)
        np.maximum(sides, 0, out=sides)
        *of_arcs, dependents, governors = np.split(sides, 2 * (len(self._arcs) + 1), axis=1)
        return self._arcs(of_arcs, lengths), dependents, governors


class _Embeddings:
    """The vectors of words, lemmas and tags that a parser's LSTM reads.

    Attributes:
        parts: The size of each in the LSTM's input and the matrix that makes it, as ``HighwayLSTM`` takes them.
    """

    def __init__(
        self, state: Mapping[str, Any], config: Mapping[str, Any], vocabularies: Mapping[str, Any]
    ) -> None:
        self._vocabularies = vocabularies
        self._tables = {name: state[f"{name}_emb.weight"] for name in ("word", "lemma")}
        size = config["word_emb_dim"]
        self.parts: list[tuple[int, Any]] = [(size, None), (size, None)]
        self._tags: dict[str, list[Any]] = {}
        width = config["tag_emb_dim"]
        if width > 0:
            self._tags = {
                n: _tables(state, f"{n}_emb") for n in ("upos", "xpos") if config.get(f"use_{n}", True)
            }
            # Stanza puts the vector of the tags where it means that of the features.
            twice = 2 if self._tags and config.get("use_ufeats", True) else 1
            if self._tags:
                self.parts.append((twice * width, np.tile(np.eye(width), (twice, 1))))

    def vectors(self, keys: Sequence[_Key], forms: Sequence[str]) -> list[Any]:
        """Return the vectors of each part for some words.

        Args:
            keys: Form, lemma, UPOS and XPOS of each.
            forms: Their forms as networks read them.
        """
        columns = {"word": forms}
        for name, place in _PLACES.items():
            columns[name] = [key[place] or ("_" if key[0] else ROOT) for key in keys]
        vectors = [self._tables[name][self._numbers(name, columns[name])[:, 0]] for name in ("word", "lemma")]
        if self._tags:
            total = 0
            for name, tables in self._tags.items():
                numbers = self._numbers(name, columns[name])
                for part, table in enumerate(tables):
                    total = total + table[numbers[:, part]].astype(np.float32)
            vectors.append(total)
        return vectors

    def _numbers(self, name: str, values: Sequence[str]) -> Any:
        """Return the numbers of some values, shape ``(values, parts)``."""
        vocabulary = self._vocabularies[name]
        parts = 1 if isinstance(vocabulary, Vocabulary) else len(vocabulary.sizes)
        distinct = dict.fromkeys(values)
        known = {value: vocabulary.number(value) for value in distinct}
        known[ROOT] = ROOT_NUMBER if isinstance(vocabulary, Vocabulary) else [ROOT_NUMBER] * parts
        return np.array([known[value] for value in values], np.intp).reshape(-1, parts)


_PLACES = {"lemma": 1, "upos": 2, "xpos": 3}


def _tables(state: Mapping[str, Any], name: str) -> list[Any]:
    if f"{name}.weight" in state:
        return [state[f"{name}.weight"]]
    count = sum(1 for key in state if key.startswith(f"{name}."))
    return [state[f"{name}.{number}.weight"] for number in range(count)]
