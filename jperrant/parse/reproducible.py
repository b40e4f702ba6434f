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

from typing import Any

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import PackedSequence
from torch.overrides import TorchFunctionMode

from jperrant.parse.reproducible_layers import (
    PaddedHighwayLSTM,
    PaddedLSTM,
    TallLinear,
    TallLSTMCell,
    WideBilinear,
    sigmoid,
    softplus,
)
from jperrant.parse.reproducible_trials import keeps_bits, shape_of

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
        shapes = {shape_of(m) for m in network.modules() if _is_summing(m)}
        if all(keeps_bits(*shape, torch.get_num_threads()) for shape in shapes):
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
