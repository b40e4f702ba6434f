"""Packs made to break what reads them: each is refused in one line that names the file, in little time."""

from __future__ import annotations

import gzip
import re
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.annotation.pack_check import check_pack
from jperrant.core.errors import InputError
from jperrant.edits.forms import compile_pattern
from jperrant.packs import dictionary, yaml_file
from jperrant.packs.pack import load_pack

_BASE = "code: xx\nextends: generic\n"
_SINCE_LONG = frozenset(["Lu", "Ll", "Lo", "Nd", "Nl", "No", "Mn", "Po", "Zs", "Sm"])
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
        (f"{_BASE}lists: &l\n  a: *l\n", "4: not YAML: nested too deeply"),
        (f"{_BASE}rules:\n {'- ' * 100_000}a\n", "4: not YAML: nested too deeply"),
        (f"{_BASE}lexicon: /etc/hostname\n", "3: lexicon: found '/etc/hostname', expected a file in the pack's"),
        (f"{_BASE}examples: ../../x.yaml\n", "3: examples: found '../../x.yaml', expected a file in the pack's"),
        ("code: ../xx\n", "1: code: found '../xx', expected a code"),
        ("code: xx\nextends: ../generic\n", "2: extends: found '../generic', expected a code"),
        (f"{_BASE}labels: {{noop: x}}\n", "3: labels: 'noop' cannot be a label"),
        (f"{_BASE}labels:\n  ? '{{{_MANY}}}{{{_MANY}}}'\n  : x\n", "10,000"),
        (f"{_BASE}costs: {{insertion: .inf}}\n", "3: insertion: found inf, expected a finite number"),
        (f"{_BASE}rules: [{{type: '{{class}}:NO', when: {{operation: M}}}}]\n", "3: rules[0]: no label under lab"),
        (f"{_BASE}~: x\n", "unknown key 'None'"),
        (f"{_BASE}rules: [{{type: NOUN, when: {{both: {{form: {{matches: 'a{{{'9' * 20}}}'}}}}}}}}]\n",
         "not a regular expression"),
        (f"{_BASE}rules: [{{type: NOUN, when: {{both: {{form: {{matches: '(a+)+(?=b)'}}}}}}}}]\n", "look-around"),
        (f"{_BASE}name: 2001-13-45\n", "pack.yaml:3: '2001-13-45' is not a valid value (month must be in 1..12"),
        (f"{_BASE}costs:\n  insertion: !!float x\n", "pack.yaml:4: 'x' is not a valid value"),
        (f"{_BASE}name: !!bool 'x'\n", "pack.yaml:3: 'x' is not a valid value"),
        (f"{_BASE}costs: {{insertion: {'9' * 5000}}}\n", "pack.yaml:3: '999"),
        (f'{_BASE}lexicon: "a\\0b"\n', "pack.yaml:3: 'a\\x00b' contains a character that text cannot have"),
        (f'{_BASE}labels: {{"A\\ud800": x}}\n', "pack.yaml:3: "),
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


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        (r".*\w['’ʼ-]\w.*", "пам'ять", True), (r"\d+", "٣3", True), (r"a\sb", "a\u00a0b", True),
        (r"\S+", "a\u3000b", False), (r"[]a]+", "]a", True), (r"\[\w\]", "[ß]", True), (r"\u0430+", "аа", True),
        (r"(?i)straSSe", "STRASSE", True), (r".", "\ud800", True), (r"\p{Han}+", "漢字", True),
    ],
)  # fmt: skip
def test_classes_of_regular_expressions_are_unicodes(pattern, text, fits):
    assert compile_pattern(pattern)(text) is fits


@given(st.text(), st.sampled_from([r"\w*", r"\d*", r"\W*", r"\D*", r"[\w']*", r"[^\d]*", r"[^\w]*"]))
def test_classes_are_those_of_python(text, pattern):
    # The two know other versions of Unicode, and so other characters that are not assigned in one of them.
    text = "".join([c for c in text if unicodedata.category(c) in _SINCE_LONG and ord(c) < 0x3000])
    assert compile_pattern(pattern)(text) is (re.fullmatch(pattern, text) is not None)


@pytest.mark.parametrize("pattern", [r"(a+)+b", r"(a|a)*b", r"(.*,){20}b", r"a*a*a*a*a*a*a*b"])
def test_no_regular_expression_takes_long(pattern):
    matches, start = compile_pattern(pattern), time.process_time()
    assert not matches("a" * 20_000)
    assert time.process_time() - start < 2


def test_a_small_file_that_unpacks_to_a_huge_lexicon(tmp_path, monkeypatch):
    (tmp_path / "pack.yaml").write_text(f"{_BASE}lexicon: words.txt.gz\n", "utf-8")
    (tmp_path / "words.txt.gz").write_bytes(gzip.compress(b"word\n" * 300_000))
    monkeypatch.setattr(dictionary, "_MOST_BYTES", 1_000_000)
    with pytest.raises(InputError, match=r"words\.txt\.gz cannot be read \(more than 1,000,000 bytes"):
        load_pack("", folder=str(tmp_path))


def test_a_huge_pack_is_not_read(tmp_path, monkeypatch):
    (tmp_path / "pack.yaml").write_text(_BASE, "utf-8")
    monkeypatch.setattr(yaml_file, "_MOST_BYTES", 10)
    with pytest.raises(InputError, match=r"pack\.yaml: found \d+ bytes"):
        load_pack("", folder=str(tmp_path))
