"""Encoders that compute less than the library does: the vectors are those of the library, text by text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.encoders.batches import Batches
from jperrant.encoders.network import Transformer
from jperrant.encoders.prefixes import new_tokens, tree_of

SIZES = {"vocab_size": 50, "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 4}
REST = {"intermediate_size": 24, "max_position_embeddings": 24, "initializer_range": 0.5}
TEXTS = [(2, 7, 7, 9, 3), (2, 8, 3), (2, 9, 9, 9, 3), (2, 5, 6, 7, 8, 9, 10, 3), (2, 3), (49,)]


def model(folder: Path, kind: str, **config: Any) -> Any:
    """Write a model with random weights into a folder, and return it as the library loads it."""
    import torch
    from transformers import AutoConfig, AutoModel

    torch.manual_seed(3)
    AutoModel.from_config(AutoConfig.for_model(kind, **config)).save_pretrained(str(folder))
    return AutoModel.from_pretrained(str(folder)).eval()


def check(network: Transformer, whole: Any, layer: int | None = None) -> None:
    """Compare with what the library computes of each text alone."""
    import torch

    # What pads elsewhere may be part of a text: RoBERTa gives its padding token no position.
    for texts in (TEXTS, TEXTS[::-1], [(2, 1, 5, 3)], [(), (4, 5), ()]):
        for text, found in zip(texts, network.run(texts), strict=True):
            assert found.shape == (len(text), 16)
            if text:
                with torch.inference_mode():
                    out = whole(torch.tensor([text]), output_hidden_states=True)
                expected = out.last_hidden_state if layer is None else out.hidden_states[layer]
                np.testing.assert_allclose(found, expected[0].numpy(), atol=1e-5)


@pytest.mark.models
@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("bert", {"hidden_act": "relu", "type_vocab_size": 1}),
        ("electra", {"embedding_size": 8}),
        ("roberta", {"pad_token_id": 1}),
    ],
)
def test_bert_without_padding(tmp_path: Path, kind: str, config: dict[str, Any]) -> None:
    whole = model(tmp_path, kind, **SIZES, **REST, **config)
    for layer in (None, 0, 2):
        network = Transformer(tmp_path, layer, "float32", "cpu")
        assert network._rows != network._padded
        assert not network.shares_beginnings
        check(network, whole, layer)


@pytest.mark.models
@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("qwen2", {**SIZES, **REST, "num_key_value_heads": 4}),
        ("llama", {**SIZES, **REST, "num_key_value_heads": 2}),
    ],
)
def test_causal_models_share_beginnings(tmp_path: Path, kind: str, config: dict[str, Any]) -> None:
    whole = model(tmp_path, kind, **config)
    network = Transformer(tmp_path, None, "float32", "cpu")
    assert network.shares_beginnings
    check(network, whole)
    together = dict(Batches(network, 3, 9, shared=True).run(TEXTS))
    for number, alone in enumerate(network.run([text])[0] for text in TEXTS):
        np.testing.assert_allclose(together[number], alone, atol=1e-5)


@pytest.mark.models
@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("bert", {**SIZES, **REST, "is_decoder": True}),  # tokens see those before them only
        ("roberta-prelayernorm", {**SIZES, **REST}),  # the same parts in another order
        ("distilbert", {"vocab_size": 50, "dim": 16, "n_layers": 3, "n_heads": 4, "hidden_dim": 24}),
        (
            "mistral",
            {**SIZES, **REST, "num_key_value_heads": 2, "sliding_window": 3},
        ),  # a mask of one's own lifts it
    ],
)
def test_other_models_are_left_to_the_library(tmp_path: Path, kind: str, config: dict[str, Any]) -> None:
    whole = model(tmp_path, kind, **config)
    network = Transformer(tmp_path, None, "float32", "cpu")
    assert network._rows == network._padded
    check(network, whole)


@given(st.lists(st.lists(st.integers(0, 2), max_size=6), min_size=1, max_size=8))
def test_a_tree_has_each_beginning_once(texts: list[list[int]]) -> None:
    tree = tree_of(texts)
    assert len(tree.ids) == len({tuple(text[: end + 1]) for text in texts for end in range(len(text))})
    for text, path in zip(texts, tree.paths, strict=True):
        assert [tree.ids[node] for node in path] == text
        assert [tree.depths[node] for node in path] == list(range(len(text)))
        for node in path:
            assert [other for other in range(len(tree.ids)) if tree.sees[node, other]] == path[
                : tree.depths[node] + 1
            ]
    in_order = sorted(texts)
    assert len(tree.ids) == sum(map(new_tokens, in_order, [[], *in_order]))
