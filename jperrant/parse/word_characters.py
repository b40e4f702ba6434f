"""Character vectors of words, each distinct word read once and kept for the batches to come."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

_KEPT = 30_000
_CELLS = 40_000
_SUMMED = 16
"""Sums over a number of places that this divides take the same order whatever the padding."""
ROOT = ""
"""Stands for the root before the first word, which a parser reads as a word of its own."""


class CharacterVectors:
    """What a network's character model makes of words; threads may share it.

    Args:
        model: Stanza's character model; unidirectional, with attention.
        vocab: Its characters.
        root: Number of the character that stands for the root.
    """

    def __init__(self, model: Any, vocab: Any, root: int) -> None:
        self.model, self.vocab, self.root = model, vocab, root
        self._lock = threading.Lock()
        self._rows: dict[str, int] = {}
        self._table: Any = None

    def vectors(self, forms: Sequence[str]) -> Any:
        """Return the vector of each form, shape ``(forms, size)``; those not seen before are read."""
        distinct = list(dict.fromkeys(forms))
        with self._lock:
            new = [form for form in distinct if form not in self._rows]
            if len(self._rows) + len(new) > _KEPT and self._rows:  # memory stays bounded on endless input
                self._rows = {}
                self._table = None
                new = distinct
            if new:
                self._read(new)
            rows, table = self._rows, self._table
            return table[[rows[form] for form in forms]]

    def _read(self, forms: Sequence[str]) -> None:
        import torch

        ids = {form: self.vocab.map(list(form)) if form != ROOT else [self.root] for form in forms}
        ordered = sorted(forms, key=lambda form: -len(ids[form]))
        vectors, start = [], 0
        while start < len(ordered):
            # A batch is as wide as its longest word; one of 10,000 characters goes alone.
            size = max(1, _CELLS // len(ids[ordered[start]]))
            vectors.append(self._vectors([ids[form] for form in ordered[start : start + size]]))
            start += size
        first = len(self._rows)
        self._rows.update((form, first + n) for n, form in enumerate(ordered))
        self._table = torch.cat([*([self._table] if self._table is not None else []), *vectors])

    def _vectors(self, ids: Sequence[Sequence[int]]) -> Any:
        """Return the vectors of words given by their characters, longest first."""
        import torch
        from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

        model = self.model
        lengths = [len(word) for word in ids]
        chars = torch.zeros(len(ids), lengths[0], dtype=torch.long)
        for row, word in enumerate(ids):
            chars[row, : len(word)] = torch.tensor(word)
        packed = pack_padded_sequence(model.char_emb(chars), lengths, batch_first=True)
        shape = (model.args["char_num_layers"], len(ids), model.args["char_hidden_dim"])
        start = tuple(s.expand(shape).contiguous() for s in (model.charlstm_h_init, model.charlstm_c_init))
        output = model.charlstm(packed, lengths, hx=start)[0]
        weighted = PackedSequence(
            output.data * torch.sigmoid(model.char_attn(output.data)), output.batch_sizes
        )
        width = -(-lengths[0] // _SUMMED) * _SUMMED
        return pad_packed_sequence(weighted, batch_first=True, total_length=width)[0].sum(1)


def readable(model: Any) -> bool:
    """Whether a tagger or parser is of the kind that can be read word by word: no part but its own embeddings."""
    args = model.args
    characters = getattr(model, "charmodel", None)
    return (
        not args.get("pretrain")
        and not args.get("charlm")
        and not args.get("bert_model")
        and args.get("word_emb_dim", 0) > 0
        and characters is not None
        and characters.attn
        and characters.num_dir == 1
    )
