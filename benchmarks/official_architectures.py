#!/usr/bin/env python3
"""Does jperrant find what plain Stanza finds, in every architecture that Stanza's hub ships?

python benchmarks/official_architectures.py [PACKAGE...]

Builds tiny models with random weights by Stanza's own trainers, lays them out by Stanza's own tool as the hub does,
and annotates sentences and texts: by plain Stanza, one a call, and by jperrant, together and one a call. Says of
each package what it is made of, what computes in double precision, and whether tags, lemmas, trees and tokens are
equal.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
tests = types.ModuleType("jperrant_tests")
tests.__path__ = [str(ROOT / "tests")]  # a package of this name may be installed
sys.modules["jperrant_tests"] = tests

from jperrant_tests import official_models as official  # noqa: E402
from jperrant_tests.tiny_hub import ARCHITECTURES, Architecture, install, write_hub  # noqa: E402
from jperrant_tests.tiny_models import write_transformer  # noqa: E402

from jperrant.parse.analyser import Language  # noqa: E402
from jperrant.parse.stanza_analyser import StanzaAnalyser, quiet_stanza  # noqa: E402

COLUMNS = {"tags": ("upos", "xpos", "feats"), "lemmas": ("lemma",), "trees": ("head", "deprel")}


def compared(folder: Path, one: Architecture) -> dict[str, bool]:
    """Return what is equal."""
    plain = official.Plain(folder, one.lang, one.package)
    expected = [plain.words(sentence) for sentence in official.SENTENCES]
    parser = StanzaAnalyser(one.package, Language(one.lang, one.lang))
    together = official.analysed(parser, official.SENTENCES)
    alone = [official.analysed(parser, [s])[0] for s in official.SENTENCES]
    equal = {
        name: all(
            [[getattr(w, c) for c in columns] for s in expected for w in s]
            == [[getattr(w, c) for c in columns] for s in found for w in s]
            for found in (together, alone)
        )
        for name, columns in COLUMNS.items()
    }
    texts = [plain.tokens(text) for text in official.TEXTS]
    own = official.tokenized(parser, official.TEXTS)
    equal["tokens"] = texts == own == [official.tokenized(parser, [text])[0] for text in official.TEXTS]
    double = [p for p in parser.models.files if p in parser.processors.double]
    marks = "".join(f"{'equal' if value else 'OTHER':8}" for value in equal.values())
    print(f"{one.lang:8}{one.package:26}{marks}{' '.join(double) or '-':20}{one.about}", flush=True)
    return equal


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="only these")
    asked = parser.parse_args().packages
    with tempfile.TemporaryDirectory() as scratch:
        base = Path(scratch)
        transformers = {kind: str(base / kind) for kind in ("Bert", "Electra", "XLMRoberta")}
        with quiet_stanza():
            for kind, folder in transformers.items():
                write_transformer(Path(folder), kind)
        chosen = write_hub(base / "hub", lambda one: not asked or one.package in asked, transformers)
        install(base / "hub", base / "installed")
        os.environ["STANZA_RESOURCES_DIR"] = str(base / "installed")
        head = "".join(f"{name:8}" for name in (*COLUMNS, "tokens"))
        print(f"{'lang':8}{'package':26}{head}{'double precision':20}made of")
        equal = [all(compared(base / "installed", one).values()) for one in chosen]
    print(f"{sum(equal)} of {len(equal)} packages as expected, of {len(ARCHITECTURES)} that are known")
    sys.exit(0 if all(equal) else 1)


if __name__ == "__main__":
    main()
