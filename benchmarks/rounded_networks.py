#!/usr/bin/env python3
"""What does it change that jperrant computes taggers and parsers in bytes, where Stanza has single precision?

    python benchmarks/rounded_networks.py en test.conllu zh test.conllu …

Stanza's pipeline and jperrant read the same models of a pack. Tokens and sentences are the treebank's, tags and
lemmas the models'. LAS is that of CoNLL 2018: without subtypes. What differs is counted in words of 10,000: in
UPOS, XPOS or features, and in heads or relations; in relations also because jperrant keeps to those of a word's
class.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from relation_classes import treebanks

from jperrant.core.conllu import DEPREL, FORM, UPOS, conllu_sentences
from jperrant.core.values import Sentence
from jperrant.io.files import read_lines
from jperrant.packs import load_pack
from jperrant.parse.analyser import Language
from jperrant.parse.compact_analyser import CompactAnalyser

_LEMMA, _XPOS, _HEAD = 2, 4, 6
_TAGS = ("upos", "xpos", "feats")


class Analysis(NamedTuple):
    """What one of both says of a word; what there is none of is empty."""

    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    deprel: str

    @classmethod
    def of(cls, word: Any) -> Analysis:
        """Return the analysis of a word of Stanza's or of a token."""
        values = [getattr(word, name) for name in cls._fields]
        return cls(
            *(
                0 if name == "head" and not value else value or ""
                for name, value in zip(cls._fields, values, strict=True)
            )
        )


def plain(models: Any, forms: Sequence[Sequence[str]]) -> list[Analysis]:
    """Return what Stanza's own pipeline says of the words of sentences."""
    import stanza

    pipeline = stanza.Pipeline(
        models.lang, dir=str(models.folder), processors="tokenize,pos,lemma,depparse", verbose=False,
        tokenize_pretokenized=True, download_method=None,
    )  # fmt: skip
    document = pipeline([list(sentence) for sentence in forms])
    return [Analysis.of(word) for sentence in document.sentences for word in sentence.words]


def ours(analyser: CompactAnalyser, forms: Sequence[Sequence[str]]) -> list[Analysis]:
    """Return what jperrant says of the words of sentences."""
    sentences = analyser.parse(analyser.tag([Sentence.from_forms(sentence) for sentence in forms]))
    return [Analysis.of(token) for sentence in sentences for token in sentence.tokens]


def scores(gold: Sequence[tuple[str, ...]], found: Sequence[Analysis]) -> list[float]:
    """Return the shares in percent of words with the right UPOS, XPOS and lemma, UAS and LAS.

    Of a treebank without lemmas that share is not a number.
    """
    right = [0] * 5
    for row, word in zip(gold, found, strict=True):
        is_head = int(row[_HEAD]) == word.head
        is_arc = is_head and row[DEPREL].partition(":")[0] == word.deprel.partition(":")[0]
        checks = [
            row[UPOS] == word.upos,
            row[_XPOS] == (word.xpos or "_"),
            row[_LEMMA] == word.lemma,
            is_head,
            is_arc,
        ]
        right = [count + check for count, check in zip(right, checks, strict=True)]
    shares = [100 * count / len(gold) for count in right]
    if all(row[_LEMMA] == "_" for row in gold):
        shares[2] = math.nan
    return shares


def rows(lang: str, path: str) -> list[str]:
    """Return two rows of the table: Stanza's scores, and those of jperrant with what differs."""
    sentences = [sentence.words for sentence in conllu_sentences(read_lines(path), path)]
    gold = [row for sentence in sentences for row in sentence]
    forms = [[row[FORM].replace(" ", "") for row in sentence] for sentence in sentences]
    pack = load_pack(lang)
    analyser = CompactAnalyser("compact", Language(pack.code, pack.stanza_lang, pack.compact))
    expected, found = plain(analyser.models, forms), ours(analyser, forms)
    pairs = list(zip(expected, found, strict=True))
    tags = sum(any(getattr(a, name) != getattr(b, name) for name in _TAGS) for a, b in pairs)
    arcs = sum((a.head, a.deprel) != (b.head, b.deprel) for a, b in pairs)
    lines = []
    for name, words, more in (
        ("Stanza", expected, ""),
        ("jperrant", found, "".join(f"{10_000 * count / len(gold):>7.1f}" for count in (tags, arcs))),
    ):
        figures = "".join(f"{'-' if math.isnan(s) else f'{s:.2f}':>8}" for s in scores(gold, words))
        lines.append(f"{lang:<6}{len(gold):>8,}  {name:<9}{figures}{more}")
    return lines


def main() -> None:
    gold = treebanks(__doc__)
    heads = "".join(f"{name:>8}" for name in ("UPOS", "XPOS", "lemma", "UAS", "LAS"))
    print(f"{'':<6}{'words':>8}  {'':<9}{heads}{'tags':>7}{'arcs':>7}")
    for lang, path in gold:
        print("\n".join(rows(lang, path)), flush=True)


if __name__ == "__main__":
    main()
