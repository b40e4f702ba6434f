#!/usr/bin/env python3
"""Does jperrant write what ERRANT writes, byte for byte, when both are given the same annotation?

    python benchmarks/errant_parity.py                    # 5 × 10,000 random pairs and the CoNLL-2014 pairs
    python benchmarks/errant_parity.py --pairs 500 --seeds 1

Makes an environment of its own for ERRANT (``--venv``, never a dependency of jperrant), writes random pairs
whose annotation sits on the rules' thresholds, and the CoNLL-2014 pairs analysed by the embedded models. Both
tools get every pair (jperrant as CoNLL-U) with every merge strategy and with ``--lev``.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import errant_oracle

import jperrant
from jperrant.core.edits import apply_edits
from jperrant.core.values import Parallel, Sentence, format_block
from jperrant.io.conllu import parse_conllu
from jperrant.io.m2 import read_m2

HERE = Path(__file__).resolve().parent
ERRANT = "errant==3.0.2"
STRATEGIES = ("rules", "all-split", "all-merge", "all-equal")


def oracle_python(venv: Path) -> Path:
    """Return the Python of an environment that has ERRANT, made now if need be."""
    python = venv / "bin" / "python"
    if not python.exists():
        print(f"making {venv} with {ERRANT} …", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", ERRANT, "spacy>=3.2,<4"], check=True)
    return python


def random_pairs(count: int, seed: int) -> list[dict]:
    stream = io.StringIO()
    errant_oracle.generate(count, seed, stream)
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def conll_pairs(folder: Path, files: str = "conll14*.errant") -> list[dict]:
    """Return the CoNLL-2014 sentences with their references and systems' output, analysed by our models."""
    blocks = list(zip(*(read_m2(str(f)) for f in sorted(folder.glob(files))), strict=True))
    annotator = jperrant.load("en")
    texts: dict[tuple[str, ...], None] = {}
    pairs: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for group in blocks:
        for block in group:
            for annotation in block.annotations:
                pairs.append((block.source, apply_edits(block.source, annotation.edits)))
                texts |= dict.fromkeys(pairs[-1])
    sentences = [Sentence.from_forms(forms) for forms in texts]
    parsed = dict(zip(texts, annotator.parser.parse(annotator.parser.tag(sentences)), strict=True))
    return [
        {"id": str(n), "orig": tokens_of(parsed[source]), "cor": tokens_of(parsed[target])}
        for n, (source, target) in enumerate(pairs)
    ]


def tokens_of(sentence: Sentence) -> list[dict]:
    return [
        {"form": t.form, "upos": t.upos, "xpos": t.xpos, "lemma": t.lemma, "deprel": t.deprel, "head": t.head}
        for t in sentence.tokens
    ]


def conllu(tokens: list[dict]) -> Iterator[str]:
    yield "# sent_id = x"
    for n, t in enumerate(tokens, start=1):
        row = (n, t["form"], t["lemma"], t["upos"], t["xpos"], "_", t["head"], t["deprel"], "_", "_")
        yield "\t".join(map(str, row))
    yield ""


def ours(pairs: list[dict], merging: str, lev: bool) -> list[str]:
    """Return our M2 blocks of pairs that pass through CoNLL-U."""
    sides = [
        list(parse_conllu((line for p in pairs for line in conllu(p[side])), side))
        for side in ("orig", "cor")
    ]
    annotator = jperrant.load("en", models="none", merging=merging, lev=lev)
    records = (Parallel(source, (target,)) for source, target in zip(*sides, strict=True))
    return [format_block(block) for block in annotator.annotate_many(records)]


def theirs(python: Path, pairs: Path, merging: str, lev: bool) -> list[str]:
    """Return ERRANT's M2 blocks."""
    command = [str(python), str(HERE / "errant_oracle.py"), str(pairs), "--merge", merging, "--ud-deprels"]
    done = subprocess.run([*command, *(["--lev"] if lev else [])], capture_output=True, text=True, check=True)
    return [block + "\n\n" for block in done.stdout.split("\n\n")[:-1]]


def compare(name: str, pairs: list[dict], python: Path, settings: Iterable[tuple[str, bool]]) -> int:
    """Print one row for each setting; return the number of blocks that differ."""
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.jsonl"
        path.write_text("".join(json.dumps(p, ensure_ascii=False) + "\n" for p in pairs), encoding="utf-8")
        for merging, lev in settings:
            expected, found = theirs(python, path, merging, lev), ours(pairs, merging, lev)
            wrong = [n for n, (e, f) in enumerate(zip(expected, found, strict=True)) if e != f]
            differing += len(wrong)
            edits = sum(block.count("\nA ") for block in expected)
            print(
                f"{name:<22}{merging:<12}{'lev' if lev else '':<6}{len(pairs):>8}{edits:>9}{len(wrong):>11}"
            )
            for n in wrong[:3]:
                print(f"  {pairs[n]['id']}\n  ERRANT:\n{expected[n]}  jperrant:\n{found[n]}", file=sys.stderr)
    return differing


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=10_000, help="random pairs for each seed")
    parser.add_argument("--seeds", type=int, nargs="*", default=[1, 2, 3, 4, 5])
    parser.add_argument(
        "--conll", type=Path, default=HERE.parent / "tests" / "data" / "conll14", help="M2 files"
    )
    parser.add_argument("--no-conll", action="store_true", help="random pairs only")
    parser.add_argument("--venv", type=Path, default=HERE.parent / "build" / "errant-venv")
    options = parser.parse_args()
    python = oracle_python(options.venv)
    settings = [(merging, lev) for lev in (False, True) for merging in STRATEGIES]
    print(f"{'pairs':<22}{'merge':<12}{'':<6}{'pairs':>8}{'edits':>9}{'differing':>11}")
    differing = 0
    for seed in options.seeds:
        differing += compare(f"random, seed {seed}", random_pairs(options.pairs, seed), python, settings)
    if not options.no_conll:
        differing += compare("CoNLL-2014", conll_pairs(options.conll), python, settings)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
