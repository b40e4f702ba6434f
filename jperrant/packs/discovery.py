"""Finding packs: among the built-in ones, the entry points of installed packages, and beside one another."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from jperrant.core.errors import InputError, PackError
from jperrant.core.packages import entry_points
from jperrant.core.paths import is_file, is_folder
from jperrant.edits.values import PositionedDict

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: The files of a pack: what it says, and its Python.
FILE, HOOKS = "pack.yaml", "hooks.py"
GROUP = "jperrant.langpacks"
#: The pack for every language that has none of its own.
GENERIC = "generic"


class InstalledPacks(dict[str, Path]):
    """The folders of installed packs by code.

    Attributes:
        errors: By code, why it cannot be used: two packs have it, or a package declares it and does not hold it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.errors: dict[str, str] = {}


def known_packs() -> dict[str, Path]:
    """Return the folders of all installed packs by code, built-in ones and those of entry points.

    No Python of a pack is run. Of two packs with one code the first is returned; ``unique`` refuses both.
    """
    import jperrant.langpacks

    packs = InstalledPacks()
    for root in jperrant.langpacks.__path__:
        packs.update((path.parent.name, path.parent) for path in sorted(Path(root).glob(f"*/{FILE}")))
    for entry in entry_points(group=GROUP):
        folder = _folder_of(entry)
        if folder is None:
            package = f" of {entry.dist.name}" if entry.dist else ""
            if entry.name not in packs:
                packs.errors[entry.name] = (
                    f"the entry point {entry.name} = {entry.value}{package} leads to no {FILE}; the author of the "
                    "package has to add it to the package's data"
                )
            continue
        code = str(said(folder).get("code", entry.name))
        if (first := packs.setdefault(code, folder)) != folder:
            packs.errors[code] = (
                f"two packs have the code {code!r}: {first} and {folder}; uninstall or rename one"
            )
    return packs


def read_file(folder: Path) -> PositionedDict:
    """Return the content of a folder's pack.yaml, whatever its keys are.

    Raises:
        PackError: There is none, or it is not a mapping.
        FormatError: It is not YAML, or has a key twice; names the line.
    """
    from jperrant.packs.yaml_file import read_yaml  # with YAML, which shell completion does without

    if not is_file(folder / FILE):
        raise PackError(f"{folder}: found no {FILE}, expected the folder of a language pack")
    content = read_yaml(folder / FILE)
    if not isinstance(content, PositionedDict):
        raise PackError(f"{folder / FILE}: expected a mapping of keys to values")
    return content


def said(folder: Path) -> Mapping[str, object]:
    """Return the content of a pack.yaml; nothing where it cannot be read, which is of no concern to other packs."""
    try:
        return read_file(folder)
    except InputError:
        return {}


def folder_of(name: str) -> str | None:
    """Return a name if it is that of a folder with a pack, and not the code of an installed one, else None."""
    names_folder = is_folder(name) or "/" in name or "\\" in name
    return name if names_folder and name not in known_packs() else None


def unique(packs: Mapping[str, Path], code: str) -> Path | None:
    """Return the folder of the pack of a code, or None.

    Raises:
        PackError: Two packs have the code; names both. Or a package declares the pack and does not hold it.
    """
    if isinstance(packs, InstalledPacks) and code in packs.errors:
        raise PackError(packs.errors[code])
    return packs.get(code)


def iter_packs(packs: Mapping[str, Path] | None = None) -> Iterator[tuple[str, str, Path]]:
    """Yield code, name and folder of every installed pack, sorted by code; no pack's Python is run."""
    packs = known_packs() if packs is None else packs
    for code, folder in sorted(packs.items()):
        try:
            name = str(read_file(folder).get("name", code))
            unique(packs, code)
        except InputError as error:
            name = f"cannot be used: {error}"
        yield code, name, folder


def _folder_of(entry: EntryPoint) -> Path | None:
    """Return the folder an entry point names, without running the packages above it."""
    top, *rest = entry.module.split(".")
    try:
        spec = importlib.util.find_spec(top)
        for location in (spec.submodule_search_locations or []) if spec else []:
            folder = Path(location).joinpath(*rest)
            if (folder / FILE).is_file():
                return folder
    except Exception:  # finders of other packages may raise anything, which is of no concern to other packs
        return None
    return None
