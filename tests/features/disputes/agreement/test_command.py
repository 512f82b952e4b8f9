"""`misread plan next` and `plan predict`, on pages of which some are typed."""

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from misread.errors import ConfigurationError, InputValueError, UndefinedResultError
from misread.features.disputes.agreement import draw_order, predict_by_agreement

SYSTEMS = ("--hyp", "a=a", "--hyp", "b=b", "--hyp", "c=c")


@pytest.fixture
def pages(write_lines):
    """24 pages of four lines that three systems read, each worse on harder pages; writes those that are typed."""
    rng = np.random.default_rng(2)
    rows = []
    for page in range(24):
        hard = rng.choice([0.01, 0.05, 0.15])
        for line in range(4):
            text = "".join(rng.choice([*"abcdefgh "], 40))
            read = {
                name: "".join("x" if rng.random() < hard * worse else letter for letter in text)
                for name, worse in (("a", 1), ("b", 2), ("c", 3))
            }
            rows.append({"id": f"{page}-{line}", "page": f"p{page}", "side": "lr"[page % 2], "text": text, **read})

    def write(typed=None):
        listed = [{**row, "text": row["text"] if typed is None or row["page"] in typed else None} for row in rows]
        return str(write_lines("pages.jsonl", "".join(f"{json.dumps(row)}\n" for row in listed)))

    return write


def read_alike(number, **changes):
    """Arguments of both functions: lines of two pages each that two systems read, one with an error in every third."""
    truth = [f"line {row:03}" for row in range(number)]
    systems = {
        "a": [f"{text}x" if row % 3 else text for row, text in enumerate(truth)],
        "b": [f"{text}y" if row % 5 else text for row, text in enumerate(truth)],
    }
    return truth, {**systems, **changes}, {"clusters": [f"p{row // 2}" for row in range(number)]}


def test_what_cannot_be_estimated_from_python_is_refused_with_the_reason():
    truth, systems, facts = read_alike(40)
    typed = [text if row < 20 else None for row, text in enumerate(truth)]

    def refuse(kind, said, typed=typed, systems=systems, **options):
        with pytest.raises(kind, match=said):
            predict_by_agreement(typed, systems, **{"draw": "random", **facts, **options})

    lacking = {**systems, "b": [*systems["b"][:-1], None]}
    for missing in ("error", "drop"):
        said = (
            r"1 segment without an output of b, such as '40': agreement needs all; missing='empty' counts them as empty"
        )
        refuse(UndefinedResultError, said, systems=lacking, missing=missing)
        with pytest.raises(UndefinedResultError, match=said):
            draw_order(lacking, seed=1, missing=missing)
    assert predict_by_agreement(typed, lacking, draw="random", missing="empty", **facts).typed == 10
    refuse(InputValueError, "'p0' is typed in part: segment '1' has no reference", typed=[None, *typed[1:]])
    refuse(UndefinedResultError, "no segment has a reference: nothing is typed", typed=[None] * 40)
    refuse(UndefinedResultError, "the typed texts are empty: there is no rate", typed=[text and "" for text in typed])
    groups = {"side": [*"lr" * 20]}
    refuse(
        InputValueError, "cluster 'p0' has the side 'l' and 'r'; groups and strata are of whole units", groups=groups
    )
    refuse(ConfigurationError, "choose cer, wer or ger", metric="cer_raw")
    refuse(UndefinedResultError, "any second reading of the same texts will do", systems={"a": systems["a"]})
    empty = {name: [""] * 40 for name in systems}
    with pytest.raises(UndefinedResultError, match="all outputs are empty: no unit is drawn sooner than another"):
        draw_order(empty, seed=1)
    assert len(draw_order(empty, seed=1, draw="random").units) == 40


def test_an_order_is_that_of_its_outputs_in_whatever_order_systems_are_named():
    truth, systems, facts = read_alike(40)
    order = draw_order(systems, seed=1, **facts)
    typed = [text if page in order.units[:9] else None for text, page in zip(truth, facts["clusters"], strict=True)]
    turned = dict(reversed(systems.items()))
    assert predict_by_agreement(typed, turned, order=order, **facts).rates.keys() == turned.keys()
    with pytest.raises(ConfigurationError, match="the order is that of other outputs"):
        predict_by_agreement(typed, {**systems, "a": truth}, order=order, **facts)
    with pytest.raises(ConfigurationError, match="the order is that of other outputs"):
        predict_by_agreement(typed, systems, order=order)


@pytest.fixture
def options(pages):
    def make(typed=None):
        return ("--table", pages(typed), "--segment-id", "id", "--cluster", "page", *SYSTEMS)

    return make


@pytest.fixture
def first(misread, options, tmp_path):
    """Labels of the first pages of an order, and its path."""

    def draw(number, **named):
        path = tmp_path / "order.csv"
        path.unlink(missing_ok=True)
        more = [part for name, value in named.items() for part in (f"--{name}", value)]
        done = misread("plan", "next", *options(), "--out", path, *more)
        assert done.status == 0, done.err
        with path.open(newline="") as file:
            return [row["unit"] for row in csv.DictReader(file)][:number], str(path)

    return draw


def test_rates_of_all_come_from_the_first_pages_of_the_order(misread, options, first):
    typed, order = first(8)
    true = misread(
        "score", *options(), "--ref", "text", "--metrics", "cer", "--output", "json", "--resamples", "99"
    ).json
    done = misread("plan", "predict", *options(typed), "--ref", "text", "--agreement", order, "--output", "json").json
    assert (done["typed"], done["units"], done["unit"]) == (8, 24, "page")
    for system, rate in done["rates"].items():
        whole = true["systems"][system]["cer"]["micro"]
        assert rate["interval"]["low"] <= whole <= rate["interval"]["high"]
        assert abs(rate["rate"] - whole) <= abs(rate["alone"] - whole)
        assert rate["worth"] > 12
        assert rate["error"] < rate["alone_error"]
    assert [pair["verdict"] for pair in done["pairs"]] == ["worse"] * 3
    assert "n:8/24|typed:agreement(kappa=100,draw=disagreement(0.5,seed=1))|" in str(done["signature"])
    shown = " ".join(misread("plan", "predict", *options(typed), "--ref", "text", "--agreement", order).out.split())
    assert "8 pages typed, drawn by disagreement(0.5,seed=1); rates are of exactly these 24 pages." in shown
    assert "By the systems' disagreement, the typed pages, weighted as they were drawn, are" in shown
    assert "than all: the rate of c is corrected by" in shown
    assert "8 pages are few: intervals are too narrow if a few pages are unlike all others." in shown


def test_if_all_is_typed_differences_are_exact_and_have_no_test(misread, options, first):
    typed, order = first(24)
    command = ("plan", "predict", *options(typed), "--ref", "text", "--agreement", order)
    done = misread(*command, "--output", "json").json
    for pair in done["pairs"]:
        interval = pair["difference"]["interval"]
        assert interval["low"] == interval["high"] == pair["difference"]["rate"]
        assert (pair["pvalue_adjusted"], pair["verdict"]) == (None, "worse")
    assert done["warnings"] == []
    assert "All pages are typed: the numbers are exact." in misread(*command).out


def test_groups_witnesses_and_such_texts(misread, options, first):
    typed, order = first(16)
    command = ("plan", "predict", *options(typed), "--ref", "text", "--agreement", order)
    these = misread(*command, "--groups", "side", "--witness", "c", "--output", "json").json
    assert set(these["rates"]) == {"a", "b"}
    assert set(these["groups"]) == {"l", "r"}
    such = misread(*command, "--such", "--output", "json").json
    assert such["rates"]["a"]["error"] > these["rates"]["a"]["error"]
    for output in ("csv", "markdown", "latex", "html"):
        assert "with agreement" in misread(*command, "--output", output).out or output == "csv"


@pytest.mark.parametrize("draw", ["random", "disagreement"])
def test_files_and_folders_are_read_alike(misread, pages, tmp_path, draw):
    rows = [json.loads(line) for line in Path(pages()).read_text().splitlines()]
    for side in ("text", "a", "b", "c"):
        for page in {row["page"] for row in rows}:
            path = tmp_path / side / f"{page}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text("".join(f"{row[side]}\n" for row in rows if row["page"] == page))
    folders = [str(tmp_path / side) for side in ("a", "b", "c")]
    done = misread("plan", "next", *folders, "--out", tmp_path / "order.csv", "--draw", draw)
    assert done.out.startswith(f"wrote {tmp_path / 'order.csv'}: 24 ")
    with (tmp_path / "order.csv").open(newline="") as file:
        late = [row["unit"] for row in csv.DictReader(file)][9:]
    for page in late:
        (tmp_path / "text" / f"{page}.txt").unlink()
    typed = (str(tmp_path / "text"), *folders, "--agreement", tmp_path / "order.csv")
    done = misread("plan", "predict", *typed, "--output", "json").json
    assert (done["typed"], set(done["rates"])) == (9, {"a", "b", "c"})


def test_what_has_no_estimate_is_refused_with_the_reason(misread, options, first):
    typed, order = first(8)

    def refusal(*command):
        done = misread("plan", *command)
        assert (done.status, done.out, done.err.count("\n")) == (1, "", 1), done.err
        return done.err

    predict = ("predict", *options(typed), "--ref", "text")
    assert "of units that somebody chose there is no estimate" in refusal(*predict)
    assert "There are: a, b, c" in refusal(*predict, "--agreement", order, "--witness", "z")
    assert "order.csv is that of other outputs" in refusal(*predict, "--agreement", order, "--normalizer", "basic")
    assert "4 units are typed that might not have been drawn, and an estimate needs 5: type more" in refusal(
        "predict", *options(typed[:4]), "--ref", "text", "--agreement", order
    )
    chosen = ("predict", *options([*typed[:5], "p0", "p1", "p2"]), "--ref", "text", "--agreement", order)
    assert "not among the first" in refusal(*chosen)
    assert "order.csv exists" in refusal("next", *options(), "--out", order)


def test_warnings_say_what_weakens_the_estimate(misread, options, first):
    typed, _ = first(12, draw="random")

    def warnings(*texts):
        done = misread("plan", "predict", *texts, "--ref", "text", "--draw", "random", "--output", "json")
        return " ".join(done.json["warnings"])

    pair = warnings(*options(typed)[:-2])
    assert "a third reading would help" in pair
    assert "were these really drawn?" not in pair
    assert "were these really drawn?" in warnings(*options(_easiest(options)))


def _easiest(options):
    """The twelve pages on which the systems disagree least."""
    disputed = Counter()
    for row in map(json.loads, Path(options()[1]).read_text().splitlines()):
        disputed[row["page"]] += sum(x != y for x, y in zip(row["a"], row["c"], strict=True))
    return sorted(disputed, key=disputed.get)[:12]


def test_strata_are_named_among_the_groups(misread, options, first):
    typed, _ = first(12, draw="random")
    command = ("plan", "predict", *options(typed), "--ref", "text", "--draw", "random", "--strata", "side")
    assert "There are: side" in misread(*command[:-1], "page", "--groups", "side").err
    assert "'side' in --strata, which names one of --groups. There are none." in misread(*command).err
    done = misread(*command, "--groups", "side", "--output", "json").json
    assert "draw=random(strata=side)" in done["signature"]
    assert "pages typed, drawn at random(strata=side)" in misread(*command, "--groups", "side").out
    few = [page for page in typed if int(page[1:]) % 2][:1] + [page for page in typed if int(page[1:]) % 2 == 0]
    refused = misread("plan", "predict", *options(few), *command[-6:], "--groups", "side")
    assert "fewer than two pages of the side 'r' are typed" in refused.err


def test_a_group_of_few_typed_pages_is_shown_without_a_rate(misread, options, first):
    typed, order = first(6)
    command = ("plan", "predict", *options(typed), "--ref", "text", "--agreement", order, "--groups", "side")
    groups = misread(*command, "--output", "json").json["groups"]
    assert any(rate is None for rates in groups.values() for rate in rates.values())
    shown = misread(*command, "--width", "160").out
    assert "[--]" in shown
    assert "Groups without a rate have fewer than 5 typed pages that might not be drawn." in shown


def test_what_weakens_the_estimate_of_made_up_readings_is_said(misread, options, first):
    typed, _ = first(6)
    truth = {row["id"]: row["text"] for row in map(json.loads, Path(options()[1]).read_text().splitlines())}
    table, *rest = options(typed)[1:]
    rows = [json.loads(line) for line in Path(table).read_text().splitlines()]

    def warnings(**changes):
        changed = [{**row, **{name: change(row) for name, change in changes.items()}} for row in rows]
        Path(table).write_text("".join(f"{json.dumps(row)}\n" for row in changed))
        command = ("plan", "predict", "--table", table, *rest, "--ref", "text", "--draw", "random", "--output", "json")
        return " ".join(misread(*command).json["warnings"])

    assert "a and b have the same outputs everywhere" in warnings(b=lambda row: row["a"])
    assert "Agreement says nothing here" in warnings(**dict.fromkeys("abc", lambda row: truth[row["id"]][1:]))
    said = warnings(c=lambda row: "y" * 200 if row["page"] == typed[0] else truth[row["id"]])
    assert "One page has more than half of the variance of" in said
    assert "There is no verdict on" in said


def test_python_has_the_same_estimate_and_its_tables(misread, options, first, tmp_path):
    typed, order = first(12)
    command = ("plan", "predict", *options(typed), "--ref", "text", "--agreement", order, "--groups", "side")
    printed = misread(*command, "--output", "json").json
    rows = [json.loads(line) for line in Path(options(typed)[1]).read_text().splitlines()]
    systems = {name: [row[name] for row in rows] for name in "abc"}
    facts = {"ids": [row["id"] for row in rows], "clusters": [row["page"] for row in rows]}
    drawn = draw_order(systems, seed=1, **facts)
    assert drawn.units[:12] == typed
    truth, groups = [row["text"] for row in rows], {"side": [row["side"] for row in rows]}
    result = predict_by_agreement(truth, systems, order=order, groups=groups, **facts)
    assert result.rates["a"].rate == pytest.approx(printed["rates"]["a"]["rate"])
    frame = result.to_frame()
    assert list(frame["system"]) == [*"abc", *"abc" * 2, "b - a", "c - a", "c - b"]
    assert frame["rate"].iloc[0] == result.rates["a"].rate
    assert r"\begin{tabular}" in result.to_latex()
    assert "<table" in result._repr_html_()
    assert "with agreement" in str(result)
    with pytest.raises(ConfigurationError, match="of units that somebody chose"):
        predict_by_agreement(truth, systems, **facts)
