"""Layers in numpy: what torch's compute, and the same bits whatever a row is computed with."""

from __future__ import annotations

from contextlib import suppress

import numkong
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.compact.layers import (
    LSTM,
    SINGLE,
    ByteLinear,
    ByteLSTM,
    Linear,
    Packing,
    directions,
    product,
    to_bytes,
)
from jperrant.compact.weights import OtherFormatError, read_model
from jperrant.core.errors import CorruptModelError
from tests.strategies import examples

from .packages import folder

#: Finer steps than those of the networks, which near what torch computes more closely.
FINE = SINGLE._replace(bits=10)


def chance(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@given(st.integers(0, 99), st.integers(1, 300), st.integers(1, 40), st.sampled_from([None, 1.0, 2.0]))
def test_products_are_exact(seed: int, size: int, rows: int, bound: float | None) -> None:
    """The same product with the terms in another order, and in double precision, has the same bits."""
    draw = chance(seed)
    weight = draw.normal(size=(7, size)) * draw.choice([0.01, 1, 30], size=(7, 1))
    inputs = draw.uniform(-1, 1, (rows, size)).astype(np.float32) * np.float32(
        bound or draw.choice([0.1, 900])
    )
    layer = Linear(weight, bound=bound, precision=FINE)
    (stored,), rounded = layer._weight, layer.round(inputs.copy())
    found = layer(inputs)
    assert np.array_equal(found, rounded.astype(np.float64) @ stored.astype(np.float64))
    order = draw.permutation(size)
    assert np.array_equal(found, rounded[:, order] @ stored[order])
    assert np.array_equal(found[:1], layer(inputs[:1]))
    scale = np.abs(weight).sum(1) * np.abs(inputs).max() + 1e-9
    assert (np.abs(found - inputs.astype(np.float64) @ weight.T) / scale).max() < 0.01


@given(st.integers(0, 99), st.integers(1, 200), st.integers(1, 30))
def test_double_products_are_exact(seed: int, size: int, rows: int) -> None:
    draw = chance(seed)
    first, second = draw.normal(size=(rows, size)), draw.normal(size=(size, 5)) * 100
    found = product(first, second)
    order = draw.permutation(size)
    assert np.array_equal(found, product(first[:, order], second[order]))
    assert np.array_equal(found[:1, :2], product(first[:1], second[:, :2]))
    np.testing.assert_allclose(found, first @ second, atol=1e-2)


# Layers in bytes


def bytes_of(draw: np.random.Generator, *shape: int) -> np.ndarray:
    return draw.integers(-127, 127, shape, np.int8, endpoint=True)


@given(st.integers(0, 99), st.integers(1, 300), st.integers(1, 300), st.sampled_from([1.0, 2.0]))
def test_layers_in_bytes_are_near_those_in_double_precision(
    seed: int, size: int, rows: int, bound: float
) -> None:
    """Near by the two roundings, half a step each; and the same for a row whatever it is computed with."""
    draw = chance(seed)
    weight = draw.normal(size=(3 * 5, size)) * draw.choice([0.01, 30], size=(15, 1))
    bias = draw.normal(size=15)
    inputs = draw.uniform(-bound, bound, (rows, size)).astype(np.float32)
    layer, kept = ByteLinear(weight, 3, bias, bound), inputs.copy()
    found = layer(to_bytes(inputs, bound))
    assert found.shape == (3, rows, 5)
    assert np.array_equal(inputs, kept)
    expected = (inputs.astype(np.float64) @ weight.T + bias).reshape(rows, 3, 5).swapaxes(0, 1)
    largest = np.abs(weight).max(axis=1)
    near = bound * (size * largest / 127) * 1.01 + 1e-5
    assert (np.abs(found - expected) <= near.reshape(3, 1, 5)).all()
    assert np.array_equal(layer(to_bytes(inputs[-1:], bound))[:, 0], found[:, -1])


@given(st.integers(0, 99), st.integers(1, 700), st.integers(0, 130), st.integers(1, 9))
def test_products_of_bytes_are_exact(seed: int, size: int, rows: int, columns: int) -> None:
    draw = chance(seed)
    weight, inputs = bytes_of(draw, columns, size), bytes_of(draw, rows, size)
    weight[0], inputs[:1] = -127, -127  # the largest sum
    weight[:, 0] = -127  # so that a step of each row is 1
    found = ByteLinear(weight, 1)._sums(inputs)
    assert found.dtype == np.int32
    assert np.array_equal(found, inputs.astype(int) @ weight.T.astype(int))


@pytest.mark.parametrize("size", [90, 1500])
def test_a_machine_whose_kernels_err_computes_in_numpy(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = chance(1)
    weight, inputs = np.abs(draw.normal(size=(8, size))), np.abs(bytes_of(draw, 50, size))  # large sums
    expected = ByteLinear(weight, 4)(inputs)
    right = numkong.dots_packed

    def wrong(rows: np.ndarray, packed: object, out: object) -> None:
        right(rows, packed, out=out)
        np.asarray(out)[-1, -1] += 1

    monkeypatch.setattr("numkong.dots_packed", wrong)
    assert np.array_equal(ByteLinear(weight, 4)(inputs), expected)


@pytest.mark.models
@pytest.mark.parametrize(
    ("kind", "near"), [("exact", (2e-3, 4e-3)), ("states in bytes", (2e-2, 4e-2)), ("bytes", (2e-2, 4e-2))]
)
def test_an_lstm_computes_what_torch_does(kind: str, near: tuple[float, float]) -> None:
    """Over inputs in bytes as well, whose bound is another than that of its states."""
    import torch
    from torch.nn.utils.rnn import pack_sequence

    torch.manual_seed(3)
    lstm = torch.nn.LSTM(12, 10, bidirectional=True).requires_grad_(False)
    sequences = [torch.rand(n, 12) * 4 - 2 for n in (9, 7, 7, 2, 1)]
    first = torch.rand(2, 1, 10) - 0.5
    expected, (_, last) = lstm(pack_sequence(sequences), (first.expand(2, 5, 10).contiguous(),) * 2)
    weights = directions({name: part.numpy() for name, part in lstm.named_parameters()}, "")
    begin = {"hidden": first[:, 0].numpy(), "cell": first[:, 0].numpy()}
    exact = LSTM(weights, None, precision=FINE, **begin)
    near_exact = ByteLSTM(weights, bound=2.0 if kind == "bytes" else None, **begin)
    own = exact if kind == "exact" else near_exact

    def run(rows: np.ndarray, places: list[np.ndarray], sizes: list[int]) -> tuple[np.ndarray, np.ndarray]:
        if kind == "bytes":
            return near_exact.run_over(to_bytes(rows, 2.0), places, sizes)
        return own.run(own.project(rows), places, sizes)

    rows, packing = torch.cat(sequences).numpy(), Packing([*map(len, sequences)])
    outputs, cells = run(rows, [packing.order, packing.order[packing.reversal]], packing.sizes)
    found = np.concatenate([outputs[0], outputs[1][packing.reversal]], axis=1)
    np.testing.assert_allclose(found, expected.data.numpy(), atol=near[0])
    np.testing.assert_allclose(cells, last.numpy(), atol=near[1])
    alone, _ = run(rows[:9], [np.arange(9), np.arange(8, -1, -1)], [1] * 9)
    together = np.argsort(packing.order)[:9]
    assert np.array_equal(alone[0], outputs[0][together])
    assert np.array_equal(alone[1][::-1], outputs[1][packing.reversal][together])


# Files


@pytest.mark.models
@pytest.mark.parametrize("stage", ["tokenize", "mwt", "pos", "lemma", "depparse"])
def test_files_hold_what_torch_reads(stage: str) -> None:
    import torch

    path = folder("en").files[stage]
    expected, found = torch.load(path, weights_only=True), read_model(path)
    weights, expected_weights = found.pop("model"), expected.pop("model")
    assert found == expected
    assert list(weights) == list(expected_weights)
    assert all(np.array_equal(weights[name], part.numpy()) for name, part in expected_weights.items())


@examples(20)
@given(st.data())
def test_damaged_files_are_refused(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    content = bytearray(folder("en").files[data.draw(st.sampled_from(["tokenize", "mwt"]))].read_bytes())
    if data.draw(st.booleans()):
        content = content[: data.draw(st.integers(0, len(content) - 1))]
    else:
        place = data.draw(st.integers(0, len(content) - 8))
        content[place : place + 8] = data.draw(st.binary(min_size=8, max_size=8))
    path = tmp_path_factory.mktemp("damaged") / "model.pt"
    path.write_bytes(content)
    with suppress(CorruptModelError, OtherFormatError):
        assert isinstance(read_model(path), dict)
