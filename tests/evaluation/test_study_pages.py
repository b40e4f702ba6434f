"""The pages of a study: an index with the tables of all languages, and a page for each dataset."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

import jperrant
from jperrant.evaluation.studies.run import StudyResult
from tests.browser import Browser, browser, violations  # noqa: F401
from tests.reporting.test_report_page import Cells, data_of
from tests.study_cases import GOLD, GOOD, STUDY, WORSE

pytestmark = pytest.mark.ci


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[StudyResult, Path]:
    folder = tmp_path_factory.mktemp("study")
    text = STUDY.replace("  en:", "  'In/dex':") + "pages: true\n"
    files = {"gold.m2": GOLD, "good.m2": GOOD, "worse.m2": WORSE, "study.yaml": text}
    files |= {f"et.{name}": files[name].replace("NOUN:NUM", "NOM:FORM") for name in ("gold.m2", "good.m2")}
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    return jperrant.run_study(folder / "study.yaml", folder / "out"), folder / "out"


def test_the_index_leads_to_every_dataset_and_shows_its_figures(study: tuple[StudyResult, Path]) -> None:
    result, out = study
    html = (out / "pages" / "index.html").read_text(encoding="utf-8")
    found = Cells(html)
    links = {str(a["href"]) for tag, a in found.tags if tag == "a" and not str(a["href"]).startswith("#")}
    assert links == {"In_dex.html", "et.html"}
    assert all((out / "pages" / link).is_file() for link in links)
    rows = [row for row in found.rows if row and row[0] == "worse"]
    for dataset in ("In/dex", "et"):
        for metric in ("errant", "mine"):
            score = result.scores[dataset][metric]["worse"]
            assert any(f"{score.values[score.scorer.main]:.3f}" in cell for row in rows for cell in row)
    assert "nominal-inflection" in {row[0] for row in found.rows if row}
    assert "script-src" not in html


def test_the_page_of_a_dataset_has_its_figures_and_its_sentences(study: tuple[StudyResult, Path]) -> None:
    result, out = study
    html = (out / "pages" / "et.html").read_text(encoding="utf-8")
    sentences = data_of(html, "sentences")
    assert sentences["systems"] == ["good", "worse", "alone"]
    assert len(sentences["rows"]) == 2
    values = result.scores["et"]["errant"]["worse"].values
    row = next(row for row in Cells(html).rows if row and row[0] == "worse")
    assert row[1][:6] == f"{values['precision']:.4f}"
    groups = html.partition('id="heat-group"')[2].partition("</table>")[0]
    assert "nominal-inflection" in {row[0] for row in Cells(groups).rows}, "as the study file says"
    assert "et.gold.m2" in html
    assert str(out) not in html
    assert 'href="index.html"' in html


def test_pages_are_listed_in_the_manifest(study: tuple[StudyResult, Path]) -> None:
    _, out = study
    outputs = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["outputs"]
    for path in (out / "pages").iterdir():
        assert outputs[f"pages/{path.name}"] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_from_the_index_to_a_sentence(study: tuple[StudyResult, Path], browser: Browser) -> None:  # noqa: F811
    _, out = study
    with browser.page(out / "pages" / "index.html", viewport={"width": 390, "height": 844}) as page:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert violations(page) == []
        page.locator("#datasets").get_by_role("link", name="et").click()
        page.wait_for_selector("#s1 .edit.right")
        assert re.search("worse", page.inner_text("#s1"))
        page.get_by_role("link", name="‹ Study").click()
        page.wait_for_selector("#datasets")
