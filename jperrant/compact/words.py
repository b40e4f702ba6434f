"""Words as input of networks, their tags as output, and the relations that a class of words can have.

The parser of a folder keeps to it, so that rules that ask for a relation know the answer for other words without a
parse: an English verb is no determiner. The table lies beside the parser's model; one without a table may give any
relation to any word.
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
    """A token as a tokenizer found it: its place in the text, and the syntactic words it stands for."""

    start: int
    end: int
    words: tuple[str, ...] = ()


class Tags(NamedTuple):
    """The tags of a word; a tag that the word lacks is an empty string."""

    upos: str
    xpos: str
    feats: str


class Word(NamedTuple):
    """A word with its tags; a tag that the word lacks is an empty string."""

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
"""The relations of each UPOS tag; a tag that is missing may have any."""
_CLASSES = TypeAdapter(dict[str, frozenset[str]])


def relation_file(model: Path) -> Path:
    """Return where the table of a parser's model lies."""
    return model.with_suffix(".relations.json")


def read_relation_classes(model: Path) -> RelationClasses:
    """Return the table of a parser's model; an empty one if the model has no table.

    Raises:
        CorruptModelError: The file is not such a table.
    """
    path = relation_file(model)
    try:
        stored = json.loads(path.read_bytes()) if path.is_file() else {}
        return _CLASSES.validate_python(stored)
    except (OSError, ValueError, RecursionError) as error:
        raise CorruptModelError(
            f"{path} cannot be read ({one_line(str(error))}); download it again"
        ) from None
