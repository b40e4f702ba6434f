"""Describes installed packs and their models, and creates a new pack; no hooks are run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any

from jperrant.core.errors import InputError, UsageError
from jperrant.core.packages import STANZA, missing_modules
from jperrant.edits.rule_parts import position_of
from jperrant.io.files import open_output, reason
from jperrant.packs.dictionary import find_dictionary
from jperrant.packs.discovery import FILE, HOOKS, known_packs, table_of_languages
from jperrant.packs.examples import examples_of
from jperrant.packs.labels import group_of
from jperrant.packs.read import PackData, missing_packages, pack_data, pack_keys, read_pack
from jperrant.packs.yaml_file import flow
from jperrant.parse.model_scores import About, read_about
from jperrant.parse.models import COMPACT, DEFAULT, installed_packages, stanza_folder

_TEMPLATE = Path(__file__).with_name("new_pack.yaml")
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def describe(lang: str, folder: str | None = None) -> dict[str, Any]:
    """Return the content of a pack, merged with the packs that it extends, as plain values.

    Raises:
        PackError: There is no such pack, or it is wrong.
    """
    data = pack_data(lang, folder)
    keys, found = data.keys, find_dictionary(data) or "not installed"
    shown = _shown_edits(data)
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
        "dictionary": f"{keys.dictionary} ({found})" if keys.dictionary else "",
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
                "example": shown.get(label, ""),
                "counterparts": keys.counterparts.get(label, {}),
            }
            for label, description in sorted(keys.labels.items())
        ],
        "rules": keys.rules,
        "places": [position_of(rule) for rule in keys.rules],
    }


def describe_text(description: Mapping[str, Any]) -> str:
    """Format the result of ``describe`` as text."""
    lines = [f"{description['code']}: {description['name']}", ""]
    for key, value in description.items():
        if key not in ("code", "name", "join", "labels", "rules", "places"):
            shown = ", ".join(value) if isinstance(value, (list, dict)) else value
            lines.append(f"{key:<12}{shown or '—'}")
    lines += ["", f"{len(description['labels'])} labels"]
    width = max((len(row["label"]) for row in description["labels"]), default=0) + 2
    for row in description["labels"]:
        example = f"  [{row['example']}]" if row["example"] else ""
        lines.append(f"  {row['label']:<{width}}{row['group']:<20}{row['description']}{example}")
    lines += ["", f"{sum(1 for _ in _walk(description['rules']))} rules"]
    for depth, rule in _walk(description["rules"]):
        lines.append(f"{'  ' * (depth + 1)}{_rule_text(rule)}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _shown_edits(data: PackData) -> dict[str, str]:
    """Return an example edit by label, from the pack or the packs that it extends."""
    shown: dict[str, str] = {}
    for pack in (data, *(read_pack(source.folder) for source in data.sources[1:])):
        for example in examples_of(pack)[0]:
            for edit in example.edits:
                source = example.source.forms[edit.start : edit.end]
                written = [" ".join(tokens) or "∅" for tokens in (source, edit.correction)]
                shown.setdefault(edit.type.partition(":")[2], " → ".join(written))
    return shown


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
        folder: The folder of the pack, created if needed; default: a folder named after the code.

    Raises:
        UsageError: The code is malformed or belongs to an installed pack, or the folder already holds a pack.
        InputError: The folder cannot be created.
    """
    if not _CODE.fullmatch(code):
        expected = "expected letters, digits, - and _, beginning with a letter"
        raise UsageError(f"{code!r} cannot be a language code; {expected}")
    if installed := known_packs().get(code):
        hint = f"choose another code, and extend it if you like (extends: {code})"
        raise UsageError(f"a pack {code!r} exists already: {installed}; {hint}")
    path = Path(folder or code) / FILE
    if path.exists():
        raise UsageError(f"{path} exists already; give another folder with --folder")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent}: the folder cannot be created ({reason(error)})") from None
    language = table_of_languages().get(code)
    written, name = (
        flow(code),
        flow(language.name if language else code),
    )  # quoted, as YAML 1.1 reads the code ``no`` as false
    unknown = "# Stanza's code, if Stanza knows it.\n# stanza: sv\n"
    stanza = f"stanza: {written}\n" if language else unknown
    template = _TEMPLATE.read_text(encoding="utf-8")
    with open_output(str(path)) as stream:
        stream.write(template.format(code=written, name=name, stanza=stanza, check=quote(str(path.parent))))
    return path


@dataclass(frozen=True, slots=True)
class InstalledModels:
    """A model package on this machine.

    Attributes:
        code: The code of the language, as in ``--lang``.
        models: The name for ``--models``.
        processors: The processors for which the package has models, by their names in Stanza.
        size: The size on disk in bytes.
        folder: The folder of the files.
        about: The licence, sources and scores that the folder states.
    """

    code: str
    models: str
    processors: tuple[str, ...]
    size: int
    folder: Path
    about: About


def installed_models(lang: str | None = None) -> Iterator[InstalledModels]:
    """Yield the models of all packs, or of one language: first a pack's own, then those in Stanza's folder.

    If Stanza is not installed, only the packs' own models are found.

    Raises:
        PackError: There is no such language.
    """
    codes = [pack_keys(lang).code] if lang else sorted(known_packs())
    downloads = None if missing_modules([STANZA]) else stanza_folder()
    for data in map(pack_data, codes):
        for folder in (data.models, downloads):
            if folder is not None and data.keys.stanza:
                yield from _models_in(folder, data, embedded=folder == data.models)


def _models_in(folder: Path, data: PackData, *, embedded: bool) -> Iterator[InstalledModels]:
    """Yield the models in a folder for a pack's language; models embedded in a pack are called ``compact``."""
    packages, about = list(installed_packages(folder, data.keys.stanza)), read_about(folder)
    default = next((one.files for one in packages if one.package == DEFAULT), None)
    for one in packages:
        if embedded and one.package != DEFAULT and one.files == default:
            continue  # the same package under another name
        name = COMPACT if embedded and one.package == DEFAULT else one.package
        size = sum(file.stat().st_size for file in one.every_file)
        own = replace(about, evaluations=tuple([e for e in about.evaluations if e.package == one.package]))
        yield InstalledModels(data.keys.code, name, one.processors, size, folder, own)
