#!/usr/bin/env python3
"""How much does a score change with sentence boundaries and tokens found by a model: SYS against GOLD?

Table 4 of Wang, Qiu, Gu, Huang, Park, "Refined Evaluation for End-to-End Grammatical Error Correction Using
an Alignment-Based Approach", on any M2: the same corrections of a system are scored

- FILE: with the edits of its M2 file;
- GOLD: annotated anew, on the sentences and tokens of the file;
- MERGED: as GOLD, but in the groups of SYS, so that nothing differs from SYS except the edits;
- SYS: from raw text (the tokens of some sentences joined by spaces), which Stanza cuts into sentences and
  tokens, the source and the correction each on its own; the correction is aligned to the source, annotated,
  and the result aligned to the references.

GOLD, MERGED and SYS use the same models and rules. Run from the root of the repository::

    python benchmarks/sys_against_gold.py
    python benchmarks/sys_against_gold.py --attach
    python benchmarks/sys_against_gold.py system.m2 other.m2 gold.m2 --lang de --models default
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import CONLL, Row, parser_of

import jperrant
from jperrant.alignment.projection import merge_blocks
from jperrant.alignment.sentences import align_sentences
from jperrant.annotation.annotator import Annotator
from jperrant.core.edits import apply_edits
from jperrant.core.text import join_sentences
from jperrant.core.values import Block, Parallel, Sentence
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.errant import ErrantScorer
from jperrant.evaluation.metrics.system_score import Score, evaluate
from jperrant.evaluation.read_sides import load_pair

DEFAULT = [str(CONLL / f"conll14{name}.errant") for name in ("-AMU", "-CAMB", "-IITB", "")]
#: The space before closing punctuation and the second half of a contraction, and after an opening bracket.
SPACED = re.compile(r" (?=(?:[.,;:!?%)\]}]+|n't|'(?:s|re|ve|ll|d|m))(?: |$))|(?<=[(\[{]) ")


def corrected(block: Block) -> tuple[str, ...]:
    """Return the corrected tokens of the first annotator."""
    return apply_edits(block.source, block.annotations[0].edits) if block.annotations else block.source


def annotate_gold(annotator: Annotator, blocks: Sequence[Block]) -> list[Block]:
    """Annotate anew on the given sentences and tokens."""
    records = [Parallel(Sentence.from_forms(b.source), (Sentence.from_forms(corrected(b)),)) for b in blocks]
    return list(annotator.annotate_many(records))


def annotate_raw(annotator: Annotator, blocks: Sequence[Block], size: int, attach: bool) -> list[Block]:
    """Annotate documents of ``size`` sentences, of which nothing but the raw text is used."""
    documents = [blocks[at : at + size] for at in range(0, len(blocks), size)]
    sources = annotator.parser.tokenize([raw_text([b.source for b in d], attach) for d in documents])
    targets = annotator.parser.tokenize([raw_text([corrected(b) for b in d], attach) for d in documents])
    records = []
    for source, target in zip(sources, targets, strict=True):
        alignment = align_sentences([s.text for s in source], [s.text for s in target], tolerant=True)
        for group in alignment.groups:
            ours = source[group.left_start : group.left_end]
            theirs = target[group.right_start : group.right_end]
            records.append(Parallel(joined(ours), (joined(theirs),)))
    return list(annotator.annotate_many(records))


def raw_text(sentences: Sequence[Sequence[str]], attach: bool) -> str:
    text = " ".join(" ".join(tokens) for tokens in sentences if tokens)
    return SPACED.sub("", text) if attach else text


def joined(sentences: Sequence[Sentence]) -> Sentence:
    return join_sentences(sentences, " ".join(s.text for s in sentences))


def merged(pair: Pair, hyp: Sequence[Block], ref: Sequence[Block]) -> Pair:
    """Return two sides over the same sentences, joined as the groups of an aligned pair are."""
    spans = [span for span in pair.spans if span[0] < span[1]] or [(n, n + 1) for n in range(len(ref))]
    return Pair([merge_blocks(hyp[a:b]) for a, b in spans], [merge_blocks(ref[a:b]) for a, b in spans])


def row(name: str, score: Score, base: Score | None = None) -> str:
    """Return a row of the table; with a base the differences to it."""
    counts, values = list(score.counts.values()), list(score.values.values())
    if base is None:
        cells = [*(f"{n}" for n in counts), *(f"{v:.4f}" for v in values)]
    else:
        cells = [
            *(f"{n - b:+d}" for n, b in zip(counts, base.counts.values(), strict=True)),
            *(f"{v - b:+.4f}" for v, b in zip(values, base.values.values(), strict=True)),
        ]
    return f"| {name} | {score.sentences} | " + " | ".join(cells) + " |"


def scores_of(
    annotator: Annotator, name: str, hyp: list[Block], ref: list[Block], size: int, attach: bool
) -> tuple[list[Score], list[str]]:
    """Return the scores FILE, GOLD, MERGED and SYS of a system, and notes on its alignment."""
    where = "the references"
    own = load_pair(hyp, ref, name, where)
    gold = load_pair(annotate_gold(annotator, hyp), ref, name, where)
    raw = load_pair(annotate_raw(annotator, hyp, size, attach), ref, name, where)
    pairs = [own, gold, merged(raw, gold.hypothesis, ref), raw]
    return list(evaluate(ErrantScorer(), pairs)), list(raw.notes)


def rows() -> Iterator[Row]:
    """Yield F0.5 of systems whose output is raw text beside F0.5 on given sentences and tokens."""
    annotator = jperrant.load("en")
    *systems, references = DEFAULT
    ref = list(jperrant.read_m2(references))
    for path in systems[:1]:
        (_, gold, _, raw), _ = scores_of(annotator, "system", list(jperrant.read_m2(path)), ref, 25, False)
        ours, other = raw.values["f"], gold.values["f"]
        yield Row(
            f"F0.5 from raw text, on gold tokens: {Path(path).stem}",
            f"{ours:.4f}",
            f"{other:.4f}",
            ours / other,
        )


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("files", nargs="*", default=DEFAULT, help="systems, and last the references")
    parser.add_argument("--lang", default="en", help="language of the texts")
    parser.add_argument("--models", default="compact", help="as in annotate")
    parser.add_argument("--document", type=int, default=25, help="sentences joined to one raw text")
    parser.add_argument("--attach", action="store_true", help="no space before English punctuation and n't")
    args = parser.parse_args()
    annotator = jperrant.load(args.lang, models=args.models)
    *systems, references = args.files
    ref = list(jperrant.read_m2(references))
    notes = []
    print("| system | blocks | TP | FP | FN | P | R | F0.5 |\n|---|---|---|---|---|---|---|---|")
    for path in systems:
        name, hyp = Path(path).stem, list(jperrant.read_m2(path))
        scores, more = scores_of(annotator, name, hyp, ref, args.document, args.attach)
        for column, score in zip(("FILE", "GOLD", "MERGED", "SYS"), scores, strict=True):
            print(row(f"{name} {column}", score))
        print(row(f"{name} SYS - GOLD", scores[3], scores[1]), flush=True)
        notes += more
    print("\n" + "\n".join(notes))


if __name__ == "__main__":
    main()
