"""Layers of Stanza's networks for training on a CPU, with Stanza's own parameters.

Sequences come padded, longest first, time before sentence. oneDNN runs one direction of an LSTM over them in one
call; the direction that reads from the end gets each sentence turned round, so that its padding comes last there,
too, and reaches no word. Where the processor multiplies bfloat16 itself, products are made of such numbers; weights
and sums stay in single precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn.functional import embedding, linear

PRECISIONS = ("auto", "single", "bfloat16")
# Words whose length is at least this share of a group's longest are padded to it.
_GROUP = 0.6


def product_type(precision: str) -> Any:
    """Return torch's type of the factors of products.

    Args:
        precision: ``single``, ``bfloat16``, or ``auto``: bfloat16 where the processor multiplies it itself.
    """
    if precision == "auto":
        precision = "bfloat16" if _multiplies_bfloat16() else "single"
    return torch.bfloat16 if precision == "bfloat16" else torch.float32


def _multiplies_bfloat16() -> bool:
    """Whether the processor has instructions for products of bfloat16, as far as this torch can tell."""
    questions = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    known = [getattr(torch.cpu, name)() for name in questions if hasattr(torch.cpu, name)]
    return torch.backends.mkldnn.is_available() and any(known)


class Layers:
    """The layers of one network; in training with dropout.

    Args:
        kind: Torch's type of the factors of products.
        dropout: Share of the values to drop.
        word_dropout: Share of the words to replace.
    """

    def __init__(self, kind: Any, dropout: float, word_dropout: float) -> None:
        self.kind, self.dropout, self.word_dropout = kind, dropout, word_dropout

    def drop(self, values: Any) -> Any:
        """Return values with a share of them zero and the others larger by as much."""
        most = 256
        dropped = round(self.dropout * most)
        if not dropped:
            return values
        kept = random_bytes(values.numel()).view(values.shape) >= dropped
        return values * (kept.to(torch.float32) * (most / (most - dropped)))

    def drop_words(self, vectors: Any, replacement: Any) -> Any:
        """Return the vectors of words, shape ``(…, size)``, with a share of them replaced by one vector."""
        if not self.word_dropout:
            return vectors
        dropped = torch.rand(*vectors.shape[:-1], 1) < self.word_dropout
        return torch.where(dropped, replacement, vectors)

    def linear(self, values: Any, weight: Any, bias: Any = None) -> Any:
        """Return ``values @ weight.T + bias`` in single precision."""
        product = linear(values.to(self.kind), weight.to(self.kind)).float()
        return product if bias is None else product + bias

    def apply(self, layer: Any, values: Any) -> Any:
        """Return what one of torch's linear layers makes of values."""
        return self.linear(values, layer.weight, layer.bias)

    def lstm(self, layer: Any, values: Any, states: tuple[Any, Any], suffix: str = "") -> Any:
        """Return one direction of an LSTM over values of shape ``(steps, sequences, size)``.

        Args:
            layer: Torch's LSTM, of one layer.
            values: What it reads.
            states: Hidden and cell state to begin with, shape ``(1, 1, hidden size)``.
            suffix: ``_reverse`` for the weights of the other direction.
        """
        names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
        weights = [getattr(layer, name + suffix).to(self.kind) for name in names]
        shape = (1, values.shape[1], -1)
        start = tuple(state.to(self.kind).expand(shape).contiguous() for state in states)
        return torch.lstm(
            values.to(self.kind), start, weights, True, 1, 0.0, torch.is_grad_enabled(), False, False
        )[0].float()

    def highway(self, network: Any, values: Any, starts: tuple[Any, Any], turned: Any) -> Any:
        """Return what Stanza's highway LSTM makes of words, shape ``(steps, sentences, 2 * hidden size)``.

        Args:
            network: It.
            values: The vectors of words, shape ``(steps, sentences, size)``.
            starts: Hidden and cell states to begin with, one for each layer and direction.
            turned: For each place in the flattened words its place when sentences are turned round.
        """
        for number in range(network.num_layers):
            layer = network.lstm[number].lstm
            if number:
                values = self.drop(values)
            states = [tuple(s[2 * number + way][None] for s in starts) for way in range(2)]
            ahead = self.lstm(layer, values, states[0])
            back = self.lstm(layer, _turned(values, turned), states[1], "_reverse")
            carried = torch.tanh(self.apply(network.highway[number], values))
            share = torch.sigmoid(self.apply(network.gate[number], values))
            values = torch.cat([ahead, _turned(back, turned)], 2) + share * carried
        return values

    def characters(self, model: Any, words: Sequence[Any]) -> Any:
        """Return what Stanza's character model makes of words.

        Args:
            model: It; it reads in one direction, and weighs characters.
            words: Groups of words of similar length, each the numbers of their characters, shape
                ``(longest word, words)``, 0 for none.

        Returns:
            Shape ``(words of all groups, hidden size)``.
        """
        vectors = []
        states = (model.charlstm_h_init, model.charlstm_c_init)
        for group in words:
            read = self.drop(embedding(group, model.char_emb.weight, padding_idx=0))
            output = self.lstm(model.charlstm.lstm, read, states)
            weights = torch.sigmoid(self.drop(output) @ model.char_attn.weight[0])
            vectors.append((output * (weights * (group != 0))[:, :, None]).sum(0))
        return torch.cat(vectors)


def random_bytes(count: int) -> Any:
    """Return random bytes; torch's own masks for dropout cost more than what they drop."""
    return torch.empty(-(-count // 8), dtype=torch.int64).random_(-(2**63), None).view(torch.uint8)[:count]


def length_groups(lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Return where groups of similar length begin and end.

    Args:
        lengths: Falling.
    """
    groups, start = [], 0
    for number, length in enumerate(lengths):
        if length < _GROUP * lengths[start]:
            groups.append((start, number))
            start = number
    return [*groups, (start, len(lengths))]


class _Turn(torch.autograd.Function):  # type: ignore[misc]  # untyped in torch
    """Turns sentences round; what is turned twice is as it was, and so are gradients."""

    @staticmethod
    def forward(context: Any, values: Any, turned: Any) -> Any:
        context.turned = turned
        return values.reshape(-1, values.shape[2])[turned].view(values.shape)

    @staticmethod
    def backward(context: Any, gradient: Any) -> tuple[Any, None]:
        return gradient.reshape(-1, gradient.shape[2])[context.turned].view(gradient.shape), None


def _turned(values: Any, turned: Any) -> Any:
    return _Turn.apply(values, turned)
