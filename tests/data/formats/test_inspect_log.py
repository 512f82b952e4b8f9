"""Logs that inspect_ai 0.3.285 wrote, and what may be wrong with one."""

import contextlib
import io
import json
import math
import re
import struct
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.frame_logs import LOGS, members, write_archive

from misread.data import read_log
from misread.data.formats import inspect_log
from misread.data.formats.inspect_log import read_inspect
from misread.data.formats.recognition import guess_format
from misread.errors import InputFileError

SAMPLE = "samples/card-03_epoch_1.json"
CHANGED = SAMPLE.replace("/", "__")


@pytest.fixture
def changed(tmp_path):
    """Write a log in which some members are others; None leaves one out."""

    def write(name="small.eval", **changes):
        content = {**members(name), **{path.replace("__", "/"): value for path, value in changes.items()}}
        return write_archive(tmp_path / "log.eval", {path: part for path, part in content.items() if part is not None})

    return write


def with_sample(changed, **values):
    """A log in which one sample is another; its entry."""
    path = changed(**{CHANGED: {**members("small.eval")[SAMPLE], **values}})
    (entry,) = (entry for entry in read_inspect(path).entries if entry.location.endswith(SAMPLE))
    return entry


def test_a_log_has_every_sample_in_every_epoch_as_it_was_written():
    log = read_inspect(LOGS / "small.eval")
    content = members("small.eval")
    assert (log.model, log.task, log.scorers, log.notes) == ("mockllm/small", "cards", ["exact"], [])
    samples = [value for name, value in content.items() if name.startswith("samples/")]
    assert {(entry.segment_id, entry.run): (entry.reference, entry.text) for entry in log.entries} == {
        (sample["id"], str(sample["epoch"])): (sample["target"], sample["output"]["completion"]) for sample in samples
    }
    assert [entry.run for entry in log.entries[:3]] == ["1", "2", "1"]
    assert {entry.labels["box"] for entry in log.entries} == {"box0", "box1", "box2", "box3"}


def test_scores_have_the_mean_that_the_log_itself_has():
    log = read_inspect(LOGS / "graded.eval")
    results = members("graded.eval")["header.json"]["results"]["scores"]
    assert log.scorers == [result["name"] for result in results] == ["exact", "graded", "likeness"]
    for result in results:
        (metric,) = (value for name, value in result["metrics"].items() if name in ("accuracy", "mean"))
        values = [entry.scores[result["name"]] for entry in log.entries]
        assert math.fsum(values) / len(values) == pytest.approx(metric["value"], abs=1e-12)
    assert {entry.scores["graded"] for entry in log.entries} == {0.0, 0.5, 1.0}


def test_what_a_sample_took_is_that_of_its_model():
    (entry, *_) = read_inspect(LOGS / "small.eval").entries
    sample = members("small.eval")["samples/card-00_epoch_1.json"]
    usage = sample["model_usage"]["mockllm/small"]
    assert entry.effort["input_tokens"] == usage["input_tokens"]
    assert entry.effort["output_tokens"] == usage["output_tokens"]
    assert entry.effort["latency_seconds"] == sample["working_time"]


def test_tokens_of_a_cache_were_sent_too_and_costs_are_those_of_the_model(changed):
    usage = {"input_tokens": 5, "input_tokens_cache_read": 90, "output_tokens": 2, "total_cost": 0.25}
    entry = with_sample(changed, model_usage={"mockllm/small": usage, "grader": {"output_tokens": 99}})
    assert {name: entry.effort[name] for name in ("input_tokens", "output_tokens", "usd")} == {
        "input_tokens": 95,
        "output_tokens": 2,
        "usd": 0.25,
    }


def test_an_archive_is_read_however_it_is_packed(changed):
    read = {path: read_inspect(path).entries for path in (LOGS / "small.eval", changed())}
    packed, other = ([entry._replace(location="") for entry in entries] for entries in read.values())
    assert packed == other


def test_texts_packed_in_several_frames_are_whole(tmp_path):
    frames = b"".join(pa.compress(part, "zstd").to_pybytes() for part in (b'{"version": 3, "a": "', b'b"}'))
    with pa.input_stream(pa.py_buffer(frames), compression="zstd") as stream:
        assert json.loads(stream.read()) == {"version": 3, "a": "b"}


def test_a_log_in_one_file_of_json_says_the_same(tmp_path):
    content = members("small.eval")
    path = tmp_path / "log.json"
    samples = [value for name, value in content.items() if name.startswith("samples/")]
    path.write_text(json.dumps({**content["header.json"], "samples": samples}))
    assert guess_format(path, kinds=["log"]).name == "inspect"
    read = [read_log(file, "inspect").entries for file in (path, LOGS / "small.eval")]
    assert [entry._replace(location="") for entry in read[0]] == [entry._replace(location="") for entry in read[1]]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *(("C", 1.0), ("P", 0.5), ("I", 0.0), ("N", 0.0), ("yes", 1.0), ("False", 0.0), (True, 1.0)),
        *(("0.25", 0.25), (7, 7), (0.1, 0.1), (float("nan"), None), ("maybe", "maybe"), ("inf", "inf")),
    ],
)
def test_scores_are_numbers_as_inspect_takes_them(changed, value, expected):
    assert with_sample(changed, scores={"s": {"value": value}}).scores == {"s": expected}


def test_a_scorer_that_gives_several_scores_has_a_name_for_each(changed):
    scores = {"s": {"value": {"a": "C", "b": 0.5}}, "t": {"value": [1, "I"]}}
    assert with_sample(changed, scores=scores).scores == {"s/a": 1.0, "s/b": 0.5, "t/0": 1, "t/1": 0.0}


def test_a_sample_that_failed_has_no_text_and_no_score(changed):
    entry = with_sample(changed, error={"message": "timeout"}, scores=None)
    assert (entry.text, entry.scores) == (None, {})


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (None, None),
        ({"choices": [], "completion": ""}, None),
        ({"choices": [{"message": {"content": "an answer"}}]}, "an answer"),
        ({"choices": [{"message": {"content": [{"type": "reasoning"}, {"type": "text", "text": "x"}]}}]}, "x"),
        ({"choices": [{"message": {"content": "attachment://abc"}}]}, "a long text"),
    ],
)
def test_the_text_is_that_of_the_first_answer(changed, output, expected):
    assert with_sample(changed, output=output, attachments={"abc": "a long text"}).text == expected


def test_answers_that_did_not_end_by_themselves_are_counted_by_the_reason_of_the_server(changed):
    output = {"choices": [{"message": {"content": "half"}, "stop_reason": "max_tokens"}]}
    path = changed(**{CHANGED: {**members("small.eval")[SAMPLE], "output": output}})
    (note,) = read_inspect(path).notes
    assert "1 of 24 answers ended with 'max_tokens', not 'stop', and are scored as they are." in note


def test_of_several_targets_the_first_is_the_reference_and_a_note_says_so(changed):
    path = changed(**{CHANGED: {**members("small.eval")[SAMPLE], "target": ["Chur", "Coira"]}})
    log = read_inspect(path)
    assert next(entry for entry in log.entries if entry.location.endswith(SAMPLE)).reference == "Chur"
    assert log.notes == ["log.eval: 1 sample has several targets; the first one is the reference."]


@pytest.mark.parametrize(
    ("reducers", "is_recorded"),
    [
        (["max"], "not the figure of the log"),
        (["mode", "at_least_2"], "not the figure of the log"),
        (["mean", "median"], "that of mean"),
    ],
)
def test_how_an_evaluation_ended_and_joined_its_epochs_is_said(changed, reducers, is_recorded):
    header = members("small.eval")["header.json"]
    config = {**header["eval"]["config"], "epochs_reducer": reducers}
    header = {**header, "status": "cancelled", "eval": {**header["eval"], "config": config}}
    assert read_inspect(changed(**{"header.json": header})).notes == [
        "log.eval: the evaluation ended with the status 'cancelled'.",
        f"log.eval: Inspect joined epochs by {', '.join(reducers)}; here runs are averaged, so that `recorded` is "
        f"{is_recorded}.",
    ]


def test_an_archive_that_is_cut_short_is_refused(tmp_path):
    whole = (LOGS / "small.eval").read_bytes()
    for size in (10, len(whole) // 2, len(whole) - 1):
        (tmp_path / "cut.eval").write_bytes(whole[:size])
        with pytest.raises(InputFileError, match=r"cut\.eval is cut short or damaged, expected a whole archive"):
            read_inspect(tmp_path / "cut.eval")


def test_a_byte_that_changed_is_noticed(tmp_path):
    whole = bytearray((LOGS / "small.eval").read_bytes())
    position = whole.index(b"samples/card-05_epoch_2.json") + 200
    whole[position] ^= 255
    (tmp_path / "odd.eval").write_bytes(bytes(whole))
    with pytest.raises(InputFileError, match=r"odd\.eval.* (damaged|not valid JSON|cannot be read)"):
        read_inspect(tmp_path / "odd.eval")


@pytest.mark.parametrize("member", ["header.json", SAMPLE.replace("/", "__")])
def test_members_that_are_too_large_together_are_refused_before_the_last_is_unpacked(changed, monkeypatch, member):
    monkeypatch.setattr(inspect_log, "MOST_BYTES", 10_000)
    monkeypatch.setattr(inspect_log, "MOST_TIMES", 1)
    path = changed(**{member: {**members("small.eval")[member.replace("__", "/")], "blank": " " * 10_000}})
    with pytest.raises(
        InputFileError, match=r"has [\d,]+ bytes or more once it is unpacked, and at most 1\d,\d+ are read"
    ):
        read_inspect(path)


def test_labels_keep_the_type_of_a_list_and_the_digest_of_a_long_text(changed):
    labels = {"box": "b", "page": 3, "rows": [{"a": 1}], "more": {"a": 2}, "note": "n" * 5_000, "mean": math.nan}
    for metadata in (labels, {name: value for name, value in labels.items() if name != "mean"}):
        entry = with_sample(changed, metadata=metadata)
        assert [entry.labels[name] for name in ("box", "page", "rows", "more")] == ["b", 3, [], {}]
        assert entry.labels["note"].startswith("n" * 1_000 + "… (")
        assert len(entry.labels["note"]) < 1_100
    assert entry.labels["note"] != with_sample(changed, metadata={"note": "n" * 5_001}).labels["note"]


@pytest.mark.parametrize("twice", ['"target": "b", ', '"metadata": {"a": 1, "a": 1}, '])
def test_a_sample_with_a_name_twice_is_refused(tmp_path, twice):
    content = {name: json.dumps(part) for name, part in members("small.eval").items()}
    content[SAMPLE] = content[SAMPLE].replace("{", "{" + twice, 1)
    with zipfile.ZipFile(tmp_path / "odd.eval", "w") as archive:
        for name, text in content.items():
            archive.writestr(name, text)
    with pytest.raises(InputFileError, match="occurs twice"):
        read_inspect(tmp_path / "odd.eval")


def damaged(whole):
    """An archive with some changed bytes, of which those of its headers are the most telling."""
    signs = [match.start() for match in re.finditer(b"PK..", whole)]
    positions = st.one_of(
        st.integers(0, len(whole) - 1),
        st.builds(lambda sign, offset: min(sign + offset, len(whole) - 1), st.sampled_from(signs), st.integers(4, 45)),
    )
    return st.dictionaries(positions, st.integers(0, 255), min_size=1, max_size=4)


@cache
def packed(method):
    """An archive of three members, packed by a method."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in list(members("small.eval").items())[:3]:
            archive.writestr(name, json.dumps(content))
    return file.getvalue()


@settings(max_examples=300, deadline=None)
@given(st.data())
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_damaged_archive_is_read_or_refused(method, data):
    whole = bytearray(packed(method))
    for position, value in data.draw(damaged(packed(method))).items():
        whole[position] = value
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "odd.eval"
        path.write_bytes(whole)
        with contextlib.suppress(InputFileError):
            read_inspect(path)


def test_an_encrypted_member_is_refused_by_its_name(tmp_path):
    whole = bytearray((LOGS / "small.eval").read_bytes())
    whole[whole.rindex(b"PK\x01\x02", 0, whole.rindex(b"header.json")) + 8] |= 1
    (tmp_path / "odd.eval").write_bytes(whole)
    with pytest.raises(InputFileError, match=r"odd\.eval, header\.json is encrypted, or packed in a way that"):
        read_inspect(tmp_path / "odd.eval")


def test_an_attachment_that_is_not_there_is_named(changed):
    output = {"choices": [{"message": {"content": "attachment://abc"}}]}
    with pytest.raises(InputFileError, match="there is no attachment 'abc', in which a text is said to be"):
        with_sample(changed, output=output)


def test_no_more_is_unpacked_than_the_archive_says(tmp_path, monkeypatch):
    whole = bytearray((LOGS / "small.eval").read_bytes())
    asked = []
    stream = pa.input_stream
    monkeypatch.setattr(pa, "input_stream", lambda *source, **kind: _Asked(stream(*source, **kind), asked))
    start = whole.rindex(b"PK\x01\x02", 0, whole.rindex(b"header.json"))
    (size,) = struct.unpack_from("<I", whole, start + 24)
    struct.pack_into("<I", whole, start + 24, size // 2)
    (tmp_path / "odd.eval").write_bytes(bytes(whole))
    with pytest.raises(InputFileError, match=r"odd\.eval is cut short or damaged.*bad checksum of header\.json"):
        read_inspect(tmp_path / "odd.eval")
    assert asked == [size // 2 + 1]


class _Asked:
    """A stream that notes how many bytes it is asked for."""

    def __init__(self, stream, asked):
        self.stream = stream
        self.asked = asked

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stream.close()

    def read(self, size):
        self.asked.append(size)
        return self.stream.read(size)


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"header.json": {"version": 3}}, r"log\.eval is a log of version 3, expected 2, which inspect_ai 0\.3 writes"),
        ({"header.json": None}, r"log\.eval is a log of an evaluation that has not ended: it has no header\.json"),
        ({"header.json": None, "_journal__start.json": None}, r"log\.eval is a log not of Inspect"),
        ({"header.json": "[1]"}, r"log\.eval, header\.json: expected a JSON object, got list"),
        (
            {"header.json": {"version": 2, "eval": {}}},
            r"log\.eval: Object missing required field `model` - at `\$\.eval`",
        ),
        ({CHANGED: "{"}, r"card-03_epoch_1\.json, line 1: not valid JSON"),
        ({CHANGED: {"id": "card-03"}}, r"card-03_epoch_1\.json: Object missing required field `epoch`"),
        ({CHANGED: {"id": 1, "epoch": 1, "target": [1]}}, r"Expected `str`, got `int` - at `\$\.target\[0\]`"),
        ({CHANGED: {"id": 1, "target": ""}}, r"Object missing required field `epoch`"),
    ],
)
def test_what_is_no_log_as_it_should_be_is_refused_with_its_place(changed, changes, refusal):
    with pytest.raises(InputFileError, match=refusal):
        read_inspect(changed(**changes))


def test_a_log_without_samples_is_refused(changed):
    samples = {name.replace("/", "__"): None for name in members("small.eval") if name.startswith("samples/")}
    with pytest.raises(InputFileError, match=r"log\.eval has no sample\.$"):
        read_inspect(changed(**samples))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputFileError, match=r"there is no file .*no\.eval"):
        read_inspect(tmp_path / "no.eval")
