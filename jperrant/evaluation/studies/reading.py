"""Reading values from YAML: every problem with its file and line, none of them ending the reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from jperrant.core.errors import FormatError, InputError, nearest
from jperrant.core.tables import one_line
from jperrant.evaluation.studies.keys import KINDS, Key
from jperrant.io.files import read_lines
from jperrant.packs.problems import Problem
from jperrant.packs.yaml_loader import read_yaml, yaml_nodes

#: Where a value stands: the keys and the numbers of list entries that lead to it.
Position: TypeAlias = tuple[str | int, ...]


class Reading:
    """One file that is read, and what is wrong with it.

    Args:
        file: The file, as messages call it.

    Attributes:
        content: What the file holds.
        problems: What is wrong so far.

    Raises:
        InputError: The file cannot be read, is not YAML, or has a key twice; names the line.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.content = read_yaml(file)
        self.problems: list[Problem] = []
        if not isinstance(self.content, Mapping):
            raise FormatError(
                str(file), 1, "expected a mapping with datasets and metrics, as study new writes"
            )

    def problem(self, position: Position, message: str) -> None:
        """Add a problem with the value at a position."""
        named = [str(key) for key in position if isinstance(key, str)]
        text = one_line(": ".join([*named[-1:], message]))
        self.problems.append(Problem(f"{self.file}:{self._line(position)}", text))

    def keys(
        self, content: Any, known: Mapping[str, Key], position: Position, open: bool = False
    ) -> dict[str, Any]:
        """Return the values of a mapping's keys that are as they should be; null is as if the key were not there.

        Args:
            content: The mapping.
            known: The keys it can have.
            position: Where it stands.
            open: Whether it may have other keys too, which are left out.
        """
        if not isinstance(content, Mapping):
            self.problem(position, f"found {_shown(content)}, expected a mapping")
            return {}
        values = {}
        for name, value in content.items():
            if name not in known:
                if not open:
                    close = nearest(str(name), known)
                    self.problem((*position, name), f"unknown key{close}; expected one of {', '.join(known)}")
            elif value is not None and self._is_right((*position, name), known[name], value):
                values[name] = _tuple(value) if known[name].kind == "names" else value
        for name, key in known.items():
            if key.required and content.get(name) is None:
                self.problem(position, f"the key {name!r} is missing: {key.doc}")
        return values

    def chosen(self, position: Position, names: Iterable[str], known: Iterable[str], what: str) -> list[str]:
        """Return the names that are known; the others are problems."""
        known = list(known)
        for name in names:
            if name not in known:
                self.problem(
                    position,
                    f"unknown {what} {name!r}{nearest(str(name), known)}; expected one of {', '.join(known)}",
                )
        return [name for name in names if name in known]

    def _is_right(self, position: Position, key: Key, value: Any) -> bool:
        expected = ""
        if not _IS[key.kind](value):
            expected = KINDS[key.kind][0]
        elif key.kind == "whole" and not (key.minimum or 0) <= value <= (key.maximum or value):
            limit = f" and at most {key.maximum:,}" if key.maximum is not None else ""
            expected = f"a whole number of at least {key.minimum or 0}{limit}"
        elif key.choices:
            wrong = [name for name in _tuple(value) if name not in key.choices]
            for name in wrong:
                close = nearest(name, key.choices)
                self.problem(position, f"found {name!r}{close}, expected {' or '.join(key.choices)}")
            return not wrong
        if expected:
            hint = _QUOTES if key.kind in ("text", "names") and isinstance(value, bool | int | float) else ""
            self.problem(position, f"found {_shown(value)}{hint}, expected {expected}")
        return not expected

    def _line(self, position: Position) -> int:
        """Return the line of a value, or of what holds it where it has none of its own."""
        node, line = self._root, 1
        for step in position:
            children = {}
            if isinstance(node, yaml.MappingNode):
                children = {key.value: (key, value) for key, value in node.value}
            elif isinstance(node, yaml.SequenceNode):
                children = {number: (value, value) for number, value in enumerate(node.value)}
            if step not in children and str(step) not in children:
                break
            key, node = children.get(step) or children[str(step)]
            line = key.start_mark.line + 1
        return line

    @cached_property
    def _root(self) -> yaml.Node | None:
        """The nodes of the file, which know their lines; it has been read safely already."""
        return yaml_nodes("\n".join(read_lines(str(self.file))))


def raise_problems(problems: list[Problem], file: Path) -> None:
    """Raise the first of several problems, with their number.

    Raises:
        InputError: There is one.
    """
    if problems:
        more = len(problems) - 1
        others = f" (and {more} more; run jperrant study check {file})" if more else ""
        raise InputError(f"{problems[0]}{others}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\n" not in value.strip()


#: Said where YAML has read a word as something else.
_QUOTES = " (YAML does not read yes, no, on, off and numbers as text; put it in quotes)"
_IS: Mapping[str, Callable[[Any], bool]] = {
    "text": _is_text,
    "names": lambda value: _is_text(value) or (isinstance(value, list) and all(map(_is_text, value))),
    "switch": lambda value: isinstance(value, bool),
    "whole": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "mapping": lambda value: isinstance(value, Mapping),
    "list": lambda value: isinstance(value, list),
    "any": lambda _: True,
}


def _tuple(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _shown(value: Any) -> str:
    """Return a wrong value for a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
