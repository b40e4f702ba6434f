"""The report page in a browser: filters, keyboard, links, downloads, details, and the page without script."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

import jperrant
from jperrant.core.arrays import FloatArray
from jperrant.evaluation.metric_names import make_scorer, make_scorers
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, Scorer, SystemCandidates
from jperrant.evaluation.metrics.system_score import Score, evaluate
from jperrant.evaluation.metrics.uot import UotScorer
from jperrant.evaluation.score_set import Scores
from jperrant.evaluation.scoring import evaluate_all
from jperrant.reporting.html.report import ReportOptions, report, report_of
from tests.browser import Browser, browser, violations  # noqa: F401
from tests.m2_cases import load_pairs

from .report_cases import HOSTILE_NAMES, write_files
from .test_report_page import HOSTILE, hostile_pairs

NARROW = {"viewport": {"width": 390, "height": 844}}


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
    page.click("button[type=reset]")
    page.wait_for_selector("#s1")
    page.check(".outcomes input[value=wrong]")
    page.wait_for_selector("#s4:nth-child(2)")
    assert count(page) == "24 of 48 sentences"  # beta's was, its longer deletion
    page.select_option("#filter-system", "0")
    page.wait_for_selector(".empty")
    page.select_option("#filter-system", "")
    page.select_option("#filter-type", "R:VERB:TENSE")
    page.wait_for_selector("#s5:nth-child(2)")
    assert count(page) == "12 of 48 sentences"
    page.click("button[type=reset]")
    page.wait_for_selector("#s2")
    page.select_option("#filter-type", "*:DET")
    page.check(".outcomes input[value=needless]")
    page.wait_for_selector(".empty")
    page.click("button[type=reset]")
    page.wait_for_selector("#s3")
    page.check("#filter-differ")
    page.select_option("#order", "+0")
    page.wait_for_selector("#list article")
    gaps = [float(a) - float(b) for a, b in zip(*values(page), strict=True)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] > 0


def values(page: Any) -> tuple[list[str], list[str]]:
    """Return the values shown of both systems, where they have rows of their own."""
    rows = page.locator("article .row.system .value").all_inner_texts()
    return rows[::2], rows[1::2]


def test_edits_have_types_outcomes_and_signs(page: Any) -> None:
    first = page.locator("#s1")
    rows = first.locator(".row.system")
    assert [row.split("\n")[0] for row in rows.all_inner_texts()] == ["Alpha ref. 0", "Beta ref. 1"]
    edits = rows.nth(0).locator(".edit")
    shown = [(str(e.get_attribute("class")).split()[-1], e.inner_text().split("\n")[0]) for e in edits.all()]
    assert [kind for kind, _ in shown] == ["right", "missed", "right"]
    assert "R:VERB:SVA" in shown[0][1]
    assert "✓" in shown[0][1]
    beta = rows.nth(1).locator(".edit").all()
    assert [str(e.get_attribute("class")).split()[-1] for e in beta] == ["wrong", "right", "missed"]
    assert page.locator("#s3 .row.reference .who").all_inner_texts() == ["references 0, 1"]
    assert page.locator("#s3 .row.reference .text").all_inner_texts() == ["no change"]


@pytest.mark.ci
def test_keyboard(page: Any) -> None:
    focused = "document.activeElement.id"
    page.keyboard.press("j")
    assert page.evaluate(focused) == "s1"
    for _ in range(20):
        page.keyboard.press("j")
    assert page.evaluate(focused) == "s21"
    assert "page 2 of 3" in page.inner_text("#page")
    page.keyboard.press("k")
    assert page.evaluate(focused) == "s20"
    page.keyboard.press("c")
    page.wait_for_selector("#s20 .detail table")
    page.keyboard.press("f")
    assert page.evaluate(focused) == "filter-text"
    page.keyboard.type("jkf")
    assert page.input_value("#filter-text") == "jkf"
    page.keyboard.press("Escape")
    assert page.evaluate(focused) == ""


@pytest.mark.ci
def test_links_keep_filters_and_sentence(browser: Browser, path: Path) -> None:  # noqa: F811
    with browser.page(f"{path.as_uri()}#type=R%3AVERB%3ASVA&outcome=right&s=22") as page:
        page.wait_for_selector("#s22:focus")
        assert page.input_value("#filter-type") == "R:VERB:SVA"
        assert "of 48 sentences" in count(page)
        page.select_option("#filter-system", "1")
        page.wait_for_selector(".empty")
        assert "system=1" in page.evaluate("location.hash")
        assert "outcome=right" in page.evaluate("location.hash")


@pytest.mark.ci
def test_another_address_in_the_tab_has_its_own_filters(browser: Browser, path: Path) -> None:  # noqa: F811
    kept = "system=1&type=R%3AVERB%3ASVA&outcome=right&a=1&b=0&order=long&differ=1&only=1&q=go"
    with browser.page(f"{path.as_uri()}#{kept}") as page:
        page.wait_for_selector("body[data-ready]")
        assert page.input_value("#filter-b") == "0"
        page.evaluate("location.hash = 'type=M%3AADV'")
        page.wait_for_selector("#s2:first-child")
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
def test_downloads_are_what_the_filters_leave(page: Any, path: Path, tmp_path: Path) -> None:
    alpha, gold = path.parent / "alpha.m2", path.parent / "gold.m2"
    page.select_option("#download-what", "0")
    assert downloaded(page, "#download-m2") == alpha.read_text(encoding="utf-8")
    page.select_option("#download-what", "r")
    assert downloaded(page, "#download-m2") == gold.read_text(encoding="utf-8")
    page.fill("#filter-text", "home n3")
    page.wait_for_selector("#s14:only-child")
    page.select_option("#download-what", "*")
    some = tmp_path / "some.m2"
    some.write_text(downloaded(page, "#download-m2"), encoding="utf-8")
    [block] = jperrant.read_m2(str(some))
    assert [len(a.edits) for a in block.annotations] == [1, 1, 2, 0]
    [record] = json.loads(downloaded(page, "#download-json"))
    assert record["sentence"] == 14
    assert [edit["outcome"] for edit in record["systems"][0]["edits"]] == ["right", "needless"]
    lines = downloaded(page, "#download-tsv").splitlines()
    assert lines[0].split("\t") == [
        "sentence",
        "system",
        "start",
        "end",
        "source",
        "correction",
        "type",
        "outcome",
    ]
    assert "14\tAlpha\t1\t2\tgo\tgoes\tR:VERB:SVA\tright" in lines


def one_edit(folder: Path, source: str, system: str, gold: str) -> None:
    """Write the report of a system ``[1]`` that corrects the second word of a sentence."""
    for name, words in (("system", system), ("gold", gold)):
        edit = f"A 1 2|||R:X|||{words}|||REQUIRED|||-NONE-|||0"
        (folder / f"{name}.m2").write_text(f"S {source}\n{edit}\n\n", encoding="utf-8")
    report({"[1]": folder / "system.m2"}, folder / "gold.m2", samples=20).save(folder / "report.html")


@pytest.mark.ci
def test_downloads_have_alternatives(browser: Browser, tmp_path: Path) -> None:  # noqa: F811
    one_edit(tmp_path, "He go home .", "went", "goes||is going")
    options = {"accept_downloads": True, "permissions": ["clipboard-read", "clipboard-write"]}
    with browser.page(tmp_path / "report.html", **options) as page:
        page.wait_for_selector("#s1")
        [record] = json.loads(downloaded(page, "#download-json"))
        [edit] = record["references"][0]["edits"]
        assert (edit["correction"], edit["alternatives"]) == (["goes"], [["is", "going"]])
        assert "alternatives" not in record["systems"][0]["edits"][0]
        assert "goes||is going" in downloaded(page, "#download-tsv").splitlines()[1].split("\t")
        page.locator("#s1").get_by_role("button", name="copy LaTeX").click()
        page.wait_for_selector("#status.shown")
        assert "\n{}[1] & " in page.evaluate("navigator.clipboard.readText()")


@pytest.mark.ci
def test_copies(browser: Browser, path: Path) -> None:  # noqa: F811
    with browser.page(path, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.wait_for_selector("#s1")
        copies = {"copy M2": "A 1 2|||R:VERB:SVA|||is", "copy LaTeX": r"\sout{are} \uline{is}"}
        for name, expected in copies.items():
            page.locator("#s1").get_by_role("button", name=name).click()
            page.wait_for_selector("#status.shown")
            assert expected in page.evaluate("navigator.clipboard.readText()")


@pytest.mark.ci
def test_differences_of_other_systems(page: Any) -> None:
    row = ".level-category .differences tbody tr"
    before = page.locator(row).first.inner_text()
    page.select_option("#first", "1")
    page.select_option("#second", "0")
    page.wait_for_selector(".level-category .first:text('Beta')")
    after = page.locator(row).first.inner_text()
    swapped = before.translate(str.maketrans("+−", "−+"))
    assert after.split("\t")[:2] == swapped.split("\t")[:2]
    page.locator("label[for=level-type]").click()
    assert page.locator(".level-type").is_visible()
    assert not page.locator(".level-category").is_visible()


@pytest.mark.ci
def test_tables_are_sorted_by_a_click(page: Any) -> None:
    names = page.locator("table.systems tbody th")
    page.locator("table.systems").get_by_role("button", name="recall").click()
    recall = page.locator("table.systems tbody td:nth-child(3)").all_inner_texts()
    assert [float(text[:6]) for text in recall] == sorted([float(text[:6]) for text in recall], reverse=True)
    before = names.all_inner_texts()
    for _ in range(2):
        page.locator("table.systems").get_by_role("button", name="recall").click()
    assert sorted(before) == names.all_inner_texts() == ["Alpha", "Beta"]
    heat = page.locator(".level-category .heat")
    heat.get_by_role("button", name="in the references").click()
    counts = [int(text.split(" · ")[0]) for text in heat.locator("tbody td:nth-child(2)").all_inner_texts()]
    assert counts == sorted(counts, reverse=True)
    heat.get_by_role("button", name="Beta").click()
    shown = heat.locator("tbody tr td:last-child").all_inner_texts()
    figures = [-1.0 if text == "–" else float(text[:5]) for text in shown]
    assert figures == sorted(figures, reverse=True)


@pytest.mark.ci
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [{}, NARROW])
def test_it_can_be_read(browser: Browser, path: Path, size: dict[str, Any], scheme: str) -> None:  # noqa: F811
    with browser.page(path, color_scheme=scheme, **size) as page:
        page.wait_for_selector("#s1")
        page.keyboard.press("j")
        page.keyboard.press("c")
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
        heads = page.locator("table.systems thead tr:last-child th")
        assert heads.all_inner_texts()[:3] == ["precision", "recall", "f0.5"]
        columns = page.locator(".level-category .heat th").all_inner_texts()
        assert columns[:3] == ["category", "in the references", "Alpha"]
        assert page.locator("#list article").count() == 20
        assert page.inner_text("#printed").startswith("Printed: 20 of 48 sentences")
        assert page.inner_text("#printed").endswith("28 are left out.")
        assert page.locator(".level-category").is_visible()
        assert not page.locator(".level-type").is_visible(), "the level that is shown"


@pytest.mark.ci
def test_sorting_by_a_metric_shows_it(page: Any) -> None:
    assert page.inner_text("#s1 .row.source .value") == "errant f0.5"
    page.select_option("#order", "w1")
    page.wait_for_selector(".row.source .value:has-text('cleme2 score')")
    [first] = [float(v) for v in page.locator("article .row.system .value").all_inner_texts()[:1]]
    assert first <= 0.5


@pytest.mark.ci
def test_capitals_of_turkish_are_found(browser: Browser, tmp_path: Path) -> None:  # noqa: F811
    one_edit(tmp_path, "İstanbul IŞIK .", "güzel", "GÜZEL")
    with browser.page(tmp_path / "report.html") as page:
        page.wait_for_selector("#s1")
        for word in ("istanbul", "İSTANBUL", "ışık", "IŞIK", "güzel"):
            page.fill("#filter-text", word)
            page.wait_for_timeout(200)
            assert page.locator("#s1").count() == 1, word


def test_tables_and_plots_without_script(browser: Browser, path: Path) -> None:  # noqa: F811
    with browser.page(path, java_script_enabled=False) as page:
        assert page.locator("table.heat").count() == 4
        assert page.locator(".panels svg").count() == 2
        assert page.locator(".level-category .differences tbody tr").count() > 3
        assert not page.locator("#filters").is_visible()
        assert "switched off" in page.inner_text("noscript")


@pytest.mark.ci
def test_hostile_text_is_shown_and_not_obeyed(browser: Browser, tmp_path: Path) -> None:  # noqa: F811
    scorers = make_scorers(["errant", "cleme2"])
    options = ReportOptions(title="</title><script>alert(1)</script>", samples=20)
    made = report_of(evaluate_all(scorers, hostile_pairs()), hostile_pairs(), options)
    out = tmp_path / "hostile '&.html"
    made.save(out)
    with browser.page(out) as page:
        page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
        page.wait_for_selector("#s1")
        page.keyboard.press("j")
        page.keyboard.press("c")
        page.wait_for_selector("#s1 .detail table")
        source = page.locator("#s1 .row.source .text").inner_text()
        assert source.split(" ")[:3] == HOSTILE[:3]
        assert "‹U+202E›evil" in source
        assert page.locator("img, #list b, #list script").count() == 0
        shown = page.locator("#s1 .row.system .who bdi").all_inner_texts()
        assert shown == HOSTILE_NAMES
        assert "R:<b>" in page.inner_text("#s1")


def with_plan(score: Score, pair: Pair) -> Score:
    """Return a score of UOT whose first sentence has a plan: everything goes to the edit of the same position."""
    ours, theirs = [pair.hypothesis[0].annotations[0].edits, pair.references[0].annotations[0].edits]
    written = [
        [[e.start, e.end, " ".join(e.correction or ()), e.type] for e in side] for side in (ours, theirs)
    ]
    details = {
        "hypothesis_edits": written[0],
        "reference_edits": written[1],
        "hypothesis_mass": [1.0] * len(ours),
        "reference_mass": [0.5] * len(theirs),
        "plan": [[0.5 * (i == j) for j in range(len(theirs))] for i in range(len(ours))],
    }
    scorer = UotScorer()
    combined = [Candidate(0, 0, (1.0,) * len(scorer.columns)) for _ in score.combined]
    combined[0] = replace(combined[0], details=details)
    return Score(scorer, "uot", score.hypothesis, [[one] for one in combined], tuple(combined))


@pytest.mark.ci
def test_a_transport_plan_is_drawn(
    browser: Browser, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,  # noqa: F811
) -> None:  # fmt: skip
    monkeypatch.setattr(UotScorer, "settings", ("enc:none",))  # no encoder is needed to draw
    pairs = load_pairs([str(path.parent / "alpha.m2")], str(path.parent / "gold.m2"))
    scores = evaluate(make_scorer("errant"), pairs)
    made = report_of(Scores([*scores, with_plan(scores[0], pairs[0])]), pairs, ReportOptions(samples=20))
    made.save(tmp_path / "plan.html")
    with browser.page(tmp_path / "plan.html") as page:
        page.wait_for_selector("#s1")
        page.keyboard.press("j")
        page.keyboard.press("p")
        page.wait_for_selector("#s1 svg.plan")
        assert page.locator("#s1 svg.plan .band").count() == 2
        assert page.locator("#s1 svg.plan .box").count() == 5
        assert "0.500 of 1.000" in page.locator("#s1 svg.plan").text_content()


@dataclass(frozen=True, slots=True)
class EditCount(Scorer):
    """A metric without references: edits per sentence."""

    name: ClassVar[str] = "edits"
    main: ClassVar[str] = "edits"
    needs_references: ClassVar[bool] = False

    @property
    def columns(self) -> tuple[str, ...]:
        return "edits", "sentences"

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[Any]) -> list[SystemCandidates]:
        counts = [[len(block.annotations[0].edits) for block in pair.hypothesis] for pair in pairs]
        return [SystemCandidates([(Candidate(0, None, (n, 1)),) for n in own]) for own in counts]

    def combine(self, candidates: Candidates) -> list[Candidate]:
        return [sentence[0] for sentence in candidates]

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        return {"edits": totals[..., 0] / totals[..., 1]}


@pytest.mark.ci
def test_a_metric_without_references(browser: Browser, path: Path, tmp_path: Path) -> None:  # noqa: F811
    blocks = {name: list(jperrant.read_m2(str(path.parent / f"{name}.m2"))) for name in ("alpha", "beta")}
    pairs = [Pair(own, (), name) for name, own in blocks.items()]
    made = report_of(evaluate_all([EditCount()], pairs), pairs, ReportOptions(samples=20))
    made.save(tmp_path / "free.html")
    with browser.page(tmp_path / "free.html") as page:
        page.wait_for_selector("#s1")
        assert page.locator("#types, .row.reference, .outcomes input[value]").count() == 0
        assert page.locator("#s1 .edit").count() == 4
        page.select_option("#order", "-0")
        page.check("#filter-differ")
        page.wait_for_selector("#s3:first-child")
        assert page.locator("#s3 .value").all_inner_texts() == ["edits", "0.00", "1.00"]


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
