"""LSTM layers over sequences of any lengths, step by step over those that still go on; nothing is padded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from jperrant.compact.exact import SINGLE, Planes, Precision, Rounding, in_planes, parts_of

GATES = 4
"""Of a cell: enter, forget, out and new."""


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
        weights: Sequence[tuple[Any, Any, Any, Any]],
        bound: float | None = None,
        hidden: Any = None,
        cell: Any = None,
        precision: Precision = SINGLE,
    ) -> None:
        self.size = weights[0][1].shape[1]
        gates = [tuple(_gates_in_order(part) for part in parts) for parts in weights]
        zeros = np.zeros((len(weights), self.size), precision.dtype)
        self.precision, self._rounding = precision, Rounding(1.0, precision)
        # A first state outside the cells' range cannot be a trained one of use; the product needs the bound.
        self._hidden = (
            zeros if hidden is None else self._rounding(np.clip(np.array(hidden, precision.dtype), -1, 1))
        )
        self._cell = zeros if cell is None else np.asarray(cell, precision.dtype)
        self._bound = bound
        self.entering = [(enter, first + second) for enter, _, first, second in gates]
        self._prepare([of_direction[1] for of_direction in gates])

    @cached_property
    def projections(self) -> list[Planes]:
        """The layers that make of inputs what they add to the gates, for each direction four."""
        return [Planes(weight, GATES, bias, self._bound, self.precision) for weight, bias in self.entering]

    def project(self, rows: Any) -> list[Any]:
        """Return what inputs add to the gates, for each direction of shape ``(4, rows, size)``."""
        return [projection(rows) for projection in self.projections]

    def run(
        self, projected: Sequence[Any], places: Sequence[Any | None], sizes: Sequence[int]
    ) -> tuple[Any, Any]:
        """Run over a packed batch.

        Args:
            projected: For each direction what ``project`` returns for some rows.
            places: For each direction which row each packed place takes, in the order in which it reads; None for
                the rows in their order.
            sizes: Sequences that have each step.

        Returns:
            The hidden states in the order in which each direction reads, rounded to steps, shape
            ``(directions, places, size)``; the last cell states, shape ``(directions, sequences, size)``.
        """
        space = np.empty(
            len(projected) * GATES * (sizes[0] if sizes else 0) * self.size, self.precision.dtype
        )

        def fill(gates: Any, hidden: Any, packed: slice) -> None:
            product = space[: gates.size].reshape(gates.shape)
            self._multiply(hidden, gates, product)
            for number, rows in enumerate(places):
                if rows is None:
                    gates[number] += projected[number][:, packed]
                else:
                    np.take(projected[number], rows[packed], axis=1, out=product[number], mode="clip")
                    gates[number] += product[number]

        return self._run(fill, len(projected), sizes)

    def _run(
        self, fill: Callable[[Any, Any, slice], None], directions: int, sizes: Sequence[int]
    ) -> tuple[Any, Any]:
        """Run over a packed batch, as ``run`` does.

        Args:
            fill: Computes the gates of a step, shape ``(directions, 4, sequences, size)``, given the hidden states
                before it, shape ``(directions, sequences, size)``, and its packed places.
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
            fill(gates, hidden[:, :count], slice(start, stop))
            hidden = outputs[:, start:stop]
            self._step(gates, cells[:, :count], hidden)
        return outputs, cells

    def _prepare(self, recurrent: Sequence[Any]) -> None:
        """Keep the weights of hidden states, for each direction of shape ``(4 * size, size)``."""
        by_part = zip(*(parts_of(weight, self.precision) for weight in recurrent), strict=True)
        self._recurrent = [
            (parts[0][0], np.stack([in_planes(weight, GATES) for _, weight in parts])) for parts in by_part
        ]

    def _multiply(self, hidden: Any, gates: Any, space: Any) -> None:
        """Multiply hidden states by their weights.

        Args:
            hidden: Shape ``(directions, sequences, size)``.
            gates: Takes the products, shape ``(directions, 4, sequences, size)``.
            space: Of the same shape; overwritten.
        """
        (part, weight), *others = self._recurrent
        before = hidden[:, None]
        np.matmul(before[..., part], weight, out=gates)
        for other, further in others:
            gates += np.matmul(before[..., other], further, out=space)

    def _round(self, hidden: Any) -> None:
        """Round hidden states in place to what can be multiplied."""
        self._rounding(hidden)

    def advance(self, gates: Any, cells: Any, hidden: Any) -> None:
        """Compute the next states of a layer of one direction in place.

        Args:
            gates: What inputs add to the gates, shape ``(4, sequences, size)``; overwritten.
            cells: Cell states, shape ``(sequences, size)``.
            hidden: Hidden states as ``run`` returns them, same shape.
        """
        for part, weight in self._recurrent:
            gates += hidden[:, part] @ weight[0]
        self._step(gates[None], cells[None], hidden[None])

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


def directions(state: Mapping[str, Any], prefix: str, layer: int = 0) -> list[tuple[Any, Any, Any, Any]]:
    """Return the weights of a layer of ``nn.LSTM``, for each of its directions.

    Args:
        state: Arrays by their names.
        prefix: What the names begin with, such as ``encoder.``.
        layer: Which layer.
    """
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    ends = [end for end in ("", "_reverse") if f"{prefix}weight_ih_l{layer}{end}" in state]
    return [
        tuple(np.asarray(state[f"{prefix}{name}_l{layer}{end}"], np.float64) for name in names)  # type: ignore[misc]
        for end in ends
    ]


def _gates_in_order(part: Any) -> Any:
    """Return weights with the gates in the order enter, forget, out, new; of the first three half."""
    enter, forget, new, out = np.split(np.asarray(part, np.float64), 4)
    return np.concatenate([enter * 0.5, forget * 0.5, out * 0.5, new])
