"""Layers shared by the networks: exact matrix products, LSTMs over packed batches, and vectors of words.

A sum of floating-point numbers depends on the order of its terms, and a BLAS library chooses the order by the
shape of a product and by the processor. If every term is a multiple of the same small step, and no sum of
magnitudes exceeds what the format holds exactly (2^24 steps in single precision, 2^53 in double), then no sum
is rounded and the order does not matter. Activations are therefore rounded to such steps when computed. Weights
are rounded once, when a network is loaded: the step of each row of a matrix is the smallest power of two that
keeps its sums within the limit.

Products of bytes are about twice as fast as products in single precision. An activation is rounded to multiples
of a 127th of its bound, a weight to multiples of a 127th of the largest of its row (Jacob et al. 2018,
Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference, section 2.1; here
after training). Their products sum exactly in 32 bits.

Highway LSTM: Zhang et al. 2016, Highway Long Short-Term Memory RNNs for Distant Speech Recognition.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

import numkong
import numpy as np

from jperrant.compact.weights import Vocabulary


class Precision(NamedTuple):
    """A floating-point format, and how finely activations are rounded in it.

    Attributes:
        dtype: The numpy type of the format.
        held: The bits of the whole numbers that it holds exactly.
        bits: The steps of an activation from zero to its bound, as a power of two.
    """

    dtype: Any
    held: int
    bits: int


SINGLE = Precision(np.float32, 24, 9)
DOUBLE = Precision(np.float64, 53, 24)
"""Slower, but practically without rounding: for small networks whose decisions depend on earlier ones."""
_ROWS = 256
"""The rows that are computed at a time, so that their sums stay in the processor's cache."""


class Rounding:
    """Rounds activations to steps.

    Args:
        bound: The largest magnitude, a power of two; None if unknown, and then each row has a step of its own.
        precision: The format of the activations, and the number of steps.
    """

    def __init__(self, bound: float | None, precision: Precision = SINGLE) -> None:
        self.precision = precision
        self._shift = None if bound is None else _shift(precision.dtype(bound), precision)

    def __call__(self, values: Any) -> Any:
        """Round values in place; rows are along the last axis."""
        shift = self._shift if self._shift is not None else _shift(_bounds(values), self.precision)
        values += shift
        values -= shift
        return values


class Linear:
    """Linear layers over the same rounded activations: ``(rows, size)`` to ``(planes, rows, columns)``.

    The values of each layer (a plane) are contiguous in memory, so that elementwise operations on them take a
    third of the time.

    Args:
        weight: The weights of the layers, concatenated, shape ``(planes * columns, size)``.
        bias: Shape ``(planes * columns,)``; None for none.
        bound: The largest magnitude of an activation, a power of two; None if each row has a bound of its own.
        precision: The format of activations and values.
        planes: The number of layers; 0 for one layer with values of shape ``(rows, columns)``.
    """

    def __init__(
        self,
        weight: Any,
        bias: Any = None,
        bound: float | None = 1.0,
        precision: Precision = SINGLE,
        planes: int = 0,
    ) -> None:
        self.precision, self.planes = precision, planes
        self.round = Rounding(bound, precision)
        by_plane = rounded_weights(weight, precision).reshape(weight.shape[1], planes or 1, -1)
        self._weight = np.ascontiguousarray(by_plane.swapaxes(0, 1))
        self._bias = None if bias is None else np.asarray(bias, precision.dtype).reshape(planes or 1, 1, -1)

    def __call__(self, rows: Any) -> Any:
        """Return the values for rows of activations; the rows are not changed."""
        return self.of_rounded(self.round(np.array(rows, self.precision.dtype)))

    def of_rounded(self, rows: Any) -> Any:
        """Return the values for rows that are already rounded by ``round``."""
        result = np.empty((self.planes or 1, len(rows), self._weight.shape[2]), self.precision.dtype)
        for start in range(0, len(rows), _ROWS):
            out = result[:, start : start + _ROWS]
            self.compute(rows[start : start + _ROWS], out)
            if self._bias is not None:
                out += self._bias
        return result if self.planes else result[0]

    def compute(self, rows: Any, out: Any) -> None:
        """Write the values for rounded rows, without the bias, to ``out``, shape ``(planes, rows, columns)``."""
        np.matmul(rows, self._weight, out=out)


def rounded_weights(weight: Any, precision: Precision = SINGLE, common: bool = False) -> Any:
    """Round weights so that their products with rounded activations sum without rounding.

    Args:
        weight: Shape ``(columns, terms)``.
        precision: The format of activations and values.
        common: Whether all rows share one step. The values for a rounded row are then 24-bit multiples of it:
            up to 512 of them, each times a number of 20 bits, sum in double precision without rounding.

    Returns:
        Shape ``(terms, columns)``; the magnitudes of each column sum to no more than is held exactly.
    """
    table = np.asarray(weight, np.float64)
    most = 2.0 ** (precision.held - precision.bits)
    total = np.abs(table).sum(axis=1, keepdims=True)
    exponent = np.frexp(most / np.where(total > 0, total, 1))[1] - 1  # the power of two at or below
    steps = np.rint(np.ldexp(table, exponent))
    exponent -= np.abs(steps).sum(axis=1, keepdims=True) > most
    if common:
        exponent = exponent.min()
    steps = np.rint(np.ldexp(table, exponent))
    return np.ascontiguousarray(np.ldexp(steps, -exponent).T, precision.dtype)


def product(first: Any, second: Any) -> Any:
    """Return the matrix product in double precision, with both factors rounded so that sums are exact.

    Each row of the first and each column of the second factor is rounded by itself, to 21 to 23 bits.

    Args:
        first: Shape ``(…, rows, size)``.
        second: Shape ``(…, size, columns)``.
    """
    bits = (DOUBLE.held - max(1, first.shape[-1]).bit_length()) // 2
    return rounded(first, -1, bits) @ rounded(second, -2, bits)


def rounded(values: Any, axis: int = -1, bits: int = 20) -> Any:
    """Round numbers along an axis to 2^bits steps up to the largest magnitude; return double precision."""
    # Both formats give the same result if they hold the steps and the shift; single precision is faster to
    # read.
    precision = SINGLE if values.dtype == np.float32 and bits <= SINGLE.held - 4 else DOUBLE
    table = np.array(values, precision.dtype)
    shift = _shift(_bounds(table, axis), precision._replace(bits=bits))
    table += shift
    table -= shift
    return table.astype(np.float64, copy=False)


def _bounds(values: Any, axis: int = -1) -> Any:
    """Return the largest magnitude of each row; the axis of the row keeps size 1."""
    return np.abs(values).max(axis=axis, initial=0, keepdims=True)


def _shift(bound: Any, precision: Precision) -> Any:
    """Return the number whose addition and subtraction rounds to steps of ``bound / 2 ** bits``.

    The last bit of a number near the shift is worth one step. The bound is first raised to the next power of
    two.
    """
    mantissa, exponent = np.frexp(bound)
    exponent = np.where(mantissa == 0.5, exponent - 1, exponent)  # a power of two is not raised
    shift = np.ldexp(precision.dtype(1.5), exponent + (precision.held - 1 - precision.bits))
    return shift.astype(precision.dtype)


# Bytes

_STEPS = 127
"""The steps from zero to the bound of an activation, or to the largest weight of a row."""
_BYTE_ROWS = 128
_TRIED = 37
"""The rows with which a kernel is tried: odd, and more than a kernel takes at a time."""


def to_bytes(values: Any, bound: float) -> Any:
    """Round activations to bytes: multiples of a 127th of the bound.

    Args:
        values: Activations, with magnitudes up to the bound.
        bound: The largest magnitude, above zero.
    """
    steps = values * np.float32(_STEPS / bound)
    return np.rint(steps, out=steps).astype(np.int8)


class ByteLinear:
    """Linear layers over the same activations in bytes: ``(rows, size)`` to ``(planes, rows, columns)``.

    NumKong has kernels for each kind of processor. This machine's kernel is tried once on each matrix; if its
    result is wrong, numpy multiplies instead, in a format that holds the sums.

    Attributes:
        bias: The bias of the layers, shape ``(planes, 1, columns)``; zeros if there is none.

    Args:
        weight: The weights of the layers, concatenated, shape ``(planes * columns, size)``.
        planes: The number of layers.
        bias: Shape ``(planes * columns,)``; None for none.
        bound: The bound of the activations, as for ``to_bytes``.
    """

    def __init__(self, weight: Any, planes: int, bias: Any = None, bound: float = 1.0) -> None:
        table = np.asarray(weight, np.float64)
        largest = np.abs(table).max(axis=1, initial=0, keepdims=True)
        step = np.where(largest > 0, largest, 1) / _STEPS
        self._shape = (planes, 1, -1)
        self._scale = np.asarray(step * (bound / _STEPS), np.float32).reshape(self._shape)
        self.bias = np.asarray(np.zeros(len(table)) if bias is None else bias, np.float32).reshape(
            self._shape
        )
        weights = np.rint(table / step).astype(np.int8)
        self._packed = numkong.dots_pack(weights)
        held = np.float32 if table.shape[1] * _STEPS**2 <= 2**SINGLE.held else np.float64
        self._exact, exact = None, weights.T.astype(held)
        rows: Any = (np.arange(_TRIED * len(exact)) * 7919 % 255 - _STEPS).astype(np.int8).reshape(_TRIED, -1)
        if not np.array_equal(self._sums(rows), rows.astype(held) @ exact):
            self._exact = exact

    def __call__(self, rows: Any) -> Any:
        """Return the values for activations in bytes."""
        values = np.empty((self._shape[0], len(rows), self.bias.shape[2]), np.float32)
        for start in range(0, len(rows), _BYTE_ROWS):
            out = values[:, start : start + _BYTE_ROWS]
            self.compute(rows[start : start + _BYTE_ROWS], out)
            out += self.bias
        return values

    def compute(self, rows: Any, out: Any) -> None:
        """Compute the values without the bias, in place.

        Args:
            rows: Activations in bytes, each row contiguous in memory.
            out: Receives the values, shape ``(planes, rows, columns)``.
        """
        sums = self._sums(rows).reshape(len(rows), *self._shape[::2])
        np.multiply(sums.swapaxes(0, 1), self._scale, out=out, dtype=np.float32, casting="unsafe")

    def _sums(self, rows: Any) -> Any:
        """Return the integer products with the weights, shape ``(rows, planes * columns)``."""
        if self._exact is not None:
            return rows.astype(self._exact.dtype) @ self._exact
        sums = np.empty((len(rows), self.bias.size), np.int32)
        if len(rows):
            numkong.dots_packed(rows, self._packed, out=numkong.from_dlpack(sums))
        return sums


GATES = 4
"""The gates of a cell: enter (input), forget, out (output) and new (candidate)."""
WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
"""The names of a cell's weights in torch."""


def batches(lengths: Sequence[int], most: int, sequences: int = 1 << 20) -> list[list[int]]:
    """Group sequences of similar length, longest first; empty sequences are left out.

    Args:
        lengths: The length of each sequence.
        most: The largest sum of lengths in a batch; a longer sequence is a batch of its own.
        sequences: The most sequences in a batch.
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
    """The order in which the places of sequences are computed: all first places, then all second ones, ...

    Attributes:
        sizes: The number of sequences that reach each step, in descending order.
        order: For each packed place, its place in the concatenated sequences, shape ``(places,)``.
        reversal: For each packed place, the place that replaces it when each sequence is read backwards; its
            own inverse, same shape.
        last: The packed place of the last element of each sequence, shape ``(sequences,)``.
    """

    def __init__(self, lengths: Sequence[int]) -> None:
        """Order sequences of the given lengths, which are at least 1 and in descending order."""
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
        """Reorder the vectors of packed places to the order of the concatenated sequences."""
        rows = np.empty_like(packed)
        rows[self.order] = packed
        return rows


class LSTM:
    """An LSTM layer in one or both directions.

    Attributes:
        size: The size of a hidden state.
        entering: For each direction the weight of the inputs and the bias, with gates in the order of
            ``GATES``.

    Args:
        weights: For each direction ``weight_ih``, ``weight_hh``, ``bias_ih`` and ``bias_hh`` as in torch, with
            the gates enter, forget, new and out concatenated; shapes ``(4 * size, inputs)``,
            ``(4 * size, size)`` and ``(4 * size,)``.
        bound: The largest magnitude of an input, as for ``Linear``.
        hidden: The initial hidden states, shape ``(directions, size)``; None for zeros.
        cell: The initial cell states, same shape.
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
        # The product needs hidden states within ±1, the range of all later ones; a useful initial state is
        # within it.
        first = np.clip(np.array(zeros if hidden is None else hidden, precision.dtype), -1, 1)
        self._hidden = self._rounding(first)
        self._cell = zeros if cell is None else np.asarray(cell, precision.dtype)
        self.entering = [(enter, first + second) for enter, _, first, second in gates]
        self._recurrent = [
            self._layer(again, *entering)
            for (_, again, _, _), entering in zip(gates, self.entering, strict=True)
        ]

    def _layer(self, weight: Any, entering: Any, bias: Any) -> Any:  # noqa: ARG002
        """Return the layer that multiplies hidden states; subclasses may add the inputs to it."""
        return Linear(weight, None, 1.0, self.precision, GATES)

    def _multiply(self, number: int, hidden: Any, gates: Any) -> None:
        """Compute the contribution of hidden states to the gates of a direction, in place."""
        self._recurrent[number].compute(hidden, gates)

    def _round(self, hidden: Any) -> None:
        """Round hidden states in place, so that they can be multiplied exactly."""
        self._rounding(hidden)

    @cached_property
    def _projections(self) -> list[Linear]:
        return [Linear(weight, bias, self._bound, self.precision, GATES) for weight, bias in self.entering]

    def project(self, rows: Any) -> list[Any]:
        """Return the contribution of inputs to the gates: for each direction, shape ``(4, rows, size)``."""
        return [projection(rows) for projection in self._projections]

    def run(self, projected: Sequence[Any], places: Sequence[Any], sizes: Sequence[int]) -> tuple[Any, Any]:
        """Run over a packed batch.

        Args:
            projected: For each direction the result of ``project`` for some rows.
            places: For each direction the row of each packed place, in reading order.
            sizes: Sequences that have each step.

        Returns:
            The hidden states in the reading order of each direction, rounded to steps, shape
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
            rows: The inputs, shape ``(rows, inputs)``.
            taken: The row of each packed place.
            packing: The order of the places.

        Returns:
            The hidden states of both directions for each packed place, shape ``(places, 2 * size)``; the last
                hidden states of each sequence, backward direction first, and the last cell states, both of
                shape ``(sequences, 2 * size)``.
        """
        places = [taken, taken[packing.reversal]]
        (first, second), cells = self.run(self.project(rows), places, packing.sizes)
        states = np.concatenate([first, second[packing.reversal]], axis=1)
        last = np.concatenate([second[packing.last], first[packing.last]], axis=1)
        return states, last, np.concatenate([cells[1], cells[0]], axis=1)

    def advance(self, gates: Any, cells: Any, hidden: Any) -> None:
        """Advance a one-directional layer by one step, updating the states in place.

        Args:
            gates: The contribution of inputs to the gates, shape ``(4, sequences, size)``.
            cells: Cell states, shape ``(sequences, size)``.
            hidden: Hidden states, rounded as by ``run``, same shape.
        """
        again = np.empty_like(gates)
        self._multiply(0, hidden, again)
        again += gates
        self._step(again[None], cells[None], hidden[None])

    def _run(
        self, fill: Callable[[int, Any, slice, Any], None], directions: int, sizes: Sequence[int]
    ) -> tuple[Any, Any]:
        """Run over a packed batch; the core of ``run``.

        Args:
            fill: Computes the gates of a step in place. It gets the number of the direction, the hidden states
                before the step, shape ``(sequences, size)``, the packed places of the step, and the gates,
                shape ``(4, sequences, size)``.
            directions: The number of directions.
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
        """Compute the next states in place, given the gates before activation."""
        np.tanh(gates, out=gates)
        # logistic(x) = (1 + tanh(x / 2)) / 2. The weights already contain the inner half; the outer half is
        # applied to the products below, which is exact and takes fewer operations.
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
    """An LSTM that multiplies its hidden states, and optionally its inputs, as bytes.

    The states that it returns are not rounded.

    Args:
        weights, hidden, cell: As for ``LSTM``.
        bound: The bound of inputs in bytes, for ``run_over``; None for inputs from ``project``, for ``run``.
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
        # Hidden states have bound 1; scaling the inputs' weights by their bound gives both the same step.
        return ByteLinear(np.concatenate([weight, entering * self._byte_bound], axis=1), GATES, bias)

    def _multiply(self, number: int, hidden: Any, gates: Any) -> None:
        self._recurrent[number].compute(to_bytes(hidden, 1.0), gates)

    def _round(self, hidden: Any) -> None:
        """Do nothing: hidden states are rounded when they are multiplied."""

    def run_over(self, rows: Any, places: Sequence[Any], sizes: Sequence[int]) -> tuple[Any, Any]:
        """Run over a packed batch of inputs in bytes, with one product per step for hidden states and inputs.

        Args:
            rows: The inputs, shape ``(rows, inputs)``.
            places, sizes: As for ``run``.

        Returns:
            As for ``run``.
        """

        def fill(number: int, hidden: Any, packed: slice, gates: Any) -> None:
            layer = self._recurrent[number]
            layer.compute(
                np.concatenate([to_bytes(hidden, 1.0), rows[places[number][packed]]], axis=1), gates
            )
            gates += layer.bias

        return self._run(fill, len(places), sizes)


def directions(state: Mapping[str, Any], prefix: str, layer: int = 0) -> list[tuple[Any, ...]]:
    """Return the weights of a layer of ``nn.LSTM``, one tuple per direction.

    Args:
        state: The arrays of the model by name.
        prefix: The prefix of the names, such as ``encoder.``.
        layer: The number of the layer, from 0.
    """
    ends = [end for end in ("", "_reverse") if f"{prefix}weight_ih_l{layer}{end}" in state]
    return [tuple(state[f"{prefix}{name}_l{layer}{end}"] for name in WEIGHTS) for end in ends]


def _gates_in_order(part: Any) -> Any:
    """Reorder the gates of weights to enter, forget, out, new, and halve the first three."""
    enter, forget, new, out = np.split(np.asarray(part, np.float64), GATES)
    return np.concatenate([enter * 0.5, forget * 0.5, out * 0.5, new])


ROOT_FORM = ""
"""The form of the root, which a parser reads as a word before the first one."""
BOUND = 2.0
"""The largest magnitude of a highway output: the sum of a hidden state and a gated tanh, each below 1."""
READS_WORDS = {
    "pretrain": None, "charlm": None, "bert_model": None, "use_peft": None, "char_bidirectional": None,
    "char_num_layers": 1,
}  # fmt: skip
"""Settings of networks whose inputs depend on the word alone: embeddings and characters, no language models."""
_CELLS = 8_000
"""The characters that are read at a time."""
_KEPT = 30_000
"""The most words whose character vectors are cached."""
_QUESTIONS = frozenset("?\uff1f\ufe16\ufe56\u2047")
_MARKS = _QUESTIONS | frozenset("!\uff01\ufe15\ufe57\u203c")
_Key = TypeVar("_Key", bound=Hashable)
_Found = TypeVar("_Found")


def simple_mark(form: str) -> str:
    """Reduce a run of question and exclamation marks to its first mark, as Stanza's taggers and parsers do."""
    if len(form) < 2 or not _MARKS.issuperset(form):
        return form
    return "?" if form[0] in _QUESTIONS else "!"


class Memory(Generic[_Key, _Found]):
    """A cache of a function from keys to values; thread-safe.

    Args:
        find: Returns the values of some keys, in their order.
        most: The most keys that are cached, so that memory stays bounded on endless input.
    """

    def __init__(self, find: Callable[[list[_Key]], Iterable[_Found]], most: int) -> None:
        self._find, self._most = find, most
        self._known: dict[_Key, _Found] = {}

    def __call__(self, keys: Iterable[_Key]) -> dict[_Key, _Found]:
        """Return a mapping with the values of the keys, and possibly of other keys."""
        distinct = list(dict.fromkeys(keys))
        known = self._known
        new = [key for key in distinct if key not in known]
        if len(known) + len(new) > self._most:
            known, new = {}, distinct
        if new:
            known.update(zip(new, self._find(new), strict=True))
        self._known = known
        return known


class CharacterVectors:
    """The character model of a network: vectors of words from their characters; thread-safe.

    Args:
        state: The arrays of the model by name.
        vocabulary: The characters.
        root: The number of the character that stands for the root.
    """

    def __init__(self, state: Mapping[str, Any], vocabulary: Vocabulary, root: int) -> None:
        hidden, cell = (state[f"charmodel.charlstm_{kind}_init"][:, 0] for kind in ("h", "c"))
        self._lstm = ByteLSTM(directions(state, "charmodel.charlstm.lstm."), hidden, cell)
        self._attention = Linear(state["charmodel.char_attn.weight"])
        self._characters = self._lstm.project(state["charmodel.char_emb.weight"])
        self._vocabulary, self._root = vocabulary, root
        self._memory = Memory(self._read, _KEPT)

    def vectors(self, forms: Sequence[str]) -> Any:
        """Return the vector of each form, shape ``(forms, size)``."""
        known = self._memory(forms)
        return np.array([known[form] for form in forms], np.float32).reshape(-1, self._lstm.size)

    def _read(self, forms: Sequence[str]) -> Any:
        ids = [self._vocabulary.numbers(form) if form != ROOT_FORM else [self._root] for form in forms]
        vectors = np.empty((len(ids), self._lstm.size), np.float32)
        for rows in batches(list(map(len, ids)), _CELLS):
            vectors[rows] = self._sums([ids[row] for row in rows])
        return vectors

    def _sums(self, ids: Sequence[Sequence[int]]) -> Any:
        """Return the vectors of words, longest first: attention-weighted sums over their characters."""
        packing = Packing(list(map(len, ids)))
        characters = np.array([number for word in ids for number in word])[packing.order]
        (outputs,), _ = self._lstm.run(self._characters, [characters], packing.sizes)
        weights = np.tanh(self._attention(outputs) * np.float32(0.5))
        outputs *= weights * np.float32(0.5) + np.float32(0.5)
        sums = np.zeros((len(ids), self._lstm.size), np.float32)
        stop = 0
        for count in packing.sizes:  # in sequence, so that every word sums in the same order
            start, stop = stop, stop + count
            sums[:count] += outputs[start:stop]
        return sums


Projection = tuple[list[Any], Any]
"""For each direction the inputs' contribution to the gates, shape ``(4, rows, size)``; the highway values, shape
``(rows, 2 * size)``."""


class HighwayLSTM:
    """Bidirectional LSTM layers, each adding a gated function of its inputs to its outputs.

    The first layer reads vectors in single precision, once for each distinct word; the further layers read the
    outputs of the layer below in bytes. The inputs are concatenated parts, such as the embedding of a word and
    the vector of its characters, and each part is projected by itself. A part may be the product of a matrix
    and other vectors; the matrix is then multiplied into the weights.

    Args:
        state: The arrays of the model by name.
        name: The name of the network, such as ``taggerlstm``.
        parts: For each part of the inputs its size, and the matrix that it is multiplied by, of shape
            ``(size, other size)``, or None.
    """

    # Finer than bytes, as the outputs of the last layer decide.
    _round = Rounding(BOUND)

    def __init__(self, state: Mapping[str, Any], name: str, parts: Sequence[tuple[int, Any]]) -> None:
        self._first, skip = _layer(state, name, 0, None)
        self._parts, start = [], 0
        for number, (size, matrix) in enumerate(parts):
            layers = []
            for planes, (weight, bias) in zip((GATES, GATES, 2), [*self._first.entering, skip], strict=True):
                of_part = weight[:, start : start + size]
                if matrix is not None:
                    of_part = product(of_part, matrix)
                layers.append(Linear(of_part, None if number else bias, None, SINGLE, planes))
            self._parts.append(layers)
            start += size
        if start != skip[0].shape[1]:
            raise ValueError(f"inputs of {skip[0].shape[1]} numbers, expected {start}")
        self._further = []
        for number in range(1, len(state[f"{name}_h_init"]) // 2):
            lstm, (weight, bias) = _layer(state, name, number, BOUND)
            self._further.append((lstm, ByteLinear(weight, 2, bias, BOUND)))

    def project(self, parts: Sequence[Any]) -> Projection:
        """Return the values of the first layer that depend on each input alone.

        Args:
            parts: The vectors of each part, shape ``(rows, size)`` each.
        """
        sums: list[Any] = []
        for layers, vectors in zip(self._parts, parts, strict=True):
            rounded = layers[0].round(np.array(vectors, np.float32))
            values = [layer.of_rounded(rounded) for layer in layers]
            for total, value in zip(sums, values, strict=False):
                total += value
            sums = sums or values
        return sums[:-1], _gated(sums[-1])

    def run(self, projection: Projection, rows: Any, packing: Packing) -> Any:
        """Return the outputs of the last layer for sequences.

        Args:
            projection: The result of ``project``.
            rows: The row of the projection for each packed place.
            packing: The order of the places.

        Returns:
            Shape ``(places, 2 * size)`` in packed order, rounded as by ``Linear`` with ``BOUND``.
        """
        gates, skip = projection
        states, _ = self._first.run(gates, [rows, rows[packing.reversal]], packing.sizes)
        outputs = _joined(np.take(skip, rows, axis=0), states, packing)
        for lstm, passing in self._further:
            inputs = to_bytes(outputs, BOUND)
            states, _ = lstm.run_over(inputs, [np.arange(len(inputs)), packing.reversal], packing.sizes)
            outputs = _joined(_gated(passing(inputs)), states, packing)
        return self._round(outputs)


def _layer(
    state: Mapping[str, Any], name: str, number: int, bound: float | None
) -> tuple[ByteLSTM, tuple[Any, Any]]:
    """Return the LSTM of a layer, and the weight and bias of its highway gate and function."""
    hidden, cell = (state[f"{name}_{kind}_init"][2 * number : 2 * number + 2, 0] for kind in ("h", "c"))
    lstm = ByteLSTM(directions(state, f"{name}.lstm.{number}.lstm."), hidden, cell, bound)
    # The weights of the gate are halved, as logistic(x) = (1 + tanh(x / 2)) / 2.
    weight, bias = (
        np.concatenate(
            [
                np.asarray(state[f"{name}.gate.{number}.{end}"], np.float64) * 0.5,
                state[f"{name}.highway.{number}.{end}"],
            ]
        )
        for end in ("weight", "bias")
    )
    return lstm, (weight, bias)


def _joined(skip: Any, states: Any, packing: Packing) -> Any:
    """Add the highway values and the hidden states of a layer.

    Args:
        skip: The highway values, shape ``(places, 2 * size)``; overwritten.
        states: The hidden states of both directions, each in its reading order.
        packing: The order of the places.
    """
    forward, backward = states
    size = forward.shape[1]
    skip[:, :size] += forward
    skip[:, size:] += np.take(backward, packing.reversal, axis=0)
    return skip


def _gated(values: Any) -> Any:
    """Return the product of gate and function, given both before activation, shape ``(2, rows, size)``."""
    gate, function = np.tanh(values, out=values)
    gate += 1
    gate *= 0.5
    gate *= function
    return gate
