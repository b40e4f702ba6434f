"""What ``import jperrant`` offers, what it costs, and that the wheel holds every package."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import jperrant

ROOT = Path(__file__).parent.parent
NAMES = [
    "AlignedBlocks",
    "Annotation",
    "Annotator",
    "Block",
    "Edit",
    "JperrantError",
    "Parallel",
    "Score",
    "Sentence",
    "Span",
    "Token",
    "align",
    "load",
    "read_m2",
    "score",
    "write_m2",
]
#: Packages that take long to import; none is needed to show a help text.
HEAVY = {"nltk", "numpy", "rapidfuzz", "stanza", "torch", "yaml"}


def run_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_names_are_sorted_and_pinned() -> None:
    assert jperrant.__all__ == NAMES == sorted(NAMES)
    assert set(NAMES) <= set(dir(jperrant))


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_documented(name: str) -> None:
    value = getattr(jperrant, name)
    assert callable(value)
    assert inspect.getdoc(inspect.unwrap(value))


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="module 'jperrant' has no attribute 'nothing'"):
        jperrant.nothing  # noqa: B018


@pytest.mark.parametrize("first", ["import jperrant.score.run, jperrant.align.documents", "import jperrant"])
def test_align_and_score_are_packages_and_functions(first: str) -> None:
    code = (
        f"{first}\nimport jperrant\nfrom jperrant import align, score, Block\n"
        "import jperrant.align.sentences as sentences, jperrant.score.base as base\n"
        "assert align is jperrant.align and score is jperrant.score\n"
        "block = Block(('a',))\n"
        "[found] = score([block], [block])\n"
        "print(align([block], [block]).groups, found.counts, sentences.__name__, base.__name__)"
    )
    assert run_python(code) == (
        "(((0,), (0,)),) {'tp': 0, 'fp': 0, 'fn': 0} jperrant.align.sentences jperrant.score.base\n"
    )


def test_signatures_are_those_of_the_functions() -> None:
    from jperrant.align.documents import align
    from jperrant.score.run import score

    assert isinstance(sys.modules["jperrant.align"], ModuleType)
    assert inspect.signature(jperrant.align) == inspect.signature(align)
    assert inspect.signature(jperrant.score) == inspect.signature(score)


@pytest.mark.parametrize("module", ["jperrant", "jperrant.cli.main"])
def test_import_is_light(module: str) -> None:
    code = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    assert HEAVY.isdisjoint(run_python(code).split())


def test_every_package_is_in_the_wheel() -> None:
    with (ROOT / "pyproject.toml").open("rb") as stream:
        tools = tomllib.load(stream)["tool"]["setuptools"]
    found = {
        ".".join((name, *path.parent.relative_to(ROOT / folder).parts))
        for name, folder in tools["package-dir"].items()
        for path in (ROOT / folder).rglob("__init__.py")
    }
    assert tools["packages"] == sorted(found)
