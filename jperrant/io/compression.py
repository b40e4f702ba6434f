"""Compressed files: gzip, xz, bzip2 and Zstandard.

When read they are told by their first bytes, when written by their name. Each library is imported when a file needs
it.

Zstandard is in the standard library from Python 3.14 on; before, the optional package ``backports.zstd`` brings the
same module (``jperrant[zstd]``).
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import BinaryIO, cast

from jperrant.core.packages import import_extra

#: How the names of compressed files end.
ENDINGS = (".gz", ".xz", ".bz2", ".zst")
#: The first bytes of each kind of file. bzip2's last six are the digits of pi with which its first block begins.
_FIRST_BYTES = (
    (b"\x1f\x8b", ".gz"),
    (b"\xfd7zXZ\x00", ".xz"),
    (b"\x28\xb5\x2f\xfd", ".zst"),
)
_BZIP2, _BZIP2_BLOCK = b"BZh", b"1AY&SY"
_PEEKED = 10
_ZSTANDARD = ("compression.zstd", "backports.zstd")


def decompressed(stream: io.BufferedReader) -> BinaryIO:
    """Return a stream of the bytes that a file holds, the stream itself if it is not compressed.

    Raises:
        MissingExtraError: It is Zstandard and no package reads that.
        OSError: It cannot be read.
    """
    if not hasattr(stream, "peek"):  # a stream in memory
        stream = io.BufferedReader(stream)
    start = stream.peek(_PEEKED)[:_PEEKED]
    if start.startswith(_BZIP2) and start[4:] == _BZIP2_BLOCK:
        import bz2

        return cast(BinaryIO, bz2.open(stream))
    kind = next((kind for first, kind in _FIRST_BYTES if start.startswith(first)), "")
    if kind == ".gz":
        import gzip

        return cast(BinaryIO, gzip.GzipFile(fileobj=stream))
    if kind == ".xz":
        import lzma

        return cast(BinaryIO, lzma.open(stream))
    if kind == ".zst":
        return cast(BinaryIO, io.BufferedReader(_zstandard().ZstdFile(stream)))
    return stream


def compressor(path: str) -> Callable[[BinaryIO], BinaryIO]:
    """Return what makes a compressing stream of a stream, by the ending of a file's name.

    The same bytes give the same file: no name and no time are kept in it.

    Raises:
        MissingExtraError: The name ends in ``.zst`` and no package writes that.
    """
    if path.endswith(".gz"):
        import gzip

        return lambda stream: cast(BinaryIO, gzip.GzipFile("", "wb", 6, stream, mtime=0))
    if path.endswith(".xz"):
        import lzma

        return lambda stream: cast(BinaryIO, lzma.open(stream, "wb"))
    if path.endswith(".bz2"):
        import bz2

        return lambda stream: cast(BinaryIO, bz2.open(stream, "wb"))
    if path.endswith(".zst"):
        zstandard = _zstandard()
        # Without its checksum damage could go unseen.
        options = {zstandard.CompressionParameter.checksum_flag: 1}
        return lambda stream: cast(BinaryIO, zstandard.ZstdFile(stream, "wb", options=options))
    return lambda stream: stream


def decompression_errors() -> tuple[type[Exception], ...]:
    """Return what reading a damaged compressed file raises besides OSError."""
    import lzma
    import zlib

    loaded = [sys.modules[name] for name in _ZSTANDARD if name in sys.modules]
    return EOFError, zlib.error, lzma.LZMAError, *(module.ZstdError for module in loaded)


def _zstandard() -> ModuleType:
    try:
        return import_module(_ZSTANDARD[0])
    except ImportError:
        module: ModuleType = import_extra(_ZSTANDARD[1], "zstd")
        return module
