"""From sentences of a treebank to batches of numbers that a tagger or parser learns from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from jperrant.compact.layers import simple_mark
from jperrant.core.conllu import DEPREL, FORM, HEAD, LEMMA
from training.treebank import Treebank, TreebankSentence

TAG_COLUMNS = {"upos": 3, "xpos": 4, "feats": 5}
"""Places of the tags among the columns of CoNLL-U."""
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
        xpos = _parts(vocab["xpos"], [row[TAG_COLUMNS["xpos"]] for row in words])
        rooted = {
            "word": _numbers(vocab["word"], marks),
            "lemma": _numbers(vocab["lemma"], [row[LEMMA] for row in words]),
            "upos": _numbers(vocab["upos"], [row[TAG_COLUMNS["upos"]] for row in words]),
            "xpos": xpos if hasattr(vocab["xpos"], "lens") else xpos[:, 0],
        }
        plain = {
            "head": np.array([int(row[HEAD]) if row[HEAD] != "_" else 0 for row in words], dtype=np.int64),
            "deprel": _numbers(vocab["deprel"], [row[DEPREL] for row in words]),
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
        found = words[0][FORM] in _OPENING
    else:
        found = words[-1][TAG_COLUMNS["upos"]] == "PUNCT"
    return sentence.without(0 if opening else len(words) - 1) if found else None


def _numbers(vocab: Any, values: Sequence[str]) -> Any:
    return np.array(vocab.map(values), dtype=np.int64)


def _parts(vocab: Any, values: Sequence[str]) -> Any:
    """Return the numbers of tags, shape ``(words, parts)``."""
    return _numbers(vocab, values).reshape(len(values), -1)


# Sentences are sorted by their length and this share of it more or less, for other company each time.
_SPREAD = 0.15
# Words whose length is at least this share of a group's longest are padded to it.
_GROUP = 0.6
_LEAST_WORDS, _LEAST_BATCHES = 150, 20
#: Words of a batch where a recipe does not say.
BATCH_WORDS = 1500


@dataclass(frozen=True, slots=True)
class Batch:
    """Sentences as numbers, longest first, padded with 0.

    Attributes:
        numbers: Which sentences these are.
        lengths: Their words, shape ``(sentences,)``.
        columns: Numbers by the name of the column, shape ``(words of the longest, sentences)`` or, for columns of
            several parts, one more.
        characters: Groups of distinct words; see ``Layers.characters``.
        turned: For each place in the flattened words its place when sentences are turned round.
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

    def __len__(self) -> int:
        """Number of sentences."""
        return len(self.lengths)

    def ordered(self, words: int) -> list[list[int]]:
        """Return the numbers of all sentences, in batches of at most so many words, padding counted."""
        return ordered(self.lengths, words)

    def shuffled(self, numbers: Any, words: int, draw: np.random.Generator) -> Iterator[list[int]]:
        """Yield batches of some sentences at random, each as places among their numbers."""
        return shuffled(self.lengths[numbers], words, draw)

    def batch(self, numbers: Sequence[int]) -> Batch:
        """Return a batch of some sentences."""
        ordered = sorted(numbers, key=lambda n: -self.lengths[n])
        lengths = self.lengths[ordered]
        width = int(lengths[0])
        columns = {name: _padded([self.columns[n][name] for n in ordered], width) for name in self.columns[0]}
        every, places = np.unique(np.concatenate([self._forms[n] for n in ordered]), return_inverse=True)
        falling = np.argsort(-self._sizes[every], kind="stable")
        rank = np.empty_like(falling)
        rank[falling] = np.arange(len(falling))
        parts = np.split(rank[places.reshape(-1)], np.cumsum(lengths)[:-1])
        columns["form"] = _padded(parts, width)
        steps = np.arange(width)[:, None]
        turned = np.where(steps < lengths, lengths - 1 - steps, steps) * len(ordered) + np.arange(
            len(ordered)
        )
        return Batch(
            tuple(ordered),
            torch.from_numpy(lengths),
            columns,
            self._groups(every[falling]),
            torch.from_numpy(turned.reshape(-1)),
        )

    def _groups(self, forms: Any) -> list[Any]:
        """Return the characters of forms, longest first, in groups of similar length."""
        groups = []
        for start, end in length_groups(self._sizes[forms].tolist()):
            width = int(self._sizes[forms[start]])
            groups.append(_padded([self._characters[form] for form in forms[start:end]], width))
        return groups


def _padded(rows: Sequence[Any], width: int) -> Any:
    """Return rows of numbers as columns of a tensor, shape ``(width, rows)`` or with parts one more."""
    table = np.zeros((width, len(rows), *rows[0].shape[1:]), dtype=np.int64)
    for number, row in enumerate(rows):
        table[: len(row), number] = row
    return torch.from_numpy(table)


def ordered(lengths: Any, words: int) -> list[list[int]]:
    """Return the numbers of sentences of these lengths, in batches of at most so many words, padding counted."""
    return _cut(np.argsort(-lengths, kind="stable"), lengths, words)


def shuffled(lengths: Any, words: int, draw: np.random.Generator) -> Iterator[list[int]]:
    """Yield the same in random order, each batch of sentences of similar length in other company each time."""
    near = lengths * draw.uniform(1 - _SPREAD, 1 + _SPREAD, len(lengths))
    batches = _cut(np.argsort(-near, kind="stable"), lengths, words)
    for number in draw.permutation(len(batches)):
        yield batches[number]


def _cut(ordered: Any, lengths: Any, words: int) -> list[list[int]]:
    """Cut sentences in their order into batches of at most so many words, or of one sentence."""
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


def length_groups(lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Return where groups of similar length begin and end.

    Args:
        lengths: Falling.
    """
    groups, start = [], 0
    for number, length in enumerate(lengths):
        if length < _GROUP * lengths[start]:
            groups.append((start, number))
            start = number
    return [*groups, (start, len(lengths))]


def batch_words(most: int, treebank: Treebank) -> int:
    """Return how many words a batch has: fewer in small treebanks, so that an epoch has some batches there, too."""
    return min(most, max(_LEAST_WORDS, treebank.word_count // _LEAST_BATCHES))


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
            for number in range(len(sentences)) if chance else ():
                found = shorter(every[number], opening)
                if found is not None:
                    other[number] = len(every)
                    every.append(found)
            self._others.append((other, chance))
        self._encoded = encode(every)

    def batches(self, words: int) -> Iterator[Any]:
        """Yield batches of at most so many words at random, without end."""
        draw = np.random.default_rng(np.random.randint(2**31, size=4))
        while True:
            chosen = self._epoch(draw)
            for places in self._encoded.shuffled(chosen, words, draw):
                yield self._encoded.batch(chosen[places])

    def _epoch(self, draw: np.random.Generator) -> Any:
        """Return the numbers of an epoch's sentences."""
        chosen = epoch_of(self._shares, draw)
        for other, chance in self._others:
            first = chosen < len(other)
            swapped = np.where(first, other[np.minimum(chosen, len(other) - 1)], chosen)
            chosen = np.where(draw.random(len(chosen)) < chance, swapped, chosen)
        return chosen


def epoch_of(shares: Any, draw: np.random.Generator) -> Any:
    """Return the numbers of an epoch's sentences, given how often it takes each; 0.02 is once in 50 epochs."""
    whole = np.floor(shares)
    times = whole + (draw.random(len(whole)) < shares - whole)
    return np.repeat(np.arange(len(whole)), times.astype(int))


def fast_optimizer(optimizers: dict[str, Any]) -> None:
    """Let Adam update all weights in one go."""
    import torch

    for name, optimizer in optimizers.items():
        if type(optimizer) is torch.optim.Adam:
            groups = [{**group, "fused": True, "foreach": False} for group in optimizer.param_groups]
            optimizers[name] = torch.optim.Adam(groups, fused=True)
