"""Exchange formats in general: nothing is lost there and back, and what annotators change is all that changes."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.errors import FormatError, InputError, JperrantError, UsageError
from jperrant.core.values import Annotation, Block, Edit, format_block
from jperrant.exchange.formats import ToolFormat, format_class, formats
from jperrant.io.m2 import FormatDeviations, parse_m2
from tests.exchange_files import HARD, ODD, blocks_of, change, exported, imported, round_trip, written
from tests.strategies import M2_TOKENS, annotations, blocks, examples

TOOLS = {name: made for name in formats() if issubclass(made := format_class(name), ToolFormat)}
BOTH_WAYS = [name for name, made in TOOLS.items() if made.can_write and made.can_read]
NOOP = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"


@pytest.mark.parametrize("name", BOTH_WAYS)
@pytest.mark.parametrize("text", [HARD, ODD, "S", "S\n\nS a\n"])
def test_what_nobody_changed_comes_back_byte_for_byte(name: str, text: str, tmp_path: Path) -> None:
    assert round_trip(text, name, tmp_path) == text


@examples(5)
@given(drawn=st.lists(blocks(), min_size=1, max_size=3))
def test_any_m2_goes_through_every_format(drawn: list[Block]) -> None:
    text = "".join(map(format_block, drawn))
    for name in BOTH_WAYS:
        with tempfile.TemporaryDirectory() as folder:
            assert round_trip(text, name, Path(folder)) == text, name


@examples(5)
@given(data=st.data(), source=st.lists(M2_TOKENS, min_size=1, max_size=5).map(tuple))
def test_whatever_was_changed_is_what_comes_back(data: st.DataObject, source: tuple[str, ...]) -> None:
    """The files of other edits, with the side file of the first, are M2 of the other edits."""
    before, after = [Block(source, (data.draw(annotations(0, len(source))),)) for _ in range(2)]
    for name in BOTH_WAYS:
        with tempfile.TemporaryDirectory() as folder:
            text = round_trip(format_block(after), name, Path(folder), side_of=format_block(before))
            [block] = parse_m2(text.split("\n"), "back.m2", FormatDeviations())
            assert meanings(block) == meanings(after), name


def meanings(block: Block) -> list[tuple[int, int, str, str]]:
    """Return edits without what tools do not keep: the order at one place, an empty text of a mark."""
    edits = [edit for annotation in block.annotations for edit in annotation.edits]
    return sorted((e.start, e.end, e.type, str((not e.is_detection, e.correction or ()))) for e in edits)


TOKENS = st.text(st.sampled_from('ab{}|\\=>:n_é😀.,<&"'), min_size=1, max_size=5).filter(
    lambda t: "||" not in t
)
WORD = st.text(st.sampled_from("ab{}\\=>:<"), min_size=1, max_size=3)
WORDS = st.lists(WORD, min_size=1, max_size=2).map(tuple)
#: Every format that needs no side file for edits, and the option that says that texts are tokens.
CARRY_ALL = ["ua-gec:text=tokens", "bea-json:text=tokens", "clc-xml:text=tokens", "iceec-tei", "svala"]


@st.composite
def overlapping(draw: st.DrawFn) -> Block:
    """Return a sentence with edits that may overlap."""
    source = tuple(draw(st.lists(TOKENS, min_size=1, max_size=4)))
    edits = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(source)))
        place = start, draw(st.integers(start, len(source)))
        plain = st.lists(TOKENS, max_size=2).map(tuple)
        made = [
            st.builds(Edit, *map(st.just, place), plain, TOKENS),
            st.just(Edit(*place, None, "UNK")),
            st.builds(Edit, *map(st.just, place), WORDS, TOKENS, alternatives=st.tuples(WORDS)),
        ]
        edits.append(draw(st.one_of(made)))
    return Block(source, (Annotation(0, tuple(sorted(edits, key=lambda e: (e.start, e.end)))),))


@pytest.mark.parametrize("name", CARRY_ALL)
@examples(25)
@given(sentences=st.lists(overlapping(), min_size=1, max_size=3))
def test_every_edit_comes_back_without_a_side_file(
    name: str, tmp_path_factory: pytest.TempPathFactory, sentences: list[Block]
) -> None:
    def ordered(block: Block) -> Block:
        # SVALA's edges do not overlap, so edits of one place stand apart there, and their order is lost.
        edits = sorted(
            block.annotations[0].edits, key=lambda e: (e.start, e.end, name == "svala" and repr(e))
        )
        return Block(block.source, (Annotation(0, tuple(edits)),))

    file = tmp_path_factory.mktemp("any") / "d.a0.txt"
    file.write_text(written(name, *sentences), encoding="utf-8")
    assert [ordered(block) for block in blocks_of(name, file)] == [ordered(block) for block in sentences]


GOLD = """\
S This are  a gramamtical sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB|||was|||REQUIRED|||-NONE-|||1

S She go home
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
"""
#: Formats, each with its file of annotator 0.
FILES = {
    "ua-gec": "gold.a0.ann", "bea-json": "", "clc-xml": "gold.a0.xml", "svala": "gold.a0.json",
    "iceec-tei": "gold.a0.xml", "conllu": "gold.a0.conllu", "brat": "annotator0/gold.txt"
}  # fmt: skip


def edited(folder: Path, name: str, old: str, new: str, file: str = "") -> tuple[str, list[str]]:
    """Return the M2 that comes back when the first ``old`` of a file becomes ``new``, and what is said."""
    out = exported(GOLD, name, folder, "out" if FILES[name] else "out.jsonl")
    change(out / (file or FILES[name]), old, new)
    return imported(out, name)


@pytest.mark.parametrize("name", sorted(FILES.keys() - {"brat"}))
def test_one_new_type_is_all_that_changes(name: str, tmp_path: Path) -> None:
    # The block that somebody touched is written in our dialect, the other one as it was.
    first, second = GOLD.split("\n\n")
    first = first.replace("  ", " ").replace("R:VERB:SVA", "R:VERB:TENSE")
    assert edited(tmp_path, name, "R:VERB:SVA", "R:VERB:TENSE") == (f"{first}\n\n{second}", [])


def test_edits_that_overlap_are_kept_and_counted(tmp_path: Path) -> None:
    back, [note] = edited(tmp_path, "bea-json", "[5, 8,", '[0, 8, "These are", "R:NUM"], [5, 8,')
    assert "A 0 2|||R:NUM|||These are|||REQUIRED|||-NONE-|||0\nA 1 2|||R:VERB:SVA|||is|||" in back
    assert note.endswith("out.jsonl, line 1, edit 1: overlaps another edit (0 2 and 1 2)")


def test_a_mark_that_is_taken_out_is_gone(tmp_path: Path) -> None:
    back, _ = edited(tmp_path, "ua-gec", "{go=>goes:::error_type=R:VERB:SVA}", "go")
    assert back.endswith(f"S She go home\n{NOOP}\n")


OTHER = r"sentence 2 of 'gold' .* from character 10 on found 'use', expected 'me'"
SIDE = "gold.jperrant.json"


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "message"),
    [
        *[(name, "", "home", "house", OTHER) for name in FILES if name != "conllu"],
        ("conllu", "", "\thome", "\thouse", OTHER),  # the text stands in a comment first
        ("brat", "", " are ", "\nare ", "3 sentences, expected 2 as in 'gold': from character 5 on"),
        ("ua-gec", "", "sentence .\nShe", "sentence {.\\nShe=>, she:::error_type=R:X}", "1 crosses sentences: "),
        ("bea-json", "", "[5, 8,", '[32, 36, ", she", "R:X"], [5, 8,', "edit 1 crosses sentences: .*; split it"),
        ("brat", SIDE, "|||is|||", "|||was|||", "do not match their checksum"),
        ("brat", SIDE, '\n"",', '\n"no M2",', r"a damaged side file \(.*:1: found 'no M2S"),
        ("brat", SIDE, '["gold", 2]', f'["gold", {10**30}]', "more or fewer sentences"),
        ("brat", SIDE, '"version": 2', '"version": 9', "version: found '9', expected 2, in a side file"),
        ("brat", SIDE, '"documents"', '"other"', "documents: missing"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(
    name: str, file: str, old: str, new: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(FormatError, match=message):
        edited(tmp_path, name, old, new, file)
    assert not (tmp_path / "back.m2").exists()


def test_documents_of_a_number_of_sentences(tmp_path: Path) -> None:
    edit = "A 0 1|||R:X|||z|||REQUIRED|||-NONE-|||0\n\n"
    text = "".join([f"S {words}\n{edit}" for words in ("# 1", "a", "b", "# 2", "c")])
    assert round_trip(text, "brat", tmp_path, sentences=2) == text
    names = sorted(file.name for file in tmp_path.glob("out/annotator0/*.txt"))
    assert names == ["gold-1.txt", "gold-2.txt", "gold-3.txt"]
    with pytest.raises(UsageError, match="found 0 sentences per document"):
        exported(text, "brat", tmp_path, "other", sentences=0)


def test_without_the_side_file_edits_come_back_with_a_warning(tmp_path: Path) -> None:
    text = "S a b\nA 1 1|||M:X|||c|||REQUIRED|||-NONE-|||3\n\nS d\n"
    out = exported(text, "brat", tmp_path)
    (out / SIDE).unlink()
    back, [note, *_] = imported(out, "brat")
    assert "no side file" in note
    # Whoever has a file has looked at every sentence, as far as anybody can know.
    assert back == f"{text}{NOOP[:-2]}3\n\n"


def test_whoever_marked_nothing_may_have_looked(tmp_path: Path) -> None:
    assert round_trip("S a\n\nS b\n\n", "brat", tmp_path) == "S a\n\nS b\n\n"
    assert imported(tmp_path / "out", "brat", complete=True) == (f"S a\n{NOOP}\nS b\n{NOOP}\n", [])
    text, [note] = imported(tmp_path / "out", "brat")
    assert text == "S a\n\nS b\n\n"
    assert "marked nothing in a document" in note
    standoff = tmp_path / "out" / "annotator0" / "gold.ann"
    standoff.write_text("T1\tX 0 1\ta\n#1\tAnnotatorNotes T1\tc\n", encoding="utf-8")
    assert imported(tmp_path / "out", "brat")[0].endswith(f"S b\n{NOOP}\n")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder of brat with one document by two annotators."""
    return exported(HARD, "brat", tmp_path)


@pytest.mark.parametrize(
    ("copy", "annotators", "error", "message"),
    [
        ("again", {"again": 1}, UsageError, "'again' and '1' both have the number 1"),
        ("maria", {"mario": 2}, UsageError, r"'mario' is in none of the files .did you mean 'maria'"),
        ("more/annotator1", {}, FormatError,
         r"annotator '1' has annotated sentence 1 of 'gold' already \(.*gold.ann\); .* m2 merge"),
    ],
)  # fmt: skip
def test_annotators_that_do_not_fit_are_refused(
    copy: str, annotators: dict[str, int], error: type[JperrantError], message: str, out: Path
) -> None:
    shutil.copytree(out / "annotator1", out / copy)
    with pytest.raises(error, match=message):
        imported(out, "brat", annotators=annotators)


def test_an_export_overwrites_nothing(out: Path) -> None:
    before = {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}
    with pytest.raises(UsageError, match="the folder is not empty"):
        exported(HARD, "brat", out.parent)
    assert {file: file.read_bytes() for file in out.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize("name", ["inception", "clc-xml", "iceec-tei"])
def test_a_failed_export_leaves_nothing(name: str, tmp_path: Path) -> None:
    text = "S a \x01\nA 0 1|||R:X|||b|||REQUIRED|||-NONE-|||3\n"
    with pytest.raises(InputError, match=r"gold, sentence 1, annotator 3: .*'\\x01', which XML cannot hold"):
        exported(text, name, tmp_path)
    with pytest.raises(InputError, match="no sentences"):
        exported("\n", name, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["gold.m2"]


def test_types_of_the_pack_are_offered_and_others_counted(tmp_path: Path) -> None:
    out = exported("S a b\nA 0 1|||R:ODD|||c|||REQUIRED|||-NONE-|||0\n", "brat", tmp_path, lang="en")
    types = (out / "annotation.conf").read_text(encoding="utf-8").split("\n")
    assert {"R_NOUN_NUM", "M_DET", "UNK", "R_ODD"} <= set(types)
    change(out / "annotator0" / "gold.ann", "R_ODD", "R_NOUM")
    _, notes = imported(out, "brat", lang="en")
    said = "line 1 (T1): type 'R:NOUM' is not a type of the pack (did you mean 'R:NOUN'?)"
    assert any(said in note for note in notes)
