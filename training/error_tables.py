"""Tables of learners' errors: which words of a language are changed, and how; from YAML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from jperrant.core.errors import FormatError, InputError, nearest
from training.error_words import COLUMNS

KINDS = ("misspell", "regularise", "inflect", "forms", "drop", "insert", "swap", "case", "double")
_CASES = ("lower", "capital")
_OTHER_KEYS = ("share", "word", "at", "before", "tags", "also")

Pattern = Mapping[str, re.Pattern[str]]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of words that fit a pattern.

    Attributes:
        share: How often it is drawn, beside the others.
        kind: One of ``KINDS``.
        word: What the columns of the word match as a whole; FEATS: any of its features. ``head_lemma`` etc.
            are columns of its head, ``next_form`` etc. of the next word, ``without`` a relation that no word
            hanging on it has.
        value: What becomes of it; see ``docs/models.md``.
        tags: Columns that change with it.
        also: Another change with it: a word inserted beside it, or one that hangs on it dropped, such as *to*.
        at: ``edge`` where a word is inserted before all that hangs on the word, ``after`` it, or ``before`` it.
    """

    share: float
    kind: str
    word: Pattern
    value: Any
    tags: Mapping[str, str] = field(default_factory=dict)
    also: Change | None = None
    at: str = "before"


@dataclass(frozen=True, slots=True)
class ErrorTable:
    """The learners' errors of a language.

    Attributes:
        rate: Changes for each word, about.
        changes: What may be changed.
        keyboard: Rows of letters.
        sounds: What is written instead of what, by sound.
        endings: By XPOS, regular expressions of lemmas and what regular forms make of them.
    """

    rate: float
    changes: tuple[Change, ...]
    keyboard: tuple[str, ...] = ()
    sounds: tuple[tuple[str, str], ...] = ()
    endings: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)


def read_error_table(path: Path) -> ErrorTable:
    """Read a table of errors.

    Raises:
        InputError: The file cannot be read.
        FormatError: It is not such a table.
    """
    try:
        keys = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise FormatError(str(path), None, f"not YAML ({' '.join(str(error).split())[:200]})") from None
    if not isinstance(keys, dict) or not isinstance(keys.get("changes"), list):
        raise FormatError(str(path), None, "expected a mapping with a list under 'changes'")
    _check(keys, ("rate", "changes", "keyboard", "sounds", "endings", "licence"), path)
    try:
        return ErrorTable(
            float(keys.get("rate", 0.1)),
            tuple(_change(change, path) for change in keys["changes"]),
            tuple(map(str, keys.get("keyboard", ()))),
            tuple((str(old), str(new)) for old, new in keys.get("sounds", ())),
            {
                str(xpos): tuple((str(old), str(new)) for old, new in endings)
                for xpos, endings in keys.get("endings", {}).items()
            },
        )
    except (TypeError, ValueError, AttributeError, re.error) as error:
        raise FormatError(str(path), None, f"cannot be read as a table of errors ({error})") from None


def _change(keys: Mapping[str, Any], path: Path) -> Change:
    _check(keys, (*KINDS, *_OTHER_KEYS), path)
    kinds = [kind for kind in KINDS if kind in keys]
    if len(kinds) != 1:
        raise FormatError(str(path), None, f"found {keys!r}, expected one of {', '.join(KINDS)} in it")
    (kind,) = kinds
    value = keys[kind]
    if kind == "case" and value not in _CASES:
        raise FormatError(str(path), None, f"case: found {value!r}, expected one of {', '.join(_CASES)}")
    if kind == "forms" and not all(isinstance(form, str) for form in value):
        raise FormatError(str(path), None, f'forms: found {value!r}, expected strings; quote words like "on"')
    if kind == "swap":
        value = _pattern(value, path)
    return Change(
        float(keys.get("share", 1)),
        kind,
        _pattern(keys.get("word", {}), path),
        value,
        keys.get("tags", {}),
        _change(keys["also"], path) if "also" in keys else None,
        str(keys.get("at", "before")),
    )


def _pattern(keys: Mapping[str, Any], path: Path) -> Pattern:
    known = [*(f"{place}{name}" for place in ("", "head_", "next_") for name in COLUMNS), "without"]
    _check(keys, known, path)
    return {name: re.compile(str(value)) for name, value in keys.items()}


def _check(keys: Mapping[str, Any], known: Sequence[str], path: Path) -> None:
    for key in keys:
        if key not in known:
            hint = f"{nearest(str(key), known)}; expected one of {', '.join(known)}"
            raise FormatError(str(path), None, f"unknown key {key!r}{hint}")
