"""The lines of running text that all annotators of a document have, and that no edit crosses.

Lines are sentences. A newline that only one annotator has, or that an edit changes, becomes a space: the text
keeps its length, so that regions stay where they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from jperrant.exchange.base import MarkedText


def with_common_lines(versions: Sequence[MarkedText]) -> Iterator[MarkedText]:
    """Yield the texts of a document by several annotators with their common lines.

    Texts that differ in more than white space stay as they are.
    """
    if any(text.text.split() != versions[0].text.split() for text in versions):
        yield from versions
        return
    common = reduce(Counter.__and__, [Counter(_free_lines(text).values()) for text in versions])
    for text in versions:
        yield _with_lines(text, common)


def _newlines(text: str) -> dict[int, int]:
    """Return the place of each newline and the number of tokens before it."""
    tokens, places = 0, {}
    for k, character in enumerate(text):
        if character == "\n":
            places[k] = tokens
        elif not character.isspace() and (k == 0 or text[k - 1].isspace()):
            tokens += 1
    return places


def _free_lines(text: MarkedText) -> dict[int, int]:
    """Return the newlines that no edit crosses."""
    crossed = {k for region in text.regions for k in range(region.start, region.end) if text.text[k] == "\n"}
    return {k: tokens for k, tokens in _newlines(text.text).items() if k not in crossed}


def _with_lines(text: MarkedText, common: Counter[int]) -> MarkedText:
    """Return a text with as many newlines after each number of tokens as all annotators have."""
    free, left = _free_lines(text), Counter(common)
    characters, joined = list(text.text), 0
    for k, tokens in _newlines(text.text).items():
        if k in free and left[tokens]:
            left[tokens] -= 1
        else:
            characters[k] = " "
            joined += 1
    remark = "a line joined to the next: an edit crosses both, or another annotator has them in one"
    return replace(text, text="".join(characters), remarks=(*text.remarks, *[remark] * joined))
