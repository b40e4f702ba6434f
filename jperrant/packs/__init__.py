"""Language packs: finding, reading, validating and inheriting them.

A pack is a folder with a ``pack.yaml`` and, where YAML cannot say it, a ``hooks.py``. Built-in packs live in
``jperrant.langpacks``, others come from entry points of the group ``jperrant.langpacks`` or from a folder
the user names. A pack is data until it is asked for: only then is its ``hooks.py`` run.
"""

from __future__ import annotations

import gzip
import importlib.util
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import yaml

from jperrant.align.costs import AlignmentCosts
from jperrant.align.tokens import Substitution
from jperrant.edits.conditions import Compiler
from jperrant.edits.merge import MergeRules
from jperrant.edits.rules import RuleSet
from jperrant.edits.view import Similarity, Vocabulary, levenshtein
from jperrant.errors import FormatError, PackError, nearest
from jperrant.io.files import read_lines
from jperrant.packs.examples import Example, read_examples
from jperrant.packs.hooks import Merge, run_hooks

GENERIC = "generic"
_GROUP = "jperrant.langpacks"
_FILE = "pack.yaml"


@dataclass(frozen=True, slots=True)
class Pack:
    """A language pack, ready to use.

    Attributes:
        code: Code of the language, as in ``--lang``.
        name: The language's name.
        folder: Where the pack's files lie.
        stanza_lang: Stanza's code of the language; empty if Stanza does not know it.
        compact: Folder of the models that come with the pack, or None.
        costs: Costs of the token alignment.
        merge_rules: The language's part in merging operations into edits.
        labels: The closed set of labels and what each means.
        label_sets: Other names of all labels, by the name of the set (``ud``).
        vocabulary: What the pack says of tokens.
        rules: The compiled rules that name the types.
        join: What stands between two tokens of running text: a space, or nothing. With nothing, edits that
            only cut the same string into other tokens are no edits.
        merge_hook: The pack's own last word on the spans of the merge strategy ``rules``, or None.
        examples: What the pack itself expects of its rules.
        encoder: Name of the language model that scoring by meaning uses; empty for the metric's own choice.
        unbroken: Strings that are one token however text is cut, such as a placeholder.
        merge_characters: As ``merge_hook``, where every character is a token.
        character_cost: What it costs to align two characters, or None for ``costs``.
        counterparts: What other tools call each label, by label and tool.
    """

    code: str
    name: str
    folder: Path
    stanza_lang: str
    compact: Path | None
    costs: AlignmentCosts
    merge_rules: MergeRules
    labels: Mapping[str, str]
    label_sets: Mapping[str, Mapping[str, str]]
    vocabulary: Vocabulary
    rules: RuleSet
    join: str = " "
    merge_hook: Merge | None = None
    examples: tuple[Example, ...] = ()
    encoder: str = ""
    unbroken: tuple[str, ...] = ()
    merge_characters: Merge | None = None
    character_cost: Substitution | None = None
    counterparts: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    def names_in(self, tool: str) -> Mapping[str, str]:
        """Return what another tool calls the labels, those it has several names for by the first."""
        found = {label: names.get(tool) for label, names in self.counterparts.items()}
        first = {label: name[0] if isinstance(name, list) and name else name for label, name in found.items()}
        return {label: name for label, name in first.items() if isinstance(name, str)}


#: Keys of pack.yaml and the kind of value each must have.
_KINDS: Mapping[str, type] = {
    "code": str, "name": str, "extends": str, "aliases": list, "stanza": str, "costs": dict, "merge": dict,
    "labels": dict, "label_sets": dict, "classes": dict, "upos_classes": dict, "deprels": dict, "lists": dict,
    "tables": dict, "lexicon": str, "rules": list, "join": str, "encoder": str, "examples": list,
    "counterparts": dict, "inflection": dict, "unbroken": list,
}  # fmt: skip


def known_packs() -> dict[str, Path]:
    """Return the folders of all installed packs by code, built-in ones and those of entry points.

    Raises:
        PackError: Two packs have the same code; names both.
    """
    import jperrant.langpacks

    folders = [
        p.parent for root in jperrant.langpacks.__path__ for p in sorted(Path(root).glob(f"*/{_FILE}"))
    ]
    for entry in entry_points(group=_GROUP):
        spec = importlib.util.find_spec(entry.module)
        folders += [Path(p) for p in (spec.submodule_search_locations or [])[:1]] if spec else []
    packs: dict[str, Path] = {}
    for folder in folders:
        code = (
            folder.name if folder.parent.name == "langpacks" else str(_read(folder).get("code", folder.name))
        )
        if code in packs and packs[code] != folder:
            raise PackError(f"two packs have the code {code!r}: {packs[code]} and {folder}; remove one")
        packs[code] = folder
    return packs


def load_pack(lang: str, folder: str | None = None) -> Pack:
    """Load the pack of a language.

    Args:
        lang: Code or alias of an installed pack, or the code of any language Stanza knows, which gets the
            generic pack. Ignored where ``folder`` is given.
        folder: A folder with a pack of one's own.

    Raises:
        PackError: There is no such pack or language (known and nearest ones are named), or the pack is wrong.
    """
    if folder is not None:
        return _build(_inherited(Path(folder)))
    packs = known_packs()
    path = packs.get(lang) or _by_alias(lang, packs)
    if path is not None:
        return _build(_inherited(path))
    if lang in stanza_languages():
        return _build(
            _inherited(packs[GENERIC]) | {"code": lang, "stanza": lang, "name": stanza_languages()[lang]}
        )
    known = sorted(packs)
    raise PackError(
        f"unknown language {lang!r}{nearest(lang, [*known, *stanza_languages()])}; packs: {', '.join(known)}; "
        f"any language of Stanza works with the generic pack; or name a folder with --pack"
    )


@lru_cache(maxsize=1)
def stanza_languages() -> Mapping[str, str]:
    """Return the names of the languages Stanza knows, by code."""
    from stanza.models.common.constant import lcode2lang

    return {code: name.replace("_", " ") for code, name in lcode2lang.items()}


def stanza_code(code: str) -> tuple[str, Path | None]:
    """Return Stanza's code of an installed pack's language and the folder of the pack's own models, if any.

    A code without a pack is taken for Stanza's own.
    """
    folder = known_packs().get(code)
    if folder is None:
        return code, None
    return str(_inherited(folder).get("stanza", "")), _compact(folder)


def _compact(folder: Path) -> Path | None:
    models = folder / "models"
    return models if (models / "resources.json").is_file() else None


def _by_alias(lang: str, packs: Mapping[str, Path]) -> Path | None:
    return next((path for path in packs.values() if lang in _read(path).get("aliases", [])), None)


@lru_cache(maxsize=64)
def _read(folder: Path) -> Mapping[str, Any]:
    """Read pack.yaml of one folder and check its keys."""
    path = folder / _FILE
    if not path.is_file():
        raise PackError(f"{folder}: no {_FILE} there, so it is no language pack")
    try:
        content = yaml.safe_load("\n".join(read_lines(str(path))))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise FormatError(str(path), mark.line + 1 if mark else None, f"not YAML: {problem}") from None
    if not isinstance(content, dict):
        raise PackError(f"{path}: expected a mapping")
    for key, value in content.items():
        if key not in _KINDS:
            raise PackError(
                f"{path}: unknown key {key!r}{nearest(str(key), _KINDS)}; known: {', '.join(_KINDS)}"
            )
        if value is not None and not isinstance(value, _KINDS[key]):
            raise PackError(f"{path}: {key}: expected {_KINDS[key].__name__}, found {value!r}")
    return content


def _inherited(folder: Path, children: tuple[Path, ...] = ()) -> dict[str, Any]:
    """Return the keys of a pack with those of its ancestors filled in; resources become absolute paths."""
    own = dict(_read(folder))
    own.setdefault("examples", [])  # those of a parent are about the parent's labels
    if folder in children:
        circle = " → ".join(str(p) for p in (*children, folder))
        raise PackError(f"{folder / _FILE}: the packs extend each other in a circle: {circle}")
    if own.get("lexicon"):
        own["lexicon"] = str(folder / own["lexicon"])
    own |= {"folder": folder, "hooks": [folder] if (folder / "hooks.py").is_file() else []}
    if own.get("extends") is None:
        return _merged({}, own)
    packs = known_packs()
    parent = own.pop("extends")
    if parent not in packs:
        raise PackError(f"{folder / _FILE}: extends: unknown pack {parent!r}{nearest(parent, packs)}")
    inherited = _inherited(packs[parent], (*children, folder))
    return _merged(inherited, own) | {
        # The parent's rules are tried where none of the pack's own fires.
        "rules": [
            *(own.get("rules") or []),
            *(inherited.get("rules", []) if own.get("rules", []) is not None else []),
        ],
        "hooks": [*inherited["hooks"], *own["hooks"]],
    }


def _merged(parent: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Merge mappings key by key; lists and other values replace the parent's, None removes it."""
    merged = dict(parent)
    for key, value in own.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = _merged(merged[key], value)
        else:
            merged[key] = value
    return merged


def _build(keys: Mapping[str, Any]) -> Pack:
    folder: Path = keys["folder"]
    path = folder / _FILE
    try:
        labels = keys.get("labels", {})
        hooks = run_hooks(keys["hooks"])
        compiler = Compiler(hooks.conditions, keys.get("lists", {}), hooks.properties)
        return Pack(
            code=keys["code"],
            name=keys.get("name", keys["code"]),
            folder=folder,
            stanza_lang=keys.get("stanza", ""),
            compact=_compact(folder),
            costs=_settings(AlignmentCosts, keys.get("costs", {}), "costs"),
            merge_rules=_settings(MergeRules, keys.get("merge", {}), "merge"),
            labels=labels,
            label_sets=_label_sets(keys.get("label_sets", {}), labels),
            vocabulary=_vocabulary(keys, hooks.similarity),
            rules=RuleSet(keys.get("rules", []), list(labels), compiler, keys.get("tables", {})),
            join=_join(keys),
            merge_hook=hooks.merge,
            examples=read_examples(keys.get("examples", [])),
            encoder=keys.get("encoder", ""),
            unbroken=tuple(map(str, keys.get("unbroken", []))),
            merge_characters=hooks.merge_characters,
            character_cost=hooks.character_cost,
            counterparts=keys.get("counterparts", {}),
        )
    except KeyError as error:
        raise PackError(f"{path}: key {error} is missing") from None
    except PackError as error:
        raise PackError(f"{path}: {error}") from None


def _settings(kind: type[Any], values: Mapping[str, Any], where: str) -> Any:
    """Make a settings value of a mapping, lists becoming sets."""
    known = [f.name for f in fields(kind)]
    for key, value in values.items():
        if key not in known:
            raise PackError(f"{where}: unknown key {key!r}{nearest(key, known)}; known: {', '.join(known)}")
        default = getattr(kind(), key)
        if isinstance(value, list) != isinstance(default, frozenset) or (
            isinstance(default, float) and not isinstance(value, (int, float))
        ):
            raise PackError(f"{where}: {key}: found {value!r}, expected a value like {default!r}")
    return kind(**{k: frozenset(v) if isinstance(v, list) else v for k, v in values.items()})


def _label_sets(sets: Mapping[str, Any], labels: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    for name, table in sets.items():
        missing = [label for label in labels if label not in table]
        if missing:
            raise PackError(f"label_sets: {name}: no name for {', '.join(missing)}")
    return sets


def _join(keys: Mapping[str, Any]) -> str:
    if (join := str(keys.get("join", " "))) not in ("", " "):
        raise PackError(f"join: found {join!r}, expected a space or nothing")
    return join


def _vocabulary(keys: Mapping[str, Any], similarity: Similarity | None) -> Vocabulary:
    return Vocabulary(
        classes=keys.get("classes", {}),
        upos_classes=keys.get("upos_classes", {}),
        deprels=keys.get("deprels", {}),
        lexicon=_lexicon(keys["lexicon"]) if "lexicon" in keys else None,
        similarity=similarity or levenshtein,
    )


@lru_cache(maxsize=8)
def _lexicon(path: str) -> frozenset[str]:
    """Read a word list, one word a line, gzipped or plain; lines that begin with # are comments."""
    try:
        if path.endswith(".gz"):
            text = gzip.decompress(Path(path).read_bytes()).decode("utf-8")
        else:
            text = Path(path).read_text(encoding="utf-8")
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise PackError(f"lexicon {path} cannot be read ({error})") from None
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))


def iter_packs() -> Iterator[tuple[str, str, Path]]:
    """Yield code, name and folder of every installed pack, sorted by code; no pack's Python is run."""
    for code, folder in sorted(known_packs().items()):
        yield code, str(_read(folder).get("name", code)), folder
