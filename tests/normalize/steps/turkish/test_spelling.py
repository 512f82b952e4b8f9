import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.normalize import get_normalizer
from misread.normalize.steps.turkish.spelling import (
    read_turkish_romans,
    spell_turkish_dates,
    spell_turkish_dimensions,
    spell_turkish_measures,
    spell_turkish_numbers,
    spell_turkish_ordinals,
    spell_turkish_times,
)
from misread.normalize.steps.turkish.tables import BEFORE, CURRENCIES, UNITS


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("Bu 42 sayısı", "Bu kırk iki sayısı"),
        ("3,14 ve 3,05 ve 0,5", "üç virgül on dört ve üç virgül sıfır beş ve sıfır virgül beş"),
        ("15.000 kişi, 1.250.000 lira", "on beş bin kişi, bir milyon iki yüz elli bin lira"),
        ("1.250,75", "bin iki yüz elli virgül yetmiş beş"),
        ("-5 derece", "eksi beş derece"),
        ("2019-2020", "iki bin on dokuz-iki bin yirmi"),
        ("1960'lı, 100'lerce, 67'ler", "bin dokuz yüz altmışlı, yüzlerce, altmış yediler"),
        ("007", "sıfır sıfır yedi"),
        ("A4 ve F16'lar", "A dört ve F on altılar"),
        ("4x4", "dört x dört"),
        ("8i, 7yi, 90larda, 2024te", "sekizi, yediyi, doksanlarda, iki bin yirmi dörtte"),
        ("4'ü, 4ü ve 2014'e", "dördü, dördü ve iki bin on dörde"),
        ("5c, 5a ve 6e", "beş c, beş a ve altı e"),
        ("sayı yok", "sayı yok"),
    ],
)
def test_numbers_are_written_as_they_are_said(text, spelled):
    assert spell_turkish_numbers(text) == spelled


def test_the_words_of_a_number_may_stand_together():
    assert spell_turkish_numbers("1.942 ve 3,14", joined=True) == "bindokuzyüzkırkiki ve üçvirgülondört"


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("1. sınıf", "birinci sınıf"),
        ("2'nci katta", "ikinci katta"),
        ("3üncü sırada", "üçüncü sırada"),
        ("4. ve 5'inci", "dördüncü ve beşinci"),
        ("1inci", "birinci"),
        ("2'ncisi", "ikincisi"),
        ("1. Sabah kahvaltısı", "1. Sabah kahvaltısı"),
        ("Sayı 42. Sonra", "Sayı 42. Sonra"),
        ("3.500 kişi", "3.500 kişi"),
    ],
)
def test_ordinals_have_a_point_or_an_ending(text, spelled):
    assert spell_turkish_ordinals(text) == spelled


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("XX. yüzyılda", "20. yüzyılda"),
        ("II. Dünya Savaşı", "2'nci Dünya Savaşı"),
        ("IV'üncü Murat", "4'üncü Murat"),
        ("V. yüzyıl", "5. yüzyıl"),
        ("V. Hugo", "V. Hugo"),
        ("I. Dünya Savaşı", "1'nci Dünya Savaşı"),
        ("Sultan I. Murat", "Sultan 1'nci Murat"),
        ("A. I. Yılmaz", "A. I. Yılmaz"),
        ("I. A. Yılmaz", "I. A. Yılmaz"),
        ("M. Kemal, C. Yılmaz", "M. Kemal, C. Yılmaz"),
        ("yeni CD. sonra", "yeni CD. sonra"),
        ("MCMXCIX. yıl", "1999. yıl"),
        ("IIII. kat", "IIII. kat"),
        ("LI. kat", "LI. kat"),
        ("LXI. kat", "61. kat"),
        ("XX yok", "XX yok"),
    ],
)
def test_roman_numerals_with_a_point_are_ordinals_and_names_keep_their_letters(text, read):
    assert read_turkish_romans(text) == read


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("14:30", "on dört buçuk"),
        ("00:30", "sıfır otuz"),
        ("14:30:05", "on dört otuz sıfır beş"),
        ("09:05", "dokuz sıfır beş"),
        ("10:00'da", "onda"),
        ("saat 14.30", "saat on dört buçuk"),
        ("14.30", "on dört buçuk"),
        ("14.30'a kadar", "on dört buçuğa kadar"),
        ("10.00'daki, 9.30da", "ondaki, dokuz buçukta"),
        ("07.00'de", "yedide"),
        ("09.00-17.00 arası", "dokuz-on yedi arası"),
        ("saat 08'de", "saat 8'de"),
        ("9.30", "9.30"),
        ("12.30 TL, $12.30, %12.30, 12.30 metre", "12.30 TL, $12.30, %12.30, 12.30 metre"),
        ("-12.30", "-12.30"),
        ("3.14159, 1.000.000, 12.300", "3.14159, 1.000.000, 12.300"),
        ("00:00:05", "sıfır sıfır sıfır sıfır beş"),
        ("24:61", "24:61"),
        ("3:2", "3:2"),
    ],
)
def test_times_are_said_without_a_word_for_the_mark(text, spelled):
    assert spell_turkish_times(text) == spelled


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("29.10.1923", "yirmi dokuz ekim bin dokuz yüz yirmi üç"),
        ("1/1/2024'te", "bir ocak iki bin yirmi dört'te"),
        ("31-12-1999", "otuz bir aralık bin dokuz yüz doksan dokuz"),
        ("32.10.1923", "32.10.1923"),
        ("10.13.1923", "10.13.1923"),
        ("1.10-1923", "1.10-1923"),
    ],
)
def test_dates_are_said_with_the_name_of_the_month(text, spelled):
    assert spell_turkish_dates(text) == spelled


def test_dimensions_are_said_as_products():
    assert spell_turkish_dimensions("3x4 m, 10 X 20, 5×6×7, 2 m x 3 m, ax4") == (
        "3 çarpı 4 m, 10 çarpı 20, 5 çarpı 6 çarpı 7, 2 m çarpı 3 m, ax4"
    )


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("%10", "yüzde 10"),
        ("10%", "yüzde 10"),
        ("%50'si", "yüzde 50'si"),
        ("‰5", "binde 5"),
        ("$100'e", "100 dolara"),
        ("50 $", "50 dolar"),
        ("75,5 €", "75,5 avro"),
        ("100 TL'ye", "100 liraya"),
        ("₺1.500", "1.500 lira"),
        ("$2 milyon", "2 milyon dolar"),
        ("5 milyon €'luk", "5 milyon avroluk"),
        ("5km", "5 kilometre"),
        ("90 km/sa", "90 kilometre bölü saat"),
        ("100 m²'lik", "100 metrekarelik"),
        ("20°C", "20 santigrat derece"),
        ("8 GB", "8 gigabayt"),
        ("9B sınıfı, 12A otobüsü, 3 A sınıfı, 10 K koşusu", "9B sınıfı, 12A otobüsü, 3 A sınıfı, 10 K koşusu"),
        ("2,5 A, 16A'lık sigorta", "2,5 amper, 16 amperlik sigorta"),
        ("220 V, 5 L", "220 volt, 5 litre"),
        ("5 da", "5 da"),
        ("5G'ye, 9 B'de, 4K'yı, 4K'yi", "5 geye, 9 bede, 4 kayı, 4 keyi"),
        ("99,9'u $", "99,9'u  dolar "),
        ("1/2, 3/4'ü, 7/24, 9/B, 2023/24", "1 bölü 2, 3 bölü 4'ü, 7/24, 9/B, 2023/24"),
        ("5 kilo", "5 kilo"),
        ("Ali & Veli", "Ali  ve  Veli"),
    ],
)
def test_units_and_signs_are_said_at_their_place(text, spelled):
    assert spell_turkish_measures(text) == spelled


def test_every_unit_and_sign_of_the_tables_is_said():
    for unit, name in UNITS.items():
        assert spell_turkish_measures(f"7,5 {unit}") == f"7,5 {name}", unit
    for sign, name in CURRENCIES.items():
        assert spell_turkish_measures(f"7 {sign}") == spell_turkish_measures(f"{sign} 7") == f"7 {name}", sign
    for sign, name in BEFORE.items():
        assert spell_turkish_measures(f"7 {sign}") == spell_turkish_measures(f"{sign}7") == f"{name} 7", sign


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        ("Bu 42 sayısı önemlidir", "bu kırk iki sayısı önemlidir"),
        ("IŞIK ve İZMİR", "ışık ve izmir"),
        ("İstanbul'da, Ali'nin", "istanbulda alinin"),
        ("1990'ların başında 15.000'den fazla kişi", "bin dokuz yüz doksanların başında on beş binden fazla kişi"),
        ("Nüfusun %50'si", "nüfusun yüzde ellisi"),
        ("XX. yüzyılda II. Dünya Savaşı", "yirminci yüzyılda ikinci dünya savaşı"),
        ("Kâğıt, millî, José ve Washington", "kağıt milli josé ve washington"),
        ("Saat 14.30'da 10×20 cm", "saat on dört buçukta on çarpı yirmi santimetre"),
        ("9B sınıfında, 12A otobüsü", "dokuz b sınıfında on iki a otobüsü"),
        ("I. Dünya Savaşı", "birinci dünya savaşı"),
        ("07.00'de, saat 08'de", "yedide saat sekizde"),
        ("99,9'u $ ve 5 ₫", "doksan dokuz virgül dokuzu dolar ve beş ₫"),
        ("8i almadım, 5G'ye geçtim", "sekizi almadım beş geye geçtim"),
        ("1/2'si", "bir bölü ikisi"),
        ("29.10.1923'te", "yirmi dokuz ekim bin dokuz yüz yirmi üçte"),
        ("Rezerv oranım %10. Yani 90 altın.", "rezerv oranım yüzde on yani doksan altın"),
        ("“Evet” — dedi…", "evet dedi"),
    ],
)
def test_the_profile_writes_turkish_as_it_is_said(text, normalized):
    assert get_normalizer("turkish")(text) == normalized


WORDS = st.sampled_from(
    ["Ağaç", "saat", "IŞIK", "sınıfı", "otobüsü", "Dünya", "çok", "kâğıt", "ev", "Yılmaz", "da", "Q"]
)
NUMBERS = st.from_regex(
    r"[0-9]{1,4}|[0-9]{1,3}\.[0-9]{3}|[0-9]{1,2}[.:][0-9]{2}|[0-9],[0-9]{1,2}|[1-9]/[1-9]|[0-9]{1,2}[A-ZÇ]",
    fullmatch=True,
)
SUFFIXES = st.sampled_from(["", "'de", "'ye", "'nin", "'lık", "'daki", "i", "yi", "larda", ".", ","])
MONEY = st.sampled_from([sign for sign in CURRENCIES if not sign.isalpha()] + ["₫", "₸"])
TOKENS = st.one_of(
    WORDS, st.sampled_from(["I.", "II.", "x", "%", "-"]), MONEY, st.builds("{}{}".format, NUMBERS, SUFFIXES)
)
SENTENCES = st.lists(st.tuples(TOKENS, st.sampled_from([" ", " ", ""])), max_size=8).map(
    lambda parts: "".join(token + space for token, space in parts)
)


@given(SENTENCES)
def test_the_profile_leaves_its_own_output_as_it_is(text):
    once = get_normalizer("turkish")(text)
    assert get_normalizer("turkish")(once) == once


@given(SENTENCES)
def test_no_sign_of_money_gets_lost(text):
    signs = [character for character in text if unicodedata.category(character) == "Sc"]
    written = get_normalizer("turkish")(text)
    for sign in set(signs):
        name = CURRENCIES.get(sign, sign)
        stem = name[:-1] if name == "kuruş" else name
        assert written.count(stem) >= signs.count(sign), sign


@given(st.lists(st.one_of(WORDS, NUMBERS, MONEY), max_size=8))
def test_no_word_gets_lost_beside_numbers_and_signs(tokens):
    normalizer = get_normalizer("turkish")
    written = iter(normalizer(" ".join(tokens)).split())
    for token in tokens:
        if token.isalpha():
            assert normalizer(token) in written, token
