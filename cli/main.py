"""The program ``jperrant``: puts the commands together and turns errors into one line and an exit code."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from contextlib import suppress
from itertools import pairwise
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

import jperrant
from jperrant.cli.groups import switch
from jperrant.cli.lazy import LazyGroup
from jperrant.cli.progress import Reports
from jperrant.cli.signals import SignalExit, exit_on_signals, leave
from jperrant.cli.streams import flush_output, prepare_streams, silence_output
from jperrant.cli.threads import let_threads_sleep
from jperrant.core.display import printable
from jperrant.core.errors import InputError, JperrantError, PipeClosedError, nearest
from jperrant.core.messages import naming_options
from jperrant.core.progress import reporting

app = typer.Typer(
    name="jperrant",
    cls=LazyGroup,
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
    _version: Annotated[
        bool, switch("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
    quiet: Annotated[bool, switch("--quiet", "-q", help="Show no progress.")] = False,
    verbose: Annotated[
        bool, switch("--verbose", "-v", help="Show what was done, how often and how long it took.")
    ] = False,
) -> None:
    ctx.with_resource(naming_options())
    ctx.with_resource(reporting(None if quiet else Reports(verbose), _show_remark if verbose else None))


def _show_remark(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning as one line, without the code that it comes from."""
    print(f"warning: {printable(str(message))}", file=sys.stderr)


def run() -> NoReturn:
    """Run the program; its entry point."""
    prepare_streams()  # before anything opens a file
    let_threads_sleep(os.environ)  # before numpy and torch are imported
    exit_on_signals()
    warnings.showwarning = _show_warning
    # Edits, rows and candidates are many and never in cycles: looking for some takes a sixth of scoring.
    gc.set_threshold(500_000)
    if not sys.warnoptions:  # what Stanza and torch say of their own code is nothing a user can act on
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
        # Closes iterations that an error has left, and with them progress that is shown: where Python ends, from
        # 3.13 on, its thread stands still and would be waited for without end.
        gc.collect()
    try:
        flush_output()
    except (OSError, ValueError):
        silence_output()
    gc.freeze()  # the system takes the memory back: Python need not look through all objects again
    sys.exit(code)


def _exit_code() -> int:
    """Run the command and return its exit code.

    Raises:
        PipeClosedError: Whoever read the help has stopped.
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
    """Return what is wrong with the command line, in one line, and the exit code."""
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
    """Return how an option is given that belongs to a metric, one of those asked for if they have it."""
    from jperrant.evaluation.scorers import written_option

    return written_option(flag, [after for word, after in pairwise(sys.argv) if word in ("-m", "--metric")])


def _failed(message: str, code: int) -> int:
    """Print what went wrong in one line, if there is anything to say, and return the exit code."""
    if message:
        print(f"jperrant: {printable(message)}", file=sys.stderr)
    return code
