"""The character model over each distinct word of a batch once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any


def read_distinct_words(network: Any) -> None:
    """Let one tagger or parser read the characters of each distinct word of a batch once.

    In training this shares a word's dropout mask among its occurrences in the batch. Networks with character models
    of other kinds, and all other networks, stay as they are.

    Args:
        network: Stanza's network.
    """
    characters = getattr(network, "charmodel", None)
    if characters is not None and characters.attn and characters.num_dir == 1 and not characters.pad:
        characters.forward = partial(_forward, characters)


def _forward(
    model: Any,
    chars: Any,
    mask: Any,  # noqa: ARG001 - Stanza's signature
    order: Sequence[int],
    sentence_lengths: Any,
    word_lengths: Sequence[int],
) -> Any:
    """Return what the character model does, by Stanza's signature."""
    import torch
    from stanza.models.common.utils import tensor_unsort
    from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence

    first, which = _distinct(chars)
    lengths = [word_lengths[n] for n in first]  # words come longest first, and so do the first of each
    embedded = model.dropout(model.char_emb(chars[first]))
    size = (model.num_dir * model.args["char_num_layers"], len(first), model.args["char_hidden_dim"])
    packed = pack_padded_sequence(embedded, lengths, batch_first=True)
    state = (model.charlstm_h_init.expand(size).contiguous(), model.charlstm_c_init.expand(size).contiguous())
    output = model.charlstm(packed, lengths, hx=state)[0]
    weights = torch.sigmoid(model.char_attn(model.dropout(output.data)))
    summed = pad_packed_sequence(output._replace(data=output.data * weights), batch_first=True)[0].sum(1)
    return pack_sequence(tensor_unsort(summed[which], order).split(sentence_lengths))


def _distinct(chars: Any) -> tuple[list[int], list[int]]:
    """Return the first row of each distinct kind, and for each row which kind it is."""
    seen: dict[bytes, int] = {}
    first: list[int] = []
    which: list[int] = []
    for number, row in enumerate(chars.numpy()):
        kind = seen.setdefault(row.tobytes(), len(first))
        if kind == len(first):
            first.append(number)
        which.append(kind)
    return first, which
