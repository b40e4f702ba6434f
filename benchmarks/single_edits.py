#!/usr/bin/env python3
"""Does the type of an edit depend on what else was parsed?

    python benchmarks/single_edits.py LANG FILE.m2 [--tokens given|words|characters] [--limit N]

Applies every edit of an M2 file alone to its sentence, and types the pair twice: through the stream, which parses a
sentence only where a rule asks for it, and with every sentence parsed. No two pairs of one batch share a source, so
that no other edit can force a parse. Prints the pairs whose edits differ, and their number; exit code 1 if there
are any.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from jperrant.annotation.annotator import Annotator, load
from jperrant.core.edits import apply_edits
from jperrant.core.values import Block, Parallel, Sentence
from jperrant.io.m2 import read_m2
from jperrant.parse.analyser import Parser


class EagerParser:
    """Parses every sentence that it tags."""

    can_parse = True

    def __init__(self, parser: Parser) -> None:
        self.parser = parser

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts."""
        return self.parser.tokenize(texts)

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Tag and parse."""
        return self.parser.parse(self.parser.tag(sentences))

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Parse again what was tagged."""
        return self.parser.parse(sentences)


def single_edits(path: str) -> list[list[Parallel]]:
    """Return pairs that differ in one edit of a file, in lists in which no source is there twice."""
    rounds: list[list[Parallel]] = []
    for row in zip_longest(*map(list, map(_pairs, read_m2(path)))):
        rounds.append(list({pair.source.forms: pair for pair in row if pair}.values()))
    return rounds


def _pairs(block: Block) -> Iterator[Parallel]:
    edits = dict.fromkeys(edit for annotation in block.annotations for edit in annotation.edits)
    source = Sentence.from_forms(block.source)
    for edit in edits:
        if not edit.is_detection:
            yield Parallel(source, (Sentence.from_forms(apply_edits(block.source, [edit])),))


def differences(annotator: Annotator, pairs: Sequence[Parallel]) -> Iterator[tuple[Parallel, Block, Block]]:
    """Yield the pairs whose edits differ when all sentences are parsed, with both blocks."""
    eager = Annotator(annotator.pack, EagerParser(annotator.parser), tokens=annotator.tokens)
    for pair, block, other in zip(
        pairs, annotator.annotate_many(pairs), eager.annotate_many(pairs), strict=True
    ):
        if block != other:
            yield pair, block, other


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("lang")
    arguments.add_argument("file")
    arguments.add_argument("--tokens", default="given")
    arguments.add_argument("--limit", type=int, default=None, help="pairs to look at; all by default")
    given = arguments.parse_args()
    annotator = load(given.lang, tokens=given.tokens)
    pairs, differing = 0, 0
    for pairs_of_round in single_edits(given.file):
        chosen = pairs_of_round if given.limit is None else pairs_of_round[: given.limit - pairs]
        pairs += len(chosen)
        for pair, block, other in differences(annotator, chosen):
            differing += 1
            print(" ".join(pair.source.forms), block.annotations, other.annotations, sep="\n  ")
    print(f"{pairs} single edits, {differing} typed otherwise when everything is parsed")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
