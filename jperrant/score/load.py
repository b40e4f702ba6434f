"""From M2 files to pairs: reading each file once and making sure that both sides are the same sentences."""

from __future__ import annotations

from collections.abc import Sequence

from jperrant.data import Block
from jperrant.errors import FormatError
from jperrant.io.m2 import Oddities, read_m2
from jperrant.score.base import Pair

#: Characters shown of each side where two texts part.
SHOWN = 20


def load_pairs(hypotheses: Sequence[str], references: str, strict: bool = False) -> list[Pair]:
    """Read M2 files into pairs; the references are read once.

    Args:
        hypotheses: Paths of the systems' files, which also name them.
        references: Path of the reference file.
        strict: Make every departure from the M2 dialect an error.

    Raises:
        FormatError: A file is not M2 or has no sentences, or a hypothesis is not the references' text.
        InputError: A file cannot be read.
    """
    gold, gold_notes = read_blocks(references, strict)
    pairs = []
    for number, path in enumerate(hypotheses):
        blocks, notes = read_blocks(path, strict)
        pair = load_pair(blocks, gold, path, references)
        said = (*notes, *(gold_notes if number == 0 else ()), *pair.notes)
        pairs.append(Pair(pair.hypothesis, pair.references, path, said))
    return pairs


def read_blocks(path: str, strict: bool = False) -> tuple[list[Block], tuple[str, ...]]:
    """Return the blocks of an M2 file and what was odd about it, in at most one line.

    Raises:
        FormatError: The file is not M2, or has no sentences.
        InputError: The file cannot be read.
    """
    oddities = Oddities(strict)
    blocks = list(read_m2(path, strict, oddities))
    if not blocks:
        raise FormatError(path, None, "no sentences, expected M2 blocks that begin with an S line")
    summary = oddities.summary(path)
    return blocks, (summary,) if summary else ()


def load_pair(
    hypothesis: Sequence[Block],
    references: Sequence[Block],
    name: str = "hypothesis",
    reference_name: str = "references",
) -> Pair:
    """Return the two sides as a pair over the same sentences.

    Args:
        hypothesis, references: The blocks of both files.
        name, reference_name: Their names in messages.

    Raises:
        FormatError: The sides are not the same sentences; shows the first that differs.
    """
    if [b.source for b in hypothesis] != [b.source for b in references]:
        # The one place where sides over other sentences or tokens arrive: an aligner goes here.
        raise _difference(hypothesis, references, name, reference_name)
    return Pair(hypothesis, references, name)


def _difference(
    hypothesis: Sequence[Block], references: Sequence[Block], name: str, reference_name: str
) -> FormatError:
    """Return the error that shows where the two sides part; sentences and characters count from 0."""
    for number, (ours, theirs) in enumerate(zip(hypothesis, references, strict=False)):
        if ours.source != theirs.source:
            found, expected = " ".join(ours.source), " ".join(theirs.source)
            at = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), None)
            at = min(len(found), len(expected)) if at is None else at
            return FormatError(
                name,
                None,
                f"sentence {number} is not that of {reference_name}: from character {at} on found "
                f"{found[at : at + SHOWN]!r}, expected {expected[at : at + SHOWN]!r} (counted from 0)",
            )
    return FormatError(
        name,
        None,
        f"{len(hypothesis)} sentences, expected {len(references)} as in {reference_name}; the first "
        f"{min(len(hypothesis), len(references))} are the same",
    )
