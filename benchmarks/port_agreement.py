#!/usr/bin/env python3
"""How far do the packs de, cs and uk agree with the ERRANT ports of their languages, and with UA-GEC's annotators?

python benchmarks/port_agreement.py [de cs uk] [--models none] [--conllu FOLDER] [--lexicon FILE]
    [--dictionary none] [--show] [--all]

The corrected text of every annotator is made from the port's own M2 file, so that both sides have the same tokens,
and annotated anew. Printed are, for the edits (start, end and correction equal): how many the port has, how many we
have, how many both; and for those that both have, on how many types agree, ours translated by the pack's label set
(errant_de, errant_cs, ua_gec). Without models nothing but the surface is known, so types that need tags cannot be
told: the second row of types counts only the port's types SPELL, ORTH, DIACR, PUNCT, WO and the like. With --conllu
a folder holds LANG.source.conllu and LANG.target.conllu: a sentence for each block, and for each annotation of one.

Data: benchmarks/data/multi, 60 sentences a language, see its README.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import jperrant
from jperrant.annotation.annotator import Annotator
from jperrant.core.edits import apply_edits
from jperrant.core.values import Annotation, Block, Edit, Parallel, Sentence
from jperrant.io.conllu import read_conllu
from jperrant.io.m2 import read_m2
from jperrant.packs import load_pack

DATA = Path(__file__).resolve().parent / "data" / "multi"
FILES = {
    "de": ("de_falko_merlin_60.errant_de.m2", "errant_de"),
    "cs": ("cs_gecc_60.errant_cs.m2", "errant_cs"),
    "uk": ("uk_uagec_60.m2", "ua_gec"),
}
#: First parts of types that the surface alone can tell.
SURFACE = ("DIACR", "ORTH", "PUNCT", "Punctuation", "QUOTATION", "SPELL", "Spelling", "WO")


def label(type_: str) -> str:
    """Return a type without its letter; UA-GEC's have none."""
    return type_[2:] if type_[1:2] == ":" else type_


def records(lang: str, blocks: list[Block], folder: str | None) -> Iterator[Parallel]:
    if folder:
        sources = read_conllu(str(Path(folder) / f"{lang}.source.conllu"))
        targets = read_conllu(str(Path(folder) / f"{lang}.target.conllu"))
    for block in blocks:
        if folder:
            yield Parallel(next(sources), tuple(next(targets) for _ in block.annotations))
            continue
        texts = [apply_edits(block.source, a.edits) for a in block.annotations]
        yield Parallel(Sentence.from_forms(block.source), tuple(map(Sentence.from_forms, texts)))


def key(edit: Edit) -> tuple[int, int, tuple[str, ...] | None]:
    return edit.start, edit.end, edit.correction


def compare(theirs: Annotation, ours: Annotation) -> Iterator[tuple[Edit | None, Edit | None]]:
    """Yield the edits of both, those with one place and correction together."""
    left = {key(e): e for e in theirs.edits}
    right = {key(e): e for e in ours.edits}
    for place in sorted({*left, *right}, key=str):
        yield left.get(place), right.get(place)


def report(
    lang: str, models: str, folder: str | None, lexicon: str | None, dictionary: str, show: bool, every: bool
) -> None:
    file, labels = FILES[lang]
    blocks = list(read_m2(str(DATA / file)))
    annotator = jperrant.load(lang, models=models, labels=labels, dictionary=dictionary)
    if lexicon:
        annotator = Annotator(load_pack(lang, lexicon=lexicon), annotator.parser, labels=labels)
    found = list(annotator.annotate_many(records(lang, blocks, folder)))
    count: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for block, new in zip(blocks, found, strict=True):
        for theirs, ours in zip(block.annotations, new.annotations, strict=True):
            for a, b in compare(theirs, ours):
                count["theirs"] += a is not None
                count["ours"] += b is not None
                if a is not None and b is not None:
                    pairs[label(a.type), label(b.type)] += 1
                elif show:
                    edit = a or b
                    assert edit is not None
                    side = "port" if a else "ours"
                    words = " ".join(block.source[edit.start : edit.end])
                    print(f"  {side}: {edit.type} {words!r} → {' '.join(edit.correction or ())!r}")
    both = pairs.total()
    print(
        f"{lang}: {len(blocks)} sentences, {file}, "
        f"{'given analysis' if folder else f'models: {models}'}{', with a word list' if lexicon else ''}"
        f"{', no dictionary' if annotator.pack.dictionary is None else f', {annotator.pack.dictionary.stem}'}"
    )
    print(f"  edits: port {count['theirs']}, ours {count['ours']}, both {both}: "
          f"{both / count['theirs']:.1%} of the port's, {both / count['ours']:.1%} of ours")  # fmt: skip
    for name, chosen in (("all types", pairs), ("surface types", {
        p: n for p, n in pairs.items() if p[0].startswith(SURFACE)
    })):  # fmt: skip
        total = sum(chosen.values())
        same = sum(n for (a, b), n in chosen.items() if a == b)
        print(f"  {name}: {same} of {total} the same ({same / max(total, 1):.1%})")
    other = [(n, a, b) for (a, b), n in pairs.items() if a != b]
    for n, a, b in sorted(other, reverse=True)[: None if every else 12]:
        print(f"    {n:3} port {a}, ours {b}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("languages", nargs="*", metavar="LANG", help="de, cs, uk; all by default")
    parser.add_argument("--models", default="none", help="as for annotate; none by default")
    parser.add_argument("--conllu", help="folder with analyses of your own")
    parser.add_argument("--lexicon", help="word list, one word a line, for the type SPELL")
    parser.add_argument(
        "--dictionary", default="auto", help="as for annotate: auto (the default), none, a folder"
    )
    parser.add_argument("--show", action="store_true", help="show edits that only one side has")
    parser.add_argument("--all", action="store_true", help="show every pair of types")
    options = parser.parse_args()
    for lang in options.languages or FILES:
        report(
            lang,
            options.models,
            options.conllu,
            options.lexicon,
            options.dictionary,
            options.show,
            options.all,
        )


if __name__ == "__main__":
    main()
