"""Forms of words, told by their endings without models; own sentences, types from grammars."""

from __future__ import annotations

import pytest

import jperrant
from jperrant.core.values import Parallel, Sentence

CASES = {
    "ar": [
        ("السيارة فيه طفل", "السيارة فيها طفل", "R:PRON:GENDER"),
        ("البيت لها باب", "البيت لهم باب", "R:PRON:NUM"),
    ],
    "cs": [
        ("jdu v škole", "jdu ve škole", "R:ADP:FORM"),
        ("vidím žena", "vidím ženu", "R:NOUN:FORM"),
        ("dej to matka", "dej to matce", "R:NOUN:FORM"),
        ("velký okno", "velké okno", "R:ADJ:FORM"),
        ("o hlavní problému", "o hlavním problému", "R:ADJ:FORM"),
        ("Eva zpíval", "Eva zpívala", "R:VERB:SVA"),
        ("my zpíváte", "my zpíváme", "R:VERB:SVA"),
        ("včera zpívá", "včera zpíval", "R:VERB:TENSE"),
        ("chci zpívá", "chci zpívat", "R:VERB:FORM"),
        ("musím vařit", "musím uvařit", "R:VERB"),
        ("mluv hlasitě", "mluv hlasitěji", "R:ADV:DEGREE"),
        ("řekl „Dobře", "řekl Dobře", "R:QUOTATION"),
        ("vím že , přijde", "vím , že přijde", "R:WO"),
    ],
    "el": [
        ("στο τομέα", "στον τομέα", "R:FN"),
        ("τα παιδιά παίζει", "τα παιδιά παίζουν", "R:VERB:SVA"),
        ("το σπίτι δάσκαλος", "το σπίτι δάσκαλου", "R:NOUN:CASE"),
    ],
    "es": [
        ("una casa blanco", "una casa blanca", "R:ADJ:GENDER"),
        ("casas blanca", "casas blancas", "R:ADJ:NUM"),
        ("los gato", "los gatos", "R:NOUN:NUM"),
        ("una vez y otras vez", "una vez y otras veces", "R:NOUN:NUM"),
        ("mi hermano Eva", "mi hermana Eva", "R:NOUN:GENDER"),
        ("ayer cocino", "ayer cociné", "R:VERB:TENSE"),
        ("antes canto", "antes cantaba", "R:VERB:TENSE"),
        ("ayer dice", "ayer dijo", "R:VERB:TENSE"),
        ("mañana viviría", "mañana vivía", "R:VERB:TENSE"),
        ("los niños corre", "los niños corren", "R:VERB:SVA"),
        ("ayer ella cociné", "ayer ella cocinó", "R:VERB:SVA"),
        ("yo dijo", "yo dije", "R:VERB:SVA"),
        ("espero que cantas", "espero que cantes", "R:VERB:MOOD"),
        ("quería que cantaba", "quería que cantara", "R:VERB:MOOD"),
        ("espero que tiene", "espero que tenga", "R:VERB:MOOD"),
        ("quiero canto", "quiero cantar", "R:VERB:FORM"),
        ("todo la noche", "toda la noche", "R:DET:GENDER"),
        ("el es alto", "es alto", "U:PRON"),
        ("Eva esta alta", "Eva es alta", "R:AUX:COPULA"),
    ],
    "gu": [
        ("મારો ઘર", "મારું ઘર", "R:PRON:GENDER"),
        ("છોકરો બોલ્યા", "છોકરો બોલ્યો", "R:VERB:SVA"),
    ],
    "is": [
        ("hún er búinn", "hún er búin", "R:ADJ:GENDER"),
        ("byrja lesa", "byrja að lesa", "M:PART"),
        ("vona hann komi", "vona að hann komi", "M:SCONJ"),
    ],
    "ru": [
        ("вижу книга", "вижу книгу", "R:NOUN:CASE"),
        ("шесть стол", "шесть столов", "R:NOUN:COUNT"),
        ("новый машина", "новая машина", "R:ADJ:GENDER"),
        ("суп вкусный", "суп вкусен", "R:ADJ:SHORT"),
        ("Анна читал", "Анна читала", "R:VERB:SVA"),
        ("дети читает", "дети читают", "R:VERB:SVA"),
        ("вчера читает", "вчера читал", "R:VERB:TENSE"),
        ("хочу читает", "хочу читать", "R:VERB:FORM"),
        ("вчера рассказал", "вчера рассказывал", "R:VERB:ASPECT"),
        ("Анна учит", "Анна учится", "R:VERB:REFL"),
    ],
}


@pytest.mark.parametrize(
    ("lang", "source", "target", "type_"), [(lang, *case) for lang, cases in CASES.items() for case in cases]
)
def test_an_ending_tells_the_type_without_models(lang: str, source: str, target: str, type_: str) -> None:
    records = [Parallel(Sentence.from_forms(source.split()), (Sentence.from_forms(target.split()),))]
    [block] = jperrant.load(lang, models="none").annotate_many(records)
    assert [edit.type for edit in block.annotations[0].edits] == [type_]
