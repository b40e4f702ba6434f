"""``jperrant align``: the files it writes, its JSON, and what it refuses."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import jperrant
from jperrant import Annotation, Block, Edit
from jperrant.cli.main import app
from jperrant.core.edits import apply_edits
from tests.commands import printed, refused

CONLL14 = Path(__file__).parents[1] / "data" / "conll14"
GOLD = CONLL14 / "conll14.errant"
DOCS = Path(__file__).parents[2] / "docs"


def run(*args: object, data: str = "") -> Result:
    return CliRunner().invoke(app, ["align", *map(str, args)], input=data)


def aligned(*args: object) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(printed("align", *args, "--json"))
    return value


def block(text: str, *edits: Edit) -> Block:
    return Block(tuple(text.split()), (Annotation(0, edits),))


def write(path: Path, blocks: list[Block]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    jperrant.write_m2(blocks, path)
    return path


def corrected(path: Path, annotator: int = 0) -> str:
    found = []
    for b in jperrant.read_m2(str(path)):
        annotation = b.annotation(annotator)
        found += apply_edits(b.source, annotation.edits if annotation else ())
    return " ".join(found)


HAVE, SLEEPS = Edit(1, 2, ("have",), "R:VERB:SVA"), Edit(6, 7, ("sleeps",), "R:VERB:SVA")
HYP = [
    block("I has a cat . It sleep", HAVE, SLEEPS),
    block("all day ."),
    block("Good night .", Edit(2, 3, ("!",), "R:PUNCT")),
]
REF = [
    block("I has a cat .", HAVE),
    *map(block, ["It sleep all day .", "Nobody said this sentence but me .", "Good night ."]),
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return write(tmp_path / "in" / "hyp.m2", HYP), write(tmp_path / "in" / "ref.m2", REF)


def test_files_json_and_python_say_the_same(files: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    value = aligned(*files, "-o", out)
    for result in (jperrant.align(*files), jperrant.align(HYP, REF)):
        assert value["groups"] == [[list(r), list(h)] for r, h in result.groups]
        assert value["similarity"] == result.similarity
        assert [list(jperrant.read_m2(value[side])) for side in ("hypothesis", "references")] == [
            list(result.hyp), list(result.ref),
        ]  # fmt: skip
    assert value.pop("similarity") == 2 / 3  # two equal groups and one with an empty side
    assert value == {
        "method": "jp",
        "hypothesis": str(out / "hyp.m2"),
        "references": str(out / "ref.m2"),
        "groups": [[[1, 2], [1, 2]], [[3], []], [[4], [3]]],
        "shapes": {"1-0": 1, "1-1": 1, "2-2": 1},
        "counts": {"groups": 3, "reference_sentences": 4, "hypothesis_sentences": 3, "unaligned": 1}
        | dict.fromkeys(["retokenised", "missing_annotator", "snapped", "merged", "dropped"], 0),
    }
    noop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    first = "S I has a cat . It sleep all day .\nA 1 2|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0\n"
    between = f"S Nobody said this sentence but me .\n{noop}S Good night .\n"
    assert (out / "hyp.m2").read_text(encoding="utf-8") == (
        f"{first}A 6 7|||R:VERB:SVA|||sleeps|||REQUIRED|||-NONE-|||0\n\n"
        f"{between}A 2 3|||R:PUNCT|||!|||REQUIRED|||-NONE-|||0\n\n"
    )
    assert (out / "ref.m2").read_text(encoding="utf-8") == f"{first}\n{between}{noop}"


@pytest.mark.parametrize("method", ["jp", "gale-church"])
def test_groups_cover_both_files(tmp_path: Path, method: str) -> None:
    gold = list(jperrant.read_m2(str(GOLD)))[:120]
    pieces: list[Block] = []
    for number, b in enumerate(gold):
        joined = pieces.pop().source if number % 7 == 3 else ()  # with the sentence before
        pieces.append(Block(joined + b.source, (Annotation(0),)))
    hyp, ref = write(tmp_path / "h.m2", pieces), write(tmp_path / "r.m2", gold)
    value = aligned(hyp, ref, "-o", tmp_path / "out", "--method", method)
    assert value["method"] == method
    for side, blocks in enumerate((gold, pieces)):
        assert [n for group in value["groups"] for n in group[side]] == list(range(1, len(blocks) + 1))
    assert sum(value["shapes"].values()) == len(value["groups"]) == value["counts"]["groups"]
    assert 0.9 < value["similarity"] <= 1
    ours, theirs = (list(jperrant.read_m2(value[side])) for side in ("hypothesis", "references"))
    assert [b.source for b in ours] == [b.source for b in theirs]
    assert [t for b in ours for t in b.source] == [t for b in gold for t in b.source]
    for annotator in (0, 1):
        assert corrected(ref, annotator) == corrected(Path(value["references"]), annotator)
    if method == "jp":
        assert value["shapes"] == {"1-1": 120 - 2 * 17, "2-1": 17}
        assert value["similarity"] == 1


def test_names_of_outputs(files: tuple[Path, Path], tmp_path: Path) -> None:
    hyp, ref = write(tmp_path / "a" / "x.m2", HYP), write(tmp_path / "b" / "X.m2", REF)
    value = aligned(hyp, ref, "-o", tmp_path / "c")
    assert sorted(p.name for p in (tmp_path / "c").iterdir()) == ["X.ref.m2", "x.hyp.m2"]
    assert Path(value["hypothesis"]).name == "x.hyp.m2"
    assert run("-", ref, "-o", tmp_path / "d", data=hyp.read_text(encoding="utf-8")).exception is None
    assert sorted(p.name for p in (tmp_path / "d").iterdir()) == ["X.m2", "hypothesis.m2"]


def test_what_cannot_be_written_leaves_nothing(files: tuple[Path, Path], tmp_path: Path) -> None:
    out, place = tmp_path / "out", tmp_path / "file"
    (out / "ref.m2").mkdir(parents=True)
    refused("align", *files, "-o", out)
    assert [path.name for path in out.iterdir()] == ["ref.m2"], "both files or none"
    place.write_text("")
    message = refused("align", *files, "-o", place)
    assert message == f"{place}: the folder cannot be created (file exists)"


def test_bad_input(files: tuple[Path, Path], tmp_path: Path) -> None:
    out, empty, odd = ("-o", tmp_path / "out"), write(tmp_path / "empty.m2", []), tmp_path / "odd.m2"
    assert "empty.m2: " in refused("align", empty, files[1], *out)
    assert "did you mean 'gale-church'?" in refused("align", *files, *out, "--method", "gale")
    odd.write_text("S Good night .\nA  2 3|||R:PUNCT|||!|||REQUIRED|||-NONE-|||0\n\n")
    assert run(odd, odd, *out).stderr.count("unusual white space in the span") == 1
    assert "odd.m2:2: " in refused("align", odd, odd, *out, "--strict")


@pytest.mark.parametrize(
    ("page", "command"),
    [
        ("scoring.md", "score system.m2 --ref conll14.errant"),
        ("sentence-alignment.md", "align system.m2 conll14.errant -o aligned"),
    ],
)
def test_pages(page: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = list(jperrant.read_m2(str(CONLL14 / "conll14-AMU.errant")))
    one, two = blocks[20:22]
    n = len(one.source)
    moved = [replace(e, start=e.start + n, end=e.end + n) for e in two.annotations[0].edits]
    joined = Block(one.source + two.source, (Annotation(0, (*one.annotations[0].edits, *moved)),))
    write(Path("system.m2"), [*blocks[:2], *blocks[3:20], joined, *blocks[22:]])
    Path("conll14.errant").write_bytes(GOLD.read_bytes())
    found = CliRunner().invoke(app, command.split())
    text = (DOCS / page).read_text(encoding="utf-8")
    [shown] = re.findall(rf"^```text\n\$ jperrant {re.escape(command)}\n(.*?)^```$", text, re.M | re.S)
    assert found.stderr + found.stdout == re.sub(r"v:\d+\.\d+\.\d+", f"v:{jperrant.__version__}", shown)


def test_large_files_are_aligned_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gold = list(jperrant.read_m2(str(GOLD)))[:90]
    pieces = [*gold[:20], block(" ".join(gold[20].source + gold[21].source)), *gold[22:40], *gold[41:]]
    pieces[60] = block("Another sentence stands here instead of that one .")
    hyp, ref = write(tmp_path / "h.m2", pieces), write(tmp_path / "r.m2", gold)
    whole = aligned(hyp, ref, "-o", tmp_path / "whole")
    monkeypatch.setattr("jperrant.evaluation.aligning.TOGETHER", 25)
    found = run(hyp, ref, "-o", tmp_path / "parts", "--json")
    assert "have more than 25 sentences, so they were aligned in 4 parts" in found.stderr
    parts = json.loads(found.stdout)
    for side in ("hypothesis", "references"):
        assert Path(parts.pop(side)).read_bytes() == Path(whole.pop(side)).read_bytes()
    assert parts.pop("similarity") == pytest.approx(whole.pop("similarity"))
    assert parts == whole
    same = write(tmp_path / "same.m2", [block("The same sentence again and again .")] * 60)
    found = run(same, same, "-o", tmp_path / "same", "--json")
    assert json.loads(found.stdout)["shapes"] == {"1-1": 60}
    assert "aligned in 1 part" in found.stderr, "no place to part them"
