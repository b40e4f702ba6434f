"""Packs made to break what reads them: each is refused in one line that names the file, in little time."""

from __future__ import annotations

import pytest

from jperrant.annotation.pack_check import check_pack
from jperrant.core.errors import InputError
from jperrant.core.values import Sentence, Span, Token
from jperrant.edits.conditions import Compiler
from jperrant.edits.edit_context import EditContext, Vocabulary
from jperrant.edits.folding import without_punctuation
from jperrant.edits.rules import RuleSet
from jperrant.packs import load_pack

_BASE = "code: xx\nextends: generic\n"
_MANY = ",".join("abcdefgh" * 20)


def _bomb(first: str, key: str) -> str:
    """Return nine mappings, each of which holds the one before nine times."""
    levels = [f"  a{n}: &a{n} {{{key}: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 10)]
    return f"{_BASE}tables:\n  a0: &a0 {first}\n{''.join(levels)}"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("code: !!python/object/apply:os.system ['true']\n", "1: not YAML: could not determine a constructor"),
        (_bomb("{type: X}", "rules"), "200,000 values"),
        (_bomb("{b: c}", "<<"), "200,000 values"),
        (f"{_BASE}lists: &l\n  a: *l\n", "contains itself"),
        (f"{_BASE}rules:\n {'- ' * 100_000}a\n", "4: not YAML: nested too deeply"),
        (f"{_BASE}rules: {'[' * 100_000}\n", "3: not YAML: nested too deeply"),
        (f"{_BASE}resources: [../other/words.txt]\n", "3: resources: expected a file in the pack's folder"),
        (f"{_BASE}lexicon: /etc/hostname\n", "3: lexicon: expected a file in the pack's folder"),
        (f"{_BASE}examples: ../../examples.yaml\n", "3: examples: expected a file in the pack's folder"),
        ("code: ../xx\n", "1: code: expected a code"),
        ("code: xx\nextends: ../generic\n", "2: extends: expected a code"),
        (f"{_BASE}labels: {{noop: x}}\n", "3: labels: 'noop' is no label"),
        (f"{_BASE}labels: {{A->B: x}}\n", "3: labels: 'A->B' is no label"),
        (f"{_BASE}labels:\n  ? '{{{_MANY}}}{{{_MANY}}}'\n  : x\n", "10,000"),
        (f"{_BASE}costs: {{insertion: .inf}}\n", "3: costs: insertion: found inf"),
        (f"{_BASE}rules: [{{type: '{{class}}:NO', when: {{operation: M}}}}]\n", "3: rules[0]: no label declared"),
        (f"{_BASE}rules: [{{type: NOUN, when: {{both: {{form: {{matches: 'a{{{'9' * 20}}}'}}}}}}}}]\n",
         "no regular expression"),
        (f"{_BASE}rules: [{{type: NOUN, when: {{both: {{form: {{matches: '{'(' * 3000}{')' * 3000}'}}}}}}}}]\n",
         "no regular expression"),
    ],
)  # fmt: skip
def test_refused_in_one_line(tmp_path, content, message):
    (tmp_path / "pack.yaml").write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        load_pack("", folder=str(tmp_path))
    assert "pack.yaml" in str(raised.value)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert any([message in problem for problem in check_pack(str(tmp_path)).problems])


def test_a_rule_cannot_drop_tokens_for_ever():
    rules = RuleSet([{"drop_last": True}], ["OTHER"], Compiler({}, {}), {}, file="pack.yaml")
    source, target = Sentence((Token("a"),), "a"), Sentence((Token("b"),), "b")
    view = EditContext(source, target, Span(0, 1, 0, 1), Vocabulary())
    with pytest.raises(InputError, match=r"pack\.yaml: drop_last: nothing is left of 'a' → 'b'"):
        rules.classify(view)


def test_a_file_of_hooks_that_exits_is_an_error(tmp_path):
    (tmp_path / "pack.yaml").write_text(_BASE, encoding="utf-8")
    (tmp_path / "hooks.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"hooks\.py fails: SystemExit"):
        load_pack("", folder=str(tmp_path))


def test_an_apostrophe_may_be_a_letter():
    assert without_punctuation("памʼять") == without_punctuation("пам'ять") == "память"
