"""Readers of the published data sets SEEDA, GJG15 and GMEG, as their authors distribute them.

- SEEDA: 15 systems on 391 sentences of CoNLL-2014, ranked by edits (SEEDA-E) and by sentences (SEEDA-S).
  Kobayashi, Mita and Komachi (2024), "Revisiting Meta-evaluation for Grammatical Error Correction", TACL 12.
- GJG15: the 12 systems of the CoNLL-2014 shared task and the uncorrected text, ranked by eight judges.
  Grundkiewicz, Junczys-Dowmunt and Gillian (2015), "Human Evaluation of Grammatical Error Correction Systems",
  EMNLP.
- GMEG: six systems, a correction by a person and the uncorrected text, rated from 0 to 100. Napoles, Nădejde and
  Tetreault (2019), "Enabling Robust Grammatical Error Correction in New Domains: Data Sets, Metrics, and Analyses",
  TACL 7. The domain ``yahoo`` is left out, as only its ratings are distributed.

None of the repositories states a licence, so jperrant does not distribute the data: users clone a repository and
give its folder. SEEDA and GJG15 have no references.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias
from xml.etree import ElementTree

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError, nearest
from jperrant.core.messages import plural
from jperrant.evaluation.meta.data_files import number_in, read_figures
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet, MetaDataset
from jperrant.io.files import open_input, read_lines
from jperrant.io.m2 import number_of

#: The name of the uncorrected text in SEEDA and GJG15.
INPUT = "INPUT"
#: SEEDA's systems in the order of its files of human scores, which hold no names, and of its scripts.
SEEDA_SYSTEMS = (
    "BART", "BERT-fuse", "GECToR-BERT", "GECToR-ens", "GPT-3.5", INPUT, "LM-Critic", "PIE", "REF-F", "REF-M",
    "Riken-Tohoku", "T5", "TemplateGEC", "TransGEC", "UEDIN-MS",
)  # fmt: skip
_FLUENCY = ("GPT-3.5", "REF-F")
#: SEEDA's sets of judgements and of human scores: by edits, and by whole sentences.
SEEDA_SETS = ("edit", "sent")
#: Expected Wins and TrueSkill of GJG15's systems (Table 3 b and c of the paper). The tie rule ``seeda`` and
#: TrueSkill depend on the order, which is that of Table 3 b.
GJG15_HUMAN = {
    "AMU": (0.628, 0.273), "RAC": (0.566, 0.114), "CAMB": (0.561, 0.182), "CUUI": (0.550, 0.105),
    "POST": (0.539, 0.080), "UFC": (0.513, -0.041), "PKU": (0.506, -0.001), "UMC": (0.495, -0.022),
    "IITB": (0.485, -0.055), "SJTU": (0.463, -0.074), INPUT: (0.456, -0.062), "NTHU": (0.437, -0.142),
    "IPN": (0.300, -0.358),
}  # fmt: skip
#: The number of the first sentence in the files of judgements.
SEEDA_FIRST, GJG15_FIRST = 1, 0
#: GMEG's systems and their files, in the order of the files of ratings; ``ref`` is a human correction.
GMEG_SYSTEMS = {
    "amu": "amu", "marian": "marian", "nus": "nus", "lstm": "lstm", "lstm-r": "lstm-r", "ref": "ref0",
    "source": "source", "transformer": "transformer",
}  # fmt: skip
GMEG_REFERENCES = ("ref1", "ref2", "ref3")


@dataclass(frozen=True, slots=True)
class _Distribution:
    """The folder of a published data set: its name, its home page, its path, and the files read so far."""

    name: str
    home: str
    folder: Path
    read: list[str] = field(default_factory=list)

    def path(self, *parts: str) -> str:
        """Return the path of a file.

        Raises:
            InputError: The file does not exist: the folder is missing, wrong or incomplete.
        """
        path = self.folder.joinpath(*parts)
        if not path.is_file():
            found = f"found no {'/'.join(parts)}" if self.folder.is_dir() else "found no such folder"
            raise InputError(
                f"{self.folder}: {found}, expected the folder of {self.name} as its authors distribute it; run "
                f"'git clone {self.home}' and give its folder with --data"
            )
        self.read.append(str(path))
        return str(path)

    def text(self, *parts: str) -> tuple[str, ...]:
        """Return the lines of a text.

        Raises:
            InputError: The file does not exist or cannot be read.
        """
        return tuple(read_lines(self.path(*parts)))


def read_seeda(folder: str, sets: Sequence[str] = SEEDA_SETS) -> MetaDataset:
    """Return SEEDA.

    Its groups of systems are ``base`` (12: without INPUT, REF-F and GPT-3.5), ``+fluency`` (14: without INPUT),
    ``+input`` (13: without REF-F and GPT-3.5) and ``all`` (15).

    Args:
        folder: A clone of the authors' repository.
        sets: The sets of judgements: ``edit``, ``sent`` or both.

    Raises:
        InputError: The folder is not SEEDA, or is incomplete.
        FormatError: A file is malformed.
    """
    files = _Distribution("SEEDA", HOMES["seeda"], Path(folder))
    source = files.text("outputs", "all", f"{INPUT}.txt")
    paths = {name: files.path("data", f"judgments_{name}.xml") for name in SEEDA_SETS}
    judged = {name: _rankings(path, SEEDA_SYSTEMS, len(source), SEEDA_FIRST) for name, path in paths.items()}
    lines = tuple(sorted({judgement.sentence for each in judged.values() for judgement in each}))
    texts = {name: files.text("outputs", "subset", f"{name}.txt") for name in SEEDA_SYSTEMS}
    if texts[INPUT] != tuple([source[line] for line in lines]):
        raise InputError(
            f"{files.path('outputs', 'subset', INPUT + '.txt')}: its sentences are not those that were judged; get "
            f"SEEDA again: git clone {files.home}"
        )
    index = {line: n for n, line in enumerate(lines)}
    human = {
        f"{kind}_{name}": _by_system(files.path("scores", "human", f"{kind}_{name}.txt"))
        for name in sets
        for kind in ("TS", "EW")
    }
    without = {"base": (INPUT, *_FLUENCY), "+fluency": (INPUT,), "+input": _FLUENCY}
    return MetaDataset(
        "SEEDA" if len(sets) > 1 else f"SEEDA-{sets[0][0].upper()}",
        texts[INPUT],
        texts,
        human=human,
        judgements={
            name: JudgementSet(
                name, tuple(Judgement(index[j.sentence], j.judge, j.marks) for j in judged[name])
            )
            for name in sets
        },
        groups={name: tuple(s for s in SEEDA_SYSTEMS if s not in others) for name, others in without.items()},
        lines=lines,
        full_length=len(source),
        lang="en",
        files=tuple(files.read),
    )


def _by_system(path: str) -> dict[str, float]:
    return dict(zip(SEEDA_SYSTEMS, read_figures(path, len(SEEDA_SYSTEMS)), strict=True))


def read_gjg15(folder: str) -> MetaDataset:
    """Return GJG15; its groups of systems are ``12`` (without INPUT) and ``13`` or ``all``.

    Args:
        folder: A clone of the authors' repository.

    Raises:
        InputError: The folder is not GJG15, or is incomplete.
        FormatError: A file is malformed.
    """
    files = _Distribution("GJG15", HOMES["gjg15"], Path(folder))
    submissions = ("data", "original", "official_submissions")
    source = files.text(*submissions, INPUT)
    texts = {system: files.text(*submissions, system) for system in GJG15_HUMAN}
    judged = _rankings(files.path("data", "judgments.xml"), GJG15_HUMAN, len(source), GJG15_FIRST)
    return MetaDataset(
        "GJG15",
        source,
        texts,
        human={
            name: {system: scores[n] for system, scores in GJG15_HUMAN.items()}
            for n, name in enumerate(("EW", "TS"))
        },
        judgements={"rank": JudgementSet("rank", judged)},
        groups={"13": tuple(GJG15_HUMAN), "12": tuple(s for s in GJG15_HUMAN if s != INPUT)},
        lang="en",
        files=tuple(files.read),
    )


def read_gmeg(folder: str, domain: str = "wiki") -> MetaDataset:
    """Return the test part of one domain of GMEG.

    The set of references ``refs`` holds ref1, ref2 and ref3; ref0 is the system ``ref``. The groups of systems are
    ``all`` (8) and ``systems`` (6, without ``ref`` and ``source``).

    Args:
        folder: A clone of the authors' repository.
        domain: ``wiki`` or ``fce``.

    Raises:
        InputError: The folder is not GMEG, or is incomplete.
        FormatError: A file is malformed.
    """
    files = _Distribution("GMEG", HOMES["gmeg"], Path(folder))
    source = files.text("data", "test", domain, "source")
    text = partial(files.text, "data", "test", domain)
    texts = {system: text(name) for system, name in GMEG_SYSTEMS.items()}
    references = {name: (text(name),) for name in GMEG_REFERENCES}
    path = files.path("data", "test", f"{domain}-segment-scores.csv")
    segments = _segment_ratings(path)
    if len(segments) != len(source):
        found = plural(len(segments), "sentence")
        raise FormatError(path, None, f"found ratings of {found}, expected {len(source)}")
    rated = tuple(Judgement(n, "mean", marks) for n, marks in enumerate(segments) if marks)
    return MetaDataset(
        f"GMEG-{domain}",
        source,
        texts,
        references={"refs": tuple(reference for [reference] in references.values()), **references},
        human={"rating": _corpus_ratings(files.path("data", "test", f"{domain}-corpus-scores.csv"))},
        judgements={"rating": JudgementSet("rating", rated, ratings=True)},
        groups={
            "all": tuple(GMEG_SYSTEMS),
            "systems": tuple(name for name in GMEG_SYSTEMS if name not in ("ref", "source")),
        },
        lang="en",
        files=tuple(files.read),
    )


def _rankings(path: str, systems: Collection[str], sentences: int, first: int) -> tuple[Judgement, ...]:
    """Return the rankings in an XML file of the tool Appraise, the format of SEEDA's and GJG15's judgements.

    An item ranks up to five outputs for one sentence; systems with equal texts are one entry with several names.
    Items without entries are left out.

    Args:
        path: The file.
        systems: The names of the systems.
        sentences: The number of sentences of the text.
        first: The number that the file gives to the first sentence.

    Raises:
        FormatError: The file is not in this format, or an item names an unknown system or sentence or lacks a rank.
        InputError: The file cannot be read.
    """
    with open_input(path) as stream:
        try:
            root = ElementTree.parse(stream).getroot()
        except ElementTree.ParseError as error:
            raise FormatError(path, error.position[0], f"not XML ({error.msg}), expected rankings") from None
    judgements = []
    for number, item in enumerate(root.iter("ranking-item"), start=1):
        if len(item):
            where = f"item {number}: "
            sentence = _whole(path, where, item, "src-id") - first
            if not 0 <= sentence < sentences:
                found = f"found a judgement of sentence {sentence + 1}"
                raise FormatError(
                    path, None, f"{where}{found}, but the text has {plural(sentences, 'sentence')}"
                )
            judgements.append(Judgement(sentence, item.get("user", ""), _ranks(path, where, item, systems)))
    if not judgements:
        raise FormatError(path, None, "found no 'ranking-item', expected the rankings of sentences")
    return tuple(judgements)


def _ranks(path: str, where: str, item: ElementTree.Element, systems: Collection[str]) -> dict[str, float]:
    marks: dict[str, float] = {}
    for entry in item.iter("translation"):
        rank = _whole(path, where, entry, "rank")
        for system in entry.get("system", "").split():
            if system not in systems:
                raise FormatError(path, None, f"{where}unknown system {system!r}{nearest(system, systems)}")
            if marks.setdefault(system, rank) != rank:
                raise FormatError(path, None, f"{where}system {system!r} has two different ranks; remove one")
    return marks


def _whole(path: str, where: str, element: ElementTree.Element, name: str) -> int:
    text = element.get(name, "")
    number = number_of(text) if text.isdecimal() else None
    if number is None:
        raise FormatError(path, None, f"{where}found {name}={shorten(text)}, expected a whole number")
    return number


def _segment_ratings(path: str) -> list[dict[str, float]]:
    """Return the ratings of each sentence by system; a few sentences have no ratings.

    Raises:
        FormatError: The columns are not GMEG's systems, or a rating is not a number.
    """
    rows = csv.reader(read_lines(path))
    header = next(rows, [])
    if set(header) != set(GMEG_SYSTEMS):
        raise FormatError(path, 1, f"found columns {', '.join(header)}, expected {', '.join(GMEG_SYSTEMS)}")
    ratings = []
    for row in rows:
        if len(row) != len(header):
            found = plural(len(row), "rating")
            raise FormatError(path, rows.line_num, f"found {found}, expected {len(header)}")
        cells = zip(header, row, strict=True)
        ratings.append({name: number_in(path, rows.line_num, cell) for name, cell in cells if cell})
    return ratings


def _corpus_ratings(path: str) -> dict[str, float]:
    """Return the mean rating of each system.

    Raises:
        FormatError: A line is not a system and its rating, or a system is missing.
    """
    rows = csv.reader(read_lines(path))
    next(rows, None)
    ratings = {row[0]: number_in(path, rows.line_num, "".join(row[1:])) for row in rows if row}
    if missing := [system for system in GMEG_SYSTEMS if system not in ratings]:
        raise FormatError(path, None, f"found no rating of system {missing[0]!r}; add one")
    return ratings


ReadFolder: TypeAlias = Callable[[str], MetaDataset]
#: The repository of each data set.
HOMES = {
    "seeda": "https://github.com/tmu-nlp/SEEDA",
    "gjg15": "https://github.com/grammatical/evaluation",
    "gmeg": "https://github.com/grammarly/GMEG",
}
#: The reader of each data set, from the folder of its repository.
DATASETS: dict[str, ReadFolder] = {
    "seeda": read_seeda,
    "seeda-e": partial(read_seeda, sets=("edit",)),
    "seeda-s": partial(read_seeda, sets=("sent",)),
    "gjg15": read_gjg15,
    "gmeg-wiki": read_gmeg,
    "gmeg-fce": partial(read_gmeg, domain="fce"),
}
