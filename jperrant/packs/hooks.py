"""The Python of a pack: running ``hooks.py`` of a pack that was asked for, and checking what it defines."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from jperrant.alignment.resegment import Misspelt
from jperrant.alignment.tokens import Alignment, Substitution
from jperrant.core.errors import JperrantError, PackError
from jperrant.core.values import Span
from jperrant.edits.conditions import Condition
from jperrant.edits.edit_context import Getter, Similarity
from jperrant.edits.hooks import brief, file_of

FILE = "hooks.py"
Merge = Callable[[tuple[Span, ...], Alignment], tuple[Span, ...]]


@dataclass(frozen=True, slots=True)
class Hooks:
    """What the ``hooks.py`` of a pack and of its ancestors define.

    Attributes:
        conditions: ``CONDITIONS``: functions from an edit to true or false, for the condition ``hook``.
        properties: ``PROPERTIES``: functions from an edit and one of its tokens to a string, usable wherever a
            property is.
        merge: ``MERGE``: from the spans of the merge strategy ``rules`` and the alignment to the spans to use,
            in text order; or None.
        similarity: ``SIMILARITY``: from two texts to a number from 0 to 1, for the condition ``similarity``; or
            None.
        merge_characters: ``MERGE_CHARACTERS``: the same as ``merge`` where every character is a token; or None.
        character_cost: ``CHARACTER_COST``: what it costs to align two characters, more than 0; or None.
        misspelt: ``MISSPELT``: whether a text is a misspelling of another; there the words of a correction that
            models cut stay as they are, elsewhere they are cut like the source's; or None.
    """

    conditions: Mapping[str, Condition] = field(default_factory=dict)
    properties: Mapping[str, Getter] = field(default_factory=dict)
    merge: Merge | None = None
    similarity: Similarity | None = None
    merge_characters: Merge | None = None
    character_cost: Substitution | None = None
    misspelt: Misspelt | None = None


def run_hooks(folders: Iterable[Path]) -> Hooks:
    """Run the hooks.py of some folders, parents first, and return what they define together.

    Raises:
        PackError: One of them fails or defines something of the wrong kind; names the file.
    """
    conditions: dict[str, Condition] = {}
    properties: dict[str, Getter] = {}
    merge, similarity, merge_characters, character_cost, misspelt = None, None, None, None, None
    for folder in folders:
        path, module = folder / FILE, _run(folder)
        conditions |= _functions(path, module, "CONDITIONS")
        properties |= _functions(path, module, "PROPERTIES")
        merge = _function(path, module, "MERGE") or merge
        similarity = _function(path, module, "SIMILARITY") or similarity
        merge_characters = _function(path, module, "MERGE_CHARACTERS") or merge_characters
        character_cost = _function(path, module, "CHARACTER_COST") or character_cost
        misspelt = _function(path, module, "MISSPELT") or misspelt
    return Hooks(conditions, properties, merge, similarity, merge_characters, character_cost, misspelt)


@contextmanager
def calling(hook: Callable[..., Any], name: str) -> Iterator[None]:
    """Name the file and the function where a hook raises.

    Raises:
        PackError: It does.
    """
    try:
        yield
    except JperrantError:
        raise
    except (Exception, SystemExit) as error:
        raise PackError(f"{file_of(hook)}: {name} raises {type(error).__name__}: {error}") from error


def merged_spans(hook: Merge, spans: tuple[Span, ...], alignment: Alignment) -> tuple[Span, ...]:
    """Return the spans a ``MERGE`` function makes of those of the strategy ``rules``.

    Raises:
        PackError: It raises, or returns spans that overlap, are out of order or reach outside the sentences.
    """
    try:
        found = tuple([Span(*span) for span in hook(spans, alignment)])
    except (Exception, SystemExit) as error:
        raise PackError(f"{file_of(hook)}: MERGE raises {brief(error)}") from error
    ends = (len(alignment.source.tokens), len(alignment.target.tokens))
    at = (0, 0)
    for span in found:
        if not (at[0] <= span.start <= span.end <= ends[0]) or not (
            at[1] <= span.target_start <= span.target_end <= ends[1]
        ):
            raise PackError(
                f"{file_of(hook)}: MERGE returns {tuple(span)}, which is out of order, overlaps the "
                f"span before it "
                f"or reaches outside sentences of {ends[0]} and {ends[1]} tokens"
            )
        at = (span.end, span.target_end)
    return found


def _run(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"jperrant_hooks_{folder.name}", folder / FILE)
    if spec is None or spec.loader is None:
        raise PackError(f"{folder / FILE} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise PackError(f"{folder / FILE} fails: {brief(error)}") from error
    return module


def _functions(path: Path, module: ModuleType, name: str) -> Mapping[str, Any]:
    found = getattr(module, name, {})
    if not isinstance(found, Mapping) or not all(
        isinstance(key, str) and callable(value) for key, value in found.items()
    ):
        raise PackError(f"{path}: {name} is not a mapping from names to functions")
    return found


def _function(path: Path, module: ModuleType, name: str) -> Any:
    found = getattr(module, name, None)
    if found is not None and not callable(found):
        raise PackError(f"{path}: {name} is not a function")
    return found
