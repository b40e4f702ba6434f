"""The M2 tool box: check, apply, source, merge, split, retype, clean; the commands."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from jperrant.annotation.annotator import Annotator, load
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.cli.main import app
from jperrant.core.edits import apply_edits, minimise, place
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.values import Annotation, Block, Edit, format_block
from jperrant.io.m2 import FormatDeviations, parse_m2
from jperrant.m2tools.check import check_m2, in_dialect
from jperrant.m2tools.m2_formats import corrected_lines
from jperrant.m2tools.merge import merge_m2, only, split_m2
from jperrant.m2tools.retype import retype_auto, retype_gold, retype_m2
from tests.commands import refused
from tests.m2_cases import CONLL14, GOLD, SAMPLE, blocks, detections, read, texts, written
from tests.strategies import examples

# Minimisation


@pytest.mark.parametrize(
    ("span", "correction", "expected"),
    [
        ((0, 3), "a x c", (1, 2, "x")), ((0, 2), "a c", (1, 2, "c")), ((0, 3), "b c", (0, 1, "")),
        ((0, 2), "a b c", (2, 2, "c")), ((0, 3), "a b c", (3, 3, "")), ((0, 1), "A", (0, 1, "A")),
        ((1, 1), "a", (1, 1, "a")), ((3, 5), "a", (4, 5, "")),  # leading tokens go first, as in ERRANT
    ],
)  # fmt: skip
def test_minimise(span: tuple[int, int], correction: str, expected: tuple[int, int, str]) -> None:
    edit = minimise(Edit(*span, tuple(correction.split()), "R:X"), ("a", "b", "c", "a", "a"))
    assert (edit.start, edit.end, " ".join(edit.correction or ())) == expected


def test_minimise_looks_at_all_alternatives_and_leaves_detections() -> None:
    source = ("a", "b", "c")
    edit = Edit(0, 3, ("a", "x", "c"), "R:X", alternatives=(("a", "b", "y", "c"),))
    assert minimise(edit, source) == Edit(1, 2, ("x",), "R:X", alternatives=(("b", "y"),))
    for detection in (Edit(0, 3, ("a", "x"), "UNK"), Edit(0, 2, None, "Um")):
        assert minimise(detection, source) == detection


@given(blocks())
def test_places_are_where_the_corrections_stand(block: Block) -> None:
    for annotation in block.annotations:
        target = apply_edits(block.source, annotation.edits)
        edits = [edit for edit in annotation.edits if not edit.is_detection]
        for edit, span in zip(edits, place(edits), strict=True):
            assert target[span.target_start : span.target_end] == edit.correction
            assert (span.start, span.end) == (edit.start, edit.end)


# Text


def test_missing_annotators_are_said() -> None:
    found = [*read(SAMPLE), Block(("a",), (Annotation(3),)), Block(("b",))]
    notes: list[str] = []
    assert list(corrected_lines(found, 10, file="x", notes=notes))[1:] == ["a", "b"]
    assert list(corrected_lines(found[2:], notes=notes)) == ["b"]
    assert notes == ["x: annotator 10 is missing in 1 sentence, left unchanged"]
    with pytest.raises(FormatError, match="no annotator 0; annotators in this file: 3, 10"):
        list(corrected_lines(found))


# Merging and splitting


@given(st.lists(blocks(), min_size=1, max_size=5))
def test_merging_what_was_split_gives_it_back(
    tmp_path_factory: pytest.TempPathFactory, given_: list[Block]
) -> None:
    full = [Block(b.source, tuple(b.annotation(n) or Annotation(n) for n in range(3))) for b in given_]
    pieces = [[only(block, n) for block in full] for n in range(3)]
    assert list(merge_m2(pieces, ["x"] * 3)) == full
    folder = tmp_path_factory.mktemp("split")
    paths = split_m2(iter(full), str(folder / "of-{}.m2"))
    assert paths == [str(folder / f"of-{n}.m2") for n in range(3)]
    assert [Path(path).read_text(encoding="utf-8") for path in paths] == [written(piece) for piece in pieces]


def test_merge_renumbers_in_the_order_of_files_and_says_what_is_odd() -> None:
    edits = (Edit(0, 1, (), "t"),)
    several = [Block(("a",), (Annotation(7, edits), Annotation(2))), Block(("b",), (Annotation(7, edits),))]
    single = [Block(("a",)), Block(("b",), (Annotation(0, edits),))]
    notes: list[str] = []
    merged = list(merge_m2([several, single, [Block(("a",)), Block(("b",))]], ["x", "y", "z"], notes))
    assert [[a.annotator for a in block.annotations] for block in merged] == [[0, 1, 2, 3]] * 2
    assert [[len(a.edits) for a in block.annotations] for block in merged] == [[0, 1, 0, 0], [0, 1, 1, 0]]
    assert len(list(merge_m2([single, single], ["x", "x"], notes))) == 2
    assert notes == [
        "x: an annotator is missing in 1 sentence, read as unchanged",
        "x: given twice, so its annotators appear twice",
    ]


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("S same\n\nS this word", "y: sentence 2 differs from that of x: from character 6 on found 'word', "),
        ("S same", "y: found 1 sentence, expected 2 as in x"),
        ("S same\n\nS this text\n\nS more", "y: found 3 sentences, expected 2 as in x"),
    ],
)  # fmt: skip
def test_merge_refuses_other_sentences(
    second: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x").write_text("S same\n\nS this text\n\n")
    Path("y").write_text(f"{second}\n\n")
    assert refused("m2", "merge", "x", "y").startswith(message)


def test_split_into_a_folder(tmp_path: Path) -> None:
    paths = split_m2(read(SAMPLE), str(tmp_path / "new" / "folder"))
    assert [Path(p).name for p in paths] == ["3.m2", "10.m2"]
    assert Path(paths[1]).read_text(encoding="utf-8").endswith("noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n")
    with pytest.raises(FormatError, match="nothing to split"):
        split_m2([Block(("a",))], str(tmp_path / "none"))
    assert not (tmp_path / "none").exists()
    with pytest.raises(UsageError, match="several files"):
        split_m2(read(SAMPLE), "-")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="the folder cannot be created"):
        split_m2(read(SAMPLE), str(tmp_path / "file"))


# Retyping: gold keeps the edits, auto keeps the corrected text


@pytest.fixture(scope="module")
def plain() -> Annotator:
    """Annotates without models; types then say little, spans and texts are what they always are."""
    return load("fr", models="none")


@given(st.lists(blocks(), max_size=5), st.booleans(), st.integers(1, 3))
@examples(60)
def test_retyping_keeps_the_texts(plain: Annotator, given_: list[Block], minimal: bool, batch: int) -> None:
    gold, auto = (
        retype_gold(given_, plain, minimal=minimal, batch=batch),
        retype_auto(given_, plain, batch=batch),
    )
    for old, kept, made in zip(given_, gold, auto, strict=True):
        for new in (kept, made):
            assert (new.source, texts(new)) == (old.source, texts(old))
            assert [a.annotator for a in new.annotations] == [a.annotator for a in old.annotations]
        assert detections(made) == detections(old)
        for annotation in made.annotations:
            places = [(e.start, e.end) for e in annotation.edits]
            assert places == sorted(places)
        for before, after in zip(old.annotations, kept.annotations, strict=True):
            assert len(after.edits) == len(before.edits)
            for edit in after.edits:
                assert tuple(old.source[edit.start : edit.end]) != edit.correction or edit.type == "UNK"
                given = [(e.start, e.end, e.correction) for e in before.edits]
                assert minimal or (edit.start, edit.end, edit.correction) in given


SAMPLE_AUTO = """\
S This are gramamtical sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||3
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||3
A 2 3|||UNK|||-NONE-|||REQUIRED|||-NONE-|||3
A 2 3|||R:SPELL|||grammatical|||REQUIRED|||-NONE-|||3
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||10

"""


def test_auto_with_english_types(english: Annotator) -> None:
    assert written(retype_auto(read(SAMPLE), english)) == SAMPLE_AUTO
    kept = written(retype_auto(read(SAMPLE), english, old_types=True))
    assert kept == SAMPLE_AUTO.replace("|||UNK|||", "|||Um|||")


def test_given_spans_of_one_pair_are_told_apart(english: Annotator) -> None:
    # Two annotators reach the same text by different edits.
    one, two = (Edit(1, 2, ("goes",), "x"),), (Edit(1, 2, (), "x"), Edit(2, 2, ("goes",), "x"))
    block = Block(("She", "go", "home"), (Annotation(0, one), Annotation(1, two)))
    [found] = retype_gold([block], english)
    assert [[e.type[0] for e in a.edits] for a in found.annotations] == [["R"], ["U", "M"]]
    assert found.annotations[0].edits[0].type == "R:VERB:SVA"


def test_auto_without_edits_left_is_an_explicit_noop(plain: Annotator) -> None:
    block = Block(("a", "a"), (Annotation(0, (Edit(0, 0, ("a",), "x"), Edit(1, 2, (), "x"))),))
    [line] = written(retype_auto([block], plain)).splitlines()[1:-1]
    assert line == "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0"
    # Given edits are kept where the text stays the same.
    [kept] = retype_gold([block], plain)
    assert [e.type[0] for e in kept.annotations[0].edits] == ["M", "U"]


def test_edits_that_cannot_be_applied_are_named(plain: Annotator) -> None:
    good = Block(("a",), (Annotation(0),))
    bad = Block(("a", "b"), (Annotation(2, (Edit(0, 2, ("x",), "t"), Edit(1, 2, ("y",), "t"))),))
    for retype in (retype_auto, retype_gold):
        with pytest.raises(FormatError, match=r"x\.m2: sentence 2, annotator 2: edit 1 2 .*overlaps"):
            list(retype([good, bad], plain, file="x.m2", batch=1))
    with pytest.raises(FormatError, match="outside"):
        list(corrected_lines([Block(("a",), (Annotation(0, (Edit(0, 4, (), "t"),)),))]))


def test_retype_settings() -> None:
    for both in (True, False):
        with pytest.raises(UsageError, match="auto=True and gold=True"):
            retype_m2([], AnnotatorOptions(), auto=both, gold=both)
    with pytest.raises(UsageError, match="batch"):
        list(retype_m2([], AnnotatorOptions(), auto=True, batch=0))
    # Old types need no models and no language.
    assert list(retype_m2([], AnnotatorOptions(lang="nowhere"), gold=True, old_types=True)) == []


def test_tools_stream(plain: Annotator) -> None:
    endless = cycle([Block(("a", "b"), (Annotation(0, (Edit(1, 2, ("c",), "t"),)),))])
    assert next(retype_auto(endless, plain)).source == ("a", "b")
    assert next(retype_gold(endless, plain)).source == ("a", "b")
    assert next(corrected_lines(endless)) == "a c"


# Checking and cleaning


ODD = """\
A 0 1|||too early|||x|||REQUIRED|||-NONE-|||0
S  a b c

A 2 3|||R:X|||-NONE-|||REQUIRED|||-NONE-|||1
A 0 2|||R:X|||x|||REQUIRED|||-NONE-|||0
A 1 2|||R:X|||y||z|||REQUIRED|||-NONE-|||0


S d ||| e
A 0 9|||R:X|||x  y|||REQUIRED|||-NONE-|||0
A zero
A 0 1|||too|||few
T0-A0 d
S f
A 0 1|||R:X|||g|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
"""


def test_check_lists_everything_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "odd.m2"
    path.write_text(ODD, encoding="utf-8")
    expected = [
        (1, "expected an S line first"), (2, "unusual white space in an S line"), (4, "blank line inside a block"),
        (4, "-NONE- as the correction of a deletion"), (5, "annotators out of order"),
        (6, "alternative corrections"), (6, "annotators out of order"), (6, "overlapping edits: 0 2 and 1 2"),
        (8, "several blank lines"), (9, "token '|||' contains '|||'"),
        (10, "span outside the sentence, clipped to it: 0 9 of 3 tokens"),
        (10, "unusual white space in a correction"), (11, "expected 'A start end|||"),
        (12, "expected 'A start end|||"), (13, "ChERRANT's T line skipped"),
        (14, "no blank line before an S line"), (16, "noop beside edits"),
    ]  # fmt: skip
    found = sorted(check_m2(str(path)), key=lambda finding: finding.line)
    for finding, (line, problem) in zip(found, expected, strict=True):
        assert problem in finding.problem
        assert str(finding) == f"{path}:{line}: {finding.problem}"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", ["1: found no sentences"]), (b"\n", ["1: several blank lines", "1: found no sentences"]),
        (b"\xef\xbb\xbfS a\r\n\n", ["1: byte-order mark", "1: carriage return at the end of a line"]),
        (b"S a\n\nS \xff\n", ["3: byte 0xff at offset 7 is not UTF-8"]), (b"S a ||| b\n\n", ["1: token '|||'"]),
        (b"{\n\n x\n\n}\n", ["1: found '{'", "5: found no sentences"]),
        (b"S a\nA 0 1||||||x|||REQUIRED|||-NONE-|||0\n\nS b\n\n", ["1: error type ''"]),
    ],
)  # fmt: skip
def test_check_of_files_that_cannot_be_read(tmp_path: Path, content: bytes, expected: list[str]) -> None:
    path = tmp_path / "bad.m2"
    path.write_bytes(content)
    for finding, start in zip(check_m2(str(path)), expected, strict=True):
        assert str(finding).startswith(f"{path}:{start}")


@pytest.mark.parametrize("name", [path.name for path in sorted(CONLL14.glob("*.errant"))])
def test_check_finds_nothing_in_errant_files(name: str) -> None:
    assert list(check_m2(str(CONLL14 / name))) == []


@given(st.data(), blocks())
def test_cleaning_is_idempotent(data: st.DataObject, block: Block) -> None:
    first, *rest = format_block(block).rstrip("\n").split("\n")
    rest += ["T0-A0 x", "A  0 0|||M:X|||-NONE-|||OPTIONAL|||-NONE-|||1", "A -1 -1|||noop|||x|||||||||2"]
    odd = [first, "", *data.draw(st.permutations(rest))]
    once = [in_dialect(block) for block in parse_m2(odd, "x", FormatDeviations())]
    [cleaned] = once
    assert in_dialect(cleaned) == cleaned
    assert [a.annotator for a in cleaned.annotations] == sorted(a.annotator for a in cleaned.annotations)
    again = FormatDeviations()
    assert list(parse_m2(written(once).splitlines(), "x", again)) == once
    assert again.counts == {}


# The command line


def run(*args: str, input: str | None = None) -> tuple[int, str, str]:
    found = CliRunner().invoke(app, ["m2", *args], input=input)
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found.exit_code, found.stdout, found.stderr


def test_commands_on_standard_streams() -> None:
    source, text = ["convert", "-", "-", "--to=source"], ["convert", "-", "-", "--to=text:annotator=3"]
    assert run(*source, input=SAMPLE) == (0, "This are gramamtical sentence .\n", "")
    assert run(*text, input=SAMPLE)[1] == "This is a grammatical sentence .\n"
    renumbered = SAMPLE.replace("|||3\n", "|||0\n").replace("|||10\n", "|||1\n")
    assert run("merge", "-", input=SAMPLE)[1] == renumbered
    assert run("retype", "-", "--gold", "--old-types", "--no-min", input=SAMPLE) == (0, SAMPLE, "")
    typed = run("retype", "-", "--auto", "--lang", "fr", "--models", "none", "--lev", input=SAMPLE)[1]
    assert run(*text, input=typed)[1] == "This is a grammatical sentence .\n"


def test_check_and_its_fixes(tmp_path: Path) -> None:
    odd = "S a  b\nA 0 2|||R:X|||x|||REQUIRED|||-NONE-|||0\nA 1 2|||R:X|||y|||REQUIRED|||-NONE-|||0\n\n"
    code, _, err = run("check", "--fix", "-", "-o", str(tmp_path / "x"), input=odd)
    assert (code, (tmp_path / "x").read_text()) == (1, odd.replace("  ", " "))
    assert err.splitlines() == [
        "-: fixed: unusual white space in an S line (1×, first in line 1)",
        "-: left as it is: overlapping edits (1×, first in line 3)",
        "-:3: left: overlapping edits",
    ]
    said = f"{tmp_path}/x:3: overlapping edits: 0 2 and 1 2\n"
    assert run("check", str(tmp_path / "x"), GOLD) == (1, said, "")
