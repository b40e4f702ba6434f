"""Reading jperrant's YAML files safely: mappings and lists know their lines, for messages."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from jperrant.core.errors import FormatError, InputError, JperrantError, PackError
from jperrant.edits.values import PositionedDict, PositionedList
from jperrant.io.files import read_lines, reason

#: The C parser where PyYAML has it, which is ten times as fast.
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: Lists and mappings inside each other; the C parser overruns its stack at some ten thousand.
_DEEPEST = 200
#: Bytes of a file. The largest pack here has some 20,000, the largest file of examples some 100,000.
_MOST_BYTES = 16_000_000
#: Values of a file with all anchors filled in. The largest pack here has some thousand.
_LARGEST = 200_000
_UNUSABLE = re.compile("[\0\ud800-\udfff]")
#: The end matters: `trueskill` is text.
_TRUTH_VALUE = re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z")
_TAG = "tag:yaml.org,2002:"


class Problem(NamedTuple):
    """One thing that is wrong.

    Attributes:
        place: The file, and the line where that is known; may be empty.
        message: What was found and what was expected.
        key: The outermost key that it is about; empty where it is about none.
    """

    place: str
    message: str
    key: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


def raise_first(problems: Iterable[Problem]) -> None:
    """Raise the first problem, if there is one.

    Raises:
        PackError: There is one.
    """
    for problem in problems:
        raise PackError(str(problem))


class _Loader(_Base):  # type: ignore[misc]
    """Makes mappings and lists that know their lines; counts values, as aliases let a short file hold billions."""

    file = ""
    _depth = 0
    _values = 0

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._sizes: dict[yaml.Node, int] = {}

    def descend_resolver(self, current_node: yaml.Node | None, current_index: Any) -> None:  # noqa: ARG002
        """Go down to a node; called by both parsers, for resolvers by path, of which there are none here."""
        self._depth += 1
        if self._depth > _DEEPEST + 1 and current_node is not None:  # the node itself may be a scalar
            raise self.error(current_node, "not YAML: nested too deeply")

    def ascend_resolver(self) -> None:
        """Come back from a node."""
        self._depth -= 1

    def error(self, node: yaml.Node, message: str) -> FormatError:
        """Return an error of the line of a node."""
        return FormatError(self.file, node.start_mark.line + 1, message)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Make the value of a node; one that Python cannot hold is an error of its line."""
        if isinstance(node, yaml.ScalarNode) and node.tag == f"{_TAG}str" and node.style != '"':
            return node.value  # as most values are: only double quotes can hold an escaped NUL
        before = self._values
        self._values += self._sizes.get(node, 1 + isinstance(node, yaml.CollectionNode) * len(node.value))
        if self._values > _LARGEST:
            message = f"anchors expand the file to more than {_LARGEST:,} values; write them out or use fewer"
            raise self.error(node, message)
        try:
            value = super().construct_object(node, deep)
            self._sizes[node] = self._values - before
        except (yaml.YAMLError, JperrantError):
            raise
        except (ValueError, TypeError, ArithmeticError, LookupError, AttributeError) as error:
            text = node.value if isinstance(node, yaml.ScalarNode) else node.tag
            message = f"{shown_value(text)} is not a valid value ({error}); put it in quotes if it is text"
            raise self.error(node, message) from None
        if isinstance(value, str) and _UNUSABLE.search(value):
            message = f"{shown_value(value)} contains a character that text cannot have"
            raise self.error(node, f"{message} (NUL, or half of a surrogate pair); remove it")
        return value

    def construct_placed_mapping(self, node: yaml.MappingNode) -> PositionedDict:
        """Make a mapping that knows its lines."""
        mapping = PositionedDict(self._place(node))
        for key_node, value_node in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                raise self.error(key_node, f"found {shown_value(key)} as a key, expected text")
            if key in mapping:
                first = mapping.places[key].rpartition(":")[2]
                raise self.error(
                    key_node, f"the key {key!r} is given twice, first in line {first}; remove one"
                )
            mapping[key] = self.construct_object(value_node, deep=True)
            mapping.places[key] = self._place(key_node)
        return mapping

    def construct_placed_list(self, node: yaml.SequenceNode) -> PositionedList:
        """Make a list that knows its lines."""
        values = PositionedList(self._place(node))
        values.extend(self.construct_object(child, deep=True) for child in node.value)
        values.places.update(enumerate(map(self._place, node.value)))
        return values

    def _place(self, node: yaml.Node) -> str:
        return f"{self.file}:{node.start_mark.line + 1}"


# As in YAML 1.2, only true and false are truth values (`Poss: Yes` is text), and `<<` is a key like others.
_Loader.yaml_implicit_resolvers = {
    first: [
        (tag, _TRUTH_VALUE if tag == f"{_TAG}bool" else pattern)
        for tag, pattern in resolvers
        if tag != f"{_TAG}merge"
    ]
    for first, resolvers in _Base.yaml_implicit_resolvers.items()
}
_Loader.add_constructor(f"{_TAG}map", _Loader.construct_placed_mapping)
_Loader.add_constructor(f"{_TAG}seq", _Loader.construct_placed_list)


def parse_yaml(text: str, path: str) -> Any:
    """Return the content of a YAML text; ``path`` is what messages call it.

    Raises:
        FormatError: It is not YAML, or has a key twice; names the line.
    """
    try:
        loader = _Loader(text)
        loader.file = path
        return loader.get_single_data()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise FormatError(path, mark.line + 1 if mark else None, f"not YAML: {problem}") from None
    except UnicodeEncodeError:  # from the C parser, for an argument of another encoding
        message = "not YAML: found half of a surrogate pair; give the text as UTF-8"
        raise FormatError(path, None, message) from None


def read_yaml(path: Path) -> Any:
    """Return the content of a YAML (or JSON) file; one that has not changed is not read again.

    Raises:
        InputError: It cannot be read.
        FormatError: It is not YAML, or has a key twice; names the line.
    """
    try:
        stat = path.stat()
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read ({reason(error)})") from None
    if stat.st_size > _MOST_BYTES:
        message = f"found {stat.st_size:,} bytes, expected at most {_MOST_BYTES:,} in a YAML file"
        raise FormatError(str(path), None, message)
    return _parse(str(path), stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _parse(path: str, _changed: int, _size: int) -> Any:
    return parse_yaml("\n".join(read_lines(path)), path)


def shown_value(value: Any) -> str:
    """Return a wrong value for a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
