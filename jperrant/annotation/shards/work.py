"""One shard: read, annotated, written aside and renamed; or found to be done already."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from jperrant.annotation.annotator import Annotator
from jperrant.annotation.files import annotate_records, effective
from jperrant.annotation.noticed import Noticed
from jperrant.annotation.options import AnnotatorOptions
from jperrant.annotation.shards.manifest import FileContent, ShardRecord, content_of, is_there
from jperrant.annotation.shards.naming import Shard
from jperrant.annotation.shards.settings import ShardSettings, signature_of
from jperrant.annotation.workers import load_beside_others
from jperrant.core.errors import FormatError, InputError
from jperrant.core.values import Block
from jperrant.io.files import open_outputs
from jperrant.io.m2 import write_m2
from jperrant.io.rejected import Rejected, rejected_path


@dataclass(frozen=True, slots=True)
class ShardTask:
    """A shard to be done.

    Attributes:
        shard: The shard, its files with absolute paths.
        given: How the user called the files.
        before: What an earlier run did of it; None if nothing is known.
    """

    shard: Shard
    given: tuple[str, ...]
    before: ShardRecord | None = None


@dataclass(frozen=True, slots=True)
class ShardDone:
    """A shard that is done.

    Attributes:
        name: The name of its M2 file.
        record: What came of it.
        reused: Whether an earlier run did it.
        blockwise, recoded: As in ``Noticed``.
        problems: What to say of its text.
    """

    name: str
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
        shares_cores: Whether others compute beside this process, which then uses one thread.
    """

    settings: ShardSettings
    out: Path
    shares_cores: bool = False
    _annotator: Annotator | None = field(default=None, repr=False)

    def __call__(self, task: ShardTask) -> Iterator[ShardDone]:
        """Annotate a shard, unless it is done.

        Raises:
            JperrantError: It cannot be read, annotated or written.
        """
        inputs = tuple([content_of(Path(file)) for file in task.shard.files])
        if task.before is not None and self._is_done(task.before, inputs):
            yield ShardDone(task.shard.name, task.before, reused=True)
        else:
            yield self._annotated(task, inputs)

    def signature(self) -> dict[str, str]:
        """Return what the M2 files depend on besides the shards.

        Raises:
            JperrantError: The pack or the models cannot be found.
        """
        return signature_of(self.settings)

    def _is_done(self, before: ShardRecord, inputs: tuple[FileContent, ...]) -> bool:
        """Whether what was done is still there and of the same files."""
        if self.settings.stop and before.rejections:
            return False
        written = [before.output, *([before.rejected] if before.rejected else [])]
        same = [(one.bytes, one.sha256) for one in before.inputs] == [(o.bytes, o.sha256) for o in inputs]
        return same and all(is_there(self.out / one.name, one) for one in written)

    def _annotated(self, task: ShardTask, inputs: tuple[FileContent, ...]) -> ShardDone:
        path = self.out / task.shard.name
        aside = Path(rejected_path(str(path)))
        rejected, counts, noticed = Rejected(), Counter[str](), Noticed()
        blocks = self._blocks(task, None if self.settings.stop else rejected, noticed)
        outputs = [str(path)] if self.settings.stop else [str(path), str(aside)]
        with open_outputs(outputs, task.shard.files) as streams:
            rejected.stream = streams[-1]
            write_m2(_counted(noticed.watch(blocks), counts), streams[0])
        rejected.remove_if_empty(str(path))
        self._check_unchanged(task, inputs, [path, aside])
        record = ShardRecord(
            inputs,
            content_of(path),
            content_of(aside) if rejected.count else None,
            counts["sentences"],
            counts["edits"],
            rejected.count,
        )
        raw = self.settings.raw or self.settings.format == "essays"
        problems = noticed.problems(self.settings.options, raw)
        return ShardDone(task.shard.name, record, False, noticed.blockwise, noticed.recoded, problems)

    def _blocks(self, task: ShardTask, rejected: Rejected | None, noticed: Noticed) -> Iterator[Block]:
        """Yield the blocks of a shard; files are called what the user called them."""
        given = dict(zip(task.shard.files, task.given, strict=True))

        def as_given(error: FormatError) -> FormatError:
            return FormatError(given.get(error.file, error.file), error.line, error.problem)

        def reject(error: FormatError, record: str) -> None:
            assert rejected is not None
            rejected.add(as_given(error), record)

        settings, (source, *targets) = self.settings, task.shard.files
        try:
            yield from annotate_records(
                settings.options,
                source,
                targets,
                format=settings.format,
                raw=settings.raw,
                batch=settings.batch,
                reject=None if rejected is None else reject,
                annotator=self._loaded(),
                noticed=noticed,
            )
        except FormatError as error:
            raise as_given(error) from None
        except InputError as error:
            file, colon, what = str(error).partition(": ")
            if file not in given:
                raise
            raise InputError(f"{given[file]}{colon}{what}") from None

    def _check_unchanged(
        self, task: ShardTask, inputs: tuple[FileContent, ...], outputs: Iterable[Path]
    ) -> None:
        """Remove what was written if a file has another size than before, or is gone.

        A change of the same size shows when the run is resumed.

        Raises:
            InputError: It has.
        """
        for file, given, content in zip(task.shard.files, task.given, inputs, strict=True):
            if _size(file) != content.bytes:
                for output in outputs:
                    output.unlink(missing_ok=True)
                raise InputError(f"{given}: the file changed while it was annotated; run again with --resume")

    def _loaded(self) -> Annotator:
        if self._annotator is None:
            options = effective(self.settings.options, self.settings.format)
            self._annotator = load_beside_others(options) if self.shares_cores else _quietly_loaded(options)
        return self._annotator


def _quietly_loaded(options: AnnotatorOptions) -> Annotator:
    with warnings.catch_warnings():  # whoever started the run has said it
        warnings.simplefilter("ignore")
        return options.load()


def _counted(blocks: Iterable[Block], counts: Counter[str]) -> Iterator[Block]:
    """Pass blocks on and count them and their edits."""
    for block in blocks:
        counts["sentences"] += 1
        counts["edits"] += sum(len(annotation.edits) for annotation in block.annotations)
        yield block


def _size(file: str) -> int | None:
    """Return the size of a file in bytes; None if it is gone."""
    try:
        return Path(file).stat().st_size
    except OSError:
        return None
