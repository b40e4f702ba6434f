"""Commands that print tables: several systems, layouts, files, and what is said where there is nothing to show."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.errors import UsageError
from tests.commands import printed as run

DATA = Path(__file__).parents[1] / "data" / "conll14"
AMU, CAMB, GOLD = (str(DATA / f"conll14{name}.errant") for name in ("-AMU", "-CAMB", ""))


@pytest.mark.ci
def test_chunks_of_several_systems() -> None:
    def chunks(*systems: str) -> list[dict[str, object]]:
        words = ("explain", *systems, "--ref", GOLD, "-m", "cleme2", "--sentences", "9,25", "--json")
        found: list[dict[str, object]] = json.loads(run(*words))
        return found

    together = chunks(AMU, CAMB)
    assert together == [*chunks(AMU), *chunks(CAMB)]
    assert [table["hypothesis"] for table in together] == ["conll14-AMU"] * 2 + ["conll14-CAMB"] * 2
    with pytest.raises(UsageError, match="found no references"):
        run("explain", AMU, "-m", "cleme2")


def test_types_in_every_layout(short_conll: Path, tmp_path: Path) -> None:
    gold = str(short_conll / "conll14.errant")
    [counts] = json.loads(run("m2", "stats", gold, "--json"))
    out = tmp_path / "stats.tsv"
    assert run("m2", "stats", gold, "--format", "tsv", "-o", str(out)) == ""
    rows = _rows(out.read_text(encoding="utf-8").split("\n\n")[2])
    own = {r["type"]: int(r["annotator 0"]) for r in rows[:-2] if r["annotator 0"] != "0"}
    assert own == counts["annotators"]["0"]["types"]
    assert int(rows[-2]["annotator 1"]) == sum(counts["annotators"]["1"]["types"].values())
    assert int(rows[-1]["annotator 1"]) == counts["annotators"]["1"]["unchanged"]
    assert "toprule" in run("m2", "stats", gold, "--format", "latex")


def test_packs_in_every_layout() -> None:
    packs = {pack["code"]: pack for pack in json.loads(run("packs", "list", "--json"))}
    assert packs["ko"]["name"] == "Korean"
    assert Path(packs["ko"]["folder"]).is_dir()
    rows = _rows(run("packs", "list", "--format", "tsv"))
    assert {row["code"] for row in rows} == set(packs)


@pytest.mark.parametrize("words", [(), ("m2",), ("packs",), ("models",)])
def test_summaries_are_not_cut(words: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "80", "TERM": "dumb"}).stdout
    assert "Commands" in shown
    assert "..." not in shown.partition("Commands")[2]
    assert "…" not in shown


def scoring(folder: Path) -> tuple[str, ...]:
    """Return the words that score a system of a folder."""
    return "score", str(folder / "conll14-AMU.errant"), "--ref", str(folder / "conll14.errant")


def test_tables_by_type_of_several_metrics_say_which_is_which(short_conll: Path) -> None:
    metrics = ["-m", "errant", "-m", "errant:mode=ds", "-m", "gleu"]
    words = (*scoring(short_conll), *metrics, "--category", "1")
    written = run(*words, "--names", "A")
    blocks = written.split("\n\n")
    assert [block.splitlines()[0] for block in blocks[1:]] == ["A, errant mode:cs", "A, errant mode:ds"]
    assert "'gleu'" in blocks[0]
    names = [row["metric"] for row in _rows(run(*words, "--format", "tsv")) if row["type"] == "all"]
    assert names == ["errant mode:cs", "errant mode:ds", "gleu"]


def test_each_sentence_of_several_metrics_has_its_figures_in_their_columns(
    short_conll: Path, tmp_path: Path
) -> None:
    both = ("-m", "errant", "-m", "gleu")

    def write(name: str, *metrics: str) -> str:
        run(*scoring(short_conll), *metrics, "--per-sentence", tmp_path / name)
        return (tmp_path / name).read_text(encoding="utf-8")

    together = _rows(write("both.tsv", *both))
    for metric in ("errant", "gleu"):
        alone = _rows(write(f"{metric}.tsv", "-m", metric))
        own = [row for row in together if row["metric"] == metric]
        assert [{name: row[name] for name in alone[0]} for row in own] == alone
    lines = write("both.jsonl", *both).splitlines()
    assert {json.loads(line)["metric"] for line in lines} == {"errant", "gleu"}


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines(), delimiter="\t"))
