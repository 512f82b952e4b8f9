"""Bad images, manifests, servers and disks, through `misread capture`: one line names segment and cause."""

import io
import json
import re
import time
from pathlib import Path

import pytest
import yaml
from PIL import Image
from tests.engines.scripted_server import reply, serve
from tests.engines.stand_ins import Width

from misread.engines import Journal
from misread.pipeline import paths
from misread.pipeline.params import Params
from misread.storage import read_capture, read_segments

IMAGE = Image.effect_noise((30, 20), 50)


def saved(image, form, **settings):
    content = io.BytesIO()
    image.save(content, form, **settings)
    return content.getvalue()


FRAMES = [Image.new("L", (9, 9), value) for value in (0, 128)]
GOOD = {
    "cmyk.tif": saved(IMAGE.convert("CMYK"), "TIFF"),
    "jpeg.png": saved(IMAGE, "JPEG"),
    "whole.png": saved(IMAGE, "PNG"),
}
BAD = {
    "animated.gif": (
        saved(FRAMES[0], "GIF", save_all=True, append_images=FRAMES[1:]),
        "has 2 pages or frames; put each into a file of its own",
    ),
    "bomb.png": (saved(Image.new("1", (10_000, 10_000)), "PNG"), "is too large: 10,000 x 10,000 pixels"),
    "cut.png": (saved(IMAGE, "PNG")[:-100], "is damaged or cut short"),
    "empty.png": (b"", "is not a readable image (the file is empty)"),
    "pages.tif": (
        saved(FRAMES[0], "TIFF", save_all=True, append_images=FRAMES[1:]),
        "has 2 pages or frames; put each into a file of its own",
    ),
    "paper.pdf": (b"%PDF-1.7\n%", "it is a PDF; make an image of each page, such as with pdftoppm"),
    "text.png": (b"no picture", "is not a readable image (10 bytes)"),
}


@pytest.fixture
def write_project(misread, tmp_path):
    """Images and a manifest of them, with a system that may be any."""

    def write(images, manifest="", **system):
        folder = tmp_path / "data/few"
        folder.mkdir(parents=True)
        for name, content in images.items():
            (folder / name).write_bytes(content)
        rows = manifest or "".join(f"{Path(name).stem},one,{name}\n" for name in images)
        (folder / "lines.csv").write_text(f"id,text,image\n{rows}")
        table = {"_target_": "misread.data.Table", "root": "data/few", "file": "lines.csv", "segment_id": ["id"]}
        content = {
            "systems": {"s": system or {"_target_": "misread.engines.Tesseract"}},
            "datasets": {"few": {**table, "reference": "text", "media": "image", "medium": "line_image"}},
            "executor": {"_target_": "misread.execution.Local"},
            "data_root": "..",
        }
        (tmp_path / "params.yaml").write_text(yaml.safe_dump(content))
        return misread("stage", "segments", "few")

    return write


@pytest.fixture
def engine(monkeypatch):
    chosen = Width()
    monkeypatch.setattr(Params, "engine", lambda *_: chosen)
    return chosen


def captured():
    capture = read_capture(paths.capture("few", "s"))
    return dict(zip(capture.segments.segment_id, capture.texts.hypotheses, strict=True))


def test_each_bad_image_has_one_line_and_the_others_are_read(misread, write_project, engine):
    images = {**GOOD, **{name: content for name, (content, _) in BAD.items()}}
    write_project(images)
    done = misread("capture", "few", "s", "--quiet")
    *said, summary, tally = done.err.splitlines()
    assert done.status == 0
    assert len(said) == len(BAD)
    for line, (name, (_, cause)) in zip(sorted(said), BAD.items(), strict=True):
        assert line.startswith(f"warning: segment '{Path(name).stem}' of 'few': data/few/{name} ")
        assert cause in line
    assert summary.startswith(f"warning: {len(BAD)} of {len(images)} readings failed and are kept with their reason")
    assert tally.startswith(f"warning: {len(BAD)} of {len(images)} readings of s failed: ")
    assert captured() == {Path(name).stem: "30" if name in GOOD else None for name in images}


def test_a_manifest_that_leads_out_of_its_folder_is_refused(misread, write_project, tmp_path):
    (tmp_path / "secret.png").write_bytes(GOOD["whole.png"])
    for named in ("../../secret.png", str(tmp_path / "secret.png")):
        done = write_project(GOOD, manifest=f"a,one,whole.png\nb,two,{named}\n")
        assert (done.status, done.err.count("\n")) == (1, 1)
        assert done.err.startswith(f"error: data/few/lines.csv, line 3: '{named}' leads out of the data set's folder")
        for path in sorted((tmp_path / "data/few").iterdir()):
            path.unlink()
        (tmp_path / "data/few").rmdir()


def test_ids_that_differ_only_by_case_stay_apart_and_are_named(misread, write_project, engine):
    images = {"a.png": saved(Image.new("L", (11, 5)), "PNG"), "A.png": saved(Image.new("L", (12, 5)), "PNG")}
    write_project(images)
    done = misread("capture", "few", "s", "--quiet")
    assert captured() == {"a": "11", "A": "12"}
    assert done.err == "warning: segment ids 'a' and 'A' of few differ only by case; they are taken for two segments.\n"


def test_clusters_whose_labels_look_alike_are_one(misread, tmp_path):
    (tmp_path / "data/few").mkdir(parents=True)
    (tmp_path / "data/few/lines.csv").write_text(
        "id,page,text\n1,Zo\u00eb,a\n2,Zoe\u0308,b\n3,q ,c\n", encoding="utf-8"
    )
    table = {"_target_": "misread.data.Table", "root": "data/few", "file": "lines.csv", "segment_id": ["id"]}
    table |= {"reference": "text", "cluster": "page"}
    (tmp_path / "params.yaml").write_text(
        yaml.safe_dump(
            {"systems": {"s": {"_target_": "misread.engines.Tesseract"}}, "datasets": {"few": table}, "data_root": ".."}
        )
    )
    assert misread("stage", "segments", "few").status == 0
    stored, _ = read_segments(paths.segments("few"), data_root="..")
    assert list(stored.cluster) == ["Zo\u00eb", "Zo\u00eb", "q "]
    assert stored.facts.notes[0].startswith("page: 3 labels are taken for 2, as some differ only in blanks")


# Servers


def endless(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        handler.wfile.write(b"x" * 1000)
        time.sleep(0.001)


ELSEWHERE = {"Location": "http://elsewhere.example/ocr"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "settings", "said"),
    [
        (
            lambda handler: reply(handler, "<html>Welcome</html>"),
            {},
            r"warning: segment 'whole' of 'few': the answer is not JSON with a text",
        ),
        (
            endless,
            {"max_answer_bytes": 20_000},
            r"warning: segment 'whole' of 'few': the answer is longer than 20,000 bytes \(max_answer_bytes\)",
        ),
        (endless, {"timeout": 0.2}, r"warning: segment 'whole' of 'few': the answer did not end within 0\.2 s"),
        (
            lambda handler: reply(handler, "", 307, **ELSEWHERE),
            {},
            r"error: segment 'whole': http://127\S+ redirects to http://elsewhere\.example/ocr, which is not followed;",
        ),
        (
            lambda handler: reply(handler, "who are you?", 401),
            {"token_env": "OCR_TOKEN"},
            r"error: segment 'whole': http://127\S+ refuses access \(401\); look at the environment variable OCR_TOKEN",
        ),
        ("https", {}, r"error: segment 'whole': https://127\S+ has no secure connection that can be trusted: .*"),
    ],
    ids=["HTML", "endless", "slow", "redirect", "token", "TLS"],
)
def test_each_bad_server_has_one_line(misread, write_project, monkeypatch, answer, settings, said):
    monkeypatch.setenv("OCR_TOKEN", "sk-planted-5ecret")
    with serve(lambda handler, _: reply(handler, "yes") if answer == "https" else answer(handler)) as server:
        url = server.url.replace("http:", "https:") if answer == "https" else server.url
        http = {"_target_": "misread.engines.HttpOCR", "url": url, "medium": "line_image", "attempts": 1, **settings}
        write_project({"whole.png": GOOD["whole.png"]}, **http)
        done = misread("capture", "few", "s", "--quiet")
    first = done.err.splitlines()[0]
    assert re.match(said, first)
    assert done.status == first.startswith("error: ")
    assert "sk-planted" not in done.err


# Disks


def test_a_disk_that_fills_up_loses_nothing_that_was_read(misread, write_project, engine, monkeypatch):
    write_project({f"{name}.png": saved(Image.new("L", (width, 5)), "PNG") for width, name in enumerate("abcd", 11)})
    write, written = Journal._write, []

    def fill_up(journal, content):
        written.append(json.loads(content[content.index(b"{") :])["segment_id"])
        if len(written) > 2:
            raise OSError(28, "No space left on device")
        return write(journal, content)

    monkeypatch.setattr(Journal, "_write", fill_up)
    done = misread("capture", "few", "s", "--quiet")
    said = "error: build/journal/few/s.jsonl cannot be written: No space left on device (at segment 'c'). Readings that"
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert done.err.startswith(said)
    assert not paths.capture("few", "s").exists()
    monkeypatch.setattr(Journal, "_write", write)
    engine.done = []
    assert misread("capture", "few", "s", "--quiet").status == 0
    assert (captured(), engine.done) == ({"a": "11", "b": "12", "c": "13", "d": "14"}, ["c", "d"])
