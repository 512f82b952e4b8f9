"""Right outputs in six languages that are written otherwise, and wrong pairs among them."""

import random
import unicodedata
from functools import cache

import numpy as np
import pytest
from tests.pairing import planted_faults

from misread import distances
from misread.pairing.better_references import PairedSides
from misread.pairing.check import check_pairing

# Digits; tens; at, dot, money; first names; last names; sentences.
LANGUAGES = {
    "en": """zero one two three four five six seven eight nine|ten twenty thirty forty fifty sixty seventy eighty
ninety|at dot dollars|John Mary Peter Susan Ahmed Laura Chris Diana Kevin Olivia|Smith Baker Cooper Fletcher
Hughes Jordan Reed Walsh|my number is D;the code is D;it costs M;please write to A;I paid M for it;order
D;A;D;M;the flight leaves at T""",
    "de": """null eins zwei drei vier fünf sechs sieben acht neun|zehn zwanzig dreißig vierzig fünfzig sechzig
siebzig achtzig neunzig|ät punkt Euro|Jürgen Käthe Günter Sören Björn Änne Jörg Bärbel Anna Lukas|Müller Schäfer
Köhler Krüger Weiß Jäger Böhm Huber|meine Nummer ist D;der Code lautet D;es kostet M;schreiben Sie an A;ich habe M
bezahlt;A;D;M;der Zug fährt um T""",
    "fr": """zéro un deux trois quatre cinq six sept huit neuf|dix vingt trente quarante cinquante soixante
septante octante nonante|arobase point euros|Élodie Benoît Cécile Hélène Jérôme Zoé Chloé Anaïs Loïc Marie|Lefèvre
Garçon Dupré Noël Roux Moreau|mon numéro est le D;le code est D;cela coûte M;vous pouvez écrire à A;j'ai payé
M;commande D;A;D;M;le train part à T""",
    "es": """cero uno dos tres cuatro cinco seis siete ocho nueve|diez veinte treinta cuarenta cincuenta sesenta
setenta ochenta noventa|arroba punto pesos|José María Andrés Inés Tomás Sofía Raúl Lucía Héctor Mónica|García
López Muñoz Peña Díaz Vega Ramos|mi número es D;el código es D;cuesta M;puede escribir a A;pagué M por eso;pedido
D;A;D;M;el tren sale a las T""",
    "tr": """sıfır bir iki üç dört beş altı yedi sekiz dokuz|on yirmi otuz kırk elli altmış yetmiş seksen
doksan|et nokta lira|Ahmet Ayşe Çağla Şükrü Gülşen İbrahim Özge Ümit Işıl Yağmur|Yılmaz Çelik Şahin Öztürk Güneş
Işık Arslan|numaram D;kod D olarak verildi;fiyatı M;bana A adresinden yazın;bunun için M ödedim;A;D;M;tren saat T
kalkıyor""",
    "ru": """ноль один два три четыре пять шесть семь восемь девять|десять двадцать тридцать сорок пятьдесят
шестьдесят семьдесят восемьдесят девяносто|собака точка рублей|Алёна Пётр Фёдор Артём Семён Нина Ольга
Юрий|Соловьёв Королёв Попов Волков|мой номер D;код D;это стоит M;пишите на A;я заплатил M за это;заказ
D;A;D;M;поезд отправляется в T""",
}
DOMAINS = ["mail", "web", "post", "firma", "home", "netz", "inbox", "kontor", "stadt", "museum"]


def without_marks(text):
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


@cache
def written_otherwise(language, number, seed=1):
    """References, and outputs of which half are written otherwise, in digits or in words; 2 % of letters are wrong."""
    draw = random.Random(f"{language}{seed}")
    *lists, sentences = LANGUAGES[language].split("|")
    digits, tens, (at, dot, money), first, last = map(str.split, lists)

    def spell(value):
        return " ".join([tens[value // 10 - 1]] * (value > 9) + [digits[value % 10]] * (value % 10 > 0 or value < 10))

    def draw_pair():
        code = [draw.randrange(10) for _ in range(draw.randint(5, 11))]
        whole, part, hour, minute = (draw.randint(2, most) for most in (99, 99, 23, 59))
        name, domain, end = [draw.choice(first), draw.choice(last)], draw.choice(DOMAINS), draw.choice(["com", "org"])
        spoken = f" {dot} ".join(name) + f" {at} {domain} {dot} {end}"
        mail = without_marks(f"{'.'.join(name)}@{domain}.{end}").lower()
        forms = (
            {"D": draw.choice(["", " "]).join(map(str, code)), "M": f"{whole},{part:02} €", "A": mail},
            {"D": " ".join(map(spell, code)), "M": f"{spell(whole)} {money} {spell(part)}", "A": spoken},
        )
        forms[0]["T"], forms[1]["T"] = f"{hour}:{minute:02}", f"{spell(hour)} {spell(minute)}"
        words = draw.choice(sentences.split(";")).split()
        pair = [" ".join(form.get(word, word) for word in words) for form in forms]
        reference, output = pair if draw.random() < 0.5 else pair[::-1]
        output = output if draw.random() < 0.5 else reference
        change = draw.choice([str, str, str.upper, str.lower, without_marks, lambda text: f"{text}."])
        letters = (
            draw.choice("aeinrst") if letter.isalnum() and draw.random() < 0.02 else letter for letter in change(output)
        )
        return reference, "".join(letters)

    return [*zip(*(draw_pair() for _ in range(number)), strict=True)]


def suspect(references, outputs):
    """Rows that may have another's output."""
    rates = distances(references, outputs) / np.array([*map(len, references)])
    findings = check_pairing(PairedSides([*map(str, range(len(references)))], references, outputs, rates), "x")
    return {int(pair.segment_id) for finding in findings for pair in finding.pairs}


@pytest.mark.slow
def test_of_12_000_right_outputs_fewer_than_one_in_a_thousand_is_suspected():
    suspected = sum(len(suspect(*written_otherwise(language, 2000))) for language in LANGUAGES)
    assert suspected < 12


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.03, 0.1, 0.3])
@pytest.mark.parametrize("fault", planted_faults.FAULTS)
def test_wrong_pairs_among_outputs_written_otherwise_are_found(fault, share):
    right = said = missed = planted = 0
    for language in LANGUAGES:
        references, outputs = written_otherwise(language, 1000)
        plant = planted_faults.FAULTS[fault](outputs, share, random.Random(5))
        rows = suspect(references, plant.outputs)
        # An output written otherwise than the reference that it is of cannot be placed by its letters.
        decidable = {
            row
            for row in plant.rows - plant.undecidable(references)
            if distances([references[plant.sources[row]].lower()], [plant.outputs[row].lower()])[0]
            <= 0.2 * len(plant.outputs[row])
        }
        right, said = right + len(rows & plant.rows), said + len(rows)
        missed, planted = missed + len(decidable - rows), planted + len(decidable)
    assert right >= 0.95 * said
    assert missed <= 0.13 * planted
