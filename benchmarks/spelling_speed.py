#!/usr/bin/env python3
"""How much slower is annotation with a spelling dictionary than without?

    pip install 'jperrant[dictionaries]'
    python benchmarks/spelling_speed.py [de cs uk …] [--pairs 3000] [--misspelt 0.05]

Annotates made pairs without models (as ``annotate --models none``), with the pack's dictionary and with none. The
corrections are those of benchmarks/data/multi. In the sources one word in 20 is misspelt by a change of letters
(in the learners' German itself one in 39), with a fixed seed, so that few misspellings come twice, and one in 10 is
left out. Prints pairs a second, the ratio of the times, and the seconds that reading the dictionary takes once.
The best of five rounds in processor time, alternating; every round begins with the dictionary read and nothing
looked up.
"""

from __future__ import annotations

import argparse
import random
import time

from port_agreement import DATA, FILES

import jperrant
from jperrant.core.edits import apply_edits
from jperrant.io.m2 import read_m2

ROUNDS = 5
LEFT_OUT = 0.1


def made_pairs(lang: str, count: int, every: float) -> list[tuple[str, str]]:
    """Return pairs of a misspelt sentence and its correction; the same ones every time."""
    chance = random.Random(7)
    blocks = list(read_m2(str(DATA / FILES[lang][0])))
    corrections = [list(apply_edits(b.source, a.edits)) for b in blocks for a in b.annotations]
    pairs = []
    for number in range(count):
        words = corrections[number % len(corrections)]
        source = [misspelt(word, chance) if chance.random() < every else word for word in words]
        source = [word for word in source if chance.random() >= LEFT_OUT] or words
        pairs.append((" ".join(source), " ".join(words)))
    return pairs


def misspelt(word: str, chance: random.Random) -> str:
    """Return a word with one letter doubled, dropped, or swapped with the next."""
    if len(word) < 3 or not word.isalpha():
        return word
    n = chance.randrange(len(word) - 1)
    middle = chance.choice((word[n] * 2 + word[n + 1], word[n + 1], word[n + 1] + word[n]))
    return word[:n] + middle + word[n + 2 :]


def seconds(lang: str, dictionary: str, pairs: list[tuple[str, str]]) -> tuple[float, float]:
    """Return the processor seconds of reading the dictionary, and of annotating the pairs."""
    annotator = jperrant.load(lang, models="none", dictionary=dictionary)
    start = time.process_time()
    annotator.pack.vocabulary.knows("x")
    read = time.process_time()
    for _ in annotator.annotate_many(pairs):
        pass
    return read - start, time.process_time() - read


def compare(lang: str, count: int, every: float) -> None:
    """Print a line of the table."""
    pairs = made_pairs(lang, count, every)
    best: dict[str, list[float]] = {"none": [], "auto": []}
    reading = []
    for _ in range(ROUNDS):
        for dictionary, times in best.items():
            read, annotating = seconds(lang, dictionary, pairs)
            times.append(annotating)
            reading += [read] if dictionary == "auto" else []
    without, with_ = min(best["none"]), min(best["auto"])
    print(
        f"{lang:<6}{count:>7}{count / without:>12.0f}{count / with_:>12.0f}{with_ / without:>8.2f}"
        f"{min(reading):>9.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("languages", nargs="*", metavar="LANG", help=f"{', '.join(FILES)}; all by default")
    parser.add_argument("--pairs", type=int, default=3000, help="how many; 3000 by default")
    parser.add_argument("--misspelt", type=float, default=0.05, help="share of words; 0.05 by default")
    options = parser.parse_args()
    print(f"{'':<6}{'pairs':>7}{'none /s':>12}{'with /s':>12}{'ratio':>8}{'read s':>9}")
    for lang in options.languages or FILES:
        compare(lang, options.pairs, options.misspelt)


if __name__ == "__main__":
    main()
