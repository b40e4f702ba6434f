"""Turns the sentences of a treebank into batches of numbers from which a tagger or parser learns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from jperrant.compact.layers import simple_mark
from jperrant.core.conllu import DEPREL, FEATS, FORM, HEAD, LEMMA, UPOS, XPOS
from training.learner_errors import drop, rebuilt, words_of
from training.treebank import Treebank, TreebankSentence

TAG_COLUMNS = {"upos": UPOS, "xpos": XPOS, "feats": FEATS}
"""Places of the tags among the columns of CoNLL-U."""
_ROOT = 3  # stanza.models.common.vocab.ROOT_ID
_OPENING = frozenset("¿¡")


def encode_tagged(sentences: Sequence[TreebankSentence], vocab: Any, names: Sequence[str]) -> Encoded:
    """Encode sentences for a tagger: the columns ``word`` and ``tags``, with all parts of all tags.

    Args:
        sentences: Their columns in ``lacks`` become 0, which stands for no tag and adds nothing to the loss.
        vocab: The tagger's vocabularies.
        names: Its tags in their order.
    """
    columns, forms = [], []
    for sentence in sentences:
        words = sentence.words
        marks = [simple_mark(row[FORM]) for row in words]
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
        marks = [simple_mark(row[FORM]) for row in words]
        rooted = {
            "word": _numbers(vocab["word"], marks),
            "lemma": _numbers(vocab["lemma"], [row[LEMMA] for row in words]),
            "upos": _numbers(vocab["upos"], [row[UPOS] for row in words]),
            "xpos": _parts(vocab["xpos"], [row[XPOS] for row in words]),
        }
        plain = {
            "head": np.array([int(row[HEAD]) for row in words], dtype=np.int64),
            "deprel": _numbers(vocab["deprel"], [row[DEPREL] for row in words]),
        }
        first = {name: np.concatenate([np.full_like(v[:1], _ROOT), v]) for name, v in rooted.items()}
        columns.append(first | {name: np.concatenate([[0], v]) for name, v in plain.items()})
        forms.append([(_ROOT,), *(tuple(vocab["char"].map(list(mark))) for mark in marks)])
    return Encoded(columns, forms)


def decode_tags(vocab: Any, names: Sequence[str], numbers: Any) -> list[tuple[str, ...]]:
    """Return the tags of words, with an underscore where a word has no tag.

    Args:
        vocab: The tagger's vocabularies.
        names: Its tags in their order.
        numbers: The best numbers, shape ``(words, parts)``.
    """
    decoded, start = [], 0
    for name in names:
        several = hasattr(vocab[name], "lens")
        end = start + (len(vocab[name]) if several else 1)
        part = numbers[:, start:end] if several else numbers[:, start]
        decoded.append(vocab[name].unmap(part.tolist()))
        start = end
    return list(zip(*decoded, strict=True))


def shorter(sentence: TreebankSentence, opening: bool) -> TreebankSentence | None:
    """Return a sentence without its first mark (``¿``) or its last punctuation, or None where it has neither."""
    row = sentence.words[0 if opening else -1]
    if row[FORM] not in _OPENING if opening else row[UPOS] != "PUNCT":
        return None
    words = words_of(sentence)
    return rebuilt(sentence, words) if drop(words, words[0 if opening else -1]) else None


def _numbers(vocab: Any, values: Sequence[str]) -> Any:
    return np.array(vocab.map(values), dtype=np.int64)


def _parts(vocab: Any, values: Sequence[str]) -> Any:
    """Return the numbers of tags, shape ``(words, parts)``."""
    return _numbers(vocab, values).reshape(len(values), -1)


# Sentences are sorted by their length, changed at random by up to this share, so that batches differ each time.
_SPREAD = 0.15
# A group holds words whose length is at least this share of that of its longest word.
_GROUP = 0.6
_LEAST_WORDS, _LEAST_BATCHES = 150, 20
BATCH_WORDS = 1500
"""Most words of a batch, padding counted."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Sentences as numbers, longest first, padded with 0.

    Attributes:
        numbers: The numbers of the sentences in the data.
        lengths: Their words, shape ``(sentences,)``.
        columns: Numbers by the name of the column, shape ``(words of the longest, sentences)`` or, for columns of
            several parts, one more.
        characters: Groups of distinct words; see ``Layers.characters``.
        turned: For each place in the flattened words its place when sentences are reversed.
    """

    numbers: tuple[int, ...]
    lengths: Any
    columns: Mapping[str, Any]
    characters: Sequence[Any]
    turned: Any


class Encoded:
    """Sentences encoded by the vocabularies of a network.

    Args:
        columns: For each sentence numbers by the name of the column, shape ``(words,)`` or ``(words, parts)``.
        forms: For each sentence the numbers of its words' characters, as tuples.
    """

    def __init__(
        self, columns: Sequence[Mapping[str, Any]], forms: Sequence[Sequence[tuple[int, ...]]]
    ) -> None:
        self.columns = columns
        numbers: dict[tuple[int, ...], int] = {}
        self._forms = [
            np.array([numbers.setdefault(form, len(numbers)) for form in s], dtype=np.int64) for s in forms
        ]
        self._characters = [np.array(form, dtype=np.int64) for form in numbers]
        self._sizes = np.array([len(form) for form in numbers], dtype=np.int64)
        self.lengths = np.array([len(s) for s in self._forms], dtype=np.int64)

    def batch(self, numbers: Sequence[int]) -> Batch:
        """Return a batch of some sentences."""
        ordered = sorted(numbers, key=lambda n: -self.lengths[n])
        lengths = self.lengths[ordered]
        columns = {name: _columns([self.columns[n][name] for n in ordered]) for name in self.columns[0]}
        every, places = np.unique(np.concatenate([self._forms[n] for n in ordered]), return_inverse=True)
        falling = np.argsort(-self._sizes[every], kind="stable")
        rank = np.argsort(falling)
        columns["form"] = _columns(np.split(rank[places.reshape(-1)], np.cumsum(lengths)[:-1]))
        steps, sentences = np.arange(int(lengths[0]))[:, None], np.arange(len(ordered))
        turned = np.where(steps < lengths, lengths - 1 - steps, steps) * len(ordered) + sentences
        return Batch(
            tuple(ordered),
            torch.from_numpy(lengths),
            columns,
            self._groups(every[falling]),
            torch.from_numpy(turned.reshape(-1)),
        )

    def _groups(self, forms: Any) -> list[Any]:
        """Return the characters of forms, longest first, in groups of similar length."""
        groups: list[list[Any]] = []
        for form in forms:
            characters = self._characters[form]
            if groups and len(characters) >= _GROUP * len(groups[-1][0]):
                groups[-1].append(characters)
            else:
                groups.append([characters])
        return [_columns(group) for group in groups]


def padded(rows: Sequence[Any], value: int = 0) -> Any:
    """Return rows of numbers as one tensor, shape ``(rows, longest)``, or with parts ``(rows, longest, parts)``."""
    table = np.full((len(rows), max(map(len, rows)), *rows[0].shape[1:]), value, dtype=np.int64)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    return torch.from_numpy(table)


def _columns(rows: Sequence[Any]) -> Any:
    """Return rows of numbers as the columns of a tensor."""
    return padded(rows).transpose(0, 1).contiguous()


def ordered(lengths: Any, words: int) -> list[list[int]]:
    """Return the numbers of sentences of these lengths, in batches of at most ``words`` words, padding counted."""
    return _cut(np.argsort(-lengths, kind="stable"), lengths, words)


def shuffled(lengths: Any, words: int, draw: np.random.Generator) -> Iterator[list[int]]:
    """Yield the numbers in random order: a batch has sentences of similar length, different ones each time."""
    near = lengths * draw.uniform(1 - _SPREAD, 1 + _SPREAD, len(lengths))
    batches = _cut(np.argsort(-near, kind="stable"), lengths, words)
    for number in draw.permutation(len(batches)):
        yield batches[number]


def _cut(ordered: Any, lengths: Any, words: int) -> list[list[int]]:
    """Cut sentences in their order into batches of at most ``words`` words, or of one sentence."""
    batches: list[list[int]] = []
    longest = 0
    for number in ordered.tolist():
        longest = max(longest, int(lengths[number]))
        if batches and (len(batches[-1]) + 1) * longest <= words:
            batches[-1].append(number)
        else:
            batches.append([number])
            longest = int(lengths[number])
    return batches


def batch_words(most: int, treebank: Treebank) -> int:
    """Return how many words a batch has: fewer in a small treebank, so that its epochs have several batches too."""
    return min(most, max(_LEAST_WORDS, treebank.word_count // _LEAST_BATCHES))


def epoch_of(shares: Any, draw: np.random.Generator) -> Any:
    """Return the numbers of an epoch's sentences, given how often it takes each; 0.02 is once in 50 epochs."""
    whole = np.floor(shares)
    times = whole + (draw.random(len(whole)) < shares - whole)
    return np.repeat(np.arange(len(whole)), times.astype(int))


_OPENING_SHARE = 0.2  # Stanza's drop_initial_punct_prob


class Sampled:
    """Sentences to learn from.

    Args:
        sentences: Each with how often an epoch takes it; 0.02 is once in 50 epochs.
        encode: Encodes sentences.
        without_end: How often a sentence comes without its last punctuation, from 0 to 1.
    """

    def __init__(
        self,
        sentences: Sequence[tuple[TreebankSentence, float]],
        encode: Callable[[Sequence[TreebankSentence]], Encoded],
        without_end: float,
    ) -> None:
        every = [sentence for sentence, _ in sentences]
        self._shares = np.array([share for _, share in sentences])
        self._others: list[tuple[Any, float]] = []
        for opening, chance in ((False, without_end), (True, _OPENING_SHARE)):
            other = np.arange(len(sentences))
            for number in range(len(sentences)):
                found = shorter(every[number], opening)
                if found is not None:
                    other[number] = len(every)
                    every.append(found)
            self._others.append((other, chance))
        self._encoded = encode(every)

    def batches(self, words: int) -> Iterator[Any]:
        """Yield random batches of at most ``words`` words, without end."""
        draw = np.random.default_rng(np.random.randint(2**31, size=4))
        while True:
            chosen = self._epoch(draw)
            for places in shuffled(self._encoded.lengths[chosen], words, draw):
                yield self._encoded.batch(chosen[places])

    def _epoch(self, draw: np.random.Generator) -> Any:
        """Return the numbers of an epoch's sentences."""
        chosen = epoch_of(self._shares, draw)
        for other, chance in self._others:
            first = chosen < len(other)
            swapped = np.where(first, other[np.minimum(chosen, len(other) - 1)], chosen)
            chosen = np.where(draw.random(len(chosen)) < chance, swapped, chosen)
        return chosen


def fast_optimizers(optimizers: dict[str, Any]) -> list[Any]:
    """Make Adam update all weights in one call, and return the optimizers."""
    for name, optimizer in optimizers.items():
        groups = [{**group, "fused": True, "foreach": False} for group in optimizer.param_groups]
        optimizers[name] = torch.optim.Adam(groups, fused=True)
    return list(optimizers.values())
