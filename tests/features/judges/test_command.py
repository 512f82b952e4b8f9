"""`misread judge record` and `misread judge agreement`: asked once, replayed, imported, compared."""

import json

import pytest
from tests.engines.scripted_server import reply, serve

ROWS = [
    {"id": "l1", "page": "p1", "text": "one", "a": "one", "b": "won", "ok": "yes", "fine": True},
    {"id": "l2", "page": "p1", "text": "two", "a": "too", "b": "too", "ok": "yes", "fine": True},
    {"id": "l3", "page": "p2", "text": "three", "a": "tree", "b": "three", "ok": "no", "fine": True},
    {"id": "l4", "page": "p2", "text": "four", "a": "for", "b": "fur", "ok": "no", "fine": False},
]
TEXTS = ("--ref", "text", "--hyp", "a=a", "--hyp", "b=b", "--segment-id", "id", "--cluster", "page")


@pytest.fixture
def table(write_table):
    return ("--table", write_table("jsonl", ROWS))


def answer(handler, question):
    asked = json.loads(question.body)["messages"][0]["content"]
    said = "no" if "tree" in asked else "hm" if "fur" in asked else "yes"
    reply(handler, json.dumps({"choices": [{"message": {"content": said}, "finish_reason": "stop"}]}))


def test_a_server_is_asked_about_each_pair_once_and_never_again(misread, table, tmp_path):
    with serve(answer) as server:
        ask = ("judge", "record", *table, *TEXTS, "--url", server.url, "--model", "m", "--out", "d.jsonl")
        done = misread(*ask)
        assert done.status == 0
        assert "wrote d.jsonl: 4 decisions; in 3 of them both texts say the same" in done.out
        assert "1 pairs have no decision" in done.err
        # "too" for "two" comes from both systems, "one" and "three" equal their references.
        assert len(server.asked) == 5
        first = (tmp_path / "d.jsonl").read_bytes()
        assert misread(*ask).status == 0
        assert len(server.asked) == 5
        assert (tmp_path / "d.jsonl").read_bytes() == first
        assert misread(*ask, "--retry-failed").status == 0
        assert len(server.asked) == 6
    # Without the server everything is known.
    assert misread(*ask).status == 0
    judge, *rows = map(json.loads, first.decode().splitlines())
    assert judge["judge"]["model"] == "m"
    assert next(row for row in rows if row["hypothesis"] == "fur")["raw"] == "hm"


def test_another_prompt_asks_again(misread, table, tmp_path):
    (tmp_path / "prompt.txt").write_text("{reference} or {hypothesis}?", encoding="utf-8")
    with serve(answer) as server:
        ask = ("judge", "record", *table, *TEXTS, "--url", server.url, "--model", "m", "--out", "d.jsonl")
        misread(*ask)
        misread(*ask, "--prompt", "prompt.txt")
        assert len(server.asked) == 10


def imported(misread, table, column, out):
    done = misread(
        "judge",
        "record",
        *table,
        "--ref",
        "text",
        "--hyp",
        "a=a",
        "--decision",
        f"a={column}",
        "--model",
        column,
        "--out",
        out,
    )
    assert done.status == 0, done.err
    return out


def test_imported_decisions_are_scored_like_any_metric(misread, table):
    imported(misread, table, "ok", "ok.jsonl")
    options = ("--ref", "text", "--hyp", "a=a", "--metrics", "judged(file=ok.jsonl)", "--output", "json")
    done = misread("score", *table, *options)
    assert done.json["systems"]["a"]["judged_ok"]["counts"] == {"wrong": 2, "compared": 4, "decided": 3}
    assert "judge:ok" in done.json["systems"]["a"]["judged_ok"]["signature"]


def test_agreement_of_judges_has_kappa_and_counts(misread, table):
    files = [imported(misread, table, name, f"{name}.jsonl") for name in ("ok", "fine")]
    options = ("--ref", "text", "--hyp", "a=a", "--cluster", "page", "--decisions", files[0], "--decisions", files[1])
    result = misread("judge", "agreement", *table, *options, "--output", "json").json
    (pair,) = result["pairs"]
    of = pair["agreement"]
    assert result["together"] is None
    assert (of["both"], of["first_only"], of["second_only"], of["neither"]) == (1, 0, 1, 1)
    assert of["agreement"] == 2 / 3
    shown = misread("judge", "agreement", *table, *options, "--width", "120")
    assert "Cohen's kappa" in shown.out
    assert "1/0/1/1" in shown.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "give --url and --model, or --decision NAME=COLUMN; not both"),
        (("--url", "http://x", "--decision", "a=ok"), "not both"),
        (("--url", "http://x"), "--model is missing"),
        (("--decision", "a=ok"), "--model is missing"),
        (("--decision", "c=ok", "--model", "m"), "unknown system 'c' in --decision"),
        (("--decision", "a=okay", "--model", "m"), "unknown column 'okay'"),
        (("--decision", "a=text", "--model", "m"), "a, segment 'l1': the decision is 'one', expected"),
        (("--decision", "a=ok", "--decision", "b=fine", "--model", "m"), "status 0"),
        (("--decision", "a=ok", "--model", "m", "--prompt", "p"), "--prompt is for a server;"),
        (("--url", "nowhere", "--model", "m"), "url is not the address of a server"),
    ],
)
def test_what_cannot_be_judged_is_refused(misread, table, arguments, words):
    done = misread("judge", "record", *table, *TEXTS, "--out", "d.jsonl", *arguments)
    if words == "status 0":
        assert done.status == 0
        return
    assert done.status == 1
    assert words in done.err


def test_equal_texts_that_are_decided_in_two_ways_are_refused(misread, write_table):
    rows = [{**ROWS[1], "id": str(number), "ok": word} for number, word in enumerate(["yes", "no"])]
    table = ("--table", write_table("jsonl", rows))
    done = misread("judge", "record", *table, *TEXTS, "--decision", "a=ok", "--model", "m", "--out", "d.jsonl")
    assert "'too' for 'two' is decided in two ways, 'yes' and 'no'" in done.err


def test_of_texts_of_pages_the_beginning_is_quoted(misread, write_table):
    rows = [
        {"id": str(row), "text": "a page " * 400, "a": "one page " * 400, "ok": word}
        for row, word in enumerate(["yes", "no"])
    ]
    table = ("--table", write_table("jsonl", rows))
    texts = ("--segment-id", "id", "--ref", "text", "--hyp", "a=a")
    done = misread("judge", "record", *table, *texts, "--decision", "a=ok", "--model", "m", "--out", "d.jsonl")
    assert "is decided in two ways" in done.err
    assert len(done.err) < 300


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (("ok.jsonl",), "--decisions is given once"),
        (("ok.jsonl", "ok.jsonl"), "names one file twice"),
        (("ok.jsonl", "none.jsonl"), "none.jsonl"),
    ],
)
def test_one_judge_has_nobody_to_agree_with(misread, table, files, words):
    imported(misread, table, "ok", "ok.jsonl")
    options = [of for file in files for of in ("--decisions", file)]
    done = misread("judge", "agreement", *table, "--ref", "text", "--hyp", "a=a", *options)
    assert done.status == 1
    assert words in done.err


@pytest.mark.slow
def test_a_data_set_of_a_project_is_judged_and_replayed(misread, write_results, tmp_path):
    write_results(
        tmp_path, read={"a": ["One", "too", None], "b": ["one", "too", "tree"]}, references=["one", "two", "3"]
    )
    with serve(answer) as server:
        ask = ("judge", "record", "--dataset", "lines", "--url", server.url, "--model", "m", "--out", "d.jsonl")
        assert misread(*ask, "--systems", "a").status == 0
        # A missing text is not asked about.
        assert len(server.asked) == 2
        assert misread(*ask).status == 0
        assert len(server.asked) == 3
    done = misread(*ask)
    assert (done.status, "3 decisions; in 2 of them" in done.out) == (0, True)
