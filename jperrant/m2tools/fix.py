"""M2 with what a check finds made right, as far as that cannot change what annotators meant."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from jperrant.core.progress import track
from jperrant.core.values import Block
from jperrant.io.files import read_lines
from jperrant.io.m2 import FormatDeviations, parse_numbered_m2
from jperrant.io.spool import Aside
from jperrant.m2tools.clean import clean_m2, clean_report
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

    yield from clean_m2(blocks(), left)
    fixes.left.extend(content.end())
    fixes.dialect += clean_report(path, read, left)
    fixes.left.extend(Finding(path, read.first.get(kind, 0), kind) for kind in left.counts)
