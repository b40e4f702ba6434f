"""Tokens and sentences of raw text without models: rules for all languages, and additions of packs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from jperrant.core.values import Sentence, Token

#: Characters that are not part of words: punctuation and symbols of ASCII, Latin-1, general punctuation,
#: currencies, signs, and the marks of Arabic, Devanagari and East Asia. All others are, also those outside
#: Python's ``\w``: vowel signs, ZWNJ.
_MARKS = (
    r"!-/:-@\[-^`{-~\u00a1-\u00a9\u00ab-\u00ac\u00ae-\u00b1\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u0387"
    r"\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2190-\u2bff"
    r"\u3001-\u3020\uff01-\uff0f\uff1a-\uff20"
)
_APOSTROPHES = "'’ʼ"
_ENDS = re.compile(r"[.!?…。！？।॥۔؟]+")
_CLOSING = frozenset("\"'”’»)]}“")


@dataclass(frozen=True, slots=True)
class TokenRules:
    """The additions of a language to the rules for all languages.

    Attributes:
        abbreviations: Words that keep a following full stop, listed without it.
        whole: Words that are never split. Words of one letter among them are not initials (``I``).
        elisions: Beginnings of words that become tokens (``l'``).
        suffixes: Ends of words that become tokens (``n't``).
        marks: Characters that are always tokens, such as the hyphen if ``well-known`` is three tokens.
        ordinals: Whether a number of one or two digits and its full stop inside a sentence are one token.
    """

    abbreviations: Collection[str] = frozenset()
    whole: Sequence[str] = ()
    elisions: Sequence[str] = ()
    suffixes: Sequence[str] = ()
    marks: str = ""
    ordinals: bool = False
    pattern: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        word = f"[^\\s{_MARKS}]"
        joints = "".join(re.escape(mark) for mark in f"{_APOSTROPHES}-‑·&" if mark not in self.marks)
        after = f"(?!{word})"
        ends = _any(self.suffixes)
        dotted = [f"{short}." for short in self.abbreviations if "." in short]
        pieces = [
            r"(?:https?://|www\.)[^\s<>\"]*[^\s<>\".,;:!?)]",
            rf"{word}[^\s@]*@[^\s@]+\.{word}+|{word}+\.(?:com|org|net){after}",
            # Smileys. Chinese and Japanese text is not split; a warning says so.
            r"(?<!\S)(?:[:;]-?[()DP]+(?!\S)|\S*?[\u3040-\u30ff\u3400-\u9fff]{2}[，。！？；：、]\S*)",
            rf"(?:{_any(dotted)})",
            rf"(?:{_any(self.whole)}){after}",
            rf"[^\W\d_](?:\.[^\W\d_])+{after}\.?",
            rf"(?:{_any(self.elisions)})(?={word}|\s|$)",
            rf"(?<={word})(?:{ends})(?=(?:{ends})*{after})",
            rf"{word}(?:{word}|[{joints}])*?(?=(?:{ends})+{after})",
            rf"{word}+(?:(?:[{joints}]|(?<=\d)[.,:/](?=\d)){word}+)*(?:-(?=[\s/,]))?",
            r"''|``|[!?]+|([^\w\s()\[\]{}\"'’‘“”„«»])\1*|\S",
        ]
        object.__setattr__(self, "pattern", re.compile("|".join(pieces), re.IGNORECASE))

    def sentences(self, text: str) -> list[Sentence]:
        """Return the sentences of a text; together they contain all its characters except white space."""
        spans = list(self._spans(text))
        found, first = [], 0
        for after in range(1, len(spans) + 1):
            if after == len(spans) or self._ends(text, spans, after):
                found.append(_sentence(text, spans[first:after]))
                first = after
        return found

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the spans of tokens; an abbreviation includes its full stop."""
        start = end = 0
        for match in self.pattern.finditer(text):
            if match.group() == "." and end == match.start() and self._is_short(text, start, end):
                yield start, end + 1
                start = end = match.end()
                continue
            if end > start:
                yield start, end
            start, end = match.span()
        if end > start:
            yield start, end

    def _is_short(self, text: str, start: int, end: int) -> bool:
        """Return whether a word is an abbreviation or an initial, to which a following full stop belongs."""
        word, rest = text[start:end], text[end + 1 :].lstrip(" \t")
        if word in self.abbreviations or word[:1].lower() + word[1:] in self.abbreviations:
            return True
        if len(word) == 1 and word.isupper():
            return word not in self.whole and rest[:1].isupper()
        ordinal = self.ordinals and word.isdecimal() and len(word) < 3
        return ordinal and rest[:1].isalpha() and text[end + 1 : end + 2].isspace()

    @staticmethod
    def _ends(text: str, spans: Sequence[tuple[int, int]], after: int) -> bool:
        """Return whether a sentence ends before a token: after a final mark, not before a small letter."""
        start, last = spans[after][0], after - 1
        if text[start : start + 1] in _CLOSING and start == spans[last][1]:
            return False
        while last and text[slice(*spans[last])] in _CLOSING and spans[last - 1][1] == spans[last][0]:
            last -= 1
        if not _ENDS.fullmatch(text, *spans[last]):
            return False
        words = (text[a] for a, b in spans[after : after + 3] if any(map(str.isalnum, text[a:b])))
        return not next(words, "").islower()


def _any(texts: Sequence[str]) -> str:
    """Return a regular expression that matches the longest of some texts, with any form of apostrophe."""
    joined = "|".join([re.escape(text) for text in sorted(texts, key=len, reverse=True)]) or "(?!)"
    return joined.replace("'", f"[{_APOSTROPHES}]")


def _sentence(text: str, spans: Sequence[tuple[int, int]]) -> Sentence:
    first, end = spans[0][0], spans[-1][1]
    tokens = [Token(text[a:b], start=a - first, end=b - first) for a, b in spans]
    return Sentence(tuple(tokens), text[first:end])
