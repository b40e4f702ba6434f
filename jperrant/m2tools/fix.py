"""M2 with what a check finds made right, as far as that cannot change what annotators meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

from jperrant.core.m2_format import format_block
from jperrant.core.progress import track
from jperrant.core.values import Block
from jperrant.io.files import read_lines
from jperrant.io.m2 import FormatDeviations, parse_m2, parse_numbered_m2
from jperrant.io.spool import Aside
from jperrant.m2tools.content_check import ContentCheck
from jperrant.m2tools.edit_check import LabelCheck
from jperrant.m2tools.findings import Finding


@dataclass
class Fixes:
    """What was fixed and what was not; complete when all blocks were taken.

    Attributes:
        fixed: What was made right.
        left: What only a person can make right.
        dialect: What was done about the dialect, a line each.
    """

    fixed: Aside[Finding]
    left: Aside[Finding]
    dialect: list[str] = field(default_factory=list)


def fix_m2(
    path: str, labels: LabelCheck | None, fixes: Fixes, allowed: Collection[str] = frozenset()
) -> Iterator[Block]:
    """Yield the blocks of a file in the dialect, with the safe fixes made.

    Args:
        path: The file, ``-`` meaning standard input.
        labels: The labels of a pack; None where types are not looked at.
        fixes: Gets what was done.
        allowed: Kinds of problems that edits may have and keep.

    Raises:
        FormatError: A line cannot be read.
        InputError: The file cannot be opened, or a sentence cannot be written.
    """
    read, left = FormatDeviations(), FormatDeviations()
    content = ContentCheck(path, labels, allowed)

    def blocks() -> Iterator[Block]:
        lines = read_lines(path, lambda line, kind: read.add(path, line, kind))
        for numbered in track(parse_numbered_m2(lines, path, read), f"fixing {path} (sentences)"):
            changed, made = content.fixed(numbered)
            fixes.fixed.extend(made)
            fixes.left.extend(content.block(changed))
            yield changed.block

    yield from in_dialect(blocks(), left)
    fixes.left.extend(content.end())
    fixes.dialect += _dialect_report(path, read, left)
    fixes.left.extend(Finding(path, read.first.get(kind, 0), kind) for kind in left.counts)


def in_dialect(blocks: Iterable[Block], left: FormatDeviations | None = None) -> Iterator[Block]:
    """Yield blocks as the dialect has them: annotators and edits in order.

    The reader has fixed the rest. What only a person can fix stays as it is: edits that overlap, and alternative
    corrections.

    Args:
        blocks: Blocks read leniently.
        left: Counts what stays.

    Raises:
        InputError: A token or type cannot be written in M2.
    """
    for block in blocks:
        annotations = sorted(block.annotations, key=lambda a: a.annotator)
        edits = [tuple(sorted(a.edits, key=lambda e: (e.start, e.end))) for a in annotations]
        cleaned = Block(
            block.source, tuple([replace(a, edits=e) for a, e in zip(annotations, edits, strict=True)])
        )
        if left is not None:
            lines = format_block(cleaned).rstrip("\n").split("\n")
            for _ in parse_m2(lines, "", left):
                pass
        yield cleaned


def _dialect_report(file: str, read: FormatDeviations, left: FormatDeviations) -> list[str]:
    """Return what was fixed and what was not, a line each.

    Args:
        file: Name of the file.
        read: The deviations of the file.
        left: The deviations of the cleaned blocks.
    """
    fixed = {kind: n - left.counts.get(kind, 0) for kind, n in read.counts.items()}
    kept = {kind: n for kind, n in left.counts.items() if kind in read.first}
    lines = []
    for what, counts in (("fixed", fixed), ("left as it is", kept)):
        kinds = [f"{kind} ({n}, first in line {read.first[kind]})" for kind, n in counts.items() if n > 0]
        if kinds:
            lines.append(f"{file}: {what}: {'; '.join(kinds)}")
    return lines
