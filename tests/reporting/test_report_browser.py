"""The report page in a browser: filters, keyboard, links, downloads, details, and the page without script."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jperrant
from jperrant.evaluation.metric_names import make_scorer
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.scoring import evaluate_all
from jperrant.reporting.html.report import ReportOptions, report, report_of
from tests.browser import Browser, browser, violations  # noqa: F401
from tests.evaluation.conftest import Letters, letters  # noqa: F401

from .report_cases import HOSTILE_NAMES, m2, press, write_files
from .test_report_page import HOSTILE, hostile_report


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of two systems over 48 sentences."""
    folder = tmp_path_factory.mktemp("report")
    systems, gold = write_files(folder)
    made = report(dict(zip(["Alpha", "Beta"], systems, strict=True)), gold, lang="en", samples=20)
    made.save(folder / "report.html")
    return folder / "report.html"


@pytest.fixture
def page(browser: Browser, path: Path) -> Iterator[Any]:  # noqa: F811
    with browser.page(path, accept_downloads=True) as opened:
        opened.wait_for_selector("body[data-ready]")
        yield opened


def count(page: Any) -> str:
    return str(page.inner_text("#count"))


@pytest.mark.ci
def test_filters_and_order(page: Any) -> None:
    assert count(page) == "48 sentences"
    page.fill("#filter-text", "HOME n3")
    page.wait_for_selector("#s14:only-child")
    assert count(page) == "1 of 48 sentences"
    reset(page)
    page.check(".outcomes input[value=wrong]")
    page.wait_for_selector("#s4:nth-child(2)")
    assert count(page) == "24 of 48 sentences"  # beta's was, its longer deletion
    page.select_option("#filter-system", "0")
    page.wait_for_selector(".empty")
    page.select_option("#filter-system", "")
    page.select_option("#filter-type", "R:VERB:TENSE")
    page.wait_for_selector("#s5:nth-child(2)")
    assert count(page) == "12 of 48 sentences"
    reset(page)
    page.select_option("#filter-type", "*:DET")
    page.check(".outcomes input[value=needless]")
    page.wait_for_selector(".empty")
    reset(page)
    page.check("#filter-differ")
    page.select_option("#order", "+0")
    page.wait_for_selector("#list article")
    alpha, beta = values(page)[::2], values(page)[1::2]
    gaps = [a - b for a, b in zip(alpha, beta, strict=True)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] > 0
    assert page.inner_text(".row.source .value >> nth=0") == "errant f0.5"
    page.select_option("#order", "w1")  # by another metric, which is then shown
    page.wait_for_selector(".row.source .value:has-text('cleme2 score')")
    assert values(page)[0] <= 0.5


def reset(page: Any) -> None:
    page.click("button[type=reset]")
    page.wait_for_selector("#s3")


def values(page: Any) -> list[float]:
    """Return the values shown of both systems in turn, where they have rows of their own."""
    return [float(value) for value in page.locator("article .row.system .value").all_inner_texts()]


def test_edits_have_types_outcomes_and_signs(page: Any) -> None:
    rows = page.locator("#s1 .row.system")
    assert [row.split("\n")[0] for row in rows.all_inner_texts()] == ["Alpha ref. 0", "Beta ref. 1"]
    alpha, beta = (row.locator(".edit").all() for row in rows.all())
    kinds = [[str(edit.get_attribute("class")).split()[-1] for edit in own] for own in (alpha, beta)]
    assert kinds == [["right", "missed", "right"], ["wrong", "right", "missed"]]
    assert alpha[0].inner_text().split("\n")[0].endswith("isR:VERB:SVA✓")
    assert page.locator("#s3 .row.reference .who").all_inner_texts() == ["references 0, 1"]
    assert page.locator("#s3 .row.reference .text").all_inner_texts() == ["no change"]


@pytest.mark.ci
def test_keyboard(page: Any) -> None:
    focused = "document.activeElement.id"
    press(page, "j")
    assert page.evaluate(focused) == "s1"
    press(page, "j " * 20)
    assert page.evaluate(focused) == "s21"
    assert "page 2 of 3" in page.inner_text("#page")
    press(page, "k c")
    page.wait_for_selector("#s20:focus .detail table")
    press(page, "f", "jkf")
    assert page.input_value("#filter-text:focus") == "jkf"
    press(page, "Escape")
    assert page.evaluate(focused) == ""


@pytest.mark.ci
def test_links_keep_filters_and_sentence(browser: Browser, path: Path) -> None:  # noqa: F811
    kept = "system=1&type=R%3AVERB%3ASVA&outcome=right&a=1&b=0&order=long&only=1&q=go&s=22"
    with browser.page(f"{path.as_uri()}#{kept}") as page:
        page.wait_for_selector("body[data-ready]")
        assert page.input_value("#filter-type") == "R:VERB:SVA"
        assert page.input_value("#filter-b") == "0"
        page.select_option("#filter-system", "0")
        page.wait_for_selector("#s22")
        assert {"system=0", "outcome=right"} < set(page.evaluate("location.hash.slice(1)").split("&"))

        page.evaluate("location.hash = 'type=M%3AADV&s=6'")  # nothing is left of the filters before
        page.wait_for_selector("#s2:first-child")
        page.wait_for_selector("#s6:focus")
        names = ("text", "system", "type", "a", "b")
        found = {name: page.input_value(f"#filter-{name}") for name in names}
        assert found == {"text": "", "system": "", "type": "M:ADV", "a": "0", "b": "1"}
        assert page.input_value("#order") == ""
        assert count(page) == "12 of 48 sentences"


def downloaded(page: Any, button: str) -> str:
    with page.expect_download() as waiting:
        page.click(button)
    return Path(waiting.value.path()).read_text(encoding="utf-8")


@pytest.mark.ci
def test_downloads_are_what_the_filters_leave(page: Any, path: Path) -> None:
    alpha, gold = path.parent / "alpha.m2", path.parent / "gold.m2"
    page.select_option("#download-what", "0")
    assert downloaded(page, "#download-m2") == alpha.read_text(encoding="utf-8")
    page.select_option("#download-what", "r")
    assert downloaded(page, "#download-m2") == gold.read_text(encoding="utf-8")
    page.fill("#filter-text", "home n3")
    page.wait_for_selector("#s14:only-child")
    page.select_option("#download-what", "*")
    goes = "1 2 R:VERB:SVA goes"
    versions = [[goes], ["1 2 R:VERB:TENSE went"], [goes, "3 3 M:ADV now"], []]
    assert downloaded(page, "#download-m2") == m2("He go home . n3", *versions)
    [record] = json.loads(downloaded(page, "#download-json"))
    assert record["sentence"] == 14
    assert [edit["outcome"] for edit in record["systems"][0]["edits"]] == ["right", "needless"]
    lines = downloaded(page, "#download-tsv").splitlines()
    assert lines[0] == "sentence\tsystem\tstart\tend\tsource\tcorrection\ttype\toutcome"
    assert "14\tAlpha\t1\t2\tgo\tgoes\tR:VERB:SVA\tright" in lines


@pytest.mark.ci
def test_alternatives_copies_and_capitals_of_turkish(browser: Browser, tmp_path: Path) -> None:  # noqa: F811
    systems, gold = tmp_path / "system.m2", tmp_path / "gold.m2"
    for file, correction in ((systems, "güzel"), (gold, "GÜZEL||çok güzel")):
        file.write_text(m2("İstanbul IŞIK .", [f"1 2 R:X {correction}"]), encoding="utf-8")
    report({"[1]": systems}, gold, samples=20).save(tmp_path / "report.html")
    options = {"accept_downloads": True, "permissions": ["clipboard-read", "clipboard-write"]}
    with browser.page(tmp_path / "report.html", **options) as page:
        page.wait_for_selector("#s1")
        [record] = json.loads(downloaded(page, "#download-json"))
        [edit] = record["references"][0]["edits"]
        assert (edit["correction"], edit["alternatives"]) == (["GÜZEL"], [["çok", "güzel"]])
        assert "alternatives" not in record["systems"][0]["edits"][0]
        assert "GÜZEL||çok güzel" in downloaded(page, "#download-tsv").splitlines()[1].split("\t")
        latex = r"\sout{IŞIK} \uline{güzel}"
        for name, copied in {"M2": ["A 1 2|||R:X|||güzel"], "LaTeX": ["\n{}[1] & ", latex]}.items():
            page.locator("#s1").get_by_role("button", name=f"copy {name}").click()
            page.wait_for_selector("#status.shown")
            assert all(text in page.evaluate("navigator.clipboard.readText()") for text in copied)
        for word in ("istanbul", "İSTANBUL", "ışık", "IŞIK", "güzel"):
            page.fill("#filter-text", word)
            page.wait_for_timeout(200)
            assert page.locator("#s1").count() == 1, word


@pytest.mark.ci
def test_tables_are_of_the_systems_chosen_and_in_the_order_clicked(page: Any) -> None:
    row = ".level-category .differences tbody tr"
    before = page.locator(row).first.inner_text()
    page.select_option("#first", "1")
    page.select_option("#second", "0")
    page.wait_for_selector(".level-category .first:text('Beta')")
    after = page.locator(row).first.inner_text()
    assert after.split("\t")[:2] == before.translate(str.maketrans("+−", "−+")).split("\t")[:2]

    systems, heat = page.locator("table.systems"), page.locator(".level-category .heat")
    recall = systems.get_by_role("button", name="recall")
    recall.click()
    values = [float(text[:6]) for text in systems.locator("tbody td:nth-child(3)").all_inner_texts()]
    assert values == sorted(values, reverse=True)
    recall.click()
    recall.click()
    assert systems.locator("tbody th").all_inner_texts() == ["Alpha", "Beta"]
    heat.get_by_role("button", name="in the references").click()
    counts = [int(text.split(" · ")[0]) for text in heat.locator("tbody td:nth-child(2)").all_inner_texts()]
    assert counts == sorted(counts, reverse=True)
    heat.get_by_role("button", name="Beta").click()
    shown = heat.locator("tbody tr td:last-child").all_inner_texts()
    figures = [-1.0 if text == "–" else float(text[:5]) for text in shown]
    assert figures == sorted(figures, reverse=True)

    page.locator("label[for=level-type]").click()
    assert page.locator(".level-type").is_visible()
    assert not heat.is_visible()


@pytest.mark.ci
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_it_can_be_read(browser: Browser, path: Path, width: int, scheme: str) -> None:  # noqa: F811
    size = {"width": width, "height": 844}
    with browser.page(path, color_scheme=scheme, viewport=size) as page:
        page.wait_for_selector("#s1")
        press(page, "j c")
        page.wait_for_selector("#s1 .detail table")
        page.locator("label[for=show-others]").click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing reaches past"
        assert page.locator("#s1 .text").first.evaluate("e => e.getBoundingClientRect().width") > 250
        assert violations(page) == []


@pytest.mark.ci
def test_what_is_printed_has_names_and_says_what_is_left_out(browser: Browser, path: Path) -> None:  # noqa: F811
    with browser.page(path) as page:
        page.wait_for_selector("#s1")
        assert not page.locator("#printed").is_visible()
        page.emulate_media(media="print")
        heads = page.locator("table.systems thead tr:last-child th").all_inner_texts()
        assert heads[:3] == ["precision", "recall", "f0.5"]
        columns = page.locator(".level-category .heat th").all_inner_texts()
        assert columns[:3] == ["category", "in the references", "Alpha"]
        assert page.inner_text("#printed").startswith("Printed: 20 of 48 sentences")
        assert page.inner_text("#printed").endswith("28 are left out.")
        assert page.locator(".level-category").is_visible()
        assert not page.locator(".level-type").is_visible(), "the level that is shown"


def test_tables_and_plots_without_script(browser: Browser, path: Path) -> None:  # noqa: F811
    with browser.page(path, java_script_enabled=False) as page:
        assert page.locator("table.heat").count() == 4
        assert page.locator(".panels svg").count() == 2
        assert page.locator(".level-category .differences tbody tr").count() > 3
        assert not page.locator("#filters").is_visible()
        assert "switched off" in page.inner_text("noscript")


@pytest.mark.ci
def test_hostile_text_is_shown_and_not_obeyed(browser: Browser, tmp_path: Path) -> None:  # noqa: F811
    out = tmp_path / "hostile '&.html"
    hostile_report().save(out)
    with browser.page(out) as page:
        page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
        page.wait_for_selector("#s1")
        press(page, "j c")
        page.wait_for_selector("#s1 .detail table")
        source = page.locator("#s1 .row.source .text").inner_text()
        assert source.split(" ")[:3] == HOSTILE[:3]
        assert "‹U+202E›evil" in source
        assert page.locator("img, #list b, #list script").count() == 0
        assert page.locator("#s1 .row.system .who bdi").all_inner_texts() == HOSTILE_NAMES
        assert "R:<b>" in page.inner_text("#s1")


@pytest.mark.ci
def test_a_transport_plan_is_drawn(
    browser: Browser, letters: Letters, path: Path, tmp_path: Path,  # noqa: F811
) -> None:  # fmt: skip
    made = report(path.parent / "alpha.m2", path.parent / "gold.m2", metrics=["errant", "uot"], samples=20)
    made.save(tmp_path / "plan.html")
    with browser.page(tmp_path / "plan.html") as page:
        page.wait_for_selector("#s1")
        press(page, "j p")
        page.wait_for_selector("#s1 svg.plan")
        assert page.locator("#s1 svg.plan .band").count() == 2
        assert page.locator("#s1 svg.plan .box").count() == 4
        assert "0.455 of 0.559" in page.locator("#s1 svg.plan").text_content()


@pytest.mark.ci
def test_a_metric_without_references(browser: Browser, path: Path, tmp_path: Path) -> None:  # noqa: F811
    blocks = {name: list(jperrant.read_m2(str(path.parent / f"{name}.m2"))) for name in ("alpha", "beta")}
    pairs = [Pair(own, (), name) for name, own in blocks.items()]
    scorer = make_scorer("perplexity", losses=lambda texts: [[float("well" in text)] for text in texts])
    made = report_of(evaluate_all([scorer], pairs), pairs, ReportOptions(samples=20))
    made.save(tmp_path / "free.html")
    with browser.page(tmp_path / "free.html") as page:
        page.wait_for_selector("#s1")
        assert page.locator("#types, .row.reference, .outcomes input[value]").count() == 0
        assert page.locator("#s1 .edit").count() == 4
        page.select_option("#order", "-0")
        page.check("#filter-differ")
        page.wait_for_selector("#s3:first-child")
        assert page.locator("#s3 .value").all_inner_texts() == ["perplexity", "2.72", "1.00"]


@pytest.mark.ci
def test_a_notebook_shows_it_in_a_frame(browser: Browser, path: Path, tmp_path: Path) -> None:  # noqa: F811
    systems = [path.parent / name for name in ("alpha.m2", "beta.m2")]
    made, out = report(systems, path.parent / "gold.m2", samples=20), tmp_path / "notebook.html"
    out.write_text(f"<!DOCTYPE html><meta charset=utf-8><title>n</title>{made._repr_html_()}", "utf-8")
    with browser.page(out) as page:
        frame = page.frame_locator("iframe")
        frame.locator("#s1").wait_for()
        frame.locator("#filter-text").fill("home n3")
        frame.locator("#s14:only-child").wait_for()
