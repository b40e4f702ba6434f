"""The values that all parts of jperrant exchange: immutable, without I/O, small enough to hold in millions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple, TypeVar

from jperrant.core.display import shorten, shown
from jperrant.core.errors import InputError
from jperrant.core.messages import plural

T = TypeVar("T", "Edit", "Block")
#: ERRANT's type for an edit that marks an error without correcting it.
UNKNOWN = "UNK"
#: Types of edits that mark an error and propose no correction (ERRANT's ``UNK``, NUCLE's ``Um``).
DETECTION_TYPES = frozenset({UNKNOWN, "Um"})
SEPARATOR = "|||"
NONE = "-NONE-"
NOOP = "noop"
#: Most digits of an annotator's number.
ANNOTATOR_DIGITS = 9
# ``||`` separates alternatives; between spaces it is a token of the text.
_ALTERNATIVES = re.compile(r"(?<=\S)\|\||\|\|(?=\S)")
_SURROGATE = re.compile("[\ud800-\udfff]")
#: The universal part-of-speech tags. Source: Universal Dependencies 2.
UPOS = frozenset(["ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN",
                  "PUNCT", "SCONJ", "SYM", "VERB", "X"])  # fmt: skip
#: The set of labels used unless another one is asked for: the pack's own.
DEFAULT_LABELS = "pack"
#: Most tokens and types that ``repr`` shows of a value.
TOKENS_SHOWN, TYPES_SHOWN = 30, 8


class Token(NamedTuple):
    """One token and its analysis.

    Attributes:
        form: The text of the token; not empty, no white space.
        lemma, upos, xpos, deprel: As in CoNLL-U; an empty string where unknown.
        feats: Morphological features as in CoNLL-U (``Case=Nom|Number=Sing``); empty where there are none.
        head: 1-based position of the head in the same sentence, 0 for a root, None where not parsed.
        start, end: Character offsets into the text of the sentence, half-open.
        words: The syntactic words of a multi-word token whose form they do not spell (German ``zum``: ``zu``,
            ``dem``); empty for all other tokens. ``jperrant.core.conllu`` describes the analysis of such a
            token.
    """

    form: str
    lemma: str = ""
    upos: str = ""
    xpos: str = ""
    feats: str = ""
    head: int | None = None
    deprel: str = ""
    start: int = 0
    end: int = 0
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens over a text.

    Attributes:
        tokens: The tokens in order; ``text[t.start:t.end] == t.form`` for each.
        text: The text the tokens were cut from. Without white space it equals the joined forms.
        id: Name of the sentence in its file, if it has one.
    """

    tokens: tuple[Token, ...]
    text: str
    id: str = ""

    @classmethod
    def from_forms(cls, forms: Iterable[str], id: str = "") -> Sentence:
        """Make a sentence from forms alone; its text joins them by single spaces."""
        tokens, offset = [], 0
        for form in forms:
            tokens.append(Token(form, start=offset, end=offset + len(form)))
            offset += len(form) + 1
        return cls(tuple(tokens), " ".join(t.form for t in tokens), id)

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms of the tokens."""
        return tuple([t.form for t in self.tokens])

    @property
    def tagged(self) -> bool:
        """Whether every token has a universal part-of-speech tag."""
        return all(t.upos for t in self.tokens)

    @property
    def parsed(self) -> bool:
        """Whether every token has a head."""
        return all(t.head is not None for t in self.tokens)

    def __repr__(self) -> str:
        name = f" {shown(self.id)}" if self.id else ""
        return f"<Sentence{name} {shorten(self.text)}: {plural(len(self.tokens), 'token')}>"

    def __str__(self) -> str:
        return self.text


class Span(NamedTuple):
    """The tokens of one edit on both sides, as half-open ranges of source and target."""

    start: int
    end: int
    target_start: int
    target_end: int


class Parallel(NamedTuple):
    """A source sentence and its corrections, one by each annotator; the input of annotation."""

    source: Sentence
    corrections: tuple[Sentence, ...]

    def __repr__(self) -> str:
        return f"<Parallel {shorten(self.source.text)}: {plural(len(self.corrections), 'correction')}>"


@dataclass(frozen=True, slots=True)
class Edit:
    """One correction of a stretch of source tokens.

    Attributes:
        start, end: Half-open range of source tokens; equal for an insertion.
        correction: The tokens that replace the range; empty for a deletion; None where the edit marks an
            error without proposing a correction (written ``-NONE-``).
        type: ``M:``, ``U:`` or ``R:`` and a label of the language pack, or ``UNK``.
        detail: Free detail about the type; not part of M2.
        alternatives: Further corrections of the same range (M2's ``||``).

    Raises:
        InputError: The correction is neither a tuple nor None, such as one string, which would count as its
            characters.
    """

    start: int
    end: int
    correction: tuple[str, ...] | None
    type: str
    detail: str = ""
    alternatives: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        if self.correction is not None and not isinstance(self.correction, tuple):
            raise InputError(f"found the correction {shown(self.correction)}, expected a tuple of tokens")

    @property
    def is_detection(self) -> bool:
        """Whether the edit only marks an error, so that applying it changes nothing."""
        return self.correction is None or self.type in DETECTION_TYPES

    def to_dict(self) -> dict[str, Any]:
        """Return the edit as a plain dict, ready for JSON, without empty ``detail`` and ``alternatives``."""
        correction = None if self.correction is None else list(self.correction)
        record = {"start": self.start, "end": self.end, "type": self.type, "correction": correction}
        others = {"detail": self.detail, "alternatives": [list(tokens) for tokens in self.alternatives]}
        return record | {name: value for name, value in others.items() if value}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Edit:
        """Return the edit that ``to_dict`` wrote.

        Raises:
            InputError: A key is missing, or a value has the wrong type.
        """
        return _read(cls, record)


@dataclass(frozen=True, slots=True)
class Annotation:
    """The edits of one annotator to one sentence; no edits means that nothing was changed (noop).

    Edits are sorted by ``(start, end)``; the order of edits with the same span is meaningful.
    """

    annotator: int
    edits: tuple[Edit, ...] = ()

    def __repr__(self) -> str:
        types = f" ({shorten(', '.join([e.type for e in self.edits[:TYPES_SHOWN]]))})" if self.edits else ""
        return f"<Annotation {self.annotator}: {plural(len(self.edits), 'edit')}{types}>"


@dataclass(frozen=True, slots=True)
class Block:
    """A source sentence and its annotations: one block of an M2 file.

    Raises:
        InputError: The source is not a tuple, such as one string, which would count as its characters.
    """

    source: tuple[str, ...]
    annotations: tuple[Annotation, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.source, tuple):
            raise InputError(f"found the source {shown(self.source)}, expected a tuple of tokens")

    def annotation(self, annotator: int) -> Annotation | None:
        """Return the annotation of one annotator, or None if that annotator has none here."""
        return next((a for a in self.annotations if a.annotator == annotator), None)

    def __repr__(self) -> str:
        edits = sum(len(annotation.edits) for annotation in self.annotations)
        counts = f"{plural(len(self.annotations), 'annotator')}, {plural(edits, 'edit')}"
        return f"<Block {shorten(' '.join(self.source[:TOKENS_SHOWN]))}: {counts}>"

    def __str__(self) -> str:
        """Return the block as M2 text, or as ``repr`` does if M2 cannot hold it."""
        try:
            return format_block(self)
        except InputError:
            return repr(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the block as plain lists and dicts, ready for JSON; ``from_dict`` reads it.

        >>> Block(("a", "b"), (Annotation(0, (Edit(1, 2, ("c",), "R:OTHER"),)),)).to_dict()["annotations"]
        [{'annotator': 0, 'edits': [{'start': 1, 'end': 2, 'type': 'R:OTHER', 'correction': ['c']}]}]
        """
        rows = [{"annotator": a.annotator, "edits": [e.to_dict() for e in a.edits]} for a in self.annotations]
        return {"source": list(self.source), "annotations": rows}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Block:
        """Return the block that ``to_dict`` wrote.

        Raises:
            InputError: A key is missing, or a value has the wrong type.
        """
        return _read(cls, record)


def _read(kind: type[T], record: Mapping[str, Any]) -> T:
    """Return the value that ``to_dict`` wrote."""
    import json  # not needed for scoring files

    from pydantic import TypeAdapter, ValidationError

    name = kind.__name__
    try:
        value = TypeAdapter(kind).validate_python(record)
    except ValidationError as error:
        wrong = error.errors()[0]
        problem = f"{'.'.join(map(str, wrong['loc']))!r} is invalid ({wrong['msg']})"
    else:
        written = [json.dumps(one, sort_keys=True, default=str) for one in (value.to_dict(), record)]
        if written[0] == written[1]:
            return value
        problem = f"found {shorten(written[1])}, expected {shorten(written[0])}"
    raise InputError(f"{name.lower()}: {problem}; give what {name}.to_dict returns")


# A block as M2 text; jperrant.io.m2 reads and writes files of them.


def format_block(block: Block) -> str:
    """Return a block as M2 text, ending in a blank line.

    Raises:
        InputError: A token or type cannot be written in M2; the message names it.
    """
    try:
        lines = [line_of(map(_writable, block.source))]
        for annotation in block.annotations:
            lines += _lines_of(annotation, len(block.source))
        text = "\n".join(lines) + "\n\n"
        if not text.isascii() and _SURROGATE.search(text):
            raise InputError("found half of a surrogate pair, which UTF-8 cannot encode; remove it")
    except InputError as problem:
        raise InputError(f"{problem} (in the sentence {shorten(' '.join(block.source))})") from None
    return text


def _lines_of(annotation: Annotation, tokens: int) -> list[str]:
    """Return the A lines of an annotator for a sentence of that many tokens."""
    if not 0 <= annotation.annotator < 10**ANNOTATOR_DIGITS:
        raise InputError(f"annotator {annotation.annotator}: expected 0 to {10**ANNOTATOR_DIGITS - 1}")
    tail = f"|||REQUIRED|||{NONE}|||{annotation.annotator}"
    lines = [] if annotation.edits else [f"A -1 -1|||{NOOP}|||{NONE}{tail}"]
    for edit in annotation.edits:
        if not 0 <= edit.start <= edit.end <= tokens:
            raise InputError(f"edit {edit.start} {edit.end} reaches outside its sentence")
        lines.append(f"A {edit.start} {edit.end}|||{_type(edit.type)}|||{_correction(edit)}{tail}")
    return lines


def line_of(tokens: Iterable[str]) -> str:
    """Return the S line of some tokens; an empty sentence is a bare ``S``."""
    return " ".join(("S", *tokens))


def _type(name: str) -> str:
    if name in ("", NOOP) or SEPARATOR in name or "\n" in name or name != name.strip() or name.endswith("|"):
        raise InputError(
            f"error type {shorten(name)} cannot be written in M2: expected text other than 'noop', without "
            "'|||', line breaks, spaces around it, or a final '|'"
        )
    return name


def _correction(edit: Edit) -> str:
    if edit.correction is None:
        if edit.type not in DETECTION_TYPES:
            may = f"in M2 only {' and '.join(sorted(DETECTION_TYPES))} may lack one"
            raise InputError(f"edit {edit.start} {edit.end} of type {edit.type!r} has no correction; {may}")
        return NONE
    corrections = (edit.correction, *edit.alternatives)
    text = "||".join([" ".join(map(_writable, tokens)) for tokens in corrections])
    if text == NONE:
        raise InputError(f"the correction {NONE} cannot be written: it means a deletion in M2")
    if "||" in text and (SEPARATOR in text or alternatives_of(text) != corrections):
        raise InputError(
            f"the correction {shorten(text)} cannot be written: '||' separates alternatives in M2"
        )
    return text


def alternatives_of(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the corrections in a field, which ``||`` separates, each as tokens."""
    return tuple([tuple(part.split()) for part in _ALTERNATIVES.split(text)])


def _writable(token: str) -> str:
    if SEPARATOR in token:
        raise InputError(f"token {token!r} contains '|||', which separates the fields of M2; replace it")
    if len(token.split()) != 1 or token.strip() != token:
        raise InputError(f"found {token!r} as a token, expected text without white space")
    return token


def on_cycle(heads: Sequence[int | None]) -> int | None:
    """Return the index of a word whose heads lead back to it, or None if every word leads to a root.

    Args:
        heads: 1-based index of each word's head, 0 for a root, None for an unknown one.
    """
    try:
        TopologicalSorter({word: [head - 1] for word, head in enumerate(heads) if head}).prepare()
    except CycleError as error:
        return int(min(error.args[1]))
    return None
