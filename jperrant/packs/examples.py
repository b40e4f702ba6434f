"""The examples of a pack: pairs of sentences with the edits that its rules must produce.

A sentence is a string of tokens separated by white space, or a list of analysed tokens,
``form/UPOS/lemma/FEATS/XPOS/deprel/head``. Parts may be empty, and the last ones left out; a slash inside a
part is written ``\\/``. An edit is ``[start, end, correction, type]``, with an optional fifth entry: a list of
other accepted types. ``never`` lists types that no edit of the pair may have; an example with ``never`` instead
of ``edits`` is a near miss. ``known`` lists the words that count as known, whichever dictionaries are
installed. With ``given: true`` the listed edits are classified as they are, like those of an M2 file, instead
of being extracted from the pair.
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import BeforeValidator, Field, PlainValidator, PrivateAttr, WithJsonSchema, model_validator

from jperrant.core.edits import place
from jperrant.core.errors import PackError
from jperrant.core.values import Edit, Sentence, Span, Token
from jperrant.edits.rule_parts import PositionedDict, position_of
from jperrant.packs.discovery import FILE
from jperrant.packs.read import PackData
from jperrant.packs.yaml_file import Keys, Problem, Switch, Whole, YamlFile, expecting, read_yaml, shown_value

_PARTS = ("form", "upos", "lemma", "feats", "xpos", "deprel", "head")
_SLASH = re.compile(r"(?<!\\)/")
_String: TypeAlias = Annotated[str, Field(strict=True)]


def analysed(text: str, where: str) -> Sentence:
    """Parse a text of analysed tokens, separated by white space, into a sentence.

    Raises:
        PackError: A token is malformed; the message calls the sentence ``where``.
    """
    try:
        return _sentence(text.split())
    except ValueError as error:
        raise PackError(f"{where}: {error}") from None


def _sentence(value: object) -> Sentence:
    """Parse a sentence of an example: a string of tokens, or a list of analysed tokens.

    Raises:
        ValueError: The value is neither, or a token is malformed.
    """
    if isinstance(value, str):
        return Sentence.from_forms(value.split())
    if not isinstance(value, list):
        raise ValueError(f"found {shown_value(value)}, expected a string or a list of tokens")
    tokens, offset = [], 0
    for written in value:
        token = _token(written, len(value))
        tokens.append(token._replace(start=offset, end=offset + len(token.form)))
        offset += len(token.form) + 1
    return Sentence(tuple(tokens), " ".join(t.form for t in tokens))


def _token(written: object, size: int) -> Token:
    """Parse an analysed token of a sentence with ``size`` tokens."""
    parts = _SLASH.split(written) if isinstance(written, str) else []
    given = {name: part.replace("\\/", "/") for name, part in zip(_PARTS, parts, strict=False) if part}
    if len(parts) > len(_PARTS) or not re.fullmatch(r"\S+", given.get("form", "")):
        expected = f"{'/'.join(_PARTS)} (\\/ is a slash inside a part)"
        raise ValueError(f"found {shown_value(written)}, expected {expected}")
    head = given.pop("head", "")
    if head and head not in map(str, range(size + 1)):
        number = f"the number of a token, from 1 to {size}, or 0 for the root"
        raise ValueError(f"found head {shown_value(head)}, expected {number}")
    return Token(**given, head=int(head) if head else None)  # type: ignore[arg-type]


_SENTENCE = {"type": ["string", "array"], "items": {"type": "string"}}
_Sentence: TypeAlias = Annotated[Sentence, PlainValidator(_sentence), WithJsonSchema(_SENTENCE)]
_SPLIT = BeforeValidator(lambda text: text.split() if isinstance(text, str) else text)


class ExpectedEdit(NamedTuple):
    """An edit that an example expects.

    Attributes:
        start, end: Half-open range of source tokens.
        correction: The tokens that replace the range.
        type: The type.
        also_accept: Other accepted types.
    """

    start: Whole
    end: Whole
    correction: Annotated[tuple[str, ...], _SPLIT, WithJsonSchema({"type": "string"})]
    type: _String
    also_accept: tuple[_String, ...] = ()

    @property
    def types(self) -> tuple[str, ...]:
        """All accepted types, the expected one first."""
        return (self.type, *self.also_accept)

    def fits(self, edit: Edit) -> bool:
        """Whether an edit has the same range and correction and an accepted type."""
        same = (edit.start, edit.end, edit.correction) == (self.start, self.end, self.correction)
        return same and edit.type in self.types


_EDIT = "[start, end, correction, type], with an optional list of other types"
_Edit: TypeAlias = Annotated[ExpectedEdit, expecting(_EDIT)]


class Example(Keys):
    """A pair of sentences and the edits expected between them.

    Attributes:
        name: A short description of the example.
        source, target: The sentences, with as much analysis as the example gives.
        edits: The edits that turn the source into the target, in text order.
        never: Types that no edit may have.
        known: Words that count as known, instead of those of the pack's lexicon and dictionary.
        given: Whether the listed edits are classified as they are, without aligning the pair.
    """

    name: _String = ""
    source: _Sentence
    target: _Sentence
    edits: tuple[_Edit, ...] = ()
    never: tuple[_String, ...] = ()
    known: frozenset[_String] | None = None
    given: Switch = False
    _place: str = PrivateAttr("")

    @model_validator(mode="after")
    def _complete(self) -> Example:
        if not {"edits", "never"} & self.model_fields_set:
            raise ValueError("found neither edits nor never; add edits, or never for a near miss")
        if self.given and not self.edits:
            raise ValueError("given: found true, expected it together with edits")
        return self

    @property
    def near_miss(self) -> bool:
        """Whether the example lists only types that must not occur."""
        return "edits" not in self.model_fields_set

    @property
    def place(self) -> str:
        """The file and line of the example; empty if unknown."""
        return self._place

    def spans(self) -> tuple[Span, ...]:
        """Return the spans of the expected edits."""
        return place([Edit(edit.start, edit.end, edit.correction, edit.type) for edit in self.edits])


class _Examples(Keys):
    examples: tuple[Example, ...]


def examples_of(pack: PackData) -> tuple[tuple[Example, ...], list[Problem]]:
    """Return the examples of a pack and their errors; if there are errors, no examples are returned.

    The examples are in pack.yaml or in a file that it names.

    Raises:
        InputError: The file cannot be read.
    """
    value, file = pack.keys.examples, pack.folder / FILE
    if isinstance(value, str):
        file = pack.folder / value
        value = read_yaml(file)
    content = PositionedDict(f"{file}:1")
    content["examples"], content.places["examples"] = value, position_of(value) or content.place
    read, problems = YamlFile(file, content).checked(_Examples)
    examples = read.examples if read is not None else ()
    for number, example in enumerate(examples):
        example._place = position_of(value, number)
    return examples, problems
