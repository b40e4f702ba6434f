"""Corpora in many files: each shard becomes an M2 file of its own, and a manifest says what is done."""

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

#: Endings of names that say what is in a file, and so not in the name of its M2.
_KINDS = (".tsv", ".txt", ".jsonl", ".json", ".conllu", ".para")
#: Options that name files, which count by their contents and not by their place.
_CONTENTS = ("pack", "lexicon", "dictionary")
#: Letters of a checksum that are shown.
_SHOWN = 16
_MANIFEST = "manifest.json"
#: Writing the manifest takes at most this share of the time.
_SHARE = 0.05
#: Errors that the next shard would end with too.
_OF_ALL = (MissingError, UsageError, OutputError)


class ShardRecord(BaseModel, frozen=True):
    """What came of a shard.

    Attributes:
        inputs: The SHA-256 of its files: of the one that holds everything, or of the source and the corrections.
        output: The SHA-256 of its M2 file.
        sentences: Blocks of the M2 file.
        edits: Edits of all annotators.
    """

    inputs: tuple[str, ...]
    output: str
    sentences: int
    edits: int


class Manifest(BaseModel):
    """What runs have done in a folder.

    Attributes:
        signature: What the results depend on besides the shards.
        shards: What is done, by the name of the M2 file.
    """

    signature: dict[str, str]
    shards: dict[str, ShardRecord]

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """Return a manifest without the shards whose M2 files are gone.

        Raises:
            FormatError: It cannot be read, or is not one.
        """
        try:
            found = cls.model_validate_json(path.read_bytes())
        except (OSError, ValueError):
            problem = "not a manifest of shards; give another folder, or start over with --force"
            raise FormatError(str(path), None, problem) from None
        there = {name: one for name, one in found.shards.items() if (path.parent / name).exists()}
        return found.model_copy(update={"shards": there})

    def write(self, path: Path) -> None:
        """Write a file, which is whole at every moment.

        Raises:
            OutputError: It cannot be written.
        """
        self.shards = dict(sorted(self.shards.items()))
        with open_output(str(path)) as stream:
            stream.write(self.model_dump_json(indent=1) + "\n")


class Shard(NamedTuple):
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
    """Return what is in a folder; names that begin with a point are hidden from view.

    Raises:
        InputError: It cannot be read.
    """
    try:
        return sorted(str(entry) for entry in Path(folder).iterdir() if not entry.name.startswith("."))
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({reason(error)})") from None


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


class ShardDone(NamedTuple):
    """A shard that is done.

    Attributes:
        record: What came of it.
        problems: What to say of its text; None if an earlier run did it.
    """

    record: ShardRecord
    problems: tuple[str, ...] | None = None


@dataclass
class ShardWork(Work):
    """How shards are annotated; a process keeps the annotator that it loads for the first of them.

    Attributes:
        options, format, raw, batch: As in ``annotate_files``.
        out: The folder of the M2 files.
        annotator: One made of the options; None loads one for the first shard.
    """

    options: AnnotatorOptions
    out: Path
    format: str = "tsv"
    raw: bool = False
    batch: int = BATCH
    annotator: Annotator | None = None

    def signature(self) -> dict[str, str]:
        """Return everything besides the shards that the bytes of M2 files depend on, by name.

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
        """Annotate a shard, unless it is done.

        Raises:
            JperrantError: It cannot be read, annotated or written.
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
    """What came of a run.

    Attributes:
        done: The shards that are done, by the name of their M2 file.
        failed: Why the others are not, by the name of their first file.
        notes: What to say of the texts.
    """

    done: Mapping[str, ShardDone]
    failed: Mapping[str, str]
    notes: tuple[str, ...]

    def __str__(self) -> str:
        """Return one line on what came of the run."""
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
    """Annotate shards, each into an M2 file of its own, and keep a manifest.

    Args:
        paths: The shards, as in ``find_shards``.
        work: How to annotate, and the folder, which is made if it is not there.
        crew: Who does it; None for this process.
        resume: Keep what an earlier run with the same settings did of the same files.
        force: Start over, whatever is in the folder.

    Raises:
        UsageError: The folder holds inputs, or results that are neither resumed nor replaced, or results of other
            settings; says which. Or another program writes to it.
        JperrantError: No shard can be annotated.
    """
    if resume and force:
        raise UsageError(
            "--resume and --force exclude each other: one keeps finished shards, the other replaces them; give "
            "only one"
        )
    check_format(work.format, work.raw, work.options)
    shards, folder, crew = find_shards(paths, work.format), work.out, crew or Crew()
    _make(folder, shards)
    # Loaded here, too, so that what is wrong with packs and models is said once.
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
    """Make the folder of the M2 files.

    Raises:
        UsageError: The inputs are in it.
        OutputError: It cannot be made.
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
    """Return what an earlier run recorded, unless this run cannot go on with it.

    Raises:
        UsageError: There are results of other settings, or results and nothing says what to do with them.
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
    """Return what is done by the name of its M2 file, and why the rest is not by that of its first file."""
    done: dict[str, ShardDone] = {}
    failed: dict[str, str] = {}
    due = 0.0
    try:
        # Closed at once, also if this ends with an error, so that nothing is written any more.
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
        with suppress(OutputError):  # if the disk is full, that has been said
            manifest.write(path)
    return done, dict(sorted(failed.items()))


def _remove_unfinished(folder: Path) -> None:
    """Remove what processes left that were killed while they wrote."""
    for path in folder.iterdir():
        if UNFINISHED.fullmatch(path.name):
            path.unlink(missing_ok=True)
