"""Stanza's dependency parser without documents.

Stanza scores every relation between every two words, and searches for the best tree in Python. Here relations are
scored for the chosen heads only, and where each word's best head already makes a tree, that is the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from jperrant.parse.fast_tagger import batches, simple_mark
from jperrant.parse.trees import best_tree, has_cycle
from jperrant.parse.word_characters import ROOT, CharacterVectors, readable

_WORDS, _SENTENCES = 1_500, 60
_COLUMNS = ("word", "lemma", "upos", "xpos", "feats")


class Word(NamedTuple):
    """A tagged word; tags it does not have are underscores."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str


class Arc(NamedTuple):
    """The head of a word, 0 for the root, and the relation to it."""

    head: int
    deprel: str


class FastParser:
    """Parses sentences given as tagged words; threads may share it.

    Args:
        trainer: Stanza's trainer of a parser that ``fits``, its network reproducible. The network is taken over:
            Stanza's own code can no longer parse with it.
    """

    def __init__(self, trainer: Any) -> None:
        from stanza.models.common.vocab import ROOT_ID, VOCAB_PREFIX_SIZE

        from jperrant.parse.reproducible_layers import TallLinear

        self.vocab, self.model = trainer.vocab, trainer.model.eval()
        self._root = ROOT_ID
        # As Stanza's own pipeline reads it: models trained by its command line say no.
        self._resolves = bool(trainer.args.get("resolve_head_constraints", True))
        self._relations = self.vocab["deprel"].unmap(
            range(VOCAB_PREFIX_SIZE, VOCAB_PREFIX_SIZE + self.model.num_relations)
        )
        self.characters = CharacterVectors(self.model.charmodel, self.vocab["char"], ROOT_ID)
        self._scorer = self.model.deprel
        weight = self._scorer.scorer.W_bilin.weight.detach()  # (dependent, head, relation)
        rows = weight.permute(0, 2, 1).reshape(-1, weight.shape[1])
        self._sides = TallLinear(SimpleNamespace(weight=rows, bias=None))
        self._shape = (weight.shape[0], weight.shape[2])
        # Stanza's own code does the rest: characters are read here, and relations come later.
        del self.model.charmodel, self.model.deprel
        object.__setattr__(self.model, "charmodel", self._characters)
        object.__setattr__(self.model, "deprel", _dependents)

    @staticmethod
    def fits(trainer: Any) -> bool:
        """Whether a parser is of the kind this knows."""
        from stanza.models.depparse.model import GraphParser

        model = trainer.model
        return (
            type(model) is GraphParser
            and readable(model)
            and not model.args.get("use_arc_embedding")
            and not trainer.args.get("reversed", False)
        )

    def parse(self, sentences: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        """Return the arcs of each sentence's words."""
        import torch

        from jperrant.parse.reproducible import ReproducibleFunctions

        arcs: list[list[Arc]] = [[] for _ in sentences]
        with torch.inference_mode(), ReproducibleFunctions():
            for numbers in batches([len(s) for s in sentences], _WORDS, _SENTENCES):
                for number, sentence in zip(
                    numbers, self._batch([sentences[n] for n in numbers]), strict=True
                ):
                    arcs[number] = sentence
        return arcs

    def _batch(self, sentences: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        lengths = [len(s) + 1 for s in sentences]
        scores, hidden = self._scores(sentences, lengths)
        heads = _trees(scores, lengths)
        labels = self._labels(hidden, heads)
        arcs = []
        for n, length in enumerate(lengths):
            tree = heads[n, :length]
            relations = [self._relations[label] for label in labels[n, 1:length]]
            if self._resolves and _violations(tree, relations):
                tree, relations = self._resolved(
                    scores[n, :length, :length], hidden[n : n + 1, :length], tree
                )
            arcs.append([Arc(int(head), deprel) for head, deprel in zip(tree[1:], relations, strict=True)])
        return arcs

    def _resolved(self, scores: Any, hidden: Any, tree: Any) -> tuple[Any, list[str]]:
        """Let Stanza resolve heads with two subjects or objects, for which it needs every relation's score."""
        from stanza.models.depparse.head_constraints import resolve_head_constraint_violations

        hidden = hidden.contiguous()
        every = self._scorer(hidden, hidden).log_softmax(3)[0].numpy()
        logs = scores.log_softmax(1).numpy()
        resolved, labels = resolve_head_constraint_violations(logs, every, tree, self.vocab["deprel"])
        return resolved, [self._relations[label] for label in labels]

    def _scores(self, sentences: Sequence[Sequence[Word]], lengths: Sequence[int]) -> tuple[Any, Any]:
        """Return the score of each head for each word, and what the network makes of each word.

        Returns:
            Shapes ``(sentences, words + 1, words + 1)`` and ``(sentences, words + 1, size)``.
        """
        import torch

        width = lengths[0]
        ids = {name: self._ids(name, sentences, width) for name in _COLUMNS}
        mask = torch.arange(width)[None, :] >= torch.tensor(lengths)[:, None]
        forms = [form for s in sentences for form in (ROOT, *(simple_mark(w.form) for w in s))]
        none = torch.zeros(len(sentences), width - 1, dtype=torch.long)
        scores, hidden, *_ = self.model.forward_scores(
            ids["word"], mask, forms, None, ids["upos"], ids["xpos"], ids["feats"], None, ids["lemma"], none, none,
            None, list(lengths), None, None,
        )  # fmt: skip
        return scores, hidden

    def _ids(self, name: str, sentences: Sequence[Sequence[Word]], width: int) -> Any:
        """Return the numbers of one column's values, shape ``(sentences, words + 1)`` or one more for parts."""
        import torch

        vocab = self.vocab[name]
        parts = (len(vocab),) if name in ("xpos", "feats") and hasattr(vocab, "lens") else ()
        table = np.zeros((len(sentences), width, *parts), dtype=np.int64)
        table[:, 0] = self._root
        for row, sentence in enumerate(sentences):
            if name == "word":
                values = [simple_mark(word.form) for word in sentence]
            else:
                values = [getattr(word, name) for word in sentence]
            table[row, 1 : len(sentence) + 1] = vocab.map(values)
        return torch.from_numpy(table)

    def _characters(self, forms: Any, mask: Any, order: Any, lengths: list[int], sizes: Any) -> Any:  # noqa: ARG002
        """Stand for Stanza's character model, which is given the forms themselves."""
        from torch.nn.utils.rnn import pack_sequence

        return pack_sequence(self.characters.vectors(forms).split(lengths))

    def _labels(self, hidden: Any, heads: Any) -> Any:
        """Return the number of the best relation of each word to its head, shape ``(sentences, words + 1)``."""
        import torch

        scorer = self._scorer
        dependents = _with_one(scorer.hidden_func(scorer.W1(hidden)))
        governors = _with_one(scorer.hidden_func(scorer.W2(hidden)))
        rows = torch.arange(len(heads))[:, None]
        which = (rows * hidden.shape[1] + torch.from_numpy(heads)).reshape(-1)
        distinct, places = which.unique(return_inverse=True)
        sides = self._sides(governors.reshape(-1, governors.shape[2])[distinct])
        flat = dependents.reshape(-1, 1, dependents.shape[2])
        scores = torch.bmm(flat, sides.view(-1, *self._shape)[places]).squeeze(1) + scorer.scorer.W_bilin.bias
        return scores.argmax(1).numpy().reshape(heads.shape)


def _dependents(dependents: Any, heads: Any) -> Any:  # noqa: ARG001 - they are the same
    """Stand for Stanza's scorer of relations: keep what it is given for later."""
    return dependents


def _trees(scores: Any, lengths: Sequence[int]) -> Any:
    """Return the heads of the best tree with one root, shape ``(sentences, words + 1)``."""
    import torch

    outside = torch.arange(lengths[0])[None, None, :] >= torch.tensor(lengths)[:, None, None]
    heads = scores.masked_fill(outside, -torch.inf).argmax(2).numpy()
    heads[:, 0] = 0
    for n, length in enumerate(lengths):
        tree = heads[n, :length]
        if np.count_nonzero(tree[1:] == 0) != 1 or has_cycle(tree):
            heads[n, :length] = best_tree(scores[n, :length, :length].numpy())
        heads[n, length:] = 0
    return heads


def _with_one(vectors: Any) -> Any:
    import torch

    return torch.cat([vectors, vectors.new_ones(*vectors.shape[:-1], 1)], -1)


def _violations(tree: Any, relations: list[str]) -> bool:
    """Whether a head has two subjects or two objects; older Stanzas do not care."""
    try:
        from stanza.models.depparse.head_constraints import find_head_constraint_violations
    except ImportError:
        return False
    return bool(find_head_constraint_violations(tree, relations))
