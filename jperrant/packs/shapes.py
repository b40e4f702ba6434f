"""What values of pack.yaml look like: each shape checks a value and describes it as JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from math import inf
from pathlib import PurePath
from typing import Any, Protocol

from jperrant.core.errors import nearest
from jperrant.core.values import UPOS
from jperrant.edits.yaml_position import PositionedDict, position_of
from jperrant.packs.problems import Problem, problem_of
from jperrant.packs.requirements import MODULE, REQUIREMENT

Json = dict[str, Any]
NULL: Json = {"type": "null"}
#: A list of names that are not empty.
NAMES: Json = {"type": "array", "items": {"type": "string", "minLength": 1}}


class Shape(Protocol):
    """What a value must look like."""

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Yield what is wrong with the value of a key; it is not null."""
        ...

    def json(self) -> Json:
        """Return the JSON Schema of the value."""
        ...


class Text:
    """A string in one line that is not empty."""

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value."""
        value = content[key]
        if not isinstance(value, str) or not value.strip() or "\n" in value.strip():
            yield problem_of(content, key, f"found {value!r}, expected text on one line{_quotes(value)}")

    def json(self) -> Json:
        """Return the JSON Schema."""
        return {"type": "string", "pattern": r"\S"}


class Code(Text):
    """The code of a pack, which may also be the name of its folder."""

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value."""
        yield from super().check(content, key)
        value = content[key]
        if isinstance(value, str) and PurePath(value).name != value:
            yield problem_of(
                content, key, f"found {value!r}, expected a code or the name of a folder beside this one"
            )

    def json(self) -> Json:
        """Return the JSON Schema."""
        return {"type": "string", "pattern": r"^[^/\\]*[^/\\.\s][^/\\]*$"}


class File(Text):
    """The name of a file in the folder of the pack."""

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value; whether the file is there is not looked at."""
        yield from super().check(content, key)
        yield from _inside(content, key, content[key])


class DictionaryName(File):
    """The name of a Hunspell dictionary, which may lie in the folder of the pack."""

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value; whether the dictionary is installed is not looked at."""
        yield from super().check(content, key)
        value = content[key]
        if isinstance(value, str) and value.endswith((".dic", ".aff")):
            yield problem_of(content, key, f"found {value!r}, expected the name without {value[-4:]}")


class Names:
    """A list of names."""

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value."""
        value = content[key]
        if not isinstance(value, list):
            yield problem_of(content, key, f"found {value!r}, expected a list")
            return
        for name in value:
            if not isinstance(name, str) or not name:
                yield problem_of(
                    content, key, f"found {name!r} in the list, expected only names{_quotes(name)}"
                )

    def json(self) -> Json:
        """Return the JSON Schema."""
        return NAMES


class Files(Names):
    """A list of files in the folder of the pack."""

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value."""
        yield from super().check(content, key)
        for name in content[key] if isinstance(content[key], list) else ():
            yield from _inside(content, key, name)


@dataclass(frozen=True)
class Choice:
    """One of some strings."""

    strings: tuple[str, ...]
    expected: str

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value."""
        if content[key] not in self.strings:
            yield problem_of(content, key, f"found {content[key]!r}, expected {self.expected}")

    def json(self) -> Json:
        """Return the JSON Schema."""
        return {"enum": list(self.strings)}


@dataclass(frozen=True)
class AnyMapping:
    """A mapping, whose content is checked elsewhere.

    Attributes:
        values: JSON Schema of the values; anything, if empty.
    """

    values: Mapping[str, Any]

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value."""
        if not isinstance(content[key], PositionedDict):
            yield problem_of(content, key, f"found {content[key]!r}, expected a mapping")

    def json(self) -> Json:
        """Return the JSON Schema."""
        return {"type": "object", "additionalProperties": dict(self.values)}


class Table:
    """A mapping from names to names; null removes what is inherited."""

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value."""
        value = content[key]
        if not isinstance(value, PositionedDict):
            yield problem_of(content, key, f"found {value!r}, expected a mapping")
            return
        for name, held in value.items():
            if not isinstance(name, str) or not (held is None or isinstance(held, str)):
                hints = f"{_quotes(name)}{_quotes(held)}"
                yield Problem(
                    position_of(value, name),
                    f"{key}: found {name!r}: {held!r}, expected a name as key and value{hints}",
                )

    def json(self) -> Json:
        """Return the JSON Schema."""
        return {"type": "object", "additionalProperties": {"type": ["string", "null"]}}


class TableByTag(Table):
    """A table whose keys are UPOS tags."""

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value."""
        yield from super().check(content, key)
        value = content[key]
        for tag in value if isinstance(value, PositionedDict) else ():
            yield from _tags(position_of(value, tag), key, [tag])


class Requirements(Table):
    """Modules, and what pip takes to install them: neither options nor addresses."""

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value."""
        yield from super().check(content, key)
        value = content[key]
        for module, needed in value.items() if isinstance(value, PositionedDict) else ():
            place = position_of(value, module)
            if isinstance(module, str) and not MODULE.fullmatch(module):
                yield Problem(place, f"{key}: found {module!r}, expected the name of a top-level module")
            if isinstance(needed, str) and not REQUIREMENT.fullmatch(needed):
                yield Problem(
                    place,
                    f"{key}: {module}: found {needed!r}, expected a package for pip, such as 'jieba>=0.42'",
                )


@dataclass(frozen=True)
class MappingOf:
    """A mapping from names to values of one shape; null removes what is inherited."""

    shape: Shape

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value."""
        value = content[key]
        if not isinstance(value, PositionedDict):
            yield problem_of(content, key, f"found {value!r}, expected a mapping")
            return
        for name, held in value.items():
            if not isinstance(name, str):
                yield Problem(
                    position_of(value, name), f"{key}: found the key {name!r}, expected a name{_quotes(name)}"
                )
            elif held is not None:
                yield from self.shape.check(value, name)

    def json(self) -> Json:
        """Return the JSON Schema."""
        return {"type": "object", "additionalProperties": {"anyOf": [self.shape.json(), NULL]}}


class NameOrTable:
    """A mapping from names to names, or to tables of names."""

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value."""
        value = content[key]
        if not isinstance(value, PositionedDict):
            yield problem_of(content, key, f"found {value!r}, expected a mapping")
            return
        for feature, name in value.items():
            if isinstance(name, PositionedDict):
                yield from Table().check(value, feature)
            elif not (isinstance(feature, str) and (name is None or isinstance(name, str))):
                yield Problem(
                    position_of(value, feature),
                    f"{key}: found {feature!r}: {name!r}, expected a name for a feature, or names by word class"
                    f"{_quotes(name)}",
                )

    def json(self) -> Json:
        """Return the JSON Schema."""
        either = [{"type": ["string", "null"]}, Table().json()]
        return {"type": "object", "additionalProperties": {"anyOf": either}}


@dataclass(frozen=True)
class ListOf:
    """A list whose content is checked elsewhere, or the name of a file with it, if that may be.

    Attributes:
        items: JSON Schema of the values.
        expected: What messages call it.
        or_file: Whether it may be the name of a file.
    """

    items: Mapping[str, Any]
    expected: str
    or_file: bool = False

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value."""
        if self.or_file and isinstance(content[key], str):
            yield from File().check(content, key)
        elif not isinstance(content[key], list):
            yield problem_of(content, key, f"found {content[key]!r}, expected {self.expected}")

    def json(self) -> Json:
        """Return the JSON Schema."""
        array = {"type": "array", "items": dict(self.items)}
        return {"anyOf": [array, File().json()]} if self.or_file else array


@dataclass(frozen=True)
class Settings:
    """A mapping that fills a dataclass, lists becoming sets.

    Attributes:
        kind: The dataclass.
        tags: Its fields that are lists of UPOS tags.
        positive: Its fields that are numbers above 0.
    """

    kind: type[Any]
    tags: tuple[str, ...] = ()
    positive: tuple[str, ...] = ()

    def check(self, content: PositionedDict, key: str) -> Iterator[Problem]:
        """Check a value."""
        value, known = content[key], self._defaults()
        if not isinstance(value, PositionedDict):
            yield problem_of(content, key, f"found {value!r}, expected a mapping")
            return
        for name, held in value.items():
            place = position_of(value, name)
            if name not in known:
                close = nearest(str(name), known)
                yield Problem(
                    place, f"{key}: unknown key {name!r}{close}; expected one of {', '.join(known)}"
                )
            elif held is not None and not _is_like(held, known[name]):
                example = known[name] if not isinstance(known[name], frozenset) else ["a", "b"]
                yield Problem(place, f"{key}: {name}: found {held!r}, expected a value like {example!r}")
            elif name in self.positive and held == 0:
                yield Problem(place, f"{key}: {name}: found {held!r}, expected a number above 0")
            elif name in self.tags:
                yield from _tags(place, f"{key}: {name}", held or ())

    def json(self) -> Json:
        """Return the JSON Schema."""
        values = {name: {"anyOf": [_json_like(value), NULL]} for name, value in self._defaults().items()}
        return {"type": "object", "properties": values, "additionalProperties": False}

    def _defaults(self) -> Mapping[str, Any]:
        return {field.name: getattr(self.kind(), field.name) for field in fields(self.kind)}


def _inside(content: PositionedDict, key: str, name: object) -> Iterator[Problem]:
    """Check that a file is in the pack's folder, so that a pack cannot read what is not its own."""
    if isinstance(name, str) and (PurePath(name).is_absolute() or ".." in PurePath(name).parts):
        yield problem_of(content, key, f"found {name!r}, expected a file in the pack's folder")


def _tags(place: str, where: str, tags: Iterable[object]) -> Iterator[Problem]:
    """Check that names are UPOS tags, as no token has another one."""
    for tag in tags:
        if isinstance(tag, str) and tag not in UPOS:
            message = f"{where}: {tag!r} is no tag of Universal Dependencies{nearest(tag, UPOS)}"
            yield Problem(place, f"{message}; expected some of {', '.join(sorted(UPOS))}")


def _is_like(value: object, default: object) -> bool:
    """Whether a value can take the place of a default."""
    if isinstance(default, frozenset):
        return isinstance(value, list) and all(isinstance(name, str) for name in value)
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, float):
        return isinstance(value, (int, float)) and 0 <= value < inf
    return isinstance(value, type(default))


def _json_like(default: object) -> Json:
    if isinstance(default, frozenset):
        return {"type": "array", "items": {"type": "string"}}
    if isinstance(default, bool):
        return {"type": "boolean"}
    return {"type": "number", "minimum": 0} if isinstance(default, float) else {"type": "string"}


def _quotes(value: object) -> str:
    """Return a hint where YAML has read a word or number as another kind of value."""
    if isinstance(value, (bool, int, float)):
        return " (YAML does not read true, false and numbers as text; put it in quotes)"
    return ""
