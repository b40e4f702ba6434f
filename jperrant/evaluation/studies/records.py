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
    return json.dumps(_document(value), ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "surrogatepass"
    )


def unpacked(content: bytes) -> Any:
    """Return the value of what :func:`packed` returned; lists are tuples.

    Raises:
        InputError: It names a class that is no dataclass of jperrant.
    """
    return _value(json.loads(content.decode("utf-8", "surrogatepass")))


def _document(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value.item() if isinstance(value, np.generic) else value
    if is_dataclass(value):
        kind: Any = type(value)
        content = {one.name: _document(getattr(value, one.name)) for one in fields(kind) if one.init}
        return {_KIND: f"{kind.__module__}:{kind.__qualname__}", **content}
    if isinstance(value, np.ndarray):
        return {_KIND: "array", "values": value.tolist(), "shape": value.shape, "type": str(value.dtype)}
    if isinstance(value, Mapping):
        if _KIND not in value and all(isinstance(key, str) for key in value):
            return {key: _document(one) for key, one in value.items()}
        return {_KIND: "mapping", "items": [[_document(key), _document(one)] for key, one in value.items()]}
    if isinstance(value, Sequence):
        return [_document(one) for one in value]
    return value.item() if isinstance(value, np.generic) else str(value)


def _value(document: Any) -> Any:
    if isinstance(document, list):
        return tuple([_value(one) for one in document])
    if not isinstance(document, dict):
        return document
    kind = document.pop(_KIND, None)
    if kind == "array":
        return np.array(document["values"], dtype=document["type"]).reshape(document["shape"])
    if kind == "mapping":
        return {_value(key): _value(one) for key, one in document["items"]}
    content = {key: _value(one) for key, one in document.items()}
    return content if kind is None else _class(kind)(**content)


@lru_cache
def _class(name: str) -> type:
    """Return a dataclass of jperrant; no other is made, whatever a file says."""
    module, _, kind = name.partition(":")
    found = getattr(import_module(module), kind, None) if module.startswith("jperrant.") else None
    if not isinstance(found, type) or not is_dataclass(found):
        raise InputError(f"{name}: cannot be read as a result of a study")
    return found
