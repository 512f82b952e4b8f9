"""The profile `english` beside Whisper's normalizer: its public test strings, and every difference with its reason."""

import pytest

from misread.normalize import get_normalizer

# Strings and results of OpenAI's own tests of the normalizer (whisper, tests/test_normalizer.py, MIT).
WHISPER = {
    "two": "2",
    "thirty one": "31",
    "five twenty four": "524",
    "nineteen ninety nine": "1999",
    "twenty nineteen": "2019",
    "two point five million": "2500000",
    "four point two billions": "4200000000s",
    "200 thousand": "200000",
    "200 thousand dollars": "$200000",
    "$20 million": "$20000000",
    "€52.4 million": "€52400000",
    "£77 thousands": "£77000s",
    "two double o eight": "2008",
    "three thousand twenty nine": "3029",
    "forty three thousand two hundred sixty": "43260",
    "forty three thousand two hundred and sixty": "43260",
    "nineteen fifties": "1950s",
    "thirty first": "31st",
    "thirty three thousand and three hundred and thirty third": "33333rd",
    "three billion": "3000000000",
    "millions": "1000000s",
    "july third twenty twenty": "july 3rd 2020",
    "august twenty sixth twenty twenty one": "august 26th 2021",
    "3 14": "3 14",
    "3.14": "3.14",
    "3 point 2": "3.2",
    "3 point 14": "3.14",
    "fourteen point 4": "14.4",
    "two point two five dollars": "$2.25",
    "two hundred million dollars": "$200000000",
    "$20.1 million": "$20100000",
    "ninety percent": "90%",
    "seventy six per cent": "76%",
    "double oh seven": "007",
    "double zero seven": "007",
    "nine one one": "911",
    "nine double one": "911",
    "one triple oh one": "10001",
    "two thousandth": "2000th",
    "thirty two thousandth": "32000th",
    "minus 500": "-500",
    "positive twenty thousand": "+20000",
    "two dollars and seventy cents": "$2.70",
    "3 cents": "¢3",
    "$0.36": "¢36",
    "three euros and sixty five cents": "€3.65",
    "three and a half million": "3500000",
    "forty eight and a half dollars": "$48.5",
    "b747": "b 747",
    "10 th": "10th",
    "10th": "10th",
    "mobilisation": "mobilization",
    "cancelation": "cancellation",
    "Let's": "let us",
    "he's like": "he is like",
    "she's been like": "she has been like",
    "10km": "10 km",
    "10mm": "10 mm",
    "RC232": "rc 232",
    "Mr. Park visited Assoc. Prof. Kim Jr.": "mister park visited associate professor kim junior",
}

# Text, what this profile gives, what whisper-normalizer 0.1.15 gives; every difference is wanted.
DIFFERENCES = {
    "O'Neill": ("o neill", "0 neill", "an o is zero only behind another digit"),
    "one oh my five": ("1 oh my 5", "10 my 5", "an oh is zero only before another digit"),
    "oh one of them": ("oh 1 of them", "01 of them", "and behind one"),
    "21st st": ("21st street", "21st saint", "a street has a number or no name behind it"),
    "21st St. and St. John": ("21st street and saint john", "21st saint and saint john", "a saint has a name"),
    "Elm St": ("elm street", "elm saint", "a street at the end"),
    "-500 degrees": ("-500 degrees", "500 degrees", "a written minus counts as a spoken one"),
    "no one": ("no 1", "no one", "one is written as all other numbers"),
    "1": ("1", "one", "so is 1"),
    "$1": ("$1", "one", "a dollar stays"),
    "3.1": ("3.1", "3 one", "decimals stay"),
    "'cause of the cause": ("because of the cause", "because of the because", "a cause is not because"),
    "10 mm": ("10 mm", "10", "behind a number mm is a unit"),
    "the travelogs": ("the travelogues", "the travelogues", ""),
    "archaeology": ("archeology", "archeology</span>", "the list has a tag inside"),
    "snowploughs": ("snowplows", "snowplow", "the plural stays"),
    "pummelled": ("pummeled", "pummel", "the tense stays"),
}

AS_ONE = (
    *(
        ("one oh one", "101"),
        ("one oh oh ten", "10010"),
        ("rock'n'roll", "rock n roll"),
        ("a hundred and five", "a 105"),
        ("the 1990s", "the 1990s"),
    ),
    *(
        ("12,345.67", "12345.67"),
        ("twenty one hundred", "2100"),
        ("two and two", "2 and 2"),
        ("wait a second", "wait a 2nd"),
    ),
    *(("uh so [laughter] um", "so"), ("colour of the theatre", "color of the theater"), ("mm hmm", "")),
    *(
        ("I'd've thought", "i would have thought"),
        ("y'all can't've", "you all can not have"),
        ("Crème brûlée", "creme brulee"),
    ),
)
"""Texts on which both agree."""


@pytest.mark.parametrize(("text", "normalized"), WHISPER.items())
def test_the_public_test_strings_of_whisper_give_the_same(text, normalized):
    assert get_normalizer("english")(text) == normalized


@pytest.mark.parametrize(("text", "normalized"), [(text, ours) for text, (ours, _, _) in DIFFERENCES.items()])
def test_known_faults_of_whisper_are_not_repeated(text, normalized):
    assert get_normalizer("english")(text) == normalized


@pytest.mark.parametrize(("text", "normalized"), AS_ONE)
def test_other_texts_are_as_strict(text, normalized):
    assert get_normalizer("english")(text) == normalized


def test_whisper_gives_what_this_page_says():
    oracle = pytest.importorskip("whisper_normalizer.english").EnglishTextNormalizer()
    for text, normalized in (*WHISPER.items(), *AS_ONE):
        assert oracle(text).strip() == normalized, text
    for text, (_, theirs, _) in DIFFERENCES.items():
        assert oracle(text).strip() == theirs, text


@pytest.mark.parametrize(
    "text",
    ["raised promises", "four hours", "the glamour of a contour", "surprise exercise", "our course", "analysis basis",
     "likewise advised", "called and selling", "wise noise", "people canoe", "organization color traveler"],
)  # fmt: skip
def test_words_without_another_spelling_stay(text):
    assert get_normalizer("english")(text) == text.replace("four", "4")


def test_british_spellings_are_those_of_the_list_but_for_its_faults():
    """Of 1,739 pairs of the list of Whisper's normalizer all but ten; those are its faults, or sounds of hesitation."""
    package = pytest.importorskip("whisper_normalizer")
    import json
    from pathlib import Path

    from misread.normalize.steps.english.american import spell_american

    [path] = Path(package.__file__).parent.rglob("english.json")
    pairs = json.loads(path.read_text(encoding="utf-8"))
    other = {british for british, american in pairs.items() if spell_american(british) != american}
    assert len(pairs) == 1739
    assert other == {
        *("archeological", "archaeology", "battleax", "flyer / flier", "pummelled", "pummelling", "snowploughs"),
        *("tranquilly", "mhm", "mmm"),
    }


@pytest.mark.parametrize("word", ["grey2", "grey-haired", "greyé", "grey" + "y" * 37])
def test_what_is_not_a_word_of_english_letters_has_no_other_spelling(word):
    from misread.normalize.steps.english.american import spell_american

    assert spell_american(f"grey {word}") == f"gray {word}"
