"""Results that are frozen dataclasses as documents that JSON can hold, and back: figures keep every bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

import numpy as np

from jperrant.core.errors import InputError

#: Only classes of these rooms are made from documents, whatever a file says.
_HOME = "jperrant.evaluation."


def document_of(value: Any) -> Any:
    """Return a value as a document: dataclasses with the name of their class, arrays, mappings, lists."""
    if is_dataclass(value) and not isinstance(value, type):
        kind = type(value)
        content = {field.name: document_of(getattr(value, field.name)) for field in fields(value)}
        return {"class": f"{kind.__module__}:{kind.__qualname__}", "fields": content}
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "shape": list(value.shape), "type": str(value.dtype)}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {"mapping": [[document_of(key), document_of(one)] for key, one in value.items()]}
    if isinstance(value, list | tuple):
        return [document_of(one) for one in value]
    return value


def value_of(document: Any) -> Any:
    """Return the value of a document; lists are tuples.

    Raises:
        InputError: It names a class that is not a result.
    """
    if isinstance(document, list):
        return tuple(value_of(one) for one in document)
    if not isinstance(document, dict):
        return document
    if "array" in document:
        return np.array(document["array"], dtype=document["type"]).reshape(document["shape"])
    if "mapping" in document:
        return {value_of(key): value_of(one) for key, one in document["mapping"]}
    module, _, name = document["class"].partition(":")
    kind = getattr(import_module(module), name, None) if module.startswith(_HOME) else None
    if not isinstance(kind, type) or not is_dataclass(kind):
        raise InputError(f"{document['class']}: cannot be read as a result of a study")
    return kind(**{field: value_of(one) for field, one in document["fields"].items()})
