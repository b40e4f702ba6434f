"""Annotating many shards: what is done already is kept, what fails is named, the rest is done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from jperrant.annotation.files import check_format, effective
from jperrant.annotation.noticed import notes
from jperrant.annotation.shards.manifest import Manifest, ShardRecord, is_there, merged, read_manifest
from jperrant.annotation.shards.naming import Shard, uncompressed
from jperrant.annotation.shards.settings import ShardSettings, with_whole_paths
from jperrant.annotation.shards.work import ShardDone, ShardTask, ShardWork
from jperrant.cluster.work import Crew
from jperrant.core.errors import JperrantError, MissingError, OutputError, UsageError, WorkerError
from jperrant.core.messages import differences, plural
from jperrant.core.progress import track
from jperrant.core.store import held
from jperrant.io.files import check_output, reason

#: The name of the manifest; that of a part has its numbers.
MANIFEST = "manifest.json"
#: Files of rejected records that a summary names.
_NAMED = 3
_MANIFESTS = re.compile(r"manifest(-\d+-of-\d+)?\.json")
#: A file of ours that did not get its name: the first letters of the name, and a random number.
_UNFINISHED = re.compile(r"\.(.{1,49})\.[0-9a-f]{16}\.part", re.DOTALL)
#: Errors that the next shard would end with too.
_OF_ALL = (MissingError, UsageError, OutputError)


@dataclass(frozen=True, slots=True)
class Part:
    """One of several runs that share the shards: every ``of``-th shard, beginning with number ``number``.

    Attributes:
        number: Which one, from 1.
        of: How many there are.
    """

    number: int = 1
    of: int = 1

    @classmethod
    def parse(cls, text: str) -> Part:
        """Return a part written as ``3/16``.

        Raises:
            UsageError: It is no such part.
        """
        match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text)
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise UsageError(f"--part {text}: expected a part and the number of parts, such as 3/16")
        return cls(int(match[1]), int(match[2]))

    @property
    def manifest(self) -> str:
        """The name of this part's manifest."""
        return MANIFEST if self.of == 1 else f"manifest-{self.number}-of-{self.of}.json"

    def of_shards(self, shards: Sequence[Shard]) -> Sequence[Shard]:
        """Return the shards of this part."""
        return shards[self.number - 1 :: self.of]


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

    @property
    def rejections(self) -> int:
        """Records that were set aside."""
        return sum(one.record.rejections for one in self.done.values())

    @property
    def reused(self) -> int:
        """Shards that an earlier run has done."""
        return sum(one.reused for one in self.done.values())


def annotate_shards(
    shards: Sequence[Shard],
    out: str,
    settings: ShardSettings,
    *,
    crew: Crew | None = None,
    resume: bool = False,
    force: bool = False,
    part: Part = Part(),
) -> ShardsResult:
    """Annotate shards, each into an M2 file of its own, and keep a manifest.

    Args:
        shards: The shards.
        out: The folder; made if it is not there.
        settings: How to annotate.
        crew: Who does it; None for this process.
        resume: Keep what an earlier run with the same settings did of the same files.
        force: Start over, whatever is in the folder.
        part: Which of the shards this run does.

    Raises:
        UsageError: The folder holds inputs, or results that are neither resumed nor replaced, or results of other
            settings; says which.
        JperrantError: No shard can be annotated; with ``settings.stop``, one cannot.
    """
    check_format(settings.format, settings.raw)
    crew = crew or Crew()
    folder = Path(out)
    own = part.of_shards(shards)
    _check_folder(folder, own, settings)
    work = ShardWork(with_whole_paths(settings), folder.resolve(), shares_cores=type(crew) is not Crew)
    effective(
        settings.options, settings.format
    ).load()  # so that what is wrong with packs and models is said once
    _make(folder)
    with held(folder, f".{part.manifest}.lock"):
        former = _recorded(folder)
        result = _annotate(own, folder, work, crew, resume=resume, force=force, part=part)
        return replace(result, notes=(*result.notes, *_remove_renamed(folder, shards, result, former)))


def _annotate(
    own: Sequence[Shard],
    folder: Path,
    work: ShardWork,
    crew: Crew,
    *,
    resume: bool,
    force: bool,
    part: Part,
) -> ShardsResult:
    """Annotate the shards of a part, whose manifest no other run writes meanwhile."""
    signature, before = work.signature(), dict[str, ShardRecord]()
    if force:
        manifest = _new_manifest(folder, signature, part)
    else:
        manifest, before = _manifest(folder, signature, own, part, resume)
    tasks = [
        ShardTask(
            Shard(shard.name, tuple([str(Path(file).resolve()) for file in shard.files])),
            shard.files,
            before.get(shard.name),
        )
        for shard in own
    ]
    try:
        _remove_unfinished(folder, own, part.manifest)
        manifest.write()
        return _run(crew, work, tasks, manifest)
    finally:
        _remove_unfinished(folder, own, part.manifest)


def _recorded(folder: Path) -> dict[str, ShardRecord]:
    """Return what the manifests of a folder list, as far as they can be read."""
    known: dict[str, ShardRecord] = {}
    for path in _manifests(folder):
        with suppress(JperrantError):
            known |= read_manifest(path).shards
    return known


def _remove_renamed(
    folder: Path, shards: Sequence[Shard], result: ShardsResult, former: Mapping[str, ShardRecord]
) -> Iterator[str]:
    """Remove M2 files of shards that have another name now, and yield what is said of them.

    Such a shard has the content of one that was annotated now, and its files are no longer beside those.
    """
    places = {Path(file).parent for shard in shards for file in shard.files}
    now = {_contents(one.record): name for name, one in result.done.items()}
    for name in sorted(former.keys() - _names(shards)):
        record = former[name]
        gone = not any((place / file.name).exists() for place in places for file in record.inputs)
        if gone and _contents(record) in now and is_there(folder / name, record.output):
            (folder / name).unlink()
            for path in _manifests(folder):
                manifest = read_manifest(path)
                if manifest.shards.pop(name, None):
                    manifest.write()
            yield f"{folder / name}: removed, as its shard is now {now[_contents(record)]}"


def _contents(record: ShardRecord) -> tuple[str, ...]:
    return tuple(file.sha256 for file in record.inputs)


def summary(result: ShardsResult) -> str:
    """Return one line on what came of a run."""
    records = [one.record for one in result.done.values()]
    parts = [f"{plural(len(records), 'shard')} done"]
    if result.reused:
        parts[0] += f" ({result.reused} of them before)"
    if result.failed:
        parts.append(f"{len(result.failed)} failed; run again with --resume to retry them")
    parts.append(
        f"{plural(sum(one.sentences for one in records), 'sentence')}, "
        f"{plural(sum(one.edits for one in records), 'edit')}"
    )
    if result.rejections:
        aside = sorted(one.rejected.name for one in records if one.rejected)
        more = ", …" if len(aside) > _NAMED else ""
        parts.append(f"{plural(result.rejections, 'record')} rejected ({', '.join(aside[:_NAMED])}{more})")
    return "; ".join(parts)


def _run(crew: Crew, work: ShardWork, tasks: Sequence[ShardTask], manifest: Manifest) -> ShardsResult:
    done: dict[str, ShardDone] = {}
    failed: dict[str, str] = {}
    try:
        # Closed at once, also if this ends with an error, so that nothing is written any more.
        with closing(crew.outcomes(work, tasks)) as outcomes:
            for task, outcome in track(outcomes, "annotating shards", len(tasks)):
                if isinstance(outcome, ShardDone):
                    done[outcome.name] = outcome
                    manifest.add(outcome.name, outcome.record)
                elif _ends_all(outcome, work.settings):
                    raise outcome
                else:
                    failed[task.given[0]] = str(outcome)
                    manifest.shards.pop(task.shard.name, None)
    finally:
        with suppress(OutputError):  # if the disk is full, that has been said
            manifest.write()
    return ShardsResult(dict(sorted(done.items())), dict(sorted(failed.items())), _notes(done, tasks))


def _ends_all(error: Exception, settings: ShardSettings) -> bool:
    """Whether an error ends the run, and not only its shard."""
    if isinstance(error, WorkerError):
        return False
    return settings.stop or not isinstance(error, JperrantError) or isinstance(error, _OF_ALL)


def _notes(done: Mapping[str, ShardDone], tasks: Sequence[ShardTask]) -> tuple[str, ...]:
    given = {task.shard.name: task.given[0] for task in tasks}
    of_all = notes(sum(one.blockwise for one in done.values()), sum(one.recoded for one in done.values()))
    of_shards = (f"{given[name]}: {said}" for name, one in sorted(done.items()) for said in one.problems)
    return (*of_all, *of_shards)


def _check_folder(folder: Path, shards: Sequence[Shard], settings: ShardSettings) -> None:
    """Refuse a folder in which the inputs are, and a file in its place.

    Raises:
        UsageError: It is one.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(
            f"{folder}: found a file, expected a folder for the M2 files of shards; give another with -o"
        )
    inputs = [file for shard in shards for file in shard.files]
    own = folder.resolve()
    for file in inputs:
        if Path(file).resolve().parent == own:
            raise UsageError(
                f"{folder} is the folder of the input {file}; give another folder for the M2 files with -o"
            )
    others = [file for file in (settings.options.lexicon,) if file]
    for shard in shards:
        check_output(str(folder / shard.name), [*shard.files, *others])


def _manifest(
    folder: Path, signature: dict[str, str], shards: Sequence[Shard], part: Part, resume: bool
) -> tuple[Manifest, dict[str, ShardRecord]]:
    """Return the manifest of this run, and what earlier runs and those of other parts have done.

    Raises:
        UsageError: There are results of other settings, or results and nothing says what to do with them.
    """
    known = [read_manifest(path) for path in _manifests(folder)]
    for manifest in known:
        if different := differences(signature, manifest.signature):
            raise UsageError(
                f"{manifest.path} records different settings ({'; '.join(different)}); "
                "give another folder, or start over with --force"
            )
        _check_names(manifest, shards)
    path, done = folder / part.manifest, merged(known)
    begun = [
        one.path for one in known if one.path == path or not one.shards.keys().isdisjoint(_names(shards))
    ]
    if begun and not resume:
        raise UsageError(
            f"{begun[0]} exists already; continue that run with --resume, or start over with --force"
        )
    # A run that was killed may have written more than its manifest lists.
    killed = bool(known) and resume
    unlisted = [] if killed else [folder / shard.name for shard in shards if shard.name not in done]
    unknown = [path for path in unlisted if path.exists()]
    if unknown:
        raise UsageError(
            f"{unknown[0]} exists already and no manifest lists it; give another folder, or replace it "
            "with --force"
        )
    return next((one for one in known if one.path == path), Manifest(path, signature)), done


def _check_names(manifest: Manifest, shards: Sequence[Shard]) -> None:
    """Refuse to write a shard a second time under a name that differs in its compression.

    Raises:
        UsageError: A shard is recorded under such a name; names both.
    """
    recorded = {uncompressed(name): name for name in manifest.shards}
    for name in sorted(_names(shards) - manifest.shards.keys()):
        if other := recorded.get(uncompressed(name)):
            raise UsageError(
                f"{manifest.path} records {other}, which would now be {name}; give the --compress of that run, or "
                "start over in another folder"
            )


def _manifests(folder: Path) -> list[Path]:
    """Return the manifests of a folder."""
    return sorted(path for path in _entries(folder) if _MANIFESTS.fullmatch(path.name))


def _names(shards: Sequence[Shard]) -> set[str]:
    return {shard.name for shard in shards}


def _new_manifest(folder: Path, signature: dict[str, str], part: Part) -> Manifest:
    """Return a manifest that nothing has been done of; those of other divisions into parts are removed."""
    for path in _manifests(folder):
        if not path.name.endswith(f"-of-{part.of}.json"):
            with suppress(OSError):
                path.unlink()
    return Manifest(folder / part.manifest, signature)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: the folder cannot be created ({reason(error)})") from None


def _remove_unfinished(folder: Path, shards: Sequence[Shard], manifest: str) -> None:
    """Remove what processes left that were killed while they wrote the M2 of these shards or their manifest.

    Other runs may write their own shards meanwhile, so a name that is not whole is left alone.
    """
    names = {name for shard in shards for name in (shard.name, f"{shard.name}.rejected")} | {manifest}
    for path in _entries(folder):
        match = _UNFINISHED.fullmatch(path.name)
        if match and match[1] in names:
            with suppress(OSError):
                path.unlink()


def _entries(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from folder.iterdir()
