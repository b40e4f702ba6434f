"""GMEG: six systems, a correction by a person and the uncorrected text, rated from 0 to 100.

Napoles, Nădejde and Tetreault (2019), "Enabling Robust Grammatical Error Correction in New Domains: Data Sets,
Metrics, and Analyses", TACL 7. The repository holds texts, references and mean ratings of the domains ``fce`` and
``wiki`` (of ``yahoo`` ratings only), and states no licence, so it is read where its user has put it.
"""

from __future__ import annotations

import csv
from pathlib import Path

from jperrant.core.errors import FormatError
from jperrant.core.messages import plural
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet, MetaDataset
from jperrant.evaluation.meta.distributed import Distribution
from jperrant.evaluation.meta.figures import figure_of
from jperrant.io.files import read_lines

HOME = "https://github.com/grammarly/GMEG"
DOMAINS = ("wiki", "fce")
SPLITS = ("test", "dev")
#: In the order of the files of ratings; the text of the first reference is a system there.
SYSTEMS = {
    "amu": "amu",
    "marian": "marian",
    "nus": "nus",
    "lstm": "lstm",
    "lstm-r": "lstm-r",
    "ref": "ref0",
    "source": "source",
    "transformer": "transformer",
}
REFERENCES = ("ref1", "ref2", "ref3")


def read_gmeg(folder: str, domain: str = "wiki", split: str = "test") -> MetaDataset:
    """Return a domain of GMEG.

    The set of references ``refs`` is ref1, ref2 and ref3; ref0 is the system ``ref``. Groups of systems: ``all``
    (8) and ``systems`` (6, without ``ref`` and ``source``).

    Args:
        folder: The repository of its authors.
        domain: ``wiki`` or ``fce``.
        split: ``test`` or ``dev``.

    Raises:
        InputError: The folder is not GMEG, or not complete.
        FormatError: A file of it is not as it should be.
    """
    files = Distribution("GMEG", HOME, Path(folder))
    source = files.text("data", split, domain, "source")
    texts = {
        system: files.text("data", split, domain, name, sentences=len(source))
        for system, name in SYSTEMS.items()
    }
    references = {
        name: (files.text("data", split, domain, name, sentences=len(source)),) for name in REFERENCES
    }
    segments = _ratings(files.path("data", split, f"{domain}-segment-scores.csv"))
    if len(segments) != len(source):
        raise FormatError(
            files.path("data", split, f"{domain}-segment-scores.csv"),
            None,
            f"found ratings of {plural(len(segments), 'sentence')}, expected {len(source)}",
        )
    return MetaDataset(
        f"GMEG-{domain}" + ("" if split == "test" else f"-{split}"),
        source,
        texts,
        references={
            "refs": tuple(reference for [reference] in references.values()),
            **references,
        },
        human={"rating": _corpus_ratings(files.path("data", split, f"{domain}-corpus-scores.csv"))},
        judgements={
            "rating": JudgementSet(
                "rating",
                tuple(Judgement(n, "mean", marks) for n, marks in enumerate(segments) if marks),
                ratings=True,
            )
        },
        groups={
            "all": tuple(SYSTEMS),
            "systems": tuple(system for system in SYSTEMS if system not in ("ref", "source")),
        },
        lang="en",
        files=tuple(files.read),
    )


def _ratings(path: str) -> list[dict[str, float]]:
    """Return the ratings of each sentence by system; a few sentences have none.

    Raises:
        FormatError: The columns are other systems, or a rating is not a number.
    """
    rows = csv.reader(read_lines(path))
    header = next(rows, [])
    if set(header) != set(SYSTEMS):
        raise FormatError(path, 1, f"found columns {', '.join(header)}, expected {', '.join(SYSTEMS)}")
    ratings = []
    for row in rows:
        if len(row) != len(header):
            raise FormatError(
                path, rows.line_num, f"found {plural(len(row), 'rating')}, expected {len(header)}"
            )
        rated = zip(header, row, strict=True)
        ratings.append({system: figure_of(path, rows.line_num, cell) for system, cell in rated if cell})
    return ratings


def _corpus_ratings(path: str) -> dict[str, float]:
    """Return the mean rating of each system.

    Raises:
        FormatError: A line is not a system and its rating, or a system is missing.
    """
    ratings = {}
    rows = csv.reader(read_lines(path))
    next(rows, None)
    for row in rows:
        if len(row) != 2 or row[0] not in SYSTEMS:
            raise FormatError(
                path, rows.line_num, f"found {','.join(row)!r}, expected a system and its rating"
            )
        ratings[row[0]] = figure_of(path, rows.line_num, row[1])
    if missing := [system for system in SYSTEMS if system not in ratings]:
        raise FormatError(path, None, f"found no rating of system {missing[0]!r}; add one")
    return ratings
