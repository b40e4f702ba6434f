"""E-mail addresses and links in a text, which tokenizers keep whole.

The forms are those that Stanza's tokenizer protects: addresses of RFC 5322 in lower case, and links by scheme,
``www.`` or a well-known top-level domain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LETTER = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]"
_ATOM = f"{_LETTER}+"
_ESCAPED = r"\\[\x01-\x09\x0b\x0c\x0e-\x7f]"
_QUOTED = rf'"(?:[\x01-\x08\x0b\x0c\x0e-\x1f\x21\x23-\x5b\x5d-\x7f]|{_ESCAPED})*"'
_LABEL = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
_BYTE = r"(?:2(?:5[0-5]|[0-4][0-9])|1[0-9][0-9]|[1-9]?[0-9])"
_TAGGED = rf"[a-z0-9-]*[a-z0-9]:(?:[\x01-\x08\x0b\x0c\x0e-\x1f\x21-\x5a\x53-\x7f]|{_ESCAPED})+"
_LITERAL = rf"(?:{_BYTE}\.){{3}}(?:{_BYTE}|{_TAGGED})"
_DOTTED = rf"{_ATOM}(?:\.{_ATOM})*"
_DOMAIN = rf"(?:(?:{_LABEL}\.)+{_LABEL}|\[{_LITERAL}\])"

_REST = r'\.[^\s"]{2,}'
_HOST = r"[a-zA-Z0-9][a-zA-Z0-9-]+[a-zA-Z0-9]"
_SCHEME = r"https?://(?:www\.|(?!www))"
_NAMED = rf"[a-zA-Z0-9]+\.(?:gov|org|edu|net|com|co){_REST}"
_LINK = "|".join(
    (
        rf"{_SCHEME}{_HOST}{_REST}",
        rf"www\.{_HOST}{_REST}",
        rf"{_SCHEME}[a-zA-Z0-9]+{_REST}",
        rf"www\.[a-zA-Z0-9]+{_REST}",
    )
)
#: Inside a run of letters an address begins only if one begins where the run does. Starts inside are left out, as
#: trying each takes time with the square of the run.
_DOTTED_BEGINS = rf"(?<!{_LETTER})(?<!{_LETTER}\.)"
_NAMED_BEGINS = "(?<![a-zA-Z0-9])"
_LINKS_ANYWHERE = re.compile(f"{_LINK}|{_NAMED}")
_LINKS = re.compile(f"{_LINK}|{_NAMED_BEGINS}{_NAMED}")
_BOTH_ANYWHERE = re.compile(f"(?:{_DOTTED}|{_QUOTED})@{_DOMAIN}|{_LINK}|{_NAMED}")
_BOTH = re.compile(f"(?:{_DOTTED_BEGINS}{_DOTTED}|{_QUOTED})@{_DOMAIN}|{_LINK}|{_NAMED_BEGINS}{_NAMED}")


def addresses(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each address of a text."""
    if "." not in text and "@" not in text:
        return
    anywhere, pattern = (_BOTH_ANYWHERE, _BOTH) if "@" in text else (_LINKS_ANYWHERE, _LINKS)
    end = 0
    # Where one address ends, the rest of its run, or what follows its full stop, may begin another.
    while match := anywhere.match(text, end) or anywhere.match(text, end + 1) or pattern.search(text, end):
        yield match.span()
        end = match.end()
