#!/usr/bin/env python3
"""How well and how fast are sentences aligned, compared with Gale-Church, on simulated boundary and token noise?

Takes the CoNLL-2014 sentences bundled with the tests, changes boundaries and words of a copy and compares the
groups found with the true ones:

    python benchmarks/sentence_alignment.py [--seeds 10]
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench import CONLL, Row, faster, parser_of

from jperrant.alignment.gale_church import align_gale_church
from jperrant.alignment.sentences import SentenceAlignment, align_sentences
from jperrant.io.m2 import read_m2

REWRITES = {
    "n't": "not", "'s": "is", "'re": "are", "'ll": "will", "can": "ca", "cannot": "can not", '"': "''", "``": '"',
    "'": "’", "-": "–", "--": "—", "(": "-LRB-", ")": "-RRB-",
}  # fmt: skip
LETTERS = "abcdefghijklmnopqrstuvwxyz"

Sentences = list[list[str]]
Groups = set[tuple[range, range]]
Aligner = Callable[[Sequence[str], Sequence[str]], SentenceAlignment]


@dataclass(frozen=True, slots=True)
class Noise:
    """Rates, per boundary, token or sentence, at which the copy departs from the text."""

    name: str
    boundaries: float
    rewrites: float = 0.0
    misspelt: float = 0.0
    dropped: float = 0.0
    moved: float = 0.0
    sentences_deleted: float = 0.0
    sentences_inserted: float = 0.0
    sentences_moved: float = 0.0

    @property
    def keeps_sentences(self) -> bool:
        """Whether every sentence is in both texts, at the same place."""
        return not (self.sentences_deleted or self.sentences_inserted or self.sentences_moved)


NOISES = (
    Noise("boundaries 2 %", 0.02),
    Noise("boundaries 10 %", 0.10),
    Noise("boundaries 50 %", 0.50),
    Noise("10 % + contractions, quotes, hyphens", 0.10, rewrites=0.5),
    Noise("10 % + 2 % misspelt, 0.3 % dropped", 0.10, misspelt=0.02, dropped=0.003),
    Noise("10 % + 10 % misspelt, 2 % dropped", 0.10, misspelt=0.10, dropped=0.02),
    Noise("30 % moved by a word, 30 % misspelt", 0.0, misspelt=0.30, moved=0.30),
)
#: Whole sentences that only one side has, or that stand elsewhere.
MISSING = (
    Noise("1 % of sentences deleted", 0.0, sentences_deleted=0.01),
    Noise("3 % deleted", 0.0, sentences_deleted=0.03),
    Noise("3 % inserted", 0.0, sentences_inserted=0.03),
    Noise("3 % moved", 0.0, sentences_moved=0.03),
    Noise("1 % each, boundaries 10 %", 0.10, 0, 0, 0, 0, 0.01, 0.01, 0.01),
    Noise("1 % each, boundaries 10 %, 2 % misspelt", 0.10, 0, 0.02, 0.003, 0, 0.01, 0.01, 0.01),
    Noise("10 % each", 0.0, 0, 0, 0, 0, 0.10, 0.10, 0.10),
)
#: Sentences kept aside for insertion, and how far a sentence moves at least and at most.
SPARE, NEAREST, FARTHEST = 312, 5, 50


def read_corpus() -> Sentences:
    return [list(block.source) for block in read_m2(str(CONLL / "conll14.errant"))]


def change_word(word: str, noise: Noise, rng: random.Random) -> str:
    if word.lower() in REWRITES and rng.random() < noise.rewrites:
        return REWRITES[word.lower()]
    if rng.random() < noise.misspelt:
        at = rng.randrange(len(word))
        letter = rng.choice(LETTERS)
        return rng.choice(
            [word[:at] + word[at + 1 :], word[:at] + letter + word[at:], word[:at] + letter + word[at + 1 :]]
        )
    return word


def noisy_copy(
    sentences: Sentences, noise: Noise, rng: random.Random
) -> tuple[Sentences, set[tuple[range, range]]]:
    """Return a copy with other boundaries and words, and the true groups."""
    ends, at = [], 0
    for sentence in sentences:
        at += len(sentence)
        ends.append(at)
    bounds = set(ends)
    for start, end in zip([0, *ends], ends, strict=False):
        if end < at and rng.random() < noise.boundaries / 2:
            bounds.discard(end)
        if 1 < end < at - 1 and noise.moved and rng.random() < noise.moved:
            bounds.discard(end)
            bounds.add(end + rng.choice((-1, 1)))
        if end - start > 1 and rng.random() < noise.boundaries / 2:
            bounds.add(rng.randrange(start + 1, end))
    copy, current, token = [], [], 0
    for sentence in sentences:
        for word in sentence:
            token += 1
            # The last word stays if the sentence would be empty without it.
            if rng.random() >= noise.dropped or (token in bounds and not current):
                current.append(change_word(word, noise, rng))
            if token in bounds:
                copy.append(current)
                current = []
    return copy, true_groups(ends, sorted(bounds))


def with_missing(
    sentences: Sentences, noise: Noise, rng: random.Random
) -> tuple[Sentences, Sentences, Groups]:
    """Return a text, a copy that lacks sentences, has others or has them elsewhere, and the true groups."""
    sentences = rng.sample(sentences, len(sentences))
    spare, sentences = sentences[:SPARE], sentences[SPARE:]
    deleted, inserted = changes(sentences, spare, noise, rng)
    copy: Sentences = []
    groups: Groups = set()
    start = 0
    for n in range(len(sentences) + 1):
        if n < len(sentences) and n not in deleted and n not in inserted:
            continue
        if start < n:
            stretch, pairs = noisy_copy(sentences[start:n], noise, rng)
            groups |= {(_shifted(left, start), _shifted(right, len(copy))) for left, right in pairs}
            copy += stretch
        for sentence in inserted.get(n, []):
            groups.add((range(n, n), range(len(copy), len(copy) + 1)))
            copy.append(sentence)
        if n in deleted:
            groups.add((range(n, n + 1), range(len(copy), len(copy))))
        start = n + (n in deleted)
    return sentences, copy, groups


def changes(
    sentences: Sentences, spare: Sentences, noise: Noise, rng: random.Random
) -> tuple[set[int], dict[int, Sentences]]:
    """Return which sentences are deleted, and what is inserted before which."""
    deleted: set[int] = set()
    inserted: dict[int, Sentences] = {}
    for n, sentence in enumerate(sentences):
        if rng.random() < noise.sentences_inserted:
            inserted.setdefault(n, []).append(rng.choice(spare))
        if rng.random() < noise.sentences_deleted:
            deleted.add(n)
        elif rng.random() < noise.sentences_moved:
            deleted.add(n)
            distance = rng.choice((-1, 1)) * rng.randint(NEAREST, FARTHEST)
            target = n + distance if 0 <= n + distance <= len(sentences) else n - distance
            inserted.setdefault(target, []).append(sentence)
    return deleted, inserted


def _shifted(numbers: range, by: int) -> range:
    return range(numbers.start + by, numbers.stop + by)


def true_groups(left: list[int], right: list[int]) -> set[tuple[range, range]]:
    groups, i, j = set(), 0, 0
    where = {offset: n for n, offset in enumerate(right, start=1)}
    for n, offset in enumerate(left, start=1):
        if offset in where:
            groups.add((range(i, n), range(j, where[offset])))
            i, j = n, where[offset]
    return groups


def measure(aligner: Aligner, sentences: Sentences, noise: Noise, seeds: int) -> tuple[float, float, float]:
    """Return precision, recall and seconds."""
    right = found = true = 0
    seconds = 0.0
    for seed in range(seeds):
        rng = random.Random(seed)
        if noise.keeps_sentences:
            original, (copy, expected) = sentences, noisy_copy(sentences, noise, rng)
        else:
            original, copy, expected = with_missing(sentences, noise, rng)
        left_texts, texts = [" ".join(s) for s in original], [" ".join(s) for s in copy]
        start = time.perf_counter()
        alignment = aligner(left_texts, texts)
        seconds += time.perf_counter() - start
        groups = {(g.left, g.right) for g in alignment.groups}
        right, found, true = right + len(groups & expected), found + len(groups), true + len(expected)
    return right / found, right / true, seconds


def compare(sentences: Sentences, seeds: int) -> None:
    print("| noise | jp P | jp R | Gale-Church P | R | Gale-Church time / jp time |")
    print("|---|---|---|---|---|---|")
    for noise in (*NOISES, *MISSING):
        p, r, jp = measure(align_sentences, sentences, noise, seeds)
        gp, gr, gc = measure(align_gale_church, sentences, noise, 1)
        print(
            f"| {noise.name} | {p:.4f} | {r:.4f} | {gp:.4f} | {gr:.4f} | {gc / (jp / seeds):.0f} |",
            flush=True,
        )


def rows() -> Iterator[Row]:
    """Yield the share of true groups that are found, and the time."""
    sentences = read_corpus()
    for noise in (NOISES[1], NOISES[5], MISSING[5]):
        *_, recall, seconds = measure(align_sentences, sentences, noise, 1)
        *_, other, longer = measure(align_gale_church, sentences, noise, 1)
        question = f"true groups, {noise.name}: Gale-Church"
        yield Row(question, f"{recall:.4f}", f"{other:.4f}", recall / other)
        yield faster("the same: time", seconds, longer)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--seeds", type=int, default=10, help="noisy copies per row")
    compare(read_corpus(), parser.parse_args().seeds)


if __name__ == "__main__":
    main()
