"""German, Czech and Ukrainian: packs in YAML alone, against their own examples and the edits of ERRANT's ports."""

from collections import Counter
from pathlib import Path

import pytest

import jperrant
from jperrant.annotation.pack_check import check_pack
from jperrant.core.edits import apply_edits
from jperrant.core.values import Annotation, Block, Edit, Parallel, Sentence
from jperrant.io.m2 import read_m2
from jperrant.m2tools.retype import retype_gold

DATA = Path(__file__).parents[2] / "benchmarks" / "data" / "multi"
LANGUAGES = {
    "de": ("de_falko_merlin_60.errant_de.m2", "errant_de", 0.85),
    "cs": ("cs_gecc_60.errant_cs.m2", "errant_cs", 0.75),
    "uk": ("uk_uagec_60.m2", "ua_gec", 0.8),
}


def test_a_given_move_with_misspellings_in_czech():
    block = Block(("zitra", "prijde"), (Annotation(0, (Edit(0, 2, ("přijde", "zítra"), "R:OTHER"),)),))
    (typed,) = retype_gold([block], jperrant.load("cs", models="none", dictionary="none"))
    assert [e.type for e in typed.annotations[0].edits] == ["R:WO:SPELL"]


#: Word order, case, diacritics and punctuation need neither tags nor a word list.
TOLD = {"DIACR", "ORTH", "ORTH:CASING", "ORTH:WSPACE", "PUNCT", "Punctuation", "QUOTATION", "WO"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_an_analysis_edits_are_mostly_those_of_the_port_and_what_the_surface_tells_is(lang):
    file, labels, share = LANGUAGES[lang]
    annotator = jperrant.load(lang, models="none", labels=labels, dictionary="none")
    blocks = list(read_m2(str(DATA / file)))
    targets = [[apply_edits(b.source, a.edits) for a in b.annotations] for b in blocks]
    pairs = [
        Parallel(Sentence.from_forms(block.source), tuple(map(Sentence.from_forms, corrected)))
        for block, corrected in zip(blocks, targets, strict=True)
    ]
    count, agree = Counter(), Counter()
    for theirs, ours in zip(blocks, annotator.annotate_many(pairs), strict=True):
        for a, b in zip(theirs.annotations, ours.annotations, strict=True):
            found = {(e.start, e.end, e.correction): e.type for e in b.edits}
            ported = {(e.start, e.end, e.correction): e.type for e in a.edits}
            count["port"] += len(ported)
            for place in found.keys() & ported.keys():
                count["both"] += 1
                label = ported[place][2:] if ported[place][1:2] == ":" else ported[place]
                if label in TOLD:
                    agree[found[place][2:] == label] += 1
    assert count["both"] / count["port"] >= share
    assert agree[True] >= 0.9 * agree.total() > 0


def test_a_ukrainian_document_and_its_correction():
    lines = [(DATA / f"uk_0108.{end}").read_text(encoding="utf-8").splitlines() for end in ("src", "trg")]
    annotator = jperrant.load("uk", models="none", dictionary="none")
    pairs = [
        Parallel(Sentence.from_forms(s.split()), (Sentence.from_forms(t.split()),))
        for s, t in zip(*lines, strict=True)
    ]
    for block, target in zip(annotator.annotate_many(pairs), lines[1], strict=True):
        assert list(apply_edits(block.source, block.annotations[0].edits)) == target.split()


@pytest.mark.parametrize(
    ("pack", "feature", "problem"),
    [
        ("generic", "Gendr",
         "pack.yaml:3: rules[0]: agrees: unknown feature of the key inflection 'Gendr' (did you mean 'Gender'?)"),
        ("tr", "Gender", "unknown feature of the key inflection 'Gender'"),
        ("generic", "[Gender, Number]", ""),
    ],
)  # fmt: skip
def test_agreement_in_a_feature_that_the_language_does_not_have(tmp_path, pack, feature, problem):
    rule = f"{{type: DET, when: {{source: {{agrees: {{with: head, in: {feature}}}}}}}}}"
    (tmp_path / "pack.yaml").write_text(f"code: xx\nextends: {pack}\nrules: [{rule}]\n", "utf-8")
    problems = check_pack(str(tmp_path)).problems
    assert (any(problem in line for line in problems)) if problem else not problems, problems
