"""UA-GEC, FCE, IceEC, the BEA task, CoNLL-U, SVALA: their own files, and what is written for their readers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TypeAlias

import pytest

from jperrant.core.values import Annotation, Block, Edit
from jperrant.exchange.collect import Collector, Findings
from jperrant.exchange.ua_gec import parse
from tests.exchange_files import blocks_of, edits_of, marks_of, put, svala_graph, texts_of, written

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


INSIDE = "a mark inside another that has a correction of its own, left out"
#: Format, content of a file, its text, its marks and what is said of them.
MARKS = [
    # Marks in running text grow to what changes.
    ("ua-gec:text=raw",
     "I{=>, too, like:::error_type=G} cats,dogs. He {go=>goes:::error_type=S}{=>,:::error_type=P} "
     'Tom{: "=>. — :::error_type=Q}Why? {very =>:::error_type=U} x{ =>:::error_type=W}y{=>  :::error_type=N}',
     'I cats,dogs. He go Tom: "Why? very  x y',
     [("I", "G", "I, too, like"), ("go", "S+P", "goes,"), ('Tom: "Why?', "Q", "Tom. — Why?"), ("very", "U", ""),
      ("x y", "W", "xy")],
     ["2 marks in one token joined to one edit", "changes nothing but white space, left out"]),
    # In tokens only letters that meet are one word.
    ("ua-gec", "He walk{=>s:::error_type=S} home{=>,:::error_type=P} and {=>the:::error_type=M:DET}cat .",
     "He walk home and cat .", [("walk", "S", "walks"), ("", "P", ","), ("", "M:DET", "the")], []),
    ("ua-gec",
     r"a {b=>c|d\n|:::error_type=R:X} {e=>NO_SUGGESTIONS:::error_type=UNK} {f=>g} {::=>:::::error_type=P}",
     "a b e f ::", [("b", "R:X", "c||d||"), ("e", "UNK", None), ("f", "R:OTHER", "g"), ("::", "P", "::")], []),
    # Braces without an arrow are text, as in the library of the corpus.
    ("ua-gec", "a {x} {b=>c:::error_type=S} d", "a {x} b d", [("b", "S", "c")],
     [r"braces without =>, read as text; a brace of the text is written \{"]),
    ("clc-xml", ESSAY.format(
        '<p>I <NS type="AGV"><i>likes</i><c>like</c></NS> <NS type="MD"><c>the</c></NS> sea<NS type="MP"><c>,</c>'
        '</NS> and <NS type="UD"><i>a</i></NS> sand <NS type="L">wanna</NS>.</p>\n<p>Tom &amp; I.</p>'),
     "I likes  sea and a sand wanna.\nTom & I.",
     [("likes", "AGV", "like"), ("", "MD", "the"), ("sea", "MP", "sea,"), ("a", "UD", ""), ("wanna", "L", None)],
     []),
    # What stands outside of paragraphs is a line.
    ("clc-xml", ESSAY.format("loose <NS type='A'><i>a</i><c>b</c></NS>\n<div><p>one</p> <p>two</p></div> end"),
     "loose a \none\ntwo\n end", [("a", "A", "b")], []),
    ("iceec-tei",
     "<TEI><s><revision><original><w>a</w><revision><original><w>b</w></original><corrected><w>c</w></corrected>"
     '<errors><error xtype="in"/></errors></revision></original><corrected><w>d</w></corrected>'
     '<errors><error xtype="out"/></errors></revision>'
     '<revision><original><w>e</w></original><errors><error xtype="UNK"/></errors></revision>'
     "<revision><original/><corrected><c>.</c></corrected></revision></s></TEI>",
     "a b e", [("a b", "out", "d"), ("b", "in", "c"), ("e", "UNK", None), ("", "M:OTHER", ".")], []),
    # English-EWT: a word in pieces is corrected as its first piece says.
    ("conllu",
     "1\tI\t_\t_\t_\t_\t_\t_\t_\t_\n2\two\t_\t_\t_\t_\t_\t_\t_\tCorrectForm=would\n"
     "3\tuld\t_\t_\t_\t_\t_\tgoeswith\t_\tCorrectForm=_\n4\tthe\t_\t_\t_\t_\t_\t_\t_\tCorrectForm=_\n\n",
     "I wo uld the", [("wo uld", "R:OTHER", "would"), ("the", "U:OTHER", "")], []),
]  # fmt: skip


@pytest.mark.parametrize(("format", "content", "text", "marks", "remarks"), MARKS)
def test_marks_are_read_with_what_is_said_of_them(
    format: str, content: str, text: str, marks: list[object], remarks: list[str], tmp_path: Path
) -> None:
    [marked] = texts_of(format, put(tmp_path, {"x": content}) / "x")
    assert marked.text == text
    assert marks_of(marked) == marks
    assert sorted(marked.remarks) == remarks


@pytest.mark.parametrize(
    ("coded", "expected", "left_out"),
    [
        # The outer mark has no correction: it is an error around one that is corrected.
        ('<NS type="RV"><NS type="FV"><i>be taken</i><c>take</c></NS> place</NS>',
         [("be taken place", "RV", None), ("be taken", "FV", "take")], 0),
        ('<NS type="RP"><i><NS type="S"><i>becuase</i><c>because</c></NS> he</i><c>Because he</c></NS>',
         [("becuase he", "RP", "Because he")], 1),
        ("we know<NS type='UP'><i>,</i></NS> that", [("know,", "UP", "know")], 0),
        ("a <NS type='RN'><i>fuss</i></NS> b", [("fuss", "RN", "")], 0),
        ("so <NS type='X'></NS> b", [("", "X", None)], 0),
        ("<NS><i>go</i><c>d<NS><i>oe</i><c>oe</c></NS>s</c></NS> on", [("go", "R:OTHER", "does")], 0),
        ("made <ns type='FN'><i><ns type='RN'><i>trouble</i><c>problem</c></ns></i><c>problems</c></ns> b",
         [("trouble", "FN", "problems")], 1),
        ("x <NS type='RJ'><NS type='RP'><i>Best</i><c>best</c></NS></NS> y",
         [("Best", "RJ", None), ("Best", "RP", "best")], 0),
    ],
)  # fmt: skip
def test_the_shapes_that_fce_has(coded: str, expected: list[object], left_out: int, tmp_path: Path) -> None:
    content = ESSAY.format(f"\n   <p>{coded}</p>\n")
    [marked] = texts_of("clc-xml:text=raw", put(tmp_path, {"x.a0.xml": content}))
    assert marks_of(marked) == expected
    assert list(marked.remarks) == [INSIDE] * left_out


def test_lines_that_an_edit_crosses_are_one_sentence_for_all_annotators(tmp_path: Path) -> None:
    first = "Yes, I {do.\\nNo=>do no:::error_type=P} more.\nEnd.\n"
    second = "\nYes, I do.\nNo more.\nEnd{.=>!:::error_type=P}\n"
    blocks = blocks_of("ua-gec", put(tmp_path, {"d.a1.ann": first, "d.a2.ann": second}))
    assert [" ".join(block.source) for block in blocks] == ["Yes, I do. No more.", "End."]
    assert [len(a.edits) for block in blocks for a in block.annotations] == [1, 0, 0, 1]


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


def test_essays_of_the_bea_task_by_two_annotators(tmp_path: Path) -> None:
    first = [[13, 24, "medium-sized"], [33, 38, "like", None, ["love", ""]], [39, 42, None], [48, 48, " ."]]
    text = "My town is a medium size city.\nI likes\u00a0it😀 a lot"
    edits = [["", first], [2, [[33, 38, "like", "AGV"], [43, 44, ""]]]]
    essay = {"id": "1-7", "userid": "u", "cefr": "A2.i", "text": text, "edits": edits}
    lines, findings = f'{json.dumps(essay)}\n{{"text": "Nobody looked ."}}\n', Findings()
    town, likes, nobody = blocks_of("bea-json", put(tmp_path, {"x": lines}) / "x", findings)
    assert likes.source == ("I", "likes", "it😀", "a", "lot")
    assert edits_of(likes) == [(1, 2, "R:OTHER", "like"), (2, 3, "UNK", None), (5, 5, "M:OTHER", ".")]
    assert likes.annotations[0].edits[0].alternatives == (("love",), ())
    assert edits_of(likes, 2) == [(1, 2, "AGV", "like"), (3, 4, "U:OTHER", "")]
    assert edits_of(town, 2) == []
    assert nobody == Block(("Nobody", "looked", "."))
    assert "keys of an essay that M2 cannot hold, left out: cefr, userid" in findings.counts


#: Two edits at one place, the second over the whole sentence and with alternatives, then a deletion at the end,
#: an insertion and an error that is only marked behind it.
EDITS = [
    (0, 0, ("The", "|"), "M:DET"), (0, 2, ("x",), "R:X Y", "", (("y",), ())), (1, 2, (), "U:X"),
    (2, 2, (".",), "M:P"), (2, 2, None, "UNK"),
]  # fmt: skip
WRITTEN = {
    "ua-gec": r"{=>The \| :::error_type=M:DET}{=>x|y|:::error_type=R:X Y:::covers=a b}a "
    "{b=>:::error_type=U:X}{=> .:::error_type=M:P}{=>NO_SUGGESTIONS:::error_type=UNK}\n",
    "bea-json": '{"id": "d", "text": "a b", "edits": [[0, [[0, 0, "The | ", "M:DET"], [0, 3, "x", "R:X Y", '
    '["y", ""]], [2, 3, "", "U:X"], [3, 3, " .", "M:P"], [3, 3, null, "UNK"]]]]}\n',
    "conllu": "# sent_id = d-1\n# text = a b\n1\ta\t_\t_\t_\t_\t_\t_\t_\t"
    r"Edit=M:DET|Correction=The\s\p|EditSpan=before|Edit2=R:X\sY|Correction2=x\p\py\p\p|EditSpan2=1-2"
    "\n2\tb\t_\t_\t_\t_\t_\t_\t_\t"
    "Edit=U:X|Correction=|Edit2=M:P|Correction2=.|EditSpan2=after|Edit3=UNK|EditSpan3=after\n\n",
}


@pytest.mark.parametrize("format", WRITTEN)
def test_what_is_written_for_those_who_read_the_formats(format: str) -> None:
    block = Block(("a", "b"), (Annotation(0, tuple([Edit(*edit) for edit in EDITS])),))
    assert written(format, block) == WRITTEN[format]


#: Start, covered text, type and correction of a region.
Read: TypeAlias = tuple[int, str, str, str | None]
MOVED = "an edge that moves tokens, read as a deletion and an insertion"
JOINED = "edges that cross joined to one edit"
#: What an edge is, the two texts, the edges, and what is read: regions and remarks.
EDGES: dict[str, tuple[str, str, list[tuple[str, str]], list[Read], tuple[str, ...]]] = {
    # The editor's own example, in which tokens are unchanged, changed, split, put in and taken out.
    "He get_to_cleaned//He got_to_clean": (
        "He get to cleaned alot of of", "Yesterday He got to clean a lot of",
        [("t0", "M"), ("s0 t1", ""), ("s1 t2", "F V"), ("s2 t3", ""), ("s3 t4", "F"), ("s4 t5 t6", "O"),
         ("s5 t7", ""), ("s6", "U")],
        [(0, "", "M", "Yesterday"), (3, "get", "F+V", "got"), (10, "cleaned", "F", "clean"),
         (18, "alot", "O", "a lot"), (26, "of", "U", "")], ()),
    "a word that moved over two words that did not change": (
        "if he it has", "if has he it", [("s0 t0", ""), ("s1 t2", ""), ("s2 t3", ""), ("s3 t1", "S-FinV")],
        [(3, "", "S-FinV", "has"), (9, "has", "S-FinV", "")], (MOVED,)),
    "of two words that change places the first is labelled": (
        "I now go", "I go now", [("s0 t0", ""), ("s1 t2", "L"), ("s2 t1", "")],
        [(2, "now", "L", ""), (8, "", "L", "now")], (MOVED,)),
    "of two words that change places the second is labelled": (
        "I now go", "I go now", [("s0 t0", ""), ("s1 t2", ""), ("s2 t1", "L")],
        [(2, "", "L", "go"), (6, "go", "L", "")], (MOVED,)),
    "edges of tokens apart that cross": (
        "a b c", "x b y", [("s0 s2 t0", "W"), ("s1 t1 t2", "V")],
        [(0, "a b c", "W+V", "x b y")], (JOINED,)),
    "an edge over tokens that lie apart takes what is between": (
        "a b c d", "x b y d", [("s0 s2 t0 t2", "W"), ("s1 t1", ""), ("s3 t3", "")],
        [(0, "a b c", "W", "x b y")], (JOINED,)),
    "a label on equal tokens, and tokens without an edge": (
        "a b", "a c", [("s0 t0", "UNK")],
        [(0, "a", "UNK", None), (2, "b", "U:OTHER", ""), (3, "", "M:OTHER", "c")], ()),
    "a token that ends a line": (
        "a_ b", "a x_ b", [("s0 t0", ""), ("t1", "L"), ("s1 t2", "")], [(1, "", "L", "x")], ()),
    "a token that begins a line": (
        "a_ b", "a_ x b", [("s0 t0", ""), ("t1", "L"), ("s1 t2", "")], [(2, "", "L", "x")], ()),
}  # fmt: skip


@pytest.mark.parametrize("what", EDGES)
@pytest.mark.parametrize("space", [" ", ""])
def test_edges_are_read_as_edits(what: str, space: str, tmp_path: Path) -> None:
    source, target, edges, expected, remarks = EDGES[what]
    record = svala_graph(source, target, *edges)
    for token in (
        *record["source"],
        *record["target"],
    ):  # without white space behind them they are tokens, too
        token["text"] = token["text"].replace("\n ", "\n").replace(" ", space)
    [marked] = texts_of("svala", put(tmp_path, {"x.a0.json": json.dumps(record)}))
    assert marked.text == source.replace("_ ", "\n")
    assert [(r.start, marked.text[r.start : r.end], r.type, r.correction) for r in marked.regions] == expected
    assert marked.remarks == remarks


def test_what_is_written_is_a_graph_of_the_editor() -> None:
    edits = (Edit(0, 1, ("is",), "R:VERB+SVA"), Edit(2, 2, (".",), "M:PUNCT"), Edit(2, 2, None, "UNK"))
    assert json.loads(written("svala", Block(("are", "it"), (Annotation(1, edits),)))) == {
        "source": [{"id": "s0", "text": "are "}, {"id": "s1", "text": "it\n"}],
        "target": [{"id": "t0", "text": "is "}, {"id": "t1", "text": "it "}, {"id": "t2", "text": ".\n"}],
        "edges": {
            "e-s0-t0": {"id": "e-s0-t0", "ids": ["s0", "t0"], "labels": ["R:VERB", "SVA"], "manual": True},
            "e-s1-t1": {"id": "e-s1-t1", "ids": ["s1", "t1"], "labels": [], "manual": False},
            "e-t2": {"id": "e-t2", "ids": ["t2"], "labels": ["M:PUNCT"], "manual": True},
        },
        "comment": "also sentence 1, tokens 2 2 => UNK => (only marked)",
    }


def test_graphs_keep_the_invariants_of_the_editor() -> None:
    """What its ``check_invariant`` asks: ids once and in order, every token in one edge, no comments of edges."""
    twice = [Edit(0, 1, ("is",), "R:A+B", alternatives=(("was",),)), Edit(1, 1, ("new",), "M:X")]
    twice += [Edit(1, 3, (), "U:A+A"), Edit(2, 3, ("z",), "R:Y")]
    edits = (*twice, *[Edit(k, k + 1, (f"w{k}", "v"), "R:Z") for k in range(3, 12)])
    last = Block(("m",), (Annotation(0, (Edit(0, 1, (), "U:X"),)),))
    record = json.loads(
        written("svala", Block(tuple("abcdefghijkl"), (Annotation(0, edits),)), Block(()), last)
    )
    tokens = record["source"] + record["target"]
    assert all(re.fullmatch(r"\s*\S+\s+", token["text"]) for token in tokens)
    for name, edge in record["edges"].items():
        assert name == edge["id"] == "-".join(["e", *edge["ids"]])
        assert edge["ids"] == sorted(edge["ids"])
        assert sorted({*edge["labels"]}) == sorted(edge["labels"])
        assert "comment" not in edge
    in_edges = [id_ for edge in record["edges"].values() for id_ in edge["ids"]]
    assert sorted(in_edges) == sorted(token["id"] for token in tokens)
