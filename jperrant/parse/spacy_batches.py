"""Whether a spaCy pipeline gives a sentence the same analysis in a batch as alone.

ERRANT analyses sentences one by one. Sums of floating-point numbers depend on their order, which a matrix product
may choose by the number of rows, that is by the size of the batch. thinc's own product on a CPU does not; whether
that holds on this machine is tried for the shape of each layer when a pipeline is loaded. Networks of other
libraries are not batched.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_ROWS = 300
#: Numbers of rows, beside multiples of those that products take at once.
_SIZES = (1, 2, 3, 5, 6, 7, 8, 13, 16, 31, 64, 97, 200)
_START = 3


def batches_are_exact(nlp: Any) -> bool:
    """Whether every network of a pipeline gives a row the same bits whatever the number of rows."""
    from thinc.api import NumpyOps

    for model in _models(nlp):
        for layer in model.walk():
            if not isinstance(layer.ops, NumpyOps) or layer.shims:
                return False
    return all(_is_exact(ops, inputs, outputs) for ops, inputs, outputs in _products(nlp))


def _models(nlp: Any) -> Iterator[Any]:
    from thinc.api import Model

    for _, component in nlp.pipeline:
        model = getattr(component, "model", None)
        if isinstance(model, Model):
            yield model


def _products(nlp: Any) -> set[tuple[Any, int, int]]:
    """Return the shapes of the products of all layers: inputs and outputs of a row."""
    products = set()
    for model in _models(nlp):
        for layer in model.walk():
            for name in layer.param_names:
                if layer.has_param(name) and len(shape := layer.get_param(name).shape) > 1:
                    weights = layer.get_param(name)
                    products.add((layer.ops, shape[-1], weights.size // shape[-1]))
    return products


def _is_exact(ops: Any, inputs: int, outputs: int) -> bool:
    import numpy

    random = numpy.random.default_rng(0)
    rows = random.standard_normal((_ROWS, inputs), dtype="float32")
    weights = random.standard_normal((outputs, inputs), dtype="float32")
    whole = ops.gemm(rows, weights, trans2=True)
    return all(
        numpy.array_equal(
            ops.gemm(rows[_START : _START + size].copy(), weights, trans2=True), whole[_START : _START + size]
        )
        for size in _SIZES
    )
