"""Networks that give the same bits for a sentence, whatever it is batched with.

A sum of floating-point numbers depends on the order of its terms, and torch chooses the order by the shape of a
batch. Some shapes always take the same order, however: LSTMs over padded batches of 16 rows and more with one
direction a call, and matrix products with 16 rows and 4 columns and more, whose rows are aligned. Here the layers
of a network are replaced by layers that keep to such shapes, and the two functions are replaced whose last bit
depends on where a number stands in memory. They compute the same function in single precision, and LSTMs over
padded batches are faster than over Stanza's packed ones.

Whether a machine keeps the order is tried when a network is loaded. Where it does not, or where a network has
layers that are not known here, the network computes in double precision, in which another order changes only ties.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import PackedSequence, pad_packed_sequence
from torch.overrides import TorchFunctionMode

ROWS = 16
"""Fewest rows of a batch from which sums take the same order; also the fewest words of a padded sentence."""
_COLUMNS = 4
_ALIGNED = 4
"""Numbers that fill 16 bytes: rows that begin elsewhere are summed in another order."""
_LARGEST_TRIAL = 2_000
_PLAIN = (nn.Embedding, nn.Dropout, nn.ReLU, nn.Tanh, nn.Sigmoid, nn.Softmax, nn.CrossEntropyLoss)
_STANZA_PLAIN = ("WordDropout", "SequenceUnitDropout", "LockedDropout")


def reproducible(network: nn.Module) -> bool:
    """Replace the layers of one network by reproducible ones, or make it double; other networks stay as they are.

    Args:
        network: A network of Stanza's, in single precision.

    Returns:
        Whether it computes in single precision.
    """
    if all(_known(module) for module in network.modules()):
        shapes = {_shape(m) for m in network.modules() if _is_summing(m)}
        if all(_keeps_bits(*shape, torch.get_num_threads()) for shape in shapes):
            _replace(network)
            return True
    double(network)
    return False


def double(network: nn.Module) -> None:
    """Make one network compute in double precision, and cast what its layers are given."""
    network.double()
    for module in network.modules():
        if next(module.parameters(recurse=False), None) is not None and not isinstance(module, nn.Embedding):
            module.register_forward_pre_hook(_cast, with_kwargs=True)


def _cast(module: nn.Module, args: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, Any]:  # noqa: ARG001
    return _doubled(args), _doubled(options)


def _doubled(value: Any) -> Any:
    if isinstance(value, PackedSequence):
        return value._replace(data=value.data.double())
    if isinstance(value, torch.Tensor):
        return value.double() if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: _doubled(part) for key, part in value.items()}
    return type(value)(map(_doubled, value)) if isinstance(value, list | tuple) else value


# Functions


def sigmoid(values: Any) -> Any:
    """Return the logistic function; torch's own computes the last few numbers of a tensor otherwise."""
    return torch.tanh(values * 0.5) * 0.5 + 0.5


def softplus(values: Any, *_: Any, **__: Any) -> Any:
    """Return ``log(1 + exp(values))``; torch's own computes the last few numbers of a tensor otherwise."""
    return -functional.logsigmoid(-values)


_FUNCTIONS = {torch.sigmoid: sigmoid, torch.Tensor.sigmoid: sigmoid, functional.softplus: softplus}
_DRAWING = {
    *(getattr(torch.Tensor, name) for name in ("uniform_", "normal_", "random_", "bernoulli_")),
    torch.randn,
    torch.rand,
    *(getattr(nn.init, name) for name in ("uniform_", "normal_", "xavier_uniform_", "kaiming_uniform_")),
}


class ReproducibleFunctions(TorchFunctionMode):  # type: ignore[misc]
    """In this thread, while it is entered: the functions above, and random numbers from a generator of its own.

    Networks are filled with random numbers before their weights are read, and torch's loaders draw a seed for each
    pass; the program's own generator must not move by that.
    """

    def __init__(self) -> None:
        super().__init__()
        self._generator = torch.Generator().manual_seed(0)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call a function of torch, or what stands for it here."""
        options = dict(kwargs or {})
        draws = func in _DRAWING
        if draws and options.get("generator") is None:
            options["generator"] = self._generator
        return _FUNCTIONS.get(func, func)(*args, **options)


# Layers


class PaddedLSTM(nn.Module):  # type: ignore[misc]
    """The LSTM layers of a module, over padded batches, each direction by itself.

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
        padded, lengths = pad_packed_sequence(sequence)
        outputs, ends = self.padded(padded, lengths, states)
        return PackedSequence(packed(outputs, lengths), sequence.batch_sizes), ends

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


def _turned(padded: Any, places: Any) -> Any:
    return padded.gather(0, places[:, :, None].expand(-1, -1, padded.shape[2]))


def _with_rows(padded: Any, rows: int) -> Any:
    missing = rows - padded.shape[1]
    return functional.pad(padded, (0, 0, 0, missing)) if missing else padded.contiguous()


# Replacing


def _one_direction(lstm: nn.LSTM, layer: int, back: bool) -> nn.LSTM:
    """Return a layer and direction of an LSTM as one of its own, with the same weights."""
    size = lstm.input_size if layer == 0 else lstm.hidden_size * (2 if lstm.bidirectional else 1)
    part = nn.LSTM(size, lstm.hidden_size, bias=lstm.bias, device="meta")
    for name in [name for name, _ in part.named_parameters()]:
        source = name.replace("_l0", f"_l{layer}") + ("_reverse" if back else "")
        setattr(part, name, getattr(lstm, source))
    return part.train(lstm.training)


def _replace(network: nn.Module) -> None:
    """Replace the layers below a module."""
    for name, module in list(network.named_children()):
        new = _replacement(module)
        if new is None:
            _replace(module)
        else:
            setattr(network, name, new.train(module.training))


def _replacement(module: nn.Module) -> nn.Module | None:
    kind = type(module).__name__
    if kind == "HighwayLSTM":
        return PaddedHighwayLSTM(module)
    if kind == "PairwiseBilinear":
        return WideBilinear(module)
    if type(module) is nn.LSTM:
        return PaddedLSTM(module)
    if type(module) is nn.LSTMCell:
        return TallLSTMCell(module)
    return TallLinear(module) if type(module) is nn.Linear else None


def _is_summing(module: nn.Module) -> bool:
    return isinstance(module, nn.LSTM | nn.Linear) or type(module).__name__ == "PairwiseBilinear"


def _known(module: nn.Module) -> bool:
    """Whether a layer is replaced, has no sums, or only has parts."""
    kind = type(module).__name__
    if kind == "HighwayLSTM":
        return bool(getattr(module, "bidirectional", False)) and all(
            type(p.lstm) is nn.LSTM for p in module.lstm
        )
    if kind == "LSTMwRecDropout":
        return False
    if kind in ("PairwiseBilinear", *_STANZA_PLAIN) or type(module) in (nn.LSTM, nn.Linear, nn.LSTMCell):
        return True
    if isinstance(module, _PLAIN) or not any(True for _ in module.children()):
        return isinstance(module, _PLAIN) or next(module.parameters(), None) is None
    return type(module).__module__.partition(".")[0] in ("stanza", "torch", __name__.partition(".")[0])


# Trying


def _shape(module: nn.Module) -> tuple[str, int, int]:
    if isinstance(module, nn.LSTM):
        return "lstm", module.input_size, module.hidden_size
    if isinstance(module, nn.Linear):
        return "linear", module.in_features, module.out_features
    return "bilinear", *module.weight.shape[1:]


@functools.cache
def _keeps_bits(kind: str, size: int, columns: int, threads: int) -> bool:  # noqa: ARG001 - a new trial each
    """Whether a layer of a shape gives the same bits for a few rows as for many, tried with random numbers."""
    chance = torch.Generator().manual_seed(size * 10_007 + columns)
    trial = {"lstm": _lstm_keeps_bits, "linear": _linear_keeps_bits, "bilinear": _bilinear_keeps_bits}[kind]
    with torch.inference_mode():
        return trial(size, columns, chance)


def _linear_keeps_bits(size: int, columns: int, chance: torch.Generator) -> bool:
    shape = SimpleNamespace(weight=torch.randn(columns, size, generator=chance), bias=None)
    layer, rows = TallLinear(shape), torch.randn(301, size, generator=chance)
    every = layer(rows)
    slices = ((0, 1), (7, 3), (20, 16), (31, 17), (50, 33), (100, 129), (3, 290))
    return all(torch.equal(layer(rows[n : n + k]), every[n : n + k]) for n, k in slices)


def _lstm_keeps_bits(size: int, columns: int, chance: torch.Generator) -> bool:
    lstm = nn.LSTM(size, columns, device="meta").to_empty(device="cpu")
    for parameter in lstm.parameters():
        parameter.uniform_(-0.2, 0.2, generator=chance)
    layer, rows = PaddedLSTM(lstm), torch.randn(7, 41, size, generator=chance)
    every = layer.padded(rows, torch.full((41,), 7))[0]
    return all(
        torch.equal(layer.padded(rows[:5, n : n + k], torch.full((k,), 5))[0], every[:5, n : n + k])
        for n, k in ((0, 1), (3, 2), (5, 17), (8, 33))
    )


def _bilinear_keeps_bits(size: int, columns: int, chance: torch.Generator) -> bool:
    if size * columns > _LARGEST_TRIAL:  # the same kernel as for one column, many times as long
        columns = 1
    weight = torch.randn(size, size, columns, generator=chance)
    layer = WideBilinear(SimpleNamespace(weight=weight, bias=torch.zeros(columns)))
    rows = torch.randn(9, 37, size, generator=chance)
    every = layer(rows, rows)
    return all(
        torch.equal(layer(rows[n : n + k, :w], rows[n : n + k, :w]), every[n : n + k, :w, :w])
        for n, k, w in ((0, 1, 3), (2, 1, 16), (3, 4, 21), (1, 8, 37))
    )


def same_length_rows(lengths: Sequence[int]) -> list[list[int]]:
    """Return the places of each length, lengths in the order in which they first come."""
    groups: dict[int, list[int]] = {}
    for number, length in enumerate(lengths):
        groups.setdefault(length, []).append(number)
    return list(groups.values())
