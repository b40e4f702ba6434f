"""UA-GEC's inline text: its own files, marks inside words, escapes, what is wrong in a file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import jperrant
from jperrant.core.edits import apply_edits
from jperrant.core.errors import FormatError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.exchange.base import Corpus
from jperrant.exchange.collect import Collector, Findings
from jperrant.exchange.marks import Document, MarkedText
from jperrant.exchange.ua_gec import UaGecFormat, parse
from tests.exchange_files import texts_of

DATA = Path(__file__).parents[1] / "data" / "exchange"


def read(folder: Path, content: str, text: str = "auto") -> MarkedText:
    """Return what is read of one file."""
    (folder / "essay.a0.ann").write_text(content, encoding="utf-8")
    [marked] = texts_of(UaGecFormat(text=text), str(folder))
    return marked


def regions(marked: MarkedText) -> list[tuple[str, str, str | None]]:
    """Return covered text, type and correction of each region."""
    return [(marked.text[r.start : r.end], r.type, r.correction) for r in marked.regions]


def test_an_essay_of_the_corpus_by_two_annotators() -> None:
    findings = Findings()
    texts = list(texts_of(UaGecFormat(), str(DATA)))
    blocks = [block for block, _ in Collector(findings=findings).blocks(texts)]
    # Counted in the files with `grep -o '=>'`.
    assert [(t.document, t.annotator) for t in texts] == [("0013", "1"), ("0013", "2")]
    assert [len(parse((DATA / f"0013.a{n}.ann").read_text(encoding="utf-8"), "f").marks) for n in (1, 2)] == [
        14,
        14,
    ]
    assert {a.annotator for block in blocks for a in block.annotations} == {1, 2}
    types = {edit.type for block in blocks for a in block.annotations for edit in a.edits}
    assert {"Spelling", "Punctuation"} <= types


def test_marks_in_running_text_grow_to_what_changes(tmp_path: Path) -> None:
    content = (
        "I{=>, too, like:::error_type=G} cats,dogs. He {go=>goes:::error_type=S}{=>,:::error_type=P} "
        'Tom{: "=>. — :::error_type=Q}Why? {very =>:::error_type=U} x{ =>:::error_type=W}y{=>  :::error_type=N}'
    )
    marked = read(tmp_path, content, "raw")
    assert regions(marked) == [
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


def test_in_tokens_only_letters_that_meet_are_one_word(tmp_path: Path) -> None:
    marked = read(
        tmp_path, "He walk{=>s:::error_type=S} home{=>,:::error_type=P} and {=>the:::error_type=M:DET}cat ."
    )
    assert regions(marked) == [("walk", "S", "walks"), ("", "P", ","), ("", "M:DET", "the")]


def test_alternatives_no_suggestions_and_newlines(tmp_path: Path) -> None:
    marked = read(
        tmp_path,
        r"a {b=>c|d\n|:::error_type=R:X} {e=>NO_SUGGESTIONS:::error_type=UNK} {f=>g} {::=>:::::error_type=P}",
    )
    assert regions(marked) == [
        ("b", "R:X", "c||d||"),
        ("e", "UNK", None),
        ("f", "R:OTHER", "g"),
        ("::", "P", "::"),
    ]


def test_lines_that_an_edit_crosses_are_one_sentence_for_all_annotators(tmp_path: Path) -> None:
    (tmp_path / "d.a1.ann").write_text("Yes, I {do.\\nNo=>do no:::error_type=P} more.\nEnd.\n")
    (tmp_path / "d.a2.ann").write_text("\nYes, I do.\nNo more.\nEnd{.=>!:::error_type=P}\n")
    blocks = [block for block, _ in Collector().blocks(texts_of(UaGecFormat(), str(tmp_path)))]
    assert [" ".join(block.source) for block in blocks] == ["Yes, I do. No more.", "End."]
    assert [len(a.edits) for block in blocks for a in block.annotations] == [1, 0, 0, 1]


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ("ok\nHe {go=>goes", 2, "no closing brace"),
        ("{a b {c=>d} e=>f}", 1, "no closing brace"),
        ("\n\na {b:::error_type=>} c", 3, "no =>"),
        ("{a=>b:::spelling}", 1, "expected error_type=TYPE"),
        ("{a=>b:::error_type=A:::error_type=B}", 1, "once"),
        ("x\n{=>y:::error_type=A:::covers=o}z", None, "line 2: 2 to 3 covers 'z', expected 'o'"),
    ],
)
def test_broken_markup_names_file_and_line(content: str, line: int, problem: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=problem) as raised:
        read(tmp_path, content)
    assert "\n" not in str(raised.value)
    assert raised.value.line == line
    assert raised.value.file.endswith("essay.a0.ann")


def test_the_text_that_a_file_makes_is_the_corrected_text(tmp_path: Path) -> None:
    edits = (Edit(0, 0, ("The",), "M:DET"), Edit(1, 2, (), "U:X"), Edit(2, 2, (".",), "M:PUNCT"))
    block = Block(("cat", "cat"), (Annotation(0, edits),))
    [content] = UaGecFormat().export(Corpus((Document("d", (block,)),))).values()
    content = "".join(content)
    assert content == "{=>The :::error_type=M:DET}cat {cat=>:::error_type=U:X}{=> .:::error_type=M:PUNCT}\n"
    assert apply_edits(block.source, edits) == ("The", "cat", ".")


def test_a_text_that_begins_with_a_byte_order_mark_keeps_it(tmp_path: Path) -> None:
    block = Block(("\ufeff", "a"), (Annotation(0),))
    [content] = UaGecFormat().export(Corpus((Document("d", (block,)),))).values()
    assert read(tmp_path, "".join(content)).text == "\ufeff a"


def test_braces_without_an_arrow_are_text_as_in_the_library_of_the_corpus(tmp_path: Path) -> None:
    marked = read(tmp_path, "a {x} {b=>c:::error_type=S} d")
    assert (marked.text, regions(marked)) == ("a {x} b d", [("b", "S", "c")])
    assert [remark.partition(",")[0] for remark in marked.remarks] == ["braces without =>"]


@pytest.mark.parametrize(
    ("format_", "name", "content", "lines"),
    [
        ("ua-gec", "d.a0.ann", "a {b=>c:::error_type=X}\nq {r=>s:::t}\nv {w\nx {y=>z:::k}\n", "2, 3, 4"),
        ("cows-l2h", "essay.txt", "I [has]{have}<x> a ]cat\nthe [dog]{cat}<x>\n a {dog\n", "1, 3"),
        (
            "clc-xml",
            "d.xml",
            "<d><p>a <i>b</i>\nc <NS type='X'><i>d</i><c>e</c></NS>\n<c>f</c></p></d>",
            "1, 3",
        ),
    ],
)
def test_every_bad_mark_of_a_text_is_named(
    tmp_path: Path, format_: str, name: str, content: str, lines: str
) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(FormatError) as raised:
        jperrant.convert_m2(str(tmp_path / name), str(tmp_path / "o.m2"), format_, "m2")
    first, *others = lines.split(", ")
    further = f"; further bad marks in lines {', '.join(others)}"
    assert re.search(rf"{re.escape(name)}:{first}: .*{further}$", str(raised.value))
    assert not (tmp_path / "o.m2").exists()
