"""The rules of the generic and the English pack as Python written by hand; ``rules_speed.py`` compares with them.

Each says the same as the rules in YAML; the benchmark checks that.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from jperrant.core.values import Sentence, Span, Token
from jperrant.edits.edit_context import EditContext
from jperrant.edits.features import difference, features
from jperrant.edits.folding import is_punctuation, one_width, without_diacritics, without_punctuation
from jperrant.packs import Pack

HERE = Path(__file__).resolve().parent
Typed = Callable[[Sentence, Sentence, Span], str]

# The generic pack by hand

CLASSES = {"ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
           "SCONJ", "SYM", "VERB"}  # fmt: skip
INFLECTED = CLASSES - {"CCONJ", "INTJ", "PUNCT", "SCONJ", "SYM"}


def generic(pack: Pack) -> Typed:
    inflection = pack.vocabulary.inflection

    def punctuation(token: Token) -> bool:
        return token.upos == "PUNCT" or (token.upos != "SYM" and is_punctuation(token.form))

    def typed(source: Sentence, target: Sentence, span: Span) -> str:
        orig = source.tokens[span.start : span.end]
        cor = target.tokens[span.target_start : span.target_end]
        letter = ("R" if cor else "U") if orig else "M"
        if [t.form for t in orig] == [t.form for t in cor]:
            return "UNK"
        return f"{letter}:{label(orig, cor)}"

    def label(orig: Sequence[Token], cor: Sequence[Token]) -> str:
        tokens = (*orig, *cor)
        if all([punctuation(t) for t in tokens]):
            return "PUNCT"
        tags = {t.upos for t in tokens}
        if not orig or not cor:
            return one_sided(tags)
        spaced, other_spaced = " ".join([t.form for t in orig]), " ".join([t.form for t in cor])
        if spaced.lower() == other_spaced.lower():
            return "ORTH:CASE"
        text, other = "".join([t.form for t in orig]), "".join([t.form for t in cor])
        if text == other:
            return "ORTH:SPACE"
        lower, other_lower = text.lower(), other.lower()
        if one_width(lower) == one_width(other_lower):
            return "ORTH"
        if without_punctuation(lower) == without_punctuation(other_lower):
            return "PUNCT"
        if without_diacritics(lower) == without_diacritics(other_lower):
            return "DIACR"
        if len(orig) == len(cor) and sorted([t.form.lower() for t in orig]) == sorted(
            [t.form.lower() for t in cor]
        ):
            return "WO"
        if len(orig) == len(cor) == 1:
            found = one_to_one(orig[0], cor[0], tags)
            if found:
                return found
        elif tags <= {"AUX", "PART", "VERB"} and orig[-1].lemma == cor[-1].lemma:
            return "VERB:TENSE" if tags <= {"AUX", "VERB"} else "VERB:FORM"
        return one_sided(tags)

    def one_sided(tags: set[str]) -> str:
        if len(tags) == 1 and tags <= CLASSES:
            return next(iter(tags))
        return "VERB" if tags <= {"AUX", "VERB"} else "OTHER"

    def one_to_one(orig: Token, cor: Token, tags: set[str]) -> str:
        if orig.form.isalpha() and not pack.vocabulary.knows(orig.form):
            alike = Levenshtein.normalized_similarity(orig.form.lower(), cor.form.lower())
            if alike >= 0.5 or (round(alike, 3) >= 0.333 and len(orig.form) <= 4 and len(cor.form) <= 4):
                return "SPELL"
        if orig.lemma != cor.lemma or orig.lemma in ("", "_"):
            return ""
        if tags <= {"AUX", "VERB"} and past_participle(orig, cor):
            return "VERB:TENSE"
        named = inflection.name(cor.upos, orig.feats, cor.feats)
        if orig.upos == cor.upos:
            return f"{cor.upos}:{named}" if cor.upos in INFLECTED else ""
        if tags <= {"AUX", "VERB"}:
            return f"VERB:{named}"
        if tags <= {"NOUN", "PROPN"}:
            return f"NOUN:{named}"
        return f"PRON:{named}" if tags <= {"DET", "PRON"} else "MORPH"

    def past_participle(orig: Token, cor: Token) -> bool:
        first, second = features(orig.feats), features(cor.feats)
        if any(f.get("VerbForm") not in ("Fin", "Part") or "Case" in f for f in (first, second)):
            return False
        if not difference(orig.feats, cor.feats).names >= {"Tense", "VerbForm"}:
            return False
        past = {"Tense": "Past", "Voice": "Act", "VerbForm": "Part"}
        return past.items() <= first.items() or past.items() <= second.items()

    return typed


# The English pack by hand

COMMON = {"ADJ", "ADV", "CONJ", "DET", "NOUN", "PART", "PREP", "PRON", "PUNCT", "SPACE", "VERB"}
OPEN = {"ADJ", "ADV", "NOUN", "VERB"}
CONTRACTIONS = {"'d", "'ll", "'m", "n't", "'re", "'s", "'ve"}
AUXILIARY = {"aux", "auxpass"}
TELLING = {
    "acomp": "ADJ",
    "amod": "ADJ",
    "advmod": "ADV",
    "det": "DET",
    "prep": "PREP",
    "prt": "PART",
    "punct": "PUNCT",
}


class English:
    """The rules of langpacks/en as Python."""

    def __init__(self, pack: Pack) -> None:
        self.vocabulary = pack.vocabulary
        spec = importlib.util.spec_from_file_location("hooks", pack.folder / "hooks.py")
        assert spec is not None
        assert spec.loader is not None
        self.hooks = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.hooks)

    def __call__(self, source: Sentence, target: Sentence, span: Span) -> str:
        """Return the type of an edit."""
        orig = source.tokens[span.start : span.end]
        cor = target.tokens[span.target_start : span.target_end]
        if len(orig) == len(cor) and [t.form for t in orig] == [t.form for t in cor]:
            return "UNK"
        while True:
            if not orig or not cor:
                return f"{'M' if not orig else 'U'}:{self.one_sided(orig or cor)}"
            last, other = orig[-1].form.lower(), cor[-1].form.lower()
            if (len(orig) == 1 and len(cor) == 1) or last != other:
                break
            orig, cor = orig[:-1], cor[:-1]
        return f"R:{self.replacement(source, target, span, orig, cor)}"

    def one_sided(self, tokens: Sequence[Token]) -> str:
        """Label tokens that stand on one side only."""
        if len(tokens) == 1:
            token = tokens[0]
            if token.xpos == "POS":
                return "NOUN:POSS"
            if token.form.lower() in CONTRACTIONS:
                return "CONTR"
            if (
                token.form.lower() == "to"
                and token.upos == "PART"
                and self.vocabulary.deprel(token) != "prep"
            ):
                return "VERB:FORM"
        relations = {self.vocabulary.deprel(t) for t in tokens}
        if relations <= AUXILIARY:
            return "VERB:TENSE"
        classes = {self.vocabulary.word_class(t) for t in tokens}
        if len(classes) == 1 and classes <= COMMON:
            return next(iter(classes))
        if len(relations) == 1 and relations <= TELLING.keys():
            return TELLING[next(iter(relations))]
        return "VERB" if classes == {"PART", "VERB"} else "OTHER"

    def replacement(
        self, source: Sentence, target: Sentence, span: Span, orig: Sequence[Token], cor: Sequence[Token]
    ) -> str:
        """Label a replacement."""
        if "".join([t.form for t in orig]).lower() == "".join([t.form for t in cor]).lower():
            return "ORTH"
        if len(orig) == len(cor) and sorted([t.form.lower() for t in orig]) == sorted(
            [t.form.lower() for t in cor]
        ):
            return "WO"
        if len(orig) == len(cor) == 1:
            found = self.one_to_one(source, target, span, orig[0], cor[0])
            if found:
                return found
        return self.several(orig, cor)

    def one_to_one(self, source: Sentence, target: Sentence, span: Span, a: Token, b: Token) -> str:
        """Label one token for another; an empty string where nothing can be said yet."""
        first, second = a.form.lower(), b.form.lower()
        class_a, class_b = self.vocabulary.word_class(a), self.vocabulary.word_class(b)
        pair = {first, second}
        if a.xpos == "POS" or b.xpos == "POS":
            return "NOUN:POSS"
        if class_a == class_b and not CONTRACTIONS.isdisjoint(pair):
            return "CONTR"
        if pair in ({"ca", "can"}, {"sha", "shall"}, {"wo", "will"}):
            return "CONTR"
        if not {"ca", "sha", "wo"}.isdisjoint(pair):
            return "VERB:TENSE"
        if pair == {"was", "were"}:
            return "VERB:SVA"
        if a.form.isalpha() and not self.vocabulary.knows(a.form):
            return self.misspelt(a, b, class_a, class_b)
        if a.lemma == b.lemma and class_a in OPEN and class_b in OPEN:
            return self.forms(source, target, span, a, b, class_a, class_b)
        both_open = class_a in OPEN and class_b in OPEN
        if both_open and first[0] == second[0] and self.hooks.stem(first) == self.hooks.stem(second):
            return "MORPH"
        relation, other = self.vocabulary.deprel(a), self.vocabulary.deprel(b)
        if relation.startswith("aux") and other.startswith("aux"):
            return "VERB:TENSE"
        if class_a == class_b and class_a in COMMON:
            return class_a
        if relation == other and relation in TELLING:
            return TELLING[relation]
        classes = {class_a, class_b}
        if classes == {"PART", "PREP"} or {relation, other} == {"prt", "prep"}:
            return "PART"
        if classes == {"DET", "PRON"}:
            if other in ("nsubj", "nsubjpass", "dobj", "pobj"):
                return "PRON"
            if other == "poss":
                return "DET"
        if classes == {"NUM", "DET"} or pair == {"other", "another"}:
            return "DET"
        if first == "your" and second == "yours":
            return "PRON"
        if pair == {"no", "not"} or not a.form.isalpha() or not b.form.isalpha():
            return "OTHER"
        return self.real_word(a, b, first, second, class_b)

    def misspelt(self, a: Token, b: Token, class_a: str, class_b: str) -> str:
        """Label an edit of a word that is not in the list."""
        if a.lemma == b.lemma:
            return f"{class_a}:INFL" if class_a == class_b and class_a in ("NOUN", "VERB") else "MORPH"
        alike = round(Levenshtein.normalized_similarity(a.form.lower(), b.form.lower()), 3)
        if alike > 0.55 or (alike in (0.5, 0.333) and len(a.form) <= 4 and len(b.form) <= 4):
            return "SPELL"
        return class_b if class_b in COMMON else "OTHER"

    def forms(
        self, source: Sentence, target: Sentence, span: Span, a: Token, b: Token, class_a: str, class_b: str
    ) -> str:
        """Label two forms of one lemma."""
        if class_a == class_b == "ADJ":
            return "ADJ:FORM"
        if class_a == class_b == "NOUN":
            return "NOUN:NUM"
        if class_a == class_b == "VERB":
            if self.hooks.preceded_by_auxiliary(EditContext(source, target, span, self.vocabulary)):
                return "VERB:FORM"
            if a.xpos in ("VBG", "VBN") or b.xpos in ("VBG", "VBN"):
                return "VERB:FORM"
            if "VBD" in (a.xpos, b.xpos):
                return "VERB:TENSE"
            if "VBZ" in (a.xpos, b.xpos):
                return "VERB:SVA"
            if self.vocabulary.deprel(a).startswith("aux") and self.vocabulary.deprel(b).startswith("aux"):
                return "VERB:TENSE"
        if {self.vocabulary.deprel(a), self.vocabulary.deprel(b)} <= {"acomp", "amod"}:
            return "ADJ:FORM"
        if class_a == "ADJ" and b.xpos == "NNS":
            return "NOUN:NUM"
        by_tag = {"VBG": "VERB:FORM", "VBN": "VERB:FORM", "VBD": "VERB:TENSE", "VBZ": "VERB:SVA"}
        return by_tag.get(b.xpos, "MORPH")

    def real_word(self, a: Token, b: Token, first: str, second: str, class_b: str) -> str:
        """Label a word for another by their similarity."""
        size, other = len(a.form), len(b.form)
        alike = round(Levenshtein.normalized_similarity(first, second), 3)
        label = class_b if class_b in COMMON else ""
        pair = {first, second}
        if size == 1 and other == 2 and alike == 0.5:
            return "SPELL"
        if size == 2 and other in (2, 3) and alike >= 0.5:
            return "SPELL"
        if size == 3:
            if (first, second) in (("the", "that"), ("all", "everything")):
                return "PRON"
            return "SPELL" if other in (2, 3, 4) and alike >= 0.5 else ""
        if size == 4:
            if pair == {"that", "what"}:
                return "PRON"
            if pair == {"good", "well"} and label:
                return label
            if (other == 3 and alike > 0.5) or (other == 4 and alike >= 0.5) or (other == 5 and alike == 0.8):
                return "SPELL"
            return label if other > 5 and alike > 0.5 else ""
        if size == 5:
            if pair == {"after", "later"} and label:
                return label
            if (other == 4 and alike == 0.8) or (other == 5 and alike >= 0.6):
                return "SPELL"
            return label if other > 5 else ""
        if size > 5 and other > 5:
            if (first, second) == ("therefor", "therefore") or pair == {"though", "thought"}:
                return "SPELL"
            if alike >= 0.66 and (a.form.startswith(b.form) or b.form.startswith(a.form)):
                return "MORPH"
            if alike > 0.8:
                return "SPELL"
            return label if alike < 0.55 else ""
        return ""

    def several(self, orig: Sequence[Token], cor: Sequence[Token]) -> str:
        """Label what nothing could be said of yet."""
        tokens = (*orig, *cor)
        relations = {self.vocabulary.deprel(t) for t in tokens}
        if relations <= AUXILIARY:
            return "VERB:TENSE"
        classes = {self.vocabulary.word_class(t) for t in tokens}
        same_last = orig[-1].lemma == cor[-1].lemma
        if len(classes) == 1 and classes <= COMMON:
            return "VERB:TENSE" if classes == {"VERB"} and same_last else next(iter(classes))
        if len(relations) == 1 and relations <= TELLING.keys():
            return TELLING[next(iter(relations))]
        if classes == {"PART", "VERB"}:
            return "VERB:FORM" if same_last else "VERB"
        sequences = [[self.vocabulary.word_class(t) for t in side] for side in (orig, cor)]
        if ["NOUN", "PART"] in sequences and orig[0].lemma == cor[0].lemma:
            return "NOUN:POSS"
        graded = {"more", "most"} & {orig[0].form.lower(), cor[0].form.lower()}
        if graded and len(orig) <= 2 and len(cor) <= 2 and same_last:
            return "ADJ:FORM"
        return "OTHER"
