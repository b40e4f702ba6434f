"""BERT and its kin without padding: the tokens of a batch as rows of one matrix, attention text by text.

The library pads the texts of a batch to one length and computes what pads as well. Here every layer but attention
sees the tokens of the batch and nothing else, and attention sees texts of one length together, without a mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from jperrant.core.extras import ENCODERS, import_extra


def run_unpadded(model: Any, ids: Any, mask: Any) -> Any:
    """Return the last layer's vectors of the tokens that are there, text after text, shape ``(tokens, dim)``.

    Args:
        model: A model of the transformers library with BERT's parts, put together as in BERT.
        ids: Numbers of the tokens, filled up to one length, shape ``(texts, longest)``.
        mask: 1 for the tokens that are there, of the same shape.
    """
    rows = model.embeddings(input_ids=ids)
    if hasattr(model, "embeddings_project"):  # ELECTRA, where embeddings are smaller than layers
        rows = model.embeddings_project(rows)
    rows = rows[mask.bool()]
    lengths = mask.sum(1).tolist()
    for layer in model.encoder.layer:
        own = layer.attention.self
        projected = own.query(rows), own.key(rows), own.value(rows)
        attended = _attend(projected, lengths, own.attention_head_size)
        rows = layer.attention.output(attended, rows)
        rows = layer.output(layer.intermediate(rows), rows)
    return rows


def _attend(projected: tuple[Any, Any, Any], lengths: Sequence[int], head: int) -> Any:
    """Return what each token attends to, shape ``(tokens, dim)``.

    Args:
        projected: Queries, keys and values, shapes ``(tokens, dim)``.
        lengths: Of the texts; neighbours of one length are computed together.
        head: Size of an attention head.
    """
    torch = import_extra("torch", ENCODERS)
    attended = []
    start = 0
    for length, group in groupby(length for length in lengths if length):
        texts = len(list(group))
        end = start + texts * length
        heads = [rows[start:end].view(texts, length, -1, head).transpose(1, 2) for rows in projected]
        together = torch.nn.functional.scaled_dot_product_attention(*heads)
        attended.append(together.transpose(1, 2).reshape(end - start, -1))
        start = end
    return torch.cat(attended)
