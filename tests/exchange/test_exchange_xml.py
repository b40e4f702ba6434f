"""XML of learner corpora: the error coding of FCE, nested marks, hostile and broken files."""

from __future__ import annotations

from pathlib import Path

import pytest

from jperrant.core.errors import FormatError, InputError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.exchange.base import Corpus
from jperrant.exchange.clc_xml import ClcXmlFormat
from jperrant.exchange.marks import Document, MarkedText
from jperrant.exchange.reading import DEEPEST, parse_xml
from tests.exchange_files import texts_of

ESSAY = "<learner><head><text><answer1><coded_answer>{}</coded_answer></answer1></text></head></learner>"


def read(folder: Path, paragraphs: str, **options: str) -> MarkedText:
    """Return what is read of an essay."""
    (folder / "x.a0.xml").write_text(ESSAY.format(paragraphs), encoding="utf-8")
    [marked] = texts_of(ClcXmlFormat(**options), str(folder))
    return marked


def regions(marked: MarkedText) -> list[tuple[str, str, str | None]]:
    """Return covered text, type and correction of each region."""
    return [(marked.text[r.start : r.end], r.type, r.correction) for r in marked.regions]


def test_marks_of_fce(tmp_path: Path) -> None:
    marked = read(
        tmp_path,
        '<p>I <NS type="AGV"><i>likes</i><c>like</c></NS> <NS type="MD"><c>the</c></NS> sea'
        '<NS type="MP"><c>,</c></NS> '
        'and <NS type="UD"><i>a</i></NS> sand <NS type="L">wanna</NS>.</p>\n<p>Tom &amp; I.</p>',
    )
    assert marked.text == "I likes  sea and a sand wanna.\nTom & I."
    assert regions(marked) == [
        ("likes", "AGV", "like"),
        ("", "MD", "the"),
        ("sea", "MP", "sea,"),
        ("a", "UD", ""),
        ("wanna", "L", None),
    ]


@pytest.mark.parametrize(
    ("coded", "outer", "left_out"),
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
    ],
)
def test_nested_marks(coded: str, outer: list[object], left_out: int, tmp_path: Path) -> None:
    text = f"<p>so {coded} now .</p>"
    assert regions(read(tmp_path, text)) == outer
    remark = "a mark inside another that has a correction of its own, left out"
    assert list(read(tmp_path, text).remarks) == [remark] * left_out


@pytest.mark.parametrize(
    ("coded", "expected"),
    [
        ("a <NS type='RJ'>fixed</NS> plan", [("fixed", "RJ", None)]),
        ("we know<NS type='UP'><i>,</i></NS> that", [("know,", "UP", "know")]),
        ("a <NS type='RN'><i>fuss</i></NS> b", [("fuss", "RN", "")]),
        ("so <NS type='X'></NS> b", [("", "X", None)]),
        ("<NS><i>go</i><c>d<NS><i>oe</i><c>oe</c></NS>s</c></NS> on", [("go", "R:OTHER", "does")]),
        (
            "made <ns type='FN'><i><ns type='RN'><i>trouble</i><c>problem</c></ns></i><c>problems</c></ns> b",
            [("trouble", "FN", "problems")],
        ),
        (
            "<NS type='R'>In the <NS type='RP'><i>Hall</i><c>hall</c></NS> now</NS>",
            [("In the Hall now", "R", None), ("Hall", "RP", "hall")],
        ),
        (
            "x <NS type='RJ'><NS type='RP'><i>Best</i><c>best</c></NS></NS> y",
            [("Best", "RJ", None), ("Best", "RP", "best")],
        ),
    ],
)
def test_the_shapes_that_fce_has(coded: str, expected: list[object], tmp_path: Path) -> None:
    assert regions(read(tmp_path, f"\n   <p>{coded}</p>\n", text="raw")) == expected


def test_what_stands_outside_of_paragraphs_is_a_line(tmp_path: Path) -> None:
    marked = read(tmp_path, "loose <NS type='A'><i>a</i><c>b</c></NS>\n<div><p>one</p> <p>two</p></div> end")
    assert [line.strip() for line in marked.text.split("\n")] == ["loose a", "one", "two", "end"]
    assert [(marked.text[r.start : r.end], r.correction) for r in marked.regions] == [("a", "b")]


@pytest.mark.parametrize(
    ("paragraphs", "line", "problem"),
    [
        ("<p>a</p>\n<p><NS type='X'><i>b</i></p>", 2, "mismatched tag"),
        ("<p><c>b</c></p>", 1, "<c> outside <NS>"),
        ("<p>&nbsp;</p>", 1, "undefined entity"),
        ("<p><NS type='X' covers='b'><c>c</c></NS>a</p>", None, "line 1: 0 to 1 covers 'a', expected 'b'"),
        ("<p>" + "<em>" * DEEPEST + "</em>" * DEEPEST + "</p>", 1, f"more than {DEEPEST} deep"),
    ],
)
def test_broken_files_name_file_and_line(paragraphs: str, line: int, problem: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=problem) as raised:
        read(tmp_path, paragraphs)
    assert (raised.value.line, raised.value.file.endswith("x.a0.xml")) == (line, True)


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY b SYSTEM "file:///etc/passwd">',
        '<!ENTITY % b SYSTEM "http://example.org/x.dtd"> %b;',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(declaration: str, encoding: str) -> None:
    with pytest.raises(FormatError, match="can declare entities"):
        parse_xml(f"<!DOCTYPE p [{declaration}]><p>&b;</p>".encode(encoding), "x.xml")


@pytest.mark.parametrize("text", ["<p>&b;</p>", "<p a='&b;'/>", "<p/>"])
def test_a_dtd_that_is_not_fetched_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="found a DOCTYPE"):
        parse_xml(f'<!DOCTYPE p SYSTEM "x.dtd">{text}', "x.xml")


def test_default_attributes_are_refused() -> None:
    with pytest.raises(FormatError, match="found a DOCTYPE"):
        parse_xml("<!DOCTYPE p [<!ATTLIST p a CDATA 'xxx'>]><p/>", "x.xml")


@pytest.mark.parametrize("encoding", ["U1e4008", "utf-32", "\N{SNOWMAN}"])
def test_unknown_encodings_are_refused(encoding: str) -> None:
    with pytest.raises(FormatError, match="not XML"):
        parse_xml(f"<?xml version='1.0' encoding='{encoding}'?><p/>".encode(), "x.xml")


def test_what_xml_cannot_hold_names_sentence_and_annotator() -> None:
    block = Block(("a\x01",), (Annotation(3, (Edit(0, 1, ("b",), "R:X"),)),))
    [content] = ClcXmlFormat().export(Corpus((Document("d", (block,)),))).values()
    with pytest.raises(InputError, match="d, sentence 1, annotator 3"):
        "".join(content)
