"""A new pack to start from: comments that say what goes where, and examples that hold."""

from __future__ import annotations

import re
from pathlib import Path
from shlex import quote

from jperrant.core.errors import InputError, UsageError
from jperrant.io.files import open_output, reason
from jperrant.packs.discovery import known_packs, stanza_languages
from jperrant.packs.yaml_loader import FILE

_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")

_TEMPLATE = """\
# {name}: a language pack of jperrant. docs/packs.md explains every key; `jperrant packs check {check}` says what
# is wrong. Everything that is not here comes from the generic pack.

code: {code}
name: {name}
extends: generic
{stanza}
# Known words, one a line, plain or .gz; then R:SPELL is told from a wrong choice of words.
# lexicon: words.txt

# The inflections that each word class marks; of the generic pack's labels those of other inflections are removed.
# marks: {{AUX: [SVA, TENSE], NOUN: [NUM], PRON: [CASE, NUM], VERB: [SVA, TENSE]}}

# Labels of your own; those of the generic pack stay. One is removed by `PART:FORM: null`, unless a rule of the
# generic pack names it, such as SYM.
labels: {{}}
#   DET:AGR: determiner that does not agree with its noun

# The group of each new label in the table for all languages; docs/labels.md lists the groups.
groups: {{}}
#   DET:AGR: nominal-inflection

# Words and tags that several rules name, as $name.
lists: {{}}
#   articles: [en, ett]

# The first rule that fires names the type; where none of these does, the rules of the generic pack follow.
rules: []
#   - name: wrong article
#     when: {{one_to_one: true, both: {{word: $articles}}}}
#     type: DET:AGR

# What the rules must find. A token is form/UPOS/lemma/FEATS/XPOS, of which all but the form may be left out; an
# edit is [start, end, correction, type].
examples:
  - name: a capital letter
    source: [the/DET/the, House/NOUN/house]
    target: [the/DET/the, house/NOUN/house]
    edits: [[1, 2, house, "R:ORTH:CASE"]]
  - name: number of a noun
    source: [two/NUM/two, house/NOUN/house/Number=Sing]
    target: [two/NUM/two, houses/NOUN/house/Number=Plur]
    edits: [[1, 2, houses, "R:NOUN:NUM"]]
  - name: nothing to correct
    source: the house
    target: the house
    edits: []
"""


def new_pack(code: str, folder: str | None = None) -> Path:
    """Write the pack.yaml of a new pack and return its path.

    Args:
        code: The code of the language.
        folder: Where it goes; a folder of the name of the code if None. Made if it is not there.

    Raises:
        UsageError: The code is none, belongs to an installed pack, or there is a pack already.
        InputError: The folder cannot be made.
    """
    if not _CODE.fullmatch(code):
        raise UsageError(
            f"{code!r} cannot be a language code; expected letters, digits, - and _, beginning with a letter"
        )
    packs = known_packs()
    if code in packs:
        raise UsageError(
            f"a pack {code!r} exists already: {packs[code]}; choose another code, and extend it if you like "
            f"(extends: {code})"
        )
    path = Path(folder or code) / FILE
    if path.exists():
        raise UsageError(f"{path} exists already; give another folder with --folder")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent}: the folder cannot be created ({reason(error)})") from None
    known = stanza_languages()
    name = known.get(code, code)
    stanza = "# Stanza's code of the language, if Stanza knows it.\n# stanza: sv\n"
    if code in known:
        stanza = f"stanza: {_quoted(code)}\n"
    with open_output(str(path)) as stream:
        stream.write(
            _TEMPLATE.format(
                code=_quoted(code), name=_quoted(name), stanza=stanza, check=quote(str(path.parent))
            )
        )
    return path


def _quoted(word: str) -> str:
    """Return a word as YAML reads it back: ``no`` is Norwegian, and to YAML it is false."""
    return (
        f'"{word}"' if word.lower() in ("no", "yes", "on", "off", "y", "n", "null", "true", "false") else word
    )
