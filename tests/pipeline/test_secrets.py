"""A token from the environment, looked for in everything that a capture leaves behind and says."""

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from PIL import Image
from tests.engines.scripted_server import reply, serve

SECRET = "sk-planted-5ecret"  # noqa: S105  what must be nowhere
TABLE = {"_target_": "misread.data.Table", "root": "data/few", "file": "lines.csv", "segment_id": ["id"]}


@pytest.fixture
def write_project(tmp_path):
    """Three images, and systems behind a server."""

    def write(url, **settings):
        (tmp_path / "data/few").mkdir(parents=True, exist_ok=True)
        rows = ["id,text,image"]
        for width, name in enumerate("abc", start=11):
            Image.new("L", (width, 5), 255).save(tmp_path / f"data/few/{name}.png")
            rows.append(f"{name},one,{name}.png")
        (tmp_path / "data/few/lines.csv").write_text("\n".join(rows) + "\n")
        http = {
            "url": url,
            "token_env": "OCR_TOKEN",
            "attempts": 2,
            "backoff": 0.01,
            "timeout": 10,
            "medium": "line_image",
            **settings,
        }
        content = {
            "systems": {
                "worker": {"_target_": "misread.engines.HttpOCR", **http},
                "chat": {"_target_": "misread.engines.OpenAIChat", "model": "m", **http},
            },
            "datasets": {"few": {**TABLE, "reference": "text", "media": "image", "medium": "line_image"}},
            "executor": {"_target_": "misread.execution.Local"},
            "data_root": "..",
        }
        (tmp_path / "params.yaml").write_text(yaml.safe_dump(content))

    return write


def contents(folder):
    """All that files say: tables uncompressed, everything else as bytes."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            table = pq.read_table(path)
            yield f"{table.to_pylist()} {table.schema.metadata}"
        elif path.is_file():
            yield path.read_bytes().decode(errors="replace")


@pytest.mark.slow
@pytest.mark.parametrize("system", ["worker", "chat"])
@pytest.mark.parametrize("fails", ["", "content", "server", "token", "html"])
def test_a_token_is_in_no_file_and_no_message(misread, tmp_path, monkeypatch, write_project, system, fails):
    monkeypatch.setenv("OCR_TOKEN", SECRET)

    def answer(handler, question):
        assert question.headers["Authorization"] == f"Bearer {SECRET}"
        text = f"your token is {SECRET}"
        choices = [{"message": {"content": text}}]
        status = {"content": 400, "server": 503, "token": 401}.get(fails, 200)
        reply(handler, f"<html>{text}" if fails == "html" else json.dumps({"text": text, "choices": choices}), status)

    with serve(answer) as server:
        write_project(server.url)
        said = [misread("stage", "segments", "few"), misread("capture", "few", system)]
        assert said[1].status == (fails == "token")
        assert len(server.asked) == {"server": 6, "token": len(server.asked)}.get(fails, 3)
    left = list(contents(tmp_path))
    assert fails == "token" or "your token is [token]" in "".join(left)
    assert not [text for text in (*left, *map(str, said)) if SECRET in text]
    assert not list(Path().rglob("*.log"))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"token": SECRET}, "unknown setting 'token'"),
        ({"url": f"http://me:{SECRET}@127.0.0.1:9"}, "set token_env"),
        ({"token_env": "NOT_SET"}, "the environment variable NOT_SET (token_env) is not set"),
    ],
)
def test_a_secret_in_the_settings_is_refused_in_one_line_that_does_not_repeat_it(
    misread, write_project, settings, said
):
    write_project(**{"url": "http://127.0.0.1:9", **settings})
    misread("stage", "segments", "few")
    done = misread("capture", "few", "worker")
    assert (done.status, done.err.count("error: ")) == (1, 1)
    assert said in done.err
    assert SECRET not in done.err + done.out


def test_a_capture_without_a_server_is_one_line_that_names_the_setting(misread, monkeypatch, write_project):
    monkeypatch.setenv("OCR_TOKEN", SECRET)
    write_project("http://127.0.0.1:9")
    misread("stage", "segments", "few")
    done = misread("capture", "few", "worker")
    assert done.status == 1
    said = (
        r"error: segment '[abc]': nothing answers at http://127\.0\.0\.1:9: .*; start the server, or set `url` of the "
    )
    assert re.search(said + r"system\.\n$", done.err)
