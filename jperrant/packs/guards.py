"""Guards around the functions of a pack's ``hooks.py``: what they raise and return is checked, and named.

A guard calls the function and raises nothing but ``PackError`` (with the file, the name of the hook and the value),
``NeedsParse``, ``MissingError``, and what is not the hook's own doing: Ctrl-C and other signals.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import inf
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

from jperrant.alignment.resegment import Misspelt
from jperrant.alignment.token_search import Substitution
from jperrant.alignment.tokens import Alignment
from jperrant.core.errors import MissingError, PackError
from jperrant.core.messages import plural
from jperrant.core.values import Sentence, Span, Token
from jperrant.edits.comparisons import Condition
from jperrant.edits.edit_context import EditContext, Getter, Similarity
from jperrant.edits.unparsed import NeedsParse

Merge = Callable[[tuple[Span, ...], Alignment], tuple[Span, ...]]

#: Characters of a wrong value or of an error that a message shows.
_MOST_SHOWN = 80
#: Costs of pairs of characters that are kept; a search asks for the same ones again and again.
_COSTS_KEPT = 100_000


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
            if not is_own_error(error):
                raise
            raise self.error(f"raises {brief(error)}") from error

    def error(self, problem: str) -> PackError:
        """Return an error that names the hook."""
        return PackError(f"{self.file}: {self.name} {problem}")

    def returned(self, value: object, expected: str) -> PackError:
        """Return an error for a value that the hook must not return."""
        return self.error(f"returns {shown(value)}, expected {expected}")


def guarded_condition(hook: Hook) -> Condition:
    """Return a condition that is true or false."""
    call = hook.__call__

    def condition(view: EditContext) -> bool:
        value = call(view)
        if value is not True and value is not False:
            raise hook.returned(value, "True or False")
        return value

    return condition


def guarded_property(hook: Hook) -> Getter:
    """Return a property of tokens that is a string."""
    call = hook.__call__

    def property_(view: EditContext, token: Token) -> str:
        value = call(view, token)
        if not isinstance(value, str):
            raise hook.returned(value, "a string")
        return value

    return property_


def guarded_misspelt(hook: Hook) -> Misspelt:
    """Return a ``MISSPELT`` that is true or false."""

    def misspelt(source: str, target: str) -> bool:
        value = hook(source, target)
        if value is not True and value is not False:
            raise hook.returned(value, "True or False")
        return value

    return misspelt


def guarded_similarity(hook: Hook) -> Similarity:
    """Return a ``SIMILARITY`` that is a number in [0, 1]."""

    def similarity(text: str, other: str) -> float:
        value = hook(text, other)
        if not _is_number(value) or not 0 <= value <= 1:  # also where it is NaN
            raise hook.returned(value, f"a number from 0 to 1 for {text!r} and {other!r}")
        return float(value)

    return similarity


def guarded_cost(hook: Hook) -> Substitution:
    """Return a ``CHARACTER_COST`` that is a finite number above 0; each pair is asked for once."""

    @lru_cache(maxsize=_COSTS_KEPT)
    def cost(form: str, other: str) -> float:
        value = hook(form, other)
        if not _is_number(value) or not 0 < value < inf:
            raise hook.returned(value, f"a finite number above 0 for {form!r} and {other!r}")
        return float(value)

    return cost


def guarded_merge(hook: Hook, join: str) -> Merge:
    """Return a ``MERGE`` whose spans, as edits, turn the source into the target.

    Args:
        hook: The function.
        join: What stands between tokens; with nothing, spans may leave out what only cuts a string otherwise.
    """

    def merge(spans: tuple[Span, ...], alignment: Alignment) -> tuple[Span, ...]:
        value = hook(spans, alignment)
        merged = _as_spans(hook, value)
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
                f"loses edits: between the spans that it returns, source and target must be equal, but the "
                "source has "
                f"{shown(join.join(kept))} and the target {shown(join.join(wanted))}, from token {end} of the "
                "source on"
            )
        end, target_end = span.end, span.target_end


def _forms(sentence: Sentence, start: int, end: int) -> list[str]:
    return [token.form for token in sentence.tokens[start:end]]


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def is_own_error(error: BaseException) -> bool:
    """Whether an error comes from the code that was called, and not from a signal that came meanwhile.

    Signals raise KeyboardInterrupt, or on the command line an exit of their own that inherits from SystemExit.
    """
    if isinstance(error, SystemExit):
        return type(error) is SystemExit
    return not isinstance(error, KeyboardInterrupt)


def shown(value: object) -> str:
    """Return a value of somebody else's code in one short line."""
    try:
        text = repr(value)
    except Exception as error:
        text = f"a {type(value).__name__} whose repr raises {type(error).__name__}"
    return _short(text)


def brief(error: BaseException) -> str:
    """Return an error of somebody else's code in one short line."""
    try:
        text = str(error)
    except Exception:
        text = ""
    return _short(f"{type(error).__name__}: {text}".removesuffix(": "))


def _short(text: str) -> str:
    line = " ".join(text[: 4 * _MOST_SHOWN].split())
    return line if len(line) <= _MOST_SHOWN else f"{line[:_MOST_SHOWN]}…"
