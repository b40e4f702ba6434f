"""Corpora in many files: each shard becomes an M2 file of its own, and a manifest says what is done."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, computed_field

from jperrant.annotation.annotator import BATCH, Annotator
from jperrant.annotation.files import annotate_files, check_format, effective, load_beside_others
from jperrant.annotation.fingerprint import fingerprint, packages
from jperrant.annotation.noticed import Noticed, notes
from jperrant.annotation.options import AnnotatorOptions
from jperrant.cluster.work import Crew
from jperrant.core.errors import (
    FormatError,
    InputError,
    JperrantError,
    MissingError,
    OutputError,
    UsageError,
    WorkerError,
)  # fmt: skip
from jperrant.core.messages import differences, plural
from jperrant.core.packages import checksum_of_code, versions_of
from jperrant.core.paths import exists, is_folder
from jperrant.core.progress import track
from jperrant.core.store import held
from jperrant.core.values import Block
from jperrant.io.files import ENDINGS as COMPRESSED
from jperrant.io.files import STDIO, UNFINISHED, open_output, reason
from jperrant.io.m2 import write_m2
from jperrant.packs.dictionary import AUTO
from jperrant.parse.models import COMPACT, DEFAULT, NONE

#: Formats whose one file holds sources and corrections.
WHOLE = ("tsv", "jsonl", "cherrant")
#: Endings of names that say what is in a file, and so not in the name of its M2.
_KINDS = (".tsv", ".txt", ".jsonl", ".json", ".conllu", ".para")
#: Bytes that a file's name may have on common file systems.
_LONGEST = 255
#: Rooms whose code makes annotations.
_ROOMS = ("alignment", "annotation", "core", "edits", "io", "packs", "parse")
#: Options that may name files, which count by their contents and not by their place, and what is no file there.
_FILES = {"pack": (), "lexicon": (), "models": (COMPACT, DEFAULT, NONE), "dictionary": (AUTO, NONE)}
#: Letters of a checksum that are shown.
_SHOWN = 16
_MANIFEST = "manifest.json"
#: Writing the manifest takes at most this share of the time.
_SHARE = 0.05
#: Errors that the next shard would end with too.
_OF_ALL = (MissingError, UsageError, OutputError)


# What is done


class FileContent(BaseModel, frozen=True):
    """A file by its content.

    Attributes:
        name: Its name, without folders.
        bytes: Its size.
        sha256: Its checksum.
    """

    name: str
    bytes: int
    sha256: str

    @classmethod
    def of(cls, path: Path) -> FileContent:
        """Return a file by its content.

        Raises:
            InputError: It cannot be read.
        """
        try:
            with path.open("rb") as stream:
                checksum = hashlib.file_digest(stream, "sha256").hexdigest()
                return cls(name=path.name, bytes=stream.tell(), sha256=checksum)
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({reason(error)})") from None

    def is_in(self, folder: Path) -> bool:
        """Whether a folder has the file with this content."""
        with suppress(OSError, InputError):
            path = folder / self.name
            return path.stat().st_size == self.bytes and FileContent.of(path) == self
        return False


class ShardRecord(BaseModel, frozen=True):
    """A shard that is done.

    Attributes:
        inputs: Its files.
        output: Its M2 file.
        sentences: Blocks of the M2 file.
        edits: Edits of all annotators.
    """

    inputs: tuple[FileContent, ...]
    output: FileContent
    sentences: int
    edits: int

    @property
    def contents(self) -> tuple[str, ...]:
        """The checksums of its files."""
        return tuple([file.sha256 for file in self.inputs])


class Manifest(BaseModel):
    """What a run has done in a folder.

    Attributes:
        layout: Version of the file's layout.
        signature: What the results depend on besides the files.
        shards: What is done, by the name of the M2 file.
    """

    layout: Literal[1] = 1
    signature: dict[str, str]
    shards: dict[str, ShardRecord]

    @computed_field  # type: ignore[prop-decorator]  # mypy: no decorators on properties
    @property
    def totals(self) -> dict[str, int]:
        """The numbers of shards, and of their sentences and edits."""
        names = ("sentences", "edits")
        sums = {name: sum(getattr(one, name) for one in self.shards.values()) for name in names}
        return {"shards": len(self.shards)} | sums

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """Return a manifest.

        Raises:
            InputError: It cannot be read.
            FormatError: It is not one.
        """
        try:
            return cls.model_validate_json(path.read_bytes())
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({reason(error)})") from None
        except ValueError:
            problem = "not a manifest of shards; give another folder, or start over with --force"
            raise FormatError(str(path), None, problem) from None

    def write(self, path: Path) -> None:
        """Write a file, which is whole at every moment.

        Raises:
            OutputError: It cannot be written.
        """
        self.shards = dict(sorted(self.shards.items()))
        with open_output(str(path)) as stream:
            stream.write(self.model_dump_json(indent=1) + "\n")


@dataclass(frozen=True, slots=True)
class Shard:
    """Some sources with their corrections.

    Attributes:
        name: The name of its M2 file.
        files: The one file that holds everything, or the source and the corrected texts.
        before: What an earlier run did of it; None if nothing is known.
    """

    name: str
    files: tuple[str, ...]
    before: ShardRecord | None = None


# Which files are shards


def find_shards(paths: Sequence[str], format: str) -> list[Shard]:
    """Return shards by name. Their M2 files are compressed as they are themselves.

    Args:
        paths: For formats of one file (``tsv``, ``jsonl``, ``cherrant``) the files; a folder stands for all its
            files. For the others a folder of sources and one for each annotator's corrections, whose files have
            equal names.
        format: The format of the files.

    Raises:
        UsageError: The files make no shards, or two make M2 files of the same name; names them.
        InputError: A folder cannot be read.
    """
    if STDIO in paths:
        raise UsageError(
            "found standard input (-) among the shards, expected files; give files, or one output file with -o"
        )
    groups: list[tuple[str, ...]]
    if format in WHOLE:
        groups = [(file,) for path in paths for file in (_inside(path) if is_folder(path) else [path])]
    else:
        groups = _by_folder(paths, format)
    if not groups:
        raise UsageError(f"{', '.join(paths)}: found no files")
    shards: dict[str, Shard] = {}
    for files in groups:
        stem, compression = _split(Path(files[0]).name)
        kind = next((kind for kind in _KINDS if stem.endswith(kind) and stem != kind), "")
        stem = stem.removesuffix(kind)
        name = f"{stem}.m2{compression}"
        if stem in shards:
            raise UsageError(
                f"{shards[stem].files[0]} and {files[0]} would both become {name}; rename one, or use two folders"
            )
        if len(name.encode()) > _LONGEST:
            raise UsageError(f"{files[0]}: its name is too long for an M2 file; rename it")
        shards[stem] = Shard(name, files)
    return sorted(shards.values(), key=lambda shard: shard.name)


def _split(name: str) -> tuple[str, str]:
    """Return the name of a file without the ending that says how it is compressed, and that ending."""
    ending = next((ending for ending in COMPRESSED if name.endswith(ending)), "")
    return name.removesuffix(ending), ending


def _inside(folder: str) -> list[str]:
    """Return the files of a folder; those with names that begin with a point are hidden from view.

    Raises:
        UsageError: It holds another folder.
        InputError: It cannot be read.
    """
    try:
        entries = [entry for entry in sorted(Path(folder).iterdir()) if not entry.name.startswith(".")]
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({reason(error)})") from None
    for entry in entries:
        if entry.is_dir():
            raise UsageError(
                f"{entry}: found a folder among the shards, expected files; give the files in it"
            )
    return [str(entry) for entry in entries]


def _by_folder(paths: Sequence[str], format: str) -> list[tuple[str, ...]]:
    """Return the files of several folders, those of equal names together."""
    if len(paths) < 2 or not all(map(is_folder, paths)):
        raise UsageError(
            f"for M2 files in a folder --format={format} takes a folder of sources and one for each annotator, "
            "with files of equal names"
        )
    sides = [{Path(file).name: file for file in _inside(path)} for path in paths]
    for path, side in zip(paths[1:], sides[1:], strict=True):
        for name in sorted(sides[0].keys() ^ side.keys()):
            has, lacks = (paths[0], path) if name in sides[0] else (path, paths[0])
            raise UsageError(f"{name} is in {has} but not in {lacks}; both need files of the same names")
    return [tuple([side[name] for side in sides]) for name in sides[0]]


# One shard


@dataclass(frozen=True, slots=True)
class ShardSettings:
    """How shards are annotated; a value that pickles.

    Attributes:
        options: How to annotate.
        format, raw: As in ``annotate_files``.
        batch: Records annotated together; changes no result.
    """

    options: AnnotatorOptions
    format: str = "tsv"
    raw: bool = False
    batch: int = BATCH

    def signature(self) -> dict[str, str]:
        """Return everything besides the files that the bytes of M2 files depend on, by name.

        Raises:
            JperrantError: The pack or the models cannot be found.
        """
        contents = "".join(fingerprint(self.options, portable=True))
        return {
            **versions_of(["jperrant", *packages(self.options)]),
            "code": checksum_of_code(_ROOMS)[:_SHOWN],
            "packs and models": hashlib.sha256(contents.encode()).hexdigest()[:_SHOWN],
            "format": self.format,
            "raw": str(self.raw).lower(),
            **{name: _shown(name, value) for name, value in asdict(self.options).items()},
            "lang": self.options.language,
        }


def _shown(name: str, value: object) -> str:
    """Return an option as text; files are told from names, and their contents count elsewhere."""
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    is_file = name in _FILES and value not in ("", *_FILES[name]) and exists(str(value))
    return "given" if is_file else str(value)


@dataclass(frozen=True, slots=True)
class ShardDone:
    """A shard that is done.

    Attributes:
        record: What came of it.
        reused: Whether an earlier run did it.
        blockwise, recoded: As in ``Noticed``.
        problems: What to say of its text.
    """

    record: ShardRecord
    reused: bool = False
    blockwise: int = 0
    recoded: int = 0
    problems: tuple[str, ...] = ()


@dataclass
class ShardWork:
    """Annotates shards; a process has one, which keeps the annotator that it loads for the first.

    Attributes:
        settings: How to annotate.
        out: The folder of the M2 files.
        annotator: One made of the settings; None loads one for the first shard.
    """

    settings: ShardSettings
    out: Path
    annotator: Annotator | None = None

    def signature(self) -> dict[str, str]:
        """Return what the M2 files depend on besides the shards."""
        return self.settings.signature()

    def __call__(self, task: Shard) -> Iterator[ShardDone]:
        """Annotate a shard, unless it is done.

        Raises:
            JperrantError: It cannot be read, annotated or written.
        """
        inputs = tuple([FileContent.of(Path(file)) for file in task.files])
        if task.before is not None and self._is_done(task.before, inputs):
            yield ShardDone(task.before, reused=True)
        else:
            yield self._annotated(task, inputs)

    def _is_done(self, before: ShardRecord, inputs: tuple[FileContent, ...]) -> bool:
        """Whether what was done is still there and of the same files."""
        same = before.contents == tuple([one.sha256 for one in inputs])
        return same and before.output.is_in(self.out)

    def _annotated(self, shard: Shard, inputs: tuple[FileContent, ...]) -> ShardDone:
        settings, path = self.settings, self.out / shard.name
        counts, noticed = Counter[str](), Noticed()
        if self.annotator is None:
            self.annotator = load_beside_others(effective(settings.options, settings.format))
        blocks = annotate_files(
            settings.options,
            shard.files[0],
            shard.files[1:],
            format=settings.format,
            raw=settings.raw,
            batch=settings.batch,
            annotator=self.annotator,
            noticed=noticed,
        )
        others = [settings.options.lexicon] if settings.options.lexicon else []
        with open_output(str(path), [*shard.files, *others]) as stream:
            write_m2(_counted(noticed.watch(blocks), counts), stream)
        self._check_unchanged(shard, inputs, path)
        record = ShardRecord(
            inputs=inputs,
            output=FileContent.of(path),
            sentences=counts["sentences"],
            edits=counts["edits"],
        )
        problems = noticed.problems(settings.options, settings.raw or settings.format == "essays")
        return ShardDone(record, False, noticed.blockwise, noticed.recoded, problems)

    def _check_unchanged(self, shard: Shard, inputs: tuple[FileContent, ...], output: Path) -> None:
        """Remove what was written if a file is not what it was before, or is gone.

        Raises:
            InputError: It has.
        """
        for file, content in zip(shard.files, inputs, strict=True):
            if not content.is_in(Path(file).parent):
                output.unlink(missing_ok=True)
                raise InputError(f"{file}: the file changed while it was annotated; run again with --resume")


def _counted(blocks: Iterable[Block], counts: Counter[str]) -> Iterator[Block]:
    """Pass blocks on and count them and their edits."""
    for block in blocks:
        counts["sentences"] += 1
        counts["edits"] += sum(len(annotation.edits) for annotation in block.annotations)
        yield block


# All shards


@dataclass(frozen=True, slots=True)
class ShardsResult:
    """What came of a run.

    Attributes:
        done: The shards that are done, by the name of their M2 file.
        failed: Why the others are not, by the name of their first file.
        notes: What to say of the texts.
    """

    done: Mapping[str, ShardDone]
    failed: Mapping[str, str]
    notes: tuple[str, ...]


def annotate_shards(
    shards: Sequence[Shard],
    out: str,
    settings: ShardSettings,
    *,
    crew: Crew | None = None,
    resume: bool = False,
    force: bool = False,
) -> ShardsResult:
    """Annotate shards, each into an M2 file of its own, and keep a manifest.

    Args:
        shards: The shards.
        out: The folder; made if it is not there.
        settings: How to annotate.
        crew: Who does it; None for this process.
        resume: Keep what an earlier run with the same settings did of the same files.
        force: Start over, whatever is in the folder.

    Raises:
        UsageError: The folder holds inputs, or results that are neither resumed nor replaced, or results of other
            settings; says which. Or another program writes to it.
        JperrantError: No shard can be annotated.
    """
    check_format(settings.format, settings.raw)
    folder = Path(out)
    _make(folder, shards)
    # Loaded here, too, so that what is wrong with packs and models is said once.
    annotator = effective(settings.options, settings.format).load()
    work = ShardWork(settings, folder, None if crew and crew.begin else annotator)
    path, signature = folder / _MANIFEST, settings.signature()
    with held(folder):
        former = _former(path, signature, shards, resume, force)
        manifest = Manifest(signature=signature, shards={} if force else former)
        known = [replace(shard, before=manifest.shards.get(shard.name)) for shard in shards]
        try:
            _remove_unfinished(folder, shards)
            manifest.write(path)
            result = _run(crew or Crew(), work, known, manifest, path)
        finally:
            _remove_unfinished(folder, shards)
        gone = _remove_renamed(folder, shards, result, former)
        for name in gone:
            manifest.shards.pop(name, None)
        if gone:
            manifest.write(path)
    removed = [f"{folder / old}: removed, as its shard is now {new}" for old, new in gone.items()]
    return replace(result, notes=(*result.notes, *removed))


def _make(folder: Path, shards: Sequence[Shard]) -> None:
    """Make the folder of the M2 files.

    Raises:
        UsageError: The inputs are in it, or a file has its name.
        OutputError: It cannot be made.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            f"{folder}: found a file, expected a folder for the M2 files of shards; give another with -o"
        )
    place = folder.resolve()
    for file in (file for shard in shards for file in shard.files):
        if Path(file).resolve().parent == place:
            raise UsageError(
                f"{folder} is the folder of the input {file}; give another folder for the M2 files with -o"
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: the folder cannot be created ({reason(error)})") from None


def _former(
    path: Path, signature: Mapping[str, str], shards: Sequence[Shard], resume: bool, force: bool
) -> dict[str, ShardRecord]:
    """Return what an earlier run recorded, unless this run cannot go on with it.

    Raises:
        UsageError: There are results of other settings, or results and nothing says what to do with them.
        InputError: The manifest cannot be read.
    """
    folder, names = path.parent, {shard.name for shard in shards}
    if force:
        with suppress(InputError):
            return Manifest.read(path).shards
        return {}
    if not path.exists():
        if found := sorted(name for name in names if (folder / name).exists()):
            raise UsageError(
                f"{folder / found[0]} exists already and no manifest lists it; give another folder, or replace it "
                "with --force"
            )
        return {}
    manifest = Manifest.read(path)
    if different := differences(signature, manifest.signature):
        raise UsageError(
            f"{path} records different settings ({'; '.join(different)}); give another folder, or start over "
            "with --force"
        )
    recorded = {_split(name)[0]: name for name in manifest.shards}
    for name in sorted(names - manifest.shards.keys()):
        if other := recorded.get(_split(name)[0]):
            raise UsageError(
                f"{path} records {other}, which would now be {name}, as its shard is compressed otherwise; "
                "start over in another folder"
            )
    if not resume:
        raise UsageError(
            f"{path} exists already; continue that run with --resume, or start over with --force"
        )
    return manifest.shards


def _run(
    crew: Crew, work: ShardWork, shards: Sequence[Shard], manifest: Manifest, path: Path
) -> ShardsResult:
    done: dict[str, ShardDone] = {}
    failed: dict[str, str] = {}
    due = 0.0
    try:
        # Closed at once, also if this ends with an error, so that nothing is written any more.
        with closing(crew.outcomes(work, shards)) as outcomes:
            for shard, outcome in track(outcomes, "annotating shards", len(shards)):
                name = shard.name
                if isinstance(outcome, ShardDone):
                    done[name], manifest.shards[name] = outcome, outcome.record
                elif _ends_all(outcome):
                    raise outcome
                else:
                    failed[shard.files[0]] = str(outcome)
                    manifest.shards.pop(name, None)
                if (begin := time.monotonic()) >= due:
                    manifest.write(path)
                    due = begin + (time.monotonic() - begin) / _SHARE
    finally:
        with suppress(OutputError):  # if the disk is full, that has been said
            manifest.write(path)
    done = dict(sorted(done.items()))
    blockwise, recoded = (
        sum(getattr(one, name) for one in done.values()) for name in ("blockwise", "recoded")
    )
    files = {shard.name: shard.files[0] for shard in shards}
    said = [f"{files[name]}: {problem}" for name, one in done.items() for problem in one.problems]
    return ShardsResult(done, dict(sorted(failed.items())), (*notes(blockwise, recoded), *said))


def _ends_all(error: Exception) -> bool:
    """Whether an error ends the run, and not only its shard."""
    if isinstance(error, WorkerError):
        return False
    return not isinstance(error, JperrantError) or isinstance(error, _OF_ALL)


def _remove_renamed(
    folder: Path, shards: Sequence[Shard], result: ShardsResult, former: Mapping[str, ShardRecord]
) -> dict[str, str]:
    """Remove M2 files of shards that have another name now, and return the old names with the new ones.

    Such a shard has the content of one that was annotated now, and its files are no longer beside those.
    """
    places = {Path(file).parent for shard in shards for file in shard.files}
    now = {one.record.contents: name for name, one in result.done.items()}
    renamed = {}
    for name in sorted(former.keys() - {shard.name for shard in shards}):
        record = former[name]
        gone = not any((place / file.name).exists() for place in places for file in record.inputs)
        if gone and record.contents in now and record.output.is_in(folder):
            (folder / name).unlink()
            renamed[name] = now[record.contents]
    return renamed


def _remove_unfinished(folder: Path, shards: Sequence[Shard]) -> None:
    """Remove what processes left that were killed while they wrote the M2 of these shards or their manifest."""
    names = {shard.name for shard in shards} | {_MANIFEST}
    for path in folder.iterdir():
        match = UNFINISHED.fullmatch(path.name)
        if match and match[1] in names:
            path.unlink(missing_ok=True)


def summary(result: ShardsResult) -> str:
    """Return one line on what came of a run."""
    records = [one.record for one in result.done.values()]
    parts = [f"{plural(len(records), 'shard')} done"]
    if reused := sum(one.reused for one in result.done.values()):
        parts[0] += f" ({reused} of them before)"
    if result.failed:
        parts.append(f"{len(result.failed)} failed; run again with --resume to retry them")
    sentences, edits = sum(one.sentences for one in records), sum(one.edits for one in records)
    parts.append(f"{plural(sentences, 'sentence')}, {plural(edits, 'edit')}")
    return "; ".join(parts)
