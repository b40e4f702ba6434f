"""GJG15: the 12 systems of the CoNLL-2014 shared task and the uncorrected text, ranked by eight judges.

Grundkiewicz, Junczys-Dowmunt and Gillian (2015), "Human Evaluation of Grammatical Error Correction Systems", EMNLP.
The repository holds outputs and rankings, and states no licence, so it is read where its user has put it. The human
scores are those of Table 3 (b) and (c) of the paper.
"""

from __future__ import annotations

from pathlib import Path

from jperrant.evaluation.meta.appraise import read_appraise
from jperrant.evaluation.meta.dataset import JudgementSet, MetaDataset
from jperrant.evaluation.meta.distributed import Distribution

HOME = "https://github.com/grammatical/evaluation"
SOURCE = "INPUT"
#: Table 3 (b), Expected Wins, and (c), TrueSkill; the order, which ties and TrueSkill depend on, is that of (b).
HUMAN = {
    "AMU": (0.628, 0.273),
    "RAC": (0.566, 0.114),
    "CAMB": (0.561, 0.182),
    "CUUI": (0.550, 0.105),
    "POST": (0.539, 0.080),
    "UFC": (0.513, -0.041),
    "PKU": (0.506, -0.001),
    "UMC": (0.495, -0.022),
    "IITB": (0.485, -0.055),
    "SJTU": (0.463, -0.074),
    SOURCE: (0.456, -0.062),
    "NTHU": (0.437, -0.142),
    "IPN": (0.300, -0.358),
}
#: In GJG15's file the first sentence has this number.
FIRST = 0


def read_gjg15(folder: str) -> MetaDataset:
    """Return GJG15.

    Groups of systems: ``12`` (without INPUT) and ``13`` or ``all``.

    Args:
        folder: The repository of its authors.

    Raises:
        InputError: The folder is not GJG15, or not complete.
        FormatError: A file of it is not as it should be.
    """
    files = Distribution("GJG15", HOME, Path(folder))
    submissions = ("data", "original", "official_submissions")
    source = files.text(*submissions, SOURCE)
    texts = {system: files.text(*submissions, system, sentences=len(source)) for system in HUMAN}
    judged = read_appraise(files.path("data", "judgments.xml"), HUMAN, len(source), FIRST)
    return MetaDataset(
        "GJG15",
        source,
        texts,
        human={
            "EW": {system: wins for system, (wins, _) in HUMAN.items()},
            "TS": {system: skill for system, (_, skill) in HUMAN.items()},
        },
        judgements={"rank": JudgementSet("rank", judged)},
        groups={"13": tuple(HUMAN), "12": tuple(system for system in HUMAN if system != SOURCE)},
        lang="en",
        files=tuple(files.read),
    )
