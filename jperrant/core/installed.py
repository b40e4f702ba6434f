"""What is installed here: versions of packages, and jperrant's own code."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path


def versions_of(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of those packages that are installed, by name."""
    from importlib.metadata import PackageNotFoundError, version  # which take long to import

    found = {}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@lru_cache(maxsize=8)
def checksum_of_code(rooms: tuple[str, ...]) -> str:
    """Return a checksum of the code of some rooms; it does not change while the program runs.

    Args:
        rooms: Folders of ``jperrant``, such as ``annotation``.
    """
    import hashlib  # with OpenSSL, a tenth of the start of a command that needs no models

    root = Path(__file__).parents[1]
    files = [file for room in rooms for file in sorted((root / room).rglob("*.py"))]
    checksums = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    return hashlib.sha256("".join(checksums).encode()).hexdigest()
