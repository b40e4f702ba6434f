"""Running text given as tokens: words with punctuation glued to them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

#: A word with a mark that tokenised text has as a token of its own; no abbreviation ends so.
_GLUED = re.compile(r"[^\W\d_]{2,}[,;:!?]")
#: A word with a full stop; of fewer letters it may be an abbreviation (``Mr.``, ``etc.``).
_STOPPED = re.compile(r"[^\W\d_]{4,}\.")
#: Files with a smaller share of such sentences may be learner text with missing spaces.
SHARE = 0.05


def glued_token(tokens: Sequence[str]) -> str:
    """Return the first token that looks like running text, with the next one; empty if there is none.

    >>> glued_token("I ate an apple. They saw .".split())
    'apple. They'
    >>> glued_token("Mr. Smith ate , etc. .".split())
    ''
    """
    for token, following in zip_longest(tokens, tokens[1:], fillvalue=""):
        stopped = _STOPPED.fullmatch(token) and (not following or following[0].isupper())
        if stopped or _GLUED.fullmatch(token):
            return f"{token} {following}".strip()
    return ""
