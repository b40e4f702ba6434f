"""A quick way through Stanza's dependency parser.

Stanza scores every relation between every two words, and searches for the best tree in Python. Here relations are
scored for the chosen heads only, and where each word's best head already makes a tree, that is the tree. A sentence
whose best heads make none, whose two best choices for a word are nearly equal in single precision, or that has two
subjects or objects of a head, where Stanza mends that, is parsed again in double precision by Stanza's searches.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from jperrant.parse.fast_tagger import MARGIN, batches, simple_mark
from jperrant.parse.trees import best_tree, has_cycle
from jperrant.parse.word_characters import ROOT, CharacterVectors, readable

_WORDS, _SENTENCES = 1_500, 60


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
    """Parses sentences given as tagged words.

    Args:
        trainer: Stanza's trainer of a parser that ``fits``.
        exact: Compute in double precision, and be never in doubt.
    """

    def __init__(self, trainer: Any, exact: bool = False) -> None:
        from stanza.models.common.vocab import ROOT_ID, VOCAB_PREFIX_SIZE

        self.vocab, self.exact = trainer.vocab, exact
        model = copy.deepcopy(trainer.model).eval()
        self.model = model.double() if exact else model.float()
        self._root = ROOT_ID
        # As Stanza's own pipeline reads it: models trained by its command line say no.
        self._mends = bool(trainer.args.get("resolve_head_constraints", True))
        self._relations = self.vocab["deprel"].unmap(
            range(VOCAB_PREFIX_SIZE, VOCAB_PREFIX_SIZE + self.model.num_relations)
        )
        self.characters = CharacterVectors(self.model.charmodel, self.vocab["char"], ROOT_ID)
        self._scorer = self.model.deprel
        weight = self._scorer.scorer.W_bilin.weight.detach()  # (dependent, head, relation)
        self._weight = weight.permute(1, 0, 2).reshape(weight.shape[1], -1).contiguous()
        self._shape = (weight.shape[0], weight.shape[2])
        self._inputs: Any = None
        self._forms: list[str] = []
        # Stanza's own code does the rest: what it reads of characters comes from here, and relations wait.
        del self.model.charmodel, self.model.deprel
        object.__setattr__(self.model, "charmodel", self._characters)
        object.__setattr__(self.model, "deprel", self._keep)

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

    def parse(self, sentences: Sequence[Sequence[Word]]) -> list[list[Arc] | None]:
        """Return the arcs of each sentence's words, or None where they are in doubt."""
        import torch

        found: list[list[Arc] | None] = [None] * len(sentences)
        with torch.inference_mode():
            for numbers in batches([len(s) for s in sentences], _WORDS, _SENTENCES):
                for number, arcs in zip(numbers, self._batch([sentences[n] for n in numbers]), strict=True):
                    found[number] = arcs
        return found

    def _batch(self, sentences: Sequence[Sequence[Word]]) -> list[list[Arc] | None]:
        lengths = [len(s) + 1 for s in sentences]
        scores = self._scores(sentences, lengths)
        return self._decoded(scores, lengths) if self.exact else self._undoubted(scores, lengths)

    def _undoubted(self, scores: Any, lengths: Sequence[int]) -> list[list[Arc] | None]:
        """Return the arcs where the best heads make a tree, and nothing is in doubt or to be mended."""
        import torch

        outside = torch.arange(lengths[0])[None, None, :] >= torch.tensor(lengths)[:, None, None]
        values, places = (t.numpy() for t in scores.masked_fill(outside, -torch.inf).topk(2, dim=2))
        heads = places[:, :, 0]
        lead = values[:, :, 0] - values[:, :, 1]
        labels, lead_of_labels = self._labels(heads)
        found: list[list[Arc] | None] = []
        for n, length in enumerate(lengths):
            tree = heads[n, :length].copy()
            tree[0] = 0
            doubt = min(lead[n, 1:length].min(), lead_of_labels[n, 1:length].min()) <= MARGIN
            relations = [self._relations[label] for label in labels[n, 1:length]]
            sure = not doubt and np.count_nonzero(tree[1:] == 0) == 1 and not has_cycle(tree)
            sure = sure and not (self._mends and _violations(tree, relations))
            found.append(_arcs(tree, relations) if sure else None)
        return found

    def _decoded(self, scores: Any, lengths: Sequence[int]) -> list[list[Arc] | None]:
        """Return the arcs of the best trees, mended where Stanza mends them."""
        from stanza.models.common.chuliu_edmonds import chuliu_edmonds, chuliu_edmonds_one_root

        own = scores.log_softmax(2).numpy()
        heads = np.zeros(own.shape[:2], dtype=np.int64)
        for n, length in enumerate(lengths):
            heads[n, :length] = best_tree(own[n, :length, :length], chuliu_edmonds, chuliu_edmonds_one_root)
        labels, _ = self._labels(heads)
        found: list[list[Arc] | None] = []
        for n, length in enumerate(lengths):
            tree = heads[n, :length]
            relations = [self._relations[label] for label in labels[n, 1:length]]
            if self._mends and _violations(tree, relations):
                tree, relations = self._mended(n, own[n, :length, :length], tree)
            found.append(_arcs(tree, relations))
        return found

    def _mended(self, number: int, scores: Any, tree: Any) -> tuple[Any, list[str]]:
        """Let Stanza resolve heads with two subjects or objects, for which it wants every relation's score."""
        from stanza.models.depparse.head_constraints import resolve_head_constraint_violations

        hidden = self._inputs[number : number + 1, : len(tree)]
        every = self._scorer(hidden, hidden).log_softmax(3)[0].numpy()
        mended, labels = resolve_head_constraint_violations(scores, every, tree, self.vocab["deprel"])
        return mended, [self._relations[label] for label in labels]

    def _scores(self, sentences: Sequence[Sequence[Word]], lengths: Sequence[int]) -> Any:
        """Return the score of each head for each word, shape ``(sentences, words + 1, words + 1)``."""
        import torch

        vocab, width = self.vocab, lengths[0]
        composite = [name for name in ("xpos", "feats") if hasattr(vocab[name], "lens")]
        ids: dict[str, Any] = {}
        for name in ("word", "lemma", "upos", "xpos", "feats"):
            field = "form" if name == "word" else name
            parts = (len(vocab[name]),) if name in composite else ()
            table = np.zeros((len(sentences), width, *parts), dtype=np.int64)
            table[:, 0] = self._root
            for row, sentence in enumerate(sentences):
                values = [getattr(word, field) for word in sentence]
                if name == "word":
                    values = [simple_mark(form) for form in values]
                table[row, 1 : len(sentence) + 1] = vocab[name].map(values)
            ids[name] = torch.from_numpy(table)
        mask = torch.arange(width)[None, :] >= torch.tensor(lengths)[:, None]
        self._forms = [form for s in sentences for form in (ROOT, *(simple_mark(w.form) for w in s))]
        none = torch.zeros(len(sentences), width - 1, dtype=torch.long)
        return self.model.forward_scores(
            ids["word"], mask, None, None, ids["upos"], ids["xpos"], ids["feats"], None, ids["lemma"], none, none,
            None, list(lengths), None, None,
        )[0]  # fmt: skip

    def _characters(self, chars: Any, mask: Any, order: Any, lengths: list[int], sizes: Any) -> Any:  # noqa: ARG002
        from torch.nn.utils.rnn import pack_sequence

        return pack_sequence(self.characters.vectors(self._forms).split(lengths))

    def _keep(self, dependents: Any, heads: Any) -> Any:  # noqa: ARG002 - they are the same
        self._inputs = dependents

    def _labels(self, heads: Any) -> tuple[Any, Any]:
        """Return the best relation of each word to its head and its lead, shapes ``(sentences, words + 1)``."""
        import torch

        hidden, scorer = self._inputs, self._scorer
        dependents = _with_one(scorer.hidden_func(scorer.W1(hidden)))
        governors = _with_one(scorer.hidden_func(scorer.W2(hidden)))
        rows = torch.arange(len(heads))[:, None]
        which = (rows * hidden.shape[1] + torch.from_numpy(heads)).reshape(-1)
        distinct, at = which.unique(return_inverse=True)
        sides = (governors.reshape(-1, governors.shape[2])[distinct] @ self._weight).view(-1, *self._shape)
        flat = dependents.reshape(-1, 1, dependents.shape[2])
        scores = torch.bmm(flat, sides[at]).squeeze(1) + scorer.scorer.W_bilin.bias
        values, places = (t.numpy().reshape(*heads.shape, 2) for t in scores.topk(2, dim=1))
        return places[:, :, 0], values[:, :, 0] - values[:, :, 1]


def _with_one(vectors: Any) -> Any:
    import torch

    return torch.cat([vectors, vectors.new_ones(*vectors.shape[:-1], 1)], -1)


def _arcs(tree: Any, relations: Sequence[str]) -> list[Arc]:
    return [Arc(int(head), relation) for head, relation in zip(tree[1:], relations, strict=True)]


def _violations(tree: Any, relations: list[str]) -> bool:
    """Whether a head has two subjects or two objects; older Stanzas do not care."""
    try:
        from stanza.models.depparse.head_constraints import find_head_constraint_violations
    except ImportError:
        return False
    return bool(find_head_constraint_violations(tree, relations))
