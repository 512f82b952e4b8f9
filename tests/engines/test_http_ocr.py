import json
import threading

import httpx
import pytest
from PIL import Image
from tests.engines.scripted_server import reply, serve

from misread.data.segment_table import Source, Word
from misread.engines import CaptureSettings, HttpOCR, Journal, Processes, Readings, UnreadableSourceError
from misread.engines.reading import OpenedReader
from misread.errors import CaptureFailedError, UnknownNameError


@pytest.fixture
def source(tmp_path):
    Image.new("L", (12, 5), 255).save(tmp_path / "a.png")
    return Source("a", tmp_path / "a.png")


def read(source, body, **settings):
    with serve(
        lambda handler, _: reply(handler, body if isinstance(body, str | bytes) else json.dumps(body))
    ) as server:
        reader = HttpOCR(url=server.url, attempts=1, **settings).open()
        try:
            return reader.read(source), server.asked
        finally:
            reader.close()


def test_a_capture_that_ends_does_not_wait_for_another_answer(tmp_path):
    sources = [Source(name, tmp_path / f"{name}.png") for name in ("never", "bad", "waiting")]
    for width, each in enumerate(sources, start=11):
        Image.new("L", (width, 5), 255).save(each.media)
    is_waiting, has_ended, was_waited_for = threading.Event(), threading.Event(), []

    def answer(handler, question):
        if b"never.png" in question.body:
            is_waiting.set()
            was_waited_for.append(not has_ended.wait(50))
        else:
            assert is_waiting.wait(50)
            reply(handler, "cannot be read", 422)

    with serve(answer) as server, Journal(tmp_path / "journal.jsonl", {}) as journal:
        engine = HttpOCR(url=server.url, timeout=60, concurrency=2)
        readings = Readings(sources, engine, Processes(), journal, CaptureSettings(max_failed=0))
        with pytest.raises(CaptureFailedError, match="The first is segment 'bad'"):
            readings.read()
        has_ended.set()
    assert was_waited_for == [False]
    # What was given up has not failed: it is asked for again.
    assert b"never" not in (tmp_path / "journal.jsonl").read_bytes()


@pytest.mark.parametrize(("given", "known"), [(8, 8), (None, None), ("8", None), (True, None)])
def test_the_batch_size_is_what_the_worker_says_and_the_version_its_header(source, given, known):
    answer, _ = read(source, {"text": "one", "batch_size": given})
    assert answer.batch_size == known
    assert answer.server_version.startswith("BaseHTTP/")


def test_what_a_server_calls_itself_has_no_token_in_it_and_is_short_and_visible(source, monkeypatch):
    monkeypatch.setenv("WORKER_TOKEN", "s3cret")

    def answer(handler, _):
        handler.server_version, handler.sys_version = f"s3cret\x9b{'x' * 200}", ""
        reply(handler, '{"text": "one"}')

    with serve(answer) as server:
        settings = {"url": server.url, "token_env": "WORKER_TOKEN", "attempts": 1}
        reader = OpenedReader(HttpOCR(**settings))
        version = reader.read([source], measure_memory=False)[0].server_version
        reader.close()
    assert (version.startswith("[token]"), version.isprintable(), len(version)) == (True, True, 100)


@pytest.mark.parametrize("confidence", [0, 0.0, 0.75, 1, 1.0, None])
def test_an_image_is_sent_as_a_form_and_text_and_confidence_come_back(source, confidence):
    body = json.dumps({"text": "one\ntwo\n", "confidence": confidence, "lines": [1]}, indent=3)
    answer, [question] = read(source, body)
    assert (answer.text, answer.confidence, answer.attempts, answer.raw) == ("one\ntwo\n", confidence, 1, body)
    assert question.path == "/ocr"
    assert question.headers["Content-Type"].startswith("multipart/form-data")
    assert b'name="file"; filename="a.png"\r\nContent-Type: image/png' in question.body
    assert source.media.read_bytes() in question.body


def test_a_form_is_sent_in_one_piece(source, monkeypatch):
    pieces = []
    send = httpx.HTTPTransport.handle_request

    def note(transport, request):
        pieces.append([piece for piece in request.stream if piece])
        return send(transport, request)

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", note)
    _, [question] = read(source, {"text": "one"})
    assert pieces == [[question.body]]


def test_words_come_with_their_confidences(source):
    words = [{"text": "one", "confidence": 0.5}, {"text": "two", "confidence": 1, "box": [1, 2]}]
    assert read(source, {"text": "one two", "words": words})[0].words == (Word("one", 0.5), Word("two", 1.0))
    assert read(source, {"text": "one two", "words": []})[0].words == ()
    assert read(source, {"text": "one two"})[0].words is None


NO_ANSWERS = (
    *("", "<html>Welcome</html>", "{", '{"text": "cut sh', "null", "[]", "{}", 9000 * "["),
    *('{"text": null}', '{"text": ["one"]}'),
)
NO_WORDS = ("one", ["one"], [{"text": "one"}], [{"confidence": 1}], {"one": 1}, 5)
NO_CONFIDENCES = (-0.01, 1.01, 87, "0.5", True, [0.5], float("nan"))
WRONG = [
    *((body, "^the answer is not JSON with a text$") for body in NO_ANSWERS),
    ('{"text": "one", "text": "two"}', "^the answer: 'text' occurs twice in one object"),
    *(({"words": words}, "is not a list of words, each with text and confidence") for words in NO_WORDS),
    ({"words": [{"text": "one", "confidence": 87}]}, "expected Words, each with a text and a confidence from 0 to 1"),
    *(({"confidence": number}, "the engine gave the confidence .* a number from 0 to 1") for number in NO_CONFIDENCES),
]


@pytest.mark.parametrize(("body", "said"), WRONG)
def test_what_is_not_an_answer_fails_and_is_kept(source, body, said):
    sent = body if isinstance(body, str) else json.dumps({"text": "one", **body})
    with pytest.raises(UnreadableSourceError, match=said) as caught:
        read(source, sent)
    assert body not in NO_ANSWERS or caught.value.raw == sent


@pytest.mark.parametrize(
    ("mode", "name", "form", "kind"),
    [
        *(("CMYK", "a.tif", "TIFF", "png"), ("RGBA", "a.png", "PNG", "png")),
        *(("RGB", "a.jpg", "JPEG", "jpeg"), ("RGB", "a.jpg", "PNG", "png")),
    ],
)
def test_other_images_are_sent_as_png_and_the_type_is_that_of_the_content(tmp_path, mode, name, form, kind):
    Image.new(mode, (12, 5)).save(tmp_path / name, form)
    _, [question] = read(Source("a", tmp_path / name), {"text": ""})
    assert f"Content-Type: image/{kind}".encode() in question.body
    assert ((tmp_path / name).read_bytes() in question.body) == (mode == "RGB")


def test_a_damaged_image_is_not_sent(source):
    source.media.write_bytes(source.media.read_bytes()[:-30])
    with serve(lambda handler, _: reply(handler, "{}")) as server:
        with pytest.raises(UnreadableSourceError, match=r"a\.png is damaged or cut short"):
            HttpOCR(url=server.url).open().read(source)
        assert server.asked == []


@pytest.mark.slow
def test_several_are_asked_for_at_a_time_over_one_client(source):
    together = []

    def answer(handler, _):
        together.append(1)
        while len(together) < 4:
            pass
        reply(handler, '{"text": "one"}')

    with serve(answer) as server:
        readings = list(Processes().run(HttpOCR(url=server.url, concurrency=4), [source] * 4))
    assert [(reading.text, reading.peak_memory_bytes) for reading in readings] == [("one", None)] * 4


def test_its_versions_are_settings_and_need_no_server():
    engine = HttpOCR(url="http://127.0.0.1:9001", version="5.5", medium="line_image")
    assert (engine.versions(), engine.reads) == ({"server": "http://127.0.0.1:9001", "version": "5.5"}, {"line_image"})


def test_another_medium_is_refused():
    with pytest.raises(UnknownNameError, match="unknown medium 'audio'"):
        HttpOCR(url="http://127.0.0.1:9001", medium="audio")
