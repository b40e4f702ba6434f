"""What commands say to people, on stderr, and whether in colour."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

import typer

from jperrant.core.display import printable
from jperrant.core.messages import spoken


def say(lines: Iterable[str]) -> None:
    """Print warnings, each once, control characters of names and learner text made visible."""
    for line in dict.fromkeys(lines):
        typer.echo(f"warning: {printable(spoken(line))}", err=True)


def show(text: str, out: str = "-", inputs: Iterable[str] = (), *, colored: bool = False) -> None:
    """Write a text to a file, ``-`` meaning standard output.

    Raises:
        UsageError, InputError, PipeClosedError: As ``open_output``.
    """
    from jperrant.io.files import open_output

    with open_output(out, inputs, colored=colored) as stream:
        stream.write(text)


def colored(path: str) -> bool:
    """Return whether to colour text: on a terminal, unless ``NO_COLOR`` is set."""
    return path == "-" and to_terminal() and not os.environ.get("NO_COLOR")


def to_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()
