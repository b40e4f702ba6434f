"""Results as bytes and back: frozen dataclasses, arrays, mappings and lists; figures keep every bit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy as np

from jperrant.core.errors import InputError

#: The key that says what a JSON object stands for, where it is no mapping of texts to values.
_KIND = "@"


def packed(value: Any) -> bytes:
    """Return a value as JSON in bytes."""
    text = json.dumps(_keyed(value), ensure_ascii=False, separators=(",", ":"), default=_document)
    return text.encode("utf-8", "surrogatepass")


def unpacked(content: bytes) -> Any:
    """Return the value of what :func:`packed` returned; lists are tuples.

    Raises:
        InputError: It names a class that is no dataclass of jperrant.
    """
    return _tuples(json.loads(content.decode("utf-8", "surrogatepass"), object_hook=_value))


def _document(value: Any) -> Any:
    """Return what JSON does not know as what it does."""
    if is_dataclass(value):
        kind: Any = type(value)
        content = {one.name: _keyed(getattr(value, one.name)) for one in fields(kind) if one.init}
        return {_KIND: f"{kind.__module__}:{kind.__qualname__}", **content}
    if isinstance(value, np.ndarray):
        return {_KIND: "array", "values": value.tolist(), "shape": value.shape, "type": str(value.dtype)}
    if isinstance(value, Mapping):
        return _keyed(value)
    if isinstance(value, Sequence):
        return list(value)
    return value.item() if isinstance(value, np.generic) else str(value)


def _keyed(value: Any) -> Any:
    """Return a mapping whose keys are no text, which JSON would make some, as pairs; all else as it is."""
    if not isinstance(value, Mapping):
        return value
    if _KIND not in value and all(isinstance(key, str) for key in value):
        return dict(value)
    return {_KIND: "mapping", "items": [[key, _keyed(one)] for key, one in value.items()]}


def _value(document: dict[str, Any]) -> Any:
    kind = document.pop(_KIND, None)
    if kind == "array":
        return np.array(document["values"], dtype=document["type"]).reshape(document["shape"])
    if kind == "mapping":
        return {_tuples(key): _tuples(one) for key, one in document["items"]}
    content = {key: _tuples(one) if type(one) is list else one for key, one in document.items()}
    return content if kind is None else _class(kind)(**content)


def _tuples(value: Any) -> Any:
    """Return lists, and those that begin with lists, as tuples."""
    if type(value) is not list:
        return value
    return tuple(map(_tuples, value)) if value and type(value[0]) is list else tuple(value)


@lru_cache
def _class(name: str) -> type:
    """Return a dataclass of jperrant; no other is made, whatever a file says."""
    module, _, kind = name.partition(":")
    found = getattr(import_module(module), kind, None) if module.startswith("jperrant.") else None
    if not isinstance(found, type) or not is_dataclass(found):
        raise InputError(f"{name}: cannot be read as a result of a study")
    return found
