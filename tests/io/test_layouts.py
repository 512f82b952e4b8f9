"""Files of every layout: read, or refused with what to do."""

import json
import shutil

import pytest
from tests.golden.examples import EXAMPLES
from tests.golden.layouts import PINNED, digest_layout, lacks, plain

from misread.errors import InputFileError
from misread.io import layouts, read_record, write_record
from misread.io.json_files import read_json

# Sizes and times of files on one machine, which are forgotten where they are not understood.
FORGOTTEN = {"pins"}
GOLDEN = sorted(
    (kind, path) for kind, example in EXAMPLES.items() for path in PINNED.parent.glob(f"[0-9]*/{example.name}")
)


def made(kind, folder, monkeypatch, version=None):
    """A file of a kind as this version writes it, or one of another layout."""
    if version is not None:
        monkeypatch.setitem(layouts.LAYOUTS, kind, version)
    path = folder / EXAMPLES[kind].name
    EXAMPLES[kind].write(path)
    monkeypatch.undo()
    return path


def test_every_layout_has_an_example():
    assert EXAMPLES.keys() == layouts.LAYOUTS.keys() - FORGOTTEN
    versions = {kind: {path.parent.name for of, path in GOLDEN if of == kind} for kind in EXAMPLES}
    pinned = json.loads(PINNED.read_text(encoding="utf-8"))
    for kind, version in layouts.LAYOUTS.items():
        if kind not in FORGOTTEN:
            assert str(version) in versions[kind], "run `python -m tests.golden`, and commit what it writes"
            assert versions[kind] == pinned[kind].keys()


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_layout_changes_with_its_version_only(kind, tmp_path, monkeypatch):
    pinned = json.loads(PINNED.read_text(encoding="utf-8"))[kind]
    digest = pinned[str(layouts.LAYOUTS[kind])]
    assert digest_layout(made(kind, tmp_path, monkeypatch)) == digest, (
        f"the layout of {kind} has changed: increase its version in src/misread/io/layouts.py, run `python "
        "-m tests.golden`, and commit what it writes"
    )


@pytest.mark.parametrize(("kind", "path"), GOLDEN, ids=lambda value: value if isinstance(value, str) else "")
def test_a_committed_file_is_read_as_when_it_was_written_or_refused(kind, path, tmp_path):
    copied = (shutil.copytree if path.is_dir() else shutil.copy)(path, tmp_path / path.name)
    if int(path.parent.name) < layouts.LAYOUTS[kind]:
        with pytest.raises(InputFileError, match=r"has layout .*(run `|evaluate)"):
            EXAMPLES[kind].read(copied)
        return
    expected = json.loads(path.with_name(f"{path.name}.expected").read_text(encoding="utf-8"))
    assert lacks(json.loads(json.dumps(plain(EXAMPLES[kind].read(copied)))), expected) == []


# What the steps of a normalizer changed is for people, and nothing of misread reads it.
@pytest.mark.parametrize("kind", sorted(EXAMPLES.keys() - {"changes"}))
def test_a_file_of_a_later_version_is_refused_in_one_line_with_what_to_do(kind, tmp_path, monkeypatch):
    path = made(kind, tmp_path, monkeypatch, 99)
    with pytest.raises(InputFileError, match=r"has layout 99, this version reads layout 1; upgrade misread") as caught:
        EXAMPLES[kind].read(path)
    assert "\n" not in str(caught.value)
    assert "run `" in str(caught.value)


@pytest.mark.parametrize("version", [1, "two", None])
def test_an_older_layout_or_none_names_the_command(monkeypatch, version):
    monkeypatch.setitem(layouts.LAYOUTS, "scores", 2)
    with pytest.raises(InputFileError, match=f"has layout {version}, this version reads layout 2; run `dvc repro`"):
        layouts.check_layout("x.parquet", "scores", version, command="dvc repro")
    layouts.check_layout("x.parquet", "scores", 2, command="dvc repro")


@pytest.mark.parametrize("lacking", ["kind", "format", "crc32"])
def test_a_record_that_does_not_say_what_it_is_is_refused(tmp_path, lacking):
    content = read_json(PINNED.parent / "1" / EXAMPLES["comparison"].name)
    del content[lacking]
    unstamped = tmp_path / "lines.json"
    unstamped.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputFileError, match="run `"):
        EXAMPLES["comparison"].read(unstamped)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (
            lambda text: text.replace('"segments": 12', '"segments": 13', 1),
            r"does not have its checksum.*run `dvc repro`",
        ),
        (
            lambda text: text.replace('"segments": 12', '"segments": 1e400', 1),
            r"does not have its checksum.*run `dvc repro`",
        ),
        (lambda text: text[: len(text) // 2], r"not valid JSON .*; run `dvc repro` to write it again"),
        (lambda text: text.replace('"comparison"', '"ablation"', 1), r"is a file of kind 'ablation', expected 'compar"),
        (lambda text: text.replace('"crc32"', '"crc31"', 1), r"does not have its checksum"),
    ],
)
def test_a_record_that_was_damaged_is_not_read(tmp_path, damage, said):
    path = tmp_path / "lines.json"
    path.write_text(damage((PINNED.parent / "1" / EXAMPLES["comparison"].name).read_text(encoding="utf-8")))
    with pytest.raises(InputFileError, match=said):
        EXAMPLES["comparison"].read(path)


def test_a_pickle_of_classes_that_are_gone_says_which_version_has_them(monkeypatch):
    *_, path = (path for kind, path in GOLDEN if kind == "evaluation")
    monkeypatch.delattr("misread.stats.compare.schema.DatasetResult")
    with pytest.raises(InputFileError, match=r"an Evaluation that misread \S+ pickled is not understood .* evaluate"):
        EXAMPLES["evaluation"].read(path)


def test_texts_of_a_record_are_any_unicode(tmp_path):
    record = {"a": "\x85  é 𐍈 \\ud800", "b": [1e-300, 0.1, 10**20]}
    write_record(tmp_path / "x.json", record, kind="changes")
    found = read_record(tmp_path / "x.json", dict, kind="changes")
    assert found == record
