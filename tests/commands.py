"""Commands of the program in the process of the test: what they print, or the line with which they refuse."""

from __future__ import annotations

from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.errors import JperrantError


def printed(*words: object, code: int = 0) -> str:
    """Run ``jperrant WORDS`` and return what it prints on standard output.

    Args:
        words: The command and its options.
        code: The exit code that it is to have.

    Raises:
        Exception: What the command raises, such as a ``JperrantError``.
    """
    done = CliRunner().invoke(app, [*map(str, words)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.output
    return done.stdout


def refused(*words: object, data: bytes | None = None) -> str:
    """Run a command that refuses what it is given, with one line and before it prints anything; return the line."""
    done = CliRunner().invoke(app, [*map(str, words)], input=data)
    assert isinstance(done.exception, JperrantError), done.output
    assert not done.stdout
    assert "\n" not in str(done.exception)
    return str(done.exception)
