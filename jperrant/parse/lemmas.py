"""Spelling lemmas with Stanza's networks: words of one length together, and each only as far as needed.

Words of one length need no padding, so that what the network makes of a word does not depend on the others. The
network first decides whether a lemma is the word, the word in lower case, or another; only the last has to be spelt
character by character, until its own end. Stanza spells every word, until the last word of a batch is finished.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from jperrant.parse.reproducible_layers import ROWS, same_length_rows


def spell_by_length(network: Any) -> None:
    """Let one network (Stanza's ``Seq2SeqModel``) spell words of one length together; others stay as they are."""
    network.predict = functools.partial(_predict, network, network.predict)


def _predict(
    network: Any,
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
        network: The network.
        original: Its own method, for beams.
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
        if beam_size == 1 and network.edit and pos is not None and network.contextual_embedding is None:
            lemmas, kinds = _greedy(network, *part, **options)
        else:
            lemmas, kinds = original(*part, beam_size, texts, **options)
        for place, row in enumerate(rows):
            spelt[row] = lemmas[place]
            edits[row] = None if kinds is None else kinds[place]
    return spelt, torch.stack(edits) if edits and edits[0] is not None else None


def _greedy(network: Any, src: Any, mask: Any, pos: Any, **options: Any) -> tuple[list[list[int]], Any]:
    inputs, _, lengths, mask = network.embed(src, mask, pos, None)
    context, (hidden, cell) = network.encode(inputs, lengths)
    edits = network.edit_clf(hidden)
    spelled: list[list[int]] = [[] for _ in src]
    rows = (edits.argmax(1) == 0).nonzero().squeeze(1).tolist()
    if rows:
        _spell(network, rows, [src, mask, context, hidden, cell], spelled, options)
    return spelled, edits


def _spell(
    network: Any, rows: list[int], parts: list[Any], spelled: list[list[int]], options: dict[str, Any]
) -> None:
    """Spell the lemmas of some rows, each until its end.

    Args:
        network: Stanza's network.
        rows: Which words; ``found`` gets their characters.
        parts: For every word, its characters, mask, context, and the states of the decoder.
        spelled: Where the characters go.
        options: Passed on to the decoder.
    """
    import torch
    from stanza.models.common.seq2seq_constant import EOS_ID, UNK_ID

    places = rows
    best: Any = None
    for _ in range(network.max_dec_len):
        filled = torch.tensor(places + places[:1] * (ROWS - len(places)))
        src, mask, context, hidden, cell = parts = [part[filled] for part in parts]
        if best is None:
            inputs = network.embedding(network.SOS_tensor).expand(len(filled), 1, -1)
        else:
            last = best[filled]
            inputs = network.embedding(last.masked_fill(last >= network.vocab_size, UNK_ID)).unsqueeze(1)
        scores, (hidden, cell) = network.decode(inputs, hidden, cell, context, mask, src=src, **options)
        parts[3:] = [hidden, cell]
        best = scores.squeeze(1).argmax(1)
        going = [n for n, character in enumerate(best[: len(rows)].tolist()) if character != EOS_ID]
        for n in going:
            spelled[rows[n]].append(int(best[n]))
        if not going:
            return
        rows, places = [rows[n] for n in going], going
