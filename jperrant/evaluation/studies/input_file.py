"""One file that a study reads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class InputFile:
    """One file that a study reads.

    Attributes:
        path: Where it is.
        written: Its name in the study file, which stands in messages and results.
        text: Whether it is text rather than M2.
        annotator: The one annotator of an M2 file that counts; all if None.
    """

    path: Path
    written: str
    text: bool = False
    annotator: int | None = None
