"""M2: what is written is read the same, the dialect keeps its bytes, and every leniency is counted."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.errors import FormatError, InputError
from jperrant.core.values import Annotation, Block, Edit, format_block
from jperrant.io.m2 import FormatDeviations, FormatDeviationWarning, parse_m2, read_m2, write_m2
from tests.strategies import blocks, examples

TAIL = "|||REQUIRED|||-NONE-|||"


def parse(text: str, strict: bool = False) -> tuple[list[Block], FormatDeviations]:
    deviations = FormatDeviations(strict)
    return list(parse_m2(text.split("\n")[:-1], "f.m2", deviations)), deviations


@examples(300)
@given(st.lists(blocks(), max_size=2))
def test_reading_what_was_written_gives_the_same_values_and_bytes(some: list[Block]) -> None:
    stream = io.StringIO()
    assert write_m2(some, stream) == len(some)
    found, deviations = parse(stream.getvalue(), strict=True)
    assert found == some
    assert not deviations.counts
    assert "".join(map(format_block, found)) == stream.getvalue()


DIALECT = (
    f"S This are a sentence .\nA 1 2|||R:VERB:SVA|||is{TAIL}0\nA 3 3|||M:DET|||a b{TAIL}0\n"
    f"A -1 -1|||noop|||-NONE-{TAIL}1\n"
    f"\nS\nA 0 0|||M:NOUN|||x{TAIL}0\nA 0 0|||M:NOUN|||y{TAIL}0\n\nS no annotators\n\n"
    f"S a || b\nA 0 1|||UNK|||-NONE-{TAIL}3\nA 0 3|||U:OTHER||||||REQUIRED|||-NONE-|||7\n\n"
)


def test_the_dialect_has_insertions_in_order_marks_and_deletions() -> None:
    found, _ = parse(DIALECT, strict=True)
    assert "".join(map(format_block, found)) == DIALECT
    # The order of insertions at one place is meaningful.
    assert [e.correction for e in found[1].annotations[0].edits] == [("x",), ("y",)]
    marked, deleted = Edit(0, 1, None, "UNK"), Edit(0, 3, (), "U:OTHER")
    assert found[3].annotations == (Annotation(3, (marked,)), Annotation(7, (deleted,)))


A = "S a b c\n"
EDIT = f"A 0 1|||R:X|||d{TAIL}0\n"
NO_OP = f"A -1 -1|||noop|||-NONE-{TAIL}0\n"
D = [(0, 1, ("d",), "R:X")]
F = [(2, 3, ("f",), "R:X")]
#: Text, the line to blame, part of the kind, and what is read.
DEVIATIONS = {
    "blank lines": (f"{A}{EDIT}\n\n{A}\n", 4, "several blank lines", None),
    "leading blank line": (f"\n{A}{EDIT}\n", 1, "several blank lines", None),
    "white space on a blank line": (f"{A}{EDIT} \n", 3, "white space on a blank line", None),
    "no blank line between": (f"{A}{EDIT}{A}\n", 3, "no blank line before", None),
    "blank line inside": (f"{A}\n{EDIT}\n", 3, "blank line inside", D),
    "spaces in S": (f"S a  b c\n{EDIT}\n", 1, "white space in an S line", D),
    "unsorted": (f"{A}A 2 3|||R:X|||f{TAIL}0\n{EDIT}\n", 3, "out of order", D + F),
    "annotators": (f"{A}A 0 1|||R:X|||f{TAIL}1\n{EDIT}\n", 3, "annotators out of order", None),
    "spaces in the span": (f"{A}A  0   1|||R:X|||d{TAIL}0\n\n", 2, "in the span", D),
    "annotator": (f"{A}A 0 1|||R:X|||d{TAIL} 0\n\n", 2, "annotator number", D),
    "type": (f"{A}A 0 1||| R:X|||d{TAIL}0\n\n", 2, "white space around a type", D),
    "ChERRANT": (f"{A}T0-A0 a b d\n{EDIT}\n", 2, "ChERRANT's T line", D),
    "other line": (f"{A}I 0 what\n{EDIT}\n", 2, "I line skipped", D),
    "BOM at the beginning of a line": (f"{A}{EDIT}\n\ufeff{A}{EDIT}\n", 4, "invisible characters", None),
    **{f"U+{ord(c):04X} before S": (f"{c}{A}{EDIT}\n", 1, "invisible characters", D) for c in "\u00a0\u3000\v"},
    "-NONE- deletion": (f"{A}A 0 1|||U:X|||-NONE-{TAIL}0\n\n", 2, "-NONE-", [(0, 1, (), "U:X")]),
    "alternatives": (f"{A}A 0 1|||R:X|||d||e f{TAIL}0\n\n", 2, "alternative", D),
    "spaces in a correction": (f"{A}A 0 1|||R:X|||d  e{TAIL}0\n\n", 2, "in a corr", [(0, 1, ("d", "e"), "R:X")]),
    "five fields": (f"{A}A 0 1|||R:X|||d|||REQUIRED|||0\n\n", 2, "five fields", D),
    "noop of m2scorer": (f"{A}A -1 -1|||noop||||||-NONE-|||-NONE-|||0\n\n", 2, "fields other", []),
    "noop with a correction": (f"{A}A -1 -1|||noop|||d{TAIL}0\n\n", 2, "noop with a correction", []),
    "noop with a span": (f"{A}A 0 3|||noop|||-NONE-{TAIL}0\n\n", 2, "noop with a span", []),
    "noop span": (f"{A}A -1 -1|||R:X|||d{TAIL}0\n\n", 2, "read as noop", []),
    "noop twice": (f"{A}{NO_OP}{NO_OP}\n", 3, "second noop", []),
    "noop beside edits": (f"{A}{NO_OP}{EDIT}\n", 3, "noop beside edits", D),
    "past the end": (f"{A}A 2 4|||R:X|||f{TAIL}0\n\n", 2, "span outside", F),
    "5,000 digits": (f"{A}A 0 {'9' * 5000}|||R:X|||d{TAIL}0\n\n", 2, "span outside", [(0, 3, ("d",), "R:X")]),
    "backwards": (f"{A}A 2 1|||R:X|||d{TAIL}0\n\n", 2, "span outside", [(2, 2, ("d",), "R:X")]),
    "overlap": (f"{A}A 0 2|||R:X|||d{TAIL}0\nA 1 3|||R:X|||e{TAIL}0\n\n", 3, "overlapping", None),
}  # fmt: skip


def test_every_edit_that_overlaps_an_earlier_one_is_counted() -> None:
    spans = [(0, 5), (1, 2), (3, 4), (5, 6), (5, 5)]
    edits = [f"A {start} {end}|||R:X|||d{TAIL}0\n" for start, end in spans]
    _, deviations = parse("".join(["S a b c d e f\n", *edits]))
    assert (deviations.counts["overlapping edits"], deviations.first["overlapping edits"]) == (2, 3)


@pytest.mark.parametrize("name", DEVIATIONS)
def test_every_leniency_is_counted_and_refused_when_strict(name):
    text, line, kind, edits = DEVIATIONS[name]
    found, deviations = parse(text)
    assert (sum(deviations.counts.values()), [*deviations.first.values()]) == (1, [line]), deviations.counts
    assert kind in next(iter(deviations.counts))
    assert f"first in line {line}" in deviations.summary("f.m2")
    if edits is not None:
        read = [(e.start, e.end, e.correction, e.type) for a in found[0].annotations for e in a.edits]
        assert read == edits
    with pytest.raises(FormatError, match=f"^f.m2:{line}: .*{kind}"):
        parse(text, strict=True)


@pytest.mark.parametrize(
    ("content", "kind"),
    [(DIALECT.replace("\n", "\r\n"), "carriage return"), ("\ufeff" + DIALECT, "byte-order mark")],
)
def test_deviations_of_the_bytes(tmp_path: Path, content: str, kind: str) -> None:
    (tmp_path / "f.m2").write_bytes(content.encode())
    with pytest.warns(FormatDeviationWarning, match=kind):
        assert "".join(map(format_block, read_m2(tmp_path / "f.m2"))) == DIALECT
    with pytest.raises(FormatError, match=f":1: {kind}"):
        list(read_m2(tmp_path / "f.m2", strict=True))


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (EDIT, 1, "expected an S line first"),
        (f"{A}A 0 1|||R:X|||d|||0\n", 2, "expected 'A start end"),
        (f"{A}A x 1|||R:X|||d{TAIL}0\n", 2, "expected 'A start end"),
        (f"{A}A 0 1|||d{TAIL}0\n", 2, "expected 'A start end"),  # no type: the correction is not REQUIRED
        (f"{A}A 0 1|||R:X|||d{TAIL}x\n", 2, "annotator 'x' is not a number"),
        (f"{A}A 0 1|||R:X|||d{TAIL}{'1' * 5000}\n", 2, "not a number of at most 9"),
        # What could have been an S line: the edits after it would go to the sentence before.
        (f"{A}{EDIT}\nSx y\n{EDIT}\n", 4, "expected a line that begins with 'S ' or 'A '"),
        (f"{A}{EDIT}\nI am\n{EDIT}\n", 4, "expected an S line after a blank line"),
        (f"{A}{EDIT}{EDIT}\n\n{EDIT}\n", 6, "expected an S line after a blank line"),
    ],
)
def test_what_cannot_be_read_at_all(text, line, problem):
    with pytest.raises(FormatError, match=rf"^f.m2:{line}: .*{problem}"):
        parse(text)


EDITS = [
    (0, 1, ("x|||y",), "R:X"), (0, 1, ("x||y",), "R:X"), (0, 1, ("x y",), "R:X"), (0, 1, ("-NONE-",), "R:X"),
    (0, 1, ("x",), "R|||X"), (0, 1, ("x",), "noop"), (0, 1, ("x",), ""), (0, 1, ("x",), " R:X"),
    (0, 1, ("x",), "R:X|"), (0, 1, None, "R:X"), (0, 2, ("x",), "R:X"), (-1, 0, ("x",), "R:X"),
    (1, 0, ("x",), "R:X"), (0, 1, ("x|",), "R:X", "", (("y",),)), (0, 1, ("x",), "R:X", "", (("y||z",),)),
]  # fmt: skip
UNWRITABLE = [Block((token,)) for token in ("a|||b", "\ud800", "a\nb", "a b", "")]
UNWRITABLE += [Block(("a",), (Annotation(0, (Edit(*edit),)),)) for edit in EDITS]


@pytest.mark.parametrize("block", [*UNWRITABLE, Block(("a",), (Annotation(-1),))])
def test_what_m2_cannot_hold_is_refused(block):
    with pytest.raises(InputError):
        format_block(block)


def test_alternatives_come_back():
    block = Block(("a",), (Annotation(0, (Edit(0, 1, ("x", "||", "y"), "R:X", alternatives=(("z",), ())),)),))
    found, deviations = parse(format_block(block))
    assert found == [block]
    assert list(deviations.counts) == ["alternative corrections (||)"]


def test_blocks_are_read_and_written_one_by_one() -> None:
    lines, stream = iter(["S a", "", "S b", "", "S c", ""]), io.StringIO()
    assert next(parse_m2(lines, "f.m2", FormatDeviations())) == Block(("a",))
    assert list(lines) == ["", "S c", ""], "a block is given out as soon as the next one begins"

    def source() -> Iterator[Block]:
        yield Block(("a",))
        assert stream.getvalue() == "S a\n\n"
        yield Block(("b",))

    assert write_m2(source(), stream) == 2
