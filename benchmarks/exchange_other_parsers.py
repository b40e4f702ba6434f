"""Read what `jperrant m2 convert` wrote with the parser of the tool itself, and count what it reads and refuses.

    python benchmarks/exchange_other_parsers.py brat FOLDER --source BRAT/server
    python benchmarks/exchange_other_parsers.py inception FOLDER
    python benchmarks/exchange_other_parsers.py label-studio FOLDER

It imports nothing of jperrant, so it runs in another environment: with a clone of brat, whose parser is in no
package; with `dkpro-cassis` for INCEpTION; with `label-studio-sdk`, which brings 71 packages and is no dependency.
"""

from __future__ import annotations

import argparse
import codecs
import json
import sys
import types
from pathlib import Path
from typing import Any

SEGMENTATION = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", choices=["brat", "inception", "label-studio"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--source", type=Path, help="The folder server of a clone of brat.")
    arguments = parser.parse_args()
    if arguments.tool == "brat":
        if arguments.source is None:
            parser.error("--source is missing")
        return check_brat(arguments.folder, arguments.source)
    return {"inception": check_inception, "label-studio": check_label_studio}[arguments.tool](
        arguments.folder
    )


def check_brat(folder: Path, source: Path) -> int:
    sys.path[:0] = [str(source / "src"), str(source / "lib")]
    settings = dict.fromkeys(("BASE_DIR", "DATA_DIR", "WORK_DIR", "BACKUP_DIR"), str(folder))
    config: Any = types.ModuleType("config")
    config.__dict__.update(settings, DEBUG=False, LOG_LEVEL=30, USER_PASSWORD={})
    sys.modules["config"] = config
    opened = codecs.open
    # Python 3.11 has no mode U any more, with which brat opens texts.
    codecs.open = lambda name, mode="r", **rest: opened(name, mode.replace("U", ""), **rest)  # type: ignore[assignment]
    import annotation
    import projectconfig

    read = notes = failed = 0
    for file in sorted(folder.glob("annotator*/*.ann")):
        document = annotation.TextAnnotations(str(file.with_suffix("")), read_only=True)
        read += len(list(document.get_textbounds()))
        notes += sum(comment.type == "AnnotatorNotes" for comment in document.get_oneline_comments())
        failed += len(document.failed_lines)
    project = projectconfig.ProjectConfiguration(str(folder / "annotator0"))
    print(f"brat: {read} annotations, {notes} notes, {failed} lines that failed, ", end="")
    print(f"{len(project.get_entity_types())} types, attributes {', '.join(project.get_attribute_types())}")
    return int(failed > 0)


def check_inception(folder: Path) -> int:
    import cassis

    edits = tokens = zero = problems = 0
    for file in sorted([*folder.glob("annotator*/*.xmi"), *folder.glob("annotator*/*.json")]):
        with file.open("rb") as stream:
            if file.suffix == ".json":
                cas = cassis.load_cas_from_json(stream)
            else:
                cas = cassis.load_cas_from_xmi(stream, typesystem=type_system(cassis), trusted=True)
        found = cas.select("webanno.custom.Edit")
        edits, zero = edits + len(found), zero + sum(edit.begin == edit.end for edit in found)
        tokens += len(cas.select(f"{SEGMENTATION}.Token"))
        problems += len(cas.typecheck())
    print(f"dkpro-cassis: {edits} edits, {zero} of them zero-width, {tokens} tokens, {problems} type errors")
    return int(problems > 0)


def type_system(cassis: Any) -> Any:
    made = cassis.TypeSystem()
    for name in (f"{SEGMENTATION}.Sentence", f"{SEGMENTATION}.Token", "webanno.custom.Edit"):
        last = made.create_type(name, supertypeName="uima.tcas.Annotation")
    for feature in ("category", "correction"):
        made.create_feature(last, feature, "uima.cas.String")
    return made


def check_label_studio(folder: Path) -> int:
    from label_studio_sdk.label_interface import LabelInterface

    interface = LabelInterface((folder / "labels.xml").read_text(encoding="utf-8"))
    interface.validate()
    checked = refused = 0
    for task in json.loads((folder / "tasks.json").read_text(encoding="utf-8")):
        for record in task.get("predictions", []):
            errors = interface.validate_prediction(record, return_errors=True)
            checked, refused = checked + 1, refused + bool(errors)
        for record in task.get("annotations", []):
            checked, refused = checked + 1, refused + (not interface.validate_annotation(record))
    print(f"label-studio-sdk: {checked} annotations or predictions, {refused} refused")
    return int(refused > 0)


if __name__ == "__main__":
    sys.exit(main())
