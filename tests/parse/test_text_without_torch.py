"""Text is annotated with the models of the packs without torch and Stanza, to the same analyses by any BLAS."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.program import PROGRAM
from tests.stages import mostly_for_ci

pytestmark = pytest.mark.slow

PAIRS = {
    "en": ("This are a sentence . I do n't know he .", "This is a sentence . I do n't know him ."),
    "zh": ("我的工做很忙。我喜欢吃苹果", "我的工作很忙。我喜欢吃苹果。"),
    "ko": ("그는 학교에 가요. 저는 밥을 먹었다.", "그는 학교에 갔어요. 저는 밥을 먹었습니다."),
}
#: Prints the analyses of texts of two languages, without some kernels of NumKong's.
ANALYSES = """\
import sys
import numkong
for kernels in sys.argv[1:]:
    numkong.disable_capability(kernels)
import jperrant
texts = {"en": "I can't go, unfriended mice! He went.", "ko": "학교에서는 먹었습니다. 버느라고 갔다."}
for lang, text in texts.items():
    parser = jperrant.load(lang).parser
    print([sentence.tokens for sentence in parser.parse(parser.tag(parser.tokenize([text])[0]))])
"""


@pytest.mark.parametrize("lang", mostly_for_ci(PAIRS, "en"))
def test_nothing_heavy_is_imported(tmp_path: Path, lang: str) -> None:
    for name, text in zip(("source", "target"), PAIRS[lang], strict=True):
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    arguments = ["annotate", "source", "target", "--lang", lang, "-o", "out.m2", "--raw"]
    for library in (
        "torch",
        "stanza",
        "transformers",
    ):  # a module of the folder that the program runs in goes first
        (tmp_path / f"{library}.py").write_text("raise SystemExit('this is heavy')\n")
    subprocess.run([*PROGRAM, *arguments], cwd=tmp_path, check=True)
    assert "\nA " in (tmp_path / "out.m2").read_text(encoding="utf-8")


@pytest.mark.ci
def test_the_same_analyses_with_any_kernel() -> None:
    """OpenBLAS, which numpy's wheels bring, chooses its kernels by the processor, or by this variable."""
    found = {
        subprocess.run(
            [sys.executable, "-c", ANALYSES, *without],
            env=os.environ | {"OPENBLAS_CORETYPE": kernel}, capture_output=True, text=True, check=True,
        ).stdout
        for kernel, *without in (
            ["Haswell"], ["Zen", "genoa", "icelake"], ["SkylakeX"],
            ["Nehalem", "genoa", "sapphireamx", "alder", "sierra", "icelake", "skylake", "haswell"],
        )
    }  # fmt: skip
    assert len(found) == 1
    assert "Token(" in found.pop()
