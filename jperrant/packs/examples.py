"""The examples of a pack: pairs of sentences with the edits its rules must find in them.

A sentence is a string of tokens separated by white space, or a list of tokens with their analysis: mappings
``{form, lemma, upos, xpos, feats, deprel, head}``, or short ``form/UPOS/lemma/FEATS/XPOS/deprel/head`` where parts
may be empty and later ones left out. An edit is ``[start, end, correction, type]``, with a list of further types
that would do in the fifth place, or a mapping with the keys ``start end correction type also_accept``. A near miss
gives ``never`` instead of, or besides, ``edits``: types that no edit of the pair must have. ``known`` lists the
words that count as known in an example, whichever dictionaries are installed. With ``given: true`` the edits are
typed where they stand, as those of an M2 file are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jperrant.core.errors import PackError, nearest
from jperrant.core.minimise import place
from jperrant.core.values import Edit, Sentence, Span, Token
from jperrant.edits.yaml_position import position_of

_KEYS = ("name", "source", "target", "edits", "never", "known", "given")
#: Digits of the longest number that is read.
_LONGEST_HEAD = 9
_TOKEN_KEYS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "head")
_SHORT = ("form", "upos", "lemma", "feats", "xpos", "deprel", "head")
_EDIT_KEYS = ("start", "end", "correction", "type", "also_accept")


@dataclass(frozen=True, slots=True)
class ExpectedEdit:
    """An edit as an example gives it.

    Attributes:
        start, end: Half-open range of source tokens.
        correction: The tokens that replace it.
        types: The type, and others that would do.
    """

    start: int
    end: int
    correction: tuple[str, ...]
    types: tuple[str, ...]

    def fits(self, edit: Edit) -> bool:
        """Whether an edit is this one."""
        return (edit.start, edit.end, edit.correction) == (self.start, self.end, self.correction) and (
            edit.type in self.types
        )


@dataclass(frozen=True, slots=True)
class Example:
    """A pair of sentences and the edits between them.

    Attributes:
        source, target: The sentences, with as much analysis as the example gives.
        edits: The edits that turn one into the other, in text order.
        name: What the example shows, in words; may be empty.
        never: Types that no edit has.
        near_miss: Whether only ``never`` counts, because the example gives no edits.
        known: The known words, in place of the pack's lexicon and dictionary; None for those.
        given: Whether its edits are typed where they stand, whatever the alignment makes of the pair.
        place: The file and line where it stands; empty where they are not known.
    """

    source: Sentence
    target: Sentence
    edits: tuple[ExpectedEdit, ...]
    name: str = ""
    never: tuple[str, ...] = ()
    near_miss: bool = False
    known: frozenset[str] | None = None
    given: bool = False
    place: str = ""

    def spans(self) -> tuple[Span, ...] | None:
        """Return the spans of its edits where they are given; None where they are to be looked for."""
        edits = [Edit(edit.start, edit.end, edit.correction, edit.types[0]) for edit in self.edits]
        return tuple(place(edits)) if self.given else None


def read_examples(value: object, file: str = "") -> tuple[Example, ...]:
    """Read the key ``examples`` of a pack.

    Args:
        value: Its value.
        file: Where it stands, for errors.

    Raises:
        PackError: It is not in its format; the message names the place.
    """
    examples = []
    for example in _each(value, file):
        if isinstance(example, PackError):
            raise example
        examples.append(example)
    return tuple(examples)


def wrong_examples(value: object, file: str = "") -> list[str]:
    """Return what is wrong with the key ``examples`` of a pack, one line for each example that is.

    Args:
        value, file: As in ``read_examples``.
    """
    return [str(example) for example in _each(value, file) if isinstance(example, PackError)]


def _each(value: object, file: str) -> Iterator[Example | PackError]:
    """Yield each example, or what is wrong with it."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        yield PackError(f"{file}: examples: found {value!r}, expected a list".removeprefix(": "))
        return
    for n, example in enumerate(value):
        place = position_of(example) or file
        try:
            yield replace(_example(example, f"examples[{n}]"), place=place)
        except PackError as error:
            yield PackError(f"{place}: {error}".removeprefix(": "))


def _example(value: object, where: str) -> Example:
    keys = _mapping(value, where, _KEYS, needed=("source", "target"))
    if "edits" not in keys and "never" not in keys:
        raise PackError(f"{where}: found neither edits nor never; add edits, or never for a near miss")
    edits, never = keys.get("edits", []), keys.get("never", [])
    if not isinstance(edits, list):
        raise PackError(f"{where}.edits: found {edits!r}, expected a list")
    if not isinstance(never, list) or not all(isinstance(type_, str) for type_ in never):
        raise PackError(f"{where}.never: found {never!r}, expected a list of types")
    known, given = keys.get("known"), keys.get("given", False)
    if known is not None and not (isinstance(known, list) and all(isinstance(word, str) for word in known)):
        raise PackError(f"{where}.known: found {known!r}, expected a list of words")
    if not isinstance(given, bool) or (given and not edits):
        raise PackError(f"{where}.given: found {given!r}, expected true together with edits")
    return Example(
        read_sentence(keys["source"], f"{where}.source"),
        read_sentence(keys["target"], f"{where}.target"),
        tuple([_edit(edit, f"{where}.edits[{n}]") for n, edit in enumerate(edits)]),
        str(keys.get("name", "")),
        tuple(never),
        "edits" not in keys,
        None if known is None else frozenset(known),
        given,
    )


def read_sentence(value: object, where: str) -> Sentence:
    """Return a sentence of an example: tokens in a string, or a list of tokens with their analysis.

    Raises:
        PackError: It is neither; names the place.
    """
    if isinstance(value, str):
        return Sentence.from_forms(value.split())
    if not isinstance(value, list):
        raise PackError(f"{where}: found {value!r}, expected a string or a list of tokens")
    tokens, offset = [], 0
    for n, entry in enumerate(value):
        token = _token(entry, f"{where}[{n}]")
        form = token.pop("form")
        head = token.get("head")
        if head is not None and not 0 <= head <= len(value):
            raise PackError(
                f"{where}[{n}]: found head {head}, expected the number of a token, from 1 to {len(value)}, or 0 "
                "for the root"
            )
        tokens.append(Token(form, **token, start=offset, end=offset + len(form)))
        offset += len(form) + 1
    return Sentence(tuple(tokens), " ".join(t.form for t in tokens))


def _token(value: object, where: str) -> dict[str, Any]:
    if isinstance(value, str):
        parts = value.split("/")
        if len(parts) > len(_SHORT) or not parts[0]:
            raise PackError(
                f"{where}: found {value!r}, expected {'/'.join(_SHORT)}; write a token that contains a slash as "
                "a mapping"
            )
        token: dict[str, Any] = dict(zip(_SHORT, parts, strict=False))
        if head := token.pop("head", ""):
            if not head.isdecimal() or len(head) > _LONGEST_HEAD:
                raise PackError(
                    f"{where}: found head {head[:_LONGEST_HEAD]!r}, expected the number of a token"
                )
            token["head"] = int(head)
        return token
    token = dict(_mapping(value, where, _TOKEN_KEYS, needed=("form",)))
    for key, part in token.items():
        if not isinstance(part, int if key == "head" else str) or isinstance(part, bool):
            raise PackError(f"{where}.{key}: found {part!r} (put names and numbers that are text in quotes)")
    if not token["form"] or any(c.isspace() for c in token["form"]):
        raise PackError(f"{where}.form: found {token['form']!r}, expected text without white space")
    return token


def _edit(value: object, where: str) -> ExpectedEdit:
    if isinstance(value, list) and 4 <= len(value) <= 5:
        keys: Mapping[str, Any] = dict(zip(_EDIT_KEYS, value, strict=False))
    elif isinstance(value, Mapping):
        keys = _mapping(value, where, _EDIT_KEYS, needed=_EDIT_KEYS[:4])
    else:
        raise PackError(f"{where}: found {value!r}, expected [{', '.join(_EDIT_KEYS[:4])}]")
    start, end, correction, type_, others = (*(keys[k] for k in _EDIT_KEYS[:4]), keys.get("also_accept", []))
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start <= end:
        raise PackError(f"{where}: found {start!r} and {end!r}, expected a range of tokens")
    if not isinstance(correction, str) or not isinstance(type_, str):
        raise PackError(f"{where}: found correction {correction!r} and type {type_!r}, expected strings")
    if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
        raise PackError(f"{where}.also_accept: found {others!r}, expected a list of types")
    return ExpectedEdit(start, end, tuple(correction.split()), (type_, *others))


def _mapping(value: object, where: str, known: Sequence[str], needed: Sequence[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise PackError(f"{where}: found {value!r}, expected a mapping")
    for key in value:
        if key not in known:
            raise PackError(
                f"{where}: unknown key {key!r}{nearest(str(key), known)}; expected one of {', '.join(known)}"
            )
    for key in needed:
        if key not in value:
            raise PackError(f"{where}: the key {key!r} is missing")
    return value
