"""What ``import jperrant`` offers, what it costs, and that the wheel holds every package."""

from __future__ import annotations

import inspect
import re
import runpy
import tomllib

import pytest
import yaml

import jperrant
from tests.pages import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
LICENCES = (ROOT / "LICENSES" / "README.md").read_text(encoding="utf-8")
NAMES = [
    "Agreement", "AlignedBlocks", "Annotation", "Annotator", "Block", "Edit", "JperrantError",
    "MetaEvaluation", "Parallel", "Plot", "Report", "Review", "Score", "Scores", "Sentence", "Span", "Token",
    "agreement", "align", "convert_m2", "explain", "from_spacy", "from_stanza", "intervals", "load",
    "meta_evaluate", "paired_tests", "plot", "rank_systems", "read_m2", "report", "review", "run_study",
    "score", "write_m2",
]  # fmt: skip


def test_names_are_sorted_and_pinned() -> None:
    assert jperrant.__all__ == NAMES == sorted(NAMES)
    assert {name for name in dir(jperrant) if not name.startswith("_")} == set(NAMES)
    assert "__version__" in dir(jperrant)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_documented(name: str) -> None:
    value = getattr(jperrant, name)
    assert callable(value), "not a module of this name"
    assert inspect.getdoc(inspect.unwrap(value))


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="module 'jperrant' has no attribute 'nothing'"):
        jperrant.nothing  # noqa: B018


def test_one_version_everywhere() -> None:
    declared = PROJECT["version"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest, *_ = re.findall(r"^## \[(\d[^]]*)\]", changes, re.MULTILINE)
    assert [jperrant.__version__, str(citation["version"]), newest] == [declared] * 3
    assert all(paper["authors"] and paper["title"] and paper["year"] for paper in citation["references"])


def test_one_licence_expression_everywhere() -> None:
    declared = PROJECT["license"]
    names = set(declared.split(" AND "))
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    rows = [row.split("|")[3] for row in LICENCES.splitlines() if "langpacks/" in row]
    parts = {row.split(":")[0].split(",")[0].strip() for row in rows}
    assert f"`{declared}`" in LICENCES
    assert citation["license"] in names
    assert parts - {"facts"} | {citation["license"]} == names


def test_every_licence_text_is_named_and_there() -> None:
    named = set(re.findall(r"`([\w.-]+\.(?:txt|md))`", LICENCES)) - {"README.md", "dict.txt"}
    assert named == {path.name for path in (ROOT / "LICENSES").iterdir()} - {"README.md"}
    # Models and compressed word lists come from elsewhere; each is in the table of licences.
    packs = ROOT / "langpacks"
    assert [path for path in packs.glob("*/data/*.gz") if path.name not in LICENCES] == []
    assert [path for path in packs.glob("*/models") if f"`{path.relative_to(ROOT)}`" not in LICENCES] == []


def test_every_dependency_of_users_has_a_lower_bound_that_is_tested() -> None:
    extras = {name: lines for name, lines in PROJECT["optional-dependencies"].items() if name != "dev"}
    lines = [line for group in (PROJECT["dependencies"], *extras.values()) for line in group]
    names = {re.split(r"[\[<>=~! ]", line)[0] for line in lines} - {"jperrant"}
    constraints = runpy.run_path(str(ROOT / ".ci" / "lowest"))["lowest"]()
    assert names <= {line.partition("==")[0] for line in constraints}
    assert all(f"{name}>={version}" in " ".join(lines) for name, version in
               (line.split("==") for line in constraints) if name in names - {"torch"})  # fmt: skip


def test_every_package_is_in_the_wheel() -> None:
    tools = PYPROJECT["tool"]["setuptools"]
    found = {
        ".".join((name, *path.parent.relative_to(ROOT / folder).parts))
        for name, folder in tools["package-dir"].items()
        for path in (ROOT / folder).rglob("__init__.py")
    }
    assert tools["packages"] == sorted(found)
