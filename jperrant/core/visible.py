"""Characters that are shown and not obeyed: control characters, and those that turn the order of text."""

from __future__ import annotations

import re

#: What stands for no words.
NOTHING = "∅"
#: Control characters but for tab and newline, and their visible stand-ins.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
#: Controls that turn the order of the text around them, and halves of characters.
_HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_DELETE, _DELETE_PICTURE, _PICTURES, _REPLACEMENT = 0x7F, "\u2421", 0x2400, "\ufffd"


def printable(text: str) -> str:
    """Return a text whose control characters are visible, so that a terminal does not obey them.

    Tabs and newlines stay. The others become pictures (U+2400 to U+2421) or, from U+0080 on, U+FFFD.

    >>> printable("a\\x1b[31mb")
    'a␛[31mb'
    """
    return _CONTROL.sub(_picture, text)


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code == _DELETE:
        return _DELETE_PICTURE
    return chr(_PICTURES + code) if code < _DELETE else _REPLACEMENT


def visible_text(text: str) -> str:
    """Return a text with the characters shown that would hide or turn around what stands beside them.

    >>> visible_text("a\\u202eb")
    'a‹U+202E›b'
    """
    return _HIDDEN.sub(lambda match: f"‹U+{ord(match[0]):04X}›", printable(text))
