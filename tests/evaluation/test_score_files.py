"""M2 files that are scored: what is refused, said and written, and edits outside their sentence."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

import jperrant
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.inputs import Systems


def test_files_that_cannot_be_scored(tmp_path: Path) -> None:
    empty, good, bad = tmp_path / "empty.m2", tmp_path / "good.m2", tmp_path / "bad.m2"
    empty.write_text("\n\n")
    good.write_text("S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n")
    bad.write_text("S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||me\n")
    with pytest.raises(FormatError, match=r"empty\.m2: found no sentences"):
        jperrant.score(str(empty), str(good))
    with pytest.raises(FormatError, match=r"bad\.m2:2: annotator 'me' is not a number"):
        jperrant.score(str(good), str(bad))
    with pytest.raises(UsageError, match=r"found no references; give them with references="):
        jperrant.score(str(good))
    with pytest.raises(InputError, match=r"nowhere\.txt: cannot be read"):
        jperrant.score(str(good), str(good), source=str(tmp_path / "nowhere.txt"))
    [score] = jperrant.score(str(good), str(good), metrics="errant:beta=1")
    assert score.values["f"] == 1.0


def pipe(path: Path) -> str:
    """Return the path of a pipe with what is in a file, as a shell's ``<(cat FILE)`` gives it."""
    out, into = os.pipe()
    os.write(into, path.read_bytes())
    os.close(into)
    return f"/dev/fd/{out}"


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="pipes have no paths here")
def test_pipes_keep_their_beginning(tmp_path: Path) -> None:
    system, gold, source = (tmp_path / name for name in ("system.m2", "gold.m2", "source.txt"))
    system.write_text("S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n" * 2)
    gold.write_text("S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\nS a b\n\n")
    source.write_text("a b\na b\n")
    text = tmp_path / "system.txt"
    text.write_text("c b\nc b\n")
    for files in ((pipe(system), gold), (system, pipe(gold)), (pipe(system), pipe(gold))):
        [score] = jperrant.score(*map(str, files))
        assert (score.sentences, score.counts) == (2, {"tp": 1, "fp": 1, "fn": 0})
    [expected] = jperrant.score(str(text), str(gold), source=str(source), metrics=["wer"])
    [score] = jperrant.score(str(text), pipe(gold), source=pipe(source), metrics=["wer"])
    assert score.values == expected.values


def test_what_was_read_leniently_is_said(tmp_path: Path) -> None:
    odd = tmp_path / "odd.m2"
    odd.write_text("S a b\nA  0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n")
    [score] = jperrant.score(str(odd), [Block(("a", "b"))])
    [line] = [line for line in score.warnings if "unusual white space in the span" in line]
    assert line.startswith(str(odd))
    with pytest.raises(FormatError, match=r"odd\.m2:2"):
        jperrant.score(str(odd), str(odd), strict=True)


def test_blocks_that_can_be_gone_through_once_are_scored_whole(tmp_path: Path) -> None:
    system, gold = tmp_path / "system.m2", tmp_path / "gold.m2"
    edit = "A 0 1|||R:X|||{}|||REQUIRED|||-NONE-|||0\n\n"
    system.write_text("".join("S a b\n" + edit.format(c) for c in "xyz"))
    gold.write_text("".join("S a b\n" + edit.format(c) for c in "qyz"))

    def read(path: Path) -> object:
        return jperrant.read_m2(str(path))

    [expected] = jperrant.score(str(system), str(gold))
    assert (expected.sentences, expected.counts) == (3, {"tp": 2, "fp": 1, "fn": 1})
    for scores in (
        jperrant.score(read(system), read(gold)),
        jperrant.score(read(system), read(gold)),
        jperrant.score(read(system), [read(gold)]),
        jperrant.score(str(system), iter([str(gold)])),
    ):
        assert [(one.sentences, one.counts) for one in scores] == [(3, expected.counts)]
    assert len(jperrant.explain(read(system), read(gold))) == 3
    for page in (
        jperrant.report(read(system), read(gold), metrics="errant"),
        jperrant.report(read(system), read(gold), metrics="errant"),
        jperrant.report(read(system), [read(gold)], metrics="errant"),
    ):
        assert [(one.sentences, one.counts) for one in page.scores] == [(3, expected.counts)]


@pytest.fixture
def roles(tmp_path: Path) -> Path:
    (tmp_path / "s.txt").write_text("a b\nc d\n")
    (tmp_path / "r.txt").write_text("a x\nc d\n")
    (tmp_path / "copy.txt").write_text("a x\r\nc d")
    return tmp_path


def test_the_same_content_in_two_roles_is_told(roles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(roles)

    def told(systems: Systems, references: str) -> list[str]:
        lines = jperrant.score(systems, references, source="s.txt", metrics=["wer", "gleu"]).warnings()
        return [line.partition(" have the same content;")[0] for line in lines if "same content" in line]

    assert told(["r.txt", "copy.txt"], "r.txt") == [
        "r.txt (system) and copy.txt (system)",
        "r.txt (system) and r.txt (references)",
        "copy.txt (system) and r.txt (references)",
    ]
    assert told({"A": "s.txt", "B": "r.txt"}, "s.txt") == [
        "A (system) and s.txt (references)",
        "A (system) and s.txt (source)",
        "s.txt (references) and s.txt (source)",
    ]
    first, second = (["a x", "c d"] for _ in range(2))
    systems, gold = {"A": first, "B": second}, ["a y", "c d"]
    [line] = jperrant.score(systems, gold, source=["a b", "c d"], metrics="wer").warnings()
    assert line.startswith("A (system) and B (system) have the same content")


def test_edits_that_cannot_agree_are_told() -> None:
    source = tuple("abcdefghijklmnopqrstu")
    own = tuple(Edit(n, n + 1, ("x",), "R:OTHER") for n in range(20))
    system = Block(source, (Annotation(0, own),))
    unknown = Block(source, (Annotation(0, tuple(replace(edit, type="UNK") for edit in own)),))
    [line] = jperrant.score([system], [unknown]).warnings()
    assert line.startswith("references: found only edits of type UNK, which correct nothing")
    other = Block(source, (Annotation(0, tuple(replace(edit, correction=("y",)) for edit in own)),))
    [line] = jperrant.score([system], [other]).warnings()
    assert line.startswith("hypothesis: none of its edits is among those of the references")
    assert not jperrant.score([system], [replace(other, annotations=(Annotation(0, (own[0],)),))]).warnings()


def test_a_system_with_several_annotators_is_told() -> None:
    edit = Edit(0, 1, ("c",), "R:OTHER")
    references = Block(("a", "b"), (Annotation(0, (edit,)), Annotation(1)))
    system = Block(("a", "b"), (Annotation(0, (edit,)),))
    [line] = jperrant.score([references], [system]).warnings()
    assert line.startswith("hypothesis: found 2 annotators, as files of references have them")
    assert not jperrant.score([system], [references]).warnings()


def test_references_without_an_edit_are_told() -> None:
    source = Block(("a", "b"), (Annotation(0),))
    system = replace(source, annotations=(Annotation(0, (Edit(0, 1, ("c",), "R:OTHER"),)),))
    [line] = jperrant.score([system], [source]).warnings()
    assert line.startswith("references: found no edits, as if they were the source")
    assert jperrant.score([source], [source], metrics="errant").warnings() == (
        "hypothesis (system) and references have the same content; check that both are what you mean",
    )


def test_types_of_other_label_sets_are_told_where_they_count() -> None:
    names = ("NOUN", "VERB", "ADJ", "DET", "PREP", "SPELL")

    def blocks(types: list[str]) -> list[Block]:
        edits = [Edit(0, 1, ("x",), f"R:{name}") for name in types]
        return [Block(("a", "b"), (Annotation(0, (edit,)),)) for edit in edits]

    gold = blocks([*names])
    told = "of its 6 types of edits the references have 0, as if the types came from different label sets"
    other = blocks([f"S/{name}" for name in names])
    assert any(told in line for line in jperrant.score(other, gold, metrics="errant:mode=cse").warnings())
    half = blocks([*names[:3], "A", "B", "C"])
    for system, metric in ((other, "errant"), (half, "errant:mode=cse"), (other[:4], "errant:mode=cse")):
        assert not any(
            "label sets" in line
            for line in jperrant.score(system, gold[: len(system)], metrics=metric).warnings()
        )


TAIL = "|||REQUIRED|||-NONE-|||0"
#: Spans as written on the sentence "a b c", and the part inside.
SPANS = {
    "0 999": (0, 3),
    "0 99999999": (0, 3),
    "7 9": (3, 3),
    "-5 2": (0, 2),
    "-7 -5": (0, 0),
    "2 1": (2, 2),
    f"0 {'9' * 5000}": (0, 3),
    f"-{'9' * 5000} 1": (0, 1),
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, tuple[Path, Path]]:
    """For each span a file that has it as written, and one that has the part inside."""
    paths = {}
    for number, (span, (start, end)) in enumerate(SPANS.items()):
        wild, tame = tmp_path / f"{number}.m2", tmp_path / f"{number}.inside.m2"
        wild.write_text(f"S a b c\nA {span}|||R:X|||d{TAIL}\n\n", encoding="utf-8")
        tame.write_text(f"S a b c\nA {start} {end}|||R:X|||d{TAIL}\n\n", encoding="utf-8")
        paths[span] = wild, tame
    return paths


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::jperrant.io.m2.FormatDeviationWarning")
@pytest.mark.parametrize("metric", ["errant", "cleme", "cleme2"])
@pytest.mark.parametrize("span", SPANS)
def test_every_metric_scores_the_part_inside(
    files: dict[str, tuple[Path, Path]], metric: str, span: str
) -> None:
    wild, tame = files[span]
    for hyp, ref in ((wild, tame), (tame, wild), (wild, wild)):
        [score] = jperrant.score(hyp, ref, metrics=metric)
        [expected] = jperrant.score(tame, tame, metrics=metric)
        assert score.counts == expected.counts
        assert any("span outside the sentence" in note for note in score.warnings)


def test_blocks_in_memory_follow_the_rule() -> None:
    wild = [Block(("a",), (Annotation(0, (Edit(0, 10**12, ("b",), "R:X"),)),))]
    [score] = jperrant.score(wild, wild, metrics="errant:mode=dt")
    assert score.counts["tp"] == 1
    assert any("1 edit outside the sentence is clipped" in note for note in score.warnings)
    with pytest.raises(InputError, match="sentence 1 has 1 edit outside"):
        jperrant.score(wild, wild, strict=True)
