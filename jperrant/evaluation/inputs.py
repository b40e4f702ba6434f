"""What is scored: systems and references in their roles, as M2 or as texts, made into pairs."""

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
#: How a line ends on two inputs that should differ.
SAME = "have the same content; check that both are what you mean"
#: Endings that a system's name goes without.
_ENDINGS = (".m2", ".errant", ".txt", ".gz", ".xz", ".bz2")


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
        """Whether one of the files, or of the lists, is text and not M2; folders hold M2."""
        if not isinstance(given, str | PathLike):
            return not self.only_m2 and isinstance(next(iter(given), None), str)
        return not (self.only_m2 or is_folder(given)) and is_text(fspath(given), self.source is not None)

    def hypothesis_name(self, number: int) -> str:
        """Return what messages call a system, counted from 0."""
        return (
            self.names[number] if self.names else _called(self.hypotheses, number, "hypothesis", "hypothesis")
        )

    def reference_name(self, number: int) -> str:
        """Return what messages call a reference, counted from 0."""
        return _called(self.references, number, "reference", "references")


def _called(given: Sequence[Input], number: int, one: str, alone: str) -> str:
    """Return the path of one of several inputs, or its role with its number."""
    own = given[number]
    if isinstance(own, str | PathLike):
        return fspath(own)
    return f"{one} {number + 1}" if len(given) > 1 else alone


def same_inputs(inputs: Inputs) -> list[str]:
    """Return which inputs have the same content, a line for each two.

    Folders, and what can be read only once, are not looked at.
    """
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
    """Return a line for each two that have the same content: one of them may have been given by mistake.

    Args:
        given: Name, role (``system``, ``references``, ``source``) and content of each.
        is_same: Whether two contents are the same.
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
    """Whether a file is M2, by its first lines: it has an edit, or nothing but sentences that begin with S.

    An empty file is taken for M2, and so is what can be read only once: standard input and pipes.

    Raises:
        InputError: The file cannot be read.
        FormatError: It is not UTF-8, which names file and line, or neither M2 nor sentences.
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


def named_systems(systems: Systems, sentences: int = 0) -> tuple[list[Input], list[str]]:
    """Return systems and their names, of a mapping from names to systems; the names are empty for a list.

    Args:
        systems, sentences: As in ``sides_of``.
    """
    if isinstance(systems, Mapping):
        return list(map(held, systems.values())), list(systems)
    return sides_of(systems, sentences), []


def sides_of(given: Input | Sequence[Input] | None, sentences: int = 0) -> list[Input]:
    """Return systems, or references, as a list.

    Args:
        given: One or several: a path, blocks or sentences, or a list of such.
        sentences: Number of sentences of the source where it is a list of them, so that a list of strings is one
            text, sentence by sentence; 0 where that is a list of paths.

    Raises:
        UsageError: A list of strings that should be sentences begins with the path of a file, or sentences stand
            where paths should; a text is one string; there is a list for each sentence, or a mapping.

    >>> sides_of(["a.m2", "b.m2"])
    ['a.m2', 'b.m2']
    >>> sides_of(["This is bad .", "Me too ."], sentences=2)
    [['This is bad .', 'Me too .']]
    """
    if given is None:
        return []
    if isinstance(given, str) and "\n" in given:
        raise UsageError(
            "found a text in one string, expected a path or a list of sentences (text.splitlines())"
        )
    if isinstance(given, str | PathLike):
        return [given]
    if isinstance(given, bytes | Mapping) or not isinstance(given, Iterable):
        raise UsageError(
            f"found {shorten(repr(given))}, expected a path, blocks, a list of sentences, or a list of such"
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
    """Check that each of several sides can be one.

    Raises:
        UsageError: As ``sides_of``.
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
    """Return an iterator, such as that of ``read_m2``, as a list, and anything else unchanged."""
    return list(given) if isinstance(given, Iterator) else given


def with_names(paths: Sequence[str], names: Sequence[str]) -> Sequence[str] | dict[str, str]:
    """Return files of systems by name.

    Args:
        paths: The files.
        names: What the systems are called, in their order; ``("stems",)`` for the names of the files without
            folders and endings; empty for the paths.

    Raises:
        UsageError: There is another number of names than of systems, or two are equal.
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


Given: TypeAlias = str | PathLike[str] | Sequence[str]
#: Lines of a text that are looked at.
_LINES_CHECKED = 100_000
#: How to have texts tokenised.
_TOKENISED = "give --raw (raw: true in a study) to have texts tokenised, or for Chinese --tokens=characters"


def doubts(inputs: Inputs) -> list[str]:
    """Return warnings about texts, a line each.

    They tell of a language that was not given, of running text given as tokens, of what language models wrote
    besides answers, and of characters that are encoded otherwise than in the source. Texts that can be read only
    once are left out.
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
    """Return the lines of the source, or else the sentences of the first M2 file; none if it is read only once."""
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
    """Return which texts look like running text: the source or, where it has tokens, what corrects it."""
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
    """Return what a system has besides answers, and which sentences have none."""
    from jperrant.io.answers import Review, review  # which M2 files need not

    if inputs.texts.raw:  # lines need not correspond
        source = list(_source(inputs, None))
        return review(source, list(_lines(given, None))) if source else Review()
    reviewed = Review()
    for sentence, line in zip(_source(inputs, None), _lines(given, None), strict=False):
        reviewed.add(sentence, line)
    return reviewed.finish()


def _recoded(texts: Mapping[str, Any], source: Iterable[str]) -> Iterator[str]:
    """Yield which texts have words of the source in another normal form of Unicode, which count as changed."""
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
                "characters encoded otherwise (é as one character or two), which count as changed; bring all texts "
                "to one normal form of Unicode first, such as NFC"
            )


def _lines(given: Given, most: int | None = _LINES_CHECKED) -> Iterator[str]:
    """Return the first lines of a text; nothing of standard input and pipes, which can be read only once."""
    if not isinstance(given, str | PathLike):
        return (line.rstrip("\n") for line in islice(given, most))
    path = fspath(given)
    return iter(()) if is_read_once(path) else islice(read_lines(path), most)
