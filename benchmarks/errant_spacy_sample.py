#!/usr/bin/env python3
"""Make the stored sample of parity with ERRANT on spaCy's analysis that the tests read: tests/data/errant.

python benchmarks/errant_spacy_sample.py ERRANT_PYTHON

Takes the pipelines that errant_spacy_parity.py trained (``--folder``). Stored are spaCy's analyses, made sentence
by sentence without jperrant, and the M2 that ERRANT writes with the same pipelines.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from pathlib import Path

import spacy
from errant_spacy_parity import HERE, Setting, records_of, theirs
from spacy.tokens import Doc
from train_spacy import KINDS

DATA = HERE.parent / "tests" / "data"
SETTINGS: list[Setting] = [("rules", False, False), ("rules", True, False), ("all-merge", False, False)]
BLOCKS, MOST_TOKENS = 40, 24


def analysed(pipeline: str, texts: list[str]) -> dict[str, list[list[object]]]:
    """Return lemma, UPOS, XPOS, features, head (counted from 0) and relation of each token of each text."""
    nlp = spacy.load(pipeline)
    docs = {text: nlp(Doc(nlp.vocab, text.split())) for text in texts}
    return {
        text: [[t.lemma_, t.pos_, t.tag_, str(t.morph), t.head.i, t.dep_] for t in doc]
        for text, doc in docs.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("errant", type=Path)
    parser.add_argument("--folder", type=Path, default=HERE.parent / "build" / "spacy-parity")
    options = parser.parse_args()
    records = [
        record
        for record in records_of(DATA / "conll14" / "conll14.errant", None)
        if len(set(record)) > 1 and all(len(text.split()) <= MOST_TOKENS for text in record)
    ]
    chosen = random.Random(0).sample(records, BLOCKS)
    texts = list(dict.fromkeys(text for record in chosen for text in record))
    sample: dict[str, object] = {"records": chosen}
    for kind in KINDS:
        blocks, versions, _ = theirs(options.errant, str(options.folder / kind), chosen, SETTINGS)
        sample["versions"] = versions
        sample[kind] = {
            "analyses": analysed(str(options.folder / kind), texts),
            "m2": [
                [merging, lev, "".join(blocks[n * BLOCKS : (n + 1) * BLOCKS])]
                for n, (merging, lev, _) in enumerate(SETTINGS)
            ],
        }
    text = json.dumps(sample, ensure_ascii=False, separators=(",", ":"))
    (DATA / "errant" / "spacy.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
