"""Packs ready to use: what a pack's keys say, compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from jperrant.alignment.tokens import AlignmentCosts
from jperrant.core.display import shown
from jperrant.core.errors import nearest
from jperrant.core.messages import plural
from jperrant.core.values import UPOS
from jperrant.edits.compiler import Compiler
from jperrant.edits.edit_context import ClosedClasses, Inflection, Vocabulary
from jperrant.edits.merge import MergeRules
from jperrant.edits.one_error import OneError, compile_one_error
from jperrant.edits.rules import RuleSet
from jperrant.edits.values import FEATURE, position_of
from jperrant.packs.dictionary import AUTO, find_dictionary, known_words
from jperrant.packs.discovery import FILE, script_problem
from jperrant.packs.hooks import Hooks, run_hooks
from jperrant.packs.keys import PackKeys
from jperrant.packs.read import PackData, pack_data, raise_all
from jperrant.packs.yaml_file import Problem
from jperrant.parse.analyser import Analyser, Scheme
from jperrant.parse.rule_tokenizer import TokenRules

if TYPE_CHECKING:
    from jperrant.packs.examples import Example


@dataclass(frozen=True, slots=True)
class Pack:
    """A language pack, ready to use.

    Attributes:
        keys: What its pack.yaml and those of the packs that it extends say together.
        code: Code of the language, as in ``--lang``.
        name: The language's name.
        folder: Where the pack's files lie.
        stanza_lang: Stanza's code of the language; empty if Stanza does not know it.
        compact: Folder of the models that come with the pack or with one that it extends, or None.
        costs: Costs of the token alignment.
        merge_rules: The language's part in merging operations into edits.
        labels: The closed set of labels and what each means.
        vocabulary: What the pack says of tokens.
        rules: The compiled rules that name the types.
        one_error: Pairs of edits that are one error.
        hooks: The pack's Python.
        compiler: Makes what compiles conditions in the pack's words, for queries.
        example_reader: Reads ``examples``, at most once.
        tokens: The rules that cut raw text without models; None for a language without spaces.
        join: What stands between two tokens of running text: a space, or nothing. With nothing, edits that
            only cut the same string into other tokens are not edits.
        requires: The modules that the hooks import, each with what pip takes to install it.
        dictionary: The Hunspell dictionary in use, or None.
        advice: What to do about a dictionary that the pack names and that is not installed; else empty.
    """

    keys: PackKeys
    code: str
    name: str
    folder: Path
    stanza_lang: str
    compact: Path | None
    costs: AlignmentCosts
    merge_rules: MergeRules
    labels: Mapping[str, str]
    vocabulary: Vocabulary
    rules: RuleSet
    one_error: tuple[OneError, ...]
    hooks: Hooks
    compiler: Callable[[], Compiler]
    example_reader: Callable[[], tuple[Example, ...]]
    tokens: TokenRules | None
    join: str = " "
    requires: Mapping[str, str] = field(default_factory=dict)
    dictionary: Path | None = None
    advice: str = ""

    def __repr__(self) -> str:
        labels = plural(len(self.labels), "label")
        return f"<Pack {self.code!r} ({shown(self.name)}): {labels}, {shown(str(self.folder))}>"

    @property
    def examples(self) -> tuple[Example, ...]:
        """What the pack itself expects of its rules, read when it is asked for.

        Raises:
            InputError: The file of examples cannot be read, or is wrong.
        """
        return self.example_reader()

    def script_problem(self, characters: Mapping[str, int]) -> str:
        """Return what is wrong with a text in another script than those of the language; empty if nothing is.

        Args:
            characters: How often each character occurs in a sample of the text.
        """
        return script_problem(self.stanza_lang or self.code, f"{self.name} ({self.code})", characters)

    def reading(self, analyser: Analyser) -> Pack:
        """Return the pack as it reads the relations of an analyser: of the scheme ``clear`` none is renamed."""
        deprels = self.vocabulary.deprels if analyser.scheme is Scheme.UD else {}
        vocabulary = replace(self.vocabulary, deprels=deprels, relations_of=analyser.relations_of)
        return replace(self, vocabulary=vocabulary)


def load_pack(
    lang: str,
    folder: str | None = None,
    lexicon: str | None = None,
    hooks: bool | None = None,
    dictionary: str = AUTO,
) -> Pack:
    """Load the pack of a language.

    Args:
        lang: Code, alias or name of an installed pack (``en``, ``English``), or the code or name of any language
            Stanza knows, which gets the generic pack. Ignored where ``folder`` is given.
        folder: A folder with a pack of one's own.
        lexicon: A list of known words to use instead of the pack's list and dictionary; a Hunspell dictionary if
            its name ends in ``.dic``.
        hooks: Whether to run the ``hooks.py`` of the pack and of those it extends: False runs none, True all; None
            runs those of installed packs and of ``folder``, and warns of others.
        dictionary: Where the pack's Hunspell dictionary is: ``auto``, ``none``, a folder, or a ``.dic`` file.

    Raises:
        PackError: There is no such pack or language (known and nearest ones are named), or the pack is wrong.
    """
    data = pack_data(lang, folder)
    return build(data, hooks, lexicon, dictionary)


def build(
    data: PackData, run_python: bool | None = None, lexicon: str | None = None, dictionary: str = AUTO
) -> Pack:
    """Make a pack of what it says.

    Args:
        data: What it says.
        run_python, lexicon, dictionary: As ``hooks``, ``lexicon`` and ``dictionary`` of ``load_pack``.

    Raises:
        InputError: Its rules, its hooks, or files that it names are wrong.
        MissingExtraError: Its Python needs packages that are not installed.
    """
    keys, file = data.keys, str(data.folder / FILE)
    hooks = run_hooks(data, run_python)
    words, spelling, missing = known_words(data, lexicon, dictionary)
    compiler = partial(Compiler, hooks.conditions, keys.lists, hooks.properties, _closed(keys))
    problems = list(_inflection_problems(keys, file)) if "class" not in hooks.properties else []
    one_error, lines = compile_one_error(keys.one_error, compiler(), file)
    problems += lines
    rules = RuleSet(keys.rules, list(keys.labels), compiler(), keys.tables, file, problems)
    if not isinstance(keys.examples, str):  # a file of examples, often large, is read when it is needed
        problems += map(str, _examples(data)[1])
    raise_all(problems)
    return Pack(
        keys=keys,
        code=keys.code,
        name=keys.name or keys.code,
        folder=data.folder,
        stanza_lang=keys.stanza,
        compact=data.models,
        costs=AlignmentCosts(**keys.costs.model_dump(exclude_none=True)),
        merge_rules=MergeRules(**keys.merge.model_dump(exclude_none=True)),
        labels=keys.labels,
        vocabulary=Vocabulary(
            classes=keys.classes,
            upos_classes=keys.upos_classes,
            deprels=keys.deprels,
            lexicon=words,
            similarity=hooks.similarity,
            inflection=Inflection(keys.inflection, frozenset(keys.labels)),
            closed=ClosedClasses(keys.words, keys.contractions, keys.endings),
        ),
        rules=rules,
        one_error=one_error,
        hooks=hooks,
        compiler=compiler,
        example_reader=cache(lambda: _right_examples(data)),
        tokens=TokenRules(**keys.tokens.model_dump()) if keys.join else None,
        join=keys.join,
        requires=keys.requires if run_python is not False else {},
        dictionary=spelling.path if spelling else None,
        advice=missing,
    )


def _examples(data: PackData) -> tuple[tuple[Example, ...], list[Problem]]:
    from jperrant.packs.examples import examples_of  # a model that annotating does without

    return examples_of(data)


def _right_examples(data: PackData) -> tuple[Example, ...]:
    examples, problems = _examples(data)
    raise_all(problems)
    return examples


def _closed(keys: PackKeys) -> Mapping[str, frozenset[str]]:
    """Return all values that properties of a token can have, unless a hook says otherwise."""
    closed = {"class": frozenset([*keys.classes.values(), *keys.upos_classes.values(), *UPOS])}
    if keys.inflection:  # which the generic pack has
        closed[FEATURE] = frozenset(keys.inflection)
    return closed


def _inflection_problems(keys: PackKeys, file: str) -> Iterator[str]:
    """Yield what is wrong with the word classes for which an inflection has a name of its own."""
    known = {"*", *_closed(keys)["class"]}
    for feature, names in keys.inflection.items():
        for name in names if isinstance(names, Mapping) else ():
            if name not in known:
                where = f"{position_of(names, name) or file}: {name}"
                yield f"{where}: inflection: {feature}: no token is of the class{nearest(name, known)}"


def files_of(lang: str, folder: str | None, lexicon: str | None, dictionary: str) -> list[str]:
    """Return the files that a pack is loaded from, as far as they may be the user's own.

    Args:
        lang, folder, lexicon, dictionary: As in ``load_pack``.

    Raises:
        PackError: There is no such pack, or the dictionary is not where it should be.
    """
    data = pack_data(lang, folder)
    files = [Path(lexicon)] if lexicon else []
    if (path := find_dictionary(data, lexicon, dictionary)) is not None:
        files += [path, path.with_suffix(".aff")]
    return [str(file) for file in [*files, *data.own_files()]]
