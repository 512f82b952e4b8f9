"""Parts of error rates: the game against all orders by brute force, structure, steps, corpora, and what is printed."""

import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import misread
from misread.errors import ConfigurationError, InputValueError, UnknownNameError
from misread.features.parts.decomposition import decompose
from misread.features.parts.game import common_denominator, shapley_parts
from misread.features.parts.step_sets import SETS, change_words_alone
from misread.features.parts.structure import KINDS, count_structure
from misread.normalize.steps.english.numbers import read_english_numbers

GAMES = np.random.default_rng(0)


def by_orders(errors, structure):
    """Shapley values over all orders of steps and kinds, as fractions."""
    steps, kinds = len(errors).bit_length() - 1, structure.shape[1]
    values = [Fraction(0)] * (steps + kinds)
    orders = list(permutations(range(steps + kinds)))
    for order in orders:
        applied, taken, before = 0, [], Fraction(int(errors[0, 0]))
        for player in order:
            if player < steps:
                applied |= 1 << player
            else:
                taken.append(player - steps)
            after = Fraction(int(errors[applied, 0] - sum(structure[applied, kind, 0] for kind in taken)))
            values[player] += before - after
            before = after
    return [value / len(orders) for value in values]


@pytest.mark.parametrize("steps", [1, 2, 3])
@pytest.mark.parametrize("kinds", [0, 1, 2])
def test_parts_are_the_mean_changes_over_all_orders(steps, kinds):
    for _ in range(20):
        errors, structure = GAMES.integers(0, 50, (1 << steps, 1)), GAMES.integers(0, 9, (1 << steps, kinds, 1))
        parts = shapley_parts(errors, structure)[:, 0]
        expected = by_orders(errors, structure)
        assert [Fraction(int(part), common_denominator(steps)) for part in parts[:-1]] == expected


def test_parts_add_up_null_steps_have_none_and_equal_steps_have_equal_parts():
    for steps in range(1, 9):
        errors = GAMES.integers(0, 1000, (1 << steps, 1250))
        structure = GAMES.integers(0, 100, (1 << steps, 4, 1250))
        assert (shapley_parts(errors, structure).sum(axis=0) == common_denominator(steps) * errors[0]).all()
        # The last step changes nothing; in the other game only the number of applied steps counts.
        half = 1 << steps - 1
        errors[half:], structure[half:] = errors[:half], structure[:half]
        assert not shapley_parts(errors, structure)[steps - 1].any()
        sizes = [number.bit_count() for number in range(1 << steps)]
        symmetric = shapley_parts(errors[sizes], structure[sizes])[:steps]
        assert (symmetric == symmetric[0]).all()


def test_the_worked_example_has_these_parts():
    parts = decompose(["Hello, World 20"], {"a": ["hello world twenty"]}).of("a")
    values = {part.name: 3 * part.value for part in parts if part.value}
    assert values == pytest.approx({"case": 1.5, "punctuation": 0.5, "numbers": 1.0})
    # Before all other steps, and after them.
    ends = {part.name: (3 * part.first, 3 * part.last) for part in parts if part.name in ("case", "punctuation")}
    assert ends == {"case": pytest.approx((1, 2)), "punctuation": pytest.approx((0, 1))}


def count(reference, hypothesis, unit="word"):
    errors, kinds = count_structure([reference], [hypothesis], unit)
    return int(errors[0]), dict(zip(KINDS[unit], kinds[:, 0].tolist(), strict=True))


def test_runs_of_five_words_are_omitted_added_or_moved_and_shorter_ones_are_not():
    run, rest = "one two three four five", "a b c d e f g h"
    assert count(f"{run} {rest}", rest) == (5, dict.fromkeys(KINDS["word"], 0) | {"omitted runs": 5})
    assert count(rest, f"{rest} {run}") == (5, dict.fromkeys(KINDS["word"], 0) | {"added runs": 5})
    assert count(f"{run[4:]} {rest}", rest) == (4, dict.fromkeys(KINDS["word"], 0))
    errors, kinds = count(f"{run} {rest}", f"{rest} one two three four six")
    # Nine errors are due to the place, the last to the word.
    assert (errors, kinds["moved text"], kinds["omitted runs"]) == (10, 9, 0)


def test_boundaries_of_words_come_before_runs_and_runs_of_characters_are_sixteen_long():
    assert count("a b c d e f", "abcdef") == (6, dict.fromkeys(KINDS["word"], 0) | {"word boundaries": 6})
    assert count("in to it", "into it")[1]["word boundaries"] == 2
    assert count("one", "two")[1]["word boundaries"] == 0
    assert count("0123456789abcdef x", " x", "char")[1]["omitted runs"] == 16
    assert count("0123456789abcde x", " x", "char")[1]["omitted runs"] == 0


SPOKEN = ["one", "two", "five", "Dr.", "it's", "(um)", "Twenty", "$5", "don't,", "colour", "a-b"]


@given(st.lists(st.sampled_from(SPOKEN), max_size=8))
def test_steps_change_nothing_but_their_own(words):
    text = " ".join(words)
    changed = change_words_alone(read_english_numbers, text, is_numeric=True)
    if not any(character.isdigit() for character in changed + text):
        assert changed == text
    assert SETS["english"]["case"](text) == text.casefold()
    assert change_words_alone(str, text) == text


WORDS = st.lists(
    st.sampled_from(["A", "a", "b,", "b", "cd", "c", "d", "Twenty", "20", "um", "é", "e", "\x1c", "x\x1fy"]),
    max_size=12,
)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=4), st.sampled_from(["word", "char"]))
def test_parts_add_up_to_the_raw_errors_of_every_segment_and_to_the_difference(rows, unit):
    references, first, second = ([" ".join(side) for side in sides] for sides in zip(*rows, strict=True))
    if not any(references):
        return
    parts = decompose(references, {"a": first, "b": second}, steps="english", unit=unit)
    for system, texts in (("a", first), ("b", second)):
        counts = misread.error_counts(references, texts, unit=unit)
        assert (parts.counts[system].sum(axis=0) == parts.denominator * counts.errors).all()
    difference = sum(part.value for part in parts.of("a", "b"))
    assert difference == pytest.approx(
        sum(part.value for part in parts.of("a")) - sum(part.value for part in parts.of("b"))
    )
    same = decompose(references, {"a": references}, unit=unit)
    assert not same.counts["a"].any()


def test_planted_errors_are_found_again():
    generator = np.random.default_rng(3)
    letters = "abcdefghijklmnopqrstuvw"
    references = ["".join(generator.choice([*letters], 500)) for _ in range(200)]
    planted, outputs = dict.fromkeys(("case", "diacritics", "punctuation", "rest"), 0), []
    for text in references:
        output = []
        for letter, kind in zip(text, generator.choice(["", *planted], 500, p=[0.96, *[0.01] * 4]), strict=True):
            if kind:
                planted[kind] += 1
            changed = {
                "case": letter.upper(),
                "diacritics": f"{letter}\u0323",
                "punctuation": f"{letter}!",
                "rest": "\u03bb",
            }
            output.append(changed.get(str(kind), letter))
        outputs.append("".join(output))
    found = {part.name: part.value for part in decompose(references, {"a": outputs}, steps="ocr", unit="char").of("a")}
    for kind, number in planted.items():
        assert found[kind] == pytest.approx(number / 100_000, abs=1e-5)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"steps": ["nfc"] * 9}, ConfigurationError, "9 steps, expected at most 8"),
        ({"steps": []}, ConfigurationError, "no step"),
        ({"steps": ["remove_shared"]}, ConfigurationError, "fitted to all outputs"),
        (
            {"steps": "lower_case,english"},
            ConfigurationError,
            "english is a set of steps to decompose by: name it alone",
        ),
        ({"steps": "fold_cas"}, UnknownNameError, r"unknown set \(english or ocr\) or step 'fold_cas'.*'fold_case'"),
        ({"steps": ["replace_pattern"]}, ConfigurationError, "replace_pattern needs pattern"),
        ({"unit": "grapheme"}, ConfigurationError, "expected word or char"),
        ({"hypotheses": {}}, InputValueError, "name no system"),
        ({"clusters": ["p", "q"]}, InputValueError, "clusters has 2 texts, expected 1"),
        ({"references": [""]}, InputValueError, "all empty"),
        ({"hypotheses": {"a": ["a", "b"]}}, InputValueError, "a has 2 texts, expected 1"),
    ],
)
def test_what_cannot_be_taken_apart_is_refused(settings, error, message):
    with pytest.raises(error, match=message):
        decompose(**{"references": ["a"], "hypotheses": {"a": ["a"]}, **settings})


def values_of(references, outputs, steps=("lower_case",), unit="word"):
    parts = decompose(references, {"a": outputs}, steps=list(steps), unit=unit)
    return parts, {part.name: part.value for part in parts.of("a")}


def test_a_missing_output_is_one_omitted_run_if_it_is_long_enough_and_else_rest():
    assert values_of(["one two three four five", "a b c d"], ["", "a b c d"])[1]["omitted runs"] == 5 / 9
    assert values_of(["one two three four", "a b c d e"], ["", "a b c d e"])[1]["rest"] == 4 / 9


def test_an_empty_reference_counts_its_errors_and_no_length():
    parts, values = values_of(["", "a b"], ["X y", "a b"])
    assert parts.lengths.tolist() == [0, 2]
    assert values["rest"] == 1


def test_a_step_that_makes_one_error_two_has_a_negative_part_and_the_length_ends_at_the_published_rate():
    parts = decompose(["a-b c"], {"a": ["x c"]})
    values = {part.name: part.value for part in parts.of("a")}
    assert values["punctuation"] == -1 / 2
    assert parts.final_rate("a") == 2 / 3
    assert sum(values.values()) == pytest.approx(1 / 2)


def test_one_cluster_has_no_interval_and_the_whole_is_the_sum_with_its_own():
    references = ["Word here"] * 12
    outputs = ["word here", *["Word hero"] * 11]
    alone = decompose(references, {"a": outputs}, clusters=["p"] * 12)
    assert all(part.interval is None for part in alone.of("a"))
    parts = decompose(references, {"a": outputs, "b": references}, clusters=[*"abcdefghijkl"])
    whole = parts.whole("a", "b")
    assert whole.value == pytest.approx(sum(part.value for part in parts.of("a", "b")))
    assert whole.interval.low <= whole.value <= whole.interval.high


def test_the_same_step_twice_has_two_halves_and_one_that_changes_nothing_none():
    parts = decompose(["A B"], {"a": ["a b"]}, steps=["lower_case", "lower_case", "expand_ligatures"]).of("a")
    assert [part.value for part in parts[:3]] == [0.5, 0.5, 0]


def test_a_part_that_fewer_than_six_pages_have_has_no_interval_and_one_of_a_few_pages_a_far_end():
    references = ["one two three four five six"] * 12
    cased = "One two three four five six"
    loop = " again and again and again" * 2
    parts = decompose(references, {"a": [cased + loop, *[cased] * 4, *references[5:]]}).of("a")
    assert all(part.interval is None for part in parts)
    # Six pages with one error each, and one with ten times as many.
    parts = decompose(references, {"a": [cased.upper() + loop, *[cased] * 5, *references[6:]]}).of("a")
    case = next(part for part in parts if part.name == "case")
    assert case.interval.high - case.value > 2 * (case.value - case.interval.low)
    assert case.pvalue > 0.05
    assert case.interval.low < 0


def test_the_interval_is_about_the_part_where_a_page_has_no_reference():
    parts = decompose(["", *["one two"] * 12], {"a": ["x", *["ane two"] * 12]}, steps=["lower_case"]).of("a")
    rest = parts[-1]
    assert rest.value == pytest.approx(13 / 24)
    assert (rest.interval.low + rest.interval.high) / 2 == pytest.approx(rest.value)


def test_score_prints_parts_and_the_sentence(misread):
    done = misread("score", "--example", "--metrics", "wer", "--decompose", "english", "--width", "120")
    assert "Parts of the word errors on lines by the steps english." in done.out
    assert (
        "Tesseract is 20.33 points behind RapidOCR: punctuation adds 4.31, and in the rest, which no convention "
        "explains, it is 14.11 [8.33, 19.90] behind." in " ".join(done.out.split())
    )
    rows = misread("score", "--example", "--metrics", "wer", "--view", "parts", "--output", "json").json["views"][
        "parts"
    ]
    parts = [row for row in rows if row["part"] not in ("sum", "left by all steps", "length", "after all steps")]
    total = next(row for row in rows if row["part"] == "sum")
    assert math.isclose(sum(row["part_Tesseract"] for row in parts), total["part_Tesseract"])
    assert (
        total["difference_Tesseract_RapidOCR_low"]
        < total["difference_Tesseract_RapidOCR"]
        < total["difference_Tesseract_RapidOCR_high"]
    )


@pytest.fixture
def table_of(misread, tmp_path, monkeypatch):
    """Print the table of parts of texts, by the steps `lower_case`."""
    monkeypatch.chdir(tmp_path)

    def show(texts, *options):
        files = []
        for name, lines in texts.items():
            files.append(f"{name}.txt")
            (tmp_path / files[-1]).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return misread("score", *files, "--metrics", "wer", "--decompose", "lower_case", "--width", "140", *options)

    return show


LINES = [f"Word {chr(97 + number) * 3} Line {chr(97 + number) * 2}" for number in range(12)]


def test_what_takes_off_is_named_too_and_equal_systems_are_level(table_of):
    lower = [line.lower() for line in LINES]
    wrong = [line.replace("Word", "Ward").replace("Line", "Lane") for line in LINES]
    text = " ".join(table_of({"ref": LINES, "cased": wrong, "lower": lower}).out.split())
    assert "cased is 0.00" not in text
    assert (
        "lower is level with cased: lower_case adds 50.00, and in the rest, which no convention explains, it is 50.00 "
        "[50.00, 50.00] ahead." in text
    )
    wrong = [line.replace(" ", " x ") for line in wrong]
    text = " ".join(table_of({"ref": LINES, "wrong": wrong, "lower": lower}).out.split())
    assert (
        "wrong is 75.00 points behind lower: lower_case takes off 50.00, and in the rest, which no convention "
        "explains, it is 125.00 [125.00, 125.00] behind." in text
    )
    text = " ".join(table_of({"ref": LINES, "a": lower, "b": lower}).out.split())
    assert "b is level with a: in the rest, which no convention explains, it is level, on too few clusters" in text
    slip = [text.replace("Line", "Lane") for text in LINES[:2]] + LINES[2:]
    text = " ".join(table_of({"ref": LINES, "a": LINES, "b": slip}).out.split())
    assert "it is 4.17 behind, on too few clusters for a verdict." in text


def test_parts_are_laid_out_for_papers_and_small_steps_are_one_line(table_of):
    outputs = {"ref": LINES, "a": [line.replace("W", "w") for line in LINES]}
    latex = table_of(outputs, "--output", "latex").out
    assert r"lower\_case & 25.00" in latex
    assert "lower_case,25" not in latex
    assert "ref,lower_case,0.250000,0.250000,0.250000" in table_of(outputs, "--output", "csv").out
    plain = table_of(outputs, "--decompose", "lower_case,expand_ligatures").out
    assert "other steps" in plain


def test_parts_of_several_runs_are_their_means(misread, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"s{row},{run},Word {row} x,word {row} {'xy'[run]},Word {row} x" for row in range(12) for run in (0, 1)]
    (tmp_path / "runs.csv").write_text("\n".join(["id,run,text,a,b", *rows]) + "\n")
    options = ("--table", "runs.csv(run=run)", "--segment-id", "id", "--ref", "text", "--hyp", "a=a", "--hyp", "b=b")
    done = misread("score", *options, "--metrics", "wer", "--decompose", "lower_case", "--output", "json").json
    values = {row["part"]: row["part_a"] for row in next(iter(done["views"].values()))}
    assert (values["lower_case"], values["rest"], values["sum"]) == pytest.approx((1 / 3, 1 / 6, 1 / 2))
    assert values["sum"] == pytest.approx(done["systems"]["a"]["wer"]["micro"])


def test_texts_with_alternatives_and_metrics_of_other_alignments_are_refused(misread, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ref", "a"):
        (tmp_path / f"{name}.trn").write_text("one { two / too } (s-1)\n", encoding="utf-8")
    done = misread("score", "ref.trn", "a.trn", "--metrics", "wer", "--decompose", "english")
    assert "choose one reading first" in done.err
    done = misread("score", "--example", "--metrics", "wer(alignment=sclite)", "--decompose", "english")
    assert "with unit costs, got none" in done.err
    done = misread("score", "--example", "--metrics", "wer", "--view", "parts(metric=cer)")
    assert "got cer; choices: wer." in done.err
    done = misread("score", "--example", "--metrics", "line_accuracy", "--decompose", "english")
    assert "takes an error rate of words or characters apart" in done.err


@pytest.fixture(scope="module")
def directories(shared_data):
    with (shared_data / "das22_directories/entries.jsonl").open(encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    outputs = {name: [entry[name] or "" for entry in entries] for name in ("pero", "tesseract4", "kraken")}
    pages = [f"{entry['book']}/{entry['page']}" for entry in entries]
    return decompose([entry["ref"] for entry in entries], outputs, steps="ocr", unit="char", clusters=pages)


def test_the_parts_of_three_engines_on_directories_are_these(directories):
    found = {part.name: part for part in directories.of("tesseract4", "pero")}
    assert 100 * sum(part.value for part in found.values()) == pytest.approx(2.52, abs=0.01)
    assert 100 * found["rest"].value == pytest.approx(1.91, abs=0.02)
    assert 100 * found["punctuation"].value == pytest.approx(0.23, abs=0.02)
    assert found["added runs"].interval is None
    other = {part.name: 100 * part.value for part in directories.of("kraken", "tesseract4")}
    assert (other["rest"], other["omitted runs"]) == pytest.approx((7.62, 0.11), abs=0.02)


@pytest.mark.slow
def test_every_interval_of_twenty_pages_covers_the_part_of_all_pages(directories):
    pair = ("tesseract4", "pero")
    pages = np.unique(directories.clusters, return_inverse=True)[1]
    of_page = pages[np.newaxis] == np.arange(pages.max() + 1)[:, np.newaxis]
    by_page = {system: directories.counts[system] @ of_page.T for system in pair}
    lengths = of_page @ directories.lengths
    truth = {part.name: part.value for part in directories.of(*pair)}
    covered = {name: [] for name in truth}
    generator = np.random.default_rng(7)
    for _ in range(2000):
        rows = generator.integers(0, len(lengths), 20)
        counts = {system: by_page[system][:, rows] for system in pair}
        ends = {system: directories.ends[system][:, :, :20] for system in pair}
        sample = replace(directories, counts=counts, ends=ends, lengths=lengths[rows], clusters=None)
        for part in sample.of(*pair):
            if part.interval:
                covered[part.name].append(part.interval.low <= truth[part.name] <= part.interval.high)
    shares = {name: np.mean(values) for name, values in covered.items() if len(values) >= 100}
    assert shares.keys() >= {"diacritics", "punctuation", "case", "white space", "rest"}
    # A loop on one page is most of what Tesseract added.
    assert "added runs" not in shares
    assert {name: share for name, share in shares.items() if share < 0.90} == {}


@pytest.mark.slow
def test_the_parts_of_earnings_calls_are_those_of_the_design_and_of_the_guide(shared_data):
    root = shared_data / "earnings21_eval10"
    folders = {"ESPnet": "rev/espnet/nlp", "Amazon": "amazon"}
    references, outputs = [], {name: [] for name in folders}
    for path in sorted((root / "transcripts/nlp_references").glob("*.nlp")):
        files = {name: root / "output" / folder / path.name for name, folder in folders.items()}
        table = misread.data.read_segment_files(path, files, "nlp")
        references += table.references
        for name in folders:
            outputs[name] += table.hypotheses[name]
    parts = decompose(references, outputs)
    by_name = {part.name: part for part in (*parts.of("ESPnet", "Amazon"), parts.whole("ESPnet", "Amazon"))}
    known = {"case": 4.0, "numbers": 3.48, "fillers": -1.34, "omitted runs": -0.15, "added runs": 0.25, "rest": -2.86}
    assert {name: 100 * by_name[name].value for name in known} == pytest.approx(known, abs=0.02)
    joined = by_name["word boundaries"].value + by_name["punctuation"].value
    assert 100 * joined == pytest.approx(-0.28, abs=0.02)
    ends = {"case": (3.52, 4.48), "numbers": (2.71, 4.25), "rest": (-4.04, -1.67), "sum": (0.90, 5.10)}
    for name, (low, high) in ends.items():
        interval = by_name[name].interval
        assert (100 * interval.low, 100 * interval.high) == pytest.approx((low, high), abs=0.02)
    assert [100 * parts.final_rate(name) for name in folders] == pytest.approx([12.70, 15.70], abs=0.01)
    guide = Path(__file__).parents[3] / "docs/how-to/why-numbers-differ.md"
    rows = re.findall(
        r"^\| ([a-z ]+) \| [\d.]+ \| [\d.]+ \| ([+-][\d.]+)", guide.read_text(encoding="utf-8"), re.MULTILINE
    )
    shown = {name: f"{100 * by_name[name].value:+.2f}" for name, _ in rows if name in by_name}
    assert len(shown) == 6
    assert shown == {name: value for name, value in rows if name in by_name}
