"""LSTM layers over sequences of any lengths, step by step over those that still go on; nothing is padded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from jperrant.compact.exact import SINGLE, ByteLinear, Linear, Precision, Rounding, to_bytes

GATES = 4
"""Of a cell: enter, forget, out and new."""


def batches(lengths: Sequence[int], most: int, sequences: int = 1 << 20) -> list[list[int]]:
    """Group sequences of similar length, longest first; the empty ones are left out.

    Args:
        lengths: Of each sequence.
        most: Their sum in a batch; a longer sequence is a batch of its own.
        sequences: Most sequences of a batch.
    """
    groups: list[list[int]] = []
    size = 0
    for number in sorted((n for n, length in enumerate(lengths) if length), key=lambda n: -lengths[n]):
        if groups and len(groups[-1]) < sequences and size + lengths[number] <= most:
            groups[-1].append(number)
            size += lengths[number]
        else:
            groups.append([number])
            size = lengths[number]
    return groups


class Packing:
    """The order in which sequences are computed: all first places, all second places, and so on.

    Attributes:
        sizes: Sequences that have each step; falling.
        order: For each packed place, its place in the sequences one after the other, shape ``(places,)``.
        reversal: For each packed place, the one that takes its turn when each sequence is read from its end; its
            own inverse, same shape.
        last: The packed place of each sequence's end, shape ``(sequences,)``.
    """

    def __init__(self, lengths: Sequence[int]) -> None:
        """Order sequences of given lengths, which fall and are at least 1."""
        count = np.asarray(lengths)
        steps = np.arange(count[0] if len(count) else 0)[:, None]
        inside = steps < count
        sizes = inside.sum(axis=1)
        starts = np.cumsum(sizes) - sizes
        rows = np.arange(len(count))
        self.sizes: list[int] = sizes.tolist()
        self.order = (steps + (np.cumsum(count) - count))[inside]
        self.reversal = (starts[np.maximum(count - 1 - steps, 0)] + rows)[inside]
        self.last = starts[count - 1] + rows if len(count) else rows

    def unpacked(self, packed: Any) -> Any:
        """Return what there is for each packed place, sequences one after the other."""
        rows = np.empty_like(packed)
        rows[self.order] = packed
        return rows


class LSTM:
    """A layer of an LSTM in one direction or in both.

    Attributes:
        size: Numbers of a hidden state.
        entering: For each direction the weight of its inputs and the bias, gates in the order of this class.

    Args:
        weights: For each direction ``weight_ih``, ``weight_hh``, ``bias_ih`` and ``bias_hh`` as torch has them: the
            gates enter, forget, new and out one after the other, shapes ``(4 * size, inputs)``,
            ``(4 * size, size)`` and ``(4 * size,)``.
        bound: Largest magnitude of an input, as ``Linear`` takes it.
        hidden: First hidden states, shape ``(directions, size)``; None for zeros.
        cell: First cell states, same shape.
        precision: The format of all numbers.
    """

    def __init__(
        self,
        weights: Sequence[tuple[Any, ...]],
        bound: float | None = None,
        hidden: Any = None,
        cell: Any = None,
        precision: Precision = SINGLE,
    ) -> None:
        self.size = weights[0][1].shape[1]
        gates = [tuple(map(_gates_in_order, of_direction)) for of_direction in weights]
        zeros = np.zeros((len(weights), self.size), precision.dtype)
        self.precision, self._bound, self._rounding = precision, bound, Rounding(1.0, precision)
        # A first state outside the cells' range cannot be a trained one of use; the product needs the bound.
        first = np.clip(np.array(zeros if hidden is None else hidden, precision.dtype), -1, 1)
        self._hidden = self._rounding(first)
        self._cell = zeros if cell is None else np.asarray(cell, precision.dtype)
        self.entering = [(enter, first + second) for enter, _, first, second in gates]
        self._recurrent = [
            self._layer(again, *entering)
            for (_, again, _, _), entering in zip(gates, self.entering, strict=True)
        ]

    def _layer(self, weight: Any, entering: Any, bias: Any) -> Any:  # noqa: ARG002
        """Return the layer that multiplies hidden states, given also the weight and bias of inputs."""
        return Linear(weight, None, 1.0, self.precision, GATES)

    def _multiply(self, number: int, hidden: Any, gates: Any) -> None:
        """Compute what hidden states add to the gates of a direction."""
        self._recurrent[number].compute(hidden, gates)

    def _round(self, hidden: Any) -> None:
        """Round hidden states in place to what can be multiplied."""
        self._rounding(hidden)

    @cached_property
    def _projections(self) -> list[Linear]:
        return [Linear(weight, bias, self._bound, self.precision, GATES) for weight, bias in self.entering]

    def project(self, rows: Any) -> list[Any]:
        """Return what inputs add to the gates, for each direction of shape ``(4, rows, size)``."""
        return [projection(rows) for projection in self._projections]

    def run(self, projected: Sequence[Any], places: Sequence[Any], sizes: Sequence[int]) -> tuple[Any, Any]:
        """Run over a packed batch.

        Args:
            projected: For each direction what ``project`` returns for some rows.
            places: For each direction which row each packed place takes, in the order in which it reads.
            sizes: Sequences that have each step.

        Returns:
            The hidden states in the order in which each direction reads, rounded to steps, shape
            ``(directions, places, size)``; the last cell states, shape ``(directions, sequences, size)``.
        """

        space = np.empty(GATES * (sizes[0] if sizes else 0) * self.size, self.precision.dtype)

        def fill(number: int, hidden: Any, packed: slice, gates: Any) -> None:
            self._multiply(number, hidden, gates)
            taken = space[: gates.size].reshape(gates.shape)
            gates += np.take(projected[number], places[number][packed], axis=1, out=taken, mode="clip")

        return self._run(fill, len(projected), sizes)

    def both(self, rows: Any, taken: Any, packing: Packing) -> tuple[Any, Any, Any]:
        """Run both directions.

        Args:
            rows: Inputs.
            taken: The row of each packed place.
            packing: The order of the places.

        Returns:
            The hidden states of both directions for each packed place, shape ``(places, 2 * size)``; the last
            hidden states of each sequence, those of the backward direction first, and the last cell states, both
            of shape ``(sequences, 2 * size)``.
        """
        places = [taken, taken[packing.reversal]]
        (first, second), cells = self.run(self.project(rows), places, packing.sizes)
        states = np.concatenate([first, second[packing.reversal]], axis=1)
        last = np.concatenate([second[packing.last], first[packing.last]], axis=1)
        return states, last, np.concatenate([cells[1], cells[0]], axis=1)

    def advance(self, gates: Any, cells: Any, hidden: Any) -> None:
        """Compute the next states of a layer of one direction in place.

        Args:
            gates: What inputs add to the gates, shape ``(4, sequences, size)``.
            cells: Cell states, shape ``(sequences, size)``.
            hidden: Hidden states as ``run`` returns them, same shape.
        """
        again = np.empty_like(gates)
        self._multiply(0, hidden, again)
        again += gates
        self._step(again[None], cells[None], hidden[None])

    def _run(
        self, fill: Callable[[int, Any, slice, Any], None], directions: int, sizes: Sequence[int]
    ) -> tuple[Any, Any]:
        """Run over a packed batch, as ``run`` does.

        Args:
            fill: Computes the gates of a step and a direction, shape ``(4, sequences, size)``, given the direction,
                the hidden states before the step, shape ``(sequences, size)``, and its packed places.
            directions: How many.
            sizes: Sequences that have each step.
        """
        size, width = self.size, sizes[0] if sizes else 0
        outputs = np.empty((directions, sum(sizes), size), self.precision.dtype)
        cells = np.repeat(self._cell[:, None], width, axis=1)
        hidden = np.repeat(self._hidden[:, None], width, axis=1)
        space = np.empty(directions * GATES * width * size, self.precision.dtype)
        stop = 0
        for count in sizes:
            start, stop = stop, stop + count
            gates = space[: directions * GATES * count * size].reshape(directions, GATES, count, size)
            for number in range(directions):
                fill(number, hidden[number, :count], slice(start, stop), gates[number])
            hidden = outputs[:, start:stop]
            self._step(gates, cells[:, :count], hidden)
        return outputs, cells

    def _step(self, gates: Any, cells: Any, hidden: Any) -> None:
        """Compute the next states, cells in place, given the gates before their functions."""
        np.tanh(gates, out=gates)
        # A logistic function is half of 1 and a tanh, whose argument the weights have halved. The sums are halved
        # later, which is exact, so that fewer numbers are.
        gates[:, :3] += 1
        enter, forget, out, new = (gates[:, n] for n in range(GATES))
        cells *= forget
        new *= enter
        cells += new
        cells *= 0.5
        np.tanh(cells, out=hidden)
        hidden *= out
        hidden *= 0.5
        self._round(hidden)


class ByteLSTM(LSTM):
    """An LSTM that reads its hidden states in bytes, or its inputs too; the states that it returns are not rounded.

    Args:
        weights, hidden, cell: As ``LSTM`` takes them.
        bound: Of inputs in bytes, which ``run_over`` reads; None where ``run`` reads what ``project`` returns.
    """

    def __init__(
        self,
        weights: Sequence[tuple[Any, ...]],
        hidden: Any = None,
        cell: Any = None,
        bound: float | None = None,
    ) -> None:
        self._byte_bound = bound
        super().__init__(weights, None, hidden, cell)

    def _layer(self, weight: Any, entering: Any, bias: Any) -> ByteLinear:
        if self._byte_bound is None:
            return ByteLinear(weight, GATES)
        # The bound of hidden states is 1, so an input's step counts as many times as its bound says.
        return ByteLinear(np.concatenate([weight, entering * self._byte_bound], axis=1), GATES, bias)

    def _multiply(self, number: int, hidden: Any, gates: Any) -> None:
        self._recurrent[number].compute(to_bytes(hidden, 1.0), gates)

    def _round(self, hidden: Any) -> None:
        """Leave hidden states as they are: they are rounded where they are multiplied."""

    def run_over(self, rows: Any, places: Sequence[Any], sizes: Sequence[int]) -> tuple[Any, Any]:
        """Run over a packed batch of inputs in bytes: one product a step for hidden states and inputs.

        Args:
            rows: The inputs, shape ``(rows, inputs)``.
            places, sizes: As ``run`` takes them.

        Returns:
            What ``run`` returns.
        """

        def fill(number: int, hidden: Any, packed: slice, gates: Any) -> None:
            layer = self._recurrent[number]
            layer.compute(
                np.concatenate([to_bytes(hidden, 1.0), rows[places[number][packed]]], axis=1), gates
            )
            gates += layer.bias

        return self._run(fill, len(places), sizes)


def directions(state: Mapping[str, Any], prefix: str, layer: int = 0) -> list[tuple[Any, ...]]:
    """Return the weights of a layer of ``nn.LSTM``, for each of its directions.

    Args:
        state: Arrays by their names.
        prefix: What the names begin with, such as ``encoder.``.
        layer: Which layer.
    """
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    ends = [end for end in ("", "_reverse") if f"{prefix}weight_ih_l{layer}{end}" in state]
    return [tuple(state[f"{prefix}{name}_l{layer}{end}"] for name in names) for end in ends]


def _gates_in_order(part: Any) -> Any:
    """Return weights with the gates in the order enter, forget, out, new; of the first three half."""
    enter, forget, new, out = np.split(np.asarray(part, np.float64), GATES)
    return np.concatenate([enter * 0.5, forget * 0.5, out * 0.5, new])
