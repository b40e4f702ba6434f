"""Which tests need models: they get the marker ``models``, by which ``make`` chooses."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

#: Libraries that networks run on.
LIBRARIES = ("torch", "stanza", "transformers", "spacy")
#: What imports them when it is imported, or as soon as it is used.
NETWORKS = (*LIBRARIES, "jperrant.parse.stanza_analyser", "training")
#: Their last words: no module imports one of them without writing its word.
_WORDS = {name.rpartition(".")[2] for name in NETWORKS}
#: Fixtures that hold a network; tests that take them directly or through another fixture need models.
FIXTURES = {"parsers", "english", "small_hub", "spacy", "tiny_bert", "tiny_gpt", "trained"}


class NoNetworks:
    """An import hook that refuses the libraries networks run on."""

    def find_spec(self, name: str, *_: object) -> None:
        """Raise for those libraries; leave everything else to the other hooks."""
        if name.partition(".")[0] in LIBRARIES:
            raise ImportError(f"{name} is not for this test: mark it with pytest.mark.models")


def mostly_for_ci(values: Iterable[object], *kept: object) -> list[object]:
    """Return the parameters of a test of which ``make test`` runs those that are kept, and CI all."""
    return [value if value in kept else pytest.param(value, marks=pytest.mark.ci) for value in values]


def without_models(config: pytest.Config) -> bool:
    """Return whether pytest runs with ``-m "not models and not slow"`` or the like."""
    return "not models" in config.option.markexpr


def imports_networks(path: Path) -> bool:
    """Return whether a test module imports networks for all its tests."""
    return path.suffix == ".py" and "" in _importing(path)


def needs_models(item: pytest.Item) -> bool:
    """Return whether a test is marked, takes a fixture with models, or imports a library of networks."""
    if item.get_closest_marker("models") or FIXTURES.intersection(getattr(item, "fixturenames", ())):
        return True
    return imports_networks(item.path) or getattr(item, "originalname", item.name) in _importing(item.path)


@cache
def _importing(path: Path) -> frozenset[str]:
    """Return the top-level functions of a module that import a network; "" where the module itself does."""
    text = path.read_text(encoding="utf-8")
    if not any(word in text for word in _WORDS):
        return frozenset()
    tree = ast.parse(text)
    return frozenset(
        getattr(node, "name", "") for node in tree.body for part in ast.walk(node) if _imports_network(part)
    )


def _imports_network(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and not node.level:
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "importorskip":
        names = [part.value for part in node.args if isinstance(part, ast.Constant)]
    else:
        return False
    return any(f"{name}.".startswith(f"{network}.") for name in names for network in NETWORKS)
