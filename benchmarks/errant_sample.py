#!/usr/bin/env python3
"""Make the stored sample of parity with ERRANT that the tests read: tests/data/errant.

python benchmarks/errant_sample.py ORACLE_PYTHON

``ORACLE_PYTHON`` is the Python of an environment with errant==3.0.2 (errant_parity.py makes one). The analysis
of the CoNLL-2014 pairs is that of the embedded models at the time of making; what counts is that both tools
were given the same.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import tempfile
from pathlib import Path

from errant_parity import HERE, conll_pairs, random_pairs, theirs

DATA = HERE.parent / "tests" / "data"
SETTINGS = [
    ("rules", False),
    ("all-split", False),
    ("all-merge", False),
    ("all-equal", False),
    ("rules", True),
]
FIELDS = ("form", "upos", "xpos", "lemma", "deprel", "head")


def store(name: str, text: str) -> None:
    (DATA / "errant" / name).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("oracle", type=Path, metavar="ORACLE_PYTHON", help="a Python that has errant==3.0.2")
    oracle: Path = parser.parse_args().oracle
    changed = [p for p in conll_pairs(DATA / "conll14", "conll14.errant") if p["orig"] != p["cor"]]
    chosen = sorted(random.Random(0).sample(range(len(changed)), 60))
    pairs = random_pairs(200, 11) + random_pairs(200, 12)
    pairs += [changed[n] | {"id": f"conll-{changed[n]['id']}"} for n in chosen]
    compact = [
        {"id": p["id"]} | {side: [[t[f] for f in FIELDS] for t in p[side]] for side in ("orig", "cor")}
        for p in pairs
    ]
    store("pairs.json.gz", json.dumps(compact, ensure_ascii=False, separators=(",", ":")))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.jsonl"
        path.write_text("".join(json.dumps(p, ensure_ascii=False) + "\n" for p in pairs), encoding="utf-8")
        for merging, lev in SETTINGS:
            blocks = theirs(oracle, path, merging, lev)
            store(f"{merging}{'-lev' if lev else ''}.m2.gz", "".join(blocks))


if __name__ == "__main__":
    main()
