"""A data set of the user's own: a JSON or YAML file that names the files of its parts, or a table of scores.

::

    {
      "name": "essays", "lang": "en",
      "source": "source.txt",
      "systems": {"baseline": "baseline.txt", "large": "large.txt", "edited": "edited.txt"},
      "references": {"gold": ["annotator1.txt", "annotator2.m2"]},
      "human": "human.tsv",
      "judgements": {"fluency": "judgements.tsv"},
      "groups": {"machines": ["baseline", "large"]}
    }

Paths are relative to the file. ``human.tsv`` has a column ``system`` and one for each score;
``judgements.tsv`` has the columns ``sentence`` (from 1), ``judge``, ``system`` and ``rank`` (1 is best) or
``rating`` (more is better).

A table such as ``human.tsv`` is a data set by itself where the systems are M2 files (:func:`read_judged_m2`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from jperrant.core.errors import InputError, UsageError
from jperrant.evaluation.meta.dataset import MetaDataset
from jperrant.evaluation.meta.references import corrected_text, matching_files, read_reference, systems_of
from jperrant.evaluation.meta.tables import read_human, read_judgements
from jperrant.evaluation.texts import read_text
from jperrant.io.m2 import read_m2
from jperrant.packs.yaml_file import Keys, OneOrMore, Text, YamlFile


class OwnData(Keys):
    """The keys of a data set's file.

    Attributes:
        name: What the data set is called.
        lang: The language's code.
        source: The text that was corrected, a sentence a line.
        systems: The text of each system.
        references: Sets of references: texts or M2 files.
        human: A table of human scores.
        judgements: Tables of judgements.
        groups: Groups of systems.
    """

    name: Text = ""
    lang: Text = ""
    source: Text
    systems: dict[Text, Text]
    references: dict[Text, OneOrMore[Text]] = Field(default_factory=dict)
    human: Text = ""
    judgements: dict[Text, Text] = Field(default_factory=dict)
    groups: dict[Text, tuple[Text, ...]] = Field(default_factory=dict)


def read_own(path: str) -> MetaDataset:
    """Return the data set that a file describes.

    Raises:
        InputError: It is not such a file, or parts do not fit each other.
        FormatError: A file that it names is not as it should be.
    """
    file = YamlFile(Path(path))
    own, problems = file.checked(OwnData)
    if own is None:
        raise InputError(str(problems[0]))
    files = [path]

    def beside(key: str, name: str) -> str:
        found = Path(path).parent / name
        if not found.is_file():
            raise InputError(str(file.problem((key,), f"found no file {found}")))
        files.append(str(found))
        return str(found)

    return MetaDataset(
        own.name or Path(path).stem,
        read_text(beside("source", own.source)),
        {system: read_text(beside("systems", name)) for system, name in own.systems.items()},
        {
            called: tuple([read_reference(beside("references", name)) for name in names])
            for called, names in own.references.items()
        },
        read_human(beside("human", own.human)) if own.human else {},
        {
            called: read_judgements(beside("judgements", name), called)
            for called, name in own.judgements.items()
        },
        own.groups,
        lang=own.lang,
        files=tuple(files),
    )


def read_judged_m2(path: str, files: Sequence[str]) -> MetaDataset:
    """Return the data set of a table of human scores and the M2 files of the systems that it names.

    Args:
        path: A table with a column ``system`` and one for each human score; systems without a file are left out.
        files: M2 files named after the systems, or patterns of them.

    Raises:
        UsageError: There are no files.
        InputError: A file fits no system of the table, or is about other sentences than the first.
        FormatError: A file is not as it should be.
    """
    if not files:
        raise UsageError(f"{path}: human scores need systems; give their M2 files with --edits")
    human = read_human(path)
    judged = systems_of(matching_files(files), dict.fromkeys(s for scores in human.values() for s in scores))
    systems: dict[str, tuple[str, ...]] = {}
    sources: tuple[str, ...] = ()
    for system, file in judged.items():
        blocks = list(read_m2(file))
        own = tuple([" ".join(block.source) for block in blocks])
        if own != (sources := sources or own):
            raise InputError(f"{file}: its sentences are not those of {next(iter(judged.values()))}")
        systems[system] = tuple([corrected_text(file, n, block) for n, block in enumerate(blocks, start=1)])
    return MetaDataset(
        Path(path).stem,
        sources,
        systems,
        human={name: {s: own[s] for s in systems if s in own} for name, own in human.items()},
        files=(path, *judged.values()),
    )
