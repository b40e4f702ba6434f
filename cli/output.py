"""What commands say to people, on stderr."""

from __future__ import annotations

from collections.abc import Iterable

import typer


def say(lines: Iterable[str]) -> None:
    """Print warnings, each once."""
    for line in dict.fromkeys(lines):
        typer.echo(f"warning: {line}", err=True)
