"""The report page without a browser: its figures, its text, its size, and what hostile text becomes."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import jperrant
from jperrant.core.display import printable
from jperrant.core.errors import UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.explain import chunk_tables
from jperrant.evaluation.metric_names import make_scorer, make_scorers
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.scoring import evaluate_all
from jperrant.reporting.html.page import content_policy
from jperrant.reporting.html.report import LETTERS, Report, ReportOptions, input_file, report, report_of
from tests.commands import printed, refused
from tests.m2_cases import load_pairs
from tests.markup_reader import Page

from .report_cases import HOSTILE_NAMES, write_files

ROOT = Path(__file__).parents[2]
HOSTILE = [
    "</script><script>alert(1)</script>", "<!--", "]]>", "\"'`", "a\u2028b", "\u202eevil", "javascript:alert(1)",
    "&amp;", "{{7*7}}{%raw%}", "nul\x00bell\x07", "half\ud800",
]  # fmt: skip


def data_of(html: str, name: str) -> Any:
    found = re.search(rf'<script type="([^"]*)" id="data-{name}">(.*?)</script>', html)
    assert found is not None
    is_packed = found[1] != "application/json"
    return json.loads(gzip.decompress(base64.b64decode(found[2])) if is_packed else found[2])


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], Path]:
    return write_files(tmp_path_factory.mktemp("report"), times=3)


@pytest.fixture(scope="module")
def page(paths: tuple[list[Path], Path]) -> Report:
    systems, gold = paths
    return report(dict(zip(["Alpha", "Beta"], systems, strict=True)), gold, lang="en", samples=50)


def test_the_figures_are_those_of_score(page: Report, paths: tuple[list[Path], Path]) -> None:
    systems, gold = paths
    scores = jperrant.score(systems, gold, metrics=["errant", "cleme2"])
    rows = Page(page.html).rows
    for system, name in enumerate(["Alpha", "Beta"]):
        row = next(row for row in rows if row and row[0] == name)
        shown = [cell[:6] for cell in row[1:]]
        values = [*scores[2 * system].values.values(), *scores[2 * system + 1].values.values()]
        assert shown == [f"{value:.4f}" for value in values]
    for type_, figures in scores[0].to_dict()["by_type"].items():
        assert any(row[0] == type_ and f"{figures['f']:.3f}" in "".join(row) for row in rows if row)


def test_outcomes_add_up_to_errants_counts(page: Report) -> None:
    rows = data_of(page.html, "sentences")["rows"]
    for system, score in enumerate(page.scores.by_metric()["errant"]):
        letters = "".join(row[4][system][2] for row in rows)
        missed = sum(len(row[4][system][3]) for row in rows)
        spare = letters.count("w") + letters.count("n")
        assert score.counts == {"tp": letters.count("r"), "fp": spare, "fn": missed}


def test_every_type_has_an_entry_with_meaning_and_example(page: Report) -> None:
    glossary = page.html.partition('id="glossary"')[2].partition("</section>")[0]
    rows = {row[0]: row for row in Page(glossary).rows[1:]}
    assert set(rows) == set(data_of(page.html, "sentences")["types"])
    assert "agreement" in rows["R:VERB:SVA"][1]
    assert "are is" in rows["R:VERB:SVA"][4]


def test_head_names_files_checksums_and_signatures(page: Report, paths: tuple[list[Path], Path]) -> None:
    for path in (*paths[0], paths[1]):
        assert input_file("system", path).sha256 in page.html
        assert f">{path.name}<" in page.html
        assert str(path.parent) not in page.html, "a folder of this machine"
    for score in page.scores:
        assert score.signature in page.html


def test_the_policy_names_style_and_script_and_nothing_else(page: Report) -> None:
    found = Page(page.html)
    [policy] = [str(a["content"]) for _, a in found.tags if a.get("http-equiv") == "Content-Security-Policy"]
    for element in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(found.inside[element].encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "script-src" not in content_policy("a", "")


def hostile_report() -> Report:
    source = tuple(HOSTILE)
    edits = [Edit(n, n + 1, (token,), f"R:{token}") for n, token in enumerate(source)]
    gold = [Block(source, (Annotation(0, tuple(edits)),))]
    ours = [Block(source, (Annotation(0, (Edit(0, 1, ("<img src=x>",), "R:<b>"),)),))]
    pairs = [Pair(ours, gold, name) for name in HOSTILE_NAMES]
    scores = evaluate_all(make_scorers(["errant", "cleme2"]), pairs)
    options = ReportOptions(title="</title><script>alert(1)</script>", samples=20)
    return report_of(scores, pairs, options, [input_file("system", "</td><script>x</script>")])


def test_hostile_tokens_types_and_names_stay_text() -> None:
    made = hostile_report()
    found = Page(made.html)
    kinds = [attributes.get("type") for tag, attributes in found.tags if tag == "script"]
    assert kinds.count(None) == 1
    assert not {"img", "b"} & {tag for tag, _ in found.tags}
    assert not [a for _, attributes in found.tags for a in attributes if a.startswith("on") or a == "style"]
    links = {str(attributes.get("href", "#")) for _, attributes in found.tags}
    assert not [link for link in links if link[0] != "#" and link != "data:,"]
    sentences = data_of(made.html, "sentences")
    assert sentences["rows"][0][1].split(" ") == HOSTILE
    assert sentences["systems"] == HOSTILE_NAMES
    assert all(any(printable(name) in row for row in found.rows) for name in HOSTILE_NAMES)
    assert "&lt;iframe" not in made._repr_html_()
    assert made._repr_html_().count("<") == 2


def test_chunks_are_those_of_the_chunk_tables(page: Report, paths: tuple[list[Path], Path]) -> None:
    scorer = make_scorer("cleme2")
    [pair] = load_pairs([str(paths[0][1])], str(paths[1]))
    tables = {table.sentence: table for table in chunk_tables(scorer, pair)}  # type: ignore[arg-type]
    shown = data_of(page.html, "chunks")
    assert {n for n, systems in enumerate(shown, start=1) if systems[1]} == set(tables)
    for number, table in tables.items():
        [[chosen, _, annotators, chunks]] = shown[number - 1][1]
        rows = [table.rows[-1], *table.rows[1:-1]]
        assert chunks == [
            [*span, LETTERS[label], *(" ".join(row.cells[n]) if row.changed[n] else None for row in rows)]
            for n, (span, label) in enumerate(zip(table.spans, table.labels, strict=True))
            if any(row.changed[n] for row in table.rows)
        ]
        assert [row.chosen for row in table.rows[1:-1]] == [annotator == chosen for annotator in annotators]


def test_one_system_without_references_and_a_metric_without_types() -> None:
    blocks = [Block(("a", "b"), (Annotation(0, (Edit(0, 1, ("c",), "R:OTHER"),)),))]
    alone = report(blocks, blocks, metrics="gleu", samples=20)
    assert 'id="types"' not in alone.html
    rows = data_of(alone.html, "sentences")["rows"]
    assert rows[0][4][0] == [0, [0], "r", []]


def test_what_changes_nothing_is_said_and_never_the_best(paths: tuple[list[Path], Path]) -> None:
    [alpha, beta], gold = paths
    unchanged = [Block(block.source) for block in jperrant.read_m2(alpha)]
    systems = {"Alpha": alpha, "Beta": beta, "Input": unchanged}
    made = report(systems, gold, metrics=["errant", "cleme2", "wer"], samples=20, baseline="Beta")
    table = made.html.partition('<table class="systems">')[2].partition("</table>")[0]
    rows = table.split('<tr><th scope="row"')[1:]
    assert "changes nothing" in rows[2]
    assert 'class="number best"' not in rows[2].replace(" group", "")
    assert "changes nothing" not in rows[0] + rows[1]
    heads = re.findall(r"<th scope=\"col\"[^>]*>([a-z0-9.]+)( <span class=\"lower\")?", table)
    assert [name for name, lower in heads if lower] == ["wrong", "under", "over", "wer"]
    assert "f0.5" in dict(heads)
    assert "differs from Beta" in made.html
    assert "needed changes that were not made" in made.html


def test_long_names_keep_what_tells_them_apart(paths: tuple[list[Path], Path]) -> None:
    names = [f"a-model-with-a-long-name_fewshot_temperature-0.0_run-{n}" for n in range(5)]
    made = report(dict.fromkeys(names, paths[0][0]), paths[1], metrics="errant", samples=20)
    sentences = data_of(made.html, "sentences")
    assert [name.rpartition("-")[2] for name in sentences["short"]] == ["0", "1", "2", "3", "4"]
    assert max(map(len, sentences["short"])) <= 22
    assert sentences["systems"] == names


def test_types_without_operation_stay_whole() -> None:
    edits = [Edit(n, n + 1, ("x",), type_) for n, type_ in enumerate(["WS", "G/Case", "R:SPELL", "UNK"])]
    blocks = [Block(("a", "b", "c", "d"), (Annotation(0, tuple(edits)),))]
    made = report(blocks, blocks, metrics="errant", samples=20)

    def shown(level: str) -> set[str]:
        [table] = re.findall(f'id="heat-{level}".*?(<table.*?</table>)', made.html, re.DOTALL)
        return {row[0] for row in Page(table).rows[1:]}

    assert shown("operation") == {"R", "none"}
    assert {"G/Case", "SPELL", "WS"} <= shown("category")
    assert "spelling" in shown("group")
    assert "" not in shown("group")


def test_no_sentence_is_left_out_in_silence(paths: tuple[list[Path], Path]) -> None:
    systems, gold = paths
    made = report(systems, gold, sentences=5, samples=20)
    assert len(data_of(made.html, "sentences")["rows"]) == 5
    assert "first 5 of 12 sentences" in made.html
    with pytest.raises(UsageError, match="found -1 sentences"):
        report(systems, gold, sentences=-1)


def test_systems_of_other_sentence_boundaries() -> None:
    goes, was = Edit(1, 2, ("goes",), "R:VERB:SVA"), Edit(4, 5, ("was",), "R:VERB")
    gold = [Block(("He", "go", "."), (Annotation(0, (goes,)),)), Block(("I", "am", "."))]
    joined = [Block(("He", "go", ".", "I", "am", "."), (Annotation(0, (goes, was)),))]
    made = report([joined, gold], gold, samples=20)
    rows = data_of(made.html, "sentences")["rows"]
    assert [row[0] for row in rows] == [1]
    assert rows[0][1] == "He go . I am ."
    assert [system[2] for system in rows[0][4]] == ["rn", "r"]


def test_the_command(paths: tuple[list[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    systems, gold = paths
    call = ["report", *systems, "--ref", gold, "--samples", "20", "-m", "errant"]
    assert printed(*call).lower().startswith("<!doctype html")
    assert printed(*call, "--plots", tmp_path / "plots", "-o", tmp_path / "report.html") == ""
    assert "alpha and beta" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "errant-rank.svg" in {path.name for path in (tmp_path / "plots").iterdir()}
    assert gold.name in refused(*call, "-o", gold)
    assert "--ref" in refused("report", gold)
    assert "'xx'" in refused(*call, "--lang", "xx")
    monkeypatch.setattr("jperrant.cli.output.to_terminal", lambda: True)
    assert "give -o FILE.html" in refused(*call)


def test_texts_are_reported_as_score_takes_them(tmp_path: Path) -> None:
    call: list[object] = ["report", "--models", "none", "--samples", "20"]
    for role, verb in {"source": "go", "hyp": "goes", "ref": "goes"}.items():
        (tmp_path / role).write_text(f"He {verb} home .\n", encoding="utf-8")
        call += [f"--{role}", tmp_path / role]
    assert data_of(printed(*call), "sentences")["rows"][0][4][0][2] == "r"


def test_the_sample_is_what_its_command_makes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    command = next(line[2:] for line in text.splitlines() if line.startswith("$ jperrant report examples"))
    *call, sample = shlex.split(command)[1:]
    printed(*call, tmp_path / "sample.html")
    html = (tmp_path / "sample.html").read_text(encoding="utf-8")
    assert len(html) < 300_000
    if html != (ROOT / sample).read_text(encoding="utf-8"):
        pytest.fail(f"{sample} is not what jperrant report makes now: run make sample and commit it")


def test_a_note_on_the_page_names_its_metric_among_several() -> None:
    camb = Path(__file__).parents[1] / "data/conll14/conll14-CAMB.errant"
    made = report({"CAMB": camb}, camb.with_name("conll14.errant"), metrics=["errant", "cleme2"], samples=2)
    [line] = [line for line in made.warnings if "depends on the order" in line]
    assert line.startswith("CAMB: cleme2: ")
    assert f'<li dir="auto">{line}</li>' in made.html
