"""Layers that networks share: exact matrix products, LSTMs over packed batches, and readers of words.

A sum of floating-point numbers depends on the order of its terms, and a BLAS chooses the order by the shape of a
product and by the processor. Where every term is a whole number of the same small step, and no sum of magnitudes
reaches what the format holds exactly (2^24 steps in single precision, 2^53 in double), nothing is rounded, so the
order does not matter. Activations are rounded to such steps, weights once when a network is loaded, with the finest
power of two that keeps the sums within the limit, for each row of a matrix by itself.

Products of bytes are about twice as fast as those in single precision. An activation is rounded to a 127th of its
bound, a weight to a 127th of the largest of its row (Jacob et al. 2018, Quantization and Training of Neural
Networks for Efficient Integer-Arithmetic-Only Inference, section 2.1; here after training). They sum exactly in 32
bits.

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
    """A format of numbers, and how finely activations are rounded in it.

    Attributes:
        dtype: The format.
        held: Bits of a whole number that it holds exactly.
        bits: Steps of an activation from zero to its bound, as a power of two.
    """

    dtype: Any
    held: int
    bits: int


SINGLE = Precision(np.float32, 24, 9)
DOUBLE = Precision(np.float64, 53, 24)
"""Slower, and as good as no rounding: for small networks whose every decision depends on the one before."""
_ROWS = 256
"""Rows that are computed at a time: their sums stay in the processor's cache."""


class Rounding:
    """Rounds activations to steps.

    Args:
        bound: Largest magnitude, a power of two; None where it is not known, and each row has its own step.
        precision: The format of the activations, and their steps.
    """

    def __init__(self, bound: float | None, precision: Precision = SINGLE) -> None:
        self.precision = precision
        self._shift = None if bound is None else _shift(precision.dtype(bound), precision)

    def __call__(self, values: Any) -> Any:
        """Round values in place; the last axis is that of a row."""
        shift = self._shift if self._shift is not None else _shift(_bounds(values), self.precision)
        values += shift
        values -= shift
        return values


class Linear:
    """Linear layers over the same rounded activations, of shape ``(rows, size)`` to ``(planes, rows, columns)``.

    The values of each layer, a plane, lie together in memory: what is then done to them one by one takes a third of
    the time.

    Args:
        weight: Of one layer after the other, shape ``(planes * columns, size)``.
        bias: Shape ``(planes * columns,)``; None for none.
        bound: Largest magnitude an activation has, a power of two; None where each row has its own.
        precision: The format of activations and values.
        planes: How many layers; 0 for one whose values have the shape ``(rows, columns)``.
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
        """Return the values for rows of activations; the rows stay as they are."""
        return self.of_rounded(self.round(np.array(rows, self.precision.dtype)))

    def of_rounded(self, rows: Any) -> Any:
        """Return the values for rows that ``round`` has rounded."""
        result = np.empty((self.planes or 1, len(rows), self._weight.shape[2]), self.precision.dtype)
        for start in range(0, len(rows), _ROWS):
            out = result[:, start : start + _ROWS]
            self.compute(rows[start : start + _ROWS], out)
            if self._bias is not None:
                out += self._bias
        return result if self.planes else result[0]

    def compute(self, rows: Any, out: Any) -> None:
        """Compute the values of rounded rows without the bias; ``out``: shape ``(planes, rows, columns)``."""
        np.matmul(rows, self._weight, out=out)


def rounded_weights(weight: Any, precision: Precision = SINGLE, common: bool = False) -> Any:
    """Return weights in whole steps by which rounded activations can be multiplied without rounding.

    Args:
        weight: Shape ``(columns, terms)``.
        precision: The format of activations and values.
        common: Whether all steps have the same size. What they make of a rounded row are then 24-bit numbers of
            steps: up to 512 of them, each times a number of 20 bits, sum in double precision without rounding.

    Returns:
        Shape ``(terms, columns)``; the magnitudes of each column sum to what is held exactly.
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
    """Return the matrix product in double precision, both sides rounded so that sums are exact.

    Rows of the first and columns of the second side are rounded each by itself, to 21 to 23 bits.

    Args:
        first: Shape ``(…, rows, size)``.
        second: Shape ``(…, size, columns)``.
    """
    bits = (DOUBLE.held - max(1, first.shape[-1]).bit_length()) // 2
    return rounded(first, -1, bits) @ rounded(second, -2, bits)


def rounded(values: Any, axis: int = -1, bits: int = 20) -> Any:
    """Return numbers in double precision, along an axis in steps, 2^bits from zero to the largest magnitude."""
    # As long as a format holds the steps and the shift it rounds alike; of the smaller one there is less to read.
    precision = SINGLE if values.dtype == np.float32 and bits <= SINGLE.held - 4 else DOUBLE
    table = np.array(values, precision.dtype)
    shift = _shift(_bounds(table, axis), precision._replace(bits=bits))
    table += shift
    table -= shift
    return table.astype(np.float64, copy=False)


def _bounds(values: Any, axis: int = -1) -> Any:
    """Return the largest magnitude of each row, one axis of size 1 in place of the row."""
    return np.abs(values).max(axis=axis, initial=0, keepdims=True)


def _shift(bound: Any, precision: Precision) -> Any:
    """Return what, added to a number and taken away again, rounds it to a step of ``bound / 2 ** bits`` or below.

    Sums near the shift have the step for their last bit. The bound's next power of two counts.
    """
    mantissa, exponent = np.frexp(bound)
    exponent = np.where(mantissa == 0.5, exponent - 1, exponent)  # a power of two is its own bound
    shift = np.ldexp(precision.dtype(1.5), exponent + (precision.held - 1 - precision.bits))
    return shift.astype(precision.dtype)


# Bytes

_STEPS = 127
"""Steps from zero to the bound of an activation, and to the largest weight of a row."""
_BYTE_ROWS = 128
_TRIED = 37
"""Rows of the trial of a machine: odd, and more than a kernel takes at a time."""


def to_bytes(values: Any, bound: float) -> Any:
    """Return activations as bytes, in steps.

    Args:
        values: Of magnitudes up to the bound.
        bound: Above zero.
    """
    steps = values * np.float32(_STEPS / bound)
    return np.rint(steps, out=steps).astype(np.int8)


class ByteLinear:
    """Linear layers over the same activations in bytes: ``(rows, size)`` to ``(planes, rows, columns)``.

    NumKong has kernels for each kind of processor. Those of this machine are tried once for every matrix; where
    they err, numpy multiplies, in a format that holds the sums.

    Attributes:
        bias: What the layers add, shape ``(planes, 1, columns)``; zeros for none.

    Args:
        weight: Of one layer after the other, shape ``(planes * columns, size)``.
        planes: How many layers.
        bias: Shape ``(planes * columns,)``; None for none.
        bound: Of the activations, as ``to_bytes`` takes it.
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
        """Compute the values without the bias.

        Args:
            rows: Activations in bytes, each row in one piece of memory.
            out: Takes the values, shape ``(planes, rows, columns)``.
        """
        sums = self._sums(rows).reshape(len(rows), *self._shape[::2])
        np.multiply(sums.swapaxes(0, 1), self._scale, out=out, dtype=np.float32, casting="unsafe")

    def _sums(self, rows: Any) -> Any:
        """Return the products with the weights, whole numbers, shape ``(rows, planes * columns)``."""
        if self._exact is not None:
            return rows.astype(self._exact.dtype) @ self._exact
        sums = np.empty((len(rows), self.bias.size), np.int32)
        if len(rows):
            numkong.dots_packed(rows, self._packed, out=numkong.from_dlpack(sums))
        return sums


GATES = 4
"""Of a cell: enter, forget, out and new."""
WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
"""What torch calls the weights of a cell."""


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
        """Return the vectors of packed places in the order of the sequences, one sequence after the other."""
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
    ends = [end for end in ("", "_reverse") if f"{prefix}weight_ih_l{layer}{end}" in state]
    return [tuple(state[f"{prefix}{name}_l{layer}{end}"] for name in WEIGHTS) for end in ends]


def _gates_in_order(part: Any) -> Any:
    """Return weights with the gates in the order enter, forget, out, new; of the first three half."""
    enter, forget, new, out = np.split(np.asarray(part, np.float64), GATES)
    return np.concatenate([enter * 0.5, forget * 0.5, out * 0.5, new])


ROOT_FORM = ""
"""Stands for the root before the first word, which a parser reads as a word of its own."""
BOUND = 2.0
"""Largest magnitude of an output: a hidden state and a gated tanh, each below 1."""
READS_WORDS = {
    "pretrain": None, "charlm": None, "bert_model": None, "use_peft": None, "char_bidirectional": None,
    "char_num_layers": 1,
}  # fmt: skip
"""Settings of networks that can be read word by word: no parts but embeddings and characters of their own."""
_CELLS = 8_000
"""Characters that are read at a time."""
_KEPT = 30_000
"""Words whose characters are remembered."""
_QUESTIONS = frozenset("?\uff1f\ufe16\ufe56\u2047")
_MARKS = _QUESTIONS | frozenset("!\uff01\ufe15\ufe57\u203c")
_Key = TypeVar("_Key", bound=Hashable)
_Found = TypeVar("_Found")


def simple_mark(form: str) -> str:
    """Return ``?`` or ``!`` for a run of such marks, which is how Stanza's taggers and parsers read it."""
    if len(form) < 2 or not _MARKS.issuperset(form):
        return form
    return "?" if form[0] in _QUESTIONS else "!"


class Memory(Generic[_Key, _Found]):
    """Finds things once; threads may share it.

    Args:
        find: Finds what belongs to some keys, in their order.
        most: Keys that are remembered: memory stays bounded on endless input.
    """

    def __init__(self, find: Callable[[list[_Key]], Iterable[_Found]], most: int) -> None:
        self._find, self._most = find, most
        self._known: dict[_Key, _Found] = {}

    def __call__(self, keys: Iterable[_Key]) -> dict[_Key, _Found]:
        """Return what belongs to the keys, and maybe to others."""
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
    """What a network's character model makes of words; threads may share it.

    Args:
        state: Arrays by their names.
        vocabulary: The characters.
        root: Number of the character that stands for the root.
    """

    def __init__(self, state: Mapping[str, Any], vocabulary: Vocabulary, root: int) -> None:
        hidden, cell = (state[f"charmodel.charlstm_{kind}_init"][:, 0] for kind in ("h", "c"))
        self._lstm = ByteLSTM(directions(state, "charmodel.charlstm.lstm."), hidden, cell)
        self._attention = Linear(state["charmodel.char_attn.weight"])
        self._characters = self._lstm.project(state["charmodel.char_emb.weight"])
        self._vocabulary, self._root = vocabulary, root
        self._memory = Memory(self._read, _KEPT)

    def vectors(self, forms: Sequence[str]) -> Any:
        """Return the vector of each form, shape ``(forms, size)``; those not seen before are read."""
        known = self._memory(forms)
        return np.array([known[form] for form in forms], np.float32).reshape(-1, self._lstm.size)

    def _read(self, forms: Sequence[str]) -> Any:
        ids = [self._vocabulary.numbers(form) if form != ROOT_FORM else [self._root] for form in forms]
        vectors = np.empty((len(ids), self._lstm.size), np.float32)
        for rows in batches(list(map(len, ids)), _CELLS):
            vectors[rows] = self._sums([ids[row] for row in rows])
        return vectors

    def _sums(self, ids: Sequence[Sequence[int]]) -> Any:
        """Return the vectors of words given by their characters, longest first: weighted sums over them."""
        packing = Packing(list(map(len, ids)))
        characters = np.array([number for word in ids for number in word])[packing.order]
        (outputs,), _ = self._lstm.run(self._characters, [characters], packing.sizes)
        weights = np.tanh(self._attention(outputs) * np.float32(0.5))
        outputs *= weights * np.float32(0.5) + np.float32(0.5)
        sums = np.zeros((len(ids), self._lstm.size), np.float32)
        stop = 0
        for count in packing.sizes:  # one after the other: the same order for every word
            start, stop = stop, stop + count
            sums[:count] += outputs[start:stop]
        return sums


Projection = tuple[list[Any], Any]
"""What a layer computes of its inputs before it looks at their neighbours: for each direction what they add to the
gates, shape ``(4, rows, size)``, and what passes the LSTM by, shape ``(rows, 2 * size)``."""


class HighwayLSTM:
    """Bidirectional layers, each adding a gated function of its inputs to its LSTM's outputs.

    The first layer reads vectors in single precision, those of each distinct word once; the others read the outputs
    before them in bytes. Its inputs are concatenated parts, such as the embedding of a word and the vector of its
    characters, each projected by itself: a part may be made of other vectors by a matrix, which is multiplied into
    the weights.

    Args:
        state: Arrays by their names.
        name: Name of the network, such as ``taggerlstm``.
        parts: For each part of the inputs its size, and the matrix that makes it of other vectors, of shape
            ``(size, other size)``, or None.
    """

    # Finer than bytes: what the last layer says is what decides.
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
        """Return what the first layer computes of each input.

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
            projection: What ``project`` returns.
            rows: For each packed place its row of the projection.
            packing: The order of the places.

        Returns:
            Shape ``(places, 2 * size)`` in packed order, rounded as ``Linear`` with ``BOUND`` rounds.
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
    """Return the LSTM of a layer, and weight and bias of the gate and the function that pass it by."""
    hidden, cell = (state[f"{name}_{kind}_init"][2 * number : 2 * number + 2, 0] for kind in ("h", "c"))
    lstm = ByteLSTM(directions(state, f"{name}.lstm.{number}.lstm."), hidden, cell, bound)
    # A logistic function is a tanh of half its argument.
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
    """Return the outputs of a layer.

    Args:
        skip: What passes its LSTM by, shape ``(places, 2 * size)``; overwritten.
        states: Of both directions, each in the order in which it reads.
        packing: The order of the places.
    """
    forward, backward = states
    size = forward.shape[1]
    skip[:, :size] += forward
    skip[:, size:] += np.take(backward, packing.reversal, axis=0)
    return skip


def _gated(values: Any) -> Any:
    """Return the product of a gate and a function, given the arguments of both, shape ``(2, rows, size)``."""
    gate, function = np.tanh(values, out=values)
    gate += 1
    gate *= 0.5
    gate *= function
    return gate
