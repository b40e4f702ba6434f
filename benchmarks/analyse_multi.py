#!/usr/bin/env python3
"""Analyse the German and Ukrainian sentences of benchmarks/data/multi without Stanza's models.

    pip install hanta==1.2.1 pymorphy3==2.0.6 pymorphy3-dicts-uk
    python benchmarks/analyse_multi.py OUT
    python benchmarks/port_agreement.py de uk --conllu OUT

jperrant itself uses none of these. German gets lemma, UPOS and XPOS by the Hannover Tagger, no features (forms of
one word are POS:FORM); Ukrainian lemma, UPOS and features of the likeliest reading of each word by itself. Both are
weaker than Stanza's official models.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from jperrant.core.edits import apply_edits
from jperrant.io.m2 import read_m2

DATA = Path(__file__).resolve().parent / "data" / "multi"
STTS = {
    "ADJ": "ADJ", "ADV": "ADV", "APPR": "ADP", "APPO": "ADP", "APZR": "ADP", "ART": "DET", "CARD": "NUM", "FM": "X",
    "ITJ": "INTJ", "KON": "CCONJ", "KOUS": "SCONJ", "KOUI": "SCONJ", "KOKOM": "CCONJ", "NN": "NOUN", "NE": "PROPN",
    "PAV": "ADV", "PROAV": "ADV", "PTKVZ": "ADP", "PTK": "PART", "PWAV": "ADV", "VA": "AUX", "VM": "AUX",
    "VV": "VERB", "$": "PUNCT", "XY": "X", "TRUNC": "NOUN",
}  # fmt: skip
OPENCORPORA = {
    "NOUN": "NOUN", "ADJF": "ADJ", "ADJS": "ADJ", "COMP": "ADV", "VERB": "VERB", "INFN": "VERB", "PRTF": "ADJ",
    "PRTS": "ADJ", "GRND": "VERB", "NUMR": "NUM", "ADVB": "ADV", "NPRO": "PRON", "PRED": "ADV", "PREP": "ADP",
    "CONJ": "CCONJ", "PRCL": "PART", "INTJ": "INTJ",
}  # fmt: skip
FEATURES = {
    "nomn": "Case=Nom", "gent": "Case=Gen", "datv": "Case=Dat", "accs": "Case=Acc", "ablt": "Case=Ins",
    "loct": "Case=Loc", "voct": "Case=Voc", "sing": "Number=Sing", "plur": "Number=Plur", "masc": "Gender=Masc",
    "femn": "Gender=Fem", "neut": "Gender=Neut", "anim": "Animacy=Anim", "inan": "Animacy=Inan", "1per": "Person=1",
    "2per": "Person=2", "3per": "Person=3", "pres": "Tense=Pres", "past": "Tense=Past", "futr": "Tense=Fut",
    "indc": "Mood=Ind", "impr": "Mood=Imp", "perf": "Aspect=Perf", "impf": "Aspect=Imp",
}  # fmt: skip
FORMS = {"VERB": "VerbForm=Fin", "INFN": "VerbForm=Inf", "GRND": "VerbForm=Conv"}
Row = tuple[str, str, str, str]


def german(words: list[str]) -> Iterator[Row]:
    """Yield lemma, UPOS, XPOS and features of each word."""
    from HanTa.HanoverTagger import HanoverTagger

    tagger = german.__dict__.setdefault("tagger", HanoverTagger("morphmodel_ger.pgz"))
    for word, lemma, tag in tagger.tag_sent(words):
        starts = sorted((s for s in STTS if tag.startswith(s)), key=len)
        upos = STTS[starts[-1]] if starts else "PRON" if tag.startswith("P") else "X"
        if tag.endswith("AT"):  # PPOSAT, PIAT, PDAT, PRELAT, PWAT
            upos = "DET"
        yield (lemma.lower() if upos in ("DET", "PRON") else lemma) or word, upos, tag, "_"


def ukrainian(words: list[str]) -> Iterator[Row]:
    """Yield lemma, UPOS, XPOS and features of each word."""
    from pymorphy3 import MorphAnalyzer

    analyser = ukrainian.__dict__.setdefault("analyser", MorphAnalyzer(lang="uk"))
    for word in words:
        parse = analyser.parse(word)[0]
        tags = str(parse.tag).replace(" ", ",").split(",")
        if "PNCT" in tags or not any(c.isalnum() for c in word):
            yield word, "PUNCT", "_", "_"
            continue
        upos = "NUM" if "NUMB" in tags else OPENCORPORA.get(tags[0], "X")
        found = {FEATURES[tag] for tag in tags if tag in FEATURES} | (
            {FORMS[tags[0]]} if tags[0] in FORMS else set()
        )
        yield parse.normal_form, upos, "_", "|".join(sorted(found, key=str.lower)) or "_"


def write(words: list[str], rows: Iterator[Row], stream: TextIO) -> None:
    for n, (word, (lemma, upos, xpos, feats)) in enumerate(zip(words, rows, strict=True), 1):
        stream.write("\t".join((str(n), word, lemma, upos, xpos, feats, "_", "_", "_", "_")) + "\n")
    stream.write("\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, help="the folder of the analyses")
    folder: Path = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    for lang, file, analyse in (
        ("de", "de_falko_merlin_60.errant_de.m2", german),
        ("uk", "uk_uagec_60.m2", ukrainian),
    ):
        with (
            (folder / f"{lang}.source.conllu").open("w", encoding="utf-8") as source,
            (folder / f"{lang}.target.conllu").open("w", encoding="utf-8") as target,
        ):
            for block in read_m2(str(DATA / file)):
                write(list(block.source), analyse(list(block.source)), source)
                for annotation in block.annotations:
                    words = list(apply_edits(block.source, annotation.edits))
                    write(words, analyse(words), target)


if __name__ == "__main__":
    main()
