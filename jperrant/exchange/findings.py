"""What an import met and accepted: counted by kind, each with the first place, and said once at the end."""

from __future__ import annotations


class Findings:
    """Counts, by kind, what a person should look at.

    Attributes:
        counts: How often each kind was met.
        first: File and place of the first of each kind.
    """

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.first: dict[str, str] = {}

    def add(self, kind: str, place: str) -> None:
        """Count one."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.first.setdefault(kind, place)

    def lines(self) -> list[str]:
        """Return one line for each kind."""
        return [
            f"{self.first[kind]}: {kind}" + (f" ({n} times; this is the first)" if n > 1 else "")
            for kind, n in self.counts.items()
        ]
