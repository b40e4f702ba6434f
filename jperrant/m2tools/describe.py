"""A corpus described: what a file holds, how far its annotators agree, what its labels mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jperrant.core.errors import FormatError
from jperrant.evaluation.agreement.annotators import load_annotators
from jperrant.evaluation.agreement.counted import count_agreement
from jperrant.evaluation.agreement.measure import measure_agreement
from jperrant.evaluation.agreement.results import Agreement, AgreementOptions
from jperrant.io.m2 import FormatDeviations, read_m2
from jperrant.m2tools.replay import spooled
from jperrant.m2tools.stats import CorpusStats
from jperrant.packs import pack_keys
from jperrant.packs.problems import raise_first


@dataclass(frozen=True)
class FileStats:
    """A file, what it holds, and how far its annotators agree.

    Attributes:
        name: The file.
        stats: What it holds.
        agreement: Of its annotators; None where no sentence has two.
    """

    name: str
    stats: CorpusStats
    agreement: Agreement | None = None


def corpus_stats(
    path: str, samples: int = 0, strict: bool = False, notes: list[str] | None = None
) -> FileStats:
    """Return what an M2 file holds.

    Memory is bounded, 8 bytes a sentence; for intervals of agreement the file is held as a whole.

    Args:
        path: The file, ``-`` meaning standard input.
        samples: Bootstrap samples for the intervals of agreement; 0 for none.
        strict: Make every format deviation of the file an error.
        notes: Gets what was read leniently, and what agreement left out.

    Raises:
        FormatError: The file is not M2, or has no sentences.
        InputError: It cannot be read.
    """
    deviations, stats = FormatDeviations(strict), CorpusStats()
    with spooled(stats.count(read_m2(path, strict, deviations))) as spool:
        if not spool.count:
            raise FormatError(path, None, "no sentences, expected M2 blocks that begin with an S line")
        said = [deviations.summary(path)]
        agreement = None
        if stats.jointly:
            if samples:
                annotators = load_annotators([list(spool)])
                agreement = measure_agreement(annotators, AgreementOptions(samples=samples))
            else:
                agreement = count_agreement(spool, spool.annotators)
            said += [f"{path}: {note}" for note in agreement.annotators.notes]
    if notes is not None:
        notes += [line for line in said if line]
    return FileStats(path, stats, agreement)


def label_meanings(lang: str, pack: str | None = None) -> Mapping[str, str]:
    """Return what the labels of a pack mean, by label; none of its Python is run.

    Args:
        lang: Code of the language; ignored where ``pack`` is given.
        pack: A folder with a pack.

    Raises:
        PackError: There is no such pack, or it is wrong.
    """
    keys, problems = pack_keys(lang, pack)
    raise_first(problems)
    labels: Mapping[str, str] = keys.get("labels", {})
    return labels
