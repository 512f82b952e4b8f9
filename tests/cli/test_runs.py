"""Repeated runs on the command line: further files or columns, a column of runs, and plans."""

import json

import pytest

ROWS = [
    {"id": f"l{row}", "text": text, "page": f"p{row // 2}", "a": first, "b": second, "c": third}
    for row, (text, first, second, third) in enumerate(
        [
            ("the quick fox", "the quick fox", "the quich fox", "the quick fx"),
            ("jumps over", "jump over", "jumps ovr", "jumps over"),
            ("one two", "one two", "one tw", "on two"),
            ("three", "thre", "three", "three"),
            ("four five", "four five", "four fiv", "fou five"),
            ("six", "six", "sx", "six"),
        ]
    )
]
WIDE = ("--ref", "text", "--segment-id", "id", "--cluster", "page", "--metrics", "cer", "--resamples", "99")
HYPS = ("--hyp", "one=a", "--hyp", "m=b", "--run", "m=c")


@pytest.fixture
def wide(write_table):
    return ("--table", write_table("jsonl", ROWS), *WIDE)


@pytest.fixture
def long(write_table):
    def write(change=lambda rows: rows, columns="run=turn"):
        rows = [
            {
                "id": row["id"],
                "text": row["text"],
                "page": row["page"],
                "m": row[text],
                "turn": run,
                "answer": f"{run}{n}",
            }
            for run, text in ((1, "b"), (2, "c"))
            for n, row in enumerate(ROWS)
        ]
        return ("--table", f"{write_table('jsonl', change(rows))}({columns})", *WIDE, "--hyp", "m=m")

    return write


def test_columns_files_and_rows_give_the_same_rates(misread, wide, long, write_lines):
    found = misread("score", *wide, *HYPS, "--output", "json").json
    rows = misread("score", *long(), "--output", "json").json
    texts = {
        name: write_lines(f"{name}.txt", "\n".join(row[name] for row in ROWS) + "\n") for name in ("text", "b", "c")
    }
    files = misread(
        *("score", "--ref", texts["text"], "--hyp", f"m={texts['b']}", "--run", f"m={texts['c']}"),
        *("--metrics", "cer", "--resamples", "99", "--output", "json"),
    ).json
    expected = found["sections"]["runs"]["cer"]["m"]
    assert expected["runs"] == ["1", "2"]
    assert set(found["sections"]["runs"]["cer"]) == {"m"}
    for of in (rows, files):
        assert of["sections"]["runs"]["cer"]["m"]["rates"] == expected["rates"]
        assert of["systems"]["m"]["cer"]["counts"] == found["systems"]["m"]["cer"]["counts"]


def test_tables_of_runs_stand_below_the_rates_with_all_notes(misread, wide):
    done = misread("score", *wide, *HYPS, "--width", "140", "--notes")
    assert done.status == 0
    assert "Repeated runs: CER" in done.out
    assert "What the error of one run comes from" in done.out
    assert "runs make" in done.out
    assert "(6 segments, 47 characters)" in done.out
    assert "Repeated runs" not in misread("score", *wide, *HYPS).out


def test_crossed_runs_change_test_and_interval(misread, wide):
    found = misread("score", *wide, *HYPS, "--runs", "crossed", "--output", "json").json
    assert found["comparisons"][0]["decided_by"] == "jackknife"
    assert "runs:1+2,crossed" in found["signature"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--hyp", "m=b", "--run", "n=c"), "unknown system 'n' in --run; --hyp names the first run of each"),
        (("--hyp", "m=b", "--run", "m=b"), "b is a run of m already; the same texts are no further run"),
        (("--hyp", "m=b", "--run", "m"), "--run 'm': expected NAME=FILE"),
        (("--hyp", "m=b", "--run", "m=d"), "unknown column 'd'"),
        (
            ("--hyp", "m=b", "--run", "m=c", "--runs", "best"),
            "expected averaged or crossed: the best of several runs was chosen by",
        ),
        (("--hyp", "m=b", "--run", "m=c", "--runs", "crosed"), "'crosed'"),
    ],
)
def test_options_that_do_not_go_together_are_refused(misread, wide, arguments, words):
    done = misread("score", *wide, *arguments)
    assert done.status == 1
    assert words in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "columns", "words"),
    [
        (lambda rows: rows[:-1], "run=turn", "segment 'l5' has runs 1 instead of 1, 2"),
        (
            lambda rows: [*rows[:-1], {**rows[-1], "answer": "10"}],
            "run=turn,request=answer",
            "request '10' was answered on line 1 already",
        ),
        (lambda rows: rows, "run=trun", "unknown column 'trun'"),
        (lambda rows: rows, "request=id", "'FILE(request=COLUMN)' needs --table 'FILE(run=COLUMN)'"),
        (lambda rows: rows, "runs=turn", "unknown setting 'runs' in --table. Did you mean 'run'?"),
        (lambda rows: rows, "ocr=text,run=turn", "'FILE(ocr=COLUMN)' goes neither with --table 'FILE(run=COLUMN)' nor"),
        (lambda rows: rows, "empty=text", "tells them apart"),
    ],
)
def test_rows_that_are_no_set_of_runs_are_refused_with_their_line(misread, long, change, columns, words):
    done = misread("score", *long(change, columns))
    assert done.status == 1
    assert words in done.err


def test_other_commands_take_the_same_texts(misread, wide):
    plain = [word for word in wide if word not in ("--metrics", "cer", "--resamples", "99")]
    assert "l1" in misread("inspect", "align", *plain, *HYPS, "--segment", "l1").out


def test_a_run_folder_names_the_runs(misread, wide, tmp_path):
    assert misread("score", *wide, *HYPS, "--run-dir", "run").status == 0
    config = json.loads((tmp_path / "run" / "config.json").read_text(encoding="utf-8"))
    assert config["runs"] == {"m": {"1": "b", "2": "c"}}


PILOT = ("--ref", "text", "--segment-id", "id", "--cluster", "page", "--difference", "0.05")


def test_a_pilot_gives_a_plan_for_each_number_of_runs(misread, write_table):
    table = ("--table", write_table("jsonl", ROWS))
    done = misread("plan", "size", *table, *PILOT, *HYPS, "--most-runs", "3", "--output", "json")
    designs = [plan["design"] for plan in done.json["plans"]]
    assert [of["runs"] for of in designs] == [1, 2, 3]
    assert all(of["detectable"] <= 0.05 for of in designs)
    assert done.json["notes"] == [
        "Read once: one. What further runs would add is unknown, and counts as variance between pages.",
        "The pilot has 3 pages; 9 more would do.",
    ]
    assert "pages" in misread("plan", "size", *table, *PILOT, *HYPS).out


def test_a_plan_needs_no_texts(misread):
    done = misread("plan", "size", "--difference", "0.01", "--cluster-deviation", "0.04", "--output", "json")
    assert [plan["design"]["clusters"] for plan in done.json["plans"]] == [128]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "give a pilot, as for `misread score`, or --cluster-deviation"),
        (("--cluster-deviation", "-1"), "--cluster-deviation is -1, expected 0 or more"),
        (("--cluster-deviation", "1e308"), "--cluster-deviation is too large, expected"),
        (("--cluster-deviation", "1", "--run-deviation", "1e155"), "--run-deviation is too large, expected"),
        (("--cluster-deviation", "1", "--residual-deviation", "inf"), "--residual-deviation is too large, expected"),
        (("--cluster-deviation", "0.1", "--difference", "1e308"), "--difference is too large, expected"),
        (("--cluster-deviation", "0.1", "--alpha", "1e-300"), "the power at alpha 1e-300 with "),
        (
            ("--cluster-deviation", "1e50", "--run-deviation", "1e50"),
            "no number of clusters shows a difference of 0.01",
        ),
        (("--cluster-deviation", "0.1", "--cluster", "page"), "--cluster: for texts of your own"),
        (("--cluster-deviation", "0.1", "--runs", "cross"), "'cross'"),
        (
            ("--cluster-deviation", "0.01", "--run-deviation", "1"),
            "no number of clusters shows a difference of 0.01 with up to 10 runs",
        ),
    ],
)
def test_a_plan_of_nothing_is_refused(misread, arguments, words):
    done = misread("plan", "size", "--difference", "0.01", *arguments)
    assert done.status == 1
    assert words in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--hyp", "m=b"), "a plan is for two systems, and there is m; name two with --systems"),
        (("--hyp", "m=b", "--hyp", "n=c", "--systems", "m,k"), "unknown system 'k'"),
        ((*HYPS, "--cluster-deviation", "0.1"), "--cluster-deviation is in place of a pilot"),
    ],
)
def test_a_pilot_of_other_than_two_systems_is_refused(misread, write_table, arguments, words):
    done = misread("plan", "size", "--table", write_table("jsonl", ROWS), *PILOT, *arguments)
    assert done.status == 1
    assert words in done.err


@pytest.fixture
def with_systems(write_table):
    """A row per line, system and run, with what each took."""
    rows = [
        {"id": row["id"], "text": row["text"], "page": row["page"], "model": name, "turn": run, "read": row[column]}
        | {"s": 0.5, "usd": 0.01, "sent": 10, "came": 2}
        for row in ROWS
        for name, run, column in (("one", 1, "a"), ("m", 1, "b"), ("m", 2, "c"))
    ]

    def name(columns="system=model,run=turn"):
        return ("--table", f"{write_table('jsonl', rows)}({columns})", *WIDE, "--hyp", "read")

    return name


RUNS = "system=model,run=turn"


def test_rows_of_systems_give_the_same_as_columns(misread, wide, with_systems):
    expected = misread("score", *wide, *HYPS, "--output", "json").json
    result = misread("score", *with_systems(), "--output", "json").json
    assert result["warnings"].pop(0).startswith("lines.jsonl: columns that are not read: s, usd")
    assert result == expected


def test_columns_of_what_a_row_took_are_tables_of_their_own(misread, with_systems):
    table = with_systems(f"{RUNS},measured={{latency_seconds:s,usd:usd,input_tokens:sent}}")
    views = misread("score", *table, "--output", "json").json["views"]
    assert {row["system"]: row["mean_ms"] for row in views["latency"]} == {"one": 500.0, "m": 500.0}
    assert {row["system"]: row["input_tokens"] for row in views["cost"]} == {"one": 60, "m": 120}
    shown = misread("score", *table).out
    assert "Latency on" in shown
    assert "USD per 1,000" in shown


@pytest.mark.parametrize(
    ("columns", "options", "refusal"),
    [
        ("system=model", (), "line 3: segment 'l0' has system 'm' twice, the first time on line 2"),
        (RUNS, ("--hyp", "b=b"), "the systems are named by --table 'FILE(system=COLUMN)'; name the one column"),
        (RUNS, ("--run", "read=c"), "leave it out, as the table names runs or systems by rows"),
        (f"{RUNS},measured={{usd:x}}", (), "unknown column 'x' in"),
        (f"{RUNS},measured={{dollars:usd}}", (), "unknown measure 'dollars' in --table 'FILE(measured=COLUMN)'"),
        (f"{RUNS},measured=usd", (), 'lines.jsonl.measured is "usd", expected names with values'),
    ],
)
def test_what_does_not_go_with_a_column_of_systems_is_refused(misread, with_systems, columns, options, refusal):
    done = misread("score", *with_systems(columns), *options)
    assert done.status != 0
    assert refusal in " ".join(done.err.split())


def test_a_table_may_have_brackets_in_its_name(misread, wide, tmp_path):
    table = wide[wide.index("--table") + 1]
    expected = misread("score", *wide, *HYPS, "--output", "json").json["systems"]["m"]["cer"]["counts"]
    for name in ("rows (1).jsonl", "rows(run=turn).jsonl"):
        (tmp_path / name).write_text((tmp_path / table).read_text())
        named = [name if word == table else word for word in wide]
        assert misread("score", *named, *HYPS, "--output", "json").json["systems"]["m"]["cer"]["counts"] == expected
