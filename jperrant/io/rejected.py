"""Records that were left out, each with its reason, as JSON Lines."""

from __future__ import annotations

import json
from typing import TextIO

from jperrant.core.errors import FormatError

ENDING = ".rejected"


def rejected_path(out: str) -> str:
    """Return where the records go that are missing from an output."""
    return out + ENDING


class Rejected:
    """Writes records that are left out: ``{"file", "line", "reason", "record"}``, one a line.

    Attributes:
        stream: Where they go.
        count: How many there were.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream, self.count = stream, 0

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
