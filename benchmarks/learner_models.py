#!/usr/bin/env python3
"""How well do English models understand what learners write? One column for each folder of models.

python benchmarks/learner_models.py [MODELS …] [--m2 FILE] [--most 1000] [--treebanks FOLDER] [--show]

MODELS are what ``--models`` takes, by default ``compact``. Measured are:

- cases by hand from raw tokens: those of tests/data/en, and those of benchmarks/data/learner_cases_en.tsv, which
  nothing was trained on;
- with --m2, a gold M2 file that ERRANT typed, such as W&I+LOCNESS's ``A.dev.gold.bea19.m2``: of the edits with the
  same span and correction, how many have the same type;
- with --treebanks, a folder of CoNLL-U files as of ``test.conllu.xz``: tags, lemmas and trees with gold tokens; the
  same sentences with learners' errors put in that no training has seen (langpacks/en/models/errors.yaml); and
  ``learner.conllu.xz``, where it is there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from gold_cases import bare, fits

import jperrant
from jperrant.annotation.annotator import Annotator
from jperrant.core.edits import apply_edits
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel, Sentence
from jperrant.io.m2 import read_m2
from jperrant.packs import load_pack
from jperrant.parse.models import find_models
from jperrant.parse.scores import evaluate_models

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))  # training/ is not installed

from training.learner_errors import read_error_table, with_errors  # noqa: E402
from training.treebank import read_treebank  # noqa: E402

CASES = ROOT / "tests" / "data" / "en" / "gold_cases.json"
MORE_CASES = ROOT / "benchmarks" / "data" / "learner_cases_en.tsv"
TABLE = ROOT / "langpacks" / "en" / "models" / "errors.yaml"
MEASURES = ("upos", "xpos", "feats", "lemma", "uas", "las")


def case_results(annotator: Annotator, show: bool) -> Iterator[tuple[str, str]]:
    """Yield the shares of cases by hand that are right."""
    cases = [c for c in json.loads(CASES.read_text(encoding="utf-8"))["cases"] if not c.get("marker")]
    pairs = [Parallel(bare(c["source_tokens"]), (bare(c["target_tokens"]),)) for c in cases]
    right = 0
    for case, block in zip(cases, annotator.annotate_many(pairs), strict=True):
        found = block.annotations[0].edits
        expected = [e for e in case["edits"] if e["type"] != "noop"]
        good = len(found) == len(expected) and all(map(fits, found, expected))
        right += good
        if show and not good:
            print("  ", case["source"], "→", case["target"], [e.type for e in found])
    yield "cases of tests/data/en", f"{right}/{len(cases)}"
    lines = [line.split("\t") for line in MORE_CASES.read_text(encoding="utf-8").splitlines()]
    pairs = [Parallel(sentence_of(source), (sentence_of(target),)) for source, target, _ in lines]
    right = 0
    for (source, target, types), block in zip(lines, annotator.annotate_many(pairs), strict=True):
        found_types = " ".join(e.type for e in block.annotations[0].edits)
        right += found_types == types
        if show and found_types != types:
            print("  ", source, "→", target, types, "found", found_types)
    yield "other cases", f"{right}/{len(lines)}"


def agreement(annotator: Annotator, m2: str, most: int) -> Iterator[tuple[str, str]]:
    """Yield how many types agree with those of a gold file where span and correction do."""
    blocks = list(islice(read_m2(m2), most))
    records = [
        Parallel(
            Sentence.from_forms(block.source),
            tuple(Sentence.from_forms(apply_edits(block.source, a.edits)) for a in block.annotations),
        )
        for block in blocks
    ]
    same = equal = 0
    other: Counter[str] = Counter()
    for block, ours in zip(blocks, annotator.annotate_many(records), strict=True):
        for theirs, own in zip(block.annotations, ours.annotations, strict=True):
            types = {(e.start, e.end, e.correction): e.type for e in own.edits}
            for edit in theirs.edits:
                type_ = types.get((edit.start, edit.end, edit.correction))
                if type_ is not None:
                    same += 1
                    equal += type_ == edit.type
                    if type_ != edit.type:
                        other[f"{edit.type} as {type_}"] += 1
    yield f"types in {Path(m2).name}", f"{100 * equal / max(same, 1):.2f}"
    untyped = sum(n for name, n in other.items() if name.startswith("R:OTHER as"))
    yield "otherwise, of them R:OTHER", f"{same - equal}, {untyped}"
    yield "most frequent otherwise", ", ".join(f"{name} {n}" for name, n in other.most_common(6))


def treebank_results(models: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield scores with gold tokens."""
    pack = load_pack("en")
    found = find_models(models, "en", pack.compact, "en")
    test = read_treebank([str(folder / "test.conllu.xz")])
    banks = {
        "test": test,
        "test, errors put in": with_errors(test, read_error_table(TABLE), 14, held_out=True),
    }
    if (folder / "learner.conllu.xz").is_file():
        banks["learners"] = read_treebank([str(folder / "learner.conllu.xz")])
    for name, bank in banks.items():
        scores = evaluate_models(found, bank.sentences, name, gold_tokens=True).scores
        yield name, "  ".join(f"{m} {100 * scores[m]:.2f}" for m in MEASURES if m in scores)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("models", nargs="*", default=["compact"])
    parser.add_argument("--m2", help="gold M2 typed by ERRANT")
    parser.add_argument("--most", type=int, default=1000, help="sentences of it to take")
    parser.add_argument(
        "--treebanks", type=Path, help="folder with test.conllu.xz and perhaps learner.conllu.xz"
    )
    parser.add_argument("--show", action="store_true", help="show the cases that go wrong")
    options = parser.parse_args()
    for models in options.models:
        print(models)
        annotator = jperrant.load("en", models=models)
        results = list(case_results(annotator, options.show))
        if options.m2:
            results += agreement(annotator, options.m2, options.most)
        if options.treebanks:
            results += treebank_results(models, options.treebanks)
        for name, value in results:
            print(f"  {name:<32}{value}")


if __name__ == "__main__":
    main()
