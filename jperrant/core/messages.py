"""Wording of messages: nouns and verbs agree with counts, options are named as the user writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

_NUMBER = re.compile(r"\d+")
#: Whether messages name options of the command line (``--raw``) or arguments of Python (``raw=True``).
_OF_COMMANDS: ContextVar[bool] = ContextVar("jperrant_names_options", default=False)
#: Matches quoted text, a command to run, or an option with its value: ``--models=none``, ``--ref FILE``.
_OPTION = re.compile(
    r"(?<!\w)'[^']*'(?!\w)|\bjperrant [a-z][^;)]*"
    r"|(?<![\w-])--([a-z][a-z-]*[a-z])(?:=([\w:.,/-]*\w)| ([A-Z][A-Z_]+\b))?(?![\w-]|\.\w)"
)
#: Options that take no value.
_FLAGS = frozenset(
    ["all-references", "auto", "exact", "force", "gold", "hooks", "percent", "raw", "resume", "strict",
     "unweighted"]
)  # fmt: skip
#: Options whose argument in Python has another name.
_ARGUMENTS = {
    "hyp": "systems", "metric": "metrics", "no-hooks": "hooks=False", "ref": "references",
    "annotator": "annotators", "batch-size": "batch", "from": "source_format", "to": "target_format",
}  # fmt: skip


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Return a count with its noun.

    Args:
        count: How many there are.
        noun: The noun for one.
        nouns: The noun for any other count; ``noun`` with an s if empty.

    Example:
        >>> plural(1, "sentence"), plural(2, "sentence"), plural(0, "entry", "entries")
        ('1 sentence', '2 sentences', '0 entries')
    """
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"


@contextmanager
def naming_options() -> Iterator[None]:
    """Make messages in this context name options as the command line does."""
    token = _OF_COMMANDS.set(True)
    try:
        yield
    finally:
        _OF_COMMANDS.reset(token)


def names_options() -> bool:
    """Whether messages name options as the command line does."""
    return _OF_COMMANDS.get()


def spoken(message: str, of_command: bool = False) -> str:
    """Return a message with options named for its reader: a user of the command line, or of Python.

    Messages are written with options of the command line; a value follows after ``=``, or as a placeholder in
    capitals. Quoted text and commands to run are left as they are.

    Args:
        message: The message as written.
        of_command: Whether a command made the message, wherever it is shown.

    >>> spoken("add --raw, or give --models=none and --ref FILE (jperrant annotate --raw)")
    'add raw=True, or give models="none" and references=… (jperrant annotate --raw)'
    """
    of_command = of_command or names_options()

    def said(found: re.Match[str]) -> str:
        option, value, placeholder = found.groups()
        if option is None or (of_command and not value):
            return found[0]
        if of_command:
            return f"--{option} {value}"
        name = _ARGUMENTS.get(option, option.replace("-", "_"))
        if value:
            return f'{name}="{value}"'
        return name + ("=True" if option in _FLAGS else "=…" if placeholder else "=")

    return _OPTION.sub(said, message)


def agree(count: int, singular: str, plural: str) -> str:
    """Return the word that agrees with a count, as a verb does with its subject.

    Example:
        >>> f"{plural(1, 'sentence')} {agree(1, 'has', 'have')} no edits"
        '1 sentence has no edits'
    """
    return singular if count == 1 else plural


class CountedNote(str):
    """A note about some of many sentences or texts; notes with the same wording can be added up.

    Args:
        total: How many sentences or texts it is about, 1 or more.
        one, many: The wording for one and for several; ``{count}`` and ``{first}`` are filled in.
        first: The 1-based number of the first of them, if the wording names it.

    Example:
        >>> CountedNote(1, "{count} text is long", "{count} texts are long")
        '1 text is long'
    """

    made_of: tuple[int, str, str, int]

    def __new__(cls, total: int, one: str, many: str, first: int = 0) -> CountedNote:
        """Return the note with its numbers filled in."""
        line = (one if total == 1 else many).replace("{count}", str(total)).replace("{first}", str(first))
        note = super().__new__(cls, line)
        note.made_of = total, one, many, first
        return note

    def __getnewargs__(self) -> tuple[int, str, str, int]:  # type: ignore[override]
        """Return the arguments of ``__new__``, for pickling."""
        return self.made_of


def merged_notes(notes: Iterable[str]) -> tuple[str, ...]:
    """Merge notes about parts of a file into notes about the whole.

    Counted notes are added up. Of other notes that differ only in numbers, the first is kept.

    Example:
        >>> long = "{count} text is long, first {first}", "{count} texts are long, first {first}"
        >>> merged_notes([CountedNote(1, *long, 7), "weights of 3 systems", CountedNote(2, *long, 90)])
        ('3 texts are long, first 7', 'weights of 3 systems')
    """
    merged: dict[object, str] = {}
    for note in notes:
        key = note.made_of[1:3] if isinstance(note, CountedNote) else _NUMBER.sub("#", note)
        known = merged.setdefault(key, note)
        if known is not note and isinstance(note, CountedNote) and isinstance(known, CountedNote):
            (total, one, many, first), (more, _, _, other) = known.made_of, note.made_of
            merged[key] = CountedNote(total + more, one, many, min(first, other))
    return tuple(merged.values())


def differences(ours: Mapping[str, str], others: Mapping[str, str]) -> list[str]:
    """Return the differences between two signatures, one phrase per name.

    Args:
        ours: Named settings of this run.
        others: The settings of another run or process.

    Example:
        >>> differences({"lang": "en", "raw": "true"}, {"lang": "sv", "raw": "true"})
        ['lang sv there, en here']
    """
    names = [*ours, *(name for name in others if name not in ours)]
    return [
        f"{name} {others.get(name, 'not given')} there, {ours.get(name, 'not given')} here"
        for name in names
        if ours.get(name) != others.get(name)
    ]
