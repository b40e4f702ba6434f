"""Word lists of packs."""

from __future__ import annotations

import gzip
import zlib
from functools import lru_cache
from pathlib import Path

from jperrant.core.errors import PackError


@lru_cache(maxsize=8)
def read_lexicon(path: str) -> frozenset[str]:
    """Read a word list, one word a line, gzipped (``.gz``) or plain; lines that begin with # are comments.

    Raises:
        PackError: It cannot be read.
    """
    try:
        content = Path(path).read_bytes()
        text = (gzip.decompress(content) if path.endswith(".gz") else content).decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise PackError(f"lexicon {path} cannot be read ({error})") from None
    return frozenset(
        [word for line in text.splitlines() if (word := line.strip()) and not word.startswith("#")]
    )
