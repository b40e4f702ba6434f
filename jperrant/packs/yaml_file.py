"""YAML files such as packs and studies: read safely, with line numbers, and checked by pydantic models."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.functional_validators import BeforeValidator, WrapValidator, model_validator
from pydantic.json_schema import GenerateJsonSchema

from jperrant.core.errors import FormatError, InputError, nearest
from jperrant.core.tables import one_line
from jperrant.edits.rule_parts import Positioned, PositionedDict, PositionedList
from jperrant.io.files import read_lines, reason

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")
#: The path to a value: keys of mappings and indices of lists.
Place: TypeAlias = tuple[Any, ...]

# Reading

#: The C parser if PyYAML has it; it is ten times as fast.
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: The deepest nesting of lists and mappings; the C parser overruns its stack at some ten thousand.
_DEEPEST = 200
#: The largest file, in bytes. The largest pack and the largest file of examples here have some 36,000.
_MOST_BYTES = 16_000_000
#: The most values of a file with anchors expanded. The largest pack here has some 3,000.
_LARGEST = 200_000
_UNUSABLE = re.compile("[\0\ud800-\udfff]")
#: Anchored at the end, as `trueskill` is text.
_TRUTH_VALUE = re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z")
_MAP, _SEQ, _BOOL, _MERGE = [f"tag:yaml.org,2002:{name}" for name in ("map", "seq", "bool", "merge")]


class _Loader(_Base):  # type: ignore[misc]
    """Builds mappings and lists that know their lines; limits the values, as aliases can expand to billions."""

    file = ""
    _depth = _values = 0

    def descend_resolver(self, current_node: yaml.Node | None, current_index: Any) -> None:  # noqa: ARG002
        """Count the depth of a node.

        Both parsers call this for resolvers by path, which are not used here.
        """
        self._depth += 1
        if self._depth > _DEEPEST + 1 and current_node is not None:  # one more, as the node may be a scalar
            raise self.error(current_node, "not YAML: nested too deeply")

    def ascend_resolver(self) -> None:
        """Leave a node."""
        self._depth -= 1

    def error(self, node: yaml.Node, message: str) -> FormatError:
        """Return an error at the line of a node."""
        return FormatError(self.file, node.start_mark.line + 1, message)

    def value(self, node: yaml.Node, depth: int = 0) -> Any:
        """Construct the value of a node.

        Raises:
            FormatError: The node has no valid value; the message names its line.
        """
        self._values += 1
        if self._values > _LARGEST:
            message = f"anchors expand the file to more than {_LARGEST:,} values; write them out or use fewer"
            raise self.error(node, message)
        if depth > _DEEPEST:  # such as a list that holds itself
            raise self.error(node, "not YAML: nested too deeply")
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        if node.tag not in (_MAP, _SEQ):
            raise self.error(node, f"not YAML: could not determine a constructor for the tag {node.tag!r}")
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, depth + 1)
        values = PositionedList(self._place(node))
        values.extend(self.value(child, depth + 1) for child in node.value)
        values.places.update(enumerate(map(self._place, node.value)))
        return values

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        try:
            value = self.construct_object(node)
        except (ValueError, TypeError, ArithmeticError, LookupError, AttributeError) as error:
            message = f"is not a valid value ({error}); put it in quotes if it is text"
            raise self.error(node, f"{shown_value(node.value)} {message}") from None
        if isinstance(value, str) and _UNUSABLE.search(value):
            message = f"{shown_value(value)} contains a character that text cannot have"
            raise self.error(node, f"{message} (NUL, or half of a surrogate pair); remove it")
        return value

    def _mapping(self, node: yaml.MappingNode, depth: int) -> PositionedDict:
        mapping = PositionedDict(self._place(node))
        for key_node, value_node in node.value:
            key = self.value(key_node, depth)
            if not isinstance(key, Hashable):
                raise self.error(key_node, f"found {shown_value(key)} as a key, expected text")
            if key in mapping:
                first = mapping.places[key].rpartition(":")[2]
                message = f"the key {key!r} is given twice, first in line {first}; remove one"
                raise self.error(key_node, message)
            mapping[key] = self.value(value_node, depth)
            mapping.places[key] = self._place(key_node)
        return mapping

    def _place(self, node: yaml.Node) -> str:
        return f"{self.file}:{node.start_mark.line + 1}"


# As in YAML 1.2, only true and false are booleans (`Poss: Yes` is text), and `<<` is an ordinary key.
_Loader.yaml_implicit_resolvers = {
    first: [(tag, _TRUTH_VALUE if tag == _BOOL else test) for tag, test in resolvers if tag != _MERGE]
    for first, resolvers in _Base.yaml_implicit_resolvers.items()
}


def parse_yaml(text: str, path: str) -> Any:
    """Parse a YAML text; messages call it ``path``.

    Raises:
        FormatError: The text is not YAML, or has a duplicate key; the message names the line.
    """
    try:
        loader = _Loader(text)
        loader.file = path
        node = loader.get_single_node()
        return None if node is None else loader.value(node)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        if "nesting" in problem:  # newer versions of libyaml have a limit of their own
            problem = "nested too deeply"
        raise FormatError(path, mark.line + 1 if mark else None, f"not YAML: {problem}") from None
    except UnicodeEncodeError:  # raised by the C parser for a command-line argument in another encoding
        message = "not YAML: found half of a surrogate pair; give the text as UTF-8"
        raise FormatError(path, None, message) from None


def read_yaml(path: Path) -> Any:
    """Read a YAML (or JSON) file; the content is cached until the file changes.

    Raises:
        InputError: The file cannot be read.
        FormatError: The text is not YAML, or has a duplicate key; the message names the line.
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


def flow(value: object) -> str:
    """Format a value as YAML in one line."""
    text = yaml.safe_dump(
        plain(value), default_flow_style=True, allow_unicode=True, width=float("inf"), sort_keys=False
    )
    return text.strip().removesuffix("...").strip()


def plain(value: object) -> object:
    """Return a value as plain dicts and lists, without line numbers."""
    if isinstance(value, dict):
        return {key: plain(held) for key, held in value.items()}
    return [plain(held) for held in value] if isinstance(value, list) else value


def shown_value(value: Any) -> str:
    """Format a wrong value for a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


# Models

#: What messages say was expected, by pydantic's type of error.
_EXPECTED = {
    "string_type": "text in one line",
    "string_pattern_mismatch": "text in one line",
    "string_too_short": "text that is not empty",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "greater_than": "a number above {gt:g}",
    "greater_than_equal": "a whole number of at least {ge}",
    "less_than_equal": "a whole number of at most {le:,}",
    "model_type": "a mapping",
    "dict_type": "a mapping",
    "tuple_type": "a list",
    "list_type": "a list",
    "frozen_set_type": "a list",
    "literal_error": "{expected}",
}
_QUOTES = " (YAML does not read true, false and numbers as text; put it in quotes)"
_ATTRIBUTE = re.compile(r"^ {4}(\w+(?:, \w+)*): ((?:.|\n {5,})*)", re.MULTILINE)


class Problem(NamedTuple):
    """One error in a file.

    Attributes:
        place: The file, with the line if known; may be empty.
        message: What was found and what was expected.
    """

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class Keys(BaseModel):
    """A mapping of a YAML file; other keys are errors, and a key with null counts as absent.

    The ``Attributes`` in the docstring of a subclass become the descriptions of its keys in the JSON Schema.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, content: Any) -> Any:
        if not isinstance(content, Mapping):
            return content
        return {key: value for key, value in content.items() if value is not None}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        schema = handler.resolve_ref_schema(handler(core))
        schema.pop("description", None)
        for names, text in _ATTRIBUTE.findall(inspect.getdoc(cls) or ""):
            for name in names.split(", "):
                schema["properties"][name]["description"] = " ".join(text.split())
        return dict(schema)


class Short(Keys):
    """A mapping that may be written as one text: the value of its first key."""

    @model_validator(mode="before")
    @classmethod
    def _long(cls, content: Any) -> Any:
        return content if isinstance(content, Mapping) else {next(iter(cls.model_fields)): content}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        return {"anyOf": [{"type": "string"}, super().__get_pydantic_json_schema__(core, handler)]}


def expecting(text: str) -> WrapValidator:
    """Return a validator of a union of types that describes what it expects.

    A valid value keeps its line numbers.

    >>> Name = Annotated[str | list[str], expecting("a name, or a list of names")]

    Args:
        text: The words after "expected" in the message.
    """

    def checked(value: Any, fits: Callable[[Any], Any]) -> Any:
        try:
            fitting = fits(value)
        except ValidationError as error:
            innermost = max(error.errors(include_url=False), key=lambda one: len(one["loc"]))
            raise ValueError(f"found {shown_value(innermost['input'])}, expected {text}") from None
        return value if fitting == value else fitting

    return WrapValidator(checked)


class _OneToo:
    """Adds to the JSON Schema of a list that a single value may replace it."""

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        schema = handler(core)
        return {"anyOf": [schema["items"], schema]}


Text: TypeAlias = Annotated[str, Field(strict=True, pattern=r"^\s*\S.*\s*$")]
Switch: TypeAlias = Annotated[bool, Field(strict=True)]
Whole: TypeAlias = Annotated[int, Field(strict=True, ge=0)]
_LISTED = BeforeValidator(lambda value: [value] if isinstance(value, str) else value)
OneOrMore = Annotated[tuple[T, ...], _LISTED, _OneToo()]


class YamlFile:
    """A YAML file and its content.

    Args:
        path: The file, for reading and for messages.
        content: The content if already read (or merged with other files); default: the file is read.

    Attributes:
        content: The mapping that the file holds.

    Raises:
        InputError: The file cannot be read, is not YAML, is not a mapping, or has a duplicate key.
    """

    def __init__(self, path: Path, content: Any = None) -> None:
        self.path, self.content = path, read_yaml(path) if content is None else content
        if not isinstance(self.content, Mapping):
            raise FormatError(str(path), 1, "expected a mapping of keys to values")

    def checked(self, model: type[M], context: Any = None) -> tuple[M | None, list[Problem]]:
        """Validate the content; return the model (or None if it has errors) and all errors.

        Args:
            model: What the file should be.
            context: Given to the model's validators.
        """
        try:
            return model.model_validate(self.content, context=context), []
        except ValidationError as error:
            problems = [self._problem(one, model) for one in error.errors(include_url=False)]
            return None, sorted(problems, key=lambda problem: int(problem.place.rpartition(":")[2]))

    def problem(self, place: Place, message: str) -> Problem:
        """Return an error about the value at a place."""
        where, name = self._found(place)
        return Problem(where, one_line(f"{name}: {message}" if name else message))

    def _problem(self, error: Mapping[str, Any], model: type[BaseModel]) -> Problem:
        place, kind, given, context = error["loc"], error["type"], error["input"], error.get("ctx", {})
        outer, key = place[:-1], place[-1] if place else ""
        fields = _model_at(model, outer).model_fields
        if kind in ("extra_forbidden", "invalid_key"):
            hint = nearest(str(key), fields) or f"; expected one of {', '.join(fields)}"
            return Problem(self._found(place)[0], one_line(f"unknown key {key!r}{hint}"))
        if kind == "missing":
            return self.problem(outer, f"the key {key!r} is missing")
        if kind == "value_error":
            return self.problem(place, str(context["error"]))
        expected = _EXPECTED.get(kind, error["msg"]).format(**context)
        close = nearest(str(given), re.findall("'(.*?)'", expected)) if kind == "literal_error" else ""
        quotes = _QUOTES if kind == "string_type" and isinstance(given, bool | int | float) else ""
        return self.problem(place, f"found {shown_value(given)}{close}{quotes}, expected {expected}")

    def _found(self, place: Place) -> tuple[str, str]:
        """Return the file and line of a value (or of what contains it) and the last key on its path."""
        value, where, name = self.content, f"{self.path}:1", ""
        for step in place:
            if isinstance(value, PositionedList) and isinstance(step, str) and step in value:
                step = value.index(step)  # in a list that replaces a mapping, the names are its values
            if isinstance(value, Positioned) and step in value.places:
                value, where = value[step], value.places[step]  # type: ignore[index]
                name = step if isinstance(step, str) else name
        return where, name


def schema_text(model: type[BaseModel], title: str) -> str:
    """Return the JSON Schema (draft 2020-12) of a model as text."""
    own = model.model_json_schema(schema_generator=_Untitled)
    schema = {"$schema": GenerateJsonSchema.schema_dialect, **own, "title": title}
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


class _Untitled(GenerateJsonSchema):
    """Leaves out titles of keys, which only repeat the keys."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        """Return False: no key has a title."""
        return False


def _model_at(model: type[BaseModel], place: Place) -> type[BaseModel]:
    """Return the model of the mapping at a place."""
    for step in place:
        if field := model.model_fields.get(step):
            model = next(_models_in(field.annotation), model)
    return model


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)
