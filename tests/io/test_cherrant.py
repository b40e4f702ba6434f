"""ChERRANT's files and its scorer, against its own output."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.text import sentence_of
from jperrant.core.values import UNKNOWN, Annotation, Block, Edit, Parallel
from jperrant.evaluation.metrics.errant import CherrantScorer, load_cherrant
from jperrant.evaluation.metrics.system_score import evaluate
from jperrant.io.dialects import read_cherrant, write_cherrant
from jperrant.io.m2 import FormatDeviations
from tests.stages import mostly_for_ci

DATA = Path(__file__).parents[1] / "data" / "zh"
SCORES = json.loads((DATA / "mucgec_dev_60.scores.json").read_text(encoding="utf-8"))
HYP, REF = str(DATA / "mucgec_dev_60.hyp.char.m2"), str(DATA / "mucgec_dev_60.ref.char.m2")


def score(scorer, hyp=HYP, ref=REF):
    [found] = evaluate(scorer, [load_cherrant(hyp, ref)])
    return found


@pytest.mark.parametrize("mode", ["cs", "ds", "dt", "cse"])
def test_scores_of_mucgec(mode):
    found, expected = score(CherrantScorer(mode)), SCORES[mode]
    assert found.total == (expected["tp"], expected["fp"], expected["fn"])
    values = [round(found.values[name], 4) for name in ("precision", "recall", "f")]
    assert values == [expected[name] for name in ("p", "r", "f0.5")]
    if mode == "cs":
        rows = SCORES["cs_by_operation"].items()
        assert found.by_type == {letter: (row["tp"], row["fp"], row["fn"]) for letter, row in rows}


# What compare_m2_for_evaluation.py prints for the same files with -single, -multi and -filt M, and for its demo
@pytest.mark.parametrize(
    ("options", "files", "expected"),
    [
        ({"single": True}, (HYP, REF), (53, 70, 113)),
        ({"multi": True}, (HYP, REF), (5, 20, 35)),
        ({"filter": ("M",)}, (HYP, REF), (49, 72, 98)),
        ({}, (str(DATA / "demo.hyp.m2.char"), str(DATA / "demo.ref.m2.char")), (8, 19, 35)),
        ({}, (str(DATA / "demo.hyp.m2.word"), str(DATA / "demo.ref.m2.word")), (8, 19, 34)),
    ],
)
def test_options_and_levels_as_in_cherrant(options, files, expected):
    assert score(CherrantScorer(**options), *files).total == expected


def m2(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


EDIT = "A 0 1|||S|||他|||REQUIRED|||-NONE-|||0\n"
NA = "A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||{}\n"
NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||{}\n"


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("S 我 去\nT0 无法标注\n" + NA.format(0), (0, 0, 0)),  # skipped, hypothesis and all
        ("S 我 去\nT0 没有错误\n" + NOOP.format(0), (0, 1, 0)),
        ("S 我 去\nT0-A0 他 去\n" + EDIT + "T0-A1 他 去\n" + EDIT, (2, 0, 0)),  # counts twice
        ("S 我 去\n", (0, 1, 0)),
    ],
)
def test_habits(tmp_path, ref, expected):
    hyp = m2(tmp_path, "hyp", "S 我 去\nT0-A0 他 去\n" + EDIT + "\n")
    assert score(CherrantScorer(), hyp, m2(tmp_path, "ref", ref + "\n")).total == expected


def test_spaces_in_corrections_do_not_count(tmp_path):
    hyp = m2(tmp_path, "hyp", "S 我\nA 0 1|||S|||他 们|||REQUIRED|||-NONE-|||0\n\n")
    ref = m2(tmp_path, "ref", "S 我\nA 0 1|||S|||他们|||REQUIRED|||-NONE-|||0\n\n")
    assert score(CherrantScorer(), hyp, ref).total == (1, 0, 0)
    assert score(CherrantScorer(single=True), hyp, ref).total == (1, 0, 0)


def test_scorer_refuses(tmp_path):
    with pytest.raises(UsageError, match="has no option exact"):
        CherrantScorer(exact=True)
    one = m2(tmp_path, "one", "S 我\n" + NOOP.format(0) + "\n")
    two = m2(tmp_path, "two", "S 我\n" + NOOP.format(0) + "\nS 我\n" + NOOP.format(0) + "\n")
    with pytest.raises(InputError, match=r"1 sentence and .* has 2"):
        load_cherrant(one, two)


# Files


@pytest.mark.parametrize(
    "name", ["micro.char.m2", "mucgec_dev_60.hyp.char.m2", "nlpcc18_60.ref.char.m2", "demo.hyp.m2.char"]
)
def test_bytes_survive_reading_and_writing(name):
    path = DATA / name
    written, notes, deviations = io.StringIO(), [], FormatDeviations()
    write_cherrant(read_cherrant(str(path), deviations=deviations, notes=notes), written, bare=True)
    expected = path.read_text(encoding="utf-8").rstrip("\n") + "\n\n"
    assert written.getvalue().count("\nS ") == expected.count("\nS ")
    assert written.getvalue() == expected or notes, "alternatives are left out"
    assert not deviations.counts


QUAN = {f"{letter}:QUANT": f"{letter}:QUAN" for letter in "MUR"}


def test_words_survive_but_for_the_cut_of_targets():
    path, written = DATA / "nlpcc18_60.ref.word.m2", io.StringIO()
    write_cherrant(read_cherrant(str(path)), written, labels=QUAN)
    texts = written.getvalue(), path.read_text(encoding="utf-8")
    found, expected = ([line for line in text.split("\n") if line.startswith("A")] for text in texts)
    assert set(found) <= set(expected)
    assert len(expected) - len(found) == 2  # one alternative


def test_letters(tmp_path):
    given = [("R:VERB", "-NONE-"), ("S:QUAN", "个"), ("W", "去 他"), ("M:PERP", "在")]
    lines = [
        f"A {n} {n + 1}|||{type_}|||{text}|||REQUIRED|||-NONE-|||0\n" for n, (type_, text) in enumerate(given)
    ]
    text = "".join(["S 我 去 了 家\n", *lines])
    [block] = read_cherrant(m2(tmp_path, "rsw", text + "\n"))
    types = [(e.type, e.correction) for e in block.annotations[0].edits]
    assert types == [("U:VERB", ()), ("R:QUANT", ("个",)), ("R:WO", ("去", "他")), ("M:PREP", ("在",))]
    with pytest.raises(FormatError, match=r"rsw:2: type 'R:VERB' .*cherrant:letters=rsw\|ust"):
        list(read_cherrant(m2(tmp_path, "rsw", text), "ust"))
    with pytest.raises(UsageError, match="did you mean 'rsw'"):
        list(read_cherrant("x", "rws"))


def test_what_cannot_be_written_is_named():
    both = ((), (Edit(0, 2, ("他",), "R"),) * 2)
    good, bad = [Block(("我", "去"), (Annotation(1, edits),)) for edits in both]
    with pytest.raises(FormatError, match=r"a\.m2: sentence 2, annotator 1: edit 0 2 .*jperrant m2 check"):
        write_cherrant([good, bad], io.StringIO(), file="a.m2")


@pytest.mark.parametrize(("count", "said"), [(1, "1 alternative "), (2, "2 alternatives ")])
def test_alternatives_left_out_are_counted(tmp_path, count, said):
    edit = "A 0 1|||S:X|||{}|||REQUIRED|||-NONE-|||0\n"
    text = "S 我\n" + "".join(f"T0-A{n} {n}\n{edit.format(n)}" for n in range(count + 1)) + "\n"
    notes: list[str] = []
    [block] = read_cherrant(m2(tmp_path, "alternatives", text), notes=notes)
    assert block.annotations[0].edits == (Edit(0, 1, ("0",), "R:X"),)
    assert [said in note for note in notes] == [True]


@pytest.mark.parametrize(
    ("letters", "expected"),
    [("rsw", ["R:VERB", "S:QUAN", "W"]), ("ust", ["U:VERB", "S:QUAN", "T"]), ("mur", ["U:VERB", "R:QUAN", "R:WO"])],
)  # fmt: skip
def test_writing_letters(tmp_path, letters, expected):
    edits = (Edit(0, 1, (), "U:VERB"), Edit(1, 2, ("个",), "R:QUANT"), Edit(2, 4, ("家", "去"), "R:WO"))
    unsure = Annotation(1, (Edit(0, 4, None, UNKNOWN),))
    block = Block(("我", "去", "了", "家"), (Annotation(0, edits), unsure))
    written = io.StringIO()
    write_cherrant([block], written, letters, QUAN)
    lines = written.getvalue().splitlines()
    assert lines[1] == "T0-A0 个 家 去"
    assert [line.split("|||")[1] for line in lines if line.startswith("A")] == [*expected, "NA"]
    assert lines[2].split("|||")[2] == "-NONE-"
    assert lines[5] == "T1 无法标注"
    path = m2(tmp_path, "again", written.getvalue())
    assert list(read_cherrant(path, letters)) == [block]


# Commands


CHARACTERS = ["--format", "cherrant", "--tokens", "characters", "--lang", "zh", "--models", "none"]


def run(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


def test_compare_command():
    result = run("compare", "--compat", "cherrant", HYP, REF)
    assert "58\t89\t164\t0.3946\t0.2613\t0.358" in result.output
    assert "lack an annotator" not in result.stderr, "sentences of MuCGEC have one to four references"


def test_its_input_gives_its_files_which_come_back(tmp_path):
    ours, theirs, read = tmp_path / "ours.m2", tmp_path / "theirs.m2", tmp_path / "read.m2"
    expected = Path(HYP).read_text(encoding="utf-8").rstrip("\n")
    para = ["annotate", DATA / "mucgec_dev_60.hyp.para.tsv", *CHARACTERS, "-o", ours]
    for command in (para, ["m2", "convert", HYP, read, "--from", "cherrant"]):
        made = command[-1] if command is para else read
        assert run(*command).exit_code == 0
        assert run("m2", "check", made).output == ""
        assert run("m2", "convert", made, theirs, "--to", "cherrant:bare=yes").exit_code == 0
        assert theirs.read_text(encoding="utf-8").rstrip("\n") == expected


# Agreement


@pytest.mark.parametrize("name", mostly_for_ci(["ref", "hyp"], "hyp"))
def test_edits_agree_with_cherrants(name):
    from opencc import OpenCC

    simplify = OpenCC("t2s").convert
    para, records = DATA / ("mucgec_dev_60.para.tsv" if name == "ref" else "mucgec_dev_60.hyp.para.tsv"), []
    for line in para.read_text(encoding="utf-8").splitlines():
        source, *targets = line.split("\t")[1:]
        targets = [source if t in ("没有错误", "无法标注") else simplify(t) for t in targets]
        records.append(Parallel(sentence_of(source), tuple(sentence_of(t) for t in targets)))
    annotator = jperrant.load("zh", models="none", tokens="characters")
    agree = total = ours = 0
    theirs = read_cherrant(HYP if name == "hyp" else REF)
    for block, expected in zip(annotator.annotate_many(records), theirs, strict=True):
        assert block.source == expected.source
        for a, b in zip(block.annotations, expected.annotations, strict=True):
            edits = ([e for e in one.edits if not e.is_detection] for one in (a, b))
            found, wanted = ({(e.start, e.end, e.correction) for e in own} for own in edits)
            agree, total, ours = agree + len(found & wanted), total + len(wanted), ours + len(found)
    assert agree >= 0.98 * max(total, ours)


@pytest.mark.slow
def test_markers(tmp_path):
    para = m2(tmp_path, "para.tsv", "1\t我 去\t没有错误\t无法标注\t他去\n2\t我\t无法标注\n")
    for jobs in ("1", "2"):
        assert run("annotate", para, *CHARACTERS, "-j", jobs).stdout == (
            "S 我 去\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
            "A 0 2|||UNK|||-NONE-|||REQUIRED|||-NONE-|||1\n"
            "A 0 1|||R:OTHER|||他|||REQUIRED|||-NONE-|||2\n\nS 我\nA 0 1|||UNK|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
        )
    result = run("annotate", m2(tmp_path, "bad.tsv", "1\t我\n"), *CHARACTERS)
    assert "found 2 columns, expected name, source, correction" in str(result.exception)
