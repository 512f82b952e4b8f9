import gzip
import json
import logging
import socket
import ssl
import struct
import threading
import time
import tracemalloc
from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime
from functools import cache
from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.scripted_server import reply, serve

from misread.engines import UnreadableSourceError
from misread.engines.http_client import HttpClient, HttpSettings
from misread.engines.server_errors import seconds_to_wait
from misread.errors import ConfigurationError, ServerError

pytestmark = pytest.mark.slow

SECRET = "sk-planted-5ecret"  # noqa: S105  what must be nowhere

VARIABLE = "OCR_TOKEN"


def ask(url, **settings):
    client = HttpClient(HttpSettings(url=url, **{"backoff": 0.01, "timeout": 5.0, **settings}))
    try:
        return client.post("/ocr", content=b"pixels")
    finally:
        client.close()


def answers(*answers, **server):
    """A script that gives these answers one after the other, the last one from then on."""
    left = list(answers)

    def answer(handler, _):
        body, status, *headers = left.pop(0) if len(left) > 1 else left[0]
        reply(handler, body, status, **(headers[0] if headers else {}))

    return serve(answer, **server)


def test_an_answer_comes_with_its_attempts_and_its_time():
    with answers(("yes", 200)) as server:
        found = ask(server.url)
    assert (found.text, found.attempts) == ("yes", 1)
    assert 0 < found.seconds < 5
    assert [(question.path, question.body) for question in server.asked] == [("/ocr", b"pixels")]


def test_one_connection_serves_many_questions():
    connections = set()

    def answer(handler, _):
        connections.add(handler.client_address)
        reply(handler, "yes")

    with serve(answer, keeps_connections=True) as server:
        client = HttpClient(HttpSettings(url=server.url))
        for _ in range(5):
            assert client.post("/ocr", content=b"pixels").text == "yes"
        client.close()
    assert len(connections) == 1


# Failures that may be gone


@pytest.fixture
def listening():
    """A socket that waits for connections, and its address."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        listening.settimeout(10)
        yield listening, f"127.0.0.1:{listening.getsockname()[1]}"


@pytest.mark.parametrize("status", [408, 409, 425, 429, 498, 500, 502, 503, 504, *range(520, 528), 529, 530, 598])
def test_a_failure_that_may_be_gone_is_tried_again(status):
    with answers(("busy", status), ("busy", status), ("yes", 200)) as server:
        assert ask(server.url).attempts == 3


def test_the_server_says_how_long_to_wait_and_the_time_of_an_answer_has_no_waiting_in_it():
    with answers(("busy", 503, {"Retry_After": "1"}), ("yes", 200)) as server:
        start = time.monotonic()
        found = ask(server.url, backoff=0.0)
        assert time.monotonic() - start >= 1
    assert found.attempts == 2
    assert found.seconds < 0.9


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        *(({"retry-after": value}, None) for value in ("soon", "-3", "", "nan", "inf", "1e3", "7 apples", "٣")),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 3.5 "}, 3.5),
        ({"retry-after": ".5"}, 0.5),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "20s"}, 20.0),
        ({"retry-after": "7", "retry-after-ms": "6500"}, 6.5),
        ({"retry-after": "7", "retry-after-ms": "soon"}, 7.0),
        ({"x-ms-retry-after-ms": "1500"}, 1.5),
    ],
)
def test_seconds_to_wait_are_read(headers, seconds):
    assert seconds_to_wait(headers) == (None if seconds is None else pytest.approx(seconds))


@given(st.text(), st.sampled_from(["retry-after", "retry-after-ms"]))
def test_whatever_a_server_asks_to_wait_is_seconds_or_nothing(value, name):
    seconds = seconds_to_wait({name: value})
    assert seconds is None or seconds >= 0


def test_a_date_to_wait_for_is_read():
    later = datetime.now(UTC) + timedelta(seconds=100)
    east = later.astimezone(timezone(timedelta(hours=9)))
    forms = [format_datetime(later, usegmt=True), format_datetime(later.replace(tzinfo=None)), format_datetime(east)]
    for date in [*forms, later.strftime("%a %b %d %H:%M:%S %Y")]:
        assert 95 < seconds_to_wait({"retry-after": date}) <= 100, date
    assert seconds_to_wait({"retry-after": format_datetime(later - timedelta(days=1), usegmt=True)}) == 0


def test_waits_double_and_vary():
    settings = HttpSettings(url="http://127.0.0.1:1", backoff=1.0)
    client = HttpClient(settings)
    state = type("State", (), {"outcome": None, "attempt_number": 1})
    waits = {}
    for number in (1, 2, 3):
        state.attempt_number = number
        waits[number] = {client._seconds_to_wait(state) for _ in range(50)}
    client.close()
    for number, least in ((1, 1), (2, 2), (3, 4)):
        assert len(waits[number]) > 40
        assert all(least <= wait <= least + 1 for wait in waits[number])


def test_a_connection_lost_in_an_answer_is_tried_again():
    def answer(handler, _):
        if len(server.asked) == 1:
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhal")
            handler.close_connection = True
        else:
            reply(handler, "whole")

    with serve(answer) as server:
        found = ask(server.url)
    assert (found.text, found.attempts) == ("whole", 2)


def test_an_answer_that_does_not_come_in_time_is_tried_again():
    def answer(handler, _):
        if len(server.asked) == 1:
            time.sleep(1)
        reply(handler, "late")

    with serve(answer) as server:
        assert ask(server.url, timeout=0.3).attempts == 2


OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("head", "part", "pause"),
    [
        (OK + b"\r\n", b"x", 0.02),
        (OK, b"X-Drip: 1\r\n", 0.05),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.0),
        (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n", 0.05),
        (CHUNKED + b"5;drip=", b"x", 0.05),
        (CHUNKED + b"3\r\nyes\r\n0\r\n", b"X-Drip: 1\r\n", 0.05),
        (OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"")[:10], b"\0\0\0\xff\xff", 0.05),
    ],
    ids=["text", "headers", "100", "103", "extension of a chunk", "trailers", "gzip of nothing"],
)
def test_a_server_that_never_comes_to_an_end_is_hung_up_at_the_time_limit_and_asked_again(head, part, pause):
    """It gives up after 5 s by itself, for a client that does not."""

    def answer(handler, _):
        deadline = time.monotonic() + 5
        handler.wfile.write(head)
        while time.monotonic() < deadline:
            handler.wfile.write(part)
            time.sleep(pause)

    with (
        serve(answer) as server,
        pytest.raises(UnreadableSourceError, match=r"within 0\.2 s \(2 attempts\)$") as caught,
    ):
        ask(server.url, timeout=0.2, attempts=2)
    assert len(server.asked) == 2
    assert part != b"x" or head == CHUNKED + b"5;drip=" or caught.value.raw.startswith("xx")


def test_a_server_that_takes_a_question_slowly_is_hung_up_at_the_time_limit(listening):
    waiting, address = listening
    client = HttpClient(HttpSettings(url=f"http://{address}", timeout=0.3, attempts=1))
    thread, failed = ask_apart(client, bytes(100_000_000))
    connected, _ = waiting.accept()
    with connected:
        deadline = time.monotonic() + 5
        while thread.is_alive() and time.monotonic() < deadline:
            connected.recv(400_000)
            time.sleep(0.005)
        assert failed == ["no answer within 0.3 s"]
    client.close()


def ask_apart(client, content=b""):
    """A thread that asks a server, and the list that gets the reason why it could not."""
    failed = []

    def post():
        try:
            client.post("/ocr", content=content)
        except UnreadableSourceError as error:
            failed.append(str(error))

    thread = threading.Thread(target=post, daemon=True)
    thread.start()
    return thread, failed


def test_waiting_ends_when_the_capture_is_given_up():
    with answers(("busy", 503, {"Retry_After": "500"})) as server:
        client = HttpClient(HttpSettings(url=server.url))
        thread, failed = ask_apart(client)
        deadline = time.monotonic() + 10
        while not server.asked and time.monotonic() < deadline:
            time.sleep(0.01)
        client.close()
        thread.join(10)
        assert len(failed) == 1


@pytest.mark.parametrize("begun", [b"", OK + b"\r\nhal"], ids=["nothing", "a half without its length"])
def test_an_answer_that_never_comes_is_not_waited_for_when_the_capture_is_given_up(begun):
    asked, released = threading.Event(), threading.Event()

    def answer(handler, _):
        handler.wfile.write(begun)
        asked.set()
        released.wait(60)

    with serve(answer) as server:
        client = HttpClient(HttpSettings(url=server.url, timeout=60))
        thread, failed = ask_apart(client)
        assert asked.wait(10)
        client.close()
        thread.join(20)
        released.set()
        assert len(failed) == 1


def test_a_connection_that_is_never_secured_is_not_waited_for_when_the_capture_is_given_up(listening):
    waiting, address = listening
    client = HttpClient(HttpSettings(url=f"https://{address}", timeout=60))
    thread, failed = ask_apart(client)
    connected, _ = waiting.accept()
    with connected:
        # The first bytes of a handshake, to which nothing is said.
        assert connected.recv(1)
        client.close()
        thread.join(20)
        assert len(failed) == 1


def test_a_connection_that_is_made_while_the_capture_is_given_up_is_ended():
    with answers(("yes", 200)) as server:
        client = HttpClient(HttpSettings(url=server.url))
        client._closed.set()
        with pytest.raises(UnreadableSourceError):
            client.post("/ocr", content=b"")
        client.close()
    assert server.asked == []


# Failures of one segment


def packed(body, encoding, status=200):
    return body, status, {"Content_Encoding": encoding}


WHOLE = gzip.compress(b"hello world")
CUT = (b"", WHOLE[:5], WHOLE[:-10], WHOLE[:-1], WHOLE[:-8] + bytes(8), b"hello world", WHOLE + b"more")
TWICE = gzip.compress(WHOLE)
OTHER_PACKING = ("gzip, gzip", "gzip,identity,gzip", "deflate", "br", "zstd", "x-unknown")


FAILS, ENDS = UnreadableSourceError, ServerError
ANSWERS = [
    *(([(b"it is\n broken", s)], 1, FAILS, f"^the server answers {s}: it is") for s in (400, 413, 415, 422, 418, 501)),
    ([(b"first", 503), (b"over quota", 429)], 2, FAILS, "^the server answers 429: over quota"),
    *(([packed(b"no gzip", encoding, 429)], 2, FAILS, "^the server answers 429") for encoding in ("gzip", "br")),
    *(([packed(body, "gzip")], 2, FAILS, "^the gzip of the answer is damaged: ") for body in CUT),
    ([(b'{"text":"a\xff\xfeb"}', 200)], 1, FAILS, "^the answer is not valid UTF-8: byte 0xff at 10"),
    ([(b'{"text":"\xe9"}', 200)], 1, FAILS, "^the answer is not valid UTF-8: byte 0xe9 at 9"),
    *(
        ([packed(TWICE, name)], 1, ENDS, f"^URL answers with Content-Encoding: {name}, expected")
        for name in OTHER_PACKING
    ),
    *(([(b"Not Found", status)], 1, ENDS, f"^/ocr .* set at URL: .* {status}: Not Found") for status in (404, 405)),
    ([(b"", 302, {"Location": "http://other/ocr"})], 1, ENDS, "redirects to http://other/ocr, which is not followed"),
]


@pytest.mark.parametrize(("answered", "times", "error", "said"), ANSWERS)
def test_an_answer_that_cannot_be_used_fails_its_segment_or_ends_the_capture(answered, times, error, said):
    """What is told of the content or of the server counts at once, other failures count after the last attempt."""
    with answers(*answered) as server, pytest.raises(error, match=said.replace("URL", server.url)) as caught:
        ask(server.url, attempts=2)
    assert ("\n" in str(caught.value), len(server.asked)) == (False, times)
    body, _, *is_packed = answered[-1]
    if error is FAILS:
        assert caught.value.attempts == times
        assert str(caught.value).endswith("(2 attempts)") == (times == 2)
        assert is_packed or caught.value.raw == body.decode(errors="replace")


@pytest.mark.parametrize("answered", [(b"x" * 1000, 200), packed(gzip.compress(b"x" * 1000), "gzip")])
def test_an_answer_of_exactly_the_limit_is_taken_and_a_longer_one_is_not(answered):
    with answers(answered) as server:
        assert len(ask(server.url, max_answer_bytes=1000).text) == 1000
        with pytest.raises(UnreadableSourceError, match=r"longer than 999 bytes \(max_answer_bytes\)") as caught:
            ask(server.url, max_answer_bytes=999)
        assert caught.value.raw.startswith("x" * 999)


# Answers that are packed


def test_answers_are_asked_for_as_they_are_and_taken_with_one_layer_of_gzip():
    for body, encoding in ((b"hello world", "identity"), (WHOLE, "gzip"), (WHOLE, "GZip")):
        with answers(packed(body, encoding)) as server:
            assert ask(server.url).text == "hello world"
        assert server.asked[0].headers["Accept-Encoding"] == "identity"


@cache
def bomb(layers):
    return gzip.compress(bomb(layers - 1) if layers > 1 else bytes(50_000_000))


@pytest.mark.parametrize(("encoding", "layers"), [("gzip", 1), ("gzip, gzip", 2), ("gzip, gzip, gzip", 3)])
def test_a_bomb_takes_no_more_memory_than_the_limit_of_an_answer(encoding, layers):
    body = bomb(layers)
    with answers(packed(body, encoding)) as server:
        tracemalloc.start()
        try:
            with pytest.raises((UnreadableSourceError, ServerError), match=r"longer than 1,000,000 bytes|or gzip once"):
                ask(server.url, max_answer_bytes=1_000_000)
            most = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert most < 5_000_000


# A server that cannot be used


def test_where_nothing_answers_the_setting_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(ServerError, match=rf"^nothing answers at {url}: .*refused; start the server, or set `url` of"):
        ask(url, attempts=2)


def test_a_server_that_goes_away_ends_the_capture_and_fails_no_segment():
    with answers(("yes", 200)) as server:
        client = HttpClient(HttpSettings(url=server.url, backoff=0.01, attempts=2))
        client.post("/ocr", content=b"")
    with pytest.raises(ServerError, match=rf"^{server.url} answered before and went away: .*refused; start the server"):
        client.post("/ocr", content=b"")
    client.close()


def test_a_server_that_still_accepts_connections_while_it_ends_fails_no_segment(listening):
    waiting, address = listening
    url = f"http://{address}"

    def end():
        for is_last in (False, True):
            connected, _ = waiting.accept()
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connected.recv(9)
            if is_last:
                waiting.close()
            # Linger of 0 s: the connection is reset.
            connected.close()

    thread = threading.Thread(target=end, daemon=True)
    thread.start()
    with pytest.raises(ServerError, match=rf"^nothing answers at {url}: the connection was lost"):
        ask(url, attempts=2)
    thread.join()


def test_a_server_that_is_asked_whether_it_is_there_has_no_longer_than_for_an_answer(listening):
    """It breaks off the question and answers HEAD header by header, for 5 s if nobody hangs up."""
    hung_up = threading.Event()
    waiting, address = listening

    def drip():
        waiting.accept()[0].close()
        connected, _ = waiting.accept()
        deadline = time.monotonic() + 5
        with connected:
            try:
                connected.sendall(OK)
                while time.monotonic() < deadline:
                    connected.sendall(b"X-Drip: 1\r\n")
                    time.sleep(0.05)
            except OSError:
                hung_up.set()

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    with pytest.raises(UnreadableSourceError, match="connection was lost"):
        ask(f"http://{address}", timeout=0.3, attempts=1)
    thread.join(10)
    assert hung_up.is_set()


def test_a_server_that_breaks_off_one_question_alone_fails_that_segment():
    def answer(handler, _):
        handler.close_connection = True

    with serve(answer) as server, pytest.raises(UnreadableSourceError, match=r"connection was lost.* \(2 attempts\)"):
        ask(server.url, attempts=2)


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_token_ends_the_capture_and_names_the_variable(monkeypatch, status):
    monkeypatch.setenv("OCR_TOKEN", SECRET)
    with answers(("no", status)) as server:
        with pytest.raises(
            ServerError, match=rf"refuses access \({status}\); look at the environment variable OCR_TOKEN"
        ):
            ask(server.url, token_env=VARIABLE)
        with pytest.raises(ServerError, match=r"set token_env to that of its token"):
            ask(server.url)
    assert len(server.asked) == 2


def test_a_server_without_a_secure_connection_is_named():
    with (
        answers(("yes", 200)) as server,
        pytest.raises(ServerError, match="has no secure connection that can be trusted"),
    ):
        ask(server.url.replace("http:", "https:"))


@pytest.fixture
def self_signed(tmp_path):
    """File of a key and a certificate for 127.0.0.1 that nobody else has signed."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=True)
        .sign(key, hashes.SHA256())
    )
    form = serialization.PrivateFormat.PKCS8
    private = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    path = tmp_path / "server.pem"
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


def test_certificates_are_read_for_a_secure_connection_alone(monkeypatch):
    read = []
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", lambda *_, **__: read.append(True))
    for scheme, times in (("http", 0), ("https", 1)):
        HttpClient(HttpSettings(url=f"{scheme}://127.0.0.1")).close()
        assert len(read) == times


def test_a_certificate_that_nobody_signed_ends_the_capture_before_anything_is_sent(self_signed):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(self_signed)
    said = r"has no secure connection that can be trusted: .*self-signed certificate"
    with answers(("yes", 200), tls=context) as server, pytest.raises(ServerError, match=said):
        ask(server.url)
    assert server.asked == []


# Settings


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        *(
            ({"url": url}, "url .*expected http://HOST:PORT")
            for url in ("", "127.0.0.1:9000", "ftp://127.0.0.1", "http://", "file:///etc/passwd", SECRET)
        ),
        *(
            ({"url": url.replace("*", SECRET)}, r"url of the server host has .* set token_env")
            for url in ("https://me:*@host", "https://*@host/v1", "https://host/v1?key=*", "https://host#*")
        ),
        *(
            ({"url": "http://host", name: 0}, f"{name} is 0, expected more than 0")
            for name in ("concurrency", "timeout", "attempts", "max_answer_bytes")
        ),
    ],
)
def test_a_setting_that_cannot_be_used_is_named_and_no_secret_is_repeated(settings, said):
    with pytest.raises(ConfigurationError, match=said) as caught:
        HttpSettings(**settings)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("value", [None, "", "  ", "two\nlines", "ä"])
def test_a_variable_without_a_token_is_named(monkeypatch, value):
    monkeypatch.delenv("OCR_TOKEN", raising=False)
    if value is not None:
        monkeypatch.setenv("OCR_TOKEN", value)
    with pytest.raises(ConfigurationError, match=r"the environment variable OCR_TOKEN \(token_env\) "):
        ask("http://127.0.0.1:1", token_env=VARIABLE)


# Secrets


def test_a_token_is_sent_and_is_in_nothing_that_is_said(monkeypatch, caplog):
    monkeypatch.setenv("OCR_TOKEN", f"{SECRET}\n")
    caplog.set_level(logging.INFO)

    def answer(handler, question):
        status = {1: 200, 2: 400, 3: 503}[min(len(server.asked), 3)]
        reply(handler, json.dumps({"headers": question.headers}), status, Location=f"http://x/{SECRET}")

    with serve(answer) as server:
        client = HttpClient(HttpSettings(url=server.url, token_env=VARIABLE, attempts=2, backoff=0.01))
        said = [client.post("/ocr", content=b"").text, repr(client), repr(client.settings)]
        for _ in range(2):
            with pytest.raises(UnreadableSourceError) as caught:
                client.post("/ocr", content=b"")
            said += [str(caught.value), caught.value.raw]
        client.close()
    assert server.asked[0].headers["Authorization"] == f"Bearer {SECRET}"
    assert "Bearer [token]" in said[0]
    assert not [text for text in [*said, caplog.text] if SECRET in text]
