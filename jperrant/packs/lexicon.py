"""Word lists of packs."""

from __future__ import annotations

import gzip
import stat
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, cast

from jperrant.core.errors import PackError
from jperrant.edits.edit_context import Words

#: Bytes of a word list when it is unpacked; a few kilobytes of gzip can stand for gigabytes.
MOST_BYTES = 100_000_000
#: Characters of a list of which no set is made before ``_FEW`` words were asked for.
_LARGE = 200_000
_FEW = 16
#: What a list must not hold for that: white space other than the end of a line, and the sign of comments.
_SPECIAL = "#\t\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)


def read_lexicon(path: str) -> Words:
    """Read a word list, one word a line, gzipped (``.gz``) or plain; lines that begin with # are comments.

    A file that has not changed is not read again.

    Returns:
        A set of the words, or where there are very many a value that only knows whether it holds a word.

    Raises:
        PackError: It cannot be read, or has more than 100 million bytes.
    """
    try:
        status = Path(path).stat()
    except (OSError, ValueError) as error:
        raise PackError(f"lexicon {path} cannot be read ({error})") from None
    if not stat.S_ISREG(status.st_mode):  # a pipe can be read only once
        return _read(path, 0, 0)
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=8)
def _read(path: str, _changed: int, _size: int) -> Words:
    try:
        with _open(path) as stream:
            content = stream.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise PackError(
                f"lexicon {path}: found more than {MOST_BYTES:,} bytes unpacked, the most that a lexicon may have"
            )
        text = content.decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise PackError(f"lexicon {path} cannot be read ({error})") from None
    if len(text) > _LARGE and not any(character in text for character in _SPECIAL):
        return _LargeList(text)
    words = frozenset(map(str.strip, text.splitlines()))
    if "#" in text:
        words = frozenset([word for word in words if not word.startswith("#")])
    return words - {""} if "" in words else words


class _LargeList:
    """A word list, of which a set is made only when many words were asked for: making it takes longer than they do.

    Args:
        text: The words, each a line; without comments, and without white space other than the ends of lines.
    """

    def __init__(self, text: str) -> None:
        self._text = f"\n{text}\n"
        self._asked = 0
        self._words: frozenset[str] | None = None

    def __contains__(self, word: object) -> bool:
        if self._words is None and self._asked < _FEW:
            self._asked += 1
            return isinstance(word, str) and word.split() == [word] and f"\n{word}\n" in self._text
        if self._words is None:
            self._words = frozenset(self._text.split("\n")) - {""}
        return word in self._words


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
