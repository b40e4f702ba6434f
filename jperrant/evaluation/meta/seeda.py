"""SEEDA: 15 systems on CoNLL-2014, 391 sentences judged by edits (SEEDA-E) and by sentences (SEEDA-S).

Kobayashi, Mita and Komachi (2024), "Revisiting Meta-evaluation for Grammatical Error Correction", TACL 12. The
repository holds outputs, rankings and the human scores of systems, and no references; it states no licence, so
it is read where its user has put it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jperrant.core.errors import InputError
from jperrant.evaluation.meta.appraise import read_appraise
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet, MetaDataset
from jperrant.evaluation.meta.distributed import Distribution

HOME = "https://github.com/tmu-nlp/SEEDA"
SOURCE = "INPUT"
#: In the order of the files of human scores, which have no names, and of the published scripts.
SYSTEMS = (
    "BART",
    "BERT-fuse",
    "GECToR-BERT",
    "GECToR-ens",
    "GPT-3.5",
    SOURCE,
    "LM-Critic",
    "PIE",
    "REF-F",
    "REF-M",
    "Riken-Tohoku",
    "T5",
    "TemplateGEC",
    "TransGEC",
    "UEDIN-MS",
)
FLUENCY = ("GPT-3.5", "REF-F")
#: The sets of judgements and of human scores: by edits, and by whole sentences.
SETS = ("edit", "sent")
#: In SEEDA's files the first sentence has this number.
FIRST = 1


def read_seeda(folder: str, sets: Sequence[str] = SETS, *, whole: bool = False) -> MetaDataset:
    """Return SEEDA.

    Groups of systems: ``base`` (12: without INPUT, REF-F and GPT-3.5), ``+fluency`` (14: without INPUT), ``+input``
    (13: without REF-F and GPT-3.5) and ``all`` (15).

    Args:
        folder: The repository of its authors.
        sets: ``edit``, ``sent`` or both.
        whole: Take all 1,312 sentences instead of the 391 that were judged.

    Raises:
        InputError: The folder is not SEEDA, or not complete.
        FormatError: A file of it is not as it should be.
    """
    files = Distribution("SEEDA", HOME, Path(folder))
    source = files.text("outputs", "all", f"{SOURCE}.txt")
    judged = {
        name: read_appraise(files.path("data", f"judgments_{name}.xml"), SYSTEMS, len(source), FIRST)
        for name in SETS
    }
    lines = tuple(sorted({judgement.sentence for each in judged.values() for judgement in each}))
    part, chosen = ("all", tuple(range(len(source)))) if whole else ("subset", lines)
    texts = {
        system: files.text("outputs", part, f"{system}.txt", sentences=len(chosen)) for system in SYSTEMS
    }
    if texts[SOURCE] != tuple([source[line] for line in chosen]):
        raise InputError(
            f"{files.path('outputs', part, SOURCE + '.txt')}: its sentences are not those that were judged; get "
            f"SEEDA again: git clone {HOME}"
        )
    return MetaDataset(
        "SEEDA" if len(sets) > 1 else f"SEEDA-{sets[0][0].upper()}",
        texts[SOURCE],
        texts,
        human={
            f"{kind}_{name}": files.figures("scores", "human", f"{kind}_{name}.txt", names=SYSTEMS)
            for name in sets
            for kind in ("TS", "EW")
        },
        judgements={name: JudgementSet(name, _over(judged[name], chosen)) for name in sets},
        groups={
            "base": _without(SOURCE, *FLUENCY),
            "+fluency": _without(SOURCE),
            "+input": _without(*FLUENCY),
        },
        lines=() if whole else chosen,
        full_length=0 if whole else len(source),
        lang="en",
        files=tuple(files.read),
    )


def _over(judgements: Sequence[Judgement], lines: Sequence[int]) -> tuple[Judgement, ...]:
    """Return judgements of sentences of the whole text as judgements of the chosen ones."""
    index = {line: n for n, line in enumerate(lines)}
    return tuple(Judgement(index[j.sentence], j.judge, j.marks) for j in judgements)


def _without(*systems: str) -> tuple[str, ...]:
    return tuple(system for system in SYSTEMS if system not in systems)
