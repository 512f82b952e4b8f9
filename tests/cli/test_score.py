import csv
import io
import json
import re
from pathlib import Path

import pytest

from misread import read_run
from misread.errors import ConfigurationError
from misread.io.json_files import to_json
from misread.metrics import ScoredText
from misread.metrics.rates import cer, wer
from misread.normalize import PROFILES, get_normalizer
from misread.provenance.signature import Signature
from misread.sockets import METRICS
from misread.spec import sentence_error_rate

QUICK = ("--resamples", "99")
NUMBERS = {"micro", "macro", "median", "counts", "segments", "empty_references", "confidence_interval"}
PAIR = {"baseline", "system", "metric", "difference", "confidence_interval", "tests", "pvalue_adjusted"}


@pytest.fixture
def scored(misread, write_table):
    """JSON of two systems from a table."""

    def score(*arguments, ending="csv"):
        table = write_table(ending)
        systems = ("--hyp", "a=a", "--hyp", "b=b")
        done = misread("score", "--table", table, "--ref", "text", *systems, *QUICK, "--output", "json", *arguments)
        # Of four lines of numbers the linter has something to say.
        named = "warning: Normalizer " if "--normalizer" in arguments else None
        assert (done.status, [line for line in done.err.splitlines() if not (named and line.startswith(named))]) == (
            0,
            [],
        )
        return done.json

    return score


@pytest.fixture
def files(write_lines):
    """Two text files of two lines."""
    reference = write_lines("reference.txt", "the quick brown fox\njumps over the lazy dog\n")
    hypothesis = write_lines("a.txt", "the quich brown fox\njumps over\n")
    return "--ref", reference, "--hyp", f"a={hypothesis}", *QUICK


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_a_table_of_every_format_gives_the_same_rates(scored, ending):
    systems = scored(ending=ending)["systems"]
    references = ["the quick brown fox", "jumps over the lazy dog", "one two", "three"]
    hypotheses = ["the quich brown fox", "jumps over", "one two", "thre"]
    assert systems["a"]["cer"]["micro"] == cer(references, hypotheses)
    assert systems["a"]["wer"]["micro"] == wer(references, hypotheses)


def test_json_has_the_numbers_of_every_system_and_metric_and_a_signature(scored):
    result = scored()
    assert result["signature"].startswith("cer+wer|norm:none|")
    for metrics in result["systems"].values():
        assert list(metrics) == ["cer", "wer"]
        for of in metrics.values():
            assert set(of) >= NUMBERS
            counts = of["counts"]
            assert set(counts) == {"errors", "length", "hits", "substitutions", "deletions", "insertions"}
            assert counts["errors"] == counts["substitutions"] + counts["deletions"] + counts["insertions"]
            assert counts["length"] == counts["hits"] + counts["substitutions"] + counts["deletions"]
            # Four lines, of which one holds half of the text, are too few for an interval.
            assert of["confidence_interval"] is None
            assert "of all counts" in of["interval_reason"]


def test_json_has_all_tests_of_every_pair(scored):
    result = scored()
    compared = [(pair["baseline"], pair["system"], pair["metric"]) for pair in result["comparisons"]]
    assert compared == [("a", "b", "cer"), ("a", "b", "wer")]
    for pair in result["comparisons"]:
        assert set(pair) >= PAIR
        assert list(pair["tests"]) == ["wilcoxon", "mcnemar", "bootstrap", "randomisation"]


def test_clusters_are_drawn_whole(scored):
    result = scored("--cluster", "page")
    assert (result["clusters"], result["cluster_name"]) == (3, "page")
    assert result["comparisons"][0]["tests"]["bootstrap"]["unit"] == "page"


def test_groups_break_the_rates_down(scored):
    groups = scored("--groups", "side", "--groups", "page")["groups"]
    assert list(groups) == ["side", "page"]
    assert {group: of["a"]["cer"]["segments"] for group, of in groups["side"].items()} == {"left": 2, "right": 2}


def test_groups_have_their_spread_for_every_system(scored):
    spread = scored("--groups", "side")["fairness"]["side"]["cer"]["a"]
    assert (spread["groups"], spread["worst_group"], spread["best_group"]) == (2, "right", "left")
    assert spread["band"] == "Significant disparity"
    assert scored("--groups", "side")["fairness"]["side"]["wer"]["a"]["band"] is None


def test_a_clean_level_gives_a_robustness_curve(scored):
    curve = scored("--groups", "side", "--clean", "side=right")["robustness"]["side"]["cer"]
    assert [f"{row['system']} {row['level']}" for row in curve] == ["a right", "a left", "b right", "b left"]
    assert curve[0]["difference"] == 0.0
    assert curve[1]["difference"] == pytest.approx(curve[1]["rate"] - curve[0]["rate"])


def test_levels_stand_in_the_order_that_was_asked_for_and_others_follow_by_name(scored):
    columns = ("--groups", "page", "--clean", "page=p1", "--group-order", "page=p3")
    result = scored(*columns)
    pages = list(scored("--groups", "page")["groups"]["page"])
    assert pages == sorted(pages) == ["p1", "p2", "p3"]
    assert list(result["groups"]["page"]) == ["p3", "p1", "p2"]
    curve = [row["level"] for row in result["robustness"]["page"]["cer"] if row["system"] == "a"]
    assert curve == ["p1", "p3", "p2"]


@pytest.mark.parametrize("output", ["table", "markdown", "latex", "html"])
def test_further_tests_stand_in_every_format_as_not_used_for_the_verdict(misread, scored, write_table, output):
    command = ("score", "--table", write_table(), "--ref", "text", "--hyp", "a=a", "--hyp", "b=b", *QUICK)
    options = ("--metrics", "cer", "--output", output, "--width", 200)
    plain = misread(*command, *options).out
    assert "Wilcoxon" not in plain
    done = misread(*command, *options, "--tests", "wilcoxon,mcnemar")
    assert (done.status, done.err) == (0, "")
    # Tags of HTML, and commands and ends of lines of LaTeX.
    shown = re.sub(r"<[^>]*>|\\[a-z]+(\[r\])? ?|\\\\ |[{}]", "", done.out)
    for name in ("Wilcoxon", "McNemar"):
        assert f"{name} p (not used for the verdict)" in shown
    (pair,) = scored("--tests", "wilcoxon,mcnemar", "--metrics", "cer")["comparisons"]
    assert all(f"{pair['tests'][test]['pvalue_adjusted']:.3f}" in shown for test in ("wilcoxon", "mcnemar"))


def test_csv_has_all_pairs_with_the_tests_that_were_asked_for(misread, scored, write_table):
    command = ("score", "--table", write_table(), "--ref", "text", "--hyp", "a=a", "--hyp", "b=b", *QUICK)
    done = misread(*command, "--tests", "wilcoxon,sign", "--output", "csv", "--metrics", "cer,wer")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    pairs = scored("--tests", "wilcoxon,sign", "--metrics", "cer,wer")["comparisons"]
    assert [row["metric"] for row in rows] == [pair["metric"] for pair in pairs] == ["cer", "wer"]
    for row, pair in zip(rows, pairs, strict=True):
        assert row["decided_by"] == "randomisation"
        for test in ("wilcoxon", "sign"):
            assert float(row[f"{test}_pvalue"]) == pytest.approx(pair["tests"][test]["pvalue"], abs=1e-6)


@pytest.mark.parametrize("output", ["table", "markdown", "latex", "html", "csv"])
def test_all_notes_have_the_spread_of_segments(misread, scored, write_table, output):
    command = ("score", "--table", write_table(), "--ref", "text", "--hyp", "a=a", *QUICK, "--metrics", "cer")
    spread = scored("--metrics", "cer")["systems"]["a"]["cer"]["spread"]
    shown = misread(*command, "--output", output, "--notes").out
    digits = "{:.6f}".format if output == "csv" else lambda value: f"{100 * value:.2f}"
    assert all(digits(value) in shown for value in spread.values())
    heading = "standard_deviation" if output == "csv" else "Spread of CER over segments"
    assert heading in shown
    assert heading not in misread(*command, "--output", output).out


def test_missing_answers_of_repeated_runs_are_counted_by_run(misread, write_lines):
    answers = {"1": ["one", None], "2": ["one", "two"], "3": [None, None]}
    rows = [
        {"id": f"l{number}", "run": run, "ref": reference, "a": texts[number], "b": reference}
        for run, texts in answers.items()
        for number, reference in enumerate(["one", "two"])
    ]
    table = write_lines("runs.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    columns = ("--table", f"{table}(run=run)", "--segment-id", "id", "--ref", "ref", "--hyp", "a=a", "--hyp", "b=b")
    command = ("score", *columns, "--metrics", "cer", *QUICK)
    done = misread(*command, "--missing", "empty", "--width", 120)
    assert re.search(r"\ba +\d.* 3 \(1/0/2\)", done.out)
    assert re.search(r"\bb +\d.* 0 *$", done.out, re.MULTILINE)
    outputs = misread(*command, "--missing", "empty", "--output", "json").json["missing_outputs"]
    assert outputs == {"a": {"missing": {"1": 1, "2": 0, "3": 2}, "failed": {"1": 0, "2": 0, "3": 0}}}
    (first, second) = csv.DictReader(io.StringIO(misread(*command, "--missing", "empty", "--output", "csv").out))
    assert {row["system"]: (row["missing"], row["missing_by_run"]) for row in (first, second)} == {
        "a": ("3", "1/0/2"),
        "b": ("0", ""),
    }


@pytest.mark.parametrize("output", ["table", "markdown", "latex", "html", "csv"])
def test_tables_have_levels_in_the_order_that_was_asked_for(misread, write_table, output):
    table = ("--table", write_table(), "--ref", "text", "--hyp", "a=a", *QUICK, "--metrics", "cer", "--output", output)

    def levels(*options):
        printed = misread("score", *table, "--groups", "side", *options).out
        return re.findall(r"\b(left|right)\b", printed)

    assert levels() == ["left", "right"]
    assert levels("--group-order", "side=right,left") == levels("--group-order", "side=right") == ["right", "left"]


@pytest.mark.parametrize("output", ["table", "markdown", "latex", "html", "csv"])
def test_groups_are_printed_with_interval_and_number(misread, write_table, output):
    table = ("--table", write_table(), "--ref", "text", "--hyp", "a=a", "--groups", "side", "--clean", "side=left")
    done = misread("score", *table, *QUICK, "--metrics", "cer", "--output", output)
    assert (done.status, done.err) == (0, "")
    assert all(group in done.out for group in ("left", "right"))
    if output == "table":
        assert "CER on lines by side (4 segments)" in done.out
        assert "Δ to left" in done.out


def test_the_option_may_be_given_for_each_metric_with_its_id_and_settings(scored):
    rates = scored("--metrics", "cer", "--metrics", "wer_sclite=wer(alignment=sclite)")["systems"]["a"]
    assert list(rates) == ["cer", "wer_sclite"]
    assert rates["wer_sclite"]["signature"].startswith("wer(alignment=sclite)|unit:word|norm:none|align:sclite|")


def test_a_metric_of_a_module_in_this_folder_is_taken_by_its_name(scored, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("own_scores.py").write_text(
        "from misread.metrics import ErrorRate\nclass Left(ErrorRate):\n    rate_columns = ('deletions', 'length')\n"
    )
    rates = scored("--metrics", "cer,own_scores.Left(unit=char)")["systems"]["a"]
    assert rates["left_char"]["signature"].startswith("own_scores.Left(unit=char)|unit:char|")
    counts = rates["left_char"]["counts"]
    assert rates["left_char"]["micro"] == counts["deletions"] / counts["length"] < rates["cer"]["micro"]


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_the_normalizer_is_applied_and_signed(scored, name):
    result = scored("--normalizer", name)
    signature = result["systems"]["b"]["cer"]["signature"]
    assert Signature.parse(signature).facts["norm"] == get_normalizer(name).signature
    counts = result["systems"]["b"]["cer"]["counts"]
    assert counts["insertions"] == int("collapse_whitespace" not in PROFILES[name])


def test_pairs_with_the_baseline_alone_are_a_family_of_their_own(misread, write_table):
    systems = ("--ref", "text", "--hyp", "a=a", "--hyp", "b=b", "--hyp", "c=a", "--metrics", "cer")
    result = misread(
        *("score", "--table", write_table(), *systems, "--pairs", "baseline", "--baseline", "b", "--output", "json")
    ).json
    assert [(pair["baseline"], pair["system"]) for pair in result["comparisons"]] == [("b", "a"), ("b", "c")]
    assert "|adj:holm(2)|" in result["signature"]


@pytest.mark.parametrize(("pairs", "said"), [("all", True), ("baseline", False)])
def test_many_systems_are_told_how_to_be_compared_with_the_baseline_alone(
    misread, write_table, monkeypatch, pairs, said
):
    monkeypatch.setattr("misread.cli.score.MANY_PAIRS", 2)
    systems = ("--ref", "text", "--hyp", "a=a", "--hyp", "b=b", "--hyp", "c=a", "--metrics", "cer")
    done = misread("score", "--table", write_table(), *systems, "--pairs", pairs)
    note = "note: 3 systems make 3 pairs; --pairs baseline tests those with the baseline alone.\n"
    assert (note in done.err) == said


def test_the_baseline_may_be_chosen_and_segments_named_by_several_columns(scored):
    result = scored("--baseline", "b", "--segment-id", "page,id")
    assert (result["baseline"], result["comparisons"][0]["baseline"], result["segments"]) == ("b", "b", 4)


@pytest.mark.parametrize("output", ["table", "json", "markdown", "latex", "csv", "html"])
@pytest.mark.parametrize("name", ["a|b", "a:b@c, (d)", "100%7C"])
def test_a_name_with_signs_of_the_signature_is_signed_as_it_is(misread, tmp_path, write_table, name, output):
    rows = [{"id": number, "text": "a b c", name: page, "a": "a b", "b": "a b c"} for number, page in enumerate("ppqr")]
    write_table("jsonl", rows=rows)
    (tmp_path / "lines.jsonl").rename(tmp_path / f"{name}.jsonl")
    done = misread(
        *("score", "--table", f"{name}.jsonl", "--ref", "text", "--hyp", f"{name}=a", "--hyp", "b=b"),
        *("--cluster", name, "--resamples", "19", "--output", output),
    )
    few = "warning: With fewer than 10 clusters, intervals may be too narrow.\n"
    assert (done.status, done.err) == (0, few if output == "csv" else "")
    if output == "json":
        facts = Signature.parse(done.json["signature"]).facts
        assert facts["data"].startswith(name)
        assert facts["test"] == f"randomisation({name},K=3)"


@pytest.mark.parametrize("output", ["table", "json", "markdown", "latex", "html"])
@pytest.mark.parametrize(("units", "verdict"), [(5, "inconclusive"), (6, "worse")])
@pytest.mark.parametrize(("unit", "lines"), [("segment", 1), ("page", 3)])
def test_what_is_said_of_few_units_agrees_with_the_verdict(misread, write_table, unit, lines, units, verdict, output):
    rows = [{"page": f"p{page}", "text": "a b", "a": "a b", "b": "a"} for page in range(units) for _ in range(lines)]
    cluster = ("--cluster", "page") if unit == "page" else ()
    systems = ("--ref", "text", "--hyp", "a=a", "--hyp", "b=b", *cluster, "--metrics", "cer", *QUICK)
    done = misread("score", "--table", write_table(rows=rows), *systems, "--output", output)
    said = " ".join(done.out.split())
    if output == "json":
        assert done.json["comparisons"][0]["verdict"] == verdict
        assert (f"There are only {units} segments" in said) == (unit == "segment")
        assert ("no difference can be significant" in said) == (verdict == "inconclusive")
    elif verdict == "inconclusive":
        assert f"cannot tell a from b (p = 0.062): with 5 {unit}s, no p below 0.05 is possible." in said
    else:
        assert "a has significantly fewer character errors: 66.67 points fewer than b." in said


def test_a_narrow_screen_leaves_columns_out_and_a_width_brings_them_back(misread, write_table, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    command = ("score", "--table", write_table(), "--ref", "text", "--hyp", "a=a", "--hyp", "b=b", *QUICK)
    assert "Left out at a width of 50: " in misread(*command).out
    assert "Left out" not in misread(*command, "--width", 120).out


def test_seed_resamples_and_confidence_are_signed(scored):
    facts = Signature.parse(scored("--seed", "7", "--resamples", "50", "--confidence", "0.9")["signature"]).facts
    assert (facts["seed"], facts["B"], facts["ci"]) == ("7", "50", "jackknife90")


def test_lines_of_files_are_paired(misread, files):
    of = misread("score", *files, "--output", "json").json["systems"]["a"]["cer"]
    assert (of["segments"], of["counts"]["errors"]) == (2, 14)


def test_whole_texts_are_one_segment(misread, files):
    result = misread("score", *files, "--format", "text", "--output", "json").json
    assert result["segments"] == 1
    assert result["systems"]["a"]["cer"]["confidence_interval"] is None


def test_an_empty_text_counts_as_the_specification_of_lines_says(misread, tmp_path):
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "read.txt").write_text("a b c")
    options = ("--format", "text", "--report", "evaluation_lines", "--output", "csv")
    _, row, means = misread("score", "empty.txt", "read.txt", *options).out.splitlines()
    # Three words and five characters too many, divided by max(1, 0).
    assert row.split(",")[:5] == ["empty.txt", "0", "5", "3.0", "5.0"]
    assert means.startswith("MACRO_AVG,0.0,5.0,3.0,5.0,")
    refused = misread("score", "empty.txt", "read.txt")
    assert refused.err.startswith("error: empty.txt is empty, expected references")


def test_sentences_of_files_are_compared_without_white_space_at_their_ends_if_asked(misread, write_lines):
    truth, read = [" one ", "two", "three"], ["one", "two\t", "thre"]
    files = [write_lines(f"{name}.txt", "\n".join(lines)) for name, lines in (("truth", truth), ("read", read))]
    for options, rate in (((), 1.0), (("--normalizer", "strip_ends"), sentence_error_rate(truth, read).ser)):
        result = misread("score", *files, "--metrics", "ser", *options, "--output", "json").json
        assert result["systems"]["read"]["ser"]["micro"] == pytest.approx(rate)


def test_a_missing_hypothesis_may_count_as_empty_or_be_left_out(misread, write_table):
    rows = [{"text": "one", "a": "one"}, {"text": "two", "a": None}]
    arguments = ("--table", write_table("jsonl", rows), "--ref", "text", "--hyp", "a=a", *QUICK, "--output", "json")
    empty, dropped = (misread("score", *arguments, "--missing", policy).json for policy in ("empty", "drop"))
    assert empty["systems"]["a"]["cer"]["counts"]["deletions"] == 3
    assert (dropped["segments"], dropped["excluded"]) == (1, 1)


@pytest.mark.parametrize(
    ("output", "beginning"),
    [
        ("markdown", "CER on reference (2 segments, 42 characters). Lower is better.\n\n| system |"),
        ("latex", "\\begin{table*}"),
        ("table", "CER on reference (2 segments"),
        ("json", "{"),
        ("csv", "dataset,metric,system,rate,"),
    ],
)
def test_every_output_begins_as_it_should_and_has_every_metric_and_its_signature(misread, files, output, beginning):
    done = misread("score", *files, "--output", output)
    assert (done.status, done.err, done.out[: len(beginning)]) == (0, "", beginning)
    assert ("unit:char" in done.out, "unit:word" in done.out) == (True, True)


def test_csv_prints_on_standard_error_what_stands_below_the_other_tables(misread, files):
    assert misread("score", *files, "--output", "csv").err == ""
    done = misread("score", *files, "--output", "csv", "--notes")
    assert done.out.startswith("dataset,metric,system,rate,")
    assert done.status == 0
    warned = [line.removeprefix("warning: ") for line in done.err.splitlines()]
    assert warned == misread("score", *files, "--output", "json").json["warnings"] != []


@pytest.mark.parametrize(
    "options", [(), ("--pairing", "as-given"), *(("--output", name) for name in ("csv", "json", "markdown", "latex"))]
)
def test_references_that_are_all_empty_are_one_line(misread, write_lines, options):
    write_lines("reference.txt", "\n\n")
    write_lines("a.txt", "hello there you\nthis is fine now\n")
    done = misread("score", "reference.txt", "a.txt", "--format", "lines", *options, *QUICK)
    assert (done.status, done.out) == (1, "")
    assert done.err.splitlines()[-1].startswith("error: every reference of reference is empty, so that no rate is ")


def test_a_run_folder_holds_settings_segments_and_summary(misread, files, tmp_path):
    done = misread("score", *files, "--run-dir", "results/benchmarks/run_1", "--output", "json")
    assert misread("score", *files, "--output", "json").out == done.out
    run = read_run(tmp_path / "results" / "benchmarks" / "run_1")
    assert json.loads(to_json(run.summary)) == done.json
    assert (run.config["metrics"], run.config["statistics"]["resamples"]) == (["cer", "wer"], 99)
    assert run.results["1"]["a"]["cer"]["substitutions"] == 1


@pytest.fixture
def refused(misread):
    """Message of a command that is refused: one line, status 1, nothing printed."""

    def refuse(*arguments):
        done = misread("score", *arguments)
        assert (done.status, done.out) == (1, "")
        assert done.err.startswith("error: ")
        assert done.err.count("\n") == 1
        return done.err

    return refuse


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            "--metrics ccer",
            "unknown metric 'ccer'. Did you mean 'cer', 'ncer' or 'cp_wer'? `misread list metrics` lists",
        ),
        ("--metrics cer,wer,cer", "metric 'cer' is named twice; once is enough"),
        ("--hyp a=reference.txt", "--hyp names 'a' twice"),
        ("--segment-id page", "name columns of --table FILE"),
        ("--cluster page", "name columns of --table FILE"),
        ("--groups page", "name columns of --table FILE"),
    ],
)
def test_an_option_that_cannot_be_used_is_refused(refused, files, options, message):
    assert message in refused(*files, *options.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "lines.csv is a table: give --table lines.csv, --ref COLUMN and --hyp NAME=COLUMN."),
        ("--ref text --hyp a=z", "unknown column 'z'"),
        *(
            (
                f"--ref text --hyp a=a {option} pagee",
                "unknown column 'pagee' in lines.csv. Did you mean 'page'? There are",
            )
            for option in ("--ref", "--segment-id", "--cluster", "--groups")
        ),
        ("--ref text --hyp a=a --segment-id page", "lines.csv, line 3: segment id 'p1' was taken by lines.csv, line 2"),
    ],
)
def test_columns_that_a_table_does_not_have_are_named(refused, write_table, options, message):
    assert message in refused(*(("--table",) if options else ()), write_table(), *options.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--clean side=left --clean side=right", "two levels of 'side'"),
        ("--group-order side", "--group-order 'side': expected COLUMN=LEVEL,LEVEL"),
        ("--group-order side=left,", "--group-order 'side=left,': expected COLUMN=LEVEL,LEVEL"),
        ("--group-order page=p1", "--group-order 'page=p1': 'page' is no column of --groups; add --groups page"),
        (
            "--group-order side=right,lefd",
            "unknown level 'lefd' in --group-order side. Did you mean 'left'? There are: left, right.",
        ),
        ("--group-order side=left,left", "--group-order names 'left' twice; once is enough"),
        ("--group-order side=left --group-order side=right", "--group-order names 'side' twice"),
    ],
)
def test_levels_that_are_not_there_or_named_twice_are_refused(refused, write_table, options, message):
    table = ("--table", write_table(), "--ref", "text", "--hyp", "a=a", "--groups", "side", *QUICK)
    assert message in refused(*table, *options.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--ref two.txt --hyp x=one.txt", "two.txt has 2 lines and one.txt (x) has 1"),
        ("--ref one.txt --hyp b=b.txt", "there is no file b.txt"),
        ("one.txt b=one.txt", "there is no file b=one.txt; systems have names in --ref FILE --hyp b=one.txt"),
        ("--table t.csv --ref text --hyp a=a", "there is no file t.csv"),
        ("--ref latin.txt --hyp a=latin.txt", "latin.txt, line 2: byte 0xe9 is not valid UTF-8"),
        ("--ref one.txt --hyp a.txt", "--hyp 'a.txt': expected NAME=FILE"),
        ("--table x.csv", "--table needs the columns of texts: --ref COLUMN and --hyp NAME=COLUMN"),
        ("--ref empty.txt --hyp a=empty.txt", "empty.txt is empty"),
        ("--table empty.csv --ref text --hyp a=a", "empty.csv is empty"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(refused, write_lines, options, message):
    texts = {"one.txt": "a\n", "two.txt": "a\nb\n", "latin.txt": "a\ncafé\n".encode("latin-1")}
    for name, text in (texts | dict.fromkeys(("empty.txt", "empty.csv"), "")).items():
        write_lines(name, text)
    assert message in refused(*options.split())


def test_a_missing_hypothesis_names_the_segment_and_the_way_on(refused, write_table):
    table = write_table("jsonl", [{"id": "l1", "text": "one", "a": "one"}, {"id": "l2", "text": "two", "a": None}])
    message = refused("--table", table, "--ref", "text", "--hyp", "a=a", "--segment-id", "id")
    assert "no hypothesis for 1 of 2 segments of 'lines' (l2: no hypothesis)" in message
    assert "--missing drop" in message


@pytest.mark.parametrize(
    ("clean", "message"),
    [
        ("side", "--clean 'side': expected COLUMN=LEVEL"),
        ("page=p1", "'page' is no column of --groups; add --groups page"),
        ("side=up", "unknown level 'up' in group column 'side'. There are: left, right"),
        ("side=Left", "unknown level 'Left' in group column 'side'. Did you mean 'left'?"),
    ],
)
@pytest.mark.parametrize("output", ["json", "table", "csv", "latex"])
def test_a_clean_level_that_is_not_there_is_refused(refused, write_table, tmp_path, clean, message, output):
    table = ("--table", write_table(), "--ref", "text", "--hyp", "a=a", "--groups", "side", *QUICK)
    run = tmp_path / "run"
    assert message in refused(*table, "--clean", clean, "--output", output, "--run-dir", str(run))
    assert not run.exists()


@pytest.fixture
def answers(write_lines):
    """References that every metric can use, and a system's answers."""
    truth = '{"total": "5", "answer": "five", "class": "invoice"}\n'
    reference = write_lines("truth.jsonl", truth * 2)
    hypothesis = write_lines("answers.jsonl", truth + "five\n")
    return "--ref", reference, "--hyp", f"a={hypothesis}", *QUICK


def test_json_lines_are_refused_as_plain_text_unless_asked_for_or_scored_as_answers(misread, answers):
    refused = misread("score", *answers, "--output", "json")
    assert refused.status == 1
    assert "truth.jsonl is JSON Lines, not plain text" in refused.err
    assert "score it as a table (--table, with the columns of its texts), or use --format 'lines(verbatim=true)'" in (
        refused.err
    )
    rates = [
        misread("score", *answers, *more, "--output", "json").json["systems"]["a"]["cer"]["micro"]
        for more in (["--format", "lines(verbatim=true)"], ["--metrics", "json_validity,cer"])
    ]
    assert rates[0] == rates[1] > 0


def counts_texts_alone(metric, text):
    """Whether a metric needs neither annotations nor files, and can use this text as a reference."""
    try:
        metric.count(ScoredText([text], [text]))
    except ConfigurationError:
        return False
    return metric.input_kind != "sessions" and metric.id != "xml_compliance" and not metric.problems([text])


@pytest.mark.slow
def test_all_metrics_can_be_scored(misread, answers, write_lines):
    schema = write_lines("schema.json", '{"required": ["total"]}')
    schemas = {
        "json_compliance": f"schema={schema}",
        "json_completeness": "required=[total]",
        "xml_completeness": "required=[total]",
    }
    known = [name for name, metric in METRICS.items() if name in schemas or counts_texts_alone(metric, '{"total": 5}')]
    assert {"cer", "json_validity"} < {*known}
    named = [f"{metric}={metric}({schemas[metric]})" if metric in schemas else metric for metric in known]
    result = misread("score", *answers, "--metrics", ",".join(named), "--output", "json").json
    assert list(result["systems"]["a"]) == known
    assert result["systems"]["a"]["json_compliance"]["micro"] == 1 / 2
    xsd = write_lines("schema.xsd", '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>')
    only = ("--metrics", f"xml_compliance(schema={xsd})", "--output", "json")
    assert misread("score", *answers, *only).json["systems"]["a"]["xml_compliance_schema"]["micro"] == 0.0


def test_a_reference_that_one_metric_cannot_use_is_named_and_the_others_are_kept(misread, write_table):
    rows = [{"id": "l1", "text": '{"total": 5}', "a": '{"total": 5}'}, {"id": "l2", "text": "five", "a": "five"}]
    table = ("--table", write_table("jsonl", rows), "--ref", "text", "--hyp", "a=a", "--segment-id", "id", *QUICK)
    result = misread("score", *table, "--metrics", "cer,field_f1", "--output", "json").json
    assert result["systems"]["a"]["cer"]["counts"]["length"] == 16
    assert result["systems"]["a"]["field_f1"]["counts"]["compared"] == 1
    assert any(text.startswith("field_f1: 1 segment is left out") and "'l2'" in text for text in result["warnings"])


def test_confusions_are_added_to_json_with_their_numbers(scored):
    confusions = scored("--confusions", "1")["confusions"]
    assert list(confusions) == ["a", "b"]
    assert confusions["a"]["facts"]["characters"]["length"] == 54
    assert {kind: len(of) for kind, of in confusions["a"].items() if kind != "facts"} == {
        "character": 1,
        "word": 1,
        "block": 1,
        "category": 1,
    }


@pytest.mark.parametrize("output", ["table", "markdown", "latex", "html"])
def test_confusions_of_characters_and_words_stand_below_the_rates(misread, files, output):
    printed = misread("score", *files, "--confusions", "1", "--output", output).out
    assert "The most frequent confusion of characters by each system" in " ".join(printed.split())
    assert "most frequent confusion of words" in " ".join(printed.split())


def test_csv_of_confusions_holds_these_alone(misread, files):
    done = misread("score", *files, "--confusions", "2", "--output", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [row["signature"].split("|")[0] for row in rows] == ["cer", "cer", "wer", "wer"]
    assert {"reference", "hypothesis", "count"} <= set(rows[0])


@pytest.mark.parametrize("output", ["table", "json", "markdown", "latex", "html", "csv"])
def test_empty_cells_are_pointed_out_in_every_output(misread, write_lines, output):
    table = write_lines("t.csv", "id,text,a,b\n1,,one,\n2,two,two,\n3,three,three,three\n")
    command = ("score", "--table", table, "--ref", "text", "--hyp", "a=a", "--hyp", "b=b", *QUICK, "--output", output)
    done = misread(*command, "--notes")
    said = " ".join((done.err if output == "csv" else done.out).split())
    assert "a: 1 of 3 references is empty where there is a hypothesis (1), whose 3 characters" in said
    assert "b: 1 of 3 hypotheses is empty where there is a reference (2), whose 3 characters" in said
    short = misread(*command)
    assert ("whose 3 characters" in short.out) == (output == "json")
    # How the file was read stands on standard error, and nothing else.
    assert short.err.count("empty cells") == short.err.count("\n") == 1


LOGS = {
    "array.json": '[{"reference_text": "Bu 42 sayısı önemlidir", "asr_output": "bu kırk iki sayısı önemli"}]',
    "lines.jsonl": '{"reference_text": "Bu 42 sayısı önemlidir", "asr_output": "bu kırk iki sayısı önemli"}\n',
    "separated.csv": "reference_text;asr_output\nBu 42 sayısı önemlidir;bu kırk iki sayısı önemli\n",
}


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize(("normalizer", "errors"), [("none", (4, 4)), ("turkish", (1, 5))])
def test_a_log_of_a_recognizer_is_scored_with_and_without_normalization(misread, write_lines, name, normalizer, errors):
    done = misread(
        *("score", "--table", write_lines(name, LOGS[name]), "--format", "asr_log"),
        *("--normalizer", normalizer, "--output", "json"),
    )
    counts = json.loads(done.out)["systems"]["asr"]["wer"]["counts"]
    assert (counts["errors"], counts["length"]) == errors


def test_columns_of_a_log_may_have_other_names(misread, write_lines):
    files = [write_lines(name, "r;p\none two;one too\n") for name in ("log", "other")]
    log = ("--table", files[0], "--format", "asr_log")
    done = misread("score", *log, "--ref", "r", "--hyp", "p=p", "--metrics", "wer", "--output", "json")
    assert json.loads(done.out)["systems"]["p"]["wer"]["counts"]["errors"] == 1
    done = misread("score", *log)
    assert "unknown column 'reference_text'" in done.err
    assert "p, r" in done.err
    assert "--format asr_log is of a table: give --table FILE" in misread("score", *files, "--format", "asr_log").err


def test_the_example_says_what_it_stands_for(misread, repository, monkeypatch):
    monkeypatch.chdir(repository)
    done = misread("score", "--example", "--metrics", "cer", "--output", "json")
    assert {name: round(rates["cer"]["micro"], 4) for name, rates in done.json["systems"].items()} == {
        "Tesseract": 0.1034,
        "RapidOCR": 0.0335,
    }
    note = done.err.splitlines()[0]
    assert note.startswith("--example is short for --table examples/lines.csv --segment-id id --ref text")
    again = misread("score", *note.partition(" is short for ")[2].split(), "--metrics", "cer", "--output", "json")
    assert again.out == done.out
    other = misread("score", "--example", "a.txt", "b.txt")
    assert (other.status, other.err) == (1, "error: --example brings its own data; leave out files.\n")


@pytest.mark.parametrize("output", ["table", "markdown", "latex", "html"])
def test_what_all_tables_say_stands_once_below_the_last_one(misread, files, write_lines, output):
    other = write_lines("b.txt", "the quick brown fix\njumps over the lazy dog\n")
    done = misread("score", *files, "--hyp", f"b={other}", "--width", "200", "--output", output)
    said = " ".join(done.out.split())
    # Each metric has its own verdict.
    assert said.count("The data cannot tell b from a (p = ") == 2
    assert said.count("over 2 segments, taken as independent: no clusters are named.") == 1
    assert said.count("below 0.05 is significant.") == 1
    assert said.index("WER on") < said.index("taken as independent")


@pytest.mark.parametrize("output", ["table", "markdown", "latex", "html", "csv"])
def test_missing_segments_are_counted_in_every_output_and_listed_with_all_notes(misread, write_table, output):
    rows = [{"id": f"line{row}", "text": "one", "a": "one", "b": None if row < 2 else "one"} for row in range(6)]
    table = (
        "--table",
        write_table("jsonl", rows),
        "--segment-id",
        "id",
        "--ref",
        "text",
        "--hyp",
        "a=a",
        "--hyp",
        "b=b",
    )
    command = ("score", *table, *QUICK, "--metrics", "cer", "--output", output)

    def said(*options):
        done = misread(*command, *options)
        assert done.status == 0
        return " ".join((done.err if output == "csv" else done.out).split())

    counted = "b: 2 of 6 hypotheses are missing and count as empty texts"
    assert f"{counted}." in said("--missing", "empty")
    assert f"{counted} (line0, line1)." in said("--missing", "empty", "--notes")
    assert "2 segments are left out because at least one system has no hypothesis." in said("--missing", "drop")


def test_metrics_of_answers_alone_need_no_references(misread, write_table, write_lines):
    rows = [{"id": "l1", "a": '{"total": 5}'}, {"id": "l2", "a": "five"}, {"id": "l3", "a": None}]
    table = ("--table", write_table("jsonl", rows), "--hyp", "a=a", "--missing", "empty", *QUICK, "--output", "json")
    named = "json_validity,json_completeness(required=[total])"
    scores = misread("score", *table, "--segment-id", "id", "--metrics", named).json["systems"]["a"]
    assert [metric["micro"] for metric in scores.values()] == [1 / 3, 1 / 3]
    lines = write_lines("a.jsonl", '{"total": 5}\n{"total": }\n')
    alone = misread("score", "--hyp", f"a={lines}", "--metrics", "json_validity", *QUICK, "--output", "json")
    assert alone.json["systems"]["a"]["json_validity"]["micro"] == 1 / 2
    assert "--ref" in misread("score", *table, "--segment-id", "id", "--metrics", "json_validity,cer").err


@pytest.mark.parametrize(("more", "dataset"), [((), "reference"), (("--name", "Old letters"), "Old letters")])
def test_the_caption_of_a_view_names_the_data_set(misread, files, more, dataset):
    out = misread("score", *files, "--metrics", "cer", "--view", "scripts", *more).out
    assert f" on {dataset}" in out.split("CER on")[1].partition("\n")[2]


def test_latex_has_the_name_caption_and_label_that_were_asked_for(misread, files):
    command = ("score", *files, "--metrics", "cer", "--output", "latex")
    named = misread(*command, "--name", "Old letters").out
    assert "\\caption{CER on Old letters (2 segments, 42 characters). Lower is better.}" in named
    assert "\\label{tab:reference-cer}" in named
    own = misread(*command, "--caption", "Errors in 50% of it.", "--label", "tab:letters").out
    assert "\\caption{Errors in 50\\% of it.}\n\\label{tab:letters}\n" in own


def test_latex_names_no_file_and_no_option(misread, tmp_path):
    for folder, names in (("gold", ("p1.txt", "p2.txt", "p3.txt")), ("read", ("p1.txt", "p2.txt", "notes.md"))):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / name).write_text("one two three\n")
    done = misread("score", "gold", "read", "--missing", "empty", "--output", "latex", "--notes", *QUICK)
    assert "read: 1 of 3 hypotheses is missing" in done.out
    assert "only in gold (p3)" in done.err
    assert "1 file is left out of read (notes.md)" in done.err
    assert not re.search(r"--[a-z]|[.]txt|[.]md|gold has", done.out)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--caption", "x"), "--caption is for one table; name one metric with --metrics."),
        (("--label", "x", "--output", "latex"), "--label is for one table; name one metric with --metrics."),
        (("--metrics", "cer", "--label", "x"), "--label is for --output latex, not for table."),
        (("--metrics", "cer", "--label", "a}b", "--output", "latex"), "--label 'a}b': expected letters, digits and"),
        (("--name", "x", "--output", "json"), "--name is for tables, not for --output json."),
        (("--metrics", "cer", "--caption", "x", "--output", "csv"), "--caption is for tables, not for --output csv."),
    ],
)
def test_words_without_a_place_are_refused(misread, files, options, message):
    done = misread("score", *files, *options)
    assert (done.status, message in done.err) == (1, True), done.err
