"""Reading the YAML of packs: safely, with the line of every key, and with no key twice."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from jperrant.core.errors import FormatError, InputError, JperrantError, PackError
from jperrant.edits.yaml_position import PositionedDict
from jperrant.io.files import read_lines
from jperrant.io.output import reason

FILE = "pack.yaml"
#: The C parser where PyYAML has it, which is ten times as fast.
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: Lists and mappings inside each other; the C parser overruns its stack at some ten thousand.
_DEEPEST = 200
#: Bytes of a file. The largest pack here has some 20,000, the largest file of examples some 100,000.
_MOST_BYTES = 16_000_000
#: Characters of a wrong value that a message shows.
_MOST_SHOWN = 60
_UNUSABLE = re.compile("[\0\ud800-\udfff]")
#: The end matters: `trueskill` is text.
_TRUTH_VALUE = re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z")
#: Values of a file with all anchors filled in. The largest pack here has some thousand.
_LARGEST = 200_000


_TEXT = "tag:yaml.org,2002:str"


class _Loader(_Base):  # type: ignore[misc]
    """Makes PositionedDict mappings; everything else is as in safe YAML."""

    file = ""
    _depth = 0

    def descend_resolver(self, current_node: yaml.Node | None, current_index: Any) -> None:  # noqa: ARG002
        """Go down to a node; called by both parsers, for resolvers by path, of which there are none here."""
        self._depth += 1
        if self._depth > _DEEPEST + 1 and current_node is not None:  # the node itself may be a scalar
            raise FormatError(self.file, current_node.start_mark.line + 1, "not YAML: nested too deeply")

    def ascend_resolver(self) -> None:
        """Come back from a node."""
        self._depth -= 1

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Make the value of a node; one that Python cannot hold is an error of its line."""
        if isinstance(node, yaml.ScalarNode) and node.tag == _TEXT and node.style != '"':
            return node.value  # as most values are: only double quotes can hold an escaped NUL
        try:
            value = super().construct_object(node, deep)
        except (yaml.YAMLError, JperrantError):
            raise
        except (ValueError, TypeError, ArithmeticError, LookupError, AttributeError) as error:
            text = node.value if isinstance(node, yaml.ScalarNode) else node.tag
            raise FormatError(
                self.file,
                node.start_mark.line + 1,
                f"{text[:_MOST_SHOWN]!r} is not a valid value ({error}); put it in quotes if it is text",
            ) from None
        if isinstance(value, str) and _UNUSABLE.search(value):
            raise FormatError(
                self.file,
                node.start_mark.line + 1,
                f"{value[:_MOST_SHOWN]!r} contains a character that text cannot have (NUL, or half of a "
                "surrogate pair); remove it",
            )
        return value

    def construct_located(self, node: yaml.MappingNode) -> PositionedDict:
        """Make a mapping that knows its lines."""
        mapping = PositionedDict(self.file, node.start_mark.line + 1)
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            line = key_node.start_mark.line + 1
            if not isinstance(key, Hashable):
                raise FormatError(self.file, line, f"found {key!r} as a key, expected text")
            if key in mapping.lines:
                raise FormatError(
                    self.file,
                    line,
                    f"the key {key!r} is given twice, first in line {mapping.lines[key]}; remove one",
                )
            mapping.lines[key] = line
        self.flatten_mapping(node)
        mapping.update({self.construct_object(k, deep=True): self.construct_object(v, deep=True)
                      for k, v in node.value})  # fmt: skip
        return mapping


# As in YAML 1.2, only true and false are truth values: `Poss: Yes` and `word: no` are text.
_Loader.yaml_implicit_resolvers = {
    first: [(tag, _TRUTH_VALUE if tag == "tag:yaml.org,2002:bool" else pattern) for tag, pattern in resolvers]
    for first, resolvers in _Base.yaml_implicit_resolvers.items()
}
_Loader.add_constructor("tag:yaml.org,2002:map", _Loader.construct_located)


def read_pack(folder: Path) -> PositionedDict:
    """Return the content of a folder's pack.yaml, whatever its keys are.

    Raises:
        PackError: There is none, or it is not a mapping.
        FormatError: It is not YAML, or has a key twice; names the line.
    """
    path = folder / FILE
    try:
        stat = path.stat() if path.is_file() else None
    except (OSError, ValueError) as error:
        raise PackError(f"{path} cannot be read ({reason(error)})") from None
    if stat is None:
        raise PackError(f"{folder}: found no {FILE}, expected the folder of a language pack")
    content = _parse(str(path), stat.st_mtime_ns, stat.st_size)
    if not isinstance(content, PositionedDict):
        raise PackError(f"{path}: expected a mapping of keys to values")
    return content


def read_yaml(path: Path) -> Any:
    """Return the content of another YAML (or JSON) file of a pack.

    Raises:
        InputError: It cannot be read.
        FormatError: It is not YAML, or has a key twice; names the line.
    """
    try:
        size = path.stat().st_size
    except OSError as error:
        raise InputError(f"{path} cannot be read ({reason(error)})") from None
    return _parse.__wrapped__(str(path), 0, size)


@lru_cache(maxsize=64)
def _parse(path: str, _changed: int, size: int) -> Any:
    if size > _MOST_BYTES:
        raise FormatError(
            path, None, f"found {size:,} bytes, expected at most {_MOST_BYTES:,} in a file of a pack"
        )
    return parse_yaml("\n".join(read_lines(path)), path)


def parse_yaml(text: str, path: str) -> Any:
    """Return the content of a YAML text; ``path`` is what messages call it.

    Raises:
        FormatError: It is not YAML, or has a key twice; names the line.
    """
    try:
        loader = _Loader(text)
        loader.file = path
        node = loader.get_single_node()
        if node is None:
            return None
        # Without anchors a text holds fewer values than characters.
        if ("&" in text or len(text) > _LARGEST) and _expanded(node, {}) > _LARGEST:
            raise FormatError(
                path, None, f"anchors expand it to more than {_LARGEST:,} values; write them out or use fewer"
            )
        return loader.construct_document(node)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise FormatError(path, mark.line + 1 if mark else None, f"not YAML: {problem}") from None
    except UnicodeEncodeError:  # from the C parser, for an argument of another encoding
        raise FormatError(
            path, None, "not YAML: found half of a surrogate pair; give the text as UTF-8"
        ) from None
    except RecursionError:
        raise FormatError(
            path, None, "not YAML that can be read: nested too deeply, or it contains itself"
        ) from None


def yaml_nodes(text: str) -> yaml.Node | None:
    """Return the nodes of a YAML text that :func:`parse_yaml` has read, by the same parser.

    PyYAML's other parser takes no tabs, by which some programs indent JSON.
    """
    node: yaml.Node | None = yaml.compose(text, Loader=_Base)
    return node


def _expanded(node: yaml.Node, known: dict[int, int]) -> int:
    """Return how many values a node holds with all anchors filled in, each node looked at once.

    Raises:
        RecursionError: It contains itself.
    """
    if not isinstance(node, yaml.CollectionNode):
        return 1
    if id(node) not in known:
        known[id(node)] = -1
        below = (
            [part for pair in node.value for part in pair]
            if isinstance(node, yaml.MappingNode)
            else node.value
        )
        known[id(node)] = 1 + sum([_expanded(part, known) for part in below])
    if known[id(node)] < 0:
        raise RecursionError
    return known[id(node)]
