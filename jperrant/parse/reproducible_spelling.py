"""Words of one length together for Stanza's networks that spell, so that they need no padding.

Then what a network makes of a word does not depend on the others of a batch. Nor do the characters that it has not
learnt: Stanza numbers them over all words of a document, so that a word could be spelt with those of another; here
each word numbers its own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from jperrant.parse.reproducible_layers import ROWS, same_length_rows


def spell_by_length(network: Any) -> None:
    """Let one network (Stanza's ``Seq2SeqModel``) spell words of one length together; others stay as they are."""
    network.predict = functools.partial(_predict, network.predict, network.vocab_size)


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
    original: Callable[..., Any],
    known: int,
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
        known: How many characters the network knows.
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
    src, unknown = _own_numbers(src, known)
    for rows in same_length_rows([(n, len(u)) for n, u in zip(lengths, unknown, strict=True)]):
        filled = torch.tensor(rows + rows[:1] * (ROWS - len(rows)))
        width = lengths[rows[0]]
        part = (src[filled, :width], src_mask[filled, :width], pos[filled] if torch.is_tensor(pos) else pos)
        texts = None if raw is None else [raw[n] for n in filled.tolist()]
        lemmas, kinds = original(*part, beam_size, texts, **options)
        for place, row in enumerate(rows):
            spelt[row] = _common_numbers(lemmas[place], unknown[row], known)
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
