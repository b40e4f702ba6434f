#!/usr/bin/env python3
"""Does word mode see the moves of words that character mode sees?

python benchmarks/zh_moves.py FILE.conllu[.xz] [--sentences 250]

In each sentence a few words change places with their neighbours; the corrected side is the sentence as it was. Both
levels read raw text with the embedded models. A pair counts where an edit is ``R:WO``.
"""

from __future__ import annotations

import argparse
import lzma
import random
from collections.abc import Iterator
from pathlib import Path

import jperrant
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel

MARKS = frozenset("，。！？、：；")


def sentences(path: Path) -> Iterator[list[str]]:
    """Yield the words of the sentences of 6 to 25 words."""
    data = path.read_bytes()
    text = (lzma.decompress(data) if path.suffix == ".xz" else data).decode("utf-8")
    for block in text.split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if line[:1].isdigit()]
        words = [row[1] for row in rows if row[0].isdigit()]
        if 6 <= len(words) <= 25:
            yield words


def moved(words: list[str], rng: random.Random) -> str:
    """Return the text with one to three words moved over at most five; unchanged where no place is found."""
    for _ in range(50):
        start, size, over = rng.randrange(len(words) - 3), rng.randrange(1, 4), rng.randrange(1, 6)
        middle, end = start + size, start + size + over
        if end <= len(words) and MARKS.isdisjoint(words[start:end]):
            return "".join(words[:start] + words[middle:end] + words[start:middle] + words[end:])
    return "".join(words)


def main() -> None:
    """Print how many pairs have a move between characters, between words, and on both levels."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, help="a CoNLL-U file of Chinese")
    parser.add_argument("--sentences", type=int, default=250)
    options = parser.parse_args()
    rng = random.Random(1)
    rows = list(sentences(options.file))
    rng.shuffle(rows)
    texts = [(moved(words, rng), "".join(words)) for words in rows[: options.sentences]]
    pairs = [Parallel(sentence_of(s), (sentence_of(t),)) for s, t in texts if s != t]
    seen = []
    for tokens in ("characters", "words"):
        blocks = jperrant.load("zh", tokens=tokens).annotate_many(pairs)
        seen.append([any(e.type == "R:WO" for e in b.annotations[0].edits) for b in blocks])
    both = sum(a and b for a, b in zip(*seen, strict=True))
    print(f"{len(pairs)} pairs with a move: characters {sum(seen[0])}, words {sum(seen[1])}, both {both}")


if __name__ == "__main__":
    main()
