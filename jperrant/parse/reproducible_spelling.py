"""Words of one length together for Stanza's networks that spell, so that they need no padding.

Then what a network makes of a word does not depend on the others of a batch.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jperrant.parse.reproducible_layers import ROWS, same_length_rows


def spell_by_length(network: Any) -> None:
    """Let one network (Stanza's ``Seq2SeqModel``) spell words of one length together; others stay as they are."""
    network.predict = functools.partial(_predict, network.predict)


def _predict(
    original: Callable[..., Any],
    src: Any,
    src_mask: Any,
    pos: Any = None,
    beam_size: int = 5,
    raw: Any = None,
    **options: Any,
) -> tuple[list[list[int]], Any]:
    """Return the characters of each word's lemma and the scores of its kinds of edit, as the network does.

    Args:
        original: The network's own method.
        src: Characters, shape ``(words, characters)``.
        src_mask: True where there is none, same shape.
        pos: Tags, shape ``(words,)``, or what else the caller passes there.
        beam_size: 1 for greedy spelling.
        raw: The words as text, or None.
        options: Passed on.
    """
    import torch

    spelt: list[list[int]] = [[] for _ in src]
    edits: list[Any] = [None] * len(src)
    lengths = (~src_mask).sum(1).tolist()
    for rows in same_length_rows(lengths):
        filled = torch.tensor(rows + rows[:1] * (ROWS - len(rows)))
        width = lengths[rows[0]]
        part = (src[filled, :width], src_mask[filled, :width], pos[filled] if torch.is_tensor(pos) else pos)
        texts = None if raw is None else [raw[n] for n in filled.tolist()]
        lemmas, kinds = original(*part, beam_size, texts, **options)
        for place, row in enumerate(rows):
            spelt[row] = lemmas[place]
            edits[row] = None if kinds is None else kinds[place]
    return spelt, torch.stack(edits) if edits and edits[0] is not None else None
