"""The corrected texts of blocks, as words or characters, and the base class of metrics that compare texts."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

from jperrant.core.edits import apply_edits
from jperrant.core.errors import EditError
from jperrant.core.messages import plural
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Candidate, Pair, Row, Scorer, SystemCandidates, annotations_of

T = TypeVar("T")
#: Deviations from M2 that leave an annotation without a defined corrected text.
REFUSED = ("overlapping edits",)
#: The units that a text metric counts.
TextUnit: TypeAlias = Literal["words", "characters"]
#: The help text of the option ``unit``.
UNIT = "What is counted: the tokens of the M2, or the characters of their text."
#: Characters of scripts without spaces between words: Thai and Lao, Burmese, Khmer; CJK radicals, punctuation, kana
#: and bopomofo; ideographs and Yi; compatibility and fullwidth forms; ideographs beyond the basic plane.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\ua4cf\uf900-\ufaff\ufe30-\ufe4f"
    "\uff00-\uffef\U00020000-\U000323af]"
)


def of_sentences(blocks: Sequence[Block], name: str, first: int, make: Callable[[Block], T]) -> list[T]:
    """Apply a function to each block, and add file and sentence to its errors about edits.

    Args:
        blocks: The blocks.
        name: The name of the file in messages.
        first: The number of the first sentence in the file, from 1.
        make: The function.

    Raises:
        EditError: ``make`` raises one; names file and sentence.
    """
    made = []
    for number, block in enumerate(blocks, first):
        try:
            made.append(make(block))
        except EditError as error:
            raise EditError(f"{name}: sentence {number} (counted from 1): {error}") from None
    return made


def corrected_texts(
    blocks: Sequence[Block], name: str, first: int = 1
) -> list[list[tuple[int, tuple[str, ...]]]]:
    """Return the number and the corrected tokens of every annotator of each sentence.

    Without edits these are the tokens of the source; a block without annotations counts as annotator 0.

    Args:
        blocks: The blocks.
        name: The name of the file in messages.
        first: The number of the first sentence in the file, from 1.

    Raises:
        EditError: Edits of an annotator overlap or reach outside the sentence; names file and sentence.
    """
    return of_sentences(blocks, name, first, _corrected)


def _corrected(block: Block) -> list[tuple[int, tuple[str, ...]]]:
    return [(a.annotator, tuple(apply_edits(block.source, changing(a)))) for a in annotations_of(block)]


def applied(source: Sequence[str], edits: Iterable[Edit]) -> str:
    """Return the text with edits applied, tokens joined by spaces; of overlapping edits only the first is applied.

    Raises:
        EditError: An edit reaches outside the sentence.
    """
    return " ".join(apply_edits(source, without_overlaps(edits)))


def disjoint(source: Sequence[str], edits: Iterable[Edit], whose: str = "") -> Iterator[Edit]:
    """Yield the edits that propose a correction, after checking that they do not overlap.

    Args:
        source: The tokens of the sentence.
        edits: The edits in the order of the text.
        whose: The beginning of messages.

    Raises:
        EditError: An edit reaches outside the sentence, or two overlap.
    """
    position = 0
    for edit in edits:
        if edit.is_detection:
            continue
        if not 0 <= edit.start <= edit.end <= len(source):
            raise EditError(
                f"{whose}edit {edit.start} {edit.end} reaches outside a sentence of {plural(len(source), 'token')}"
            )
        if edit.start < position:
            raise EditError(
                f"{whose}edit {edit.start} {edit.end} overlaps the edit before it, which ends at {position}; its "
                "corrected text is not defined"
            )
        position = edit.end
        yield edit


def changing(annotation: Annotation) -> tuple[Edit, ...]:
    """Return the edits that propose a correction, in the order of the file."""
    return tuple([edit for edit in annotation.edits if not edit.is_detection])


def without_overlaps(edits: Iterable[Edit]) -> list[Edit]:
    """Return edits in the order of the text, without those that overlap an earlier one.

    Insertions at the same place do not overlap.
    """
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept


def units_of(tokens: Sequence[str], unit: TextUnit) -> Sequence[str]:
    """Return the tokens, or the characters of the text that they spell.

    A space, also a character, separates words, but not next to a character of a script without spaces (Chinese,
    Japanese, Thai …). The characters of such a text do not depend on its segmentation into words.

    >>> units_of(("I", "am"), "characters")
    'I am'
    >>> units_of(("我", "是", "学生", "。"), "characters")
    '我是学生。'
    >>> units_of(("他", "2014", "年", "说", "“", "好", "”"), "characters")
    '他2014年说“好”'
    """
    if unit == "words":
        return tokens
    pieces: list[str] = []
    for token in tokens:
        if pieces and not (_UNSPACED.match(pieces[-1][-1:]) or _UNSPACED.match(token)):
            pieces.append(" ")
        pieces.append(token)
    return "".join(pieces)


def text_of(tokens: Sequence[str]) -> str:
    """Return the text that tokens spell: with spaces, except next to characters of scripts without spaces.

    >>> text_of(("He", "goes", ".")), text_of(("他", "去", "。"))
    ('He goes .', '他去。')
    """
    return "".join(units_of(tokens, "characters"))


class TextScorer(Scorer):
    """A metric that compares the corrected text of a system with that of each reference.

    Attributes:
        uses_source: Whether the comparison also uses the source.
    """

    needs_edits: ClassVar[bool] = False
    per_reference: ClassVar[bool] = True
    refuses: ClassVar[tuple[str, ...]] = REFUSED
    uses_source: ClassVar[bool] = True

    @property
    def needs_corpus(self) -> bool:
        """False: sentences are scored independently."""
        return False

    @abstractmethod
    def derived(self, tokens: Sequence[str]) -> Any:
        """Return the data of a text that are compared, such as its n-grams."""

    @abstractmethod
    def row(self, source: Any, hypothesis: Any, reference: Any) -> Row:
        """Return the statistics of a hypothesis against one reference, from the data of ``derived``."""

    def prepare(self, references: Sequence[Block], first: int = 1) -> list[tuple[Any, list[tuple[int, Any]]]]:
        """Return the derived data of the source and of each reference, with its annotator, for each sentence."""
        texts = corrected_texts(references, "references", first)
        derived = [[(number, self.derived(text)) for number, text in sentence] for sentence in texts]
        sources = [self.derived(block.source) if self.uses_source else None for block in references]
        return list(zip(sources, derived, strict=True))

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[Any]) -> list[SystemCandidates]:
        """Return the statistics of every hypothesis against every reference."""
        return [
            SystemCandidates(
                [
                    [
                        Candidate(hypothesis, number, self.row(source, ours, theirs))
                        for hypothesis, text in sentence
                        for ours in [self.derived(text)]
                        for number, theirs in those
                    ]
                    for sentence, (source, those) in zip(
                        corrected_texts(pair.hypothesis, pair.name, pair.first), references, strict=True
                    )
                ]
            )
            for pair, references in zip(pairs, prepared, strict=True)
        ]


def middle_cut(source: Sequence[str], *others: Sequence[str]) -> tuple[int, ...]:
    """Return the positions that cut texts in two, before the shared word nearest to the middle of the source.

    A shared word is one that the alignment matches in all texts. Without one, each text is cut in its middle.

    >>> middle_cut("a b c d".split(), "x b c d".split()), middle_cut("a b".split(), "c d e".split())
    ((2, 2), (1, 1))
    """
    from rapidfuzz.distance import Levenshtein  # metrics that look at edits do without

    aligned = [
        {
            block.src_start + offset: block.dest_start + offset
            for block in Levenshtein.opcodes(source, other)
            if block.tag == "equal"
            for offset in range(block.src_end - block.src_start)
        }
        for other in others
    ]
    middle = len(source) / 2
    shared = set(range(1, len(source))).intersection(*aligned)
    if not shared:
        return tuple([len(text) // 2 for text in (source, *others)])
    place = min(shared, key=lambda p: (abs(p - middle), p))
    return place, *(places[place] for places in aligned)
