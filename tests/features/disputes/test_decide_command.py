"""`misread decide`: verdicts from what people have filled."""

import csv
import io

import pytest

from .made_readings import fill_csv, fill_lines, make_lines, misread_at_random

LINES = make_lines(40)
ALPHA, BETA = (misread_at_random(LINES, share, seed) for share, seed in ((0.02, 2), (0.06, 3)))
ROWS = [
    {"id": f"l{row}", "page": f"p{row // 4}", "alpha": alpha, "beta": beta}
    for row, (alpha, beta) in enumerate(zip(ALPHA, BETA, strict=True))
]


@pytest.fixture
def table(write_table):
    texts = ("--hyp", "alpha=alpha", "--hyp", "beta=beta", "--segment-id", "id", "--cluster", "page")
    return ("--table", write_table("jsonl", ROWS), *texts)


@pytest.fixture
def filled(misread, table, tmp_path):
    """A table in which a person has taken the reading that is nearer to the line."""
    misread("dispute", *table, "--out", "anna.csv")
    path = tmp_path / "anna.csv"
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    truths = [
        row["reading_1"] if row["reading_1"] in LINES[int(row["segment"][1:])] else row["reading_2"] or row["reading_1"]
        for row in rows
    ]
    fill_csv(path, truths)
    return truths


def test_difference_rates_and_what_is_not_seen_are_printed(misread, table, filled):
    done = misread("decide", "anna.csv", *table, "--width", "140")
    assert done.status == 0
    (pair,) = [line for line in done.out.splitlines() if line.startswith("CER ")]
    assert pair.split()[:3] == ["CER", "beta", "alpha"]
    assert pair.rstrip().endswith("worse")
    assert "truth:disputed(context=1)" in done.out
    assert "An error that all systems share is not seen" in " ".join(done.out.split())


def test_json_has_the_comparison_and_rates(misread, table, filled):
    record = misread("decide", "anna.csv", *table, "--output", "json", "--metrics", "cer,wer", "--margin", "0.5").json
    assert [pair["metric"] for pair in record["comparisons"]] == ["cer", "wer"]
    assert record["comparisons"][0]["verdict"] == "equivalent"
    known = record["rates"]["beta"]["cer"]
    assert known["at_least"] < known["at_most"]
    assert "systems" not in record


def test_csv_has_the_pairs(misread, table, filled):
    (row,) = csv.DictReader(io.StringIO(misread("decide", "anna.csv", *table, "--output", "csv").out))
    assert (row["system"], row["baseline"], row["verdict"]) == ("beta", "alpha", "worse")
    assert float(row["low"]) < float(row["difference"]) < float(row["high"])


def test_the_file_says_how_spans_were_drawn_and_systems_may_change_places(misread, table, filled):
    swapped = ("--table", table[1], "--hyp", "beta=beta", "--hyp", "alpha=alpha", *table[6:])
    first, second = (misread("decide", "anna.csv", *texts, "--output", "json").json for texts in (table, swapped))
    assert first["comparisons"][0]["difference"] == -second["comparisons"][0]["difference"]


def test_a_half_filled_table_is_refused(misread, table, filled, tmp_path):
    fill_csv(tmp_path / "anna.csv", ["", "", *filled[2:]])
    done = misread("decide", "anna.csv", *table)
    assert done.status == 1
    assert "2 spans of" in done.err
    assert "give --so-far for the clusters that are done" in done.err


@pytest.mark.slow
def test_two_people_have_two_verdicts_and_a_kappa(misread, table, filled, tmp_path):
    ben = tmp_path / "ben.csv"
    ben.write_bytes((tmp_path / "anna.csv").read_bytes())
    fill_csv(ben, ["other", "other", "other", *filled[3:]])
    record = misread("decide", "anna.csv", "ben.csv", *table, "--output", "json").json
    assert [verdict["file"] for verdict in record["verdicts"]] == ["anna.csv", "ben.csv"]
    assert 0.5 < record["agreement"]["pairs"][0]["agreement"]["kappa"] < 1
    text = misread("decide", "anna.csv", "ben.csv", *table).out
    assert "Agreement of people on which readings" in text
    assert text.count("Differences from the truth of") == 2


def test_people_who_filled_other_spans_are_not_compared(misread, table, filled, tmp_path):
    misread("dispute", *table, "--context", "3", "--out", "ben.jsonl")
    number = len((tmp_path / "ben.jsonl").read_text().splitlines()) - 1
    fill_lines(tmp_path / "ben.jsonl", ["x"] * number)
    done = misread("decide", "anna.csv", "ben.jsonl", *table)
    assert "have other spans; give files of people who filled the same ones" in done.err


def test_spans_of_the_first_units_of_an_order_give_differences_of_all_with_its_weights(misread, write_table, tmp_path):
    texts = ("--hyp", "alpha=alpha", "--hyp", "beta=beta", "--segment-id", "id", "--cluster", "page")
    lines = make_lines(120)
    systems = [misread_at_random(lines, share, seed) for share, seed in ((0.02, 2), (0.06, 3))]
    rows = [
        {"id": f"l{row}", "page": f"p{row // 4}", "text": text, "alpha": alpha, "beta": beta}
        for row, (text, alpha, beta) in enumerate(zip(lines, *systems, strict=True))
    ]
    table = ("--table", write_table("jsonl", rows), *texts)
    misread("plan", "next", *table, "--out", "order.csv")
    drawn = misread("dispute", *table, "--order", "order.csv", "--units", "12", "--out", "drawn.csv")
    assert "drawn: 12 of 30 pages" in drawn.out
    path = tmp_path / "drawn.csv"
    with path.open(newline="", encoding="utf-8") as file:
        spans = list(csv.DictReader(file))
    with (tmp_path / "order.csv").open(newline="", encoding="utf-8") as file:
        first = [row["unit"] for row in csv.DictReader(file)][:12]
    assert {row["cluster"] for row in spans} == {*first}
    filled = [
        [row[name] for name in ("reading_1", "reading_2") if row[name] and row[name] in lines[int(row["segment"][1:])]]
        for row in spans
    ]
    fill_csv(path, [right[0] if right else "[]" for right in filled])
    found = misread("decide", "drawn.csv", *table, "--order", "order.csv", "--output", "json").json
    # Typed as whole pages, they give the same difference but for what no reading has right.
    whole = [{**row, "text": row["text"] if row["page"] in first else None} for row in rows]
    typed = ("--table", write_table("jsonl", whole), *texts, "--ref", "text")
    known = misread("plan", "predict", *typed, "--agreement", "order.csv", "--output", "json").json
    (pair,), (expected,) = found["pairs"], known["pairs"]
    assert pair["difference"]["rate"] == pytest.approx(expected["difference"]["rate"], rel=0.1)
    assert pair["verdict"] == expected["verdict"] == "worse"
    assert found["rates"] == {}
    shown = misread("decide", "drawn.csv", *table, "--order", "order.csv").out
    assert "differences are of exactly these 30 pages" in " ".join(shown.split())
    assert "units=12" in found["signature"]
    people = ("decide", "drawn.csv", "drawn.csv", *table, "--order", "order.csv")
    assert [verdict["pairs"] for verdict in misread(*people, "--output", "json").json["verdicts"]] == [[pair], [pair]]
    assert misread(*people, "--output", "csv").out.count("\n") == 3
    assert misread(*people).out.count("drawn.csv: CER of 30 pages") == 2
    for wrong in (("--order", "order.csv", "--so-far"), ()):
        assert misread("decide", "drawn.csv", *table, *wrong).status == 1
    for units in ("4", "31"):
        done = misread("dispute", *table, "--order", "order.csv", "--units", units, "--out", "few.csv")
        assert f"--units is {units}, expected a number from 5, which an estimate needs, to 30" in done.err
    ordered = ("--order", "order.csv")
    for wrong in (("--units", "9"), ordered, (*ordered, "--units", "9", "--budget", "99")):
        done = misread("dispute", *table, *wrong, "--out", "few.csv")
        assert "`misread dispute` takes --order and --units together, without --budget" in done.err
