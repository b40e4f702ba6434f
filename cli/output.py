"""What commands say to people, on stderr, and whether in colour."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

import typer


def say(lines: Iterable[str]) -> None:
    """Print warnings, each once."""
    for line in dict.fromkeys(lines):
        typer.echo(f"warning: {line}", err=True)


def colored(wanted: bool | None, path: str) -> bool:
    """Return whether to colour text: as wanted, else on a terminal, unless ``NO_COLOR`` is set."""
    if wanted is not None:
        return wanted
    return path == "-" and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
