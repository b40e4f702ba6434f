"""Edits of the systems of a data set from M2 files of one's own, where texts are not to be annotated here.

Published figures come from edits of one program and its models (ERRANT's, say). With its M2 files they come out as
published, whatever annotates texts here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jperrant.core.apply import apply_edits
from jperrant.core.errors import EditError, InputError
from jperrant.core.messages import plural
from jperrant.core.values import Block
from jperrant.evaluation.meta.dataset import MetaDataset
from jperrant.evaluation.meta.human_judgements import match_systems
from jperrant.evaluation.metrics.base import annotations_of
from jperrant.evaluation.metrics.texts import changing
from jperrant.io.m2 import read_m2


def read_system_edits(dataset: MetaDataset, files: Sequence[str]) -> dict[str, tuple[Block, ...]]:
    """Return the edits of systems, over the sentences of a data set.

    Args:
        dataset: The texts that the edits must lead to.
        files: M2 files, or patterns of them (``conll14-*.m2``), named after the systems (``conll14-AMU.m2``), over
            the sentences of the data set or over the whole text that they were taken from.

    Raises:
        InputError: A pattern matches no file, a file fits no system or two fit one, has another number of
            sentences, or leads to another text.
        FormatError: A file is not M2.
    """
    files = [path for file in files for path in matching_files(file)]
    names = match_systems(files, dict.fromkeys(dataset.systems, 0.0))
    return {name: _blocks(dataset, name, file) for name, file in zip(names, files, strict=True)}


def with_system_edits(
    dataset: MetaDataset, files: Sequence[str], groups: Sequence[str]
) -> tuple[MetaDataset, dict[str, tuple[Block, ...]], list[str]]:
    """Return a data set in whose groups only systems with edits count, their edits, and notes; all if no files.

    Args:
        dataset, files: As in :func:`read_system_edits`.
        groups: The groups that are looked at; a note says which of their systems are left out.

    Raises:
        InputError, FormatError: As :func:`read_system_edits`.
        UsageError: There is no such group.
    """
    edits = read_system_edits(dataset, files)
    if not edits:
        return dataset, edits, []
    without = dict.fromkeys(s for group in groups for s in dataset.group(group) if s not in edits)
    notes = [f"left out, as no edits were given: {', '.join(without)}"] if without else []
    return dataset.with_groups_of(edits), edits, notes


def matching_files(file: str) -> list[str]:
    """Return the files of a pattern, sorted by name; a file that is there is one.

    Raises:
        InputError: There is none.
    """
    if "*" not in file or Path(file).exists():
        return [file]
    folder, _, written = file.rpartition("/")
    files = sorted(str(path) for path in Path(folder or ".").glob(written) if path.is_file())
    if not files:
        raise InputError(f"{file}: no file matches the pattern")
    return files


def _blocks(dataset: MetaDataset, system: str, file: str) -> tuple[Block, ...]:
    blocks = tuple(read_m2(file))
    lines = tuple(range(len(blocks)))
    if dataset.lines and len(blocks) == dataset.full_length:
        lines = dataset.lines
    elif len(blocks) != len(dataset.sources):
        whole = f" or the {dataset.full_length} of the whole text" if dataset.lines else ""
        raise InputError(
            f"{file}: found {plural(len(blocks), 'sentence')}, expected the {len(dataset.sources)} of "
            f"{dataset.name}{whole}"
        )
    for line, text in zip(lines, dataset.systems[system], strict=True):
        [annotation, *others] = annotations_of(blocks[line])
        try:
            corrected = apply_edits(blocks[line].source, changing(annotation))
        except EditError as error:
            raise EditError(f"{file}: sentence {line + 1} (counted from 1): {error}") from None
        if others or list(corrected) != text.split():
            raise InputError(
                f"{file}: sentence {line + 1} (counted from 1) "
                + (f"has {len(others) + 1} annotators, expected one, the system" if others else
                   f"gives {' '.join(corrected)!r}, but the text of {system} is {text!r}")
            )  # fmt: skip
    return tuple([blocks[line] for line in lines])
