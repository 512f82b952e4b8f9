"""The real worker on loopback, and captures through it."""

import io
import json
import re
import signal
import ssl
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from tests.serve.running import running

from misread.data.segment_table import Source
from misread.engines import HttpOCR, OpenAIChat, Processes, Tesseract
from misread.errors import ServerError

pytestmark = [pytest.mark.engine, pytest.mark.process]

# To read the certificates of all authorities takes longer than most answers.
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
TOKEN = "a-token"  # noqa: S105  of the tests
ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "data/invoices/images").glob("*.png"))
LINES = sorted((ROOT / "data/rendered_lines/images").glob("*.png"))[:3]
SOURCES = [Source(path.name, path) for path in (PAGES[0], *LINES)]
LIMITS = ("--waiting", "1", "--max-bytes", "1000000", "--max-pixels", "4000000")


@pytest.fixture(scope="module")
def url():
    """Address of a worker with one process, in which one more question may wait; it ends cleanly when told to."""
    with running("tesseract", "--token-env", "WORKER_TOKEN", *LIMITS, WORKER_TOKEN=TOKEN) as worker:
        yield worker.url
        end = threading.Timer(0.05, worker.process.send_signal, [signal.SIGTERM])
        in_the_middle = ask(worker.url, "/ocr", files={"file": TellingFile(PAGES[0].read_bytes(), end.start)})
        errors = worker.process.communicate(timeout=30)[1]
    assert (in_the_middle.status_code, worker.process.returncode) == (200, 0)
    assert "INVOICE" in in_the_middle.json()["text"]
    assert "Traceback" not in errors
    assert TOKEN not in worker.said + errors


class TellingFile(io.BytesIO):
    """A file that tells when all of it has been read, to be sent."""

    def __init__(self, content, tell):
        super().__init__(content)
        self.tell_end = tell

    def read(self, size=-1):
        if not (chunk := super().read(size)):
            self.tell_end()
        return chunk


def ask(url, path, *, token=TOKEN, method="POST", **content):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx.request(method, url + path, headers=headers, trust_env=False, verify=NO_TLS, timeout=60, **content)


@pytest.fixture(scope="module")
def direct():
    """What the engine reads without a worker."""
    reader = Tesseract(page_segmentation="auto").open()
    try:
        read = {source.segment_id: reader.read(source) for source in SOURCES}
    finally:
        reader.close()
    return {segment: text.text for segment, text in read.items()}


@pytest.fixture
def token(monkeypatch):
    monkeypatch.setenv("ASKED_WITH", TOKEN)


def test_a_capture_through_ocr_has_the_text_of_the_engine_segment_by_segment(url, direct, token):
    readings = list(Processes().run(HttpOCR(url=url, token_env="ASKED_WITH", concurrency=2), SOURCES))  # noqa: S106
    assert {reading.segment_id: reading.text for reading in readings} == direct
    assert "Invoice Number: INV-2024-001" in direct["doc_001.png"]


@pytest.mark.parametrize("stream", [False, True])
def test_a_capture_through_the_chat_has_the_text_of_the_engine_segment_by_segment(url, direct, token, stream):
    settings = {"token_env": "ASKED_WITH", "concurrency": 2, "stream": stream}
    engine = OpenAIChat(url=f"{url}/v1", model="tesseract", **settings)
    assert {reading.segment_id: reading.text for reading in Processes().run(engine, SOURCES)} == direct


def test_a_capture_with_a_wrong_token_ends_in_one_line(url, monkeypatch):
    monkeypatch.setenv("ASKED_WITH", "another-token")
    with pytest.raises(ServerError, match=r"refuses access \(401\); look at the environment variable ASKED_WITH"):
        list(Processes().run(HttpOCR(url=url, token_env="ASKED_WITH"), SOURCES))  # noqa: S106


def test_who_comes_when_the_queue_is_full_is_told_when_to_come_back(url):
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda page: ask(url, "/ocr", files={"file": page.read_bytes()}), PAGES * 2))
    refused = [answer for answer in answers if answer.status_code != 200]
    assert refused
    assert {answer.status_code for answer in refused} == {503}
    assert {answer.json()["detail"] for answer in refused} == {"too many questions wait"}
    assert all(1 <= int(answer.headers["Retry-After"]) <= 60 for answer in refused)


def test_the_queue_is_free_again_after_an_overload_and_after_questions_that_were_given_up(url):
    given_up = 0
    for _ in range(3):
        try:
            httpx.post(
                f"{url}/ocr",
                headers={"Authorization": f"Bearer {TOKEN}"},
                files={"file": PAGES[0].read_bytes()},
                timeout=0.01,
                trust_env=False,
                verify=NO_TLS,
            )
        except httpx.TimeoutException:
            given_up += 1
        time.sleep(0.01)
    assert given_up
    deadline = time.monotonic() + 30
    while (answer := ask(url, "/ocr", files={"file": PAGES[1].read_bytes()})).status_code == 503:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert "OI-7710" in answer.json()["text"]


@pytest.mark.parametrize("path", ["/health", "/ready"])
def test_whoever_watches_needs_no_token(url, path):
    answer = ask(url, path, method="GET", token="")
    assert (answer.status_code, answer.json()["status"]) == (200, "ok" if path == "/health" else "ready")


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer another", f"Basic {TOKEN}", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", "Bearer ä"]
)
@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/ocr"), ("POST", "/v1/chat/completions"), ("GET", "/v1/models")]
)
def test_everybody_else_needs_the_token(url, given, method, path):
    headers = {"Authorization": given.encode()} if given else {}
    answer = httpx.request(method, url + path, headers=headers, trust_env=False, verify=NO_TLS)
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")


@pytest.mark.parametrize("path", ["/health", "/ready", "/v1/models"])
def test_head_is_answered_as_get_is_without_a_body(url, path):
    answer, whole_answer = (ask(url, path, method=method) for method in ("HEAD", "GET"))
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["Content-Type"] == whole_answer.headers["Content-Type"] == "application/json"
    assert ask(url, "/ocr", method="HEAD").status_code == 405


def test_the_model_is_listed_with_its_versions(url):
    [entry] = ask(url, "/v1/models", method="GET").json()["data"]
    assert (entry["id"], entry["object"], entry["versions"]) == ("tesseract", "model", Tesseract().versions())


def whole(path):
    return path.read_bytes()


@pytest.mark.parametrize(
    ("content", "status", "reason"),
    [
        (b"", 400, "the image is not a readable image (the file is empty)"),
        (b"only a text", 400, "the image is not a readable image (11 bytes)"),
        (b"%PDF-1.7 ...", 400, "it is a PDF"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 50 50\n%%EndComments\n", 400, "expected PNG, JPEG, "),
        (PAGES[0].read_bytes()[:-500], 400, "the image is damaged or cut short"),
        (b"\x89PNG\r\n\x1a\n" + bytes(1_000_000), 413, "larger than 1,000,000 bytes"),
    ],
    ids=["empty", "text", "pdf", "postscript", "cut short", "large"],
)
def test_what_is_not_an_image_is_refused_with_a_reason_by_both_contracts(url, chat_question, content, status, reason):
    told = ask(url, "/ocr", files={"file": ("/home/me/secret.png", content)})
    assert (told.status_code, reason in told.json()["detail"]) == (status, True)
    told_chat = ask(url, "/v1/chat/completions", json=chat_question(content))
    assert (told_chat.status_code, reason in told_chat.json()["error"]["message"]) == (status, True)
    for text in (told.text, told_chat.text):
        assert not re.search(r"/tmp|/home|misread-serve|Traceback|\.py", text)  # noqa: S108


def test_an_image_of_too_many_pixels_is_refused_by_its_head(url, png):
    started = time.monotonic()
    answer = ask(url, "/ocr", files={"file": png(10_000, 10_000, "1")})
    refusal = "the image has 100,000,000 pixels, more than 4,000,000"
    assert (answer.status_code, answer.json()["detail"]) == (413, refusal)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({"files": {"file": ("a.txt", whole(LINES[0]), "text/plain")}}, "the file is not said to be an image"),
        *(
            (content, "body.file: ")
            for content in (
                {"files": {"image": b"x"}},
                {"data": {"file": "x"}},
                {"content": b"x"},
                {"json": {"file": "x"}},
            )
        ),
    ],
)
def test_a_question_without_a_file_that_is_an_image_is_refused(url, content, reason):
    answer = ask(url, "/ocr", **content)
    assert (answer.status_code, answer.json()["detail"].startswith(reason)) == (400, True)


def test_the_answer_of_the_chat_has_the_form_that_clients_expect(url, chat_question):
    answer = ask(url, "/v1/chat/completions", json=chat_question(whole(LINES[0]), temperature=0, max_tokens=1)).json()
    assert (answer["object"], answer["model"]) == ("chat.completion", "tesseract")
    [choice] = answer["choices"]
    assert (choice["finish_reason"], choice["message"]["role"]) == ("stop", "assistant")


def test_a_streamed_answer_has_the_same_text(url, direct, chat_question):
    answer = ask(url, "/v1/chat/completions", json=chat_question(whole(PAGES[0]), stream=True))
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    events = [line.removeprefix("data: ") for line in answer.text.splitlines() if line]
    deltas = [json.loads(event)["choices"][0]["delta"] for event in events[:-1]]
    assert events[-1] == "[DONE]"
    assert "".join(delta.get("content", "") for delta in deltas) == direct["doc_001.png"]


ELSEWHERE = (
    *("http://127.0.0.1:9/a.png", "file:///etc/passwd", "/etc/passwd", ""),
    *("data:image/png,plain", "data:text/html;base64,PGI+", "data:image/png;base64,***"),
)


@pytest.mark.parametrize(
    ("images", "change", "status", "reason"),
    [
        ((), {"model": "gpt-4o"}, 404, "the model is not there; there is: tesseract"),
        ((), {"messages": []}, 400, "the question has 0 images, expected one part image_url"),
        ((), {"messages": [{"role": "user", "content": "read it"}]}, 400, "the question has 0 images"),
        ((), {"messages": "read it"}, 400, "body.messages: "),
        ((), {"messages": [{"role": "user", "content": [{"type": "video"}]}]}, 400, "'text' or 'image_url'"),
        ((whole(LINES[0]), whole(LINES[1])), {}, 400, "2 images"),
        *(((address,), {}, 400, "image_url is not") for address in ELSEWHERE),
    ],
)
def test_a_chat_about_something_else_is_refused(url, chat_question, images, change, status, reason):
    """An image anywhere else than in the question is never fetched."""
    answer = ask(url, "/v1/chat/completions", json={**chat_question(*images), **change})
    assert (answer.status_code, reason in answer.json()["error"]["message"]) == (status, True), answer.text


def test_a_question_without_an_announced_length_is_cut_off_where_it_is_too_large(url):
    answer = ask(url, "/ocr", content=(bytes(100_000) for _ in range(100)))
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "body", [b"{", b"null", b"[1]", b"[" * 900_000, b'{"model": "tesseract"}'], ids=["{", "null", "list", "deep", "no"]
)
def test_a_body_that_is_not_a_chat_is_refused_in_one_short_line(url, body):
    answer = httpx.post(
        f"{url}/v1/chat/completions",
        headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
        content=body,
        trust_env=False,
        verify=NO_TLS,
    )
    message = answer.json()["error"]["message"]
    assert (answer.status_code, "\n" in message, len(message) < 300) == (400, False, True)


@pytest.mark.parametrize("path", ["/", "/ocr/", "/docs", "/openapi.json", "/v1/completions", "/../etc/passwd"])
def test_nothing_else_is_served(url, path):
    assert ask(url, path, method="GET", follow_redirects=False).status_code in {404, 405, 307}
