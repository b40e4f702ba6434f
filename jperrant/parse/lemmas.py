"""Spelling lemmas with Stanza's networks: words of one length together, and each only as far as needed.

Words of one length need no padding, so that what the network makes of a word does not depend on the others. Nor do
the characters that it has not learnt: Stanza numbers them over all words of a document, so that a word could be
spelt with those of another; here each word numbers its own.

The network first decides whether a lemma is the word, the word in lower case, or another; only the last has to be
spelt character by character, until its own end. Stanza spells every word, until the last of a batch is finished.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from jperrant.parse.reproducible_layers import ROWS, same_length_rows


def spell_by_length(network: Any) -> None:
    """Let one network (Stanza's ``Seq2SeqModel``) spell words of one length together; others stay as they are."""
    network.predict = functools.partial(_predict, network, network.predict)


def decide_by_length(classifier: Any) -> None:
    """Let one classifier (Stanza's ``LemmaClassifier``) see sentences of one length together.

    It reads sentences with their padding, so that in Stanza's own batches a decision depends on the longest
    sentence.
    """
    classifier.predict = functools.partial(_decide, classifier.predict)
    if getattr(classifier, "upos_to_id", None):
        classifier.upos_to_id = _Known(classifier.upos_to_id)


class _Known(dict[str, int]):
    """Numbers of tags; one that the classifier has not learnt has that of padding."""

    def __missing__(self, tag: str) -> int:
        return 0


def _decide(
    original: Callable[..., list[str]],
    places: Sequence[int],
    sentences: Sequence[Sequence[str]],
    tags: Sequence[Sequence[str]],
) -> list[str]:
    lemmas = [""] * len(places)
    for rows in same_length_rows([len(sentence) for sentence in sentences]):
        decided = original([places[n] for n in rows], [sentences[n] for n in rows], [tags[n] for n in rows])
        for row, lemma in zip(rows, decided, strict=True):
            lemmas[row] = lemma
    return lemmas


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
    src, unknown = _own_numbers(src, network.vocab_size)
    for rows in same_length_rows([(n, len(u)) for n, u in zip(lengths, unknown, strict=True)]):
        filled = torch.tensor(rows + rows[:1] * (ROWS - len(rows)))
        width = lengths[rows[0]]
        part = (src[filled, :width], src_mask[filled, :width], pos[filled] if torch.is_tensor(pos) else pos)
        texts = None if raw is None else [raw[n] for n in filled.tolist()]
        if beam_size == 1 and network.edit and pos is not None and network.contextual_embedding is None:
            lemmas, kinds = _greedy(network, *part, **options)
        else:
            lemmas, kinds = original(*part, beam_size, texts, **options)
        for place, row in enumerate(rows):
            spelt[row] = _common_numbers(lemmas[place], unknown[row], network.vocab_size)
            edits[row] = None if kinds is None else kinds[place]
    return spelt, torch.stack(edits) if edits and edits[0] is not None else None


def _own_numbers(src: Any, known: int) -> tuple[Any, list[list[int]]]:
    """Number the unknown characters of each word anew, from the first number that no known one has.

    Args:
        src: Characters, shape ``(words, characters)``.
        known: How many characters the network knows.

    Returns:
        The characters so numbered, and for each word the numbers that its unknown ones had.
    """
    unknown: list[list[int]] = [[] for _ in src]
    rows = (src >= known).any(1).nonzero().squeeze(1).tolist()
    if rows:
        src = src.clone()
        for row in rows:
            characters = src[row].tolist()
            unknown[row] = list(dict.fromkeys(c for c in characters if c >= known))
            for number, character in enumerate(unknown[row]):
                src[row].masked_fill_(src[row] == character, -1 - number)
            src[row] = src[row].where(src[row] >= 0, known - 1 - src[row])
    return src, unknown


def _common_numbers(characters: list[int], unknown: list[int], known: int) -> list[int]:
    return [unknown[c - known] if c >= known else c for c in characters] if unknown else characters


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
