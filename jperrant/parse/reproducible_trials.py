"""Whether a layer of a given shape gives the same bits for a few rows as for many: tried with random numbers."""

from __future__ import annotations

import functools
from types import SimpleNamespace

import torch
from torch import nn

from jperrant.parse.reproducible_layers import PaddedLSTM, TallLinear, WideBilinear

_LARGEST_TRIAL = 2_000


def shape_of(module: nn.Module) -> tuple[str, int, int]:
    """Return what ``keeps_bits`` takes of a layer that sums: its kind, the size of its input and its columns."""
    if isinstance(module, nn.LSTM):
        return "lstm", module.input_size, module.hidden_size
    if isinstance(module, nn.Linear):
        return "linear", module.in_features, module.out_features
    return "bilinear", *module.weight.shape[1:]


@functools.cache
def keeps_bits(kind: str, size: int, columns: int, threads: int) -> bool:  # noqa: ARG001 - each number of threads has its own trial
    """Whether a layer of this shape gives the same bits for a few rows as for many on this machine.

    Args:
        kind: ``lstm``, ``linear`` or ``bilinear``.
        size: Numbers a row of the input has.
        columns: Numbers a row of the output has.
        threads: Threads torch computes with.
    """
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
