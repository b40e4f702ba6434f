r"""Regular expressions of packs, matched in time linear in the text whatever the pattern.

RE2 has no backtracking, and so neither look-around nor back references. Its ``\w``, ``\d`` and ``\s`` know ASCII
only; packs are for all languages, so here they are Unicode's, as in Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from jperrant.core.errors import PackError

#: Unicode's classes in the place of RE2's ASCII ones, inside brackets.
_CLASSES = {
    r"\w": r"\p{L}\p{N}_",
    r"\d": r"\p{Nd}",
    r"\s": r"\t\n\v\f\r\x1c-\x1f\x{85}\p{Z}",
}
#: One element of a pattern: an escape with its argument, the bracket that begins or ends a set, anything else.
_ELEMENT = re.compile(r"\\u[0-9A-Fa-f]{4}|\\Q.*?(?:\\E|\Z)|\\.|\[:\^?\w+:\]|\[\^?\]?|\]|.", re.DOTALL)
_HUGE_COUNT = re.compile(r"\{\d*,?\d{5,}")
#: A name of a script. RE2 takes those of classes of characters in the same place: L, Lu, Any.
_SCRIPT = re.compile("Yi|(?!Any$)[A-Z][A-Za-z_]{2,}")
#: Characters of a pattern that a message shows.
_MOST_SHOWN = 60


def compile_pattern(pattern: str) -> Callable[[str], bool]:
    r"""Return whether a text as a whole matches a regular expression.

    >>> compile_pattern(r"\w+['’]\w+")("пам'ять")
    True

    Raises:
        PackError: It is not one, or would need backtracking or too much memory.
    """
    import re2

    if _HUGE_COUNT.search(pattern):  # which RE2 would take for text
        raise PackError(
            f"matches: {_shown(pattern)} is not a regular expression of RE2: counts go up to 1000"
        )
    options: Any = re2.Options()
    options.log_errors = False  # RE2 would otherwise write to standard error
    try:
        fullmatch = re2.compile(_with_unicode_classes(pattern), options).fullmatch
    except (re2.error, UnicodeEncodeError) as error:
        raise PackError(
            f"matches: {_shown(pattern)} is not a regular expression of RE2 (no look-around, no back references): "
            f"{_reason(error)}"
        ) from None

    def matches(text: str) -> bool:
        try:
            return fullmatch(text) is not None
        except UnicodeEncodeError:  # half a surrogate pair, which is not a character
            return fullmatch(text.encode("utf-8", "replace").decode("utf-8")) is not None

    return matches


def script_test(script: str) -> Callable[[str], bool]:
    """Return whether the letters of a text are all of one script, and at least one is.

    Args:
        script: Its name in Unicode, such as ``Devanagari``.

    Raises:
        PackError: Unicode has no such script, as far as RE2 knows.
    """
    unknown = PackError(
        f"script: unknown script {script!r}; expected a name of Unicode's, such as Latin, Cyrillic, Arabic or Han"
    )
    if not _SCRIPT.fullmatch(script):
        raise unknown
    shared = r"[^\p{L}\p{M}]|\p{Common}|\p{Inherited}"
    try:
        return compile_pattern(rf"(?:{shared})*\p{{{script}}}(?:\p{{{script}}}|{shared})*")
    except PackError:
        raise unknown from None


def _with_unicode_classes(pattern: str) -> str:
    parts, in_set = [], False
    for match in _ELEMENT.finditer(pattern):
        element = match[0]
        if element[0] == "[" and not in_set and not element.startswith("[:"):
            in_set = True
        elif element == "]":
            in_set = False
        parts.append(_translated(element, in_set))
    return "".join(parts)


def _translated(element: str, in_set: bool) -> str:
    lower = element.lower()
    if element.startswith(r"\u") and len(element) == 6:
        return rf"\x{{{element[2:]}}}"
    if element in (r"\b", r"\B"):
        raise PackError(
            f"matches: {element} is not supported, as the pattern is matched against the whole text; remove it"
        )
    if lower not in _CLASSES or len(element) != 2:
        return element
    if not in_set:
        return f"[{'' if element == lower else '^'}{_CLASSES[lower]}]"
    if element == lower:
        return _CLASSES[lower]
    if element == r"\D":
        return r"\P{Nd}"
    raise PackError(f"matches: {element} is not available inside [ ]; begin the set with ^ and use {lower}")


def _reason(error: Exception) -> str:
    reason = error.args[0] if error.args else error
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(error)


def _shown(pattern: str) -> str:
    return repr(pattern) if len(repr(pattern)) <= _MOST_SHOWN else f"{repr(pattern)[:_MOST_SHOWN]}…"
