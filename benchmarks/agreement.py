"""The agreement of UA-GEC's two annotators beside the published figures.

Usage: python benchmarks/agreement.py FOLDER, a clone of https://github.com/grammarly/ua-gec (CC BY 4.0).

Published: the corpus's pull request 24, which scored annotator 2 against annotator 1 by ERRANT on the files of
commit 7aa06a54. One annotation was fixed later, so that one false negative differs.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

import jperrant
from jperrant.core.tables import Table, render
from jperrant.evaluation.agreement.annotators import load_annotators
from jperrant.evaluation.agreement.measure import measure_agreement
from jperrant.evaluation.scorers import make_scorers

COMMIT = "7aa06a54"
#: For each file: true and false positives, false negatives, F0.5 of corrections, and of detection where published.
PUBLISHED = {
    "gec-only": {"cs": (1420, 1965, 1195, 0.4395), "ds": (1675, 1710, 940, 0.5184)},
    "gec-fluency": {"cs": (1626, 3227, 1718, 0.3573)},
}


def read(folder: str, name: str, commit: str) -> list[jperrant.Block]:
    """Return the test set of one kind at a commit."""
    place = f"{commit}:data/{name}/test/{name}.test.m2"
    text = subprocess.run(["git", "-C", folder, "show", place], check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "test.m2"
        path.write_bytes(text)
        return list(jperrant.read_m2(str(path)))


def published_rows(folder: str) -> list[tuple[str | float, ...]]:
    """Return what was published and what jperrant counts."""
    rows: list[tuple[str | float, ...]] = []
    for name, modes in PUBLISHED.items():
        blocks = read(folder, name, COMMIT)
        metrics = [f"errant:mode={mode}" for mode in modes]
        annotators = load_annotators([blocks], missing="unchanged")
        ceilings = measure_agreement(annotators, scorers=make_scorers(metrics)).ceilings
        for (mode, published), ceiling in zip(modes.items(), ceilings, strict=True):
            sides = [[_only(block, number) for block in annotators.blocks] for number in (1, 0)]
            [score] = jperrant.score(*sides, metrics=f"errant:mode={mode}")
            rows.append((name, mode, "published", *published))
            rows.append((name, mode, "jperrant", *score.counts.values(), ceiling.pairs["1", "0"]["f"]))
    return rows


def _only(block: jperrant.Block, annotator: int) -> jperrant.Block:
    annotation = block.annotation(annotator)
    edits = annotation.edits if annotation else ()
    return jperrant.Block(block.source, (jperrant.Annotation(0, edits),))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", help="the clone")
    folder = parser.parse_args().folder
    header = ("file", "mode", "by", "tp", "fp", "fn", "f0.5")
    print(render([Table(header, tuple(published_rows(folder)), f"UA-GEC test, commit {COMMIT}")], "text"))
    kappas = ("kappa_identification", "kappa_classification", "kappa_exact")
    names = (*kappas, "alpha", "alpha_binary", "equal_sentences")
    rows = []
    for name in PUBLISHED:
        [pair] = jperrant.agreement(read(folder, name, "HEAD"), metrics=[], missing="unchanged").pairs
        rows.append((name, pair.tokens, *(pair.values[value] for value in names)))
    print(render([Table(("file", "tokens", *names), tuple(rows), "UA-GEC test, newest commit")], "text"))


if __name__ == "__main__":
    main()
