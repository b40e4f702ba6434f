"""Language models that judge in a study: what they have answered is not asked again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import jperrant
from jperrant.core.errors import InputError

from .test_llm_judges import Endpoint, Reply, by_text, server

__all__ = ["server"]  # a fixture


def test_answers_about_judged_systems_are_kept(server: str, tmp_path: Path) -> None:
    for name in ("source", *"abcd"):
        words = (f"{name} {word} .".removeprefix("source ") for word in ("one", "two"))
        (tmp_path / f"{name}.txt").write_text("\n".join(words) + "\n")
    (tmp_path / "human.tsv").write_text("system\tscore\na\t1\nb\t2\nc\t4\nd\t3\n")
    data = {"name": "made", "lang": "en", "source": "source.txt", "systems": {n: f"{n}.txt" for n in "abcd"}}
    (tmp_path / "made.json").write_text(json.dumps({**data, "human": "human.tsv"}))
    metric = f"judge: 'llm-s:llm_model=m,llm_endpoint={server},llm_jobs=1'"
    (tmp_path / "study.yaml").write_text(
        f"metrics:\n  {metric}\nhuman:\n  people: {{data: made.json, analyses: [system]}}\nplots: []\n"
    )
    answer = by_text({f"{name} {word} .": n for word in ("one", "two") for n, name in enumerate("abcd", 1)})

    def once(prompt: str) -> Reply:
        return answer(prompt) if len(Endpoint.bodies) == 1 else 403

    Endpoint.reply = once
    with pytest.raises(InputError, match="HTTP 403"):
        jperrant.run_study(tmp_path / "study.yaml", tmp_path / "out")
    Endpoint.reply = answer
    Endpoint.bodies.clear()
    jperrant.run_study(tmp_path / "study.yaml", tmp_path / "out")
    assert len(Endpoint.bodies) == 1, "the other question was answered before"
