"""The program ``jperrant``: assembles the commands, and turns an error into one line and an exit code."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise, takewhile
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

import jperrant
from jperrant.cli import annotate, m2, packs, score, study
from jperrant.cli.groups import box, switch, takes_groups
from jperrant.cli.output import Reports
from jperrant.cli.process import (
    SignalExit,
    exit_on_signals,
    flush_output,
    leave,
    let_threads_sleep,
    prepare_streams,
    silence_output,
)
from jperrant.core.display import printable
from jperrant.core.errors import InputError, JperrantError, PipeClosedError, UsageError, nearest
from jperrant.core.messages import naming_options
from jperrant.core.progress import reporting

#: Options that take every file up to the next option, as sacrebleu's and ERRANT's do.
SEVERAL_FILES = ("--hyp", "--ref")


class Program(TyperGroup):
    """The program, some of whose options take several files."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; an option that takes several files gets all that follow it.

        Raises:
            UsageError: A word is a long option with one dash, as ERRANT writes it: ``-out`` would be ``-o ut``.
        """
        long = _long(self)
        wrong = [word for word in takewhile("--".__ne__, args) if f"-{word.partition('=')[0]}" in long]
        if wrong and not ctx.resilient_parsing:
            hint = f"{wrong[0]} (did you mean '-{wrong[0]}'?)"
            more = "jperrant_compare, jperrant_m2 and jperrant_parallel take ERRANT's options"
            raise UsageError(f"No such option: {hint}; {more}")
        return super().parse_args(ctx, one_file_each(args))


def _long(command: Any) -> set[str]:
    """Return the long options of a command and of all commands in it."""
    own = {name for param in command.params for name in param.opts if name.startswith("--")}
    return own.union(*map(_long, getattr(command, "commands", {}).values()))


def one_file_each(args: Sequence[str]) -> list[str]:
    """Return a command line in which an option that takes several files is repeated before each of them.

    >>> one_file_each(["score", "--hyp", "a", "b", "--ref", "r", "--json"])
    ['score', '--hyp', 'a', '--hyp', 'b', '--ref', 'r', '--json']
    """
    words: list[str] = []
    option = ""
    for word in args:
        if word.startswith("-") and word != "-":
            option = word.partition("=")[0] if word.partition("=")[0] in SEVERAL_FILES else ""
        elif option and words[-1] != option:
            words.append(option)
        words.append(word)
    return words


app = typer.Typer(
    name="jperrant",
    cls=Program,
    help="Grammatical error annotation and evaluation for any language: from text to M2, from M2 to scores.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"jperrant {jperrant.__version__}")
        raise typer.Exit


@app.callback()
def _main(
    ctx: typer.Context,
    _version: bool = switch("--version", "Print the version.", callback=_show_version, is_eager=True),
    quiet: bool = switch("--quiet -q", "Show no progress."),
    verbose: bool = switch("--verbose -v", "Show what was done, how often and how long it took."),
) -> None:
    ctx.with_resource(naming_options())
    ctx.with_resource(reporting(None if quiet else Reports(verbose)))


for command in (
    annotate.annotate, annotate.align, score.compare, score.score, score.explain, score.report, score.metrics,
    m2.review, study.agree, study.meta, study.study, annotate.find,
):  # fmt: skip
    app.command()(takes_groups(command))
box(
    app, "m2", "Inspect, check, convert and combine M2 files.",
    m2.check, m2.stats, m2.convert, m2.retype, m2.merge, m2.split, m2.adjudicate,
)  # fmt: skip
box(
    app, "packs", "Inspect, check and create language packs.",
    packs.list_packs, packs.show_packs, packs.check_packs, packs.explain_packs, packs.new_packs,
)  # fmt: skip
box(
    app, "models", "Show, get and measure Stanza models.",
    packs.list_models, packs.get_models, packs.evaluate_models,
)  # fmt: skip


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning as one line, without the code that it comes from."""
    print(f"warning: {printable(str(message))}", file=sys.stderr)


def run() -> NoReturn:
    """Run the program; its entry point."""
    prepare_streams()  # before anything opens a file
    let_threads_sleep(os.environ)  # before numpy and torch are imported
    exit_on_signals()
    warnings.showwarning = _show_warning
    # Edits, rows and candidates are many and never form cycles: the search for cycles would take a sixth of
    # scoring.
    gc.set_threshold(500_000)
    if not sys.warnoptions:  # users cannot act on warnings that Stanza and torch give about their own code
        warnings.filterwarnings("ignore", module=r"(torch|stanza)\b")
    try:
        code = _exit_code()
        flush_output()
    except JperrantError as error:
        with naming_options():
            code = _failed(str(error), error.exit_code)
    except BrokenPipeError:
        code = PipeClosedError.exit_code
    except OSError as error:  # one that no command expects
        name = f"{error.filename}: " if error.filename else ""
        code = _failed(f"{name}{error.strerror or error}", InputError.exit_code)
    except Warning as warning:  # made an error by PYTHONWARNINGS
        code = _failed(str(warning), InputError.exit_code)
    except MemoryError:
        code = _failed("out of memory; try a smaller file, --jobs or --batch-size", InputError.exit_code)
    if code:
        # Close iterators that an error left open, and the progress display with them: from Python 3.13 on its
        # thread stops when Python exits, which would wait for it without end.
        gc.collect()
    try:
        flush_output()
    except (OSError, ValueError):
        silence_output()
    gc.freeze()  # the system frees the memory; Python need not go through all objects again
    sys.exit(code)


def _exit_code() -> int:
    """Run the command and return its exit code.

    Raises:
        PipeClosedError: The program that reads the help has closed the pipe.
    """
    try:
        return app(prog_name="jperrant", standalone_mode=False) or 0
    except TyperException as error:
        return _failed(*_usage_line(error))
    except typer.Abort:
        return 1
    except SignalExit as end:
        with suppress(OSError, ValueError):
            flush_output()
        leave(end.code)
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # rich and typer end with 1 there
            raise PipeClosedError from None
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        return _failed(str(end.code), 1)


def _usage_line(error: TyperException) -> tuple[str, int]:
    """Return the problem with the command line, in one line, and the exit code."""
    context = getattr(error, "ctx", None)
    message: str = error.format_message()
    if context is None or not message:  # without a command the help was shown
        return message, InputError.exit_code
    help_ = f"{context.command_path} --help"
    if hasattr(error, "possibilities"):  # an unknown option; typer would also propose hidden ones
        params = [param for param in context.command.get_params(context) if not param.hidden]
        names = [name[2:] for param in params for name in param.opts if name.startswith("--")]
        hint = nearest(error.option_name.lstrip("-"), names).replace("mean '", "mean '--")  # type: ignore[attr-defined]
        if "metric" in names and (written := _of_a_metric(error.option_name)):  # type: ignore[attr-defined]
            hint = f", which is an option of a metric; give it as {written}"
        more = (
            "" if hint or "metric" not in names else "; 'jperrant metrics NAME' shows the options of a metric"
        )
        return f"{error.message}{hint}; see {help_}{more}", InputError.exit_code
    link = " See" if message.endswith("?") else "; see"
    return f"{message.rstrip('.')}{link} {help_}", InputError.exit_code


def _of_a_metric(flag: str) -> str:
    """Return how to give an option that belongs to a metric; metrics on the command line are tried first."""
    from jperrant.evaluation.metric_names import written_option

    return written_option(flag, [after for word, after in pairwise(sys.argv) if word in ("-m", "--metric")])


def _failed(message: str, code: int) -> int:
    """Print the error in one line, if it has a message, and return the exit code."""
    if message:
        print(f"jperrant: {printable(message)}", file=sys.stderr)
    return code
