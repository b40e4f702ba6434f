"""Every exception jperrant raises on purpose.

::

    JperrantError
    ├── InputError (ValueError)         the input cannot be used; exit code 2
    │   ├── FormatError                 a file is not in its format: file, line, found, expected
    │   ├── OutputError                 a file cannot be written
    │   ├── UsageError                  options or arguments that do not fit together
    │   ├── EditError                   edits that cannot be applied to their source
    │   └── PackError                   a language pack is unknown or wrong
    ├── WorkerError (RuntimeError)      a worker process died; exit code 2
    ├── PipeClosedError                 the reader of our output is gone; quiet, exit code 141
    └── MissingError (RuntimeError)     something has to be installed first; exit code 3
        ├── MissingModelError           a model is not on this machine
        ├── CorruptModelError           a model file is there and cannot be read
        └── MissingExtraError           an optional package is not installed
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from jperrant.core.messages import names_options, spoken

#: Least similarity, by ``difflib``, of an unknown name and the name suggested for it. Names of three letters
#: with two in common reach it; ``GOOD`` and ``AUX:MOOD`` do not.
ALIKE = 0.65
#: Fewest letters of a name that may be the beginning of another.
_BEGINNING = 3


class JperrantError(Exception):
    """Base of all errors raised on purpose; its message is one clear line for people.

    Messages are written with options of the command line (``--raw``). Shown in Python, they name arguments
    instead (``raw=True``).
    """

    exit_code = 2

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        self._of_command = names_options()

    def __str__(self) -> str:
        return spoken(super().__str__(), self._of_command)


class InputError(JperrantError, ValueError):
    """The input cannot be used."""


class FormatError(InputError):
    """A file is not in the expected format.

    Args:
        file: Name of the file, as the user gave it (``-`` for standard input).
        line: 1-based line number, or None if no single line is wrong.
        problem: What was found, what was expected and how to fix it.
    """

    def __init__(self, file: str, line: int | None, problem: str) -> None:
        self.file, self.line, self.problem = file, line, problem
        where = file if line is None else f"{file}:{line}"
        super().__init__(f"{where}: {problem}")

    def __reduce__(self) -> tuple[type[FormatError], tuple[str, int | None, str]]:
        return type(self), (self.file, self.line, self.problem)


class OutputError(InputError):
    """A file cannot be written."""


class UsageError(InputError):
    """Options or arguments that do not fit together."""


class EditError(InputError):
    """Edits that cannot be applied to their source."""


class PackError(InputError):
    """A language pack is unknown or wrong."""


class WorkerError(JperrantError, RuntimeError):
    """A worker process died."""


class PipeClosedError(JperrantError):
    """The reader of our standard output is gone, as with ``head``; nothing is reported."""

    exit_code = 141


class MissingError(JperrantError, RuntimeError):
    """Something has to be installed or downloaded first."""

    exit_code = 3


class MissingModelError(MissingError):
    """A model is not on this machine; the message names the command that gets it."""


class CorruptModelError(MissingError):
    """A model file is on this machine and cannot be read."""


class MissingExtraError(MissingError):
    """An optional package is not installed; the message names the pip line."""


def nearest(name: str, known: Iterable[str], similarity: float = ALIKE) -> str:
    """Return ``" (did you mean 'x'?)"`` for the known name nearest to ``name``, or an empty string.

    A name is near if it has most letters in common with ``name``, has the same letters in another order, or
    begins with ``name``.

    >>> nearest("pso", ["pos", "lemma"]), nearest("nominal", ["nominal-inflection"]), nearest("GOOD", ["AUX:MOOD"])
    (" (did you mean 'pos'?)", " (did you mean 'nominal-inflection'?)", '')

    Args:
        name: The name as written.
        known: The names that exist.
        similarity: Least similarity, 0 to 1; to be raised where there are hundreds of names.
    """
    names = sorted(known)
    close = get_close_matches(name, names, n=1, cutoff=similarity)
    close += [other for other in names if sorted(other) == sorted(name)]
    close += [other for other in names if len(name) >= _BEGINNING and other.startswith(name)]
    return f" (did you mean {close[0]!r}?)" if close else ""


def check_known(what: str, name: str, known: Iterable[str], error: type[JperrantError] = UsageError) -> None:
    """Raise an error for an unknown name; the message suggests the nearest name and lists all.

    Args:
        what: What the name stands for, in messages (``format``).
        name: The name as written.
        known: The names that exist.
        error: The class of the error.
    """
    names = list(map(str, known))
    if name not in names:
        raise error(f"unknown {what} {name!r}{nearest(name, names)}; expected one of {', '.join(names)}")
