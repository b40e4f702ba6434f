"""A small study in two languages, for the tests of studies."""

from __future__ import annotations

from pathlib import Path

import jperrant
from jperrant.evaluation.studies.run import Step

GOLD = (
    "S This are a sentence .\n"
    "A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0\nA 2 3|||R:DET|||the|||REQUIRED|||-NONE-|||1\n\n"
    "S I has two cat .\n"
    "A 1 2|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0\nA 3 4|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0\n"
    "A 1 2|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||1\n\n"
)
GOOD = "".join(line + "\n" for line in GOLD.split("\n")[:-1] if not line.endswith("|||1"))
WORSE = GOOD.replace("A 3 4|||R:NOUN:NUM|||cats|||REQUIRED|||-NONE-|||0\n", "").replace(
    "|||is|||", "|||be|||"
)
STUDY = """
title: two languages
datasets:
  en: {lang: en, references: gold.m2, systems: {good: good.m2, worse: worse.m2}}
  et:
    lang: et
    references: [et.gold.m2]
    systems: {good: et.good.m2, worse: worse.m2, alone: good.m2}
    groups: {"NOM:FORM": nominal-inflection}
metrics:
  errant: errant
  mine: cleme2:level=sentence
  goto: goto
"""
#: What takes long.
LONG = """intervals: 50
comparisons:
  - {systems: [good, worse], samples: 50}
formats: [text, tsv, md, latex]
plots: [heatmap]
"""


def write_study(folder: Path, long: str = LONG) -> Path:
    """Write the study and its files, and return their folder."""
    files = {"gold.m2": GOLD, "good.m2": GOOD, "worse.m2": WORSE, "study.yaml": STUDY + long}
    files |= {
        "et.gold.m2": GOLD.replace("NOUN:NUM", "NOM:FORM"),
        "et.good.m2": GOOD.replace("NOUN:NUM", "NOM:FORM"),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(folder: Path, out: str = "out", jobs: int = 1) -> tuple[list[str], list[str]]:
    """Run the study and return the steps that were done and those that were reused."""
    steps: dict[bool, list[str]] = {True: [], False: []}

    def report(step: Step, seconds: float | None) -> None:
        steps[seconds is None].append(str(step))

    jperrant.run_study(folder / "study.yaml", folder / out, jobs=jobs, report=report)
    return steps[False], steps[True]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder but for the cache, where the order of steps may differ, and the lock."""
    return {
        name: path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not (name := str(path.relative_to(folder))).startswith(("cache", ".lock"))
    }


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
