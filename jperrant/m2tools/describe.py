"""A corpus described: what a file holds, how far its annotators agree, what its labels mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jperrant.core.errors import FormatError
from jperrant.core.progress import track
from jperrant.io.m2 import FormatDeviations, read_m2
from jperrant.io.spool import spooled
from jperrant.m2tools.stats import CorpusStats

if TYPE_CHECKING:
    from jperrant.evaluation.agreement.results import Agreement
    from jperrant.io.spool import Spool


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

    Of each sentence 8 bytes are kept; for intervals of agreement also its counts, some hundred bytes for each two
    annotators.

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
    blocks = stats.count(track(read_m2(path, strict, deviations), f"reading {path} (sentences)"))
    with spooled(blocks) as spool:
        if not spool.count:
            raise FormatError(path, None, "found no sentences, expected M2 blocks that begin with an S line")
        said = [deviations.summary(path)]
        agreement = None
        if stats.jointly:
            agreement = _agreement(spool, samples)
            said += [f"{path}: {note}" for note in agreement.notes]
    if notes is not None:
        notes += [line for line in said if line]
    return FileStats(path, stats, agreement)


def _agreement(spool: Spool, samples: int) -> Agreement:
    from jperrant.evaluation.agreement.annotators import UNSEEN_BY_STATS, Watched
    from jperrant.evaluation.agreement.measure import count_agreement
    from jperrant.evaluation.agreement.results import AgreementOptions

    names = {number: str(number) for number in spool.annotators}
    blocks = Watched(track(spool, "comparing annotators (sentences)", spool.count), names)
    found = count_agreement(blocks, names, AgreementOptions(samples=samples))
    return replace(found, notes=tuple(blocks.notes(UNSEEN_BY_STATS)))


def label_meanings(lang: str, pack: str | None = None) -> Mapping[str, str]:
    """Return what the labels of a pack mean, by label; none of its Python is run.

    Args:
        lang: Code of the language; ignored where ``pack`` is given.
        pack: A folder with a pack.

    Raises:
        PackError: There is no such pack, or it is wrong.
    """
    from jperrant.packs import pack_keys
    from jperrant.packs.problems import raise_first

    keys, problems = pack_keys(lang, pack)
    raise_first(problems)
    labels: Mapping[str, str] = keys.get("labels", {})
    return labels
