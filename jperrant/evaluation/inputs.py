"""What is scored: systems and references in their roles, as M2 or as texts, made into pairs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeAlias

from jperrant.core.annotator_numbers import joined_block, numbers_of
from jperrant.core.display import shown
from jperrant.core.errors import InputError, UsageError
from jperrant.core.messages import plural
from jperrant.core.values import Block
from jperrant.evaluation.load import load_pair
from jperrant.evaluation.m2_input import BlockFile, M2Input, read_blocks
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.score import Sides
from jperrant.evaluation.text_input import Text, TextAnnotator, TextOptions, read_text
from jperrant.io.files import check_stdin, is_read_once, read_lines

#: A system or a reference: the path of an M2 or text file, blocks, or the sentences of a text.
Input: TypeAlias = str | PathLike[str] | Sequence[Block] | Sequence[str]
#: Endings that a system's name goes without.
_ENDINGS = (".m2", ".errant", ".txt", ".gz", ".xz", ".bz2", ".zst")
#: The beginning of an A line, and of an S line; what may stand before them by mistake is left out.
_EDIT = re.compile(r"\W*A\s[^|]*\|\|\|.*\|\|\|")
_SENTENCE = re.compile(r"\W*[ST](\s|\d|$)")
#: Lines read to tell M2 from text.
_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Inputs:
    """Systems and references.

    Attributes:
        hypotheses: The systems.
        names: What each is called; empty for paths, or numbers.
        references: The references: M2 files, each with one or more annotators, or texts; none for metrics that
            need none.
        source: The text that was corrected; needed where texts are given and no M2 file has it.
        texts: How texts become blocks.
        strict: Make every format deviation of an M2 file an error.
        retype: Type edits again that alignment joined of edits with different types, by the annotator of ``texts``.
    """

    hypotheses: Sequence[Input]
    names: Sequence[str] = ()
    references: Sequence[Input] = ()
    source: str | PathLike[str] | Sequence[str] | None = None
    texts: TextOptions = field(default_factory=TextOptions)
    strict: bool = False
    retype: bool = False

    def is_text(self, given: Input) -> bool:
        """Whether one of the files, or of the lists, is text and not M2."""
        if not isinstance(given, str | PathLike):
            return isinstance(next(iter(given), None), str)
        return is_text(fspath(given), self.source is not None)

    def hypothesis_name(self, number: int) -> str:
        """Return what messages call a system, counted from 0."""
        if self.names:
            return self.names[number]
        given = self.hypotheses[number]
        if isinstance(given, str | PathLike):
            return fspath(given)
        return f"hypothesis {number + 1}" if len(self.hypotheses) > 1 else "hypothesis"

    def reference_name(self, number: int) -> str:
        """Return what messages call a reference, counted from 0."""
        given = self.references[number]
        if isinstance(given, str | PathLike):
            return fspath(given)
        return f"reference {number + 1}" if len(self.references) > 1 else "references"


def load_inputs(inputs: Inputs, refused: Collection[str] = ()) -> list[Pair]:
    """Read systems and references and bring them to the same blocks.

    Args:
        inputs: What is scored.
        refused: Kinds of format deviations that are errors even when reading leniently.

    Returns:
        One pair for each system; all share one ``references`` object unless a system had to be aligned.

    Raises:
        UsageError: No system, a text without its source, or files in the wrong place.
        FormatError, InputError: A file cannot be read, or is not a version of the source.
    """
    if not inputs.hypotheses:
        raise UsageError("found no systems to score; give at least one hypothesis")
    check_stdin([*inputs.hypotheses, *inputs.references, inputs.source])
    loader = _Loader(inputs, refused)
    references = loader.references()
    systems = loader.systems()
    if references is None:
        return [Pair(system.blocks, (), system.name, system.notes) for system in systems]
    pairs = []
    for number, system in enumerate(systems):
        annotator = inputs.texts.annotator if inputs.retype else None
        pair = load_pair(system.blocks, references.blocks, system.name, references.name, annotator)
        notes = (*system.notes, *(references.notes if number == 0 else ()), *pair.notes)
        pairs.append(replace(pair, notes=notes))
    return pairs


def is_m2(path: str) -> bool:
    """Whether a file is M2, by its first lines: it has an edit, or nothing but sentences that begin with S.

    An empty file is taken for M2, and so is what can be read only once: standard input and pipes.

    Raises:
        InputError: The file cannot be read.
        FormatError: It is not UTF-8; names file and line.
    """
    if is_read_once(path):
        return True
    lines = list(islice(read_lines(path), _LOOKED_AT))
    if any(_EDIT.match(line) for line in lines):
        return True
    return all(_SENTENCE.match(line) for line in lines if line.strip())


def is_text(path: str, with_source: bool) -> bool:
    """Whether a file is text and not M2.

    Args:
        path: The file.
        with_source: Whether a source is given, so that a file of blank lines is an empty text.

    Raises:
        InputError, FormatError: As ``is_m2``.
    """
    if with_source and not is_read_once(path) and not any(map(str.strip, read_lines(path))):
        return True
    return not is_m2(path)


def check_source(path: str) -> None:
    """Check that what is given as the source is text.

    Raises:
        InputError: It is M2, or cannot be read.
    """
    if not is_read_once(path) and not is_text(path, with_source=True):
        raise InputError(f"{path}: found M2, expected text: the sentences that were corrected, one a line")


def reference_warnings(sides: Sequence[Sides], hypotheses: Sequence[str], references: str) -> list[str]:
    """Return what looks as if the last of several files were not the references, one line each.

    Args:
        sides: What is noted of the systems and of what was taken for the references.
        hypotheses, references: The files, as they were given.
    """
    if not sides or not sides[0].references.sentences:
        return []
    warnings = []
    advice = "it was read as the references because it came last; give --ref FILE if that is right"
    annotators = max(sides[0].references.sizes)
    if not sides[0].references.has_edits:
        warnings.append(f"{references}: found no edits; {advice}")
    for system in sides:
        ours = max(system.hypothesis.sizes, default=0)
        if ours > annotators:
            warnings.append(
                f"{system.name}: has {plural(ours, 'annotator')} and {references} {annotators}; {advice}"
            )
    if len(hypotheses) > 1 and _named_alike(hypotheses, references):
        warnings.append(f"{references}: its name looks like that of a system; {advice}")
    return warnings


def _named_alike(hypotheses: Sequence[str], references: str) -> bool:
    """Whether a file is named like all systems, as ``run-C.m2`` is like ``run-A.m2`` and ``run-B.m2``."""
    names = [Path(path).name for path in hypotheses]
    name = Path(references).name
    start = _common_start(names)
    end = _common_start([other[::-1] for other in names])[::-1]
    own = len(name) - len(start) - len(end)
    return len(start) >= 2 and own > 0 and name.startswith(start) and name.endswith(end)


def _common_start(names: Sequence[str]) -> str:
    """Return the letters that all names begin with."""
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
    return "".join(letters[0] for letters in same)


class _Loader:
    """Reads the inputs of one call."""

    def __init__(self, inputs: Inputs, refused: Collection[str]) -> None:
        self.inputs, self.refused = inputs, refused
        self._m2: dict[int, BlockFile] = {}
        self._annotator: TextAnnotator | None = None

    def references(self) -> BlockFile | None:
        """Return all references as one file, with the annotators of all."""
        given, name = self.inputs.references, self.inputs.reference_name
        if not given:
            return None
        texts = [n for n, one in enumerate(given) if self.inputs.is_text(one)]
        if len(texts) == len(given):
            annotated = self.annotator().references([self._text(given[n], name(n)) for n in texts])
            return BlockFile(annotated, name(0) if len(given) == 1 else "references")
        files = {n: self._read(one, name(n)) for n, one in enumerate(given) if n not in texts}
        if texts:
            blocks = self.annotator().blocks([self._text(given[n], name(n)) for n in texts])
            files |= {n: BlockFile(own, name(n)) for n, own in zip(texts, blocks, strict=True)}
        return merged_references([files[n] for n in sorted(files)])

    def systems(self) -> list[BlockFile]:
        """Return the systems, texts annotated together."""
        given, name = self.inputs.hypotheses, self.inputs.hypothesis_name
        texts = [n for n, one in enumerate(given) if self.inputs.is_text(one)]
        files = {n: self._read(one, name(n)) for n, one in enumerate(given) if n not in texts}
        if texts:
            blocks = self.annotator().blocks([self._text(given[n], name(n)) for n in texts])
            files |= {n: BlockFile(own, name(n)) for n, own in zip(texts, blocks, strict=True)}
        return [replace(files[n], name=name(n)) for n in range(len(given))]

    def annotator(self) -> TextAnnotator:
        """Return what annotates texts against the source."""
        if self._annotator is None:
            self._annotator = TextAnnotator(self._source(), self.inputs.texts)
        return self._annotator

    def _source(self) -> Text:
        source = self.inputs.source
        if source is not None:
            return self._text(source, "source")
        for n, one in enumerate((*self.inputs.references, *self.inputs.hypotheses)):
            if not self.inputs.is_text(one):
                file = self._read(one, f"file {n + 1}")
                return Text(f"the S lines of {file.name}", tuple([" ".join(b.source) for b in file.blocks]))
        first = next(
            one for one in (*self.inputs.hypotheses, *self.inputs.references) if self.inputs.is_text(one)
        )
        named = f"{fspath(first)} is text, not M2" if isinstance(first, str | PathLike) else "texts are given"
        raise UsageError(f"{named}: to score texts, give the text that was corrected with --source FILE")

    def _text(self, given: Input | Sequence[str], name: str) -> Text:
        if not isinstance(given, str | PathLike):
            lines = tuple(given)
            if not lines:
                raise InputError(f"{name}: found no sentences, expected a list of strings")
            for number, line in enumerate(lines, start=1):
                if not isinstance(line, str):
                    raise InputError(
                        f"{name}: sentence {number} (counted from 1) is {shown(line)}, expected a string"
                    )
            return Text(name, tuple(str(line) for line in lines))
        path = fspath(given)
        if given is self.inputs.source:
            check_source(path)
        return read_text(path)

    def _read(self, given: Input, name: str) -> BlockFile:
        if id(given) not in self._m2:
            blocks: M2Input = given  # type: ignore[assignment]
            self._m2[id(given)] = read_blocks(blocks, name, self.inputs.strict, refused=self.refused)
        return self._m2[id(given)]


def merged_references(files: Sequence[BlockFile]) -> BlockFile:
    """Return several files of references as one, their annotators numbered on.

    Raises:
        InputError: They do not have the same sentences.
    """
    first = files[0]
    if len(files) == 1:
        return first
    for file in files[1:]:
        if [b.source for b in file.blocks] != [b.source for b in first.blocks]:
            raise InputError(
                f"{file.name}: its sentences or tokens differ from those of {first.name}; references must share "
                "them "
                f"(jperrant align {file.name} {first.name} -o FOLDER)"
            )
    numbers = numbers_of(file.blocks for file in files)
    merged = [joined_block(own, numbers) for own in zip(*(file.blocks for file in files), strict=True)]
    return BlockFile(tuple(merged), "references", tuple(note for file in files for note in file.notes))


def named(hypotheses: Mapping[str, Input] | Sequence[Input]) -> tuple[list[Input], list[str]]:
    """Return systems and their names, of a mapping from names to systems or of a list without names."""
    if isinstance(hypotheses, Mapping):
        return list(map(held, hypotheses.values())), list(hypotheses)
    return list(map(held, hypotheses)), []


def held(given: Any) -> Any:
    """Return blocks that can be gone through only once, as ``read_m2`` gives them, as a list; all else as it is."""
    return list(given) if isinstance(given, Iterator) else given


def check_names(names: Sequence[str], systems: int) -> Sequence[str]:
    """Return names of systems.

    Raises:
        UsageError: There is another number of them than of systems, or two are equal.
    """
    if names and len(names) != systems:
        raise UsageError(f"{plural(len(names), 'name')} for {plural(systems, 'system')}: {', '.join(names)}")
    if len(set(names)) != len(names):
        raise UsageError(f"two systems have the same name: {', '.join(names)}; give names with --names")
    return names


def stems(paths: Sequence[str]) -> list[str]:
    """Return the names of files without folders and endings; whole paths if two would be equal.

    >>> stems(["runs/a.m2", "runs/b.m2.gz"])
    ['a', 'b']
    """
    names = []
    for path in paths:
        name = Path(path).name
        while Path(name).suffix in _ENDINGS:
            name = Path(name).stem
        names.append(name)
    return names if len(set(names)) == len(names) else list(paths)


def systems_and_references(files: Sequence[str], references: str | None) -> tuple[list[str], str]:
    """Return the systems and the file of references: the last file, unless it is given by itself.

    Raises:
        UsageError: No system, or no references.
    """
    if references is not None and files:
        return list(files), references
    if len(files) < 2:
        raise UsageError(
            "give one or more systems and the references: HYP.m2... REF.m2, or HYP.m2... --ref REF.m2"
        )
    return list(files[:-1]), files[-1]
