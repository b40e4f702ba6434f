"""Compiles the keys of a pack into a pack that is ready to use."""

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
from jperrant.edits.one_error import OneError, compile_one_error
from jperrant.edits.rule_parts import FEATURE, position_of
from jperrant.edits.rules import RuleSet
from jperrant.edits.spans import MergeRules
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
        keys: Its pack.yaml, merged with those of the packs that it extends.
        code: The code of the language, as in ``--lang``.
        name: The name of the language.
        folder: The folder of the pack.
        stanza_lang: Stanza's code of the language; empty if Stanza does not know the language.
        compact: The folder of the models in the pack or in a pack that it extends, or None.
        costs: The costs of the token alignment.
        merge_rules: The language-specific settings of merging.
        labels: The closed set of labels, with descriptions.
        vocabulary: The properties that the pack gives to tokens.
        rules: The compiled rules.
        one_error: The constructions whose two edits are one error.
        hooks: The definitions of the pack's ``hooks.py``.
        compiler: Returns a compiler of conditions with the pack's hooks and lists, for queries.
        example_reader: Returns the examples, which are read on the first call.
        tokens: The rules for tokenising raw text without models; None for a language written without spaces.
        join: The text between two tokens: a space or nothing. If it is nothing, a different segmentation of the
            same string is not an edit.
        requires: The modules that the hooks import, each with its requirement for pip.
        dictionary: The Hunspell dictionary in use, or None.
        advice: A message on a dictionary that the pack names but that is not installed; else empty.
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
        """The examples of the pack, read on first use.

        Raises:
            InputError: The examples cannot be read or have errors.
        """
        return self.example_reader()

    def script_problem(self, characters: Mapping[str, int]) -> str:
        """Return a message if a text is not in a script of the language, else an empty string.

        Args:
            characters: How often each character occurs in a sample of the text.
        """
        return script_problem(self.stanza_lang or self.code, f"{self.name} ({self.code})", characters)

    def reading(self, analyser: Analyser) -> Pack:
        """Return the pack adapted to an analyser's relations; those of the scheme ``clear`` are not renamed."""
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
        lang: The code, alias or name of an installed pack (``en``, ``English``), or the code or name of another
            language that Stanza knows, which gets the generic pack. Ignored if ``folder`` is given.
        folder: The folder of a pack that is not installed.
        lexicon: A list of known words to use instead of the pack's list and dictionary; a Hunspell dictionary if
            its name ends in ``.dic``.
        hooks: Whether to run the ``hooks.py`` of the pack and of those it extends: False runs none, True all; None
            runs those of installed packs and of ``folder``, and warns of others.
        dictionary: Where the pack's Hunspell dictionary is: ``auto``, ``none``, a folder, or a ``.dic`` file.

    Raises:
        PackError: The language is unknown (the message suggests the nearest), or the pack has errors.
    """
    data = pack_data(lang, folder)
    return build(data, hooks, lexicon, dictionary)


def build(
    data: PackData, run_python: bool | None = None, lexicon: str | None = None, dictionary: str = AUTO
) -> Pack:
    """Compile a pack from its data.

    Args:
        data: The pack, read and checked.
        run_python, lexicon, dictionary: As ``hooks``, ``lexicon`` and ``dictionary`` of ``load_pack``.

    Raises:
        InputError: The rules, the hooks or files that the pack names have errors.
        MissingExtraError: The hooks need packages that are not installed.
    """
    keys, file = data.keys, str(data.folder / FILE)
    hooks = run_hooks(data, run_python)
    words, spelling, missing = known_words(data, lexicon, dictionary)
    compiler = partial(Compiler, hooks.conditions, keys.lists, hooks.properties, _closed(keys))
    problems = list(_inflection_problems(keys, file)) if "class" not in hooks.properties else []
    one_error, lines = compile_one_error(keys.one_error, compiler(), file)
    problems += lines
    rules = RuleSet(keys.rules, list(keys.labels), compiler(), keys.tables, file, problems)
    if not isinstance(keys.examples, str):  # a file of examples can be large and is read on demand
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
    from jperrant.packs.examples import examples_of  # annotating does not need this model

    return examples_of(data)


def _right_examples(data: PackData) -> tuple[Example, ...]:
    examples, problems = _examples(data)
    raise_all(problems)
    return examples


def _closed(keys: PackKeys) -> Mapping[str, frozenset[str]]:
    """Return all possible values of the properties whose values are known, unless a hook redefines them."""
    closed = {"class": frozenset([*keys.classes.values(), *keys.upos_classes.values(), *UPOS])}
    if keys.inflection:  # the generic pack has it
        closed[FEATURE] = frozenset(keys.inflection)
    return closed


def _inflection_problems(keys: PackKeys, file: str) -> Iterator[str]:
    """Yield an error for each unknown word class under the key ``inflection``."""
    known = {"*", *_closed(keys)["class"]}
    for feature, names in keys.inflection.items():
        for name in names if isinstance(names, Mapping) else ():
            if name not in known:
                where = f"{position_of(names, name) or file}: {name}"
                yield f"{where}: inflection: {feature}: no token is of the class{nearest(name, known)}"


def files_of(lang: str, folder: str | None, lexicon: str | None, dictionary: str) -> list[str]:
    """Return the files that a pack is loaded from and that may be the user's own.

    Args:
        lang, folder, lexicon, dictionary: As in ``load_pack``.

    Raises:
        PackError: There is no such pack, or no dictionary where the user names one.
    """
    data = pack_data(lang, folder)
    files = [Path(lexicon)] if lexicon else []
    if (path := find_dictionary(data, lexicon, dictionary)) is not None:
        files += [path, path.with_suffix(".aff")]
    return [str(file) for file in [*files, *data.own_files()]]
