#!/usr/bin/env python3
"""What does Korean typing add to annotation without tagging? Analysed tokens in, typed edits out.

python benchmarks/ko_speed.py FILE.conllu [--sentences 1000] [--rounds 5]

Sentences come with their analysis; the target of each is the sentence with about every eighth eojeol changed, left
out, put in or written together with the next. One run measures in turns, and reports the best of the rounds:

whole: ``annotate_many`` with the Korean pack, reading the CoNLL-U file apart;
align: the same without the types (alignment and the generic merging), what annotating takes in any language;
plain, cut: merging alone, as any language does it and with the Korean pack;
type: the Korean rules alone;
generic: the whole with the generic pack instead.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

import jperrant
from jperrant.alignment.tokens import align_tokens
from jperrant.annotation.annotator import Annotator
from jperrant.core.values import Parallel, Sentence, Token
from jperrant.edits.merge import merge
from jperrant.io.conllu import read_conllu
from jperrant.packs import load_pack
from jperrant.parse.analyser import PretokenisedParser

SHARE = 8


def changed(sentence: Sentence, pool: list[Token], rng: random.Random) -> Sentence:
    """Return a sentence with some eojeols changed."""
    tokens: list[Token] = []
    for token in sentence.tokens:
        kind = rng.randrange(5 * SHARE)
        if kind == 0:
            continue
        if kind == 1:
            tokens.append(rng.choice(pool))
        if kind == 2 and tokens:
            last = tokens.pop()
            token = token._replace(form=last.form + token.form, lemma=f"{last.lemma}+{token.lemma}",
                            xpos=f"{last.xpos}+{token.xpos}")  # fmt: skip
        tokens.append(rng.choice(pool) if kind in (3, 4) else token)
    tokens = tokens or list(sentence.tokens)
    return Sentence(tuple(tokens), " ".join(t.form for t in tokens))


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", help="a CoNLL-U file of Korean")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rng = random.Random(4)
    sentences = [s for s, _ in zip(read_conllu(options.file), range(options.sentences), strict=False)]
    pool = [t for s in sentences for t in s.tokens]
    pairs = [(s, changed(s, pool, rng)) for s in sentences]
    annotator = jperrant.load("ko", models="none")
    pack = annotator.pack
    alignments = [align_tokens(s, t, pack.costs) for s, t in pairs]
    spans = [annotator.merge(a) for a in alignments]

    def align() -> None:
        for s, t in pairs:
            merge(align_tokens(s, t, pack.costs))

    def cut() -> None:
        for alignment in alignments:
            annotator.merge(alignment)

    def plain() -> None:
        for alignment in alignments:
            merge(alignment)

    def types() -> None:
        for (s, t), found in zip(pairs, spans, strict=True):
            for span in found:
                annotator.classify(s, t, span)

    def whole() -> None:
        for _ in annotator.annotate_many(Parallel(s, (t,)) for s, t in pairs):
            pass

    generic = Annotator(load_pack("generic"), PretokenisedParser())

    def other() -> None:
        for _ in generic.annotate_many(Parallel(s, (t,)) for s, t in pairs):
            pass

    works = {"whole": whole, "align": align, "plain": plain, "cut": cut, "type": types, "generic": other}
    best = dict.fromkeys(works, float("inf"))
    for _ in range(options.rounds):
        for name, work in works.items():
            best[name] = min(best[name], timed(work))
    edits = sum(map(len, spans))
    added = best["cut"] - best["plain"] + best["type"]
    print(f"{len(pairs)} pairs, {edits} edits; ms for 1000 pairs, best of {options.rounds} rounds")
    for name, seconds in best.items():
        print(f"{name:>8} {1e6 * seconds / len(pairs):8.1f}")
    print(f"typing alone: {best['type'] / (best['whole'] - best['type']):.1%} on top of the rest")
    print(f"Korean pack to generic pack: {best['whole'] / best['generic']:.2f}")
    print(f"typing and Korean cutting: {added / (best['whole'] - added):.1%} on top of the rest")


if __name__ == "__main__":
    main()
