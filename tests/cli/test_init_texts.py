"""`misread init` of what `misread score` takes: files, folders, tables of paths and ids, normalizers, metrics."""

import json

import pytest
import yaml

from misread.io.json_files import dump_json
from misread.pipeline import paths
from misread.pipeline.params import load_params
from misread.sockets import read_comparison

pytestmark = pytest.mark.slow

WORDS = ["grey", "bells", "ring", "over", "the", "quiet", "harbour", "again", "today"]
LINES = [" ".join(WORDS[row % 5 :]) for row in range(8)]
SYSTEMS = {
    "a": [line.replace("bells", "bills") for line in LINES],
    "b": [line.replace("grey", "Gray ") for line in LINES],
}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_lines(folder):
    for name, lines in {"truth": LINES, **SYSTEMS}.items():
        write(folder / f"{name}.txt", "".join(f"{line}\n" for line in lines))
    return ["truth.txt", "a.txt", "b.txt"]


def write_runs(folder):
    write(folder / "a2.txt", "".join(f"{line}\n" for line in SYSTEMS["b"]))
    truth, *_ = write_lines(folder)
    return ["--ref", truth, "--hyp", "a=a.txt", "--run", "a=a2.txt", "--hyp", "b=b.txt"]


def write_ids_table(folder):
    rows = "".join(f"{row + 1},{'ab'[row % 2]},p{row // 2}\n" for row in range(8))
    write(folder / "ids.csv", f"id,side,page\n{rows}")
    return [*write_lines(folder), "--ids-table", "ids.csv", "--cluster", "page", "--groups", "side"]


def write_captions(folder):
    for name, lines in {"truth": LINES, **SYSTEMS}.items():
        cues = (f"{row}\n00:00:{row:02},000 --> 00:00:{row:02},900\n{text}\n" for row, text in enumerate(lines))
        write(folder / f"{name}.srt", "\n".join(cues))
    return ["truth.srt", "a.srt", "b.srt", "--normalizer", "english", "--metrics", "asr"]


def write_folders(folder):
    for name, lines in {"truth": LINES, **SYSTEMS}.items():
        for row, text in enumerate(lines):
            write(folder / "in" / name / f"book{row // 4}" / f"p{row}.txt", f"{text}\n")
    return ["in/truth", "in/a", "in/b", "--cluster", "folder", "--metrics", "cer,strict=wer(alignment=sclite)"]


def write_paths_table(folder):
    write_folders(folder)
    books = [f"book{row // 4}" for row in range(8)]
    rows = (f"p{row},{book},in/truth/{book}/p{row}.txt,in/a/{book}/p{row}.txt" for row, book in enumerate(books))
    write(folder / "pages.csv", "\n".join(["page,book,truth,read", *rows]))
    return [
        *("--paths-table", "pages.csv", "--ref", "truth", "--hyp", "One: it=read"),
        *("--segment-id", "page", "--cluster", "book", "--normalizer", "nfc,lower_case"),
    ]


WAYS = (write_lines, write_runs, write_ids_table, write_captions, write_folders, write_paths_table)


@pytest.fixture
def folder(tmp_path):
    """A folder in which DVC is set up already, so that no program has to do it."""
    write(tmp_path / "study/.dvc/config", "[hydra]\n    enabled = True\n")
    return tmp_path


def stored_counts(misread, dataset):
    """Counts, clusters and groups of a study as its stages make them."""
    systems = load_params().systems
    for stage in [
        ("segments",),
        *(("capture", system) for system in systems),
        ("normalize",),
        ("score",),
        ("compare",),
    ]:
        name, *rest = stage
        assert misread("stage", name, dataset, *rest).status == 0
    return json.loads(dump_json(read_comparison(paths.comparison(dataset))))


@pytest.mark.parametrize("write_texts", WAYS)
def test_a_study_of_texts_has_the_rates_that_score_has(misread, folder, monkeypatch, write_texts):
    options = write_texts(folder)
    done = misread("init", *options, *([] if "--normalizer" in options else ["--normalizer", "none"]), "study")
    assert (done.status, done.err.count("error")) == (0, 0), done.err
    scored = misread("score", *options, "--output", "json").json
    monkeypatch.chdir(folder / "study")
    (dataset,) = load_params().datasets
    content = stored_counts(misread, dataset)
    for (name, expected), system in zip(scored["systems"].items(), content["systems"].values(), strict=True):
        assert {metric: entry["counts"] for metric, entry in expected.items()} == {
            metric: system[metric]["counts"] for metric in expected
        }, name
    for key in ("clusters", "segments", "excluded"):
        assert content[key] == scored[key]
    assert content["groups"].keys() - {"length"} == scored["groups"].keys() - {"length"}


def test_metrics_of_a_field_are_the_set_of_that_name(misread, folder):
    write_captions(folder)
    done = misread("init", "truth.srt", "a.srt", "b.srt", "--metrics", "asr,ger", "--missing", "drop", "study")
    assert "metrics asr, ger, normalizer whitespace: chosen in conf/config.yaml" in done.out
    config = yaml.safe_load((folder / "study/conf/config.yaml").read_text())
    assert {"metrics": ["asr"]} in config["defaults"]
    assert (config["metrics"], config["missing"]) == ({"ger": "ger"}, "drop")


def test_score_takes_metrics_of_a_field_as_well(misread, folder):
    files = write_lines(folder)
    by_set = misread("score", *files, "--metrics", "asr", "--output", "json").json
    assert by_set == misread("score", *files, "--metrics", "wer,cer,ser", "--output", "json").json
    done = misread("score", *files, "--metrics", "asrr")
    assert (done.status, "unknown metric 'asrr'" in done.err) == (1, True)


def test_references_that_can_be_read_in_several_ways_are_refused(misread, folder):
    write(folder / "truth.trn", "the {grey / gray} bells (a_1)\n(well) again (a_2)\n")
    write(folder / "hyp.trn", "the gray bells (a_1)\nagain (a_2)\n")
    done = misread("init", "truth.trn", "hyp.trn", "study")
    assert (done.status, "truth: references have alternatives" in done.err) == (1, True)
    assert not (folder / "study/conf").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["truth.txt", "a.txt", "--table", "rows.csv", "study"], "--table and files do not go together"),
        (["truth.txt", "study"], "truth.txt is the reference; give the file of at least one system after it."),
        (["--folder", ".", "--ids-table", "ids.csv", "study"], "--ids-table goes with files, not with --folder."),
        (["truth.txt", "a.txt", "--metrics", "none_such", "study"], "unknown metric 'none_such'"),
    ],
)
def test_what_does_not_go_together_is_refused_and_nothing_is_written(misread, folder, options, message):
    write_lines(folder)
    done = misread("init", *options)
    assert (done.status, message in done.err) == (1, True), done.err
    assert not (folder / "study/conf").exists()
