"""The character model over each distinct word of a batch once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


@contextmanager
def distinct_words() -> Iterator[None]:
    """Let Stanza's taggers and parsers read the characters of each distinct word of a batch once, for a while.

    In training this shares a word's dropout mask among its occurrences in the batch.
    """
    from stanza.models.common.char_model import CharacterModel

    original = CharacterModel.forward

    def forward(
        self: Any,
        chars: Any,
        mask: Any,
        order: Sequence[int],
        sentence_lengths: Any,
        word_lengths: Sequence[int],
    ) -> Any:
        import torch
        from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

        if not self.attn or self.num_dir != 1 or self.pad:
            return original(self, chars, mask, order, sentence_lengths, word_lengths)
        _, first, which = _distinct(chars)
        lengths = [word_lengths[n] for n in first]  # words come longest first, and so do the first of each
        embedded = self.dropout(self.char_emb(chars[first]))
        size = (self.num_dir * self.args["char_num_layers"], len(first), self.args["char_hidden_dim"])
        packed = pack_padded_sequence(embedded, lengths, batch_first=True)
        state = (
            self.charlstm_h_init.expand(size).contiguous(),
            self.charlstm_c_init.expand(size).contiguous(),
        )
        output = self.charlstm(packed, lengths, hx=state)[0]
        weights = torch.sigmoid(self.char_attn(self.dropout(output.data)))
        summed = pad_packed_sequence(output._replace(data=output.data * weights), batch_first=True)[0].sum(1)
        found = summed[which]
        from stanza.models.common.utils import tensor_unsort
        from torch.nn.utils.rnn import pack_sequence

        return pack_sequence(tensor_unsort(found, order).split(sentence_lengths))

    CharacterModel.forward = forward
    try:
        yield
    finally:
        CharacterModel.forward = original


def _distinct(chars: Any) -> tuple[dict[bytes, int], list[int], list[int]]:
    """Return the first row of each distinct kind, and for each row which kind it is."""
    rows = chars.numpy()
    seen: dict[bytes, int] = {}
    first: list[int] = []
    which: list[int] = []
    for number, row in enumerate(rows):
        key = row.tobytes()
        kind = seen.setdefault(key, len(first))
        if kind == len(first):
            first.append(number)
        which.append(kind)
    return seen, first, which
