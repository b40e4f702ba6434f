"""The examples of a pack: pairs of sentences with the edits its rules must find in them.

A sentence is a string of tokens separated by white space, or a list of tokens with their analysis: mappings
``{form, lemma, upos, xpos, feats, deprel, head}``, or short ``form/UPOS/lemma/FEATS/XPOS/deprel/head`` where parts
may be empty and later ones left out. An edit is ``[start, end, correction, type]``, with a list of further types
that would do in the fifth place. A near miss gives ``never`` instead of, or besides, ``edits``: types that no
edit of the pair must have. ``known`` lists the words that count as known in an example, whichever dictionaries are
installed. With ``given: true`` the edits are typed where they stand, as those of an M2 file are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias

from pydantic import (
    BeforeValidator,
    Field,
    PlainValidator,
    PrivateAttr,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
    model_validator,
)

from jperrant.core.edits import place
from jperrant.core.errors import PackError
from jperrant.core.values import Edit, Sentence, Span, Token
from jperrant.edits.values import PositionedDict, position_of
from jperrant.packs.yaml_file import Expected, Keys, Problem, Switch, Whole, YamlFile

_SHORT = ("form", "upos", "lemma", "feats", "xpos", "deprel", "head")
#: Digits of the longest number that is read.
_LONGEST_HEAD = 9

_String: TypeAlias = Annotated[str, Field(strict=True)]
_LISTS = {"type": "array", "items": {"type": ["string", "object"]}}


class _Token(Keys):
    """A token with as much analysis as the example gives."""

    form: Annotated[_String, Field(pattern=r"^\S+$")]
    lemma: _String = ""
    upos: _String = ""
    xpos: _String = ""
    feats: _String = ""
    deprel: _String = ""
    head: Whole | None = None

    @model_validator(mode="before")
    @classmethod
    def _long(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        parts = value.split("/")
        if len(parts) > len(_SHORT):
            raise ValueError(
                f"found {value!r}, expected {'/'.join(_SHORT)}; write a token that contains a slash as a mapping"
            )
        token: dict[str, Any] = dict(zip(_SHORT, parts, strict=False))
        if head := token.pop("head", ""):
            if not head.isdecimal() or len(head) > _LONGEST_HEAD:
                raise ValueError(f"found head {head[:_LONGEST_HEAD]!r}, expected the number of a token")
            token["head"] = int(head)
        return token


_TOKENS = TypeAdapter(list[_Token])


def analysed(text: str, where: str) -> Sentence:
    """Return a sentence of tokens in the short form, separated by white space.

    Raises:
        PackError: A token is not in that form; ``where`` is what the message calls the sentence.
    """
    try:
        return _sentence(text.split())
    except ValidationError as error:
        [problem, *_] = error.errors()
        raise PackError(f"{where}: {problem.get('ctx', {}).get('error', problem['msg'])}") from None
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
        raise ValueError(f"found {value!r}, expected a string or a list of tokens")
    tokens, offset = [], 0
    for entry in _TOKENS.validate_python(value):
        if entry.head is not None and entry.head > len(value):
            raise ValueError(
                f"found head {entry.head}, expected the number of a token, from 1 to {len(value)}, or 0 for the "
                "root"
            )
        token = entry.model_dump(exclude_unset=True)
        tokens.append(Token(**token, start=offset, end=offset + len(entry.form)))
        offset += len(entry.form) + 1
    return Sentence(tuple(tokens), " ".join(t.form for t in tokens))


_Sentence: TypeAlias = Annotated[
    Sentence, PlainValidator(_sentence), WithJsonSchema({"anyOf": [{"type": "string"}, _LISTS]})
]


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
    correction: Annotated[
        tuple[str, ...],
        BeforeValidator(lambda text: text.split() if isinstance(text, str) else text),
        WithJsonSchema({"type": "string"}),
    ]
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


_ExpectedEdit: TypeAlias = Annotated[
    ExpectedEdit, Expected("[start, end, correction, type], or a list of other types behind them")
]


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
    edits: tuple[_ExpectedEdit, ...] = ()
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


def read_examples(value: object, file: Path) -> tuple[tuple[Example, ...], list[Problem]]:
    """Return the key ``examples`` of a pack, and everything that is wrong with it; then there are none.

    Args:
        value: Its value.
        file: Where it stands.
    """
    content = PositionedDict(f"{file}:1")
    content["examples"], content.places["examples"] = value, position_of(value) or content.place
    read, problems = YamlFile(file, content).checked(_Examples)
    examples = read.examples if read is not None else ()
    for number, example in enumerate(examples):
        example._place = position_of(value, number)
    return examples, problems
