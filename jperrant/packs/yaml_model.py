"""jperrant's YAML files as pydantic models: packs, studies, recipes. Problems name line and nearest key."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic.json_schema import GenerateJsonSchema

from jperrant.core.errors import FormatError, nearest
from jperrant.core.tables import one_line
from jperrant.edits.values import Positioned, PositionedList
from jperrant.packs.yaml_file import Problem, read_yaml, shown_value

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")
#: Where a value stands: the keys and the numbers of list entries that lead to it.
Place: TypeAlias = tuple[Any, ...]
#: What messages expect where pydantic finds something else.
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


class Keys(BaseModel):
    """A mapping of a YAML file: it has no other keys, and null is as if the key were not there.

    The ``Attributes`` of a subclass's docstring describe its keys in its JSON Schema.
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
    """A mapping for which one text can stand: the value of its first key."""

    @model_validator(mode="before")
    @classmethod
    def _long(cls, content: Any) -> Any:
        return content if isinstance(content, Mapping) else {next(iter(cls.model_fields)): content}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        return {"anyOf": [{"type": "string"}, super().__get_pydantic_json_schema__(core, handler)]}


class _OneToo:
    """Says in the JSON Schema of a list that one value may stand for it."""

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        schema = handler(core)
        return {"anyOf": [schema["items"], schema]}


Text: TypeAlias = Annotated[str, Field(strict=True, pattern=r"^\s*\S.*\s*$")]
Switch: TypeAlias = Annotated[bool, Field(strict=True)]
Whole: TypeAlias = Annotated[int, Field(strict=True, ge=0)]
OneOrMore = Annotated[
    tuple[T, ...], BeforeValidator(lambda value: [value] if isinstance(value, str) else value), _OneToo()
]


class YamlFile:
    """A YAML file that is read.

    Args:
        path: The file, as messages call it.
        content: What it says together with others, which have been read; if not given, the file is read.

    Attributes:
        content: Its mapping.

    Raises:
        InputError: The file cannot be read, is not YAML, is no mapping, or has a key twice; names the line.
    """

    def __init__(self, path: Path, content: Any = None) -> None:
        self.path, self.content = path, read_yaml(path) if content is None else content
        if not isinstance(self.content, Mapping):
            raise FormatError(str(path), 1, "expected a mapping of keys to values")

    def checked(self, model: type[M], context: Any = None) -> tuple[M | None, list[Problem]]:
        """Return the file as a model, or None if it does not fit, and everything that is wrong with it.

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
        """Return a problem with the value at a place."""
        where, name = self._found(place)
        return Problem(where, one_line(f"{name}: {message}" if name else message), str(next(iter(place), "")))

    def place(self, place: Place) -> str:
        """Return the file and line of a value."""
        return self._found(place)[0]

    def _problem(self, error: Mapping[str, Any], model: type[BaseModel]) -> Problem:
        place, kind, given, context = error["loc"], error["type"], error["input"], error.get("ctx", {})
        outer, key = place[:-1], place[-1] if place else ""
        fields = _model_at(model, outer).model_fields
        if kind in ("extra_forbidden", "invalid_key"):
            hint = nearest(str(key), fields) or f"; expected one of {', '.join(fields)}"
            return Problem(self.place(place), one_line(f"unknown key {key!r}{hint}"), str(place[0]))
        if kind == "missing":
            return self.problem(outer, f"the key {key!r} is missing")
        if kind == "value_error":
            return self.problem(place, str(context["error"]))
        expected = _EXPECTED.get(kind, error["msg"]).format(**context)
        close = nearest(str(given), re.findall("'(.*?)'", expected)) if kind == "literal_error" else ""
        quotes = _QUOTES if kind == "string_type" and isinstance(given, bool | int | float) else ""
        return self.problem(place, f"found {shown_value(given)}{close}{quotes}, expected {expected}")

    def _found(self, place: Place) -> tuple[str, str]:
        """Return the file and line of a value, or of what holds it, and the last key that leads there."""
        value, where, name = self.content, f"{self.path}:1", ""
        for step in place:
            if isinstance(value, PositionedList) and isinstance(step, str) and step in value:
                step = value.index(step)  # a list that stands for a mapping has its names as values
            if isinstance(value, Positioned) and step in value.places:
                value, where = value[step], value.places[step]  # type: ignore[index]
                name = step if isinstance(step, str) else name
        return where, name


def schema_text(model: type[BaseModel], title: str) -> str:
    """Return the JSON Schema (draft 2020-12) of files of a model as text."""
    schema = {
        "$schema": GenerateJsonSchema.schema_dialect,
        **model.model_json_schema(schema_generator=_Untitled),
        "title": title,
    }
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


class _Untitled(GenerateJsonSchema):
    """Leaves out titles of keys, which say nothing that the keys do not."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        """Return that none is."""
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
