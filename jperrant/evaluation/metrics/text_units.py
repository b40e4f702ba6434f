"""The units of a text that text metrics count: words or characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

#: What a text metric counts.
TextUnit: TypeAlias = Literal["words", "characters"]
#: What the unit is, in help texts.
UNIT = "What is counted: the tokens of the M2, or the characters of their text."


def units_of(tokens: Sequence[str], unit: TextUnit) -> Sequence[str]:
    """Return the tokens, or the characters of the text that they spell.

    Words are separated by a space, which is a character too. Before and after a character of a script that is
    written without spaces (Chinese, Japanese, Thai …) there is none, so that it does not matter how such a text
    was cut into words, nor whether a number or a quotation mark was cut off.

    >>> units_of(("I", "am"), "characters")
    'I am'
    >>> units_of(("我", "是", "学生", "。"), "characters")
    '我是学生。'
    >>> units_of(("他", "2014", "年", "说", "“", "好", "”"), "characters")
    '他2014年说“好”'
    """
    if unit == "words":
        return tokens
    pieces: list[str] = []
    for token in tokens:
        if pieces and not (_is_unspaced(pieces[-1][-1:]) or _is_unspaced(token[:1])):
            pieces.append(" ")
        pieces.append(token)
    return "".join(pieces)


#: Blocks of characters that are written without spaces between words, as half-open ranges of code points.
_UNSPACED = (
    (0x0E00, 0x0F00),  # Thai, Lao
    (0x1000, 0x10A0),  # Burmese
    (0x1780, 0x1800),  # Khmer
    (0x2E80, 0x3130),  # CJK radicals, CJK punctuation, kana, bopomofo
    (0x31A0, 0xA4D0),  # CJK extensions, enclosed CJK, CJK ideographs, Yi
    (0xF900, 0xFB00),  # CJK compatibility ideographs
    (0xFE30, 0xFE50),  # CJK compatibility forms
    (0xFF00, 0xFFF0),  # fullwidth forms
    (0x20000, 0x323B0),  # CJK ideographs beyond the basic plane
)


def _is_unspaced(character: str) -> bool:
    code = ord(character) if character else 0
    return code >= _UNSPACED[0][0] and any(start <= code < end for start, end in _UNSPACED)
