"""Where raw text may be split into sentences, whatever the models say."""

from __future__ import annotations

from enum import StrEnum

from jperrant.core.errors import UsageError, nearest
from jperrant.core.named import member


class Splitting(StrEnum):
    """Where raw text may be split; each value is also its name.

    Attributes:
        AUTO: As the analyser does on its own.
        BLANK: Paragraphs end at blank lines; the models split inside.
        NEWLINE: Units end with each line; the models split inside.
        MODEL: The models alone decide; ends of lines and blank lines are spaces.
        ONE_PER_LINE: Each line is one sentence.
    """

    AUTO = "auto"
    BLANK = "blank"
    NEWLINE = "newline"
    MODEL = "model"
    ONE_PER_LINE = "one-sentence-per-line"

    @classmethod
    def from_name(cls, name: str) -> Splitting:
        """Return what a name stands for.

        Raises:
            UsageError: There is no such splitting; the message lists them.
        """
        return member(cls, name, "splitting")

    @classmethod
    def of_options(cls, split_on: str | None, one_sentence_per_line: bool) -> Splitting:
        """Return what the options of a command ask for.

        Raises:
            UsageError: Both were given, or ``split_on`` is none of blank, newline and model.
        """
        if one_sentence_per_line:
            if split_on is not None:
                raise UsageError(
                    "--one-sentence-per-line and --split-on exclude each other; give only one of them"
                )
            return cls.ONE_PER_LINE
        if split_on is None:
            return cls.AUTO
        known = [one.value for one in (cls.BLANK, cls.NEWLINE, cls.MODEL)]
        if split_on not in known:
            raise UsageError(
                f"unknown --split-on {split_on!r}{nearest(split_on, known)}; expected one of {', '.join(known)}"
            )
        return cls(split_on)

    @property
    def joins_lines(self) -> bool:
        """Whether a sentence may go on in the next line, so that a text is not read line by line."""
        return self in (Splitting.BLANK, Splitting.MODEL)
