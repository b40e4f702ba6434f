#!/usr/bin/env python3
"""What does a pack's parser lose by keeping to the relations that each class of words has in its treebank?

    python benchmarks/relation_classes.py en test.conllu zh test.conllu …

Tokens and sentences are the treebank's, tags and lemmas the models'. LAS is that of CoNLL 2018: without subtypes.
"""

from __future__ import annotations

import argparse

from jperrant.compact.parser import GraphParser
from jperrant.compact.weights import read_model
from jperrant.compact.words import Arc
from jperrant.core.conllu import DEPREL, FORM, conllu_sentences
from jperrant.core.values import Sentence
from jperrant.io.files import read_lines
from jperrant.packs import load_pack
from jperrant.parse.analyser import Language
from jperrant.parse.compact_analyser import CompactAnalyser
from jperrant.parse.word_analyser import words_to_read

_HEAD = 6


def compared(lang: str, path: str) -> str:
    """Return a row of the table: words, relations and heads that differ, LAS of any relation and of the class's."""
    sentences = [sentence.words for sentence in conllu_sentences(read_lines(path), path)]
    analyser = CompactAnalyser("compact", Language(lang, lang, load_pack(lang).compact))
    forms = [Sentence.from_forms([row[FORM] for row in sentence]) for sentence in sentences]
    words = list(map(words_to_read, analyser.tag(forms)))
    arcs = {"any": GraphParser(read_model(analyser.models.files["depparse"])).parse(words)}
    arcs["class"] = analyser.networks.arcs(words)
    pairs = [
        pair for rows in zip(arcs["any"], arcs["class"], strict=True) for pair in zip(*rows, strict=True)
    ]
    relations, heads = (
        sum(getattr(a, name) != getattr(b, name) for a, b in pairs) for name in ("deprel", "head")
    )
    las = [100 * sum(map(correct, sentences, found)) / len(pairs) for found in arcs.values()]
    return f"{lang:<10}{len(pairs):>8,}{relations:>12}{heads:>8}{las[0]:>10.2f}{las[1]:>10.2f}"


def correct(sentence: list[tuple[str, ...]], arcs: list[Arc]) -> int:
    """Return how many words of a sentence have the head and the relation of the treebank."""
    return sum(
        int(row[_HEAD]) == arc.head and row[DEPREL].partition(":")[0] == arc.deprel.partition(":")[0]
        for row, arc in zip(sentence, arcs, strict=True)
    )


def treebanks(description: str | None) -> list[tuple[str, str]]:
    """Return the languages and treebanks that the command line names."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("gold", nargs="+", metavar="LANG TREEBANK", help="a pack and a treebank in CoNLL-U")
    gold = parser.parse_args().gold
    if len(gold) % 2:
        parser.error("give a treebank after each language")
    return list(zip(gold[::2], gold[1::2], strict=True))


def main() -> None:
    gold = treebanks(__doc__)
    print(f"{'language':<10}{'words':>8}{'relations':>12}{'heads':>8}{'any: LAS':>10}{'class':>10}")
    for lang, path in gold:
        print(compared(lang, path), flush=True)


if __name__ == "__main__":
    main()
