"""Runs the ``hooks.py`` of packs and checks what its functions return and raise.

A function of a pack is called through :class:`Hook`. It raises only ``PackError`` (with the file, the name of
the hook and the value), ``NeedsParse`` and ``MissingError``, besides the exceptions that signals such as Ctrl-C
cause.
"""

from __future__ import annotations

import builtins
import runpy
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count, pairwise
from math import inf
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

from jperrant.alignment.projection import Misspelt
from jperrant.alignment.tokens import Alignment, Substitution
from jperrant.core.errors import MissingError, PackError
from jperrant.core.messages import plural, spoken
from jperrant.core.values import Span
from jperrant.edits.edit_context import Getter, NeedsParse, Similarity, levenshtein
from jperrant.edits.rule_parts import Condition
from jperrant.packs.discovery import HOOKS
from jperrant.packs.read import PackData, Source, check_requires

Merge = Callable[[tuple[Span, ...], Alignment], tuple[Span, ...]]

_RUNS = count()
#: The most characters of a wrong value or of an error that a message shows.
_MOST_SHOWN = 80
#: The most costs of character pairs that are cached; an alignment needs the same ones many times.
_COSTS_KEPT = 100_000


class HooksNotRunWarning(UserWarning):
    """A ``hooks.py`` was not run, because its pack is neither installed nor named by the user."""


class Hook(NamedTuple):
    """A function of a ``hooks.py`` whose return values are checked.

    Attributes:
        what: Its name in messages, with the file: ``hooks.py: MERGE``, ``hooks.py: condition 'x'``.
        function: The function.
        fits: Whether the function may return a value.
        expected: What it should return, for messages; a format string that may include the arguments.
    """

    what: str
    function: Callable[..., Any]
    fits: Callable[[Any], bool]
    expected: str

    def __call__(self, *arguments: object) -> Any:
        """Call the function.

        Raises:
            PackError: The function raises an error or returns a wrong value.
            NeedsParse: The function reads a dependency of a sentence that is not parsed yet.
            MissingError: The function needs a package that is not installed.
        """
        try:
            value = self.function(*arguments)
        except BaseException as error:
            raise _blamed(error, f"{self.what} raises") from error
        if not self.fits(value):
            raise self.returned(value, self.expected.format(*arguments))
        return value

    def returned(self, value: object, expected: str) -> PackError:
        """Return an error about a value that the hook must not return."""
        return PackError(f"{self.what} returns {_shown(value)}, expected {expected}")


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_truth(value: object) -> bool:
    return value is True or value is False


#: What each function of a hooks.py may return: a test, and its description. The spans that ``MERGE`` returns
#: are checked against the sentences (``checked_merge``).
_RETURNED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "CONDITIONS": (_is_truth, "True or False"),
    "PROPERTIES": (lambda value: isinstance(value, str), "a string"),
    "MERGE": (lambda _: True, ""),
    "MERGE_CHARACTERS": (lambda _: True, ""),
    "SIMILARITY": (lambda n: _is_number(n) and 0 <= n <= 1, "a number from 0 to 1 for {!r} and {!r}"),
    "CHARACTER_COST": (lambda n: _is_number(n) and 0 < n < inf, "a finite number above 0 for {!r} and {!r}"),
    "MISSPELT": (_is_truth, "True or False"),
}
#: How messages call the functions in a mapping.
_MEMBERS = {"CONDITIONS": "condition", "PROPERTIES": "property"}


@dataclass(frozen=True, slots=True)
class Hooks:
    """The definitions of the ``hooks.py`` of a pack and of its ancestors.

    Attributes:
        conditions: ``CONDITIONS``: functions from an edit to true or false, used by the condition ``hook``.
        properties: ``PROPERTIES``: functions from an edit and one of its tokens to a string, used like built-in
            properties.
        merge: ``MERGE``: a function from the spans of the merge strategy ``rules`` and the alignment to the
            final spans, in text order; or None.
        similarity: ``SIMILARITY``: a function from two texts to a number from 0 to 1, used by the condition
            ``similarity``.
        merge_characters: ``MERGE_CHARACTERS``: like ``merge``, for annotation in which every character is a
            token; or None.
        character_cost: ``CHARACTER_COST``: a function from two characters to the cost of aligning them, above
            0; or None.
        misspelt: ``MISSPELT``: a function that tells whether a text is a misspelling of another; or None. The
            correction of a misspelling keeps the model's tokenisation; other corrections are tokenised like the
            source.
    """

    conditions: Mapping[str, Condition] = field(default_factory=dict)
    properties: Mapping[str, Getter] = field(default_factory=dict)
    merge: Merge | None = None
    similarity: Similarity = levenshtein
    merge_characters: Merge | None = None
    character_cost: Substitution | None = None
    misspelt: Misspelt | None = None


def run_hooks(pack: PackData, run: bool | None = None) -> Hooks:
    """Run the hooks.py of a pack and of the packs that it extends, and return their joint definitions.

    Ancestors run first, so a pack's own definitions replace theirs.

    Args:
        pack: The pack.
        run: True runs all, False none; None runs those that the user named or installed and warns of others.

    Raises:
        PackError: A hooks.py fails or defines a wrong value; the message names the file.
        MissingError: A package that the pack requires is not installed.
    """
    defined: dict[str, Any] = {"conditions": {}, "properties": {}}
    for file in _allowed(pack.hooks, run):
        try:
            own = _run(file)
        except PackError:
            check_requires(pack.keys.code, pack.keys.requires)
            raise
        for name in _RETURNED:
            if own.get(name) is not None:
                value = _checked(name, own[name], file, pack.keys.join)
                defined[name.lower()] = {**defined[name.lower()], **value} if name in _MEMBERS else value
    return Hooks(**defined)


def _checked(name: str, value: object, file: Path, join: str) -> Any:
    """Wrap what a hooks.py defines under a name so that return values are checked.

    Raises:
        PackError: The value is not a function, or not a mapping of functions where one is expected.
    """
    returned = _RETURNED[name]
    if name in _MEMBERS:
        if not isinstance(value, Mapping) or not all(
            isinstance(key, str) and callable(value[key]) for key in value
        ):
            raise PackError(f"{file}: {name}: expected a mapping from names to functions")
        return {key: Hook(f"{file}: {_MEMBERS[name]} {key!r}", value[key], *returned) for key in value}
    if not callable(value):
        raise PackError(f"{file}: {name}: expected a function")
    hook = Hook(f"{file}: {name}", value, *returned)
    if name.startswith("MERGE"):
        return checked_merge(hook, join)
    return lru_cache(maxsize=_COSTS_KEPT)(hook.__call__) if name == "CHARACTER_COST" else hook.__call__


def _allowed(sources: Iterable[Source], run: bool | None) -> Iterator[Path]:
    """Yield the files that may be run, and warn of the others."""
    for source in sources:
        file = source.folder / HOOKS
        if run or (run is None and source.named):
            yield file
        elif run is None:
            message = (
                f"{file} is not run, because its pack is neither installed nor given with --pack; add --hooks to "
                "run it, or --no-hooks to silence this"
            )
            warnings.warn(spoken(message), HooksNotRunWarning, stacklevel=2)


def _run(file: Path) -> dict[str, Any]:
    """Run a hooks.py and return its definitions.

    Raises:
        PackError: The file raises an error.
    """
    # Each run has a module name of its own, so that threads that load packs at once do not interfere.
    name = f"jperrant_hooks_{file.parent.name}_{next(_RUNS)}"
    try:
        return runpy.run_path(str(file), {"print": _print}, name)  # standard output is for results
    except BaseException as error:
        raise _blamed(error, f"{file} fails:") from error


def _print(*values: object, file: Any = None, **options: Any) -> None:
    """Print like the built-in ``print``, but to standard error instead of standard output."""
    builtins.print(*values, file=sys.stderr if file in (None, sys.stdout) else file, **options)


def checked_merge(hook: Hook, join: str) -> Merge:
    """Wrap a ``MERGE`` so that its spans are checked to turn the source into the target.

    Args:
        hook: The function.
        join: The text between tokens; if empty, spans may leave out a different segmentation of the same
            string.
    """

    def merge(spans: tuple[Span, ...], alignment: Alignment) -> tuple[Span, ...]:
        value = hook(spans, alignment)
        merged = [_span(hook, one) for one in (value if isinstance(value, (tuple, list)) else [value])]
        if problem := _misplaced(merged, alignment, join):
            raise PackError(f"{hook.what} {problem}")
        return tuple(merged)

    return merge


def _span(hook: Hook, value: object) -> Span:
    if isinstance(value, (tuple, list)) and len(value) == 4 and all(type(number) is int for number in value):
        return Span(*value)
    raise hook.returned(value, "spans of four numbers (start, end, target_start, target_end)")


def _misplaced(spans: Sequence[Span], alignment: Alignment, join: str) -> str:
    """Return why spans do not turn the source into the target, or an empty string."""
    source, target = alignment.source.forms, alignment.target.forms
    size, target_size = len(source), len(target)
    edges = (Span(0, 0, 0, 0), *spans, Span(size, size, target_size, target_size))
    for before, span in pairwise(edges):
        in_order = before.end <= span.start <= span.end <= size
        if not in_order or not before.target_end <= span.target_start <= span.target_end <= target_size:
            return (
                f"returns {tuple(span)}, expected spans in order that do not overlap, inside "
                f"sentences of {size} and {plural(target_size, 'token')}"
            )
    for span in spans:
        if span.start == span.end and span.target_start == span.target_end:
            return f"returns {tuple(span)}, which covers no token on either side"
    for before, span in pairwise(edges):  # the tokens between spans must be equal, or a change is lost
        kept, wanted = source[before.end : span.start], target[before.target_end : span.target_start]
        if kept != wanted and (join or "".join(kept) != "".join(wanted)):
            return (
                "loses edits: between the spans that it returns, source and target must be equal, but the source "
                f"has {_shown(join.join(kept))} and the target {_shown(join.join(wanted))}, from token "
                f"{before.end} of the source on"
            )
    return ""


def _blamed(error: BaseException, what: str) -> PackError:
    """Return the error that reports an exception of a pack's code.

    ``NeedsParse``, missing packages and signals are raised again.

    Signals raise KeyboardInterrupt or, on the command line, a subclass of SystemExit.
    """
    passing = isinstance(error, (NeedsParse, MissingError, KeyboardInterrupt))
    if passing or (isinstance(error, SystemExit) and type(error) is not SystemExit):
        raise error
    return PackError(f"{what} {_shown(error)}")


def _shown(value: object) -> str:
    """Format a value or an error from a pack's code in one short line."""
    kind = type(value).__name__
    try:
        text = f"{kind}: {value}".removesuffix(": ") if isinstance(value, BaseException) else repr(value)
    except Exception as error:
        text = f"a {kind} whose repr raises {type(error).__name__}"
    line = " ".join(text[: 4 * _MOST_SHOWN].split())
    return line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}…"
