"""Reads packs: finds a pack, merges it with the packs that it extends, and checks it, without compiling it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from jperrant.core.errors import InputError, MissingExtraError, PackError, nearest
from jperrant.core.messages import agree
from jperrant.core.packages import install_command, missing_modules
from jperrant.core.paths import is_file
from jperrant.edits.rule_parts import PositionedDict, position_of
from jperrant.io.files import reason
from jperrant.packs import discovery
from jperrant.packs.discovery import FILE, GENERIC, HOOKS
from jperrant.packs.inheritance import merged
from jperrant.packs.keys import PackKeys, unknown_labels
from jperrant.packs.labels import group_of
from jperrant.packs.yaml_file import Problem, YamlFile

#: The language of texts if none is given.
DEFAULT_LANGUAGE = "en"
#: Keys that name files in the pack's folder; the files must exist.
_FILES = ("lexicon", "examples", "resources")


class Source(NamedTuple):
    """One pack.yaml of a pack and its ancestors.

    Attributes:
        folder: Its folder.
        content: Its content, before merging.
        installed: Whether the pack is installed; the files of an installed pack may be links, which installers
            create.
        named: Whether it is installed or named by the user, so that its hooks may run.
    """

    folder: Path
    content: PositionedDict
    installed: bool
    named: bool

    def files(self, key: str) -> list[Path]:
        """Return the files that the pack names under a key."""
        named = self.content.get(key)
        names = named if key == "resources" and isinstance(named, list) else [named]
        return [self.folder / name for name in names if isinstance(name, str)]

    def code(self) -> list[Path]:
        """Return its pack.yaml and its Python files."""
        return [self.folder / FILE, *self.folder.glob("*.py")]


class PackData(NamedTuple):
    """A pack that is read and checked.

    Attributes:
        keys: Its keys, merged with those of the packs that it extends.
        sources: The pack.yaml of the pack and of its ancestors, the pack's own first.
    """

    keys: PackKeys
    sources: tuple[Source, ...]

    @property
    def folder(self) -> Path:
        """The folder of the pack."""
        return self.sources[0].folder

    @property
    def lexicon(self) -> Path | None:
        """The file of known words, or None."""
        files = (file for source in self.sources for file in source.files("lexicon"))
        return next(files, None) if self.keys.lexicon else None

    @property
    def resources(self) -> list[Path]:
        """The files that the hooks read, those of ancestors first."""
        return [file for source in reversed(self.sources) for file in source.files("resources")]

    @property
    def hooks(self) -> list[Source]:
        """The pack and its ancestors that have a ``hooks.py``, ancestors first."""
        return [source for source in reversed(self.sources) if (source.folder / HOOKS).is_file()]

    @property
    def models(self) -> Path | None:
        """The folder of the models in the pack or in a pack that it extends, or None.

        Models belong to Stanza's code of the language: a pack with another code does not inherit them.
        """
        for number, source in enumerate(self.sources):
            if (source.folder / "models" / "resources.json").is_file():
                codes = [one.content["stanza"] for one in self.sources[number:] if one.content.get("stanza")]
                return source.folder / "models" if codes[:1] == [self.keys.stanza] else None
        return None

    def own_files(self) -> list[Path]:
        """Return the files that it is read from, without those of installed packs."""
        own = [source for source in self.sources if not source.installed]
        named = [file for source in own for key in _FILES for file in source.files(key)]
        return named + [file for source in own for file in source.code()]


class WrongPackError(PackError):
    """A pack has errors; the message is the first one.

    Attributes:
        problems: All errors, one line each.
    """

    def __init__(self, first: str, *others: str) -> None:
        super().__init__(first)
        self.problems = (first, *others)


def raise_all(problems: Iterable[object]) -> None:
    """Raise the errors of a pack, if there are any.

    Raises:
        WrongPackError: There are errors.
    """
    if lines := dict.fromkeys(map(str, problems)):
        raise WrongPackError(*lines)


def pack_data(lang: str, folder: str | None = None) -> PackData:
    """Read the pack of a language or of a folder; its hooks are not run.

    Args:
        lang, folder: As in ``load_pack``.

    Raises:
        PackError: There is no such pack, or it is wrong.
    """
    if folder is not None:
        return read_pack(Path(folder))
    code = discovery.language_code(lang)
    if path := discovery.installed(code):
        return read_pack(path)
    packs = discovery.known_packs()
    if code:
        data, name = read_pack(packs[GENERIC]), discovery.table_of_languages()[code].name
        return data._replace(keys=data.keys.model_copy(update={"code": code, "stanza": code, "name": name}))
    raise PackError(
        f"unknown language {lang!r}{discovery.nearest_language(lang)}; expected one of "
        f"{', '.join(sorted(packs))}, another language of Stanza, or a folder given with --pack"
    )


def pack_keys(lang: str, folder: str | None = None) -> PackKeys:
    """Return the keys of a pack; like :func:`pack_data`."""
    return pack_data(lang, folder).keys


def read_pack(folder: Path) -> PackData:
    """Read the pack of a folder, merged with the packs that it extends.

    Raises:
        InputError: The pack cannot be read.
        WrongPackError: The pack, or one that it extends, has errors.
    """
    sources = tuple(_chain(folder))
    content, wrong = merged([source.content for source in sources])
    file = YamlFile(folder / FILE, content)
    keys, problems = file.checked(PackKeys)
    problems += [problem for source in sources for problem in _file_problems(source)]
    for place in unknown_labels(keys) if keys else ():
        problem = file.problem(place, f"{': '.join(place[:-1])}: unknown label")
        # A parent's tables may name labels that this pack removes.
        if keys and problem.place.startswith(f"{file.path}:"):
            problems.append(problem._replace(message=problem.message + nearest(place[-1], keys.labels)))
    raise_all([*problems, *wrong])
    assert keys is not None
    return PackData(keys, sources)


def _chain(folder: Path) -> Iterator[Source]:
    """Read a pack.yaml and those of its ancestors.

    Raises:
        InputError: One of them cannot be found or read, or they extend each other in a cycle.
    """
    known = {**discovery.families(), **discovery.known_packs()}
    folders, seen = {path.resolve() for path in known.values()}, list[Path]()
    while True:
        installed = folder.resolve() in folders
        if not installed and is_file(folder / FILE) and (problem := _link_problem(folder / FILE, folder)):
            raise PackError(problem)
        content = discovery.read_file(folder)
        yield Source(folder, content, installed, not seen or installed)
        seen.append(folder.resolve())
        name = content.get("extends")
        if not isinstance(name, str) or Path(name).name != name:  # an error that the model reports
            return
        where, parent = f"{position_of(content, 'extends')}: extends:", _parent(folder, name)
        if parent is None:
            close = f"{nearest(name, known)}; expected one of {', '.join(sorted(known))}"
            raise PackError(f"{where} unknown pack {name!r}{close}")
        if parent.resolve() in seen:
            circle = " → ".join(map(str, [*seen[-5:], parent]))
            raise PackError(f"{where} the packs extend each other in a cycle: {circle}; remove one extends")
        folder = parent


def _parent(folder: Path, name: str) -> Path | None:
    """Return the folder of the parent of a pack: an installed pack, or a folder beside it."""
    installed = discovery.installed(name) or discovery.families().get(name)
    if installed is not None and installed.resolve() != folder.resolve():
        return installed
    beside = folder.resolve().parent / name
    return beside if is_file(beside / FILE) else installed


def _file_problems(source: Source) -> Iterator[Problem]:
    """Yield an error for each file of a pack that is missing, not a regular file, or outside its folder."""
    files = [(key, path) for key in _FILES for path in source.files(key)]
    stems = source.files("dictionary")
    optional = [("dictionary", Path(f"{stem}{ending}")) for stem in stems for ending in (".dic", ".aff")]
    optional.append(("hooks", source.folder / HOOKS))
    for key, path in [*files, *(one for one in optional if one[1].exists())]:
        if problem := _file_problem(path, source):
            yield Problem(position_of(source.content, key), f"{key}: {problem}")


def _file_problem(path: Path, source: Source) -> str:
    """Return why a file of a pack cannot be used, or an empty string."""
    try:
        if not path.is_file():
            return f"{path}: expected a regular file" if path.exists() else f"found no file {path}"
        return "" if source.installed else _link_problem(path, source.folder)
    except (OSError, RuntimeError) as error:
        return f"{path} cannot be read ({reason(error)})"


def _link_problem(path: Path, folder: Path) -> str:
    """Return a message if a file is a link that leads out of the folder, else an empty string."""
    if path.resolve().is_relative_to(folder.resolve()):
        return ""
    return f"{path} links to a file outside the pack's folder; copy the file there"


def unsaid_language(lang: str | None, folder: str | None) -> str:
    """Return a message if neither a language nor a pack's folder was given, else an empty string."""
    if lang or folder:
        return ""
    name = pack_keys(DEFAULT_LANGUAGE).name
    return f"no language was given, so texts are annotated as {name}; choose another with --lang CODE"


def missing_packages(requires: Mapping[str, str]) -> str:
    """Return the missing modules of ``requires`` and the command that installs them, or an empty string.

    No module is imported.
    """
    missing = missing_modules(requires)
    command = install_command(requires[module] for module in missing)
    found = f"{', '.join(missing)}, which {agree(len(missing), 'is', 'are')} not installed; run: {command}"
    return found if missing else ""


def check_requires(code: str, requires: Mapping[str, str]) -> None:
    """Check that the modules a pack requires are installed.

    Raises:
        MissingExtraError: A module is missing; the message holds the pip command.
    """
    if missing := missing_packages(requires):
        raise MissingExtraError(f"pack {code!r} needs {missing}")


def needs(folder: Path) -> str:
    """Return the missing modules of an installed pack and the command that installs them, or an empty string."""
    with suppress(InputError):  # ``packs check`` reports the errors of a pack
        return missing_packages(read_pack(folder).keys.requires)
    return ""


def common_groups() -> Mapping[str, str]:
    """Return the group of each label of the installed packs; their hooks are not run.

    If packs disagree, the generic pack takes precedence, then the others by code. A pack with errors is left
    out.
    """
    packs = discovery.known_packs()
    groups: dict[str, str] = {}
    for code in sorted(packs, key=lambda code: (code != GENERIC, code)):
        with suppress(InputError):
            keys = read_pack(packs[code]).keys
            groups = {label: group_of(label, keys.groups) for label in keys.labels} | groups
    return groups
