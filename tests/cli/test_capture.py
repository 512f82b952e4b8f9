"""`misread capture` on three images, with an engine that reads their widths."""

import pyarrow.parquet as pq
import pytest
import yaml
from PIL import Image
from tests.engines.stand_ins import Width

from misread.engines import Answer, journal
from misread.pipeline import paths
from misread.pipeline.params import Params
from misread.storage import read_capture


@pytest.fixture
def engine(misread, tmp_path, monkeypatch):
    """The engine of the system `ruler` in a project of three images."""
    (tmp_path / "data/few").mkdir(parents=True)
    rows = ["id,text,image"]
    for width, name in enumerate("abc", start=11):
        Image.new("L", (width, 5), 255).save(tmp_path / f"data/few/{name}.png")
        rows.append(f"{name},{width},{name}.png")
    (tmp_path / "data/few/lines.csv").write_text("\n".join(rows) + "\n")
    table = {"_target_": "misread.data.Table", "root": "data/few", "file": "lines.csv", "segment_id": ["id"]}
    content = {
        "systems": {"ruler": {"_target_": "misread.engines.Tesseract", "max_failed": 1}},
        "datasets": {"few": {**table, "reference": "text", "media": "image", "medium": "line_image"}},
        "executor": {"_target_": "misread.execution.Local"},
        "data_root": "..",
    }
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(content))
    chosen = Width()
    monkeypatch.setattr(Params, "engine", lambda *_: chosen)
    assert misread("stage", "segments", "few").status == 0
    return chosen


def texts():
    return list(read_capture(paths.capture("few", "ruler")).texts.hypotheses)


def test_it_captures_what_the_stage_does(misread, engine):
    assert misread("capture", "few", "ruler").status == 0
    assert (texts(), sorted(engine.done)) == (["11", "12", "13"], ["a", "b", "c"])
    assert misread("stage", "capture", "few", "ruler").status == 0
    assert sorted(engine.done) == ["a", "b", "c"]


def test_a_failure_is_read_again_on_request_alone(misread, engine):
    engine.fails = {"b": ValueError("out of luck")}
    done = misread("capture", "few", "ruler")
    assert "warning: segment 'b' of 'few': out of luck\nwarning: 1 of 3 readings failed" in done.err
    assert (done.status, texts()) == (0, ["11", None, "13"])
    engine.fails, engine.done = {}, []
    assert misread("capture", "few", "ruler").status == 0
    assert (texts(), engine.done) == (["11", None, "13"], [])
    done = misread("capture", "few", "ruler", "--retry-failed")
    assert done.out == "to use it: dvc commit --force stages/captures/dvc.yaml:capture@few-ruler && dvc repro\n"
    assert (texts(), engine.done) == (["11", "12", "13"], ["b"])


def test_a_summary_is_printed_at_the_end_and_a_quiet_capture_says_nothing(misread, engine):
    done = misread("capture", "few", "ruler", "--quiet")
    assert (done.out, done.err, texts()) == ("", "", ["11", "12", "13"])
    done = misread("capture", "few", "ruler")
    assert "\nruler reads few\n  readings     3, 0 of them failed\n  read now     0\n  read before  3\n" in done.err


def test_a_quiet_capture_still_warns(misread, engine):
    engine.fails = {"b": ValueError("out of luck")}
    done = misread("capture", "few", "ruler", "--quiet")
    assert done.err.startswith("warning: segment 'b' of 'few': out of luck\nwarning: 1 of 3 readings failed")


# Before the run


@pytest.fixture
def set_price(engine, tmp_path):
    """Give the system a price."""

    def write(**price):
        content = yaml.safe_load((tmp_path / "params.yaml").read_text())
        price = {"date": "2026-01-01", "source": "a contract", **price}
        (tmp_path / "params.yaml").write_text(yaml.safe_dump({**content, "prices": {"ruler": price}}))

    return write


def test_a_dry_run_counts_what_would_be_read_and_reads_and_writes_nothing(misread, engine, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    done = misread("capture", "few", "ruler", "--dry-run")
    assert done.out.splitlines() == [
        "ruler on few",
        "  read before  0",
        "  to be read   3",
        "  price        not known; set prices.ruler in conf/config.yaml",
    ]
    assert (engine.done, sorted(tmp_path.rglob("*"))) == ([], before)


def test_a_dry_run_knows_what_was_read_and_what_failed(misread, engine, set_price):
    set_price(usd_per_segment=0.5)
    engine.fails = {"b": ValueError("out of luck")}
    misread("capture", "few", "ruler")
    engine.done = []
    done = misread("capture", "few", "ruler", "--dry-run")
    assert "  read before  3, 1 of them failed (--retry-failed asks again)\n  to be read   0\n" in done.out
    assert "  price        about 0.00 USD, by prices of 2026-01-01 (a contract)\n" in done.out
    done = misread("capture", "few", "ruler", "--dry-run", "--retry-failed")
    assert "  read before  2\n  to be read   1\n  price        about 0.50 USD" in done.out
    assert engine.done == []


@pytest.mark.slow
def test_a_dry_run_estimates_tokens_by_references_and_images(misread, engine, set_price):
    engine.prompt = "Read it."
    set_price(usd_per_1000_tokens=100.0, usd_per_1000_output_tokens=1000.0, tokens_per_image=98)
    done = misread("capture", "few", "ruler", "--dry-run")
    # Eight characters of the prompt are two tokens, two of each reference half a one.
    assert (
        "tokens       about 300 in, 2 out, estimated by 4 characters per token: 98 for an image, answers as "
        in done.out
    )
    assert "price        about 31.50 USD" in done.out
    set_price(usd_per_1000_tokens=100.0, usd_per_1000_output_tokens=1000.0, encoding="o200k_base")
    done = misread("capture", "few", "ruler", "--dry-run")
    assert "about 9 in, 3 out, estimated by o200k_base: none for an image (tokens_per_image of the price)" in done.out


def test_a_dry_run_goes_by_the_tokens_of_earlier_readings(misread, engine, set_price):
    set_price(usd_per_1000_tokens=1.0, usd_per_1000_output_tokens=1.0)
    engine.read = lambda source: Answer("one", input_tokens=1000, output_tokens=500)
    misread("capture", "few", "ruler")
    for width, name in enumerate("ab", start=50):
        Image.new("L", (width, 5), 255).save(f"data/few/{name}.png")
    done = misread("capture", "few", "ruler", "--dry-run")
    assert "to be read   2\n  tokens       about 2,000 in, 1,000 out, as in the 1 readings so far\n" in done.out
    assert "price        about 3.00 USD" in done.out


def test_a_dry_run_of_what_cannot_be_read_says_so(misread, engine):
    engine.reads = frozenset({"audio"})
    done = misread("capture", "few", "ruler", "--dry-run")
    assert done.out == "ruler on few\n  left out  the system reads audio, the data set offers line_image\n"


@pytest.mark.parametrize(
    ("price", "said"),
    [
        ({"usd_per_segmnt": 1.0}, "Did you mean 'usd_per_segment'?"),
        ({"usd_per_segment": "1"}, 'prices.ruler.usd_per_segment is "1", expected a number'),
        ({"usd_per_segment": -1.0}, "usd_per_segment is -1.0, expected 0 or more"),
    ],
)
def test_a_price_that_cannot_be_used_is_one_line(misread, set_price, price, said):
    set_price(**price)
    done = misread("capture", "few", "ruler", "--dry-run")
    assert (done.status, done.err.count("\n"), said in done.err) == (1, 1, True)


# What the readings depend on


def test_a_capture_has_the_signature_of_what_its_readings_depend_on(misread, engine):
    misread("capture", "few", "ruler")
    origin = read_capture(paths.capture("few", "ruler")).origin
    assert origin.signature == "misread.engines.Tesseract|revision:1"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "asked"),
    [
        (lambda content: None, 0),
        (lambda content: content["systems"]["ruler"].update(max_failed=3), 0),
        (lambda content: content.update(report={"names": {"ruler": "a steel ruler"}}), 0),
        (lambda content: content.update(prices={"ruler": {"usd_per_segment": 1.0, "date": "x", "source": "y"}}), 0),
        (lambda content: content["systems"]["ruler"].update(language="deu"), 3),
        ("versions", 3),
        ("revision", 3),
    ],
    ids=["comment", "operating", "display name", "price", "setting", "version or model", "revision"],
)
def test_only_what_answers_depend_on_is_read_again(misread, engine, tmp_path, monkeypatch, change, asked):
    misread("capture", "few", "ruler")
    before, engine.done = read_capture(paths.capture("few", "ruler")).origin.signature, []
    if change == "versions":
        monkeypatch.setattr(Width, "versions", lambda _: {"model": "0123"})
    elif change == "revision":
        engine.revision = 2
    else:
        content = yaml.safe_load((tmp_path / "params.yaml").read_text())
        change(content)
        (tmp_path / "params.yaml").write_text(f"# Another comment.\n{yaml.safe_dump(content)}")
    assert misread("capture", "few", "ruler").status == 0
    after = read_capture(paths.capture("few", "ruler")).origin.signature
    assert (len(engine.done), before != after) == (asked, asked > 0)


# Conditions, on which answers may depend as well


def conditions():
    return read_capture(paths.capture("few", "ruler")).origin.conditions


def test_a_changed_concurrency_reads_what_is_new_alone_and_the_capture_is_mixed(misread, engine, tmp_path):
    engine.concurrency = 4
    misread("capture", "few", "ruler")
    assert conditions() == {"concurrency": ["4"], "server version": ["unknown"]}
    before, engine.done, engine.concurrency = paths.capture("few", "ruler").read_bytes(), [], 16
    misread("capture", "few", "ruler")
    # Stages behind the capture have nothing to do.
    assert (engine.done, paths.capture("few", "ruler").read_bytes() == before) == ([], True)
    Image.new("L", (14, 5), 255).save(tmp_path / "data/few/d.png")
    with (tmp_path / "data/few/lines.csv").open("a") as file:
        file.write("d,14,d.png\n")
    assert misread("stage", "segments", "few").status == 0
    done = misread("capture", "few", "ruler")
    assert (texts(), engine.done) == (["11", "12", "13", "14"], ["d"])
    assert conditions()["concurrency"] == ["4", "16"]
    assert "  concurrency  mixed 4, 16\n" in done.err


def test_conditions_stand_in_the_timings_of_every_reading(misread, engine):
    engine.concurrency = 4
    served = {"server_version": "vllm 0.6", "served_model": "m"}
    engine.read = lambda source: Answer("one", batch_size=2, **served)
    misread("capture", "few", "ruler")
    kept = {"concurrency": 4, "batch_size": 2, **served}
    table = pq.read_table(paths.timings("few", "ruler"), columns=list(kept))
    assert table.to_pylist() == 3 * [kept]
    known = {"concurrency": ["4"], "batch size": ["2"], "server version": ["vllm 0.6"], "served model": ["m"]}
    assert conditions() == known


def notes():
    return list(read_capture(paths.capture("few", "ruler")).origin.facts.notes)


def test_a_model_that_answers_in_place_of_another_is_said_once_and_kept(misread, engine, monkeypatch):
    monkeypatch.setattr(Width, "versions", lambda _: {"model": "large"})
    engine.read = lambda source: Answer("one", served_model={"a": "large"}.get(source.segment_id, "small"))
    said = "Model large was asked, and the server says that small answered."
    assert misread("capture", "few", "ruler").err.count(said) == 1
    [doubt] = read_capture(paths.capture("few", "ruler")).origin.facts.doubts
    assert (doubt.brief, doubt.is_caution) == (said, True)


def test_failures_are_counted_by_reason_where_the_study_shows_them(misread, engine):
    engine.fails = {"b": ValueError("busy: try again")}
    said = "1 of 3 readings of ruler failed: busy (1)."
    assert said in misread("capture", "few", "ruler").err
    assert notes() == [said]


def test_a_failed_reading_has_no_part_in_the_conditions(misread, engine):
    engine.fails, engine.concurrency = {"a": ValueError("out of luck")}, 4
    misread("capture", "few", "ruler")
    assert conditions()["concurrency"] == ["4"]
    engine.fails, engine.concurrency = {}, 16
    misread("capture", "few", "ruler", "--retry-failed")
    assert conditions()["concurrency"] == ["4", "16"]


def test_readings_of_a_journal_from_before_conditions_are_unknown(misread, engine, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr(journal, "_SELDOM", ())
        misread("capture", "few", "ruler")
    engine.done = []
    misread("capture", "few", "ruler")
    assert (engine.done, conditions()) == ([], {"concurrency": ["unknown"], "server version": ["unknown"]})


@pytest.mark.parametrize(
    ("given", "said"),
    [(("fwe", "ruler"), "unknown dataset 'fwe' in params.yaml. Did you mean 'few'?"), (("few", "x"), "unknown system")],
)
def test_an_unknown_id_offers_those_there_are(misread, engine, given, said):
    done = misread("capture", *given)
    assert (done.status, said in done.err) == (1, True)
