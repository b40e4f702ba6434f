"""The inputs of a scoring run: systems, references and source, with their names, formats and warnings."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, islice, zip_longest
from operator import eq
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from jperrant.core.display import shorten
from jperrant.core.errors import InputError, UsageError
from jperrant.core.messages import agree, plural
from jperrant.core.paths import is_folder
from jperrant.core.text import RunningText, TokenMode
from jperrant.core.values import Block
from jperrant.evaluation.text_annotation import NO_TEXTS, SourceLines, TextOptions
from jperrant.io.files import is_read_once, read_lines
from jperrant.io.recognise import Kind, recognise, refuse

if TYPE_CHECKING:
    from jperrant.io.answers import Review

#: A system or a reference: the path of an M2 or text file, blocks, or the sentences of a text.
Input: TypeAlias = str | PathLike[str] | Sequence[Block] | Sequence[str]
#: One system, several, or several by name; the references; the text that was corrected.
Systems: TypeAlias = Input | Sequence[Input] | Mapping[str, Input]
References: TypeAlias = Input | Sequence[Input]
Source: TypeAlias = str | PathLike[str] | Sequence[str]
#: The end of the warning about two equal inputs.
SAME = "have the same content; check that both are what you mean"
#: The file extensions that are removed from the names of systems.
_ENDINGS = (".m2", ".errant", ".txt", ".gz", ".xz", ".bz2")


@dataclass(frozen=True, slots=True)
class Inputs:
    """Systems and references.

    Attributes:
        hypotheses: The systems.
        names: The names of the systems; empty for their paths or numbers.
        references: The references: texts, or M2 files with one annotator or more; empty for metrics that need none.
        source: The text that was corrected; required for texts unless an M2 file has it.
        texts: The options for annotating texts.
        strict: Make every deviation from M2 an error.
        only_m2: Whether text is an error.
    """

    hypotheses: Sequence[Input]
    names: Sequence[str] = ()
    references: Sequence[Input] = ()
    source: Source | None = None
    texts: TextOptions = field(default_factory=TextOptions)
    strict: bool = False
    only_m2: bool = False

    @property
    def given(self) -> list[Input]:
        """The systems and then the references."""
        return [*self.hypotheses, *self.references]

    def is_text(self, given: Input) -> bool:
        """Whether an input is text and not M2; folders hold M2."""
        if not isinstance(given, str | PathLike):
            return not self.only_m2 and isinstance(next(iter(given), None), str)
        return not (self.only_m2 or is_folder(given)) and is_text(fspath(given), self.source is not None)

    def hypothesis_name(self, number: int) -> str:
        """Return the name of a system, numbered from 0, in messages."""
        return (
            self.names[number] if self.names else _called(self.hypotheses, number, "hypothesis", "hypothesis")
        )

    def reference_name(self, number: int) -> str:
        """Return the name of a reference, numbered from 0, in messages."""
        return _called(self.references, number, "reference", "references")


def _called(given: Sequence[Input], number: int, one: str, alone: str) -> str:
    """Return the path of one of several inputs, or its role with its number."""
    own = given[number]
    if isinstance(own, str | PathLike):
        return fspath(own)
    return f"{one} {number + 1}" if len(given) > 1 else alone


def same_inputs(inputs: Inputs) -> list[str]:
    """Return a warning for every two inputs with the same content; folders and pipes are not compared."""
    given: list[tuple[str, str, Any]] = [
        *((inputs.hypothesis_name(n), "system", one) for n, one in enumerate(inputs.hypotheses)),
        *((inputs.reference_name(n), "references", one) for n, one in enumerate(inputs.references)),
    ]
    if (source := inputs.source) is not None:
        given.append((fspath(source) if isinstance(source, str | PathLike) else "the text", "source", source))
    return same_contents(given, _is_same)


def same_contents(
    given: Iterable[tuple[str, str, Any]], is_same: Callable[[Any, Any], bool] = eq
) -> list[str]:
    """Return a warning for every two inputs with the same content, as one may be given by mistake.

    Args:
        given: The name, role (``system``, ``references``, ``source``) and content of each input.
        is_same: The function that compares two contents.
    """
    named = [(name if name == role else f"{name} ({role})", content) for name, role, content in given]
    return [
        f"{ours} and {theirs} {SAME}"
        for (ours, one), (theirs, another) in combinations(named, 2)
        if is_same(one, another)
    ]


def _is_same(one: Any, another: Any) -> bool:
    if one is another:
        return True
    if isinstance(one, str | PathLike) != isinstance(another, str | PathLike):
        return False
    if not isinstance(one, str | PathLike):
        return len(one) == len(another) and all(map(eq, one, another))
    paths = fspath(one), fspath(another)
    if any(map(is_read_once, paths)) or any(map(is_folder, paths)):
        return False
    lines = (map(str.rstrip, read_lines(path)) for path in paths)
    return paths[0] == paths[1] or all(ours == theirs for ours, theirs in zip_longest(*lines, fillvalue=""))


def is_m2(path: str) -> bool:
    """Whether a file is M2, by its first lines: it has edits, or only lines that begin with S.

    An empty file counts as M2, and so do standard input and pipes, which can be read only once.

    Raises:
        InputError: The file cannot be read.
        FormatError: The file is not UTF-8 (names the line), or neither M2 nor sentences.
    """
    if is_read_once(path):
        return True
    kind = recognise(read_lines(path))
    refuse(path, kind, NO_TEXTS)
    return kind in (Kind.M2, Kind.SOURCES, Kind.EMPTY)


def is_text(path: str, with_source: bool) -> bool:
    """Whether a file is text and not M2.

    Args:
        path: The file.
        with_source: Whether a source is given; a file of blank lines is then an empty text.

    Raises:
        InputError, FormatError: As ``is_m2``.
    """
    if with_source and not is_read_once(path) and not any(map(str.strip, read_lines(path))):
        return True
    return not is_m2(path)


def check_source(path: str) -> None:
    """Check that a source is text.

    Raises:
        InputError: The file is M2, or cannot be read.
    """
    if not is_read_once(path) and not is_text(path, with_source=True):
        raise InputError(f"{path}: found M2, expected text: the sentences that were corrected, one a line")


def named_systems(systems: Systems, sentences: int = 0) -> tuple[list[Input], list[str]]:
    """Return systems and their names; the names are empty unless systems are given as a mapping.

    Args:
        systems, sentences: As in ``sides_of``.
    """
    if isinstance(systems, Mapping):
        return list(map(held, systems.values())), list(systems)
    return sides_of(systems, sentences), []


def sides_of(given: Input | Sequence[Input] | None, sentences: int = 0) -> list[Input]:
    """Return systems, or references, as a list.

    Args:
        given: A path, a list of blocks, a list of sentences, or a list of these.
        sentences: The number of sentences of the source if the source is a list; a list of strings is then one
            text. If 0, a list of strings is a list of paths.

    Raises:
        UsageError: A path is given instead of a list of sentences or the reverse, a text is one string, there is
            one list for each sentence instead of one for each system, or the kind of the input is unknown.

    >>> sides_of(["a.m2", "b.m2"])
    ['a.m2', 'b.m2']
    >>> sides_of(["This is bad .", "Me too ."], sentences=2)
    [['This is bad .', 'Me too .']]
    """
    if given is None:
        return []
    if isinstance(given, str) and "\n" in given:
        raise UsageError("found a text in one string, expected a path or a list of lines (text.splitlines())")
    if isinstance(given, str | PathLike):
        return [given]
    if isinstance(given, bytes | Mapping) or not isinstance(given, Iterable):
        raise UsageError(
            f"found {shorten(repr(given))}, expected a path, blocks, a list of sentences, or a list of these"
        )
    kept = held(given)
    first = next(iter(kept), None)
    if isinstance(first, Block) or (sentences and isinstance(first, str)):
        if isinstance(first, str) and not first.isspace() and Path(first).is_file():
            raise UsageError(
                f"found the path {first} where the source is a list of sentences; give paths as pathlib.Path, or "
                "the source as a path too"
            )
        return [kept]
    sides = list(map(held, kept))
    _check_sides(sides, sentences)
    return sides


def _check_sides(sides: Sequence[Any], sentences: int) -> None:
    """Check the elements of a list of systems or references.

    Raises:
        UsageError: As in ``sides_of``.
    """
    first = sides[0] if sides else ()
    if isinstance(first, str) and len(sides) > 1 and " " in first and not Path(first).exists():
        raise UsageError(
            f"found no file {shorten(first)}; if these are sentences, give --source as a list of sentences too"
        )
    if not isinstance(first, str | PathLike | Iterable):
        raise UsageError(f"found {first!r}, expected a path, blocks, or a list of sentences")
    lists = [one for one in sides if isinstance(one, list | tuple)]
    if sentences == len(lists) and any(len(one) != sentences for one in lists):
        raise UsageError(
            f"found a list for each of the {sentences} sentences, expected one list of sentences for each system "
            "or reference; join tokens with spaces (' '.join(tokens)), and give the first references of all "
            "sentences as one list"
        )


def held(given: Any) -> Any:
    """Return an iterator, such as that of ``read_m2``, as a list; other values are returned unchanged."""
    return list(given) if isinstance(given, Iterator) else given


def with_names(paths: Sequence[str], names: Sequence[str]) -> Sequence[str] | dict[str, str]:
    """Return the files of systems by name, or the files alone without names.

    Args:
        paths: The files.
        names: The names of the systems in their order; ``("stems",)`` for the names of the files without folder and
            extension; empty for none.

    Raises:
        UsageError: The number of names is not that of systems, or two names are equal.
    """
    names = stems(paths) if tuple(names) == ("stems",) else names
    if not names:
        return paths
    if len(names) != len(paths):
        raise UsageError(
            f"{plural(len(names), 'name')} for {plural(len(paths), 'system')}: {', '.join(names)}"
        )
    if len(set(names)) != len(names):
        raise UsageError(f"two systems have the same name: {', '.join(names)}; give names with --names")
    return dict(zip(names, paths, strict=True))


def stems(paths: Sequence[str]) -> list[str]:
    """Return the names of files without folder and extension, or the paths if two names would be equal.

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


#: A text: the path of a file, or sentences.
Given: TypeAlias = str | PathLike[str] | Sequence[str]
#: The most lines of a text that are checked.
_LINES_CHECKED = 100_000
#: The remedy for texts that are not tokenised.
_TOKENISED = "give --raw (raw: true in a study) to have texts tokenised, or for Chinese --tokens=characters"


def doubts(inputs: Inputs) -> list[str]:
    """Return warnings about texts, one line each.

    They are about a missing language, texts that are not tokenised, remarks of language models around their
    answers, and characters in another Unicode normal form than in the source. Pipes are not checked.
    """
    systems: dict[str, Any] = {
        inputs.hypothesis_name(n): one for n, one in enumerate(inputs.hypotheses) if inputs.is_text(one)
    }
    others = {inputs.reference_name(n): one for n, one in enumerate(inputs.references) if inputs.is_text(one)}
    if not systems and not others:
        return []
    read = dict(systems)
    told: list[str] = []
    if inputs.texts.answers:
        from jperrant.io.answers import read_answers

        source = list(_source(inputs, None))
        for name, given in systems.items():
            read[name], notes = read_answers(inputs.texts.answers, name, list(_lines(given, None)), source)
            told += notes
    added = {name: _reviewed(inputs, given).notes(name) for name, given in read.items()}
    plain = {name: given for name, given in read.items() if not added[name]}
    running = [] if inputs.texts.raw else _running_text(inputs, {**plain, **others})
    recoded = _recoded({**read, **others}, _source(inputs))
    unsaid = inputs.texts.annotator.unsaid
    return [*([unsaid] if unsaid else []), *told, *chain(*added.values()), *running, *recoded]


def _source(inputs: Inputs, most: int | None = _LINES_CHECKED) -> Iterable[str]:
    """Return the lines of the source, or the sentences of the first M2 input; nothing for pipes."""
    if inputs.source is not None:
        return _lines(inputs.source, most)
    for one in (*inputs.references, *inputs.hypotheses):
        if isinstance(one, str | PathLike):
            path = fspath(one)
            if not is_folder(path) and not is_read_once(path) and not inputs.is_text(one):
                return islice(SourceLines(path), most)
        elif not inputs.is_text(one):
            return (" ".join(block.source) for block in one if isinstance(block, Block))
    return ()


def _running_text(inputs: Inputs, texts: Mapping[str, Any]) -> list[str]:
    """Return warnings about texts that are not tokenised: about the source, or else about its corrections."""
    if TokenMode(inputs.texts.annotator.tokens).segments:
        return []
    if inputs.source is not None and (finding := _finding(inputs.source)):
        return [f"source: {finding}; {_TOKENISED}"]
    found = [(name, _finding(given)) for name, given in texts.items()]
    return [f"{name}: {finding}; {_TOKENISED}" for name, finding in found if finding]


def _finding(given: Given) -> str:
    running = RunningText()
    for line in _lines(given):
        running.add(line.split())
    return running.finding


def _reviewed(inputs: Inputs, given: Given) -> Review:
    """Return the review of a system: remarks besides the answers, and missing answers."""
    from jperrant.io.answers import Review, review  # not needed for M2

    if inputs.texts.raw:  # lines need not correspond
        source = list(_source(inputs, None))
        return review(source, list(_lines(given, None))) if source else Review()
    reviewed = Review()
    for sentence, line in zip(_source(inputs, None), _lines(given, None), strict=False):
        reviewed.add(sentence, line)
    return reviewed.finish()


def _recoded(texts: Mapping[str, Any], source: Iterable[str]) -> Iterator[str]:
    """Yield warnings about texts with words of the source in another Unicode normal form."""
    words = {word for line in source if not line.isascii() for word in line.split()}
    composed = {unicodedata.normalize("NFC", word) for word in words if not word.isascii()}
    if not composed:
        return
    for name, given in texts.items():
        found = [line.split() for line in _lines(given) if not line.isascii()]
        new = [[word for word in line if not (word.isascii() or word in words)] for line in found]
        if count := sum(any(unicodedata.normalize("NFC", w) in composed for w in line) for line in new):
            yield (
                f"{name}: {plural(count, 'line')} {agree(count, 'has', 'have')} words of the source with "
                "characters encoded differently (é as one character or two), which count as changed; convert all "
                "texts to one normal form of Unicode first, such as NFC"
            )


def _lines(given: Given, most: int | None = _LINES_CHECKED) -> Iterator[str]:
    """Return the first lines of a text; nothing for standard input and pipes, which can be read only once."""
    if not isinstance(given, str | PathLike):
        return (line.rstrip("\n") for line in islice(given, most))
    path = fspath(given)
    return iter(()) if is_read_once(path) else islice(read_lines(path), most)
