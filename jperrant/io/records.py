"""Records that M2 cannot hold: found as they are read, with file and line, and left out on request."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO, TypeAlias, TypeVar, cast

from jperrant.core.errors import DecodingError, FormatError, InputError
from jperrant.core.values import (
    NONE,
    SEPARATOR,
    Block,
    Parallel,
    Sentence,
    format_block,
    separates_alternatives,
)

#: Takes the error of a record that is left out, and the record as it was read.
Reject: TypeAlias = Callable[[FormatError, str], None]
#: File and line of a sentence of a record: 0 is the source, 1 the first correction. No line for CoNLL-U.
Place: TypeAlias = Callable[[int], tuple[str, int | None]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Unannotated:
    """Stands in the place of the blocks of a record that could not be annotated.

    Attributes:
        reason: Why.
        record: Its texts, separated by tabs.
    """

    reason: str
    record: str


def whole(value: T | DecodingError) -> T:
    """Return what was read.

    Raises:
        DecodingError: It could not be read.
    """
    if isinstance(value, DecodingError):
        raise value
    return value


@dataclass
class RecordCheck:
    """Checks records as they are read, and blocks as they are made of them.

    Attributes:
        reject: Takes what is left out; None makes the first error end the reading.
        tokens_given: Whether the tokens of the texts are those of the blocks.
        places: Where the records that were accepted begin, for those whose blocks have not come, and the errors of
            the records refused among them, so that all are left out in the order of the input, whatever the batch
            size; None where that is not asked for.
    """

    reject: Reject | None = None
    tokens_given: bool = True
    places: deque[tuple[str, int | None] | tuple[FormatError, str]] | None = None

    def accept(self, record: Parallel, place: Place) -> Parallel:
        """Return a record that M2 can hold, as far as can be told before it is annotated.

        Raises:
            FormatError: It cannot; names file, line and token.
        """
        for number, sentence in enumerate((record.source, *record.corrections)):
            token, why = "", _SEPARATES
            if SEPARATOR in sentence.text:
                token = next((form for form in sentence.forms if SEPARATOR in form), SEPARATOR)
            elif number and self.tokens_given and (token := _new_unwritable(record.source, sentence)):
                why = _DELETES if token == NONE else _ALTERNATES
            if token:
                raise FormatError(*place(number), f"token {token!r} {why}; replace it in the text")
        if self.places is not None:
            self.places.append(place(0))
        return record

    def records(
        self, path: str, lines: Iterable[str | DecodingError], read: Callable[[str, str, int], Parallel]
    ) -> Iterator[Parallel]:
        """Yield what is read of each line of a file, of its path and its number.

        Raises:
            FormatError: A line cannot be read, and nothing is rejected.
        """
        for number, line in enumerate(lines, start=1):
            try:
                record = self.accept(read(whole(line), path, number), lambda _: (path, number))  # noqa: B023
            except FormatError as error:
                self.refuse(error, line.text if isinstance(line, DecodingError) else line)
            else:
                yield record

    def refuse(self, error: FormatError, record: str) -> None:
        """Leave a record out, after those before it, or raise its error."""
        if self.reject is None:
            raise error
        if self.places:
            self.places.append((error, record))
        else:
            self.reject(error, record)

    def blocks(self, blocks: Iterable[Block | Unannotated], one_each: bool) -> Iterator[Block]:
        """Yield the blocks that can be written.

        Args:
            blocks: The blocks of the records accepted, in their order, or what stands for them.
            one_each: Whether each record became one block, so that its place is known.

        Raises:
            FormatError: One cannot be written, and nothing is rejected.
        """
        for block in blocks:
            # Of a text that became several blocks only the sentence is known, which the error names.
            place = self._next_place() if one_each and self.places else ("annotation", None)
            try:
                if isinstance(block, Unannotated):
                    raise InputError(block.reason)
                format_block(block)
            except InputError as error:
                record = block.record if isinstance(block, Unannotated) else " ".join(block.source)
                self._leave_out(FormatError(*place, str(error)), record)
            else:
                yield block
        self._tell_refused()

    def _next_place(self) -> tuple[str, int | None]:
        self._tell_refused()
        assert self.places
        return cast("tuple[str, int | None]", self.places.popleft())

    def _tell_refused(self) -> None:
        """Leave out the refused records that stand before the next accepted one."""
        while self.places and isinstance(self.places[0][0], FormatError):
            self._leave_out(*cast("tuple[FormatError, str]", self.places.popleft()))

    def _leave_out(self, error: FormatError, record: str) -> None:
        if self.reject is None:
            raise error
        self.reject(error, record)


_SEPARATES = "contains '|||', which separates the fields of M2"
_DELETES = "stands for a deletion in M2 and cannot be a correction"
_ALTERNATES = "contains '||', which separates alternative corrections in M2"


def _new_unwritable(source: Sentence, correction: Sentence) -> str:
    """Return a token that no correction of M2 can hold and that occurs more often than in the source.

    Such a token is part of an edit whatever the alignment. One that occurs as often on both sides mostly stays as
    it is.
    """
    if "||" not in correction.text and NONE not in correction.text:
        return ""
    new = Counter(correction.forms) - Counter(source.forms)
    return next((form for form in new if form == NONE or separates_alternatives(form)), "")


def rejected_path(out: str) -> str:
    """Return where the records go that are missing from an output."""
    return f"{out}.rejected"


class Rejected:
    """Writes records that are left out: ``{"file", "line", "reason", "record"}``, one a line.

    Attributes:
        stream: Where they go; they are only counted before it is set.
        count: How many there were.
    """

    def __init__(self) -> None:
        self.stream: TextIO | None = None
        self.count = 0

    def add(self, error: FormatError, record: str) -> None:
        """Write one record.

        Args:
            error: Why it is left out.
            record: Its text as it was read, sentences separated by tabs where they are in several files.
        """
        self.count += 1
        content = {"file": error.file, "line": error.line, "reason": error.problem, "record": record}
        if self.stream is not None:
            self.stream.write(json.dumps(content, ensure_ascii=False) + "\n")

    def remove_if_empty(self, out: str) -> None:
        """Remove the file beside an output, which is written, where nothing is missing from the output."""
        if not self.count:
            Path(rejected_path(out)).unlink(missing_ok=True)
