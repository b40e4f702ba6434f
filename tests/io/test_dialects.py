"""ChERRANT's and KAGAS's dialects of M2, and ChERRANT's scorer, against their own files and figures."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import jperrant
from jperrant.core.edits import apply_edits
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.text import sentence_of
from jperrant.core.values import UNKNOWN, Annotation, Block, Edit, Parallel
from jperrant.evaluation.metrics.errant import CherrantScorer, load_cherrant
from jperrant.evaluation.metrics.system_score import Score, evaluate
from jperrant.io.dialects import KagasTypes, read_cherrant, read_kagas, write_cherrant, write_kagas
from jperrant.io.m2 import FormatDeviations, read_m2
from jperrant.packs.read import pack_keys
from tests.commands import printed, refused

ZH, KO = [Path(__file__).parents[1] / "data" / lang for lang in ("zh", "ko")]
SCORES = json.loads((ZH / "mucgec_dev_60.scores.json").read_text(encoding="utf-8"))
HYP, REF = str(ZH / "mucgec_dev_60.hyp.char.m2"), str(ZH / "mucgec_dev_60.ref.char.m2")


def score(scorer: CherrantScorer, hyp: str = HYP, ref: str = REF) -> Score:
    [found] = evaluate(scorer, [load_cherrant(hyp, ref)])
    return found


@pytest.mark.parametrize("mode", ["cs", "ds", "dt", "cse"])
def test_scores_of_mucgec(mode: str) -> None:
    found, expected = score(CherrantScorer(mode)), SCORES[mode]
    assert found.total == (expected["tp"], expected["fp"], expected["fn"])
    values = [round(found.values[name], 4) for name in ("precision", "recall", "f")]
    assert values == [expected[name] for name in ("p", "r", "f0.5")]
    if mode == "cs":
        rows = SCORES["cs_by_operation"].items()
        assert found.by_type == {letter: (row["tp"], row["fp"], row["fn"]) for letter, row in rows}


DEMO = [(str(ZH / f"demo.hyp.m2.{level}"), str(ZH / f"demo.ref.m2.{level}")) for level in ("char", "word")]


# What compare_m2_for_evaluation.py prints for the same files with -single, -multi and -filt M, and for its demo
@pytest.mark.parametrize(
    ("options", "files", "expected"),
    [
        ({"single": True}, (HYP, REF), (53, 70, 113)), ({"multi": True}, (HYP, REF), (5, 20, 35)),
        ({"filter": ("M",)}, (HYP, REF), (49, 72, 98)), ({}, DEMO[0], (8, 19, 35)), ({}, DEMO[1], (8, 19, 34)),
    ],
)  # fmt: skip
def test_options_and_levels_as_in_cherrant(
    options: dict[str, Any], files: tuple[str, str], expected: tuple[int, int, int]
) -> None:
    assert score(CherrantScorer(**options), *files).total == expected


def m2(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def edit(correction: str, type_: str = "S", start: int = 0) -> str:
    return f"A {start} {start + 1}|||{type_}|||{correction}|||REQUIRED|||-NONE-|||0\n"


NA = "A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0\n"
NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"


@pytest.mark.parametrize(
    ("hyp", "ref", "expected"),
    [
        ("他", f"T0 无法标注\n{NA}", (0, 0, 0)),  # skipped, hypothesis and all
        ("他", f"T0 没有错误\n{NOOP}", (0, 1, 0)),
        ("他", f"T0-A0 他 去\n{edit('他')}T0-A1 他 去\n{edit('他')}", (2, 0, 0)),  # counts twice
        ("他", "", (0, 1, 0)),
        ("他 们", edit("他们"), (1, 0, 0)),  # spaces in corrections do not count
    ],
)
def test_habits(tmp_path: Path, hyp: str, ref: str, expected: tuple[int, int, int]) -> None:
    files = m2(tmp_path, "hyp", f"S 我 去\n{edit(hyp)}\n"), m2(tmp_path, "ref", f"S 我 去\n{ref}\n")
    assert score(CherrantScorer(), *files).total == expected


def test_scorer_refuses(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no option exact"):
        CherrantScorer(exact=True)
    with pytest.raises(InputError, match=r"1 sentence and .* has 2"):
        load_cherrant(m2(tmp_path, "one", "S 我\n\n"), m2(tmp_path, "two", "S 我\n\nS 我\n\n"))


def as_cherrant(blocks: Iterable[Block], *options: Any, **named: Any) -> str:
    stream = io.StringIO()
    write_cherrant(blocks, stream, *options, **named)
    return stream.getvalue()


@pytest.mark.parametrize("name", ["micro.char.m2", "nlpcc18_60.ref.char.m2", "demo.hyp.m2.char"])
def test_bytes_survive_reading_and_writing(name: str) -> None:
    notes, deviations = list[str](), FormatDeviations()
    found = as_cherrant(read_cherrant(str(ZH / name), deviations=deviations, notes=notes), bare=True)
    expected = (ZH / name).read_text(encoding="utf-8").rstrip("\n") + "\n\n"
    assert found.count("\nS ") == expected.count("\nS ")
    assert found == expected or notes, "alternatives are left out"
    assert not deviations.counts


QUAN = {f"{letter}:QUANT": f"{letter}:QUAN" for letter in "MUR"}


def test_words_survive_but_for_the_cut_of_targets() -> None:
    path = ZH / "nlpcc18_60.ref.word.m2"
    texts = as_cherrant(read_cherrant(str(path)), labels=QUAN), path.read_text(encoding="utf-8")
    found, expected = ([line for line in text.split("\n") if line.startswith("A")] for text in texts)
    assert set(found) <= set(expected)
    assert len(expected) - len(found) == 2  # one alternative


def test_letters_that_are_read(tmp_path: Path) -> None:
    file = m2(tmp_path, "rsw", f"S 我 去\n{edit('-NONE-', 'R:VERB')}{edit('在', 'M:PERP', 1)}\n")
    [block] = read_cherrant(file)
    expected = [("U:VERB", ()), ("M:PREP", ("在",))]
    assert [(e.type, e.correction) for e in block.annotations[0].edits] == expected
    with pytest.raises(FormatError, match=r"rsw:2: type 'R:VERB' .*cherrant:letters=rsw\|ust"):
        list(read_cherrant(file, "ust"))
    with pytest.raises(UsageError, match="did you mean 'rsw'"):
        list(read_cherrant("x", "rws"))


def test_what_cannot_be_written_is_named() -> None:
    bad = Block(("我", "去"), (Annotation(1, (Edit(0, 2, ("他",), "R"),) * 2),))
    with pytest.raises(FormatError, match=r"a\.m2: sentence 2, annotator 1: edit 0 2 .*jperrant m2 check"):
        as_cherrant([Block(("我",)), bad], file="a.m2")


def test_alternatives_left_out_are_counted(tmp_path: Path) -> None:
    lines = [f"T0-A{n} {n}\n{edit(str(n), 'S:X')}" for n in range(3)]
    notes: list[str] = []
    [block] = read_cherrant(m2(tmp_path, "a", "".join(["S 我\n", *lines, "\n"])), notes=notes)
    assert block.annotations[0].edits == (Edit(0, 1, ("0",), "R:X"),)
    assert ["2 alternatives " in note for note in notes] == [True]


@pytest.mark.parametrize(
    ("letters", "expected"),
    [("rsw", ["R:VERB", "S:QUAN", "W"]), ("ust", ["U:VERB", "S:QUAN", "T"]), ("mur", ["U:VERB", "R:QUAN", "R:WO"])],
)  # fmt: skip
def test_letters_that_are_written(tmp_path: Path, letters: str, expected: list[str]) -> None:
    edits = (Edit(0, 1, (), "U:VERB"), Edit(1, 2, ("个",), "R:QUANT"), Edit(2, 4, ("家", "去"), "R:WO"))
    unsure = Annotation(1, (Edit(0, 4, None, UNKNOWN),))
    block = Block(("我", "去", "了", "家"), (Annotation(0, edits), unsure))
    text = as_cherrant([block], letters, QUAN)
    assert [line.partition("|||REQ")[0] for line in text.splitlines()[1:-1]] == [
        "T0-A0 个 家 去", f"A 0 1|||{expected[0]}|||-NONE-", f"A 1 2|||{expected[1]}|||个",
        f"A 2 4|||{expected[2]}|||家 去", "T1 无法标注", "A -1 -1|||NA|||-NONE-",
    ]  # fmt: skip
    assert list(read_cherrant(m2(tmp_path, "again", text), letters)) == [block]


CHARACTERS = ["--format", "cherrant", "--tokens", "characters", "--lang", "zh", "--models", "none"]


def test_its_input_gives_its_files_which_come_back(tmp_path: Path) -> None:
    ours, theirs, read = tmp_path / "ours.m2", tmp_path / "theirs.m2", tmp_path / "read.m2"
    printed("annotate", ZH / "mucgec_dev_60.hyp.para.tsv", *CHARACTERS, "-o", ours)
    printed("m2", "convert", HYP, read, "--from", "cherrant")
    for made in (ours, read):
        assert printed("m2", "check", made) == ""
        printed("m2", "convert", made, theirs, "--to", "cherrant:bare=yes")
        expected = Path(HYP).read_text(encoding="utf-8")
        assert theirs.read_text(encoding="utf-8").rstrip("\n") == expected.rstrip("\n")


@pytest.mark.ci
def test_edits_agree_with_cherrants() -> None:
    from opencc import OpenCC

    simplify, records = OpenCC("t2s").convert, []
    for line in (ZH / "mucgec_dev_60.para.tsv").read_text(encoding="utf-8").splitlines():
        source, *targets = line.split("\t")[1:]
        targets = [source if t in ("没有错误", "无法标注") else simplify(t) for t in targets]
        records.append(Parallel(sentence_of(source), tuple(map(sentence_of, targets))))
    blocks = jperrant.load("zh", models="none", tokens="characters").annotate_many(records)
    agree = total = ours = 0
    for block, expected in zip(blocks, read_cherrant(REF), strict=True):
        assert block.source == expected.source
        for a, b in zip(block.annotations, expected.annotations, strict=True):
            edits = ([e for e in one.edits if not e.is_detection] for one in (a, b))
            found, wanted = ({(e.start, e.end, e.correction) for e in own} for own in edits)
            agree, total, ours = agree + len(found & wanted), total + len(wanted), ours + len(found)
    assert agree >= 0.98 * max(total, ours)


@pytest.mark.slow
def test_markers(tmp_path: Path) -> None:
    para = m2(tmp_path, "para.tsv", "1\t我 去\t没有错误\t无法标注\t他去\n2\t我\t无法标注\n")
    unsure = "A 0 {}|||UNK|||-NONE-|||REQUIRED|||-NONE-|||{}\n"
    for jobs in (1, 2):
        assert printed("annotate", para, *CHARACTERS, "-j", jobs) == (
            f"S 我 去\n{NOOP}{unsure.format(2, 1)}A 0 1|||R:OTHER|||他|||REQUIRED|||-NONE-|||2\n\n"
            f"S 我\n{unsure.format(1, 0)}\n"
        )
    said = refused("annotate", m2(tmp_path, "bad.tsv", "1\t我\n"), *CHARACTERS)
    assert "found 2 columns, expected name, source, correction" in said


# KAGAS

SAMPLE = KO / "kagas_sample.output.m2"
TABLE = pack_keys("ko").counterparts
TYPES = [
    "INSERTION", "DELETION", "WS", "WO", "SPELL", "SHORTEN", "PUNCT", "NOUN", "VERB", "ADJECTIVE", "MODIFIER",
    "PARTICLE", "ENDING", "CONJUGATION", "UNCLASSIFIED",
]  # fmt: skip


def read(folder: Path, text: str, strict: bool = True) -> list[Block]:
    (folder / "kagas.m2").write_text(text, encoding="utf-8")
    return list(read_kagas(str(folder / "kagas.m2"), TABLE, FormatDeviations(strict)))


def written(blocks: list[Block]) -> str:
    stream = io.StringIO()
    write_kagas(blocks, stream, TABLE)
    return stream.getvalue()


def test_the_sample_comes_back_but_for_conjugation_which_is_an_ending(tmp_path: Path) -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    blocks = read(tmp_path, text)
    corrected = (KO / "kagas_sample.corrected.txt").read_text(encoding="utf-8").splitlines()
    found = [apply_edits(b.source, b.annotations[0].edits) for b in blocks]
    assert found == [tuple(line.split()) for line in corrected]
    assert written(blocks).rstrip() == text.replace("CONJUGATION", "ENDING").rstrip()
    ours, theirs = tmp_path / "ours.m2", tmp_path / "theirs.m2"
    printed("m2", "convert", SAMPLE, ours, "--from", "kagas")
    assert list(read_m2(str(ours), strict=True)) == blocks, "our dialect"
    printed("m2", "convert", ours, theirs, "--to", "kagas")
    assert theirs.read_text(encoding="utf-8") == written(blocks)


def test_every_type_reads_as_a_label_and_every_label_is_written_as_a_type() -> None:
    types, labels = KagasTypes(TABLE), pack_keys("ko").labels
    edits = {"INSERTION": (0, 0, ("말",)), "DELETION": (0, 1, ())}
    for name in TYPES:
        edit = Edit(*edits.get(name, (0, 1, ("말",))), name)
        assert types.ours(edit, ["글"]).partition(":")[2] in labels
    for label in labels:
        assert types.theirs(Edit(0, 1, ("말",), f"R:{label}")) in TYPES
        assert types.theirs(Edit(0, 1, (), f"U:{label}")) == "DELETION"
        assert types.theirs(Edit(0, 0, ("말",), f"M:{label}")) == "INSERTION"


def test_noop_has_an_empty_correction_and_punctuation_is_told(tmp_path: Path) -> None:
    tail = "REQUIRED|||-NONE-|||0\n"
    text = f"S 가요 .\nA -1 -1|||noop||||||{tail}\n"
    text += f"S 가요 ,\nA 1 2|||DELETION||||||{tail}A 2 2|||INSERTION|||.|||{tail}\n"
    noop, block = blocks = read(tmp_path, text)
    assert noop == Block(("가요", "."), (Annotation(0),))
    assert [e.type for e in block.annotations[0].edits] == ["U:PUNCT", "M:PUNCT"]
    assert written(blocks) == text


def test_an_unknown_type_and_a_pack_without_counterparts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"kagas\.m2:2.*PARTICLES.*did you mean 'PARTICLE'"):
        read(tmp_path, "S 가요\nA 0 1|||PARTICLES|||가|||REQUIRED|||-NONE-|||0\n\n")
    with pytest.raises(UsageError, match=r"lang=.ko."):
        KagasTypes({"NOUN": {"errant": "NOUN"}})


INSERTED, DELETED = Edit(1, 1, ("친구와", "같이"), "M:OTHER"), Edit(1, 3, (), "U:ADV")


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (INSERTED, ["A 1 1|||INSERTION|||친구와", "A 1 1|||INSERTION|||같이"]),
        (DELETED, ["A 1 2|||DELETION|||", "A 2 3|||DELETION|||"]),
        (Edit(3, 4, ("안", "갔어요"), "R:OTHER"), ["A 3 4|||UNCLASSIFIED|||안 갔어요"]),
        # With alternatives an edit stays whole.
        (replace(INSERTED, alternatives=(("혼자",),)), ["A 1 1|||INSERTION|||친구와 같이||혼자"]),
        (replace(DELETED, alternatives=(("늘",),)), ["A 1 3|||DELETION|||||늘"]),
    ],
)
def test_insertions_and_deletions_are_written_eojeol_by_eojeol(
    tmp_path: Path, edit: Edit, expected: list[str]
) -> None:
    source = ("저는", "어제", "그냥", "갔어요")
    text = written([Block(source, (Annotation(0, (edit,)),))])
    assert [line.rsplit("|||", 3)[0] for line in text.splitlines() if line.startswith("A")] == expected
    (block,) = read(tmp_path, text, strict=False)
    edits = block.annotations[0].edits
    assert apply_edits(block.source, edits) == apply_edits(source, [edit])
    assert edits[0].alternatives == edit.alternatives
