"""The inputs and outputs of the networks, and the relations that words of each UPOS tag can have.

The table of relations is a file beside the parser's model, and the parser gives no other relation. Rules that
test a relation can therefore often be decided without a parse: an English verb is never a determiner. A parser
without a table may give any relation to any word.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from jperrant.core.errors import CorruptModelError
from jperrant.core.tables import one_line


class SurfaceToken(NamedTuple):
    """A token in a text: its half-open range of characters, and its words if it is a multi-word token."""

    start: int
    end: int
    words: tuple[str, ...] = ()


class Tags(NamedTuple):
    """The tags of a word; a missing tag is an empty string."""

    upos: str
    xpos: str
    feats: str


class Word(NamedTuple):
    """A word with its lemma and tags; a missing one is an empty string."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str


class Arc(NamedTuple):
    """The head of a word, 0 for the root, and the relation to it."""

    head: int
    deprel: str


RelationClasses = Mapping[str, frozenset[str]]
"""The relations that words of each UPOS tag can have; a missing tag allows any."""
_CLASSES = TypeAdapter(dict[str, frozenset[str]])


def relation_file(model: Path) -> Path:
    """Return the path of the relation table of a parser's model."""
    return model.with_suffix(".relations.json")


def read_relation_classes(model: Path) -> RelationClasses:
    """Read the relation table of a parser's model; empty if the model has none.

    Raises:
        CorruptModelError: The file cannot be read or is malformed.
    """
    path = relation_file(model)
    try:
        stored = json.loads(path.read_bytes()) if path.is_file() else {}
        return _CLASSES.validate_python(stored)
    except (OSError, ValueError, RecursionError) as error:
        raise CorruptModelError(
            f"{path} cannot be read ({one_line(str(error))}); download it again"
        ) from None
