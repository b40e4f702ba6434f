"""Make the systems of the example study: references of which a seeded share of the edits is undone.

    python examples/languages/make_systems.py [FOLDER]

``careful`` keeps 40 % of the edits of the first annotator. ``bold`` keeps 80 %, and in half of the other places it
changes something all the same, and wrongly: it deletes the words, or says the word before the place twice. The same
references give the same systems.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

from jperrant import Annotation, Block, Edit, read_m2, write_m2

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SEED = 20
#: For each system the share of edits it keeps, and the share of the others that it gets wrong.
SYSTEMS = {"careful": (0.4, 0.0), "bold": (0.8, 0.5)}
#: References as M2.
M2 = {
    "cs": ROOT / "benchmarks/data/multi/cs_gecc_60.errant_cs.m2",
    "de": ROOT / "benchmarks/data/multi/de_falko_merlin_60.errant_de.m2",
    "et": HERE / "references/et.m2",
    "it": HERE / "references/it.m2",
    "sv": HERE / "references/sv.m2",
    "tr": HERE / "references/tr.m2",
    "uk": ROOT / "benchmarks/data/multi/uk_uagec_60.m2",
    "zh": HERE / "references/zh.m2",
}
#: References as texts: the source and its correction.
TEXTS = {
    "en": (ROOT / "examples/learner.original.txt", ROOT / "examples/learner.corrected0.txt"),
    "ko": (ROOT / "tests/data/ko/kagas_sample.orig.txt", ROOT / "tests/data/ko/kagas_sample.corrected.txt"),
}


def main(folder: Path) -> None:
    """Write every system of every language to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for system, (kept, wrong) in SYSTEMS.items():
        for lang, path in M2.items():
            draw = random.Random(f"{SEED} {lang} {system}")
            blocks = [made(block, kept, wrong, draw) for block in read_m2(path)]
            with (folder / f"{lang}.{system}.m2").open("w", encoding="utf-8", newline="\n") as stream:
                write_m2(blocks, stream)
        for lang, (source, target) in TEXTS.items():
            draw = random.Random(f"{SEED} {lang} {system}")
            blocks = [made(block, kept, wrong, draw) for block in from_texts(source, target)]
            text = "".join(corrected(block) + "\n" for block in blocks)
            (folder / f"{lang}.{system}.txt").write_text(text, encoding="utf-8", newline="\n")


def made(block: Block, kept: float, wrong: float, draw: random.Random) -> Block:
    """Return a block with what a system does with it: edits of the first annotator kept, undone, or made wrong."""
    edits = []
    for edit in next((a.edits for a in block.annotations if a.annotator == 0), ()):
        number = draw.random()
        if number < kept:
            edits.append(replace(edit, alternatives=()))
        elif number < kept + (1 - kept) * wrong:
            edits.append(mistake(block.source, edit))
    return Block(block.source, (Annotation(0, tuple(edits)),))


def mistake(source: Sequence[str], edit: Edit) -> Edit:
    """Return a wrong edit in the place of a right one."""
    if edit.end > edit.start and edit.correction:
        return Edit(edit.start, edit.end, (), with_operation(edit.type, "U"))
    before = source[max(0, edit.start - 1)]
    return Edit(edit.start, edit.start, (before,), with_operation(edit.type, "M"))


def with_operation(type_: str, letter: str) -> str:
    """Return a type with another operation; one without operation, as UA-GEC's, stays."""
    return f"{letter}{type_[1:]}" if type_[:2] in ("M:", "U:", "R:") else type_


def from_texts(source: Path, target: Path) -> Iterator[Block]:
    """Yield the sentences of a text with the differences to its correction as edits."""
    pairs = zip(source.read_text("utf-8").splitlines(), target.read_text("utf-8").splitlines(), strict=True)
    for line, correction in pairs:
        old, new = line.split(), correction.split()
        edits = [
            Edit(start, end, tuple(new[first:last]), "UNK")
            for kind, start, end, first, last in SequenceMatcher(None, old, new, False).get_opcodes()
            if kind != "equal"
        ]
        yield Block(tuple(old), (Annotation(0, tuple(edits)),))


def corrected(block: Block) -> str:
    """Return the text of a block with its edits applied."""
    tokens = list(block.source)
    for edit in reversed(block.annotations[0].edits):
        tokens[edit.start : edit.end] = edit.correction or ()
    return " ".join(tokens)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "systems")
