"""Files of counts: written, read again, refused."""

from __future__ import annotations

import json
import stat
from copy import deepcopy
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread import evaluate
from misread.data import CountsSettings
from misread.data.segment_table import Doubt, Origin, SegmentKeys, TextFacts
from misread.errors import ConfigurationError, InputFileError
from misread.provenance.signature import Signature
from misread.stats import StatisticsSettings, compare_systems
from misread.storage import counts as counts_file
from misread.storage.counts import (
    CommittedCounts,
    are_of_one_run,
    parse_counts,
    pseudonymise,
    read_counts,
    read_key,
    render_counts,
    sum_clusters,
    write_counts,
)
from misread.tally.missing_texts import MissingOutputs
from misread.tally.scores import Counts, RunCounts, Scores

KEY, OTHER_KEY = bytes(32), bytes([1] * 32)
COLUMNS = {"cer": ("errors", "length"), "f1": ("matches", "reference", "hypothesis")}
# Characters that CSV, JSON, spreadsheets or lines take for something, and halves of surrogate pairs.
NAMES = st.text(st.sampled_from("a,;\"'\\=+-@\n\r\t\0\u2028\x85é漢\U0001f600\ud800 #<>|"), max_size=6)


DOUBTS = (
    Doubt(sentence="a: 1 of 3 outputs is missing.", brief="a: 1 of 3 outputs is missing."),
    Doubt(sentence="Values are objects.", brief="Values are objects.", is_caution=False),
)
FACTS = TextFacts(notes=("A note.",), doubts=DOUBTS)


def make_scores(ids, *, clusters=None, groups=None, runs=(), values=None, **changes):
    rows = len(ids)
    random = np.random.default_rng(rows)
    counts, counts_of_runs = {}, {}
    for metric, columns in COLUMNS.items():
        of_runs = random.integers(0, 9, (max(1, len(runs)), rows, len(columns)))
        if values is not None:
            of_runs[:, :, 0] = values
        counts[metric] = Counts(columns, of_runs.sum(axis=0))
        counts_of_runs[metric] = of_runs
    scores = Scores(
        Origin("lines", "a", "0123", {"engine": "1.0"}, "page", signature="a|v:1", facts=FACTS),
        SegmentKeys(list(ids), clusters, groups or {}),
        counts=counts,
        signatures={metric: Signature.of(metric, {"unit": "char"}) for metric in COLUMNS},
        normalizer="whitespace@12",
        reference_digest=[f"{number:012x}" for number in range(rows)],
        missing="drop",
        excluded=2,
        invisible={"blanks": 1},
        problems={"f1": {"l1": ""}},
        runs=RunCounts(list(runs), counts_of_runs, random.integers(0, 2, rows).astype(np.bool_)) if runs else None,
    )
    return replace(scores, **changes)


def plain(scores):
    """All that scores have as values that can be compared."""
    content = {field.name: getattr(scores, field.name) for field in fields(scores) if field.name != "segments"}
    content["counts"] = {metric: (c.columns, c.values.tolist()) for metric, c in scores.counts.items()}
    content["reference_digest"] = list(scores.reference_digest)
    content["sizes"] = None if scores.sizes is None else scores.sizes.tolist()
    if scores.runs:
        of_runs = {metric: values.tolist() for metric, values in scores.runs.counts.items()}
        content["runs"] = (list(scores.runs.runs), of_runs, scores.runs.same_text.tolist())
    keys = scores.segments
    clusters = None if keys.cluster is None else list(keys.cluster)
    return content, list(keys.segment_id), clusters, {name: list(values) for name, values in keys.groups.items()}


def read_again(scores, sentences=()):
    return parse_counts(render_counts(CommittedCounts(scores, sentences)), "a.csv")


@given(data=st.data(), ids=st.lists(NAMES, unique=True, max_size=8))
def test_what_is_written_is_read_again(data, ids):
    labels = st.lists(NAMES, min_size=len(ids), max_size=len(ids))
    groups = data.draw(st.dictionaries(NAMES, st.lists(st.none() | NAMES, min_size=len(ids), max_size=len(ids))))
    runs = data.draw(st.sampled_from([(), ("1", "2"), ("first, again", "2\n")]))
    lacking = data.draw(st.sampled_from([None, MissingOutputs(missing={"1": 2, "2": 0}, failed={"1": 0, "2": 1})]))
    clusters = data.draw(st.none() | labels)
    scores = make_scores(ids, clusters=clusters, groups=groups, runs=runs, missing_outputs=lacking)
    text = render_counts(CommittedCounts(scores, ["One sentence."]))
    counts = parse_counts(text, "a.csv")
    assert plain(counts.scores) == plain(scores)
    assert counts.sentences == ["One sentence."]
    assert len(text.splitlines()) == len(ids) + 2
    assert render_counts(counts) == text


@given(ids=st.lists(NAMES, unique=True, min_size=1, max_size=8), runs=st.sampled_from([(), ("1", "2")]), data=st.data())
def test_sums_are_read_again_and_are_those_of_their_rows(ids, runs, data):
    clusters = data.draw(st.none() | st.lists(NAMES, min_size=len(ids), max_size=len(ids)))
    scores = make_scores(ids, clusters=clusters, runs=runs)
    sums = sum_clusters(scores)
    assert plain(read_again(sums).scores) == plain(sums)
    labels = clusters or ["all"] * len(ids)
    for row, name in enumerate(sums.segments.segment_id):
        rows = [number for number, label in enumerate(labels) if label == name]
        assert sums.sizes[row] == len(rows)
        for metric in COLUMNS:
            expected = np.sum([scores.counts[metric].values[number] for number in rows], axis=0)
            assert sums.counts[metric].values[row].tolist() == expected.tolist()


def test_a_system_that_cannot_read_the_data_set_has_a_file_without_rows():
    origin = Origin("lines", "a", not_applicable="no audio")
    scores = Scores(origin, SegmentKeys([], None, {}), normalizer="none", missing="error")
    assert plain(read_again(scores).scores) == plain(scores)
    assert sum_clusters(scores) is scores


@pytest.mark.parametrize("pseudonyms", [False, True])
def test_doubts_are_committed_in_brief_without_the_texts_that_they_quote(tmp_path, pseudonyms):
    doubt = Doubt(sentence="They begin alike ('Dear Sir').", brief="They begin alike.", quotes=True)
    missing = Doubt(sentence="One is missing (l1).", brief="One is missing.")
    scores = make_scores(["l1"])
    scores = replace(scores, origin=replace(scores.origin, facts=TextFacts(doubts=[doubt, missing])))
    settings = CountsSettings(pseudonyms=pseudonyms)
    write_counts(tmp_path, {"a": scores}, settings, key_file=tmp_path / "key")
    assert "Dear Sir" not in (tmp_path / "a.csv").read_text()
    assert read_counts(tmp_path / "a.csv").scores.origin.facts.doubts == (
        replace(doubt, sentence=doubt.brief),
        replace(missing, sentence=missing.brief) if pseudonyms else missing,
    )


def test_reasons_that_quote_references_are_left_out():
    scores = make_scores(["l1"], problems={"f1": {"l1": "its field is 'Müller', no number"}})
    text = render_counts(CommittedCounts(scores))
    assert "ller" not in text
    assert parse_counts(text, "a.csv").scores.problems == {"f1": {"l1": ""}}


def test_sums_of_other_segments_or_references_have_other_digests():
    scores = make_scores(["l1", "l2"], clusters=["p", "p"], values=0)
    reordered = make_scores(["l2", "l1"], clusters=["p", "p"], values=0, reference_digest=scores.reference_digest[::-1])
    others = [
        make_scores(["l1", "l3"], clusters=["p", "p"], values=0),
        make_scores(["l1", "l2"], clusters=["p", "p"], values=0, reference_digest=["0" * 12, "f" * 12]),
    ]
    digest, same, *different = (sum_clusters(each).reference_digest for each in (scores, reordered, *others))
    assert digest == same
    assert digest not in different


EDITS = {
    "a count": lambda text: text.replace(",3,", ",4,", 1),
    "what holds for all rows": lambda text: text.replace('"excluded": 2', '"excluded": 0'),
    "marks of a conflict": lambda text: f"<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> theirs\n",
    "a row too many": lambda text: text + text.splitlines()[-1] + "\n",
    "an empty file": lambda text: "",
    "another file": lambda text: "id,ref\n1,one\n",
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_a_file_that_was_edited_or_merged_is_refused_with_the_way_out(edit, tmp_path):
    text = render_counts(CommittedCounts(make_scores(["l1", "l2"], values=3)))
    path = tmp_path / "a.csv"
    path.write_text(edit(text))
    assert path.read_text() != text
    with pytest.raises(InputFileError, match=r"a\.csv is not as misread wrote it: .* take one side .* `dvc repro`"):
        read_counts(path)


def test_line_ends_of_another_system_are_no_edit():
    text = render_counts(CommittedCounts(make_scores(["l1", "l2"])))
    assert render_counts(parse_counts(text.replace("\n", "\r\n"), "a.csv")) == text


def with_digest(rest):
    return f"# misread counts 1 {counts_file._digest(rest)} {rest}"


def changed(scores, note=lambda note: note, rows=lambda rows: rows):
    """Text of a file with a right digest, in which the note or the rows are others."""
    content, _, body = render_counts(CommittedCounts(scores)).partition(" {")[2].partition("\n")
    return with_digest(f"{json.dumps(note(json.loads('{' + content)))}\n{rows(body)}")


@pytest.mark.parametrize("rest", ["{}\nsegment_id\n", '{"origin": 1}\n', "{}\n\n", "[" * 99_999 + "\n"])
def test_a_file_of_anybody_is_read_or_refused(rest):
    with pytest.raises(InputFileError):
        parse_counts(with_digest(rest), "a.csv")


VALUES = st.sampled_from(
    [None, True, -1, 1, 2**63, 0.5, "", "x", "error", [], ["x"], [1], {}, {"x": "y"}, {"cer": ["x"]}]
)
PLACES = (
    *((name,) for name in ("origin", "columns", "signatures", "normalizer", "missing", "excluded", "invisible")),
    *((name,) for name in ("problems", "pairing", "runs", "missing_outputs", "pseudonyms", "sentences")),
    *(("origin", name) for name in (*(field.name for field in fields(Origin)), "notes", "doubts", "alternatives")),
    *(("columns", name) for name in COLUMNS),
    *(("signatures", name) for name in COLUMNS),
)


@given(st.lists(st.tuples(st.sampled_from(PLACES), VALUES | st.just("remove")), min_size=1, max_size=3))
def test_whatever_the_note_has_it_is_read_as_it_is_written_or_refused(changes):
    def edit(note):
        for (*above, name), value in changes:
            part = note
            for key in above:
                part = part.get(key) if isinstance(part, dict) else None
            if isinstance(part, dict):
                part |= {name: deepcopy(value)}
                if value == "remove":
                    del part[name]
        return note

    text = changed(make_scores(["l1", "l2"], clusters=["p", "q"], groups={"noise": ["x", "y"]}), edit)
    try:
        counts = parse_counts(text, "a.csv")
    except InputFileError:
        return
    again = parse_counts(render_counts(counts), "a.csv")
    assert plain(again.scores) == plain(counts.scores)


@pytest.mark.parametrize(
    ("old", "new", "refusal"),
    [
        (",3,", f",{2**70},", "outside of 0 to|expected a whole number"),
        (",3,", f",{2**53 + 1},", "cer.errors has a number outside of 0 to 9,007,199,254,740,992"),
        (",3,", ",-3,", "cer.errors has a number outside of 0 to"),
        (",3,", ",1_0,", "cer.errors has '1_0', expected a whole number"),
        (",3,", ",٣,", "cer.errors has '٣', expected a whole number"),
        (",3,", ", 3,", "cer.errors has ' 3', expected a whole number"),
        ("l2", "l1", "'l1' is in two rows"),
        ("p,", ",", "cluster of row 1 is empty"),
        ("cer.length", "cer.errors", "two columns have one name"),
        ("f1.matches", "f1.other", "f1.matches"),
    ],
)
def test_counts_that_cannot_be_are_refused_with_their_column(old, new, refusal):
    scores = make_scores(["l1", "l2"], clusters=["p", "q"], values=3)
    with pytest.raises(InputFileError, match=refusal):
        parse_counts(changed(scores, rows=lambda rows: rows.replace(old, new, 1)), "a.csv")


def test_sums_that_do_not_fit_in_64_bits_are_refused():
    scores = make_scores([f"l{row}" for row in range(1100)], values=2**53)
    with pytest.raises(InputFileError, match=r"cer\.errors has numbers whose sum does not fit in 64 bits"):
        read_again(scores)


@pytest.mark.parametrize("change", ["errors", "length", "hits", "substitutions", "deletions", "insertions"])
@pytest.mark.parametrize("metric", ["cer", "wer", "cer(alignment=transpositions)", "mer", "mixed_error_rate"])
def test_counts_of_an_alignment_add_up(metric, change):
    texts = ["a cat sat", "on a mat", ""]
    scores = evaluate(texts, {"x": ["a cta", "no the mat", "x"]}, metrics=metric, seed=1).scored["x"].scores
    assert plain(read_again(scores).scores) == plain(scores)
    (counts,) = scores.counts.values()
    values = counts.values.copy()
    values[1, counts.columns.index(change)] += 1
    other = replace(scores, counts={name: Counts(counts.columns, values) for name in scores.counts})
    with pytest.raises(InputFileError, match=r"\.(errors|length) of row 2 is not the sum of"):
        read_again(other)


def test_counts_of_another_system_or_data_set_are_refused():
    text = render_counts(CommittedCounts(make_scores(["l1"])))
    assert parse_counts(text, "a.csv", ("lines", "a")).scores.origin.system == "a"
    for owner in (("lines", "b"), ("pages", "a")):
        with pytest.raises(
            InputFileError, match=r"a\.csv has the counts of system 'a' on data set 'lines'; run `dvc rep"
        ):
            parse_counts(text, "a.csv", owner)


def test_a_newer_layout_asks_for_a_newer_misread():
    text = render_counts(CommittedCounts(make_scores(["l1"]))).replace("counts 1", "counts 99", 1)
    with pytest.raises(InputFileError, match="has layout 99, this version reads layout 1; upgrade misread"):
        parse_counts(text, "a.csv")


def test_pseudonyms_hide_ids_and_clusters_and_keep_categories():
    clusters = ["anna", "bert", "anna"]
    groups = {"speaker": clusters, "noise": ["clean", "heavy", "clean"]}
    scores = make_scores(["anna-1", "bert-1", "anna-2"], clusters=clusters, groups=groups)
    hidden = pseudonymise(scores, KEY)
    text = render_counts(CommittedCounts(hidden))
    assert "anna" not in text
    assert "bert" not in text
    assert "A note." not in text
    assert hidden.segments.groups["noise"] == groups["noise"]
    first, second, third = hidden.segments.cluster
    assert first == third
    assert first != second
    assert hidden.segments.groups["speaker"] == hidden.segments.cluster
    assert plain(read_again(hidden).scores) == plain(hidden)


def test_pseudonyms_are_those_of_the_key_and_the_data_set():
    scores = make_scores(["l1", "l2"])
    hidden = pseudonymise(scores, KEY)
    assert plain(pseudonymise(make_scores(["l1", "l2"]), KEY)) == plain(hidden)
    other_key = pseudonymise(scores, OTHER_KEY)
    assert other_key.pseudonyms != hidden.pseudonyms
    assert not {*other_key.segments.segment_id} & {*hidden.segments.segment_id}
    assert not {*other_key.reference_digest} & {*hidden.reference_digest}
    elsewhere = pseudonymise(replace(scores, origin=replace(scores.origin, dataset="pages")), KEY)
    assert not {*elsewhere.segments.segment_id} & {*hidden.segments.segment_id}
    alike = pseudonymise(replace(scores, reference_digest=["0" * 12] * 2), KEY).reference_digest
    assert len({*alike, "0" * 12}) == 3


def test_two_names_with_one_pseudonym_are_refused(monkeypatch):
    monkeypatch.setattr(counts_file, "_DIGITS", 1)
    with pytest.raises(ConfigurationError, match="two of 40 names of a segment have one pseudonym"):
        pseudonymise(make_scores([f"l{number}" for number in range(40)]), KEY)


def test_the_key_is_made_once_for_its_owner_alone(tmp_path):
    key_file = tmp_path / ".misread/pseudonyms.key"
    settings = CountsSettings(pseudonyms=True)
    assert write_counts(tmp_path / "lines", {"a": make_scores(["l1"])}, CountsSettings(), key_file=key_file)
    assert read_key(key_file) is None
    write_counts(tmp_path / "lines", {"a": make_scores(["l1"])}, settings, key_file=key_file)
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    key, before = read_key(key_file), (tmp_path / "lines/a.csv").read_bytes()
    assert len(key) == 32
    write_counts(tmp_path / "lines", {"a": make_scores(["l1"])}, settings, key_file=key_file)
    assert (read_key(key_file), (tmp_path / "lines/a.csv").read_bytes()) == (key, before)
    key_file.write_text("nothing of the kind")
    with pytest.raises(ConfigurationError, match="has no key of 64 hexadecimal digits"):
        read_key(key_file)


@pytest.mark.slow
def test_rows_are_committed_up_to_a_size_of_all_files_together(tmp_path, monkeypatch):
    scores = {name: make_scores([f"l{n}" for n in range(9000)], clusters=["p"] * 9000) for name in "ab"}

    def write(settings, folder):
        has_segments = write_counts(tmp_path / folder, scores, settings, key_file=tmp_path / "key")
        sizes = [read_counts(tmp_path / folder / f"{name}.csv").scores.sizes for name in scores]
        return has_segments, [None if size is None else size.tolist() for size in sizes]

    assert write(CountsSettings(), "git") == (True, [None, None])
    assert write(CountsSettings(counts="cache"), "cache") == (False, [[9000], [9000]])
    one = len(counts_file.zlib.compress((tmp_path / "git/a.csv").read_bytes()))
    # Enough for each, but not for both.
    monkeypatch.setattr(counts_file, "PACKED_BYTES", int(1.5 * one))
    assert write(CountsSettings(), "large") == (False, [[9000], [9000]])


@pytest.mark.parametrize("change", [lambda scores: scores, sum_clusters, lambda scores: pseudonymise(scores, KEY)])
def test_counts_of_another_run_are_told_from_those_of_one_run(change):
    scores = make_scores(["l1", "l2"], clusters=["p1", "p2"], values=1)
    counts = read_again(change(scores))
    assert are_of_one_run(counts, scores, KEY)
    assert not are_of_one_run(counts, make_scores(["l1", "l2"], clusters=["p1", "p2"], values=2), KEY)


def test_pseudonyms_of_another_key_tell_nothing_about_runs():
    counts = read_again(pseudonymise(make_scores(["l1"], values=1), KEY))
    other = make_scores(["l1"], values=2)
    assert are_of_one_run(counts, other, OTHER_KEY)
    assert are_of_one_run(counts, other, None)


@pytest.mark.parametrize("rule", ["averaged", "crossed"])
def test_sums_have_the_rates_intervals_and_tests_of_their_rows(rule):
    """Also of a system that read everything twice."""
    random = np.random.default_rng(0)
    references = [f"line {number} of a page" for number in range(60)]

    def misread(share):
        return ["".join(sign if random.random() > share else "q" for sign in text) for text in references]

    settings = {
        "resamples": 99,
        "runs": rule,
        "tests": ["jackknife"],
        "deciding_test": "jackknife",
        "length_classes": 0,
    }
    evaluation = evaluate(
        references,
        {"a": misread(0.1), "b": {"1": misread(0.12), "2": misread(0.2)}},
        metrics=["cer"],
        clusters=[f"p{number // 5}" for number in range(60)],
        seed=1,
        statistics=settings,
    )
    sums = {system: read_again(sum_clusters(scored.scores)).scores for system, scored in evaluation.scored.items()}
    metrics = evaluation.scored["a"].metrics
    again = compare_systems(sums, metrics, StatisticsSettings(1, **settings), dataset="", baseline="a")
    for system, results in evaluation.systems.items():
        for name in ("rate", "interval", "counts"):
            assert getattr(again.systems[system]["cer"], name) == getattr(results["cer"], name)
    (pair,), (expected,) = again.comparisons, evaluation.result.comparisons
    assert (pair.difference, pair.interval, pair.pvalue) == (expected.difference, expected.interval, expected.pvalue)
