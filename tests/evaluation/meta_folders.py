"""Small made data in the forms in which SEEDA, GJG15, GMEG and CoNLL-14's references are distributed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

from jperrant.evaluation.meta import published

#: What a system does to a sentence, more of it the better the system is.
FIXES = {
    "This are": "This is",
    "a cats": "a cat",
    "She go": "She goes",
    "He like": "He likes",
    "I has": "I have",
}
WHOLE = (
    "This are a cats .", "She go home .", "He like a cats .", "I has it .", "This are bad .", "She go , I has to .",
    "He like it .", "This are a cats I has .",
)  # fmt: skip
#: The sentences of SEEDA's subset, from 0.
JUDGED = (0, 2, 3, 5, 7)


def corrected(sentence: str, share: float, random: Random) -> str:
    """Return a sentence with about a share of its errors fixed."""
    for wrong, right in FIXES.items():
        if random.random() < share:
            sentence = sentence.replace(wrong, right)
    return sentence


def texts_of(systems: list[str], source: str, seed: int) -> dict[str, list[str]]:
    """Return the text of each system; the first of them is the best."""
    random = Random(seed)
    shares = {system: 1 - n / len(systems) for n, system in enumerate(systems)} | {source: 0.0}
    return {system: [corrected(sentence, shares[system], random) for sentence in WHOLE] for system in systems}


def write(path: Path, lines: list[str]) -> None:
    """Write lines, the folders of the file as well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def m2_of(sources: Iterable[str], texts: Iterable[str]) -> list[str]:
    """Return blocks in which one edit replaces a sentence, or none where it stays."""
    lines = []
    for source, text in zip(sources, texts, strict=True):
        edit = f"A 0 {len(source.split())}|||R:OTHER|||{text}|||REQUIRED|||-NONE-|||0"
        noop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0"
        lines += [f"S {source}", noop if source == text else edit, ""]
    return lines


def rankings(texts: dict[str, list[str]], sentences: list[int], first: int, seed: int) -> list[str]:
    """Return rankings as Appraise writes them: five systems an item, equal texts as one entry."""
    random = Random(seed)
    items = []
    for item, sentence in enumerate(sentences * 3):
        entries: dict[str, list[str]] = {}
        for system in random.sample(sorted(texts), 5):
            entries.setdefault(texts[system][sentence], []).append(system)
        errors = {text: sum(wrong in text for wrong in FIXES) for text in entries}
        order = sorted(set(errors.values()))
        items.append(f'<ranking-item src-id="{sentence + first}" id="{item}" user="judge{item % 2}">')
        items += [
            f'<translation system="{" ".join(names)}" rank="{order.index(errors[text]) + 1}" />'
            for text, names in entries.items()
        ]
        items.append("</ranking-item>")
    items.append('<ranking-item src-id="1" id="none" user="judge1"/>')
    return ["<appraise-results>", *items, "</appraise-results>"]


def make_seeda(folder: Path) -> Path:
    """Write a folder in SEEDA's form."""
    texts = texts_of(list(published.SEEDA_SYSTEMS), published.INPUT, 1)
    for system, text in texts.items():
        write(folder / "outputs" / "all" / f"{system}.txt", text)
        write(folder / "outputs" / "subset" / f"{system}.txt", [text[n] for n in JUDGED])
    for n, name in enumerate(published.SEEDA_SETS):
        write(
            folder / "data" / f"judgments_{name}.xml", rankings(texts, list(JUDGED), published.SEEDA_FIRST, n)
        )
        for kind in ("TS", "EW"):
            figures = [f"{1 - rank / 15 + n / 100:.3f}" for rank in range(len(published.SEEDA_SYSTEMS))]
            write(folder / "scores" / "human" / f"{kind}_{name}.txt", figures)
    return folder


def make_gjg15(folder: Path) -> Path:
    """Write a folder in GJG15's form."""
    texts = texts_of(list(published.GJG15_HUMAN), published.INPUT, 2)
    for system, text in texts.items():
        write(folder / "data" / "original" / "official_submissions" / system, text)
    write(
        folder / "data" / "judgments.xml", rankings(texts, list(range(len(WHOLE))), published.GJG15_FIRST, 3)
    )
    return folder


def make_gmeg(folder: Path) -> Path:
    """Write a folder in GMEG's form, the test part of wiki."""
    texts = texts_of(list(published.GMEG_SYSTEMS), "source", 4)
    data = folder / "data" / "test"
    for system, text in texts.items():
        write(data / "wiki" / published.GMEG_SYSTEMS[system], text)
    for name in published.GMEG_REFERENCES:
        write(data / "wiki" / name, [corrected(sentence, 1, Random(5)) for sentence in WHOLE])
    rated = [
        [100 - 10 * sum(wrong in text[n] for wrong in FIXES) for text in texts.values()]
        for n in range(len(WHOLE) - 1)
    ]
    rows = [",".join(map(str, row)) for row in rated]
    write(data / "wiki-segment-scores.csv", [",".join(texts), *rows, "," * 7])
    means = [
        f"{s},{sum(column) / len(rated)}" for s, column in zip(texts, zip(*rated, strict=True), strict=True)
    ]
    write(data / "wiki-corpus-scores.csv", ["system,score", *means])
    return folder


def make_references(folder: Path) -> Path:
    """Write a folder in the form of CoNLL-14's references."""
    write(folder / "references" / "NUCLEA", [corrected(sentence, 1, Random(6)) for sentence in WHOLE])
    write(folder / "references" / "NUCLEB", [corrected(sentence, 0.8, Random(7)) for sentence in WHOLE])
    write(folder / "references" / "NUCLE.m2", m2_of(WHOLE, ["This is a cat .", *WHOLE[1:]]))
    return folder
