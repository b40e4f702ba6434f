"""How fast sentences are tagged and parsed: jperrant's parser and a plain batched call of Stanza's pipeline.

Both read the same tokenised sentences with the same embedded models in one process, each from a fresh start, so
that neither profits from words seen before; the best of some rounds counts. Outputs are compared word by word.

    python benchmarks/parse_speed.py --sentences tokenised.txt --lang en

A line of the file is a sentence, its tokens separated by spaces; or the file is CoNLL-U, whose words are taken.
Without a file the CoNLL-2014 sources of the tests are read.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CONLL = Path(__file__).parent.parent / "tests" / "data" / "conll14" / "conll14.errant"
FIELDS = ("upos", "xpos", "feats", "lemma", "head", "deprel")


def sentences_of(path: str) -> list[list[str]]:
    from jperrant.core.conllu import conllu_sentences
    from jperrant.io.files import read_lines
    from jperrant.io.m2 import read_m2

    if not path:
        return [list(block.source) for block in read_m2(str(CONLL)) if block.source]
    if ".conllu" in path:
        return [
            [word[1].replace(" ", "") for word in s.words] for s in conllu_sentences(read_lines(path), path)
        ]
    return [line.split() for line in Path(path).read_text(encoding="utf-8").splitlines() if line.split()]


def best(
    prepare: Callable[[], Callable[[], Any]], rounds: int, clock: Callable[[], float]
) -> tuple[float, Any]:
    """Return the least seconds a call takes, made anew for each round, and its result."""
    least, result = float("inf"), None
    for _ in range(rounds):
        call = prepare()
        start = clock()
        result = call()
        least = min(least, clock() - start)
    return least, result


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--lang", default="en")
    options.add_argument("--sentences", default="")
    options.add_argument("--most", type=int, default=1000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--threads", type=int, default=1)
    given = options.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(given.threads)

    import stanza
    import torch

    from jperrant.core.values import Sentence
    from jperrant.packs import load_pack
    from jperrant.parse.analyser import Language
    from jperrant.parse.compact_analyser import CompactAnalyser

    torch.set_num_threads(given.threads)
    # One thread: its own seconds, whatever else the machine does.
    clock = time.process_time if given.threads == 1 else time.perf_counter
    pack = load_pack(given.lang)
    language = Language(pack.code, pack.stanza_lang, pack.compact)
    models = CompactAnalyser("compact", language).models
    forms = sentences_of(given.sentences)[: given.most]
    words = sum(map(len, forms))
    rows = [Sentence.from_forms(s) for s in forms]
    print(f"{len(forms):,} sentences, {words:,} tokens, {given.threads} thread(s), best of {given.rounds}")
    print(f"{'':<24}{'tokens/s plain':>16}{'jperrant':>10}{'ratio':>7}  differences")
    for title, processors in (("tags and lemmas", "pos,lemma"), ("with dependencies", "pos,lemma,depparse")):
        parsing = "depparse" in processors

        def plain(processors: str = processors) -> Callable[[], Any]:
            pipeline = stanza.Pipeline(
                models.lang, dir=str(models.folder), processors="tokenize," + processors, verbose=False,
                tokenize_pretokenized=True, download_method=None,
            )  # fmt: skip
            pipeline([["a", "."]])
            return lambda: pipeline(forms)

        def ours(parsing: bool = parsing) -> Callable[[], Any]:
            parser = CompactAnalyser("compact", language)
            parser.parse(parser.tag([Sentence.from_forms(["a", "."])]))
            return lambda: parser.parse(parser.tag(rows)) if parsing else parser.tag(rows)

        slow, document = best(plain, given.rounds, clock)
        quick, parsed = best(ours, given.rounds, clock)
        fields = FIELDS if parsing else FIELDS[:4]
        differences = sum(
            (getattr(word, field) or ("" if field != "head" else 0)) != getattr(token, field)
            for sentence, own in zip(document.sentences, parsed, strict=True)
            for word, token in zip(sentence.words, own.tokens, strict=True)
            for field in fields
        )
        print(
            f"{title:<24}{words / slow:>16,.0f}{words / quick:>10,.0f}{slow / quick:>7.2f}  {differences}",
            flush=True,
        )


if __name__ == "__main__":
    main()
