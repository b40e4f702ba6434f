"""Word lists of packs."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, cast

from jperrant.core.errors import PackError
from jperrant.edits.edit_context import Words

#: Bytes of a word list when it is unpacked; a few kilobytes of gzip can stand for gigabytes.
MOST_BYTES = 100_000_000


@lru_cache(maxsize=8)
def read_lexicon(path: str) -> frozenset[str]:
    """Read a word list, one word a line, gzipped (``.gz``) or plain; lines that begin with # are comments.

    Raises:
        PackError: It cannot be read, or has more than 100 million bytes.
    """
    try:
        with _open(path) as stream:
            content = stream.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise PackError(f"lexicon {path} has more than {MOST_BYTES:,} bytes when it is unpacked")
        text = content.decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise PackError(f"lexicon {path} cannot be read ({error})") from None
    return frozenset(
        [word for line in text.splitlines() if (word := line.strip()) and not word.startswith("#")]
    )


def together(*words: Words | None) -> Words | None:
    """Return what knows the words of all of some word lists and dictionaries; None where there is none."""
    given = tuple([known for known in words if known is not None])
    return given[0] if len(given) == 1 else _Together(given) if given else None


@dataclass(frozen=True, slots=True)
class _Together:
    parts: tuple[Words, ...]

    def __contains__(self, word: object) -> bool:
        return any([word in part for part in self.parts])


def _open(path: str) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path)) if path.endswith(".gz") else Path(path).open("rb")
