"""What is installed here: versions of packages, and jperrant's own code."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from types import ModuleType


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
    root = Path(__file__).parents[1]
    return _checksum([file for room in rooms for file in sorted((root / room).rglob("*.py"))])


def checksum_of_package(name: str) -> str:
    """Return a checksum of the code of an imported package or module, such as one that brings a metric.

    Args:
        name: Its name without what follows a dot.
    """
    module = sys.modules.get(name)
    return "" if module is None else _checksum_of_module(module)


@lru_cache(maxsize=32)
def _checksum_of_module(module: ModuleType) -> str:
    """Return a checksum of a module's files as they are when it is first asked for, soon after the import."""
    folders = [Path(folder) for folder in getattr(module, "__path__", ())]
    alone = getattr(module, "__file__", None)
    return _checksum(
        [file for folder in folders for file in sorted(folder.rglob("*.py"))]
        or ([Path(alone)] if alone else [])
    )


def _checksum(files: Iterable[Path]) -> str:
    import hashlib  # with OpenSSL, a tenth of the start of a command that needs no models

    checksums = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    return hashlib.sha256("".join(checksums).encode()).hexdigest()
