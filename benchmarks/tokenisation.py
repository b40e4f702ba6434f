#!/usr/bin/env python3
"""How well are tokens and sentences found in raw text without models?

python benchmarks/tokenisation.py LANG=TREEBANK.conllu...

Prints F1 of token spans and of sentence spans against a treebank of Universal Dependencies, by white space alone
and by the pack's rules. Texts are five sentences of the treebank joined by spaces. A multi-word token counts as
jperrant reads it: as its words where they spell it, else as one token. Rules are written with development sets in
view, and test sets measure them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path

from bench import parser_of

import jperrant
from jperrant.core.text import sentence_of
from jperrant.core.values import Sentence
from jperrant.io.conllu_files import parse_conllu

#: Sentences a text.
SIZE = 5
#: A token with a space inside, which M2 cannot hold.
SPACED = re.compile(r"^[\d-]+\t[^\t\n]* ", re.MULTILINE)
#: The columns after the form.
ANALYSIS = re.compile(r"(\t[^\t]*){8}$")
Spans = tuple[set[tuple[int, int]], set[tuple[int, int]]]


def spans(sentences: Sequence[Sentence]) -> Spans:
    """Return the spans of the tokens and of the sentences of a text, by its characters without white space."""
    tokens = [0, *accumulate(len(form) for sentence in sentences for form in sentence.forms)]
    ends = [0, *accumulate(sum(map(len, sentence.forms)) for sentence in sentences)]
    return set(pairwise(tokens)), set(pairwise(ends))


def gold(path: str) -> Iterator[tuple[str, Spans]]:
    """Yield the texts of a treebank with their spans."""
    blocks = Path(path).read_text("utf-8").split("\n\n")
    kept = [block for block in blocks if "# text = " in block and not SPACED.search(block)]
    texts = [
        line.partition("# text = ")[2] for block in kept for line in block.splitlines() if "# text = " in line
    ]
    bare = [ANALYSIS.sub("\t_" * 8, line) for block in kept for line in (*block.splitlines(), "")]
    sentences = list(parse_conllu(bare, path))
    for first in range(0, len(texts), SIZE):
        yield " ".join(texts[first : first + SIZE]), spans(sentences[first : first + SIZE])


def f1(pairs: Sequence[tuple[set[tuple[int, int]], set[tuple[int, int]]]]) -> float:
    right = sum(len(found & wanted) for found, wanted in pairs)
    return 2 * right / max(1, sum(len(found) + len(wanted) for found, wanted in pairs))


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("treebanks", nargs="+", metavar="LANG=TREEBANK.conllu")
    given = parser.parse_args().treebanks
    print("| language | tokens | white space | rules | sentences |\n| --- | ---: | ---: | ---: | ---: |")
    for argument in given:
        lang, _, path = argument.partition("=")
        texts, wanted = zip(*gold(path), strict=True)
        analyser = jperrant.load(lang, models="none", dictionary="none").parser
        ours = list(map(spans, analyser.tokenize(texts)))
        plain = [spans([sentence_of(text)]) for text in texts]
        shares = [
            f1([(found[kind], right[kind]) for found, right in zip(rows, wanted, strict=True)])
            for rows, kind in ((plain, 0), (ours, 0), (ours, 1))
        ]
        print(
            f"| `{lang}` | {sum(len(one[0]) for one in wanted):,} | {' | '.join(f'{n:.1%}' for n in shares)} |"
        )


if __name__ == "__main__":
    main()
