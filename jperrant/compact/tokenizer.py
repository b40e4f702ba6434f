"""Stanza's tokenizer and expander: from texts to sentences, tokens and the words of multi-word tokens.

A network labels each character with what ends there: nothing, a token, a multi-word token or a sentence. Its
inputs are the character, features of the character and its place, and, if the model has a lexicon, the
lexicon's words that begin or end there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from jperrant.compact.layers import DOUBLE, LSTM, SINGLE, Linear, Packing, Precision, batches, directions
from jperrant.compact.weights import END, PAD, START, OtherFormatError, Vocabulary, check_settings

_LONGEST = 1000
"""The most characters that are read at once."""
_SEQUENCES, _CHARACTERS = 128, 40_000
_DOUBT = 0.06
"""The smallest margin of a decision in single precision; more than twice the effect of its rounding."""
_LONG_TOKEN = "<UNK>"  # Stanza's form of a longer token
_PADDING = ""
_INSIDE, _TOKEN_END, _SENTENCE_END, _SEVERAL_END, _SEVERAL_SENTENCE_END = range(5)
"""The labels of a character; the last two end a multi-word token."""
_SHARPNESS = 0.5
"""How strongly the second LSTM prefers the states of likely token ends."""
_KIND = {
    "conv_res": None, "charlm_forward_file": None, "hierarchical": True, "rnn_layers": 1,
    "hier_invtemp": _SHARPNESS,
}  # fmt: skip


class Segment(NamedTuple):
    """A token of a text.

    Attributes:
        start: The offset of its first character.
        end: The offset after its last character.
        form: The form that later stages read.
        several: Whether it is a multi-word token.
    """

    start: int
    end: int
    form: str
    several: bool


class Tokenizer:
    """Splits texts into sentences and tokens; thread-safe.

    Args:
        model: The result of ``read_model``.

    Raises:
        OtherFormatError: The model is of another kind.
    """

    def __init__(self, model: Mapping[str, Any]) -> None:
        check_settings(model, _KIND)
        settings, state = model["config"], model["model"]
        self._skips_newline = bool(settings["skip_newline"])
        self._vocabulary = Vocabulary(model["vocab"])
        lexicon = model["lexicon"] if settings["use_dictionary"] else None
        self._features = CharacterFeatures(settings["feat_funcs"], lexicon, settings["num_dict_feat"])
        self._embeddings = np.asarray(state["embeddings.weight"], np.float32)
        self._fast, self._exact = (_Network(state, p) for p in (SINGLE, DOUBLE))
        self._longest = max(_LONGEST, settings["max_seqlen"])

    def segments(self, texts: Sequence[str]) -> list[list[list[Segment]]]:
        """Return the tokens of each sentence of each text."""
        paragraphs = [paragraphs_of(text, self._skips_newline) for text in texts]
        distinct = list(dict.fromkeys(paragraph.text for found in paragraphs for paragraph in found))
        labels: dict[str, Any] = {}
        for rows in batches(list(map(len, distinct)), _CHARACTERS, _SEQUENCES):
            batch = [distinct[row] for row in rows]
            labels |= zip(batch, self._labels(batch), strict=True)
        return [[s for p in found for s in _sentences(p, labels[p.text]) if s] for found in paragraphs]

    def _labels(self, texts: Sequence[str]) -> list[Any]:
        """Return the labels of the characters of each text; the last character ends a sentence."""
        rows, places = self._rows(texts)
        found: list[list[Any]] = [[] for _ in texts]
        starts = [0] * len(texts)
        going = list(range(len(texts)))
        while going:
            parts = {n: places[n][starts[n] : starts[n] + self._longest] for n in going}
            order = sorted(parts, key=lambda n: -len(parts[n]))
            for n, part in zip(order, self._decided(rows, [parts[n] for n in order]), strict=True):
                rest = len(texts[n]) - starts[n]
                # A long paragraph is continued after the last complete sentence.
                ends = np.flatnonzero((part == _SENTENCE_END) | (part == _SEVERAL_SENTENCE_END))
                size = int(ends[-1]) + 1 if len(ends) and rest > self._longest else min(len(part), rest)
                found[n].append(part[:size])
                starts[n] += size
            going = [n for n in going if starts[n] < len(texts[n])]
        return [_completed(text, np.concatenate(parts)) for text, parts in zip(texts, found, strict=True)]

    def _decided(self, rows: Any, places: Sequence[Any]) -> list[Any]:
        """Return the labels of sequences, longest first; doubtful ones are computed in double precision."""
        labels, margins = self._fast.labels(rows, places)
        doubtful = np.flatnonzero(margins < _DOUBT).tolist()
        if doubtful:
            exact, _ = self._exact.labels(rows, [places[n] for n in doubtful])
            for n, decided in zip(doubtful, exact, strict=True):
                labels[n] = decided
        return labels

    def _rows(self, texts: Sequence[str]) -> tuple[Any, list[Any]]:
        """Return the input vectors of distinct characters, and for each text the rows of its characters.

        A text shorter than what is read at once is padded, as in Stanza.
        """
        units = [[*text, *[_PADDING] * (len(text) < self._longest)] for text in texts]
        numbers = {unit: n for n, unit in enumerate({unit: None for text in units for unit in text})}
        ids = np.array([PAD if unit == _PADDING else self._vocabulary.number(unit) for unit in numbers])
        of_character = np.array([self._features.of_character(unit) for unit in numbers], np.float32)
        characters = np.array([numbers[unit] for text in units for unit in text])
        of_places = np.concatenate(
            [self._features.of_places(text, len(each)) for text, each in zip(texts, units, strict=True)]
        )
        # Equal characters whose places have equal features share a row.
        width = of_places.shape[1]
        codes = characters << width | of_places.astype(np.int64) @ (1 << np.arange(width))
        _, first, which = np.unique(codes, return_index=True, return_inverse=True)
        kinds = characters[first]
        rows = np.concatenate([self._embeddings[ids[kinds]], of_character[kinds], of_places[first]], axis=1)
        return rows, np.split(which, np.cumsum(list(map(len, units)))[:-1])


def _sentences(paragraph: Paragraph, labels: Any) -> Iterator[list[Segment]]:
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
            sentence.append(Segment(places[start], places[last] + 1, form, label >= _SEVERAL_END))
            if label in (_SENTENCE_END, _SEVERAL_SENTENCE_END):
                yield sentence
                sentence = []
        start = end
    yield sentence


def _completed(text: str, labels: Any) -> Any:
    """Correct labels: the last character ends a sentence, and an address is one token."""
    labels[-1] = _SEVERAL_SENTENCE_END if labels[-1] > _SENTENCE_END else _SENTENCE_END
    for start, end in addresses(text):
        labels[start : end - 1] = _INSIDE
        labels[end - 1] = labels[end - 1] or _TOKEN_END
    return labels


class _Network:
    """Labels characters.

    A bidirectional LSTM over the characters scores the labels. A second LSTM reads the states of the first,
    weighted by how likely a token ends there, and its scores are added.

    Args:
        state: The arrays of the network by name.
        precision: The format of all numbers.
    """

    def __init__(self, state: Mapping[str, Any], precision: Precision) -> None:
        heads = [head for head in ("tok_clf", "sent_clf", "mwt_clf") if f"{head}.weight" in state]
        weight, bias, more = (
            np.concatenate([state[head + end] for head in heads]) for end in (".weight", ".bias", "2.weight")
        )
        self._first = LSTM(directions(state, "rnn."), None, precision=precision)
        self._second = LSTM(directions(state, "rnn2."), 1.0, precision=precision)
        self._scores = Linear(weight, bias, 1.0, precision)
        self._more = Linear(more, None, 1.0, precision)
        self._sharpness = precision.dtype(_SHARPNESS / 2)

    def labels(self, rows: Any, places: Sequence[Any]) -> tuple[list[Any], Any]:
        """Return the labels of the characters of sequences.

        Args:
            rows: The input vectors of distinct characters, shape ``(distinct, size)``.
            places: For each sequence the rows of its characters; longest first, none empty.

        Returns:
            The labels of each sequence, shape ``(characters,)``; the smallest margin of a decision in each
                sequence, shape ``(sequences,)``.
        """
        lengths = list(map(len, places))
        packing = Packing(lengths)
        states, _, _ = self._first.both(rows, np.concatenate(places)[packing.order], packing)
        scores = self._scores.of_rounded(states)
        weighted = states * (np.tanh(scores[:, :1] * self._sharpness) * 0.5 + 0.5)
        more, _, _ = self._second.both(weighted, np.arange(len(states)), packing)
        scores += self._more.of_rounded(more)
        labels, margins = map(packing.unpacked, _decided(scores))
        ends: Any = np.cumsum(lengths)
        return np.split(labels, ends[:-1]), np.minimum.reduceat(margins, ends - lengths)


def _decided(scores: Any) -> tuple[Any, Any]:
    """Return the likeliest label of each row of scores, and its margin over the next label.

    The columns are the scores of a token end, a sentence end and, in some models, a multi-word token. The
    probability of a label is that of a token end times those of the other two or of their complements. Whether
    the best end is likelier than no end follows from the scores: log s(t) - log s(-t) = t for the logistic
    function s.
    """
    exact = scores.astype(np.float64)
    others = exact[:, 1:]
    lead = exact[:, 0] - np.log1p(np.exp(-np.abs(others))).sum(axis=1)
    labels = _TOKEN_END + (others > 0) @ np.array([1, 2])[: others.shape[1]]
    ends = lead > 0
    margins = np.where(ends, np.minimum(lead, np.abs(others).min(axis=1)), -lead)
    return np.where(ends, labels, _INSIDE), margins


# Inputs of the network

_OF_CHARACTER = {"space_before": " ".__eq__, "capitalized": str.isupper, "numeric": str.isdecimal}
_OF_PLACE = {"end_of_para": -1, "start_of_para": 0}
_MONTHS = "January February March April May June July August September October November December"
# Features for the text of tables and signatures. Source: the features of these names in Stanza 1.15.
_OF_STRETCH = {
    "labeled_field": re.compile(r"\b[A-Z][a-zA-Z]*(?:\s[A-Z][a-zA-Z]*){0,2}\s*:"),
    "phone_id": re.compile(r"\(\d{3}\)\s?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b|\bx\d{3,5}\b"),
    "date_pattern": re.compile(
        rf"\b\d{{1,2}}/\d{{1,2}}/\d{{2,4}}\b|\b(?:{_MONTHS.replace(' ', '|')})\s+\d{{1,2}},?\s+\d{{4}}\b"
    ),
    "currency": re.compile(r"\$\s?\d[\d,]*(?:\.\d+)?"),
}
KNOWN = frozenset({*_OF_CHARACTER, *_OF_PLACE, *_OF_STRETCH})
"""The names of the features that a model may use."""


class CharacterFeatures:
    """Computes the features of characters.

    Args:
        names: The names of the features.
        lexicon: Words; each character is marked with the words that begin or end there. None for no marks.
        reach: The most characters of a word after its first; the number of marks is twice that.

    Raises:
        OtherFormatError: A feature is unknown.
    """

    def __init__(self, names: Sequence[str], lexicon: Sequence[str] | None, reach: int) -> None:
        if unknown := set(names) - KNOWN:
            raise OtherFormatError(f"found the feature {min(unknown):.80}")
        self._characters = [_OF_CHARACTER[name] for name in names if name in _OF_CHARACTER]
        self._places = [place for name, place in _OF_PLACE.items() if name in names]
        self._stretches = [pattern for name, pattern in _OF_STRETCH.items() if name in names]
        self._lexicon = frozenset(word for word in lexicon or () if len(word) > 1)
        self._reach = 0 if lexicon is None else reach

    def of_character(self, character: str) -> list[bool]:
        """Return the features of a character that do not depend on its place; they come first."""
        return [test(character) for test in self._characters]

    def of_places(self, text: str, length: int) -> Any:
        """Return the features that depend on the place, shape ``(length, features)``; 0 after the text."""
        features = len(self._places) + len(self._stretches)
        marks = np.zeros((length, features + 2 * self._reach), dtype=np.float32)
        for column, place in enumerate(self._places):
            marks[place % len(text), column] = 1
        for column, pattern in enumerate(self._stretches, start=len(self._places)):
            for match in pattern.finditer(text):
                marks[match.start() : match.end(), column] = 1
        self._mark_words(text, marks[:, features:])
        return marks

    def _mark_words(self, text: str, marks: Any) -> None:
        """Mark where words of the lexicon begin (first half of the columns) and end (second half).

        For the look-up, the character that gets the mark keeps its case; the others are lower-cased.
        """
        lower = [character.lower() for character in text]
        same = "".join(lower) == text
        for further in range(1, self._reach + 1):
            for start in range(len(text) - further):
                end = start + further
                begins = ends = text[start : end + 1]
                if not same:
                    begins = text[start] + "".join(lower[start + 1 : end + 1])
                    ends = "".join(lower[start:end]) + text[end]
                if begins in self._lexicon:
                    marks[start, further - 1] = 1
                if ends in self._lexicon:
                    marks[end, self._reach + further - 1] = 1


# Paragraphs

_BREAK = re.compile(r"\n[\s\x80-\x9f]*\n")
_SPACE = re.compile(r"[\s\x80-\x9f]")
_REWRITTEN = re.compile(r"[^\S ]|[\x80-\x9f]| {2}")


class Paragraph(NamedTuple):
    """A paragraph of a text.

    Attributes:
        text: Its characters as the network reads them, with white space reduced to single spaces.
        places: The offset of each of these characters in the text.
    """

    text: str
    places: Sequence[int]


def paragraphs_of(text: str, skip_newline: bool) -> list[Paragraph]:
    """Split a text into paragraphs at blank lines; control characters count as white space.

    Args:
        text: The text.
        skip_newline: Whether a line break inside a paragraph is removed, as in Chinese, instead of becoming a
            space.
    """
    paragraphs, start = [], 0
    for end, following in [*(match.span() for match in _BREAK.finditer(text)), (len(text), len(text))]:
        if content := text[start:end].rstrip():
            paragraphs.append(_paragraph(content, start, skip_newline))
        start = following
    return [paragraph for paragraph in paragraphs if paragraph.text]


def _paragraph(content: str, start: int, skip_newline: bool) -> Paragraph:
    if not _REWRITTEN.search(content):
        return Paragraph(content, range(start, start + len(content)))
    characters: list[str] = []
    places = []
    for place, character in enumerate(content, start):
        if skip_newline and character == "\n":
            continue
        if _SPACE.match(character):
            if characters and characters[-1] == " ":
                continue
            character = " "
        characters.append(character)
        places.append(place)
    return Paragraph("".join(characters), places)


# Addresses  E-mail addresses and links are single tokens. The forms are those that Stanza's tokenizer protects:
# addresses as in RFC 5322, in lower case, and links that begin with a scheme or ``www.`` or have a well-known
# top-level domain.

_LETTER = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]"
_ESCAPED = r"\\[\x01-\x09\x0b\x0c\x0e-\x7f]"
_QUOTED = rf'"(?:[\x01-\x08\x0b\x0c\x0e-\x1f\x21\x23-\x5b\x5d-\x7f]|{_ESCAPED})*"'
_LABEL = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
_BYTE = r"(?:2(?:5[0-5]|[0-4][0-9])|1[0-9][0-9]|[1-9]?[0-9])"
_TAGGED = rf"[a-z0-9-]*[a-z0-9]:(?:[\x01-\x08\x0b\x0c\x0e-\x1f\x21-\x5a\x53-\x7f]|{_ESCAPED})+"
_DOTTED = rf"{_LETTER}+(?:\.{_LETTER}+)*"
_DOMAIN = rf"(?:(?:{_LABEL}\.)+{_LABEL}|\[(?:{_BYTE}\.){{3}}(?:{_BYTE}|{_TAGGED})\])"
_REST = r'\.[^\s"]{2,}'
_HOST = r"[a-zA-Z0-9][a-zA-Z0-9-]+[a-zA-Z0-9]"
_SCHEME = r"https?://(?:www\.|(?!www))"
_NAMED = rf"[a-zA-Z0-9]+\.(?:gov|org|edu|net|com|co){_REST}"
_LINK = "|".join(
    f"{scheme}{host}{_REST}" for host in (_HOST, "[a-zA-Z0-9]+") for scheme in (_SCHEME, r"www\.")
)
#: An address that begins inside a run of letters implies one that begins with the run. So later starts are
#: skipped; trying all of them would take quadratic time.
_DOTTED_BEGINS = rf"(?<!{_LETTER})(?<!{_LETTER}\.)"
_ANYWHERE, _BEGINNING = (
    re.compile(f"(?:{dotted}{_DOTTED}|{_QUOTED})@{_DOMAIN}|{_LINK}|{named}{_NAMED}")
    for dotted, named in (("", ""), (_DOTTED_BEGINS, "(?<![a-zA-Z0-9])"))
)


def addresses(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each address in a text."""
    if "." not in text and "@" not in text:
        return
    end = 0
    # Another address may begin right after one, or after the full stop after it.
    while (
        match := _ANYWHERE.match(text, end) or _ANYWHERE.match(text, end + 1) or _BEGINNING.search(text, end)
    ):
        yield match.span()
        end = match.end()


class Expander:
    """Splits multi-word tokens into words; thread-safe.

    Args:
        model: The result of ``read_model``.

    Raises:
        OtherFormatError: The model is of another kind, which spells words.
    """

    def __init__(self, model: Mapping[str, Any]) -> None:
        check_settings(model, {"force_exact_pieces": True, "ensemble_dict": True, "dict_only": False})
        state = model["model"]
        self._dictionary: Mapping[str, str] = model["dict"]
        self._vocabulary = Vocabulary(model["vocab"])
        self._embeddings = np.asarray(state["embedding.weight"], np.float64)
        self._layers = [
            LSTM(directions(state, "encoder.", layer), 1.0 if layer else None, precision=DOUBLE)
            for layer in range(model["config"]["num_layers"])
        ]
        self._hidden, self._scores = (
            Linear(state[f"output_layer.{n}.weight"], state[f"output_layer.{n}.bias"], bound, DOUBLE)
            for n, bound in ((0, 1.0), (2, None))
        )

    def words(self, forms: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the words of each token; a token that turns out to be one word is its only word."""
        found = {form: self._looked_up(form) for form in forms}
        found |= self._cut(sorted((form for form in found if not found[form]), key=len, reverse=True))
        return {form: words if len(words) > 1 else (form,) for form, words in found.items()}

    def _looked_up(self, form: str) -> tuple[str, ...]:
        """Look up the words of a token, also if it is in capitals or begins with a capital letter."""
        words = self._dictionary.get(form, "")
        if not words and form.isupper():
            words = self._dictionary.get(form.lower(), "").upper()
        if not words and form[0].isupper() and form[1:].islower():
            lower = self._dictionary.get(form.lower(), "")
            words = lower[:1].upper() + lower[1:]
        return tuple(word for word in words.split(" ") if word)

    def _cut(self, forms: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Split each token with the network; tokens are given longest first."""
        if not forms:
            return {}
        source = [[START, *self._vocabulary.numbers(form), END] for form in forms]
        lengths = list(map(len, source))
        packing = Packing(lengths)
        rows, taken = self._embeddings, np.concatenate(source)[packing.order]
        for layer in self._layers:
            rows, _, _ = layer.both(rows, taken, packing)
            taken = np.arange(len(taken))
        scores = packing.unpacked(self._scores(np.maximum(self._hidden(rows), 0)))
        begins = np.split(scores[:, 1] > scores[:, 0], np.cumsum(lengths)[:-1])
        cuts = [
            [0, *np.flatnonzero(part[1:-1]).tolist(), len(form)]
            for part, form in zip(begins, forms, strict=True)
        ]
        return {
            form: tuple(form[start:end] for start, end in pairwise(edges) if start < end)
            for form, edges in zip(forms, cuts, strict=True)
        }
