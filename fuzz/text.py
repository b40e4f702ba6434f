"""Random tokens, texts and blocks, and mutations of text."""

from __future__ import annotations

from random import Random

from jperrant.core.values import Annotation, Block, Edit

WORDS = ["a", "b", "the", "York", "字", "é", "e\u0301", "\U0001f600", ".", ",", "'s", "-", "x" * 40]
ODD = [
    "|", "||", "a|", "|a", "c||d", "-NONE-", "noop", "S", "A", "T0", "-1", "UNK", "\ufeff", "\u200b", "%", "=1+1",
]  # fmt: skip
TYPES = ["M:DET", "R:NOUN:NUM", "U:PUNCT", "R:OTHER", "UNK", "Um", "R:WO", "X"]
PIECES = [
    "S ", "S", "A ", "A 0 1|||", "|||", "||", "\n", "\n\n", "\r", "\t", " ", "\u00a0", "\u3000", "\v", "\ufeff",
    "\u2028", "-1 -1", "99999999", "-5", "9" * 5000, "noop", "-NONE-", "REQUIRED", "T0-A0 ", "I ", "\x00",
    "\x1b[31m", "{", "}", "[", ":",
]  # fmt: skip


def token(random: Random) -> str:
    """Return a token, sometimes one with a meaning in a file format."""
    return random.choice(ODD if random.random() < 0.2 else WORDS)


def tokens(random: Random, most: int = 7) -> list[str]:
    """Return up to ``most`` tokens."""
    return [token(random) for _ in range(random.randint(0, most))]


def changed(random: Random, source: list[str]) -> list[str]:
    """Return tokens with some replaced, dropped, added and moved."""
    target = list(source)
    for _ in range(random.randint(0, 4)):
        place = random.randint(0, len(target))
        match random.randint(0, 3):
            case 0:
                target.insert(place, token(random))
            case 1:
                del target[place : place + 1]
            case 2:
                target[place : place + 1] = [token(random)]
            case _:
                random.shuffle(target[place : place + 3])
    return target


def block(random: Random, annotators: int = 2, wild: bool = False, source: list[str] | None = None) -> Block:
    """Return a block, of a source if it is given; a wild one has edits that overlap or lie outside."""
    source = tokens(random) if source is None else source
    names = sorted(random.sample(range(5), random.randint(0, annotators)))
    return Block(tuple(source), tuple([Annotation(name, edits(random, len(source), wild)) for name in names]))


def edits(random: Random, length: int, wild: bool = False) -> tuple[Edit, ...]:
    """Return edits of a sentence of ``length`` tokens, in order."""
    made: list[Edit] = []
    for _ in range(random.randint(0, 3)):
        low, high = (-3, length + 3) if wild else (made[-1].end if made else 0, length)
        if low > high:
            break
        start, end = sorted((random.randint(low, high), random.randint(low, high)))
        made.append(Edit(start, end, tuple(tokens(random, 3)), random.choice(TYPES)))
    return tuple(sorted(made, key=lambda edit: (edit.start, edit.end)))


def mutated(random: Random, text: str, most: int = 4) -> str:
    """Return a text with pieces inserted, deleted, doubled and replaced."""
    for _ in range(random.randint(0, most)):
        place, length = random.randint(0, len(text)), random.choice([0, 1, 1, 2, 9])
        piece = random.choice(PIECES)
        if random.random() < 0.3:
            piece = text[place : place + length] * 2
        text = text[:place] + piece + text[place + length :]
    return text
