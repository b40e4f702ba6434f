"""The paragraphs of a text as tokenizers read them: character by character, runs of white space one space."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_BREAK = re.compile(r"\n[\s\x80-\x9f]*\n")
_SPACE = re.compile(r"[\s\x80-\x9f]")
_REWRITTEN = re.compile(r"[^\S ]|[\x80-\x9f]| {2}")


class Paragraph(NamedTuple):
    """A paragraph of a text.

    Attributes:
        text: Its characters as a network reads them.
        places: Where each of them stands in the text.
    """

    text: str
    places: Sequence[int]


def paragraphs_of(text: str, skip_newline: bool) -> list[Paragraph]:
    """Return the paragraphs of a text, which blank lines separate; control characters count as white space.

    Args:
        text: The text.
        skip_newline: Whether a line break inside a paragraph separates nothing, as in Chinese.
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
