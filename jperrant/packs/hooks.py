"""The Python of packs: running ``hooks.py`` where that is allowed, checking what its functions raise and return.

A function of a pack is called through :class:`Hook` and raises nothing but ``PackError`` (with the file, the name
of the hook and the value), ``NeedsParse``, ``MissingError``, and what is not its own doing: Ctrl-C, other signals.
"""

from __future__ import annotations

import builtins
import importlib.util
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from math import inf
from numbers import Real
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from jperrant.alignment.projection import Misspelt
from jperrant.alignment.tokens import Alignment, Substitution
from jperrant.core.errors import MissingError, PackError
from jperrant.core.messages import plural, spoken
from jperrant.core.values import Sentence, Span
from jperrant.edits.edit_context import Getter, NeedsParse, Similarity
from jperrant.edits.values import Condition
from jperrant.packs.discovery import HOOKS
from jperrant.packs.read import Source

Merge = Callable[[tuple[Span, ...], Alignment], tuple[Span, ...]]

_RUNS = count()
#: Characters of a wrong value or of an error that a message shows.
_MOST_SHOWN = 80
#: Costs of pairs of characters that are kept; a search asks for the same ones again and again.
_COSTS_KEPT = 100_000


class HooksNotRunWarning(UserWarning):
    """A pack that the user did not name has Python, which was not run."""


class Hook(NamedTuple):
    """A function of a ``hooks.py``.

    Attributes:
        file: The file it is from.
        name: What messages call it: ``MERGE``, ``condition 'x'``.
        function: The function.
    """

    file: Path
    name: str
    function: Callable[..., Any]

    def __call__(self, *arguments: object) -> Any:
        """Call the function.

        Raises:
            PackError: It raises.
            NeedsParse: It reads a dependency that is not known yet.
            MissingError: A package has to be installed first.
        """
        try:
            return self.function(*arguments)
        except (NeedsParse, MissingError):
            raise
        except BaseException as error:
            if not _is_own_error(error):
                raise
            raise self.error(f"raises {_brief(error)}") from error

    def error(self, problem: str) -> PackError:
        """Return an error that names the hook."""
        return PackError(f"{self.file}: {self.name} {problem}")

    def returned(self, value: object, expected: str) -> PackError:
        """Return an error for a value that the hook must not return."""
        return self.error(f"returns {_shown(value)}, expected {expected}")


@dataclass(frozen=True, slots=True)
class Hooks:
    """What the ``hooks.py`` of a pack and of its ancestors define.

    Attributes:
        conditions: ``CONDITIONS``: functions from an edit to true or false, for the condition ``hook``.
        properties: ``PROPERTIES``: functions from an edit and one of its tokens to a string, usable wherever a
            property is.
        merge: ``MERGE``: from the spans of the merge strategy ``rules`` and the alignment to the spans to use,
            in text order; or None.
        similarity: ``SIMILARITY``: from two texts to a number from 0 to 1, for the condition ``similarity``; or
            None.
        merge_characters: ``MERGE_CHARACTERS``: the same as ``merge`` where every character is a token; or None.
        character_cost: ``CHARACTER_COST``: what it costs to align two characters, more than 0; or None.
        misspelt: ``MISSPELT``: whether a text is a misspelling of another; there the words of a correction that
            models cut stay as they are, elsewhere they are cut like the source's; or None.
    """

    conditions: Mapping[str, Condition] = field(default_factory=dict)
    properties: Mapping[str, Getter] = field(default_factory=dict)
    merge: Merge | None = None
    similarity: Similarity | None = None
    merge_characters: Merge | None = None
    character_cost: Substitution | None = None
    misspelt: Misspelt | None = None


def run_hooks(sources: Iterable[Source], run: bool | None = None, join: str = " ") -> Hooks:
    """Run the hooks.py of some packs, parents first, and return what they define together, guarded.

    Args:
        sources: The packs with a hooks.py.
        run: True for all, False for none; None for those that the user named or installed, with a warning for
            others.
        join: What stands between two tokens of running text.

    Raises:
        PackError: One of them fails or defines something of the wrong kind; names the file.
    """
    guards: dict[str, Callable[[Hook], Any]] = {
        "merge": lambda hook: guarded_merge(hook, join),
        "similarity": lambda hook: _guarded(hook, _is_share, "a number from 0 to 1 for {!r} and {!r}"),
        "merge_characters": lambda hook: guarded_merge(hook, join),
        "character_cost": lambda hook: lru_cache(maxsize=_COSTS_KEPT)(
            _guarded(hook, _is_cost, "a finite number above 0 for {!r} and {!r}")
        ),
        "misspelt": _guarded_condition,
    }
    conditions: dict[str, Condition] = {}
    properties: dict[str, Getter] = {}
    single: dict[str, Any] = {}
    for file in _allowed(sources, run):
        module = _run(file)
        for name, function in _functions(file, module, "CONDITIONS").items():
            conditions[name] = _guarded_condition(Hook(file, f"condition {name!r}", function))
        for name, function in _functions(file, module, "PROPERTIES").items():
            properties[name] = _guarded(Hook(file, f"property {name!r}", function), _is_text, "a string")
        for name, guard in guards.items():
            function = getattr(module, name.upper(), None)
            if function is not None and not callable(function):
                raise PackError(f"{file}: {name.upper()}: expected a function")
            if function is not None:
                single[name] = guard(Hook(file, name.upper(), function))
    return Hooks(conditions, properties, **single)


def _allowed(sources: Iterable[Source], run: bool | None) -> Iterable[Path]:
    """Yield the files that may be run."""
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


def _run(file: Path) -> ModuleType:
    # A name for each run, so that packs that threads load at once do not take each other's module away.
    name = f"jperrant_hooks_{file.parent.name}_{next(_RUNS)}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise PackError(f"{file} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    vars(module)["print"] = _print  # standard output is data
    sys.modules[name] = module  # where dataclasses look for the module of a class while they make it
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        if not _is_own_error(error):
            raise
        raise PackError(f"{file} fails: {_brief(error)}") from error
    finally:
        sys.modules.pop(name, None)
    return module


def _print(*values: object, file: Any = None, **options: Any) -> None:
    """Print to standard error where Python's own ``print`` would print to standard output."""
    builtins.print(*values, file=sys.stderr if file in (None, sys.stdout) else file, **options)


def _functions(path: Path, module: ModuleType, name: str) -> Mapping[str, Any]:
    functions = getattr(module, name, {})
    if not isinstance(functions, Mapping) or not all(
        isinstance(key, str) and callable(value) for key, value in functions.items()
    ):
        raise PackError(f"{path}: {name}: expected a mapping from names to functions")
    return functions


def _guarded(hook: Hook, fits: Callable[[Any], bool], expected: str) -> Any:
    """Return a function of a hook whose values fit; ``expected`` may name its arguments."""
    call = hook.__call__

    def guarded(*arguments: object) -> Any:
        value = call(*arguments)
        if not fits(value):
            raise hook.returned(value, expected.format(*arguments))
        return value

    return guarded


def _guarded_condition(hook: Hook) -> Any:
    return _guarded(hook, lambda value: value is True or value is False, "True or False")


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_share(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= 1  # not where it is NaN


def _is_cost(value: Any) -> bool:
    return _is_number(value) and 0 < value < inf


def guarded_merge(hook: Hook, join: str) -> Merge:
    """Return a ``MERGE`` whose spans, as edits, turn the source into the target.

    Args:
        hook: The function.
        join: What stands between tokens; with nothing, spans may leave out what only cuts a string otherwise.
    """

    def merge(spans: tuple[Span, ...], alignment: Alignment) -> tuple[Span, ...]:
        merged = _as_spans(hook, hook(spans, alignment))
        _check_order(hook, merged, alignment)
        _check_coverage(hook, merged, alignment, join)
        return merged

    return merge


def _as_spans(hook: Hook, value: object) -> tuple[Span, ...]:
    expected = "spans of four numbers (start, end, target_start, target_end)"
    if not isinstance(value, (tuple, list)):
        raise hook.returned(value, expected)
    for span in value:
        if not (isinstance(span, (tuple, list)) and len(span) == 4 and all(type(n) is int for n in span)):
            raise hook.returned(span, expected)
    return tuple([Span(*span) for span in value])


def _check_order(hook: Hook, spans: tuple[Span, ...], alignment: Alignment) -> None:
    size, target_size = len(alignment.source.tokens), len(alignment.target.tokens)
    end, target_end = 0, 0
    for span in spans:
        if not (end <= span.start <= span.end <= size) or not (
            target_end <= span.target_start <= span.target_end <= target_size
        ):
            raise hook.error(
                f"returns {tuple(span)}, expected spans in order that do not overlap, inside "
                f"sentences of {size} and {plural(target_size, 'token')}"
            )
        if span.start == span.end and span.target_start == span.target_end:
            raise hook.error(f"returns {tuple(span)}, which covers no token on either side")
        end, target_end = span.end, span.target_end


def _check_coverage(hook: Hook, spans: tuple[Span, ...], alignment: Alignment, join: str) -> None:
    """Check that source and target are the same between the spans, so that no change is lost."""
    source, target = alignment.source, alignment.target
    ends = Span(len(source.tokens), len(source.tokens), len(target.tokens), len(target.tokens))
    end, target_end = 0, 0
    for span in (*spans, ends):
        kept, wanted = _forms(source, end, span.start), _forms(target, target_end, span.target_start)
        if kept != wanted and (join or "".join(kept) != "".join(wanted)):
            raise hook.error(
                "loses edits: between the spans that it returns, source and target must be equal, but the source "
                f"has {_shown(join.join(kept))} and the target {_shown(join.join(wanted))}, from token {end} of "
                "the source on"
            )
        end, target_end = span.end, span.target_end


def _forms(sentence: Sentence, start: int, end: int) -> list[str]:
    return [token.form for token in sentence.tokens[start:end]]


def _is_own_error(error: BaseException) -> bool:
    """Whether an error comes from the code that was called, and not from a signal that came meanwhile.

    Signals raise KeyboardInterrupt, or on the command line an exit of their own that inherits from SystemExit.
    """
    if isinstance(error, SystemExit):
        return type(error) is SystemExit
    return not isinstance(error, KeyboardInterrupt)


def _shown(value: object) -> str:
    """Return a value of somebody else's code in one short line."""
    try:
        text = repr(value)
    except Exception as error:
        text = f"a {type(value).__name__} whose repr raises {type(error).__name__}"
    return _short(text)


def _brief(error: BaseException) -> str:
    """Return an error of somebody else's code in one short line."""
    try:
        text = str(error)
    except Exception:
        text = ""
    return _short(f"{type(error).__name__}: {text}".removesuffix(": "))


def _short(text: str) -> str:
    line = " ".join(text[: 4 * _MOST_SHOWN].split())
    return line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}…"
