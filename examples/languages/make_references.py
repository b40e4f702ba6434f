"""Make the references of the example study from what their authors distribute; README.md says where that is.

    python examples/languages/make_references.py FOLDER

The folder holds ``swell.orig.conllu`` and ``swell.trg.conllu`` (UD_Swedish-SweLL), ``valico.orig.conllu`` and
``valico.target.conllu`` (UD_Italian-Valico), ``erranttr.eval_data.mapped.m2`` (erranttr), and
``tartu_l1.test.m2`` (estgec), also in folders of their own. The first 60 sentences are taken, of Estonian the first
60 with edits that do not overlap.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import islice, pairwise
from pathlib import Path

from jperrant import Block, read_m2, write_m2
from jperrant.annotation.annotated_files import annotate_files
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.core.edits import clip_block
from jperrant.io.dialects import read_cherrant

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SENTENCES = 60


def main(corpora: Path) -> None:
    """Write the references of Swedish, Italian, Turkish, Estonian and Chinese beside this file."""
    write("sv", annotated("sv", found(corpora, "swell.orig.conllu"), found(corpora, "swell.trg.conllu")))
    write("it", annotated("it", found(corpora, "valico.orig.conllu"), found(corpora, "valico.target.conllu")))
    write("tr", (clip_block(block)[0] for block in read_m2(found(corpora, "erranttr.eval_data.mapped.m2"))))
    write("zh", read_cherrant(str(ROOT / "tests/data/zh/nlpcc18_60.ref.word.m2")))
    write("et", (block for block in read_m2(found(corpora, "tartu_l1.test.m2")) if usable(block)))


def found(corpora: Path, name: str) -> str:
    """Return the path of a file that is somewhere in a folder."""
    paths = sorted(corpora.rglob(name))
    if not paths:
        raise SystemExit(f"{name} is not in {corpora}; README.md says where to get it")
    return str(paths[0])


def annotated(lang: str, source: str, target: str) -> Iterable[Block]:
    """Return the blocks of a text and its correction, both with gold analysis."""
    return annotate_files(AnnotatorOptions(lang, models="none"), source, [target], format="conllu")


def usable(block: Block) -> bool:
    """Whether a sentence has edits, none of which overlap."""
    edits = sorted((edit.start, edit.end) for a in block.annotations for edit in a.edits)
    return bool(edits) and all(first[1] <= second[0] for first, second in pairwise(edits))


def write(lang: str, blocks: Iterable[Block]) -> None:
    """Write the first sentences of a language."""
    with (HERE / "references" / f"{lang}.m2").open("w", encoding="utf-8", newline="\n") as stream:
        write_m2(islice(blocks, SENTENCES), stream)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
