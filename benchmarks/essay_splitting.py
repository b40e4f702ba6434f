#!/usr/bin/env python3
"""How well are essays by learners split into sentences, by kind of damage and by option?

python benchmarks/essay_splitting.py TREEBANK... [--lang en] [--models compact] [--sentences 600]

Essays like those of MultiGEC are made from CoNLL-U files: paragraphs of a few sentences, three paragraphs an essay,
and then damaged as learners write: no final stops, doubled stops, sentences that begin in lower case, lists with a
line an item, emoji, lines that end anywhere. Each essay has one kind of damage; the same sentences are in each. The
table has a row for each kind of damage and a column for each value of ``--split-on``: the F1 of sentences, in per
cent. A sentence is right if its first and last character are, white space not counted.

For example, with the learner files of UD: python benchmarks/essay_splitting.py dev.conllu.xz
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from bench import CONLL, Row, parser_of

import jperrant
from jperrant.core.conllu import ConlluSentence, conllu_sentences
from jperrant.core.text import Splitting
from jperrant.io.files import read_lines

STOPS = ".!?。！？…"
EMOJI = ("😀", "❤️", ":)", "👍", "😂")
OPTIONS = (Splitting.AUTO, Splitting.BLANK, Splitting.NEWLINE, Splitting.MODEL, Splitting.ONE_PER_LINE)
JOINED = {"zh", "ja"}


def text_of(sentence: ConlluSentence) -> str:
    """Return the surface text of a sentence, with its spaces."""
    text, inside = "", 0
    for row in sentence.rows:
        if "-" in row[0]:
            inside = int(row[0].partition("-")[2])
        elif int(row[0]) <= inside:
            continue
        text += row[1] + ("" if "SpaceAfter=No" in row[9].split("|") else " ")
    return text.strip()


def closed_up(text: str) -> str:
    """Return a text without the spaces that tokenised files have before marks and clitics."""
    for mark in (*".,!?;:", "n't", "'s", "'m", "'re", "'ve", "'ll", "'d"):
        text = text.replace(f" {mark} ", f"{mark} ")
        text = text.removesuffix(f" {mark}") + mark if text.endswith(f" {mark}") else text
    return text


Damage = Callable[[list[str], random.Random], list[str]]


def no_stops(sentences: list[str], chance: random.Random) -> list[str]:
    return [s.rstrip(STOPS + " ") or s if chance.random() < 0.5 else s for s in sentences]


def doubled_stops(sentences: list[str], chance: random.Random) -> list[str]:
    return [s + s[-1] * chance.choice((1, 2)) if s[-1] in STOPS else s for s in sentences]


def lower_case(sentences: list[str], chance: random.Random) -> list[str]:
    return [s[0].lower() + s[1:] if chance.random() < 0.7 else s for s in sentences]


def emoji(sentences: list[str], chance: random.Random) -> list[str]:
    return [
        f"{s.rstrip(STOPS + ' ') or s} {chance.choice(EMOJI)}" if chance.random() < 0.5 else s
        for s in sentences
    ]


def items(sentences: list[str], chance: random.Random) -> list[str]:
    mark = chance.choice(("- ", "* ", "• ", ""))
    return [f"{mark or f'{n}. '}{s.rstrip(STOPS + ' ') or s}" for n, s in enumerate(sentences, start=1)]


def as_they_are(sentences: list[str], _: random.Random) -> list[str]:
    return sentences


#: The kinds of damage; what joins the sentences of a paragraph: a space, a line, or lines that end anywhere.
DAMAGES: dict[str, tuple[Damage, str]] = {
    "none": (as_they_are, "space"),
    "no final stops": (no_stops, "space"),
    "doubled stops": (doubled_stops, "space"),
    "lower-case starts": (lower_case, "space"),
    "emoji for stops": (emoji, "space"),
    "wrapped lines": (as_they_are, "wrapped"),
    "a sentence a line": (as_they_are, "line"),
    "a sentence a line, no stops": (no_stops, "line"),
    "lists": (items, "line"),
}


def essays(
    sentences: Sequence[str], damage: Damage, joint: str, space: str
) -> Iterator[tuple[str, list[str]]]:
    """Yield essays with their sentences."""
    chance = random.Random(7)
    rest = list(sentences)
    while rest:
        paragraphs, gold = [], []
        for _ in range(3):
            size = chance.randint(3, 6)
            part, rest = rest[:size], rest[size:]
            if not part:
                break
            part = damage(part, chance)
            gold += part
            text = ("\n" if joint == "line" else space).join(part)
            paragraphs.append(_wrapped(text, chance, space) if joint == "wrapped" else text)
        yield "\n\n".join(paragraphs), gold


def _wrapped(text: str, chance: random.Random, space: str) -> str:
    """Break lines after 50 to 70 characters, at spaces where there are any."""
    lines, line = [], ""
    for word in text.split(" ") if space else text:
        if len(line) > chance.randint(50, 70):
            lines.append(line)
            line = ""
        line += (space if line else "") + word
    return "\n".join([*lines, line])


def spans(pieces: Sequence[str]) -> set[tuple[int, int]]:
    """Return where pieces of a text begin and end, white space not counted."""
    found, place = set(), 0
    for piece in pieces:
        size = len("".join(piece.split()))
        found.add((place, place + size))
        place += size
    return found


def f1(essays: Sequence[tuple[str, list[str]]], annotator: jperrant.Annotator) -> float:
    """Return the F1 of sentences over essays."""
    right = guessed = true = 0
    for (_, gold), found in zip(essays, annotator.segment([text for text, _ in essays]), strict=True):
        ours, theirs = spans([s.text for s in found]), spans(gold)
        right, guessed, true = right + len(ours & theirs), guessed + len(ours), true + len(theirs)
    return 200 * right / (guessed + true)


def read(path: Path, most: int) -> list[str]:
    """Return the texts of the first sentences of a treebank."""
    return [closed_up(text_of(s)) for s in conllu_sentences(read_lines(str(path)), str(path))][:most]


def rows() -> Iterator[Row]:
    """Yield F1 of the default beside that of the models alone, on sources of CoNLL-2014."""
    blocks = islice(jperrant.read_m2(str(CONLL / "conll14.errant")), 300)
    sentences = [closed_up(" ".join(block.source)) for block in blocks]
    ours, other = (jperrant.load("en", split_on=option) for option in (Splitting.AUTO, Splitting.MODEL))
    for name in ("none", "no final stops", "a sentence a line, no stops"):
        made = list(essays(sentences, *DAMAGES[name], " "))
        here, there = f1(made, ours), f1(made, other)
        yield Row(f"essays split, {name}: F1, models alone", f"{here:.1f}", f"{there:.1f}", here / there)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("treebanks", nargs="+", type=Path)
    parser.add_argument("--lang", default="en")
    parser.add_argument("--models", default="compact")
    parser.add_argument("--sentences", type=int, default=600)
    parser.add_argument("--options", nargs="+", default=[option.value for option in OPTIONS])
    given = parser.parse_args()
    space = "" if given.lang in JOINED else " "
    annotators = {
        option: jperrant.load(given.lang, models=given.models, split_on=option) for option in given.options
    }
    for path in given.treebanks:
        sentences = read(path, given.sentences)
        print(f"{path.name}: {len(sentences)} sentences, models {given.models}")
        print(f"{'':30}" + "".join(f"{option.split('-')[0]:>10}" for option in given.options))
        for name, (damage, joint) in DAMAGES.items():
            made = list(essays(sentences, damage, joint, space))
            row = "".join(f"{f1(made, annotator):10.2f}" for annotator in annotators.values())
            print(f"{name:30}{row}", flush=True)


if __name__ == "__main__":
    main()
