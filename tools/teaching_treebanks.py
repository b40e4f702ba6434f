#!/usr/bin/env python3
"""Make two small treebanks that the embedded English models learn from, beside EWT and GUM (recipe.yaml).

python tools/teaching_treebanks.py TRAIN.conllu -o FOLDER

TRAIN is the training file of UD_English-ESLSpok. It tags every *to* as the particle of an infinitive; in
``learner.conllu`` the preposition has the tags that it has in EWT, since one word has one convention.
``patterns.conllu`` has sentences by pattern, with what treebanks seldom have and learners often write: gerunds
without objects (*I enjoy swimming*) and particles (*Please turn on the radio*). Written for jperrant, CC0.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random

Row = tuple[str, ...]

SUBJECTS = (
    ("I", "Number=Sing|Person=1"),
    ("We", "Number=Plur|Person=1"),
    ("They", "Number=Plur|Person=3"),
    ("She", "Gender=Fem|Number=Sing|Person=3"),
    ("He", "Gender=Masc|Number=Sing|Person=3"),
)
VERBS = (
    "enjoy enjoys enjoyed, like likes liked, love loves loved, hate hates hated, avoid avoids avoided, "
    "finish finishes finished, practise practises practised, prefer prefers preferred, miss misses missed, "
    "dislike dislikes disliked, start starts started, stop stops stopped"
)
GERUNDS = (
    "swimming swim, dancing dance, reading read, cooking cook, singing sing, running run, shopping shop, "
    "painting paint, drawing draw, travelling travel, skiing ski, fishing fish, working work, studying study, "
    "driving drive, cycling cycle, walking walk, writing write, climbing climb, playing play"
)
PARTICLES = (
    "turn on, turn off, switch on, switch off, put on, take off, pick up, look up, fill in, give up, throw away, "
    "bring back, write down, clean up, put away, turn down"
)
NOUNS = (
    "light, radio, music, television, heating, coat, book, word, form, box, lamp, computer, phone, paper, bag"
)


def split(pairs: str) -> list[list[str]]:
    """Return the words of each part of a list with commas."""
    return [part.split() for part in pairs.split(", ")]


def word(form: str, lemma: str, tags: str, feats: str, head: int, deprel: str, end: bool = False) -> Row:
    """Return the columns of a word after its number; ``tags`` are UPOS and XPOS."""
    misc = "SpaceAfter=No" if end else "_"
    return (form, lemma, *tags.split(), feats, str(head), deprel, "_", misc)


def stop(head: int) -> Row:
    """Return a full stop."""
    return word(".", ".", "PUNCT .", "_", head, "punct")


def gerunds(random: Random) -> Iterator[list[Row]]:
    """Yield sentences such as *She likes dancing.*"""
    for (subject, person), (base, third, past), (form, lemma) in product(
        SUBJECTS, split(VERBS), split(GERUNDS)
    ):
        if random.random() > 0.3:
            continue
        agreement = person[person.index("Number") :]
        if random.random() < 0.3:
            verb = word(past, base, "VERB VBD", f"Mood=Ind|{agreement}|Tense=Past|VerbForm=Fin", 0, "root")
        else:
            present, tag = (third, "VBZ") if subject in ("She", "He") else (base, "VBP")
            verb = word(
                present, base, f"VERB {tag}", f"Mood=Ind|{agreement}|Tense=Pres|VerbForm=Fin", 0, "root"
            )
        pronoun = subject if subject == "I" else subject.lower()
        yield [
            word(subject, pronoun, "PRON PRP", f"Case=Nom|{person}|PronType=Prs", 2, "nsubj"),
            verb,
            word(form, lemma, "VERB VBG", "VerbForm=Ger", 2, "xcomp", end=True),
            stop(2),
        ]


def particles(random: Random) -> Iterator[list[Row]]:
    """Yield sentences such as *Please turn on the radio.*, *I turn on my radio.* and *Turn the radio on.*"""
    imperative = "Mood=Imp|Person=2|VerbForm=Fin"
    present = "Mood=Ind|Number=Sing|Person=1|Tense=Pres|VerbForm=Fin"
    me = "Number=Sing|Person=1"
    for (verb, particle), noun in product(split(PARTICLES), NOUNS.split(", ")):
        drawn = random.random()
        the = word("the", "the", "DET DT", "Definite=Def|PronType=Art", 5, "det")
        behind = word(particle, particle, "ADP RP", "_", 2, "compound:prt")
        thing = word(noun, noun, "NOUN NN", "Number=Sing", 2, "obj", end=True)
        if drawn < 0.25:
            please = word("Please", "please", "INTJ UH", "_", 2, "discourse")
            yield [please, word(verb, verb, "VERB VB", imperative, 0, "root"), behind, the, thing, stop(2)]
        elif drawn < 0.5:
            subject = word("I", "I", "PRON PRP", f"Case=Nom|{me}|PronType=Prs", 2, "nsubj")
            my = word("my", "my", "PRON PRP$", f"Case=Gen|{me}|Poss=Yes|PronType=Prs", 5, "nmod:poss")
            yield [subject, word(verb, verb, "VERB VBP", present, 0, "root"), behind, my, thing, stop(2)]
        elif drawn < 0.6:
            yield [
                word(verb.capitalize(), verb, "VERB VB", imperative, 0, "root"),
                word("the", "the", "DET DT", "Definite=Def|PronType=Art", 3, "det"),
                word(noun, noun, "NOUN NN", "Number=Sing", 1, "obj"),
                word(particle, particle, "ADP RP", "_", 1, "compound:prt", end=True),
                stop(1),
            ]


def as_in_ewt(line: str) -> str:
    """Return a line of ESLSpok; the preposition *to* gets the tags that EWT gives it."""
    columns = line.split("\t")
    if len(columns) == 10 and columns[1].lower() == "to" and columns[3] == "PART" and columns[7] == "case":
        columns[3:5] = "ADP", "IN"
    return "\t".join(columns)


def conllu(sentences: Sequence[Sequence[Row]]) -> str:
    """Return sentences as CoNLL-U."""
    lines = ("".join("\t".join((str(n), *row)) + "\n" for n, row in enumerate(s, 1)) for s in sentences)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Read the arguments and write both files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("train", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    random = Random(5)
    sentences = [*gerunds(random), *particles(random)]
    random.shuffle(sentences)
    (options.output / "patterns.conllu").write_text(conllu(sentences), encoding="utf-8")
    lines = options.train.read_text(encoding="utf-8").split("\n")
    (options.output / "learner.conllu").write_text("\n".join(map(as_in_ewt, lines)), encoding="utf-8")
    print(f"patterns.conllu: {len(sentences)} sentences; learner.conllu: {sum(not line for line in lines)}")


if __name__ == "__main__":
    main()
