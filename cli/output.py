"""What commands say to people on stderr, what they write to files, and which files they must not write over."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from jperrant.core.display import printable
from jperrant.core.messages import spoken
from jperrant.core.paths import is_folder

if TYPE_CHECKING:
    from jperrant.evaluation.metrics.score import Score
    from jperrant.reporting.plots.figure import Plot


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


def with_files_inside(paths: Sequence[str], pattern: str = "*") -> list[str]:
    """Return paths and, where they are folders, the files inside, which no output may overwrite either.

    Args:
        paths: Files and folders.
        pattern: Which files of folders are read.
    """
    inside = [file for path in paths if is_folder(path) for file in sorted(Path(path).rglob(pattern))]
    return [*paths, *(str(file) for file in inside if file.is_file())]


def input_paths(*given: Sequence[str] | str | None, pack: str | None = None) -> list[str]:
    """Return the paths among what was given, which no output may overwrite, and those of a pack's files.

    Raises:
        PackError: The folder holds no pack that can be read.
    """
    paths: list[str] = []
    for one in given:
        paths += [one] if isinstance(one, str) else list(one or ())
    if pack is None:
        return paths
    from jperrant.packs.dictionary import AUTO
    from jperrant.packs.read import files_of

    return [*paths, *files_of("", pack, None, AUTO)]


def check_plots(folder: str | None, width: str = "column") -> float:
    """Return how wide plots are, in inches, after checking before anything is computed that they can be drawn.

    Where none are asked for that is 0, and nothing of what draws them is imported.

    Raises:
        UsageError: The width is impossible.
        InputError: The folder is a file, or lies in one.
        MissingExtraError: matplotlib is not installed.
    """
    if folder is None and width == "column":
        return 0.0
    from jperrant.reporting.plots import figure

    if folder is not None:
        figure.check_plots(folder)
    return figure.width_in_inches(width)


def write_plots(folder: str | None, draw: Callable[[], Sequence[Plot]], inputs: Iterable[str]) -> None:
    """Draw plots and write them to a folder, if one was asked for.

    Raises:
        InputError: A file cannot be written.
        UsageError: A file is one of the inputs.
    """
    if folder is None:
        return
    from jperrant.reporting.plots.figure import save_plots

    plots = draw()
    say(note for plot in plots for note in plot.notes)
    save_plots(plots, folder, inputs)


def score_plots(results: Sequence[Score], **settings: Any) -> list[Plot]:
    """Return the plots of scores, as ``plots_of``; what draws them is imported only here."""
    from jperrant.reporting.plots.scores import plots_of

    return plots_of(results, **settings)
