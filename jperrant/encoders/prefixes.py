"""Causal encoders: what texts begin with alike is computed once, as no token depends on those behind it.

The texts of a batch make a tree of tokens, in which each token sees those between it and the root. The model takes
the tree as one text, with the depths as positions and a mask of what sees what.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from jperrant.core.extras import ENCODERS, import_extra

#: Models of the transformers library whose every layer sees all tokens before, by the mask that it is given.
_CAUSAL = {"gemma", "gpt2", "gpt_neox", "llama", "mistral", "olmo", "olmo2", "phi", "phi3", "qwen2", "qwen3"}


class Tree(NamedTuple):
    """Texts as a tree of tokens.

    Attributes:
        ids: Numbers of the tokens; each stands behind the one before it in the text. Shape ``(nodes,)``.
        depths: How many tokens are before each, shape ``(nodes,)``.
        sees: Whether a token is the other one or behind it, shape ``(nodes, nodes)``.
        paths: The nodes of each text.
    """

    ids: list[int]
    depths: list[int]
    sees: npt.NDArray[np.bool_]
    paths: list[list[int]]


def has_plain_causal_layers(config: Any) -> bool:
    """Return whether a model is known to see all tokens before each, and by the mask alone.

    Those with a window see fewer tokens than a mask of one's own says.
    """
    return config.model_type in _CAUSAL and getattr(config, "sliding_window", None) is None


def run_shared(model: Any, batch: Sequence[Sequence[int]]) -> Any:
    """Return the last layer's vectors of the tokens of texts, text after text, shape ``(tokens, dim)``.

    Args:
        model: A causal model of the transformers library.
        batch: Numbers of the tokens of each text.
    """
    torch = import_extra("torch", ENCODERS)
    tree = tree_of(batch)
    mask = torch.zeros(tree.sees.shape)
    mask.masked_fill_(~torch.from_numpy(tree.sees), torch.finfo(mask.dtype).min)
    hidden = model(
        input_ids=torch.tensor([tree.ids]),
        position_ids=torch.tensor([tree.depths]),
        attention_mask=mask[None, None],
        use_cache=False,
    ).last_hidden_state[0]
    return hidden[[node for path in tree.paths for node in path]]


def tree_of(batch: Sequence[Sequence[int]]) -> Tree:
    """Return the tree of some texts.

    >>> tree = tree_of([(5, 6), (5, 7, 6), (5,)])
    >>> tree.ids, tree.depths, tree.paths
    ([5, 6, 7, 6], [0, 1, 1, 2], [[0, 1], [0, 2, 3], [0]])
    """
    nodes: dict[tuple[int, int], int] = {}
    depths: list[int] = []
    paths: list[list[int]] = []
    for text in batch:
        path: list[int] = []
        for depth, token in enumerate(text):
            place = (path[-1] if path else -1, token)
            if place not in nodes:
                nodes[place] = len(nodes)
                depths.append(depth)
            path.append(nodes[place])
        paths.append(path)
    sees = np.eye(len(nodes), dtype=np.bool_)
    for node, (before, _) in enumerate(nodes):
        if before >= 0:
            sees[node] |= sees[before]
    return Tree([token for _, token in nodes], depths, sees, paths)


def new_tokens(text: Sequence[int], before: Sequence[int]) -> int:
    """Return how many tokens a text has behind those that it begins with like another."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(text, before, strict=False))
    return len(text) - sum(1 for _ in alike)
