"""Stanza's tokenizer and sentence splitter without Stanza: from a text to tokens with their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from jperrant.compact.boundaries import (
    INSIDE,
    SENTENCE_END,
    SEVERAL_END,
    SEVERAL_SENTENCE_END,
    TOKEN_END,
    BoundaryNetwork,
)
from jperrant.compact.character_features import KNOWN, CharacterFeatures
from jperrant.compact.exact import DOUBLE, WIDE
from jperrant.compact.masked_addresses import addresses
from jperrant.compact.paragraphs import Paragraph, paragraphs_of
from jperrant.compact.vocabularies import PAD, Vocabulary

_LONGEST = 1000
"""Most characters that are read at once."""
_SEQUENCES, _CHARACTERS = 128, 40_000
_DOUBT = 0.06
"""Least lead of a decision in single precision, more than twice what its rounding moves."""
_SENTENCE_ENDS = (SENTENCE_END, SEVERAL_SENTENCE_END)
_LONG_TOKEN = "<UNK>"  # what Stanza makes of a token longer than that


class Segment(NamedTuple):
    """A token of a text.

    Attributes:
        start: Its first character.
        end: The character after its last.
        form: What it is for the stages after the tokenizer.
        several: Whether it stands for several words.
    """

    start: int
    end: int
    form: str
    several: bool


class Tokenizer:
    """Cuts texts into sentences and tokens; threads may share it.

    Args:
        model: What Stanza saves of a tokenizer that ``fits``.
    """

    def __init__(self, model: Mapping[str, Any]) -> None:
        settings = model["config"]
        self.skip_newline = bool(settings["skip_newline"])
        self._vocabulary = Vocabulary(model["vocab"])
        lexicon = (model["lexicon"] or ()) if settings["use_dictionary"] else None
        self._features = CharacterFeatures(settings["feat_funcs"], lexicon, settings["num_dict_feat"])
        self._fast, self._exact = (BoundaryNetwork(model["model"], settings, p) for p in (WIDE, DOUBLE))
        self._longest = max(_LONGEST, settings["max_seqlen"])

    @staticmethod
    def fits(model: Mapping[str, Any]) -> bool:
        """Whether a tokenizer is of the kind this knows: no convolutions, no character language model."""
        settings = model["config"]
        return (
            settings["conv_res"] is None
            and not settings.get("charlm_forward_file")
            and settings["shorthand"] != "la_ittb"  # whose colons Stanza treats in a way of their own
            and KNOWN.issuperset(settings["feat_funcs"])
            and ("mwt_clf.weight" in model["model"]) == settings.get("use_mwt", True)
            and (model["lexicon"] is not None or not settings["use_dictionary"])
        )

    def segments(self, texts: Sequence[str]) -> list[list[list[Segment]]]:
        """Return the tokens of each sentence of each text."""
        paragraphs = [paragraphs_of(text, self.skip_newline) for text in texts]
        labels = iter(self._labels([paragraph for found in paragraphs for paragraph in found]))
        return [
            [
                sentence
                for paragraph in found
                for sentence in self._sentences(paragraph, next(labels))
                if sentence
            ]
            for found in paragraphs
        ]

    def _labels(self, paragraphs: Sequence[Paragraph]) -> list[Any]:
        """Return what ends at each character of each paragraph; its last ends a sentence."""
        texts = list(dict.fromkeys(paragraph.text for paragraph in paragraphs))
        known: dict[str, Any] = {}
        for group in _batches(texts):
            known |= zip(group, self._labels_of_batch(group), strict=True)
        return [known[paragraph.text] for paragraph in paragraphs]

    def _labels_of_batch(self, texts: Sequence[str]) -> list[Any]:
        rows, places = self._rows(texts)
        found: list[list[Any]] = [[] for _ in texts]
        starts = [0] * len(texts)
        going = list(range(len(texts)))
        while going:
            parts = [places[n][starts[n] : starts[n] + self._longest] for n in going]
            order = sorted(range(len(going)), key=lambda n: -len(parts[n]))
            labels = self._decided(rows, [parts[n] for n in order])
            for n, part in zip((going[n] for n in order), labels, strict=True):
                rest = len(texts[n]) - starts[n]
                # A long paragraph is read on from the last sentence that ended.
                ends = np.flatnonzero((part == SENTENCE_END) | (part == SEVERAL_SENTENCE_END))
                size = int(ends[-1]) + 1 if len(ends) and rest > self._longest else min(len(part), rest)
                found[n].append(part[:size])
                starts[n] += size
            going = [n for n in going if starts[n] < len(texts[n])]
        return [_completed(text, np.concatenate(parts)) for text, parts in zip(texts, found, strict=True)]

    def _decided(self, rows: Any, places: Sequence[Any]) -> list[Any]:
        """Return labels of sequences, longest first; what single precision leaves in doubt, double decides."""
        found = self._fast.labels(rows, places)
        doubtful = [n for n, (_, margin) in enumerate(found) if margin < _DOUBT]
        if doubtful:
            exact = self._exact.labels(rows, [places[n] for n in doubtful])
            for n, decided in zip(doubtful, exact, strict=True):
                found[n] = decided
        return [labels for labels, _ in found]

    def _rows(self, texts: Sequence[str]) -> tuple[Any, list[Any]]:
        """Return embeddings and features of distinct characters, and for each text those of its characters.

        A text shorter than what is read at once is followed by padding, as in Stanza.
        """
        distinct = sorted({character for text in texts for character in text})
        columns = {character: n for n, character in enumerate(distinct, start=1)}
        of_character = np.zeros((len(distinct) + 1, len(self._features.of_character(" "))), np.float32)
        ids = np.full(len(distinct) + 1, PAD)
        for n, character in enumerate(distinct, start=1):
            of_character[n] = self._features.of_character(character)
            ids[n] = self._vocabulary.number(character)
        padded = [len(text) < self._longest for text in texts]
        characters = np.array(
            [
                n
                for text, pad in zip(texts, padded, strict=True)
                for n in (*map(columns.get, text), *[0] * pad)
            ]
        )
        width = self._features.size - of_character.shape[1]
        of_places = np.concatenate(
            [
                np.concatenate([self._features.of_places(text), np.zeros((int(pad), width), np.float32)])
                for text, pad in zip(texts, padded, strict=True)
            ]
        )
        # Characters with the same features of their places are one row.
        codes = characters << width | (of_places.astype(np.int64) << np.arange(width)).sum(axis=1)
        _, first, which = np.unique(codes, return_index=True, return_inverse=True)
        kinds = characters[first]
        rows = np.concatenate(
            [self._fast.embeddings[ids[kinds]], of_character[kinds], of_places[first]], axis=1
        )
        ends = list(accumulate(len(text) + pad for text, pad in zip(texts, padded, strict=True)))
        return rows, np.split(which, ends[:-1])

    def _sentences(self, paragraph: Paragraph, labels: Any) -> Iterator[list[Segment]]:
        """Yield the tokens of each sentence of a paragraph."""
        text, places = paragraph
        sentence: list[Segment] = []
        start = 0
        ends = np.flatnonzero(labels)
        for last, label in zip(ends.tolist(), labels[ends].tolist(), strict=True):
            end = last + 1
            while start < end and text[start] == " ":
                start += 1
            if start < end:
                form = text[start:end] if end - start <= _LONGEST else _LONG_TOKEN
                sentence.append(Segment(places[start], places[last] + 1, form, label >= SEVERAL_END))
                if label in _SENTENCE_ENDS:
                    yield sentence
                    sentence = []
            start = end
        yield sentence


def _completed(text: str, labels: Any) -> Any:
    """Return labels with a sentence end at the last character, and addresses in one piece."""
    labels[-1] = SEVERAL_SENTENCE_END if labels[-1] > SENTENCE_END else SENTENCE_END
    for start, end in addresses(text):
        labels[start : end - 1] = INSIDE
        labels[end - 1] = labels[end - 1] or TOKEN_END
    return labels


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield texts of similar length together."""
    batch: list[str] = []
    size = 0
    for text in sorted(texts, key=len, reverse=True):
        if batch and (len(batch) == _SEQUENCES or size + len(text) > _CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch
