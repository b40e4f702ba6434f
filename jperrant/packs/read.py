"""Reading packs: a pack is found, merged with those that it extends, and checked; nothing is compiled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from jperrant.core.errors import InputError, MissingExtraError, PackError, nearest
from jperrant.core.messages import agree
from jperrant.core.packages import install_command, missing_modules
from jperrant.core.paths import is_file
from jperrant.edits.values import PositionedDict, position_of
from jperrant.io.files import reason
from jperrant.packs import discovery
from jperrant.packs.discovery import FILE, GENERIC, HOOKS
from jperrant.packs.keys import PackKeys, unknown_labels
from jperrant.packs.labels import group_of
from jperrant.packs.merge import merged
from jperrant.packs.yaml_file import Problem, YamlFile

#: What a text is taken for where nobody says its language.
DEFAULT_LANGUAGE = "en"
#: Keys that name files in the pack's folder, all of which must be there.
_FILES = ("lexicon", "examples", "resources")


class Source(NamedTuple):
    """One pack.yaml of a chain.

    Attributes:
        folder: Where it is.
        content: What it says, as it was read.
        installed: Whether the pack is installed; then its files may be links, as installers make them.
        named: Whether it is installed or the user named it, so that its Python may run.
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
        """Return its pack.yaml and its Python."""
        return [self.folder / FILE, *self.folder.glob("*.py")]


class PackData(NamedTuple):
    """A pack that is read.

    Attributes:
        keys: What it says, that of the packs it extends included.
        sources: The files of the pack and its ancestors, itself first.
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
        """Other files that the hooks read, those of ancestors first."""
        return [file for source in reversed(self.sources) for file in source.files("resources")]

    @property
    def hooks(self) -> list[Source]:
        """The packs of the chain that have a ``hooks.py``, ancestors first."""
        return [source for source in reversed(self.sources) if (source.folder / HOOKS).is_file()]

    @property
    def models(self) -> Path | None:
        """The folder of the models that come with the pack or with one that it extends, or None.

        Models are inherited together with Stanza's code of the language: a pack with a code of its own has none.
        """
        for number, source in enumerate(self.sources):
            if (source.folder / "models" / "resources.json").is_file():
                codes = [one.content["stanza"] for one in self.sources[number:] if one.content.get("stanza")]
                return source.folder / "models" if codes[:1] == [self.keys.stanza] else None
        return None

    def own_files(self) -> list[Path]:
        """Return the files that it is read from, where they are not those of an installed pack."""
        own = [source for source in self.sources if not source.installed]
        named = [file for source in own for key in _FILES for file in source.files(key)]
        return named + [file for source in own for file in source.code()]


class WrongPackError(PackError):
    """A pack is wrong; the message is the first thing that is.

    Attributes:
        problems: Everything that is wrong with it, a line each.
    """

    def __init__(self, first: str, *others: str) -> None:
        super().__init__(first)
        self.problems = (first, *others)


def raise_all(problems: Iterable[object]) -> None:
    """Raise what is wrong with a pack, if anything is.

    Raises:
        WrongPackError: Something is.
    """
    if lines := dict.fromkeys(map(str, problems)):
        raise WrongPackError(*lines)


def pack_data(lang: str, folder: str | None = None) -> PackData:
    """Return what the pack of a language, or in a folder, says; no Python of it is run.

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
    """Return the keys of a pack, as :func:`pack_data`."""
    return pack_data(lang, folder).keys


def read_pack(folder: Path) -> PackData:
    """Return the pack of a folder, merged with those that it extends.

    Raises:
        InputError: The pack cannot be read.
        WrongPackError: It, or one that it extends, is wrong.
    """
    sources = tuple(_chain(folder))
    content, wrong = merged([source.content for source in sources])
    file = YamlFile(folder / FILE, content)
    keys, problems = file.checked(PackKeys)
    problems += [problem for source in sources for problem in _file_problems(source)]
    for place in unknown_labels(keys) if keys else ():
        problem = file.problem(place, f"{': '.join(place[:-1])}: unknown label")
        # A parent may name labels that are removed here.
        if keys and problem.place.startswith(f"{file.path}:"):
            problems.append(problem._replace(message=problem.message + nearest(place[-1], keys.labels)))
    raise_all([*problems, *wrong])
    assert keys is not None
    return PackData(keys, sources)


def _chain(folder: Path) -> Iterator[Source]:
    """Read a pack and its ancestors, each once.

    Raises:
        InputError: One of them cannot be read or found, or they extend each other.
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
        if not isinstance(name, str) or Path(name).name != name:  # which the model finds fault with
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
    """Return the folder of the pack a pack extends: installed, or beside it."""
    installed = discovery.installed(name) or discovery.families().get(name)
    if installed is not None and installed.resolve() != folder.resolve():
        return installed
    beside = folder.resolve().parent / name
    return beside if is_file(beside / FILE) else installed


def _file_problems(source: Source) -> Iterator[Problem]:
    """Yield a problem for each file of a pack that is not there, no plain file, or not its own."""
    files = [(key, path) for key in _FILES for path in source.files(key)]
    stems = source.files("dictionary")
    optional = [("dictionary", Path(f"{stem}{ending}")) for stem in stems for ending in (".dic", ".aff")]
    optional.append(("hooks", source.folder / HOOKS))
    for key, path in [*files, *(one for one in optional if one[1].exists())]:
        if problem := _file_problem(path, source):
            yield Problem(position_of(source.content, key), f"{key}: {problem}")


def _file_problem(path: Path, source: Source) -> str:
    """Return why a file of a pack is not one, or an empty string."""
    try:
        if not path.is_file():
            return f"{path}: expected a regular file" if path.exists() else f"found no file {path}"
        return "" if source.installed else _link_problem(path, source.folder)
    except (OSError, RuntimeError) as error:
        return f"{path} cannot be read ({reason(error)})"


def _link_problem(path: Path, folder: Path) -> str:
    """Return what is wrong with a file that is a link out of its folder; empty if it is none."""
    if path.resolve().is_relative_to(folder.resolve()):
        return ""
    return f"{path} links to a file outside the pack's folder; copy the file there"


def unsaid_language(lang: str | None, folder: str | None) -> str:
    """Return what to say where neither a language nor the folder of a pack was given; empty where one was."""
    if lang or folder:
        return ""
    name = pack_keys(DEFAULT_LANGUAGE).name
    return f"no language was given, so texts are annotated as {name}; --lang CODE says another"


def missing_packages(requires: Mapping[str, str]) -> str:
    """Return what of a pack's ``requires`` is not installed, and the command that installs it; empty if nothing.

    No module is imported.
    """
    missing = missing_modules(requires)
    command = install_command(requires[module] for module in missing)
    found = f"{', '.join(missing)}, which {agree(len(missing), 'is', 'are')} not installed; run: {command}"
    return found if missing else ""


def check_requires(code: str, requires: Mapping[str, str]) -> None:
    """Check that what a pack requires is installed.

    Raises:
        MissingExtraError: It is not; the message holds the pip line.
    """
    if missing := missing_packages(requires):
        raise MissingExtraError(f"pack {code!r} needs {missing}")


def needs(folder: Path) -> str:
    """Return what an installed pack needs and is not installed; empty if nothing."""
    with suppress(InputError):  # what is wrong with a pack is for ``packs check`` to say
        return missing_packages(read_pack(folder).keys.requires)
    return ""


def common_groups() -> Mapping[str, str]:
    """Return the group of every label of the installed packs; no Python of theirs is run.

    Where packs disagree, the generic pack goes first, then the others by code. A pack that is wrong is left out.
    """
    packs = discovery.known_packs()
    groups: dict[str, str] = {}
    for code in sorted(packs, key=lambda code: (code != GENERIC, code)):
        with suppress(InputError):
            keys = read_pack(packs[code]).keys
            groups = {label: group_of(label, keys.groups) for label in keys.labels} | groups
    return groups
