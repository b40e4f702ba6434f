"""Annotation of corpora in many files (shards): one M2 file for each shard, and a manifest of finished shards."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel

from jperrant.annotation.annotated_files import WHOLE, annotate_files, check_format, effective
from jperrant.annotation.annotator import BATCH, Annotator, annotator_of
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.annotation.fingerprint import checksum, fingerprint, packages
from jperrant.annotation.noticed import Noticed
from jperrant.cluster.workers import Crew, Work
from jperrant.core.errors import FormatError, InputError, JperrantError, MissingError, OutputError, UsageError
from jperrant.core.messages import differences, plural
from jperrant.core.packages import checksum_of_package, versions_of
from jperrant.core.paths import is_folder
from jperrant.core.progress import track
from jperrant.core.store import held
from jperrant.io.files import ENDINGS as COMPRESSED
from jperrant.io.files import STDIO, UNFINISHED, open_output, reason
from jperrant.io.m2 import write_m2

#: File endings that are cut off before ``.m2`` is added.
_KINDS = (".tsv", ".txt", ".jsonl", ".json", ".conllu", ".para")
#: Options that name files, whose contents are part of the signature instead of their paths.
_CONTENTS = ("pack", "lexicon", "dictionary")
#: The characters of a checksum that are kept.
_SHOWN = 16
_MANIFEST = "manifest.json"
#: The largest share of time for writing the manifest.
_SHARE = 0.05
#: Errors that end the run, as every other shard would raise them too.
_OF_ALL = (MissingError, UsageError, OutputError)


class ShardRecord(BaseModel, frozen=True):
    """The record of a finished shard.

    Attributes:
        inputs: SHA-256 of the input files, in their order.
        output: SHA-256 of the M2 file.
        sentences: The number of blocks.
        edits: The number of edits by all annotators.
    """

    inputs: tuple[str, ...]
    output: str
    sentences: int
    edits: int


class Manifest(BaseModel):
    """The manifest of a folder of M2 files.

    Attributes:
        signature: The settings and versions that the M2 files depend on.
        shards: The records of finished shards, by the name of the M2 file.
    """

    signature: dict[str, str]
    shards: dict[str, ShardRecord]

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """Return the manifest of a file, without shards whose M2 files no longer exist.

        Raises:
            FormatError: The file cannot be read, or is not a manifest.
        """
        try:
            found = cls.model_validate_json(path.read_bytes())
        except (OSError, ValueError):
            problem = "not a manifest of shards; give another folder, or start over with --force"
            raise FormatError(str(path), None, problem) from None
        there = {name: one for name, one in found.shards.items() if (path.parent / name).exists()}
        return found.model_copy(update={"shards": there})

    def write(self, path: Path) -> None:
        """Write the manifest to a file atomically.

        Raises:
            OutputError: The file cannot be written.
        """
        self.shards = dict(sorted(self.shards.items()))
        with open_output(str(path)) as stream:
            stream.write(self.model_dump_json(indent=1) + "\n")


class Shard(NamedTuple):
    """One shard of a corpus.

    Attributes:
        name: The name of its M2 file.
        files: The one file with sources and corrections, or the files of the source and of the corrections.
        before: The record of an earlier run; None without one.
    """

    name: str
    files: tuple[str, ...]
    before: ShardRecord | None = None


# Which files are shards


def find_shards(paths: Sequence[str], format: str) -> list[Shard]:
    """Return the shards in files and folders, sorted by name; an M2 file has the compression of its shard.

    Args:
        paths: For the formats ``tsv``, ``jsonl`` and ``cherrant`` files, or folders of such. For other formats a
            folder of sources and a folder of corrections by each annotator, with files of equal names.
        format: The format of the files.

    Raises:
        UsageError: The files do not form shards, or two shards would have the same M2 file; names them.
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
        name = Path(files[0]).name
        compression = next((ending for ending in COMPRESSED if name.endswith(ending)), "")
        stem = name.removesuffix(compression)
        kind = next((kind for kind in _KINDS if stem.endswith(kind) and stem != kind), "")
        stem = stem.removesuffix(kind)
        shard = Shard(f"{stem}.m2{compression}", files)
        if (other := shards.setdefault(stem, shard)) is not shard:
            raise UsageError(
                f"{other.files[0]} and {files[0]} would both become {shard.name}; rename one, or use two folders"
            )
    return sorted(shards.values())


def _inside(folder: str) -> list[str]:
    """Return the sorted contents of a folder without hidden files.

    Raises:
        InputError: The folder cannot be read.
    """
    try:
        return sorted(str(entry) for entry in Path(folder).iterdir() if not entry.name.startswith("."))
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({reason(error)})") from None


def _by_folder(paths: Sequence[str], format: str) -> list[tuple[str, ...]]:
    """Return the files of several folders, grouped by name."""
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


class ShardDone(NamedTuple):
    """A finished shard.

    Attributes:
        record: The record of the shard.
        problems: The warnings about its text; None if an earlier run annotated it.
    """

    record: ShardRecord
    problems: tuple[str, ...] | None = None


@dataclass
class ShardWork(Work):
    """The work of a process: annotates shards with one annotator.

    Attributes:
        options, format, raw, batch: As in ``annotate_files``.
        out: The folder of the M2 files.
        annotator: The annotator; if None, one is loaded for the first shard.
    """

    options: AnnotatorOptions
    out: Path
    format: str = "tsv"
    raw: bool = False
    batch: int = BATCH
    annotator: Annotator | None = None

    def signature(self) -> dict[str, str]:
        """Return the settings and versions that M2 files depend on, by name.

        Raises:
            JperrantError: The pack or the models cannot be found.
        """
        contents = "".join(fingerprint(self.options))
        named = {name: value for name, value in asdict(self.options).items() if name not in _CONTENTS}
        models = "given" if is_folder(self.options.models) else self.options.models
        named |= {"models": models, "lang": self.options.language, "format": self.format, "raw": self.raw}
        return {
            **versions_of(["jperrant", *packages(self.options)]),
            "code": checksum_of_package("jperrant")[:_SHOWN],
            "packs and models": hashlib.sha256(contents.encode()).hexdigest()[:_SHOWN],
            **{name: str(value) for name, value in named.items()},
        }

    def __call__(self, task: Shard) -> Iterator[ShardDone]:
        """Annotate a shard, unless its record and M2 file are up to date.

        Raises:
            JperrantError: The shard cannot be read, annotated or written.
        """
        inputs, before, output = tuple(map(checksum, task.files)), task.before, self.out / task.name
        if before and before.inputs == inputs and checksum(output) == before.output:
            yield ShardDone(before)
        else:
            yield self._annotated(task.files, inputs, output)

    def _annotated(self, files: Sequence[str], inputs: tuple[str, ...], output: Path) -> ShardDone:
        noticed, options = Noticed(), self.options
        self.annotator = self.annotator or annotator_of(effective(options, self.format))
        blocks = annotate_files(
            options,
            files[0],
            files[1:],
            format=self.format,
            raw=self.raw,
            batch=self.batch,
            annotator=self.annotator,
            noticed=noticed,
        )
        with open_output(str(output)) as stream:
            write_m2(noticed.watch(blocks), stream)
            if tuple(map(checksum, files)) != inputs:
                raise InputError(
                    f"{files[0]}: the shard changed while it was annotated; run again with --resume"
                )
        record = ShardRecord(
            inputs=inputs, output=checksum(output), sentences=noticed.sentences, edits=noticed.edits
        )
        return ShardDone(record, noticed.problems(options, self.raw or self.format == "essays"))


# All shards


@dataclass(frozen=True, slots=True)
class ShardsResult:
    """The result of a run.

    Attributes:
        done: The finished shards, by the name of the M2 file.
        failed: The errors of the other shards, by the name of the first file.
        notes: The warnings about the texts.
    """

    done: Mapping[str, ShardDone]
    failed: Mapping[str, str]
    notes: tuple[str, ...]

    def __str__(self) -> str:
        """Return a summary of the run in one line."""
        records = [one.record for one in self.done.values()]
        parts = [f"{plural(len(records), 'shard')} done"]
        if reused := sum(one.problems is None for one in self.done.values()):
            parts[0] += f" ({reused} of them before)"
        if self.failed:
            parts.append(f"{len(self.failed)} failed; run again with --resume to retry them")
        sentences, edits = sum(one.sentences for one in records), sum(one.edits for one in records)
        parts.append(f"{plural(sentences, 'sentence')}, {plural(edits, 'edit')}")
        return "; ".join(parts)


def annotate_shards(
    paths: Sequence[str], work: ShardWork, crew: Crew | None = None, resume: bool = False, force: bool = False
) -> ShardsResult:
    """Annotate shards, each into its own M2 file, and keep a manifest.

    Args:
        paths: The shards, as in ``find_shards``.
        work: The options and the folder of the M2 files, which is created if needed.
        crew: The processes that annotate; None for this process.
        resume: Whether to keep finished shards of an earlier run with the same settings.
        force: Whether to start over and replace the contents of the folder.

    Raises:
        UsageError: The folder holds inputs, results of other settings, or results that are neither resumed nor
            replaced; or another program writes to it.
        JperrantError: An error that concerns all shards, such as a missing model.
    """
    if resume and force:
        raise UsageError(
            "--resume and --force exclude each other: one keeps finished shards, the other replaces them; give "
            "only one"
        )
    check_format(work.format, work.raw, work.options)
    shards, folder, crew = find_shards(paths, work.format), work.out, crew or Crew()
    _make(folder, shards)
    # Loaded here too, so that errors of packs and models are raised once.
    annotator = annotator_of(effective(work.options, work.format))
    work = replace(work, annotator=None if crew.begin else annotator)
    path, signature = folder / _MANIFEST, work.signature()
    with held(folder):
        manifest = Manifest(signature=signature, shards=_former(path, signature, shards, resume, force))
        tasks = {shard.name: shard._replace(before=manifest.shards.get(shard.name)) for shard in shards}
        try:
            manifest.write(path)
            done, failed = _run(crew, work, [*tasks.values()], manifest, path)
        finally:
            _remove_unfinished(folder)
    found = [(shard.files[0], done[shard.name].problems or ()) for shard in shards if shard.name in done]
    notes = [f"{file}: {problem}" for file, problems in found for problem in problems]
    notes += [
        f"{other}: its shard was not given this time; remove it if the corpus no longer has that shard"
        for other in sorted(folder.iterdir())
        if ".m2" in other.suffixes and other.name not in tasks
    ]
    return ShardsResult(done, failed, tuple(notes))


def _make(folder: Path, shards: Sequence[Shard]) -> None:
    """Create the folder of the M2 files.

    Raises:
        UsageError: It is the folder of an input.
        OutputError: It cannot be created.
    """
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
    """Return the records of an earlier run to resume; empty for a new run.

    Raises:
        UsageError: The folder has results of other settings, or results that are neither resumed nor replaced.
        InputError: The manifest cannot be read.
    """
    if force:
        return {}
    if not path.exists():
        if found := [file for shard in shards if (file := path.parent / shard.name).exists()]:
            raise UsageError(
                f"{found[0]} exists already and no manifest lists it; give another folder, or replace it "
                "with --force"
            )
        return {}
    manifest = Manifest.read(path)
    if different := differences(signature, manifest.signature):
        raise UsageError(
            f"{path} records different settings ({'; '.join(different)}); give another folder, or start over "
            "with --force"
        )
    if not resume:
        raise UsageError(
            f"{path} exists already; continue that run with --resume, or start over with --force"
        )
    return manifest.shards


def _run(
    crew: Crew, work: ShardWork, tasks: Sequence[Shard], manifest: Manifest, path: Path
) -> tuple[dict[str, ShardDone], dict[str, str]]:
    """Return the finished shards by the M2 file, and the errors of the others by the first file."""
    done: dict[str, ShardDone] = {}
    failed: dict[str, str] = {}
    due = 0.0
    try:
        # Closed at once, also after an error, so that nothing more is written.
        with closing(crew.outcomes(work, tasks)) as outcomes:
            for shard, outcome in track(outcomes, "annotating shards", len(tasks)):
                if isinstance(outcome, ShardDone):
                    done[shard.name], manifest.shards[shard.name] = outcome, outcome.record
                elif isinstance(outcome, JperrantError) and not isinstance(outcome, _OF_ALL):
                    failed[shard.files[0]] = str(outcome)
                    manifest.shards.pop(shard.name, None)
                else:
                    raise outcome
                if (begin := time.monotonic()) >= due:
                    manifest.write(path)
                    due = begin + (time.monotonic() - begin) / _SHARE
    finally:
        with suppress(OutputError):  # a full disk has been reported by then
            manifest.write(path)
    return done, dict(sorted(failed.items()))


def _remove_unfinished(folder: Path) -> None:
    """Remove unfinished files of processes that were killed while writing."""
    for path in folder.iterdir():
        if UNFINISHED.fullmatch(path.name):
            path.unlink(missing_ok=True)
