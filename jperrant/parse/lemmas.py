"""Short cuts while Stanza's lemmatizer spells.

Its network first decides whether a lemma is the word, the word in lower case, or another; only the last has to be
spelt character by character, but Stanza spells every word and throws most away. And it goes on spelling the words
of a batch that are finished until the last of them is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def fast_lemmas() -> Iterator[None]:
    """Let Stanza's lemmatizer take the short cut for a while; do nothing where it works otherwise."""
    from stanza.models.common.seq2seq_model import Seq2SeqModel

    original = Seq2SeqModel.predict_greedy

    def predict(self: Any, src: Any, src_mask: Any, pos: Any = None, raw: Any = None, **options: Any) -> Any:
        if not self.edit or pos is None or self.contextual_embedding is not None:
            return original(self, src, src_mask, pos, raw, **options)
        inputs, _, lengths, mask = self.embed(src, src_mask, pos, raw)
        context, (hidden, cell) = self.encode(inputs, lengths)
        edits = self.edit_clf(hidden)
        rows = (edits.argmax(1) == 0).nonzero().squeeze(1)
        found: list[list[int]] = [[] for _ in src]
        if len(rows):
            parts = [part[rows] for part in (src, mask, context, hidden, cell)]
            _spell(self, rows.tolist(), parts, found, options)
        return found, edits

    Seq2SeqModel.predict_greedy = predict
    try:
        yield
    finally:
        Seq2SeqModel.predict_greedy = original


def _spell(
    model: Any, rows: list[int], parts: list[Any], found: list[list[int]], options: dict[str, Any]
) -> None:
    """Spell the lemmas of some rows as the model does, greedily, each until its end.

    Args:
        model: Stanza's network.
        rows: Which words; ``found`` gets their characters.
        parts: For each, its characters, mask, context, and the states of the decoder.
        found: Where the characters go.
        options: Passed on to the decoder.
    """
    import torch
    from stanza.models.common.seq2seq_constant import EOS_ID, UNK_ID

    src, mask, context, hidden, cell = parts
    inputs = model.embedding(model.SOS_tensor).expand(len(rows), 1, -1)
    for _ in range(model.max_dec_len):
        scores, (hidden, cell) = model.decode(inputs, hidden, cell, context, mask, src=src, **options)
        best = scores.squeeze(1).argmax(1)
        going = [n for n, character in enumerate(best.tolist()) if character != EOS_ID]
        for n in going:
            found[rows[n]].append(int(best[n]))
        if not going:
            return
        if len(going) < len(rows):
            keep = torch.tensor(going)
            rows = [rows[n] for n in going]
            best, src, mask, context, hidden, cell = (
                part[keep] for part in (best, src, mask, context, hidden, cell)
            )
        inputs = model.embedding(best.masked_fill(best >= model.vocab_size, UNK_ID)).unsqueeze(1)
