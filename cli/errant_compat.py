"""ERRANT's own command lines, rewritten as those of jperrant.

A table for each command maps ERRANT's flags to options of jperrant. Flags are rewritten before Typer reads the
command line, since Typer does not know long flags with a single dash (``-out``).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jperrant.core.display import printable
from jperrant.core.edits import EXACT
from jperrant.core.errors import JperrantError, UsageError, nearest
from jperrant.core.messages import naming_options


@dataclass(frozen=True, slots=True)
class Flag:
    """How one of ERRANT's flags is rewritten.

    Attributes:
        option: What replaces the flag, before each value if it has values; empty if the value becomes an argument.
        values: How many values follow: 0, 1, or None for one or more.
        place: The place of an argument among the arguments of the new command, from 0.
        required: Whether ERRANT's command requires the flag.
        group: Flags of one group exclude each other.
        before: A prefix of each value.
    """

    option: tuple[str, ...] = ()
    values: int | None = 0
    place: int = 0
    required: bool = False
    group: str = ""
    before: str = ""


HELP = Flag(("--help",))
COMPARE = {
    "-h": HELP,
    "--help": HELP,
    "-hyp": Flag(values=1, place=0, required=True),
    "-ref": Flag(values=None, place=1, required=True),
    "-b": Flag(("--beta",), 1),
    "--beta": Flag(("--beta",), 1),
    "-v": Flag(("--verbose",)),
    "--verbose": Flag(("--verbose",)),
    "-dt": Flag(("--mode", "dt"), group="mode"),
    "-ds": Flag(("--mode", "ds"), group="mode"),
    "-cs": Flag(("--mode", "cs"), group="mode"),
    "-cse": Flag(("--mode", "cse"), group="mode"),
    "-single": Flag(("--single",)),
    "-multi": Flag(("--multi",)),
    "-filt": Flag(("--filter",), None, before=EXACT),
    "-cat": Flag(("--category",), 1),
}
#: The language of ERRANT.
ENGLISH = ("--lang", "en")
MERGE = {"-lev": Flag(("--lev",)), "-merge": Flag(("--merge",), 1)}
PARALLEL = {
    "-h": HELP,
    "--help": HELP,
    "-orig": Flag(values=1, place=0, required=True),
    "-cor": Flag(values=None, place=1, required=True),
    "-out": Flag(("--out",), 1, required=True),
    "-tok": Flag(("--raw",)),
    **MERGE,
}
M2 = {
    "-h": HELP,
    "--help": HELP,
    "-auto": Flag(("--auto",), group="edits"),
    "-gold": Flag(("--gold",), group="edits"),
    "-out": Flag(("--out",), 1, required=True),
    "-no_min": Flag(("--no-min",)),
    "-old_cats": Flag(("--old-types",)),
    **MERGE,
}


def parallel() -> None:
    """Run ``jperrant_parallel``, which takes the flags of ``errant_parallel``."""
    run_as("annotate", PARALLEL, ENGLISH)


def m2() -> None:
    """Run ``jperrant_m2``, which takes the flags of ``errant_m2``."""
    run_as("m2 retype", M2, ENGLISH, bare=0)


def compare() -> None:
    """Run ``jperrant_compare``, which takes the flags of ``errant_compare``."""
    run_as("compare", COMPARE)


def run_as(
    command: str, flags: Mapping[str, Flag], always: Sequence[str] = (), bare: int | None = None
) -> None:
    """Run a command of jperrant with the flags of a command of ERRANT.

    Args:
        command: The words of the new command, such as ``compare`` or ``m2 retype``.
        flags, bare: As in ``rewrite``.
        always: Options the new command needs to behave as the old one.
    """
    from jperrant.cli.main import run

    try:
        with naming_options():
            rewritten = rewrite(sys.argv[1:], flags, bare)
    except JperrantError as error:
        print(f"error: {printable(str(error))}", file=sys.stderr)
        raise SystemExit(error.exit_code) from None
    if "--help" in rewritten:
        print(usage(command, flags, bare))
        return
    sys.argv = ["jperrant", *command.split(), *rewritten, *always]
    run()


def usage(command: str, flags: Mapping[str, Flag], bare: int | None = None) -> str:
    """Return the help text: ERRANT's flags, each with the option of the new command that replaces it.

    Args:
        command: The words of the new command.
        flags, bare: As in ``rewrite``.
    """
    width = max(map(len, flags)) + len(" VALUE…")
    values = {0: "", 1: " VALUE", None: " VALUE…"}
    lines = [] if bare is None else [f"  {'VALUE':{width}}  argument {bare + 1}"]
    for word, flag in flags.items():
        stands_for = " ".join(flag.option) or f"argument {flag.place + 1}"
        must = ", must be given" if flag.required else ""
        lines.append(f"  {word + values[flag.values]:{width}}  {stands_for}{must}")
    above = f"ERRANT's flags, each with its option of 'jperrant {command}' (more: --help):"
    return "\n".join([above, *lines])


def rewrite(argv: Sequence[str], flags: Mapping[str, Flag], bare: int | None = None) -> list[str]:
    """Return the arguments of the new command: options, then arguments in their places.

    Args:
        argv: The command line of the old command, without its name.
        flags: The flags of the old command.
        bare: The place of arguments without a flag; None if there are none.

    Raises:
        UsageError: A flag is unknown, repeated in its group, without its value, or missing.
    """
    options: list[str] = []
    places: dict[int, list[str]] = {}
    seen: dict[str, str] = {}
    words = list(argv)
    while words:
        word = words.pop(0)
        if word not in flags:
            _take_bare(word, flags, bare, places)
            continue
        flag = flags[word]
        other = seen.setdefault(flag.group or word, word)
        if other != word:
            raise UsageError(f"{word} and {other} exclude each other; give only one")
        values = _values(word, flag, words)
        if not flag.values and flag.values is not None:
            options += flag.option
        elif flag.option:
            options += [part for value in values for part in (*flag.option, flag.before + value)]
        else:
            places.setdefault(flag.place, []).extend(values)
    missing = [word for word, flag in flags.items() if flag.required and word not in seen]
    if missing and "--help" not in options:
        raise UsageError(f"missing: {' and '.join(missing)}")
    return options + [value for place in sorted(places) for value in places[place]]


def _take_bare(word: str, flags: Mapping[str, Flag], bare: int | None, places: dict[int, list[str]]) -> None:
    if bare is None or _is_flag(word):
        raise UsageError(
            f"unknown argument {word!r}{nearest(word, flags)}; expected one of {', '.join(flags)}"
        )
    places.setdefault(bare, []).append(word)


def _values(word: str, flag: Flag, words: list[str]) -> list[str]:
    """Take the values of a flag from the front of the remaining words."""
    values: list[str] = []
    while words and not _is_flag(words[0]) and (flag.values is None or len(values) < flag.values):
        values.append(words.pop(0))
    if not values and flag.values != 0:
        raise UsageError(f"{word} needs a value")
    return values


def _is_flag(word: str) -> bool:
    return len(word) > 1 and word.startswith("-")
