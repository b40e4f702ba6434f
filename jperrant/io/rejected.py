"""Records that were left out, each with its reason, as JSON Lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TextIO

from jperrant.core.errors import FormatError

ENDING = ".rejected"


def rejected_path(out: str) -> str:
    """Return where the records go that are missing from an output."""
    return out + ENDING


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
