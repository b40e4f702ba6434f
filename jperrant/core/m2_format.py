"""One block as M2 text; reading and writing files of them is in ``jperrant.io.m2``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from jperrant.core.display import shorten
from jperrant.core.errors import InputError

#: The type ERRANT writes for an edit it cannot name; such an edit marks an error without correcting it.
UNKNOWN = "UNK"
#: Types of edits that mark an error and propose no correction (ERRANT's ``UNK``, NUCLE's ``Um``).
DETECTION_TYPES = frozenset({UNKNOWN, "Um"})
SEPARATOR = "|||"
NONE = "-NONE-"
NOOP = "noop"
#: Annotators have numbers of at most so many digits.
ANNOTATOR_DIGITS = 9
# ``||`` separates alternatives; standing free between spaces it is a token of the text.
_ALTERNATIVES = re.compile(r"(?<=\S)\|\||\|\|(?=\S)")
_SURROGATE = re.compile("[\ud800-\udfff]")


class EditFields(Protocol):
    """What M2 holds of an edit; :class:`~jperrant.core.values.Edit` has it."""

    @property
    def start(self) -> int:
        """The first source token."""

    @property
    def end(self) -> int:
        """One past the last source token."""

    @property
    def correction(self) -> tuple[str, ...] | None:
        """The tokens that replace the range."""

    @property
    def type(self) -> str:
        """The error type."""

    @property
    def alternatives(self) -> tuple[tuple[str, ...], ...]:
        """Further corrections."""


class AnnotationFields(Protocol):
    """What M2 holds of an annotation."""

    @property
    def annotator(self) -> int:
        """The annotator's number."""

    @property
    def edits(self) -> Sequence[EditFields]:
        """The edits."""


class BlockFields(Protocol):
    """What M2 holds of a block."""

    @property
    def source(self) -> tuple[str, ...]:
        """The source tokens."""

    @property
    def annotations(self) -> Sequence[AnnotationFields]:
        """The annotations."""


def format_block(block: BlockFields) -> str:
    """Return a block as M2 text, ending in a blank line.

    Raises:
        InputError: A token or type cannot be written in M2; the message names it.
    """
    lines = [line_of(_writable(token, block) for token in block.source)]
    for annotation in block.annotations:
        if not 0 <= annotation.annotator < 10**ANNOTATOR_DIGITS:
            raise InputError(
                f"annotator {annotation.annotator}: expected a number from 0 to {10**ANNOTATOR_DIGITS - 1} (in "
                f"{_where(block)})"
            )
        tail = f"REQUIRED{SEPARATOR}{NONE}{SEPARATOR}{annotation.annotator}"
        if not annotation.edits:
            lines.append(f"A -1 -1{SEPARATOR}{NOOP}{SEPARATOR}{NONE}{SEPARATOR}{tail}")
        for edit in annotation.edits:
            if not 0 <= edit.start <= edit.end <= len(block.source):
                raise InputError(f"edit {edit.start} {edit.end} reaches outside {_where(block)}")
            lines.append(
                f"A {edit.start} {edit.end}{SEPARATOR}{_type(edit.type, block)}{SEPARATOR}"
                f"{_correction(edit, block)}{SEPARATOR}{tail}"
            )
    text = "\n".join(lines) + "\n\n"
    if not text.isascii() and _SURROGATE.search(text):
        raise InputError(
            f"found half of a surrogate pair, which UTF-8 cannot encode; remove it (in {_where(block)})"
        )
    return text


def line_of(tokens: Iterable[str]) -> str:
    """Return the S line of some tokens; an empty sentence is a bare ``S``."""
    return " ".join(("S", *tokens))


def _type(name: str, block: BlockFields) -> str:
    if (
        SEPARATOR in name
        or "\n" in name
        or not name
        or name != name.strip()
        or name.endswith("|")
        or name == NOOP
    ):
        raise InputError(
            f"error type {shorten(name)} cannot be written in M2: expected text other than 'noop', without "
            "'|||', line breaks, spaces around it, or a final '|' "
            f"(in {_where(block)})"
        )
    return name


def _correction(edit: EditFields, block: BlockFields) -> str:
    if edit.correction is None:
        if edit.type not in DETECTION_TYPES:
            raise InputError(
                f"edit {edit.start} {edit.end} of type {edit.type!r} has no correction; in M2 only "
                f"{' and '.join(sorted(DETECTION_TYPES))} may lack one (in {_where(block)})"
            )
        return NONE
    corrections = (edit.correction, *edit.alternatives)
    text = "||".join([" ".join([_writable(t, block) for t in c]) for c in corrections])
    if text == NONE:
        raise InputError(
            f"the correction {NONE} cannot be written: it means a deletion in M2 (in {_where(block)})"
        )
    if "||" in text and (SEPARATOR in text or alternatives_of(text) != corrections):
        raise InputError(
            f"the correction {shorten(text)} cannot be written: '||' separates alternatives in M2 "
            f"(in {_where(block)})"
        )
    return text


def separates_alternatives(token: str) -> bool:
    """Whether a token would be read as several alternative corrections."""
    return _ALTERNATIVES.search(token) is not None


def alternatives_of(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the corrections that ``||`` separates, each as tokens."""
    return tuple([tuple(part.split()) for part in _ALTERNATIVES.split(text)])


def _writable(token: str, block: BlockFields) -> str:
    if SEPARATOR in token:
        raise InputError(
            f"token {token!r} contains '|||', which separates the fields of M2; replace it (in {_where(block)})"
        )
    if not token or len(token.split()) != 1 or token.strip() != token:
        raise InputError(
            f"found {token!r} as a token, expected text without white space (in {_where(block)})"
        )
    return token


def _where(block: BlockFields) -> str:
    return f"the sentence {shorten(' '.join(block.source))}"
