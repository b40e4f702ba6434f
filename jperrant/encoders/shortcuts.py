"""Ways to the library's own vectors that compute less, chosen for a model by trying them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from jperrant.core.extras import ENCODERS, import_extra
from jperrant.encoders.prefixes import has_plain_causal_layers, run_shared
from jperrant.encoders.unpadded import run_unpadded

#: The numbers of the tokens of some texts.
Batch: TypeAlias = Sequence[Sequence[int]]
#: From texts to the vectors of their tokens, a tensor of shape ``(tokens, dim)``, text after text.
Run: TypeAlias = Callable[[Batch], Any]

#: How much vectors may differ from the library's, by rounding, per the largest number in them.
_ROUNDING = 1e-4
#: Texts that are computed both ways, in fifths of the vocabulary: they have lengths and beginnings in common.
_PROBE = ((1, 2, 3, 4), (1, 2, 4, 1), (1, 2), (3, 2), (4,))


def pad(batch: Batch) -> tuple[Any, Any]:
    """Return the numbers of tokens, filled up to one length, and the mask of those that are there.

    Both are tensors of shape ``(texts, longest)``.
    """
    torch = import_extra("torch", ENCODERS)
    # What pads is masked, so its number does not matter.
    ids = torch.zeros((len(batch), max(map(len, batch))), dtype=torch.long)
    mask = torch.zeros_like(ids)
    for row, sequence in enumerate(batch):
        ids[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.long)
        mask[row, : len(sequence)] = 1
    return ids, mask


def without_padding(model: Any) -> Run | None:
    """Return how to compute a model's last layer without padding; None if it is not built like BERT."""
    return _tried(model, lambda batch: run_unpadded(model, *pad(batch)))


def with_shared_beginnings(model: Any) -> Run | None:
    """Return how to compute a model's last layer with each beginning of several texts once.

    None if the model is not causal, that is, if the vectors of tokens depend on those behind them.
    """
    if not has_plain_causal_layers(model.config):
        return None
    return _tried(model, lambda batch: run_shared(model, batch))


def _tried(model: Any, run: Run) -> Run | None:
    """Return a way that gives the vectors that the model gives itself, for a few tokens; else None."""
    torch = import_extra("torch", ENCODERS)
    probe = [[fifth * model.config.vocab_size // 5 for fifth in text] for text in _PROBE]
    ids, mask = pad(probe)
    try:
        with torch.inference_mode():
            expected = model(input_ids=ids, attention_mask=mask).last_hidden_state[mask.bool()]
            equal = (run(probe) - expected).abs().max() <= _ROUNDING * expected.abs().max()
    except Exception:  # parts that other models lack, or that take something else
        return None
    return run if equal else None
