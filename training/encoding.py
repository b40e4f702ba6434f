"""From sentences of a treebank to the numbers that a tagger or parser reads, by its vocabularies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jperrant.compact.highway import simple_mark
from training.batches import Encoded
from training.treebank import TreebankSentence

TAG_COLUMNS = {"upos": 3, "xpos": 4, "feats": 5}
"""Places of the tags among the columns of CoNLL-U."""
_FORM, _LEMMA, _HEAD, _DEPREL = 1, 2, 6, 7
_ROOT = 3  # stanza.models.common.vocab.ROOT_ID
_OPENING = frozenset("¿¡")


def encode_tagged(sentences: Sequence[TreebankSentence], vocab: Any, names: Sequence[str]) -> Encoded:
    """Encode sentences for a tagger: ``word``, and all parts of all tags in ``tags``.

    Args:
        sentences: Columns that a sentence ``lacks`` become 0, which is no tag and adds nothing to the loss.
        vocab: The tagger's vocabularies.
        names: Its tags in their order.
    """
    columns, forms = [], []
    for sentence in sentences:
        words = sentence.words
        marks = [simple_mark(row[_FORM]) for row in words]
        tags = [
            _parts(vocab[name], [row[TAG_COLUMNS[name]] for row in words]) * (name not in sentence.lacks)
            for name in names
        ]
        columns.append({"word": _numbers(vocab["word"], marks), "tags": np.concatenate(tags, axis=1)})
        forms.append([tuple(vocab["char"].map(list(mark))) for mark in marks])
    return Encoded(columns, forms)


def encode_parsed(sentences: Sequence[TreebankSentence], vocab: Any) -> Encoded:
    """Encode sentences for a parser, the root first: words, lemmas, UPOS, XPOS, heads and relations."""
    columns, forms = [], []
    for sentence in sentences:
        words = sentence.words
        marks = [simple_mark(row[_FORM]) for row in words]
        xpos = _parts(vocab["xpos"], [row[TAG_COLUMNS["xpos"]] for row in words])
        rooted = {
            "word": _numbers(vocab["word"], marks),
            "lemma": _numbers(vocab["lemma"], [row[_LEMMA] for row in words]),
            "upos": _numbers(vocab["upos"], [row[TAG_COLUMNS["upos"]] for row in words]),
            "xpos": xpos if hasattr(vocab["xpos"], "lens") else xpos[:, 0],
        }
        plain = {
            "head": np.array([int(row[_HEAD]) if row[_HEAD] != "_" else 0 for row in words], dtype=np.int64),
            "deprel": _numbers(vocab["deprel"], [row[_DEPREL] for row in words]),
        }
        first = {name: np.concatenate([np.full_like(v[:1], _ROOT), v]) for name, v in rooted.items()}
        columns.append(first | {name: np.concatenate([[0], v]) for name, v in plain.items()})
        forms.append([(_ROOT,), *(tuple(vocab["char"].map(list(mark))) for mark in marks)])
    return Encoded(columns, forms)


def decode_tags(vocab: Any, names: Sequence[str], numbers: Any) -> list[tuple[str, ...]]:
    """Return the tags of words; a tag there is none of is an underscore.

    Args:
        vocab: The tagger's vocabularies.
        names: Its tags in their order.
        numbers: The best numbers, shape ``(words, parts)``.
    """
    decoded, start = [], 0
    for name in names:
        if hasattr(vocab[name], "lens"):
            width = len(vocab[name])
            decoded.append(vocab[name].unmap(numbers[:, start : start + width].tolist()))
        else:
            width = 1
            decoded.append(vocab[name].unmap(numbers[:, start].tolist()))
        start += width
    return list(zip(*decoded, strict=True))


def shorter(sentence: TreebankSentence, opening: bool) -> TreebankSentence | None:
    """Return a sentence without its first mark (``¿``) or its last punctuation; None where it has none."""
    words = sentence.words
    if opening:
        found = words[0][_FORM] in _OPENING
    else:
        found = words[-1][TAG_COLUMNS["upos"]] == "PUNCT"
    return sentence.without(0 if opening else len(words) - 1) if found else None


def _numbers(vocab: Any, values: Sequence[str]) -> Any:
    return np.array(vocab.map(values), dtype=np.int64)


def _parts(vocab: Any, values: Sequence[str]) -> Any:
    """Return the numbers of tags, shape ``(words, parts)``."""
    return _numbers(vocab, values).reshape(len(values), -1)
