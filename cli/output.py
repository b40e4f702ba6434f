"""The output of commands (results, warnings, plots, progress), and the inputs that no output may overwrite."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from jperrant.core.display import printable
from jperrant.core.messages import spoken
from jperrant.core.paths import is_folder

if TYPE_CHECKING:
    from jperrant.evaluation.metrics.system_score import Score
    from jperrant.reporting.plots.figure import Plot

T = TypeVar("T")
#: Seconds before the first line of progress, and from one line to the next.
FIRST, INTERVAL = 5.0, 30.0


def say(lines: Iterable[str]) -> None:
    """Print each warning once, with control characters of names and learner text made visible."""
    for line in dict.fromkeys(lines):
        typer.echo(f"warning: {printable(spoken(line))}", err=True)


def show(text: str, out: str = "-", inputs: Iterable[str] = ()) -> None:
    """Write a text to a file, ``-`` meaning standard output.

    Raises:
        UsageError, InputError, PipeClosedError: As ``open_output``.
    """
    from jperrant.io.files import open_output

    with open_output(out, inputs) as stream:
        stream.write(text)


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
    from jperrant.packs.pack import files_of

    return [*paths, *files_of("", pack, None, AUTO)]


def check_plots(folder: str | None, width: str = "column") -> float:
    """Check, before anything is computed, that plots can be drawn, and return their width in inches.

    If no plots were asked for, the width is 0 and matplotlib is not imported.

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
    """Return the plots of scores, as ``plots_of``; matplotlib is imported only here."""
    from jperrant.reporting.plots.scores import plots_of

    return plots_of(results, **settings)


@contextmanager
def progress(
    what: str, total: int | None, quiet: bool = False
) -> Iterator[Callable[[Iterable[T]], Iterable[T]]]:
    """Give a function that passes values on and shows how many have come.

    Args:
        what: What is being done ("annotating").
        total: Number of values; None if it is not known.
        quiet: Show nothing.
    """
    if quiet:
        yield lambda values: values
    elif sys.stderr.isatty():
        with _bar(what, total) as advance:
            yield advance
    else:
        with _lines(what, total) as advance:
            yield advance


@contextmanager
def _bar(what: str, total: int | None) -> Iterator[Callable[[Iterable[T]], Iterable[T]]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def advance(values: Iterable[T]) -> Iterator[T]:
            for value in values:
                yield value
                bar.advance(task)

        yield advance


@contextmanager
def _lines(what: str, total: int | None) -> Iterator[Callable[[Iterable[T]], Iterable[T]]]:
    """Print a line after ``FIRST`` seconds and every ``INTERVAL`` seconds after that, even if no values come."""
    count, ended, start = 0, threading.Event(), time.monotonic()

    def report() -> None:
        pause = FIRST
        while not ended.wait(pause):
            print(progress_line(what, count, total, time.monotonic() - start), file=sys.stderr, flush=True)
            pause = INTERVAL

    def advance(values: Iterable[T]) -> Iterator[T]:
        nonlocal count
        for value in values:
            yield value
            count += 1

    thread = threading.Thread(target=report, daemon=True, name="progress")
    thread.start()
    try:
        yield advance
    finally:
        ended.set()
        thread.join()


class Reports:
    """Shows the progress that library code reports, one step at a time; steps inside another show none.

    Args:
        verbose: When a step is done, print how many values it had and how long it took.
    """

    def __init__(self, verbose: bool = False) -> None:
        self._verbose, self._shown = verbose, False

    @contextmanager
    def __call__(self, what: str, total: int | None) -> Iterator[Callable[[Iterable[Any]], Iterable[Any]]]:
        """Give a function that passes values on and shows how many have come."""
        start, count = time.monotonic(), 0

        def counted(values: Iterable[Any]) -> Iterator[Any]:
            nonlocal count
            for count, value in enumerate(values, start=1):  # noqa: B007
                yield value

        inner, self._shown = self._shown, True
        try:
            with progress(what, total, quiet=inner) as advance:
                yield lambda values: advance(counted(values))
        finally:
            self._shown = inner
        if self._verbose:
            print(f"{what}: {count} in {time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)


def progress_line(what: str, count: int, total: int | None, seconds: float) -> str:
    """Return a line of progress.

    Example:
        >>> progress_line("annotating", 500, 2000, 65)
        'annotating: 500 of 2000 (25 %), 1:05, about 3:15 left'
    """
    line = f"{what}: {count}"
    if total:
        line += f" of {total} ({min(count / total, 1):.0%})".replace("%", " %")
    line += f", {_clock(seconds)}"
    if total and 0 < count < total:
        line += f", about {_clock(seconds * (total - count) / count)} left"
    return line


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
