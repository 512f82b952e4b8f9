"""A file that a clone has not fetched yet is never read as what it stands for."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data.formats import FORMATS, TABLES
from misread.data.formats.tables import read_rows
from misread.data.scanned_pages import ScannedPages
from misread.data.segment_table import Source
from misread.engines.base import UnreadableSourceError
from misread.engines.command import Command
from misread.engines.cutting import cut_out
from misread.engines.function import FunctionReader
from misread.engines.loading import image_to_send, load_image
from misread.engines.recordings import load_samples
from misread.errors import InputFileError, RevisionError
from misread.io.json_files import read_json
from misread.io.pointers import absence, pointer_at, pointer_in
from misread.io.text import read_text
from misread.io.yaml_files import read_yaml
from misread.revisions.git import find_commit, read_at

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d" * 32 + b"\nsize 12345\n"
SAID = r"is a pointer of Git LFS, not the file itself; run `git lfs pull`"
READERS = {name: form.read for name, form in FORMATS.items() if form.read} | {
    "text": read_text,
    "json": read_json,
    "yaml": read_yaml,
    **dict.fromkeys(("table.csv", "table.tsv", "table.jsonl", "table.parquet"), read_rows),
    "table.asr_log": TABLES["asr_log"].read or read_text,
    "log.eval": FORMATS["inspect"].read,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("content", [POINTER, POINTER.replace(b"\n", b"\r\n")], ids=["LF", "CRLF"])
def test_every_reader_refuses_a_pointer_with_what_brings_the_file(tmp_path, reader, content):
    endings = getattr(FORMATS.get(reader), "endings", None) or {Path(reader).suffix}
    path = tmp_path / f"a{min(endings)}"
    path.write_bytes(content)
    with pytest.raises(InputFileError, match=SAID):
        READERS[reader](path)


def test_a_folder_of_parquet_files_is_refused_for_one(tmp_path):
    (tmp_path / "a.parquet").mkdir()
    (tmp_path / "a.parquet/part-0.parquet").write_bytes(POINTER)
    with pytest.raises(InputFileError, match=rf"part-0\.parquet {SAID}"):
        read_rows(tmp_path / "a.parquet")


@pytest.mark.parametrize(
    "read",
    [
        load_image,
        image_to_send,
        lambda source: load_samples(source, 16_000),
        FunctionReader(lambda _: "a text", "page_image").read,
        FunctionReader(lambda _: "a text", "audio").read,
        lambda source: Command(["cat", "{input}"]).open().read(source),
        lambda source: cut_out(Source("a", source.media, area=((0, 0), (9, 0), (9, 9)))).__enter__(),
        lambda source: cut_out(Source("a", source.media, span=(0.0, 1.0))).__enter__(),
    ],
)
def test_every_engine_refuses_a_pointer_in_place_of_an_image_or_a_recording(tmp_path, read):
    (tmp_path / "a.png").write_bytes(POINTER)
    with pytest.raises(UnreadableSourceError, match=SAID):
        read(Source("a", tmp_path / "a.png"))


def test_pages_refuse_a_pointer_in_place_of_their_image(tmp_path):
    (tmp_path / "a.png").write_bytes(POINTER)
    line = '<TextLine id="l"><Coords points="0,0 9,0 9,9"/><TextEquiv><Unicode>x</Unicode></TextEquiv></TextLine>'
    (tmp_path / "a.xml").write_text(
        '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">'
        '<Page imageFilename="a.png" imageWidth="9" imageHeight="9">'
        f'<TextRegion id="r">{line}</TextRegion></Page></PcGts>'
    )
    with pytest.raises(InputFileError, match=SAID):
        ScannedPages(str(tmp_path), ["*.xml"]).segments()


@given(st.integers(0, len(POINTER) - 1), st.binary(min_size=1, max_size=9))
def test_what_only_resembles_a_pointer_is_a_text(at, other):
    changed = POINTER[:at] + b"\n!" + other + POINTER[at:]
    assert pointer_in(changed) == ""
    assert pointer_in(POINTER + bytes(2000)) == ""


def test_pointers_with_extensions_older_addresses_and_of_git_annex_are_known():
    extended = POINTER.replace(b"oid", b"ext-0-foo sha256:" + b"ab" * 32 + b"\noid")
    older = POINTER.replace(b"git-lfs.github.com", b"hawser.github.com")
    assert all("git lfs pull" in pointer_in(content) for content in (extended, older))
    assert "git annex get" in pointer_in(b"/annex/objects/SHA256E-s12345--" + b"4d" * 32 + b".png\n")


def test_a_folder_or_nothing_is_no_pointer(tmp_path):
    assert pointer_at(tmp_path) == pointer_at(tmp_path / "nothing") == ""


def test_a_pointer_among_the_results_of_a_commit_is_named(tmp_path):
    for command in (["init", "-q"], ["add", "a.csv"], ["commit", "-qm", "a"]):
        (tmp_path / "a.csv").write_bytes(POINTER)
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    with pytest.raises(RevisionError, match=r"a\.csv of \w+ is a pointer without content: keep it out of Git LFS"):
        read_at(tmp_path, find_commit(tmp_path, "HEAD"), Path("a.csv"))


def test_a_file_that_dvc_or_git_annex_has_not_brought_is_missing_with_the_line_that_brings_it(tmp_path):
    image = tmp_path / "scans/a.png"
    assert absence(image) == f"there is no file {image}"
    (tmp_path / "scans.dvc").write_text("outs:\n- path: scans\n")
    for read, error in (
        (read_text, InputFileError),
        (lambda path: load_image(Source("a", path)), UnreadableSourceError),
    ):
        with pytest.raises(error, match=r"there is no file .*a\.png; run `dvc pull .*scans\.dvc`"):
            read(image)
    (tmp_path / "b.wav").symlink_to(".git/annex/objects/Gx/1z/SHA256E-s9--4d.wav")
    with pytest.raises(UnreadableSourceError, match=r"b\.wav; run `git annex get \.`"):
        load_samples(Source("b", tmp_path / "b.wav"), 16_000)
