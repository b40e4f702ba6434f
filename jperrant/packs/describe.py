"""Descriptions of installed packs and their models, and a new pack to start from; no hooks are run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any

from jperrant.core.errors import InputError, UsageError
from jperrant.core.packages import STANZA, missing_modules
from jperrant.edits.values import position_of
from jperrant.io.files import open_output, reason
from jperrant.packs.dictionary import find_dictionary
from jperrant.packs.discovery import FILE, HOOKS, known_packs, table_of_languages
from jperrant.packs.labels import group_of
from jperrant.packs.read import PackData, missing_packages, pack_data, pack_keys
from jperrant.packs.yaml_file import flow
from jperrant.parse.models import COMPACT, DEFAULT, installed_packages, stanza_folder
from jperrant.parse.scores import About, read_about

_TEMPLATE = Path(__file__).with_name("new_pack.yaml")
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
#: Codes that YAML 1.1 reads as other things than text.
_TRUTH_VALUES = ("no", "yes", "on", "off", "y", "n", "null", "true", "false")


def describe(lang: str, folder: str | None = None) -> dict[str, Any]:
    """Return what a pack holds, its ancestors' part included, as plain values.

    Raises:
        PackError: There is no such pack, or it is wrong.
    """
    data = pack_data(lang, folder)
    keys = data.keys
    return {
        "code": keys.code,
        "name": keys.name or keys.code,
        "aliases": keys.aliases,
        "folder": str(data.folder),
        "extends": [str(source.content.get("code", source.folder.name)) for source in data.sources[1:]],
        "stanza": keys.stanza,
        "measured": keys.measured,
        "models": str(data.models or ""),
        "join": keys.join,
        "lexicon": str(data.lexicon or ""),
        "dictionary": _dictionary(data),
        "resources": [str(path) for path in data.resources],
        "hooks": [str(source.folder / HOOKS) for source in data.hooks],
        "requires": keys.requires,
        "missing": missing_packages(keys.requires),
        "label_sets": keys.sets()[1:],
        "labels": [
            {
                "label": label,
                "group": group_of(label, keys.groups),
                "description": description,
                "counterparts": keys.counterparts.get(label, {}),
            }
            for label, description in sorted(keys.labels.items())
        ],
        "rules": keys.rules,
        "places": [position_of(rule) for rule in keys.rules],
    }


def _dictionary(data: PackData) -> str:
    """Return the name of a pack's dictionary and where it lies."""
    return (
        f"{data.keys.dictionary} ({find_dictionary(data) or 'not installed'})" if data.keys.dictionary else ""
    )


def describe_text(description: Mapping[str, Any]) -> str:
    """Return what ``describe`` found, for people."""
    lines = [f"{description['code']}: {description['name']}", ""]
    for key in [
        key for key in description if key not in ("code", "name", "join", "labels", "rules", "places")
    ]:
        value = description[key]
        shown = ", ".join(value) if isinstance(value, (list, dict)) else value
        lines.append(f"{key:<12}{shown or '—'}")
    lines += ["", f"{len(description['labels'])} labels"]
    width = max((len(row["label"]) for row in description["labels"]), default=0) + 2
    for row in description["labels"]:
        lines.append(f"  {row['label']:<{width}}{row['group']:<20}{row['description']}")
    lines += ["", f"{sum(1 for _ in _walk(description['rules']))} rules"]
    for depth, rule in _walk(description["rules"]):
        lines.append(f"{'  ' * (depth + 1)}{_rule_text(rule)}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _walk(rules: Sequence[Mapping[str, Any]], depth: int = 0) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for rule in rules:
        yield depth, rule
        yield from _walk(rule.get("rules", []), depth + 1)


def _rule_text(rule: Mapping[str, Any]) -> str:
    when = f" if {flow(rule['when']).removeprefix('{').removesuffix('}')}" if rule.get("when") else ""
    name = f"  # {rule['name']}" if "name" in rule else ""
    what = rule.get("type") or ("drop the last token" if "drop_last" in rule else "rules")
    return f"{what}{when}{name}"


def new_pack(code: str, folder: str | None = None) -> Path:
    """Write the pack.yaml of a new pack and return its path.

    Args:
        code: The code of the language.
        folder: Where it goes; a folder of the name of the code if None. Made if it is not there.

    Raises:
        UsageError: The code is none, belongs to an installed pack, or there is a pack already.
        InputError: The folder cannot be made.
    """
    if not _CODE.fullmatch(code):
        raise UsageError(
            f"{code!r} cannot be a language code; expected letters, digits, - and _, beginning with a letter"
        )
    packs = known_packs()
    if code in packs:
        raise UsageError(
            f"a pack {code!r} exists already: {packs[code]}; choose another code, and extend it if you like "
            f"(extends: {code})"
        )
    path = Path(folder or code) / FILE
    if path.exists():
        raise UsageError(f"{path} exists already; give another folder with --folder")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent}: the folder cannot be created ({reason(error)})") from None
    known, written = table_of_languages(), _quoted(code)
    name = known[code].name if code in known else code
    stanza = (
        f"stanza: {written}\n" if code in known else "# Stanza's code, if Stanza knows it.\n# stanza: sv\n"
    )
    template = _TEMPLATE.read_text(encoding="utf-8")
    with open_output(str(path)) as stream:
        stream.write(
            template.format(code=written, name=_quoted(name), stanza=stanza, check=quote(str(path.parent)))
        )
    return path


def _quoted(word: str) -> str:
    """Return a word as YAML reads it back: ``no`` is Norwegian, and to YAML it is false."""
    return f'"{word}"' if word.lower() in _TRUTH_VALUES else word


@dataclass(frozen=True, slots=True)
class InstalledModels:
    """A package of models that is on this machine.

    Attributes:
        code: Code of the language, as in ``--lang``.
        models: What to give to ``--models``.
        processors: What the models can do, in Stanza's words.
        size: Bytes on disk.
        folder: Where they lie.
        about: Licence, sources and scores, where the folder names them.
    """

    code: str
    models: str
    processors: tuple[str, ...]
    size: int
    folder: Path
    about: About


def installed_models(lang: str | None = None) -> Iterator[InstalledModels]:
    """Yield the models of every pack, or of one language: those of the pack, then those in Stanza's folder.

    Without Stanza its folder is not known, and only those of packs are found.

    Raises:
        PackError: There is no such language.
    """
    codes = [pack_keys(lang).code] if lang else sorted(known_packs())
    downloads = None if missing_modules([STANZA]) else stanza_folder()
    for code in codes:
        data = pack_data(code)
        stanza, compact = data.keys.stanza, data.models
        for name, folder in ((COMPACT, compact), ("", downloads)):
            if folder is None or not stanza:
                continue
            packages = list(installed_packages(folder, stanza))
            default = next((p.files for p in packages if p.package == DEFAULT), None)
            for candidate in packages:
                if name == COMPACT and candidate.package != DEFAULT and candidate.files == default:
                    continue  # one package under two names
                size = sum(file.stat().st_size for file in candidate.every_file)
                models = COMPACT if name == COMPACT and candidate.package == DEFAULT else candidate.package
                yield InstalledModels(
                    code, models, candidate.processors, size, folder, _about(folder, candidate.package)
                )


def _about(folder: Path, package: str) -> About:
    """Return what a folder says of one of its packages."""
    about = read_about(folder)
    return replace(about, evaluations=tuple(e for e in about.evaluations if e.package == package))
