#!/usr/bin/env python3
"""Does ``--models spacy:…`` write what ERRANT writes with the same spaCy pipeline, byte for byte, from text?

    python benchmarks/errant_spacy_parity.py --treebank en/train.conllu.xz
    python benchmarks/errant_spacy_parity.py --pipeline en_core_web_sm         # one that is there
    python benchmarks/errant_spacy_parity.py --treebank … --errant OTHER/bin/python --sentences 100

Trains two small pipelines on a treebank of UD, one with its names of relations and one with those of CLEAR, unless
they are in ``--folder`` already. Both tools get the sentences of the CoNLL-2014 test set and their corrections by
each annotator, as text, with every merge strategy and with ``-lev``; and tokenised by spaCy (``-tok``, ``--tokens
words``). ERRANT runs in an environment of its own, made for it unless ``--errant`` names a Python that has it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from errant_parity import STRATEGIES, oracle_python
from train_spacy import KINDS, train

import jperrant
from jperrant.core.edits import apply_edits
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel, format_block
from jperrant.io.m2 import read_m2

HERE = Path(__file__).resolve().parent
#: Merge strategy, Levenshtein, tokenised by spaCy.
Setting = tuple[str, bool, bool]
SETTINGS: list[Setting] = [*product(STRATEGIES, (False, True), (False,)), ("rules", False, True)]

#: Runs in ERRANT's environment: as errant_parallel, with a pipeline of our choice and each text analysed once.
THEIRS = """
import json, sys, time
import errant, spacy
from errant.commands.parallel_to_m2 import noop_edit
pipeline, records, out = sys.argv[1:]
started = time.process_time()
annotator = errant.load("en", spacy.load(pipeline, exclude=["ner"]))
known = {}
def parse(text, tok):
    if (text, tok) not in known:
        known[text, tok] = annotator.parse(text, tok)
    return known[text, tok]
with open(records, encoding="utf-8") as stream:
    records, settings = json.load(stream)
blocks = []
for merge, lev, tok in settings:
    for source, *corrections in records:
        orig = parse(source.strip(), tok)
        lines = [" ".join(["S", *(token.text for token in orig)])]
        for number, correction in enumerate(corrections):
            if orig.text.strip() == correction.strip():
                lines.append(noop_edit(number))
                continue
            edits = annotator.annotate(orig, parse(correction.strip(), tok), lev, merge)
            lines += [edit.to_m2(number) for edit in edits]
        blocks.append("\\n".join(lines) + "\\n\\n")
with open(out, "w", encoding="utf-8") as stream:
    json.dump({"blocks": blocks, "versions": [errant.__version__, spacy.__version__],
               "seconds": time.process_time() - started}, stream)
"""


def records_of(file: Path, most: int | None) -> list[list[str]]:
    """Return each sentence with its correction by every annotator, as text."""
    blocks = list(read_m2(str(file)))[:most]
    return [
        [" ".join(tokens) for tokens in (b.source, *(apply_edits(b.source, a.edits) for a in b.annotations))]
        for b in blocks
    ]


def theirs(
    python: Path, pipeline: str, records: Sequence[Sequence[str]], settings: Sequence[Setting]
) -> tuple[list[str], list[str], float]:
    """Return ERRANT's blocks for all settings, the versions of ERRANT and spaCy, and CPU seconds."""
    with tempfile.TemporaryDirectory() as folder:
        given, out = Path(folder) / "records.json", Path(folder) / "out.json"
        given.write_text(json.dumps([records, settings]), encoding="utf-8")
        subprocess.run(
            [str(python), "-W", "ignore", "-c", THEIRS, pipeline, str(given), str(out)], check=True
        )
        found = json.loads(out.read_text(encoding="utf-8"))
    return found["blocks"], found["versions"], found["seconds"]


def ours(
    pipeline: str, records: Sequence[Sequence[str]], settings: Sequence[Setting]
) -> tuple[list[str], float]:
    """Return our blocks for all settings, and CPU seconds; each text is analysed once here, too."""
    started = time.process_time()
    parallels = [Parallel(sentence_of(s), tuple(map(sentence_of, cs))) for s, *cs in records]
    blocks: list[str] = []
    parser = None
    for merging, lev, tok in settings:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a pipeline with relations of UD is what we want
            annotator = jperrant.load(
                "en", models=f"spacy:{pipeline}", merging=merging, lev=lev, tokens="words" if tok else "given"
            )
        annotator.parser = parser = parser or annotator.parser
        blocks += map(format_block, annotator.annotate_many(parallels))
    return blocks, time.process_time() - started


def compare(name: str, pipeline: str, python: Path, records: list[list[str]]) -> int:
    """Print a row for each setting; return the number of blocks that differ."""
    expected, versions, their_seconds = theirs(python, pipeline, records, SETTINGS)
    found, our_seconds = ours(pipeline, records, SETTINGS)
    differing = 0
    for number, (merging, lev, tok) in enumerate(SETTINGS):
        place = slice(number * len(records), (number + 1) * len(records))
        pairs = list(zip(expected[place], found[place], strict=True))
        wrong = [(e, f) for e, f in pairs if e != f]
        differing += len(wrong)
        edits = sum(e.count("\nA ") - e.count("|||noop|||") for e, _ in pairs)
        how = " ".join([*(["lev"] if lev else []), *(["tok"] if tok else [])])
        print(f"{name:<12}{merging:<12}{how:<6}{len(pairs):>8}{edits:>9}{len(wrong):>11}", flush=True)
        for e, f in wrong[:3]:
            print(f"  ERRANT:\n{e}  jperrant:\n{f}", file=sys.stderr)
    print(
        f"{name}: ERRANT {versions[0]} with spaCy {versions[1]} {their_seconds:.1f} s CPU, "
        f"jperrant {our_seconds:.1f} s: {their_seconds / our_seconds:.1f} times as fast",
        file=sys.stderr,
    )
    return differing


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--treebank", type=Path, help="CoNLL-U of UD to train on (.xz, .gz, .bz2 too)")
    parser.add_argument(
        "--pipeline", action="append", default=[], help="compare with this pipeline, too; repeatable"
    )
    parser.add_argument("--folder", type=Path, default=HERE.parent / "build" / "spacy-parity")
    parser.add_argument("--steps", type=int, default=250, help="batches of training")
    parser.add_argument("--train-sentences", type=int, default=4000)
    parser.add_argument("--sentences", type=int, help="compare the first ones only")
    parser.add_argument("--errant", type=Path, help="Python of an environment that has ERRANT")
    parser.add_argument(
        "--m2", type=Path, default=HERE.parent / "tests" / "data" / "conll14" / "conll14.errant"
    )
    options = parser.parse_args()
    pipelines = {Path(name).name: name for name in options.pipeline}
    if options.treebank:
        for kind in KINDS:
            folder = options.folder / kind
            if not (folder / "meta.json").exists():
                print(f"training {folder} …", file=sys.stderr)
                train(kind, options.treebank, folder, options.steps, options.train_sentences)
            pipelines[kind] = str(folder)
    if not pipelines:
        parser.error("give --treebank or --pipeline")
    python = options.errant or oracle_python(HERE.parent / "build" / "errant-venv")
    records = records_of(options.m2, options.sentences)
    print(f"{'pipeline':<12}{'merge':<12}{'':<6}{'blocks':>8}{'edits':>9}{'differing':>11}")
    return 1 if sum([compare(name, place, python, records) for name, place in pipelines.items()]) else 0


if __name__ == "__main__":
    sys.exit(main())
