"""The examples of a pack: pairs of sentences with the edits its rules must find in them.

A sentence is a string of tokens separated by white space, or a list of tokens with their analysis,
``form/UPOS/lemma/FEATS/XPOS/deprel/head``, where parts may be empty and later ones left out; a slash inside a
part is written ``\\/``. An edit is ``[start, end, correction, type]``, with a list of further types that would do
in the fifth place. A near miss gives ``never`` instead of, or besides, ``edits``: types that no edit of the pair
must have. ``known`` lists the words that count as known in an example, whichever dictionaries are installed. With
``given: true`` the edits are typed where they stand, as those of an M2 file are.
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import BeforeValidator, Field, PlainValidator, PrivateAttr, WithJsonSchema, model_validator

from jperrant.core.edits import place
from jperrant.core.errors import PackError
from jperrant.core.values import Edit, Sentence, Span, Token
from jperrant.edits.values import PositionedDict, position_of
from jperrant.packs.discovery import FILE
from jperrant.packs.read import PackData
from jperrant.packs.yaml_file import Keys, Problem, Switch, Whole, YamlFile, expecting, read_yaml, shown_value

_PARTS = ("form", "upos", "lemma", "feats", "xpos", "deprel", "head")
_SLASH = re.compile(r"(?<!\\)/")
_String: TypeAlias = Annotated[str, Field(strict=True)]


def analysed(text: str, where: str) -> Sentence:
    """Return a sentence of tokens with their analysis, separated by white space.

    Raises:
        PackError: A token is not in that form; ``where`` is what the message calls the sentence.
    """
    try:
        return _sentence(text.split())
    except ValueError as error:
        raise PackError(f"{where}: {error}") from None


def _sentence(value: object) -> Sentence:
    """Return a sentence of an example: tokens in a string, or a list of tokens with their analysis.

    Raises:
        ValueError: It is neither.
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
    """Return a token of a sentence of so many."""
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
    """An edit as an example gives it.

    Attributes:
        start, end: Half-open range of source tokens.
        correction: The tokens that replace it.
        type: The type.
        also_accept: Other types that would do.
    """

    start: Whole
    end: Whole
    correction: Annotated[tuple[str, ...], _SPLIT, WithJsonSchema({"type": "string"})]
    type: _String
    also_accept: tuple[_String, ...] = ()

    @property
    def types(self) -> tuple[str, ...]:
        """The type, and others that would do."""
        return (self.type, *self.also_accept)

    def fits(self, edit: Edit) -> bool:
        """Whether an edit is this one."""
        same = (edit.start, edit.end, edit.correction) == (self.start, self.end, self.correction)
        return same and edit.type in self.types


_EDIT = "[start, end, correction, type], or a list of other types behind them"
_Edit: TypeAlias = Annotated[ExpectedEdit, expecting(_EDIT)]


class Example(Keys):
    """A pair of sentences and the edits between them.

    Attributes:
        name: What the example shows, in words.
        source, target: The sentences, with as much analysis as the example gives.
        edits: The edits that turn one into the other, in text order.
        never: Types that no edit has.
        known: The known words, in place of the pack's lexicon and dictionary.
        given: Whether its edits are typed where they stand, whatever the alignment makes of the pair.
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
        """Whether only ``never`` counts, because the example gives no edits."""
        return "edits" not in self.model_fields_set

    @property
    def place(self) -> str:
        """The file and line where it stands; empty where they are not known."""
        return self._place

    def spans(self) -> tuple[Span, ...]:
        """Return the spans of its edits."""
        return place([Edit(edit.start, edit.end, edit.correction, edit.type) for edit in self.edits])


class _Examples(Keys):
    examples: tuple[Example, ...]


def examples_of(pack: PackData) -> tuple[tuple[Example, ...], list[Problem]]:
    """Return the examples of a pack, and everything that is wrong with them; if anything is, there are none.

    They stand in pack.yaml, or in the file that it names.

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
