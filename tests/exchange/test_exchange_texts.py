"""UA-GEC, FCE, IceEC, the BEA task, CoNLL-U: their own files, and what is written for those who read them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jperrant.core.edits import apply_edits
from jperrant.core.values import Annotation, Block, Edit
from jperrant.exchange.collect import Collector, Findings
from jperrant.exchange.marks import MarkedText
from jperrant.exchange.ua_gec import parse
from tests.exchange_files import blocks_of, edits_of, marks_of, text_of, texts_of, written

DATA = Path(__file__).parents[1] / "data" / "exchange"
ESSAY = "<learner><head><text><answer1><coded_answer>{}</coded_answer></answer1></text></head></learner>"


def test_an_essay_of_ua_gec_by_two_annotators() -> None:
    texts = texts_of("ua-gec", DATA)
    blocks = [block for block, _ in Collector().blocks(texts)]
    # Counted in the files with `grep -o '=>'`.
    assert [(t.document, t.annotator) for t in texts] == [("0013", "1"), ("0013", "2")]
    contents = [(DATA / f"0013.a{n}.ann").read_text(encoding="utf-8") for n in (1, 2)]
    assert [len(parse(content, "f").marks) for content in contents] == [14, 14]
    assert {a.annotator for block in blocks for a in block.annotations} == {1, 2}
    types = {edit.type for block in blocks for a in block.annotations for edit in a.edits}
    assert {"Spelling", "Punctuation"} <= types


def ua_gec(folder: Path, content: str, options: str = "") -> MarkedText:
    """Return what is read of one file of UA-GEC."""
    return text_of(f"ua-gec{options}", folder / "essay.a0.ann", content)


def test_marks_in_running_text_grow_to_what_changes(tmp_path: Path) -> None:
    content = (
        "I{=>, too, like:::error_type=G} cats,dogs. He {go=>goes:::error_type=S}{=>,:::error_type=P} "
        'Tom{: "=>. — :::error_type=Q}Why? {very =>:::error_type=U} x{ =>:::error_type=W}y{=>  :::error_type=N}'
    )
    marked = ua_gec(tmp_path, content, ":text=raw")
    assert marks_of(marked) == [
        ("I", "G", "I, too, like"),
        ("go", "S+P", "goes,"),
        ('Tom: "Why?', "Q", "Tom. — Why?"),
        ("very", "U", ""),
        ("x y", "W", "xy"),
    ]
    assert sorted(marked.remarks) == [
        "2 marks in one token joined to one edit",
        "changes nothing but white space, left out",
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (  # in tokens only letters that meet are one word
            "He walk{=>s:::error_type=S} home{=>,:::error_type=P} and {=>the:::error_type=M:DET}cat .",
            [("walk", "S", "walks"), ("", "P", ","), ("", "M:DET", "the")],
        ),
        (
            r"a {b=>c|d\n|:::error_type=R:X} {e=>NO_SUGGESTIONS:::error_type=UNK} {f=>g} {::=>:::::error_type=P}",
            [("b", "R:X", "c||d||"), ("e", "UNK", None), ("f", "R:OTHER", "g"), ("::", "P", "::")],
        ),
    ],
)
def test_marks_of_ua_gec(content: str, expected: list[object], tmp_path: Path) -> None:
    assert marks_of(ua_gec(tmp_path, content)) == expected


def test_lines_that_an_edit_crosses_are_one_sentence_for_all_annotators(tmp_path: Path) -> None:
    (tmp_path / "d.a1.ann").write_text("Yes, I {do.\\nNo=>do no:::error_type=P} more.\nEnd.\n")
    (tmp_path / "d.a2.ann").write_text("\nYes, I do.\nNo more.\nEnd{.=>!:::error_type=P}\n")
    blocks = blocks_of("ua-gec", tmp_path)
    assert [" ".join(block.source) for block in blocks] == ["Yes, I do. No more.", "End."]
    assert [len(a.edits) for block in blocks for a in block.annotations] == [1, 0, 0, 1]


def test_the_text_that_ua_gec_makes_is_the_corrected_text() -> None:
    edits = (Edit(0, 0, ("The",), "M:DET"), Edit(1, 2, (), "U:X"), Edit(2, 2, (".",), "M:PUNCT"))
    block = Block(("cat", "cat"), (Annotation(0, edits),))
    content = "{=>The :::error_type=M:DET}cat {cat=>:::error_type=U:X}{=> .:::error_type=M:PUNCT}\n"
    assert written("ua-gec", block) == content
    assert apply_edits(block.source, edits) == ("The", "cat", ".")


def test_a_text_that_begins_with_a_byte_order_mark_keeps_it(tmp_path: Path) -> None:
    content = written("ua-gec", Block(("\ufeff", "a"), (Annotation(0),)))
    assert ua_gec(tmp_path, content).text == "\ufeff a"


def test_braces_without_an_arrow_are_text_as_in_the_library_of_the_corpus(tmp_path: Path) -> None:
    marked = ua_gec(tmp_path, "a {x} {b=>c:::error_type=S} d")
    assert (marked.text, marks_of(marked)) == ("a {x} b d", [("b", "S", "c")])
    assert [remark.partition(",")[0] for remark in marked.remarks] == ["braces without =>"]


def fce(folder: Path, paragraphs: str, options: str = "") -> MarkedText:
    """Return what is read of one essay of FCE."""
    return text_of(f"clc-xml{options}", folder / "x.a0.xml", ESSAY.format(paragraphs))


def test_marks_of_fce(tmp_path: Path) -> None:
    marked = fce(
        tmp_path,
        '<p>I <NS type="AGV"><i>likes</i><c>like</c></NS> <NS type="MD"><c>the</c></NS> sea'
        '<NS type="MP"><c>,</c></NS> '
        'and <NS type="UD"><i>a</i></NS> sand <NS type="L">wanna</NS>.</p>\n<p>Tom &amp; I.</p>',
    )
    assert marked.text == "I likes  sea and a sand wanna.\nTom & I."
    assert marks_of(marked) == [
        ("likes", "AGV", "like"),
        ("", "MD", "the"),
        ("sea", "MP", "sea,"),
        ("a", "UD", ""),
        ("wanna", "L", None),
    ]


@pytest.mark.parametrize(
    ("coded", "expected", "left_out"),
    [
        # The outer mark has no correction: it is an error around one that is corrected.
        (
            '<NS type="RV"><NS type="FV"><i>be taken</i><c>take</c></NS> place</NS>',
            [("be taken place", "RV", None), ("be taken", "FV", "take")],
            0,
        ),
        (
            '<NS type="RP"><i><NS type="S"><i>becuase</i><c>because</c></NS> he</i><c>Because he</c></NS>',
            [("becuase he", "RP", "Because he")],
            1,
        ),
        ("a <NS type='RJ'>fixed</NS> plan", [("fixed", "RJ", None)], 0),
        ("we know<NS type='UP'><i>,</i></NS> that", [("know,", "UP", "know")], 0),
        ("a <NS type='RN'><i>fuss</i></NS> b", [("fuss", "RN", "")], 0),
        ("so <NS type='X'></NS> b", [("", "X", None)], 0),
        ("<NS><i>go</i><c>d<NS><i>oe</i><c>oe</c></NS>s</c></NS> on", [("go", "R:OTHER", "does")], 0),
        (
            "made <ns type='FN'><i><ns type='RN'><i>trouble</i><c>problem</c></ns></i><c>problems</c></ns> b",
            [("trouble", "FN", "problems")],
            1,
        ),
        (
            "<NS type='R'>In the <NS type='RP'><i>Hall</i><c>hall</c></NS> now</NS>",
            [("In the Hall now", "R", None), ("Hall", "RP", "hall")],
            0,
        ),
        (
            "x <NS type='RJ'><NS type='RP'><i>Best</i><c>best</c></NS></NS> y",
            [("Best", "RJ", None), ("Best", "RP", "best")],
            0,
        ),
    ],
)
def test_the_shapes_that_fce_has(coded: str, expected: list[object], left_out: int, tmp_path: Path) -> None:
    marked = fce(tmp_path, f"\n   <p>{coded}</p>\n", ":text=raw")
    assert marks_of(marked) == expected
    remark = "a mark inside another that has a correction of its own, left out"
    assert list(marked.remarks) == [remark] * left_out


def test_what_stands_outside_of_paragraphs_is_a_line(tmp_path: Path) -> None:
    marked = fce(tmp_path, "loose <NS type='A'><i>a</i><c>b</c></NS>\n<div><p>one</p> <p>two</p></div> end")
    assert [line.strip() for line in marked.text.split("\n")] == ["loose a", "one", "two", "end"]
    assert marks_of(marked) == [("a", "A", "b")]


def test_an_essay_of_iceec() -> None:
    path, findings = DATA / "verslo-JA2-t6.xml", Findings()
    blocks, content = blocks_of("iceec-tei", path, findings), path.read_text(encoding="utf-8")
    edits = [edit for block in blocks for edit in block.annotations[0].edits]
    assert len(blocks) == content.count("<s n=") == 13
    assert len(edits) == content.count("<revision ") == 9
    assert sum(len(edit.type.split("+")) for edit in edits) == content.count("<error ") == 12
    shown = {(e.start, e.end, e.type, " ".join(e.correction or ())) for e in edits}
    # A split, an insertion, two errors in one revision, a deletion.
    assert {(0, 1, "merged-words", "víðs vegar"), (13, 14, "nonword+n4nn", "langinn")} <= shown
    assert {"missing-commas"} == {e.type for e in edits if e.start == e.end}
    assert {"extra-word+style"} == {e.type for e in edits if not e.correction}
    assert any("idx, depId" in kind for kind in findings.counts)


def test_revisions_inside_revisions_only_marked_and_untyped(tmp_path: Path) -> None:
    sentence = (
        "<revision><original><w>a</w><revision><original><w>b</w></original><corrected><w>c</w></corrected>"
        '<errors><error xtype="in"/></errors></revision></original><corrected><w>d</w></corrected>'
        '<errors><error xtype="out"/></errors></revision>'
        '<revision><original><w>e</w></original><errors><error xtype="UNK"/></errors></revision>'
        "<revision><original/><corrected><c>.</c></corrected></revision>"
    )
    marked = text_of("iceec-tei", tmp_path / "x.xml", f"<TEI><s>{sentence}</s></TEI>")
    expected = [("a b", "out", "d"), ("b", "in", "c"), ("e", "UNK", None), ("", "M:OTHER", ".")]
    assert marks_of(marked) == expected


def bea_json(folder: Path, *records: Any) -> Path:
    """Return a file of records."""
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
    (folder / "x.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder / "x.jsonl"


def test_essays_of_the_bea_task_by_two_annotators(tmp_path: Path) -> None:
    first = [[13, 24, "medium-sized"], [33, 38, "like"], [39, 42, None], [48, 48, " ."]]
    essay = {
        "id": "1-7",
        "userid": "u",
        "cefr": "A2.i",
        "text": "My town is a medium size city.\nI likes\u00a0it😀 a lot",
        "edits": [[0, first], [2, [[33, 38, "like", "AGV"], [43, 44, ""]]]],
    }
    path, findings = bea_json(tmp_path, essay, {"text": "Nobody looked ."}), Findings()
    blocks = blocks_of("bea-json", path, findings)
    sources = ["My town is a medium size city.", "I likes it😀 a lot", "Nobody looked ."]
    assert [" ".join(b.source) for b in blocks] == sources
    assert edits_of(blocks[1]) == [(1, 2, "R:OTHER", "like"), (2, 3, "UNK", None), (5, 5, "M:OTHER", ".")]
    assert edits_of(blocks[1], 2) == [(1, 2, "AGV", "like"), (3, 4, "U:OTHER", "")]
    assert blocks[0].annotations[1].edits == ()
    assert blocks[2].annotations == ()
    assert "keys of an essay that M2 cannot hold, left out: cefr, userid" in findings.counts


def test_what_is_written_is_what_the_bea_task_reads() -> None:
    edits = [(1, 1, ("the",), "M:DET"), (1, 2, (), "U:X"), (2, 2, (".",), "M:P"), (2, 2, None, "UNK")]
    annotations = Annotation(0, tuple([Edit(*edit) for edit in edits])), Annotation(4)
    assert json.loads(written("bea-json", Block(("a",)), Block(("b", "c"), annotations))) == {
        "id": "d",
        "text": "a\nb c",
        "edits": [
            [0, [[4, 4, "the ", "M:DET"], [4, 5, "", "U:X"], [5, 5, " .", "M:P"], [5, 5, None, "UNK"]]],
            [4, []],
        ],
    }


def test_alternatives_stay_and_types_need_not_be_there(tmp_path: Path) -> None:
    edits = (Edit(1, 2, ("x",), "R:X", alternatives=(("y",), ())),)
    record = json.loads(written("bea-json", Block(("b", "c"), (Annotation(0, edits),))))
    assert record["edits"] == [[0, [[2, 3, "x", "R:X", ["y", ""]]]]]
    record["edits"] = [["", [[0, 1, None], [2, 3, "x", None, ["y", ""]]]]]  # as W&I has no types
    [block] = blocks_of("bea-json", bea_json(tmp_path, record))
    x = Edit(1, 2, ("x",), "R:OTHER", alternatives=(("y",), ()))
    assert block.annotations[0].edits == (Edit(0, 1, None, "UNK"), x)


def test_correct_form_of_ewt(tmp_path: Path) -> None:
    words = ["I", "wo CorrectForm=would", "uld CorrectForm=_", "the CorrectForm=_", "go"]
    rows = []
    for number, word in enumerate(words, start=1):
        form, _, misc = word.partition(" ")
        relation = "goeswith" if form == "uld" else "_"
        rows.append("\t".join([str(number), form, *"_____", relation, "_", misc or "_"]))
    (tmp_path / "x.conllu").write_text("\n".join([*rows, "\n"]), encoding="utf-8")
    [block] = blocks_of("conllu", tmp_path / "x.conllu")
    assert edits_of(block) == [(1, 3, "R:OTHER", "would"), (3, 4, "U:OTHER", "")]


def test_edits_are_written_into_misc() -> None:
    edits = [(0, 0, ("a", "b"), "M:X"), (0, 2, ("|",), "R:X Y"), (0, 1, None, "UNK"), (2, 2, (".",), "M:P")]
    block = Block(("x", "y"), (Annotation(0, tuple([Edit(*edit) for edit in edits])),))
    lines = written("conllu", block).split("\n")
    assert lines[:2] == ["# sent_id = d-1", "# text = x y"]
    assert [line.split("\t")[9] for line in lines[2:4]] == [
        r"Edit=M:X|Correction=a\sb|EditSpan=before|Edit2=R:X\sY|Correction2=\p|EditSpan2=1-2|Edit3=UNK",
        "Edit=M:P|Correction=.|EditSpan=after",
    ]
