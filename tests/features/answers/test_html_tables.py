"""TEDS, compared with published values and with the package that the published program uses."""

import json
import random

import pytest
from apted import APTED, Config

from misread import evaluate, table_similarity
from misread.compiled.budget import ALIGNING
from misread.errors import InputTextError, InputValueError
from misread.features.answers import html_tables
from misread.metrics import ScoredText
from misread.sockets import METRICS

TABLE = "<table><tr><td>1</td><td>2</td></tr></table>"


class Tree:
    def __init__(self, name, children=()):
        self.name, self.children = name, list(children)


def random_tree(draw, size):
    root = Tree(draw.choice("ab"))
    nodes = [root]
    for _ in range(size - 1):
        child = Tree(draw.choice("ab"))
        draw.choice(nodes).children.append(child)
        nodes.append(child)
    return root


def as_html(tree):
    inside = "".join(map(as_html, tree.children))
    return f"<{tree.name}x>{inside}</{tree.name}x>"


@pytest.mark.slow
def test_published_values_are_reproduced(shared_data):
    folder = shared_data / "tables"
    references, hypotheses, expected = (
        json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("references", "hypotheses", "expected")
    )
    for name, value in expected.items():
        assert table_similarity(references[name]["html"], hypotheses[name]) == pytest.approx(value, abs=1e-14), name
    # What else is counted makes another number, which has another name.
    name = "PMC4311460_007_00.png"
    assert f"{table_similarity(references[name]['html'], hypotheses[name]):.4f}" == "0.6577"
    assert f"{table_similarity(references[name]['html'], hypotheses[name], size='nodes'):.4f}" == "0.6088"
    texts = ScoredText([references[name]["html"] for name in expected], [hypotheses[name] for name in expected])
    metric = METRICS["teds"]
    assert metric.rate(metric.count(texts).sum(axis=0)) == pytest.approx(sum(expected.values()) / 12, abs=1e-8)


@pytest.mark.slow
def test_random_trees_are_as_far_apart_as_an_independent_package_says():
    draw = random.Random(1)  # noqa: S311  trees to try, not secrets
    for _ in range(150):
        trees = [random_tree(draw, draw.randint(1, 12)) for _ in range(2)]
        read = [html_tables.read_table(f"<table>{as_html(tree)}</table>") for tree in trees]
        assert [len(of.kinds) - 1 for of in read] == [as_html(tree).count("</") for tree in trees]
        expected = APTED(*(Tree("table", [tree]) for tree in trees), Config()).compute_edit_distance()
        assert html_tables.measure_distance(*read) == expected


def test_tables_with_little_in_common_are_below_0_as_published():
    rows = Tree("table", [Tree("tr", [Tree("td one")]) for _ in range(3)])
    head = Tree("table", [Tree("thead", [Tree("tr", [Tree("td two") for _ in range(4)])])])
    reference = f"<table>{3 * '<tr><td>one</td></tr>'}</table>"
    hypothesis = f"<table><thead><tr>{4 * '<td>two</td>'}</tr></thead></table>"
    expected = 1 - APTED(rows, head, Config()).compute_edit_distance() / 6
    assert table_similarity(reference, hypothesis) == pytest.approx(expected)
    metric = METRICS["teds"]
    counts = metric.count(ScoredText([reference, reference], [hypothesis, reference]))
    assert metric.rate(counts.sum(axis=0)) == pytest.approx((expected + 1) / 2)
    interval = evaluate([reference] * 4, {"a": [hypothesis, reference] * 2}, metrics="teds", seed=1).systems["a"][
        "teds"
    ]
    assert -1 <= interval.interval.low < expected < 0


def test_structure_ignores_what_cells_say():
    assert table_similarity(TABLE, TABLE.replace("2", "two"), content=False) == 1.0
    assert table_similarity(TABLE, TABLE.replace("2", "two")) == pytest.approx(2 / 3)


def test_spans_are_structure_and_their_slips_are_1():
    wide = TABLE.replace("<td>2", '<td colspan="2">2')
    assert table_similarity(TABLE, wide, content=False) == pytest.approx(2 / 3)
    assert table_similarity(TABLE, TABLE.replace("<td>2", '<td colspan="x">2')) == 1.0


def test_tags_inside_cells_are_one_token_each_and_elements():
    bold = TABLE.replace("2", "<b>2</b>")
    assert table_similarity(bold, TABLE) == pytest.approx(1 - (2 / 3) / 4)
    assert table_similarity(bold, TABLE, size="nodes") == pytest.approx(1 - (2 / 3) / 4)
    assert table_similarity(bold, bold.replace("b>", "i>")) == pytest.approx(1 - (2 / 3) / 4)


@pytest.mark.parametrize("text", ["", "no table", "<p>no table</p>", "{}", "\ufffe", "<"])
def test_a_hypothesis_that_is_no_table_has_0_and_a_reference_is_refused(text):
    assert table_similarity(TABLE, text) == 0.0
    with pytest.raises(InputValueError, match="the reference is no HTML with a table"):
        table_similarity(text, TABLE)


def test_a_reference_without_a_table_is_named_and_counts_nothing():
    made = evaluate([TABLE, "five"], {"a": [TABLE, TABLE]}, ids=["x", "y"], metrics="teds", seed=1)
    assert made.systems["a"]["teds"].counts["tables"] == 1
    assert made.systems["a"]["teds"].rate == 1.0
    assert any("y" in warning and "no HTML with a table" in warning for warning in made.warnings)


def test_tables_that_are_too_large_are_refused_by_segment(monkeypatch):
    monkeypatch.setattr(html_tables, "MOST_NODES", 15)
    with pytest.raises(InputTextError, match="segment 1: tables of 4 and 4 nodes"):
        METRICS["teds"].count(ScoredText([TABLE], [TABLE]))


def test_variants_are_told_apart_by_their_signatures():
    names = ("teds", "teds_structure", "teds_nodes", "teds_nodes_structure")
    assert len({str(METRICS[name].signature("none")).partition("|")[2] for name in names}) == 4


def test_a_small_table_of_long_texts_is_compared_whatever_was_compared_before(monkeypatch):
    # Enough for the tree, and not for the texts of its cells.
    monkeypatch.setattr(ALIGNING, "seconds", 0.01)
    one, other = (f"<table><tr><td>{text}</td></tr></table>" for text in ("a" * 3000, "ab" * 1500))
    assert table_similarity(one, other) == pytest.approx(1 - 0.5 / 2)
