"""Pages that run: their commands print, and their Python gives, what stands under them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import run_page, running_pages
from tests.platforms import SHELL
from tests.stages import mostly_for_ci

#: What ``make test`` runs: quick pages, of each kind.
QUICK = ["annotating", "exchange", "index", "m2", "meta-evaluation", "metric-choice", "python", "scoring-llm"]
#: Decimal places to which figures of encoders are the same on all machines.
PLACES = {"docs/uot.md": 4}


@SHELL
@pytest.mark.slow
@pytest.mark.models
@pytest.mark.parametrize("page", mostly_for_ci(running_pages(), *(f"docs/{name}.md" for name in QUICK)))
def test_page(page: str, tmp_path: Path) -> None:
    assert run_page(page, tmp_path, PLACES.get(page))


@pytest.mark.parametrize(
    "wrong",
    ["```console\n$ jperrant --version\n9\n```", "```python\n1 + 1  # 3\n```", "```python\n>>> 2\n3\n```"],
)
def test_what_a_page_says_wrongly_fails(wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.pages.ROOT", tmp_path)
    (tmp_path / "page.md").write_text(f"<!-- in data -->\n\n{wrong}\n", encoding="utf-8")
    (tmp_path / "data").mkdir()
    with pytest.raises(AssertionError):
        run_page("page.md", tmp_path / "work")
