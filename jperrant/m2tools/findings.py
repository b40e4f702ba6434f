"""What a check of M2 finds: one deviation or mistake, with its place."""

from __future__ import annotations

from typing import Any, NamedTuple

#: The kinds of findings that are not about the dialect, and what each means.
CODES = {
    "dialect": "not in the dialect of M2",
    "unknown-label": "a type that the pack does not have",
    "operation": "M, U or R that the span and the correction do not allow",
    "no-change": "an edit that changes nothing",
    "duplicate": "the same edit twice by one annotator",
    "missing-annotator": "a sentence without an annotation by an annotator of the file",
    "other-sentence": "a sentence that differs between files of one text",
    "raw-text": "running text given as tokens",
}


#: The fix of what should not be there.
REMOVE = "remove it"


class Finding(NamedTuple):
    """One thing that is wrong, or looks so.

    Attributes:
        file, line: Where it is; lines count from 1.
        problem: What it is.
        code: Its kind, one of ``CODES``.
        sentence: The sentence, counted from 1; None where that is not known.
        annotator: Whose edit it is; None where it is nobody's.
        is_warning: Whether it may be right, so that the check does not fail for it.
        fix: What would make it right; empty where only a person can say.
        is_safe: Whether the fix cannot change what the annotator meant.
    """

    file: str
    line: int
    problem: str
    code: str = "dialect"
    sentence: int | None = None
    annotator: int | None = None
    is_warning: bool = False
    fix: str = ""
    is_safe: bool = False

    def __str__(self) -> str:
        warning = "warning: " if self.is_warning else ""
        fix = f"; {'fix' if self.is_safe else 'perhaps'}: {self.fix}" if self.fix else ""
        return f"{self.file}:{self.line}: {warning}{self.problem}{fix}"

    def to_dict(self) -> dict[str, Any]:
        """Return the finding ready for JSON."""
        record = self._asdict()
        return {
            **{name: record[name] for name in ("file", "line", "sentence", "annotator", "code", "problem")},
            "severity": "warning" if self.is_warning else "error",
            "fix": self.fix or None,
            "safe": self.is_safe,
        }
