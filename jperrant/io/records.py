"""Records that M2 cannot hold: found as they are read, with file and line."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from jperrant.core.errors import FormatError, InputError
from jperrant.core.values import (
    NONE,
    SEPARATOR,
    Block,
    Parallel,
    Sentence,
    format_block,
    separates_alternatives,
)

#: File and line of a sentence of a record: 0 is the source, 1 the first correction. No line for CoNLL-U.
Place: TypeAlias = Callable[[int], tuple[str, int | None]]
_SEPARATES = "contains '|||', which separates the fields of M2"
_DELETES = "stands for a deletion in M2 and cannot be a correction"
_ALTERNATES = "contains '||', which separates alternative corrections in M2"


@dataclass
class RecordCheck:
    """Checks records as they are read, and blocks as they are made of them.

    Attributes:
        tokens_given: Whether the tokens of the texts are those of the blocks.
        places: Where the records begin whose blocks have not come; None where a record may become several blocks.
    """

    tokens_given: bool = True
    places: deque[tuple[str, int | None]] | None = None

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
        self, path: str, lines: Iterable[str], read: Callable[[str, str, int], Parallel]
    ) -> Iterator[Parallel]:
        """Yield what is read of each line of a file, of its path and its number.

        Raises:
            FormatError: A line cannot be read.
        """
        for number, line in enumerate(lines, start=1):
            yield self.accept(read(line, path, number), lambda _: (path, number))  # noqa: B023

    def blocks(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Yield the blocks of the records accepted, in their order, as long as they can be written.

        Raises:
            FormatError: One cannot be written.
        """
        for block in blocks:
            # Of a text that became several blocks only the sentence is known, which the error names.
            place = ("annotation", None) if self.places is None else self.places.popleft()
            try:
                format_block(block)
            except InputError as error:
                raise FormatError(*place, str(error)) from None
            yield block


def _new_unwritable(source: Sentence, correction: Sentence) -> str:
    """Return a token that no correction of M2 can hold and that occurs more often than in the source.

    Such a token is part of an edit whatever the alignment. One that occurs as often on both sides mostly stays as
    it is.
    """
    if "||" not in correction.text and NONE not in correction.text:
        return ""
    new = Counter(correction.forms) - Counter(source.forms)
    return next((form for form in new if form == NONE or separates_alternatives(form)), "")
