"""A verdict after every checked cluster: the same looks however much is filled, and that of all clusters at the end."""

import csv

import pytest

import misread as package

from .made_readings import fill_csv, make_lines, misread_at_random

LINES = make_lines(90)
SYSTEMS = {name: misread_at_random(LINES, share, seed) for name, share, seed in (("alpha", 0.03, 2), ("beta", 0.05, 3))}
PAGES = [f"p{row // 3:02}" for row in range(90)]


@pytest.fixture
def disputes():
    return package.dispute(SYSTEMS, seed=4, clusters=PAGES, budget=100_000)


@pytest.fixture
def fill(disputes, tmp_path):
    """Write spans of which the first clusters have a truth, but for some clusters; the first reading is right."""

    def fill(clusters, without=()):
        order = list(dict.fromkeys(span.cluster for span in disputes.spans))
        chosen = {cluster for cluster in order[:clusters] if cluster not in {order[number] for number in without}}
        path = tmp_path / f"{clusters}-{len(without)}.csv"
        disputes.save(path)
        fill_csv(path, [span.readings[0] or "[]" if span.cluster in chosen else "" for span in disputes.spans])
        return path

    return fill


def test_looks_are_the_same_however_much_is_filled(disputes, fill):
    (all_of_them,) = disputes.so_far(fill(30), total=30, margin=0.005)
    (some,) = disputes.so_far(fill(14), total=30, margin=0.005)
    assert len(all_of_them.result.looks) == 30
    assert len(some.result.looks) == 14
    assert [look.difference for look in some.result.looks] == [
        look.difference for look in all_of_them.result.looks[:14]
    ]
    assert [look.interval for look in some.result.looks] == [look.interval for look in all_of_them.result.looks[:14]]


def test_the_last_look_has_the_difference_of_the_whole_verdict(disputes, fill):
    path = fill(30)
    for pair in disputes.so_far(path, metrics=["cer", "wer"]):
        whole = disputes.verdict(path, metrics=["cer", "wer"]).pairs[pair.baseline, pair.system][pair.metric]
        assert pair.result.last.difference == pytest.approx(whole.difference, abs=1e-15)


def test_clusters_behind_an_open_one_do_not_count(disputes, fill):
    (pair,) = disputes.so_far(fill(20, without=[12]))
    assert pair.result.last.checked == 12


def test_the_command_prints_a_sentence_for_every_pair_and_takes_open_spans(misread, fill, tmp_path):
    with (tmp_path / "lines.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["page", *SYSTEMS])
        writer.writerows(zip(PAGES, *SYSTEMS.values(), strict=True))
    texts = ("--table", "lines.csv", "--cluster", "page", "--hyp", "alpha=alpha", "--hyp", "beta=beta")
    misread("dispute", *texts, "--budget", "100000", "--seed", "4", "--out", "spans.csv")
    with (tmp_path / "spans.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    checked = set(list(dict.fromkeys(row["cluster"] for row in rows))[:12])
    fill_csv(tmp_path / "spans.csv", [(row["reading_1"] or "[]") if row["cluster"] in checked else "" for row in rows])
    done = misread("decide", "spans.csv", *texts, "--so-far", "--total", "30")
    assert done.status == 0
    assert "After 12 of 30 checked pages: " in done.out
    record = misread("decide", "spans.csv", *texts, "--so-far", "--output", "json").json
    assert [pair["metric"] for pair in record["pairs"]] == ["cer"]
    assert len(record["pairs"][0]["result"]["looks"]) == 12
    alone = misread("decide", "spans.csv", *texts, "--total", "30")
    assert alone.status == 1
    assert alone.err == "error: --total is for --so-far alone; give both, or neither.\n"
    refused = misread("decide", "spans.csv", *texts)
    assert refused.status == 1
    assert "--so-far" in refused.err
