"""The page on models says what the models say of themselves."""

from __future__ import annotations

from pathlib import Path

from jperrant.packs.describe import installed_models
from jperrant.reporting.installed import models_table

PAGE = Path(__file__).parents[2] / "docs" / "models.md"


def test_the_scores_on_the_page_are_those_kept_with_the_models():
    text = PAGE.read_text(encoding="utf-8")
    models = [m for lang in ("en", "ko", "zh") for m in installed_models(lang) if m.about.evaluations]
    table = models_table(models).split("\n\n")[1].splitlines()
    assert len(table) > 8
    for line in table:
        assert line in text
