"""Data inside a page: JSON that no text in it can end early, packed where it is long."""

from __future__ import annotations

import base64
import gzip
import json
import re

from markupsafe import Markup, escape

#: Characters of JSON from which on it is packed; below, the block can be read in the page's source.
PACKED_FROM = 100_000
#: What may end a script element or its line, what only looks like something else, and what is not Unicode text:
#: written as escapes of JSON, which mean the same.
_UNSAFE = re.compile("[<>&\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def safe_json(value: object) -> str:
    """Return a value as compact JSON that may stand in a script element.

    Args:
        value: Dicts, lists, strings, numbers and None; numbers must be finite.

    Raises:
        ValueError: A number is infinite or not a number.

    Example:
        >>> safe_json(["</script>"])
        '["\\\\u003c/script\\\\u003e"]'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def data_block(name: str, value: object) -> Markup:
    """Return a script element with data, which a page's script reads by ``jp.data(name)``.

    Long data is compressed (the same bytes for the same data). Browsers do not run either kind.

    Args:
        name: Its name; the element's ``id`` is ``data-`` and the name.
        value: As of :func:`safe_json`.
    """
    text = safe_json(value)
    kind = "application/json"
    if len(text) >= PACKED_FROM:
        packed = gzip.compress(text.encode("utf-8"), compresslevel=9, mtime=0)
        text, kind = base64.b64encode(packed).decode("ascii"), "application/gzip"
    return Markup(f'<script type="{kind}" id="data-{escape(name)}">{text}</script>')
