"""Plans of ``jperrant explain -m uot`` as tables, pictures and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import jperrant
from jperrant.cli.main import app
from jperrant.core.arrays import FloatArray
from jperrant.core.errors import JperrantError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.encoders.options import EncoderOptions
from jperrant.evaluation.explain import Attribution, ChunkTable, SentencePlan, plans_of
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.uot import UotScorer
from jperrant.reporting.explanations import format_plans

SVG = "{http://www.w3.org/2000/svg}"


class Words:
    """An encoder whose vectors count letters."""

    def embed(self, texts: Sequence[str], notes: list[str] | None = None) -> FloatArray:
        counted = [[text.count(chr(97 + n)) for n in range(26)] for text in texts]
        return np.array(counted, dtype=np.float64).reshape(len(texts), 26) / 4


@pytest.fixture(autouse=True)
def _words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EncoderOptions, "load", lambda _: Words())
    monkeypatch.setattr(EncoderOptions, "label", property(lambda options: f"enc:{options.encoder}"))


def block(text: str, *annotators: tuple[Edit, ...]) -> Block:
    return Block(tuple(text.split()), tuple(Annotation(n, edits) for n, edits in enumerate(annotators)))


GOES, DOT, LESS = (
    Edit(1, 2, ("goes",), "R:VERB"),
    Edit(3, 3, (".",), "M:PUNCT"),
    Edit(0, 1, ("<he>",), "R:ORTH"),
)
HYP = [block("he go home", ()), block("he go home", (LESS, GOES)), block("it is", ())]
REF = [block("he go home", (), ()), block("he go home", (GOES,), (GOES, DOT)), block("it is", (), ())]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    names = [str(tmp_path / "hyp.m2"), str(tmp_path / "ref.m2")]
    for name, blocks in zip(names, (HYP, REF), strict=True):
        with Path(name).open("w", encoding="utf-8") as stream:
            jperrant.write_m2(blocks, stream)
    return names


def run(files: list[str], *options: str) -> Result:
    found = CliRunner().invoke(app, ["explain", *files[:-1], "--ref", files[-1], "-m", "uot", *options])
    if isinstance(found.exception, JperrantError):
        raise found.exception
    assert found.exit_code == 0, found.output
    return found


def test_warnings_name_the_sentences_of_the_file() -> None:
    unseen = block("he go home", (Edit(1, 2, ("og",), "R:X"),))
    pair = Pair([HYP[0], HYP[1], unseen], [HYP[0], REF[1], unseen])
    for chosen, first in (([3], 3), ([3, 2], 3), ((), 2)):
        _, warnings = plans_of(UotScorer(), pair, chosen)
        [told] = [line for line in warnings if "cannot see" in line]
        assert f"first sentence {first} " in told


def test_json_is_the_plan(files: list[str]) -> None:
    [told] = json.loads(run(files, "--json").stdout)
    [[expected], _] = plans_of(UotScorer(), Pair(HYP, REF))
    assert told["sentence"] == 2
    assert told["reference"] == expected.reference == 0
    np.testing.assert_allclose(told["plan"], expected.plan)
    assert [edit["correction"] for edit in told["hypothesis_edits"]] == ["<he>", "goes"]
    assert [edit["text"] for edit in told["reference_edits"]] == ["go"]
    assert told["counts"]["tp"] == pytest.approx(np.sum(told["plan"]))
    masses = [edit["mass"] for edit in told["hypothesis_edits"]]
    assert told["counts"]["fp"] == pytest.approx(sum(masses) - told["counts"]["tp"])
    totals = np.sum([list(row.values()) for row in told["by_type"].values()], axis=0)
    np.testing.assert_allclose(totals, list(told["counts"].values()))


def test_sentences_without_edits(files: list[str]) -> None:
    shown = json.loads(run(files, "--sentences", "1-3", "--json").stdout)
    assert [plan["sentence"] for plan in shown] == [1, 2, 3]
    assert shown[0]["plan"] == []
    assert shown[0]["values"]["f"] == 1
    for format_ in ("text", "svg", "html", "tsv", "latex", "md"):
        assert run(files, "--sentences", "1-3", "--format", format_).stdout


def test_pictures_are_xml_and_escape_words(files: list[str], tmp_path: Path) -> None:
    picture = tmp_path / "plan.svg"
    run(files, "--sentences", "1-3", "--format", "svg", "-o", str(picture))
    tree = ElementTree.parse(picture)
    words = [text.text for text in tree.iter(f"{SVG}text")]
    assert "he → <he>" in words
    assert len(list(tree.iter(f"{SVG}rect"))) == 3
    assert len(list(tree.iter(f"{SVG}path"))) == 2
    page = run(files, "--format", "html").stdout
    assert page.startswith("<!DOCTYPE html>")
    assert "&lt;he&gt;" in page
    assert "http:" not in page
    assert "https:" not in page


def test_a_picture_has_no_control_characters(tmp_path: Path) -> None:
    odd = [block("he \x01go <b>", (Edit(1, 2, ("\x1bgo",), "R:<i>"),))]
    [plan], _ = plans_of(UotScorer(), Pair(tuple(odd), tuple(odd), "odd"), [1])
    words = [text.text for text in ElementTree.fromstring(format_plans([plan], "svg")).iter(f"{SVG}text")]
    assert words[1:3] == ["he ‹U+0001›go <b>", "‹U+0001›go → ‹U+001B›go"], "shown, not written"


@pytest.mark.parametrize(
    ("metric", "kind"), [("cleme2", ChunkTable), ("uot", SentencePlan), ("gleu", Attribution)]
)
def test_texts_are_explained_in_every_way(metric: str, kind: type) -> None:
    source, system, gold = ["it is", "he go home"], ["it is", "he goes home"], ["it is", "he goes homes"]
    [found] = jperrant.explain(system, [gold], source=source, metrics=metric, models="none")
    assert isinstance(found, kind)
    assert found.sentence == 2  # type: ignore[attr-defined]
    [again] = jperrant.explain(system, [gold], source=source, metrics=metric, models="none", method="add")
    assert isinstance(again, Attribution)
    assert len(again.worths) == 1
