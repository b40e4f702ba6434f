"""Layers that give the same bits for a row, whatever rows are computed with it.

They have the weights of torch's and Stanza's layers and compute the same functions, over batches whose sums always
take their terms in the same order: LSTMs over padded batches of at least 16 rows with one direction a call, and
matrix products with at least 16 rows and 4 columns, whose rows are aligned.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from types import SimpleNamespace
from typing import Any

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence

ROWS = 16
"""Fewest rows of a batch from which sums take the same order; also the fewest words of a padded sentence."""
_COLUMNS = 4
_ALIGNED = 4
"""Numbers that fill 16 bytes: rows that begin elsewhere are summed in another order."""


def sigmoid(values: Any) -> Any:
    """Return the logistic function; torch's own computes the last few numbers of a tensor otherwise."""
    return torch.tanh(values * 0.5) * 0.5 + 0.5


def softplus(values: Any, *_: Any, **__: Any) -> Any:
    """Return ``log(1 + exp(values))``; torch's own computes the last few numbers of a tensor otherwise."""
    return -functional.logsigmoid(-values)


class PaddedLSTM(nn.Module):  # type: ignore[misc]
    """The LSTM layers of a module, over padded batches, each direction computed alone.

    Args:
        lstm: Its weights are shared.
    """

    def __init__(self, lstm: nn.LSTM) -> None:
        super().__init__()
        directions = 2 if lstm.bidirectional else 1
        self.batch_first, self.num_layers, self.hidden_size = (
            lstm.batch_first,
            lstm.num_layers,
            lstm.hidden_size,
        )
        self.layers = nn.ModuleList(
            nn.ModuleList(_one_direction(lstm, layer, bool(back)) for back in range(directions))
            for layer in range(lstm.num_layers)
        )

    def forward(self, sequence: Any, states: Any = None) -> tuple[Any, Any]:
        """Return the outputs and the final states, as ``nn.LSTM`` does over the same sequence.

        Cell states of sentences that end before the longest of the batch are not known, and are not numbers.
        """
        if not isinstance(sequence, PackedSequence):
            padded = sequence.transpose(0, 1) if self.batch_first else sequence
            outputs, ends = self.padded(padded, torch.full((padded.shape[1],), padded.shape[0]), states)
            return (outputs.transpose(0, 1) if self.batch_first else outputs), ends
        # Sentences that were given in another order are packed, as they are computed, by falling length.
        padded, lengths = pad_packed_sequence(PackedSequence(sequence.data, sequence.batch_sizes))
        outputs, ends = self.padded(padded, lengths, _in_order(states, sequence.sorted_indices))
        return (
            sequence._replace(data=packed(outputs, lengths)),
            _in_order(ends, sequence.unsorted_indices),
        )

    def padded(self, inputs: Any, lengths: Any, states: Any = None) -> tuple[Any, Any]:
        """Return outputs and final states of sentences in order of falling length.

        Args:
            inputs: Shape ``(words, sentences, size)``.
            lengths: Words of each sentence, shape ``(sentences,)``.
            states: Pair of first states, each of shape ``(layers * directions, sentences, size)``; None for zeros.
        """
        rows = max(ROWS, inputs.shape[1])
        inputs = _with_rows(inputs, rows)
        backwards = reversal(lengths, inputs.shape[0], rows)
        hidden_ends, cell_ends = [], []
        for number, directions in enumerate(self.layers):
            outputs = []
            for back, part in enumerate(directions):
                start = number * len(directions) + back
                first = (
                    None if states is None else tuple(_with_rows(s[start : start + 1], rows) for s in states)
                )
                output, (_, cell) = part(_turned(inputs, backwards) if back else inputs, first)
                last = output[lengths - 1, torch.arange(len(lengths))]
                hidden_ends.append(last)
                short = (lengths < inputs.shape[0])[:, None]
                cell_ends.append(cell[0, : len(lengths)].masked_fill(short, torch.nan))
                outputs.append(_turned(output, backwards) if back else output)
            inputs = torch.cat(outputs, 2) if len(outputs) > 1 else outputs[0]
        return inputs[:, : len(lengths)], (torch.stack(hidden_ends), torch.stack(cell_ends))


class PaddedHighwayLSTM(nn.Module):  # type: ignore[misc]
    """Stanza's highway LSTM (Zhang et al. 2016, Highway Long Short-Term Memory RNNs) over padded batches.

    Args:
        network: Stanza's; its weights are shared.
    """

    def __init__(self, network: Any) -> None:
        super().__init__()
        self.lstm = nn.ModuleList(PaddedLSTM(part.lstm) for part in network.lstm)
        self.highway = nn.ModuleList(map(TallLinear, network.highway))
        self.gate = nn.ModuleList(map(TallLinear, network.gate))
        self.function = network.highway_func or nn.Identity()
        self.pad, self.batch_first = network.pad, network.batch_first

    def forward(self, sequence: Any, lengths: Any, hx: Any = None) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the outputs and the final states, as Stanza's layer does over a packed sequence."""
        inputs, sizes = pad_packed_sequence(sequence)
        ends = []
        for number, lstm in enumerate(self.lstm):
            states = None if hx is None else tuple(h[2 * number : 2 * number + 2] for h in hx)
            outputs, end = lstm.padded(inputs, sizes, states)
            ends.append(end)
            inputs = outputs + sigmoid(self.gate[number](inputs)) * self.function(
                self.highway[number](inputs)
            )
        states = tuple(torch.cat(parts) for parts in zip(*ends, strict=True))
        if self.pad:
            return (inputs.transpose(0, 1) if self.batch_first else inputs), states
        return PackedSequence(packed(inputs, sizes), sequence.batch_sizes), states


class TallLinear(nn.Module):  # type: ignore[misc]
    """A linear layer over at least 16 rows and 4 columns; each row begins where four numbers do.

    Args:
        linear: A layer, or what has its weight, of shape ``(columns, size)``, and its bias.
    """

    def __init__(self, linear: Any) -> None:
        super().__init__()
        self.weight, self.bias = linear.weight, linear.bias
        columns, size = self.weight.shape
        self.missing = (-size % _ALIGNED, max(0, _COLUMNS - columns))
        self._weight = functional.pad(
            self.weight.detach(), (0, self.missing[0], 0, self.missing[1])
        ).contiguous()
        self._bias = None if self.bias is None else functional.pad(self.bias.detach(), (0, self.missing[1]))

    def forward(self, inputs: Any) -> Any:
        """Return ``inputs @ weight.T + bias``; inputs of shape ``(…, size)``."""
        rows = inputs.reshape(-1, inputs.shape[-1])
        count = rows.shape[0]
        if count < ROWS or self.missing[0]:
            rows = functional.pad(rows, (0, self.missing[0], 0, max(0, ROWS - count)))
        scores = functional.linear(rows.contiguous(), self._weight, self._bias)
        if len(scores) != count or self.missing[1]:
            scores = scores[:count, : self.weight.shape[0]]
        return scores.reshape(*inputs.shape[:-1], -1)


class TallLSTMCell(nn.Module):  # type: ignore[misc]
    """A step of an LSTM that never computes fewer than 16 rows.

    Args:
        cell: Its weights are shared.
    """

    def __init__(self, cell: nn.LSTMCell) -> None:
        super().__init__()
        self.inputs = TallLinear(SimpleNamespace(weight=cell.weight_ih, bias=cell.bias_ih))
        self.states = TallLinear(SimpleNamespace(weight=cell.weight_hh, bias=cell.bias_hh))

    def forward(self, inputs: Any, states: Any) -> tuple[Any, Any]:
        """Return the next hidden and cell states, as ``nn.LSTMCell`` does."""
        hidden, cell = states
        enter, forget, new, out = (self.inputs(inputs) + self.states(hidden)).chunk(4, 1)
        cell = sigmoid(forget) * cell + sigmoid(enter) * torch.tanh(new)
        return sigmoid(out) * torch.tanh(cell), cell


class WideBilinear(nn.Module):  # type: ignore[misc]
    """Stanza's pairwise bilinear layer over sentences of at least 16 words.

    Args:
        layer: A layer of Stanza's.
    """

    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.weight, self.bias = layer.weight, layer.bias
        first, second = (-size % _ALIGNED for size in self.weight.shape[:2])
        self.missing = (first, second)
        self._weight = functional.pad(self.weight.detach(), (0, 0, 0, second, 0, first)).contiguous()

    def forward(self, first: Any, second: Any) -> Any:
        """Return the score of each pair of words, shape ``(sentences, words, words, scores)``."""
        words = (first.shape[1], second.shape[1])
        first, second = (
            functional.pad(part, (0, missing, 0, max(0, ROWS - part.shape[1]))).contiguous()
            for part, missing in zip((first, second), self.missing, strict=True)
        )
        between = torch.einsum("nli,ijo->nljo", first, self._weight)
        return torch.einsum("nljo,nmj->nlmo", between, second)[:, : words[0], : words[1]] + self.bias


def _one_direction(lstm: nn.LSTM, layer: int, back: bool) -> nn.LSTM:
    """Return a layer and direction of an LSTM as one of its own, with the same weights."""
    size = lstm.input_size if layer == 0 else lstm.hidden_size * (2 if lstm.bidirectional else 1)
    part = nn.LSTM(size, lstm.hidden_size, bias=lstm.bias, device="meta")
    for name in [name for name, _ in part.named_parameters()]:
        source = name.replace("_l0", f"_l{layer}") + ("_reverse" if back else "")
        setattr(part, name, getattr(lstm, source))
    return part.train(lstm.training)


# Batches


def reversal(lengths: Any, width: int, rows: int) -> Any:
    """Return for each word the word that takes its place when each sentence is read from its end.

    Args:
        lengths: Words of each sentence, shape ``(sentences,)``.
        width: Words of the padded batch.
        rows: Sentences of the padded batch.

    Returns:
        Shape ``(width, rows)``; padding keeps its place, and its own inverse.
    """
    places = torch.arange(width)[:, None]
    lengths = functional.pad(lengths, (0, rows - len(lengths)))
    return torch.where(places < lengths, lengths - 1 - places, places)


def packed(padded: Any, lengths: Any) -> Any:
    """Return the words of a padded batch as packed sequences have them: first words, second words and so on.

    Args:
        padded: Shape ``(words, sentences, size)``, sentences in order of falling length.
        lengths: Words of each sentence, shape ``(sentences,)``.
    """
    return padded[torch.arange(padded.shape[0])[:, None] < lengths[None, :]]


def _in_order(states: Any, places: Any) -> Any:
    """Return first or final states of sentences in another order, or the same ones where no order is given."""
    return states if states is None or places is None else tuple(s.index_select(1, places) for s in states)


def _turned(padded: Any, places: Any) -> Any:
    return padded.gather(0, places[:, :, None].expand(-1, -1, padded.shape[2]))


def _with_rows(padded: Any, rows: int) -> Any:
    missing = rows - padded.shape[1]
    return functional.pad(padded, (0, 0, 0, missing)) if missing else padded.contiguous()


def same_length_rows(lengths: Sequence[Hashable]) -> list[list[int]]:
    """Return the places of each length, or of what else is to be equal, in the order in which they first come."""
    groups: dict[Hashable, list[int]] = {}
    for number, length in enumerate(lengths):
        groups.setdefault(length, []).append(number)
    return list(groups.values())
