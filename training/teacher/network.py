"""The network of a teacher: an encoder, then a tagger and a graph parser over the words.

Words are the first and the last of their pieces, in a mixture of all layers (Peters et al. 2018, eq. 1), beside
their capitals and last characters, which uncased encoders do not see. Heads and relations are scored by biaffine
products (Dozat and Manning 2017).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, leaky_relu
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from jperrant.compact.trees import best_trees
from training.fast_layers import product_type
from training.finetuning import Trainable
from training.teacher.examples import SHAPES, SPELLED, UNSAID, Batch
from training.teacher.labels import Labels

_WORD, _CONTEXT, _ARC, _RELATION = 400, 256, 400, 128
_CHARACTER, _FILTERS, _WIDTHS = 32, 48, (2, 3, 5)
_CAPITALS = 16
_DROPOUT = 0.25


class TeacherNetwork(nn.Module):  # type: ignore[misc]  # untyped in torch
    """Labels words.

    Args:
        encoder: What reads the pieces of words.
        labels: What they are labelled with.
    """

    def __init__(self, encoder: Trainable, labels: Labels) -> None:
        super().__init__()
        self.encoder = encoder.network
        self.layer_weights = nn.Parameter(torch.zeros(encoder.states))
        self.spelling = _Spelling(len(labels.characters) + 2)
        self.capitals = nn.Embedding(SHAPES, _CAPITALS)
        width = 2 * encoder.size + _CAPITALS + _FILTERS * len(_WIDTHS)
        self.word, self.drop = nn.Linear(width, _WORD), nn.Dropout(_DROPOUT)
        self.context = nn.LSTM(_WORD, _CONTEXT, bidirectional=True, batch_first=True)
        read = 2 * _CONTEXT + _WORD
        self.tags = nn.ModuleDict({name: nn.Linear(read, len(v)) for name, v in labels.tags.items()})
        self.arcs = _Arcs(read, labels) if labels.relations else None

    def loss(self, batch: Batch) -> Any:
        """Return the sum over the columns of the mean loss of the words that have them."""
        with _products():
            read = self._read(batch)
            losses = [_loss(layer(read), batch.gold[name]) for name, layer in self.tags.items()]
            if self.arcs is not None:
                losses += self.arcs.losses(read, batch)
        return sum(losses)

    def predict(self, batch: Batch) -> dict[str, Any]:
        """Return the numbers of the best labels by column, ``head`` one of them, each ``(sentences, words)``.

        The heads of a sentence are its best tree with one root.
        """
        self.eval()
        with torch.inference_mode(), _products():
            read = self._read(batch)
            found = {name: layer(read).argmax(2).numpy() for name, layer in self.tags.items()}
            if self.arcs is not None:
                found |= self.arcs.predict(read, batch)
        self.train()
        return found

    def _read(self, batch: Batch) -> Any:
        """Return the vectors of words in their sentence, shape ``(sentences, words, size)``."""
        encoded = self.encoder(
            input_ids=batch.pieces, attention_mask=batch.known, output_hidden_states=True
        ).hidden_states
        shares = self.layer_weights.softmax(0)
        mixed = sum(share * layer for share, layer in zip(shares, encoded, strict=True))
        ends = [mixed.gather(1, batch.words[:, :, n, None].expand(-1, -1, mixed.shape[2])) for n in range(2)]
        parts = [*ends, self.capitals(batch.words[:, :, 2]), self.spelling(batch.words[:, :, 3:])]
        words = self.drop(torch.relu(self.word(self.drop(torch.cat(parts, 2)))))
        packed = pack_padded_sequence(words.float(), batch.lengths, batch_first=True, enforce_sorted=False)
        with torch.autocast("cpu", enabled=False):
            output, _ = pad_packed_sequence(self.context(packed)[0], batch_first=True)
        return self.drop(torch.cat([words, output.to(words.dtype)], 2))


class _Spelling(nn.Module):  # type: ignore[misc]
    """Vectors of words from their last characters, by convolutions."""

    def __init__(self, characters: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(characters, _CHARACTER)
        self.filters = nn.ModuleList(nn.Conv1d(_CHARACTER, _FILTERS, n, padding=n // 2) for n in _WIDTHS)

    def forward(self, characters: Any) -> Any:
        vectors = self.embedding(characters.reshape(-1, SPELLED)).transpose(1, 2)
        found = torch.cat([torch.relu(one(vectors)).amax(2) for one in self.filters], 1)
        return found.view(*characters.shape[:2], -1)


class _Arcs(nn.Module):  # type: ignore[misc]
    """Scores heads, and relations to them."""

    def __init__(self, read: int, labels: Labels) -> None:
        super().__init__()
        self.root = nn.Parameter(torch.randn(read) * 0.02)
        sides = {"head": _ARC, "dependent": _ARC, "relation_head": _RELATION, "relation_dependent": _RELATION}
        self.sides = nn.ModuleDict({name: nn.Linear(read, size) for name, size in sides.items()})
        self.arc = nn.Parameter(torch.randn(_ARC + 1, _ARC) * 0.02)
        self.relation = nn.Parameter(torch.zeros(len(labels.relations), _RELATION + 1, _RELATION + 1))
        self.drop = nn.Dropout(_DROPOUT)
        # Which relations the root has, and which others have.
        self._allowed = np.array(
            [[r in those for r in labels.relations] for those in (labels.of_roots, labels.of_others)]
        )

    def losses(self, read: Any, batch: Batch) -> list[Any]:
        """Return the mean loss of heads and that of the relations to the right ones."""
        heads = batch.gold["head"]
        rooted = self._rooted(read)
        scores = self._scores(read, rooted, batch.lengths)
        relations = self._relations(read, rooted, heads.clamp(min=0))
        return [_loss(scores, heads), _loss(relations, batch.gold["deprel"])]

    def predict(self, read: Any, batch: Batch) -> dict[str, Any]:
        """Return the heads of the best trees, and relations."""
        rooted = self._rooted(read)
        scores = self._scores(read, rooted, batch.lengths).numpy()
        nodes = np.concatenate([np.zeros_like(scores[:, :1]), scores], 1)
        heads = best_trees(nodes, (batch.lengths + 1).tolist())[:, 1:]
        relations = self._relations(read, rooted, torch.from_numpy(heads.astype(np.int64)))
        allowed = self._allowed[(heads > 0).astype(int)]
        return {"head": heads, "deprel": np.where(allowed, relations.numpy(), -np.inf).argmax(2)}

    def _rooted(self, read: Any) -> Any:
        """Return the vectors of the nodes: the root and the words."""
        return torch.cat([self.root.to(read.dtype).expand(len(read), 1, -1), read], 1)

    def _side(self, name: str, vectors: Any) -> Any:
        return self.drop(leaky_relu(self.sides[name](vectors), 0.1))

    def _scores(self, read: Any, rooted: Any, lengths: Any) -> Any:
        """Return the score of each node as head of each word, shape ``(sentences, words, nodes)``."""
        heads, dependents = self._side("head", rooted), self._side("dependent", read)
        scores = (_with_one(dependents) @ self.arc @ heads.transpose(1, 2)).float()
        words, nodes = torch.arange(scores.shape[1]), torch.arange(scores.shape[2])
        beyond = nodes[None, None, :] > lengths[:, None, None]
        itself = nodes[None, None, :] == words[None, :, None] + 1
        return scores.masked_fill(beyond | itself, -torch.inf)

    def _relations(self, read: Any, rooted: Any, heads: Any) -> Any:
        """Return the score of each relation of each word to its head, shape ``(sentences, words, relations)``."""
        sides = _with_one(self._side("relation_head", rooted))
        chosen = sides.gather(1, heads[:, :, None].expand(-1, -1, sides.shape[2]))
        dependents = _with_one(self._side("relation_dependent", read))
        halves = torch.einsum("bwi,rij->bwrj", dependents, self.relation)
        return torch.einsum("bwrj,bwj->bwr", halves, chosen).float()


def _products() -> Any:
    """Let products be of bfloat16 where the processor multiplies it itself."""
    return torch.autocast("cpu", torch.bfloat16, enabled=product_type("auto") is torch.bfloat16)


def _loss(scores: Any, gold: Any) -> Any:
    known = (gold != UNSAID).sum().clamp(min=1)
    flat = scores.float().flatten(0, 1)
    return cross_entropy(flat, gold.flatten(), ignore_index=UNSAID, reduction="sum") / known


def _with_one(vectors: Any) -> Any:
    return torch.cat([vectors, torch.ones_like(vectors[..., :1])], -1)
