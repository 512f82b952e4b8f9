"""What a study is about: every beginning composes to a configuration that fits its data."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from misread.data import BenchmarkFolder, TableColumns
from misread.errors import ConfigurationError, InputFileError, UnknownNameError
from misread.pipeline.paths import SHIPPED_CONF
from misread.study.content import (
    Content,
    describe_benchmark,
    describe_example,
    describe_images,
    describe_preset,
    describe_table,
    describe_texts,
    is_benchmark,
    make_id,
    preset_names,
)


def section(content: Content, group: str, entry: str) -> dict[str, object]:
    text = content.files[f"conf/{group}/{entry}.yaml"].decode()
    assert text.startswith("# @package _global_\n")
    return yaml.safe_load(text)[group][entry]


def test_a_table_is_copied_and_described(table: Path) -> None:
    columns = TableColumns(segment_id=["id"], reference="truth", cluster="page")
    content = describe_table(table, columns, {"one": "one", "gemini-2.0": "gemini-2.0"})
    assert content.files["data/my_lines/My lines.csv"] == table.read_bytes()
    assert section(content, "datasets", "my_lines")["recorded"] == ["one", "gemini-2.0"]
    assert section(content, "systems", "gemini_2_0") == {
        "_target_": "misread.engines.Recorded",
        "revision": 1,
        "name": "gemini-2.0",
    }
    assert yaml.safe_load(content.files["conf/systems/gemini_2_0.yaml"])["report"]["names"] == {
        "gemini_2_0": "gemini-2.0"
    }
    assert content.settings.systems == ["one", "gemini_2_0"]


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"reference": "thruth"}, "unknown column 'thruth' in .*My lines.csv. Did you mean 'truth'?"),
        ({"systems": {"one": "ona"}}, "unknown column 'ona'"),
        ({"cluster": "pages"}, "unknown column 'pages'.* Did you mean 'page'"),
        ({"groups": ["hand"]}, "unknown column 'hand'"),
        ({"segment_id": ["page"]}, "segment id 'p1' was taken"),
        ({"segment_id": []}, "segment_id is missing: the columns that identify a segment"),
        ({"systems": {"One": "one", "one": "gemini-2.0"}}, "two names would have the id 'one'"),
    ],
)
def test_a_table_that_is_not_as_described_is_refused(table: Path, change: dict[str, object], refusal: str) -> None:
    described = {"segment_id": ["id"], "reference": "truth", **change}
    systems = described.pop("systems", {"one": "one"})
    with pytest.raises((ConfigurationError, InputFileError, UnknownNameError), match=refusal):
        describe_table(table, TableColumns(**described), systems)


@pytest.mark.parametrize(
    ("study", "root", "data_root"), [(".", "pages", ".."), ("a/study", "{data_root}/pages", "../..")]
)
def test_folders_of_texts_stay_where_they_are(texts: Path, study: str, root: str, data_root: str) -> None:
    systems = {"one": "one", "two.1": "two.1"}
    content = describe_texts(texts, texts.parent / study, reference="truth", systems=systems, cluster="^(p.)_")
    assert section(content, "datasets", "pages")["root"] == root
    assert content.settings.data_root == data_root
    assert content.settings.systems == ["one", "two_1"]
    # DVC looks at a folder of the study, and of any other at the list of its files.
    listed = content.files.get("data/pages/files.sha256", b"").decode().count("\n")
    watched = section(content, "datasets", "pages")["watched"]
    assert (watched, listed) == (("pages", 0) if root == "pages" else ("data/pages", 9))


def test_the_folder_of_the_study_itself_is_no_data(texts: Path) -> None:
    with pytest.raises(ConfigurationError, match="is the study's own folder; put the data into a folder in it"):
        describe_texts(texts, texts, reference="truth", systems={"one": "one"})


ALTO = (
    '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page><PrintSpace><TextBlock ID="b">'
    '<TextLine ID="l"><String CONTENT="one"/></TextLine></TextBlock></PrintSpace></Page></Layout></alto>'
)


@pytest.mark.parametrize(
    ("transcriptions", "engines", "medium"),
    [
        ({"a.gt.txt": "one line\n", "b.gt.txt": "another"}, ["tesseract"], "line_image"),
        ({"a.txt": "one line\n", "b.txt": "two\nlines\n"}, ["tesseract_page"], "page_image"),
        ({"a.xml": ALTO, "b.xml": ALTO}, ["tesseract_page"], "page_image"),
    ],
)
def test_images_are_of_lines_or_of_pages(
    tmp_path: Path, repository: Path, transcriptions: dict[str, str], engines: list[str], medium: str
) -> None:
    scans = tmp_path / "scans"
    scans.mkdir()
    image = next((repository / "data/rendered_lines/images").glob("*.png"))
    for name, text in transcriptions.items():
        (scans / name).write_text(text)
        shutil.copy(image, scans / f"{name.split('.')[0]}.png")
    content = describe_images(scans, tmp_path / "study", engines=["tesseract"])
    described = section(content, "datasets", "scans")
    assert (described["medium"], described["images"]) == (medium, ["*.png"])
    assert described.get("format") == ("alto" if ALTO in transcriptions.values() else None)
    assert content.settings.systems == engines


def test_images_without_a_transcription_are_left_out_where_others_have_one(tmp_path: Path, repository: Path) -> None:
    scans, image = tmp_path / "scans", next((repository / "data/rendered_lines/images").glob("*.png"))
    for name in ("lines/a", "lines/b", "lines/c", "pages/d"):
        (scans / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(image, scans / f"{name}.png")
    for name in ("a", "b"):
        (scans / f"lines/{name}.gt.txt").write_text("a line")
    content = describe_images(scans, tmp_path / "study", engines=["tesseract"], cluster="(.)")
    described = section(content, "datasets", "scans")
    assert (described["images"], described["without_transcription"]) == (["lines/*.png"], "leave_out")
    assert content.notes[-1] == "1 image without a transcription is left out, such as lines/c.png"
    with pytest.raises(ConfigurationError, match="finds no cluster in 'a'"):
        describe_images(scans, tmp_path / "study", engines=["tesseract"], cluster="p(.)")


def test_a_folder_without_images_and_texts_says_what_is_expected(tmp_path: Path) -> None:
    (tmp_path / "scans").mkdir()
    (tmp_path / "scans/notes.txt").write_text("not a transcription")
    with pytest.raises(InputFileError, match="has neither images with a transcription next to each"):
        describe_images(tmp_path / "scans", tmp_path / "study", engines=["tesseract"])


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_brings_its_choices_and_the_list_of_its_files(name: str) -> None:
    content = describe_preset(name)
    experiment = yaml.safe_load((SHIPPED_CONF / "experiment" / f"{name}.yaml").read_text(encoding="utf-8"))
    assert content.settings.baseline == experiment.get("baseline")
    assert content.settings.about.endswith((".", ")"))
    for dataset in content.settings.datasets:
        own = "images/doc_001.png" if dataset == "invoices" else "files.sha256"
        assert {f"data/{dataset}/{own}", f"data/{dataset}/README.md"} <= content.files.keys()


def test_a_preset_on_data_that_misread_brings_has_it_whole(tmp_path: Path, repository: Path) -> None:
    content = describe_preset("deepseek_tesseract")
    assert content.settings.report == {"runs": "data/results/benchmarks"}
    assert content.notes == ["the data was brought by misread; data/invoices/README.md says what it is"]
    for path, of in content.files.items():
        assert of == (repository / path).read_bytes()
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(of)
    found = BenchmarkFolder(str(tmp_path / "data/invoices")).segments()
    assert found.segment_id == ["doc_001.png", "doc_002.png", "doc_003.png"]


@pytest.mark.parametrize("place", ["study/data/datasets/receipts", "elsewhere/receipts"])
def test_the_layout_of_a_document_benchmark_is_read_where_it_lies(tmp_path: Path, repository: Path, place: str) -> None:
    shutil.copytree(repository / "data/invoices", tmp_path / place)
    assert is_benchmark(tmp_path / place)
    content = describe_benchmark(tmp_path / place, tmp_path / "study", engines=["tesseract", "rapidocr"])
    described = section(content, "datasets", "receipts")
    root = "data/datasets/receipts" if place.startswith("study") else "{data_root}/receipts"
    assert (described["_target_"], described["root"]) == ("misread.data.BenchmarkFolder", root)
    assert content.settings.systems == ["tesseract_page", "rapidocr_page"]
    is_listed = b"ground_truth.json" in content.files.get("data/receipts/files.sha256", b"")
    assert (described["watched"], is_listed) == (
        (root, False) if place.startswith("study") else ("data/receipts", True)
    )


def test_a_document_benchmark_whose_parts_do_not_match_is_refused(tmp_path: Path, repository: Path) -> None:
    shutil.copytree(repository / "data/invoices", tmp_path / "receipts")
    (tmp_path / "receipts/images/doc_002.png").unlink()
    with pytest.raises(InputFileError, match=r"there is no file .*doc_002\.png"):
        describe_benchmark(tmp_path / "receipts", tmp_path / "study", engines=["tesseract"])


@pytest.mark.parametrize(
    ("name", "column", "file"), [("a ${b}", "one", "lines"), ("a", "${one", "lines"), ("a", "one", "x${y}")]
)
def test_a_name_that_would_refer_to_a_setting_is_refused(tmp_path: Path, name: str, column: str, file: str) -> None:
    path = tmp_path / f"{file}.csv"
    path.write_text(f"id,truth,{column}\n1,a,b\n2,c,d\n")
    with pytest.raises(ConfigurationError, match=r"has \$\{, with which the configuration of a study refers"):
        describe_table(path, TableColumns(segment_id=["id"], reference="truth"), {name: column})


def test_an_unknown_preset_offers_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown preset 'das2'\. Did you mean 'das22'"):
        describe_preset("das2")


def test_the_example_has_clusters_enough_for_a_verdict() -> None:
    rows = describe_example().files["data/lines/lines.csv"].decode().splitlines()
    assert len({row.split(",")[1] for row in rows[1:]}) == 8


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("gemini-2.0", "gemini_2_0"),
        ("Ä b", "b"),
        ("item", "item_"),
        ("key", "key_"),
        ("語", "data"),
        ("1e3", "1e3"),
        ("0o17", "id_0o17"),
    ],
)
def test_an_id_is_made_of_what_dvc_can_use(name: str, expected: str) -> None:
    assert make_id(name) == expected
