"""Connections that ask nothing, ask slowly, or take no answer, at a server in this process."""

import asyncio
import socket
import threading
import time
from contextlib import ExitStack, contextmanager, suppress

import pytest
import uvicorn

from misread.serve.limits import WorkerLimits
from misread.serve.worker import WaitingConnections

pytestmark = pytest.mark.slow

SLOW = b"GET /slow HTTP/1.1\r\nHost: here\r\n\r\n"
MUCH = b"GET /large HTTP/1.1\r\nHost: here\r\n\r\n"
GET = b"GET / HTTP/1.1\r\nHost: here\r\n"
POST = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000\r\n\r\n"
LARGE = 20_000_000  # more than the system keeps of what is sent
# What a connection may have sent without asking anything, or without asking more.
UNFINISHED = {
    "nothing": b"",
    "no whole header": GET,
    "one question": GET + b"\r\n",
    "one question and a half": GET + b"\r\n" + GET,
    "an answer before all was sent": POST,
}
ASKED = threading.Event()  # something slow


async def answer(scope, _, send):
    if scope["type"] == "http":
        if scope["path"] == "/slow":
            ASKED.set()
            await asyncio.sleep(0.7)
        size = LARGE if scope["path"] == "/large" else 1000
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % size)]})
        await send({"type": "http.response.body", "body": bytes(size)})


@contextmanager
def serving(**limits):
    """Port of a server with these limits."""
    listener = socket.create_server(("127.0.0.1", 0))
    connect = WaitingConnections(WorkerLimits(**limits)).connect
    server = uvicorn.Server(uvicorn.Config(answer, http=connect, lifespan="off", log_level="warning"))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="module")
def impatient():
    with serving(connection_timeout=0.3, timeout=0.3) as port:
        yield port


def connect(port, sent=b""):
    connection = socket.create_connection(("127.0.0.1", port), 10)
    connection.sendall(sent)
    return connection


def is_closed(connection, seconds):
    """Whether the other end closes a connection in time; what it says until then is read."""
    connection.settimeout(seconds)
    try:
        while connection.recv(100_000):
            pass
    except TimeoutError:
        return False
    except ConnectionResetError:
        return True
    return True


def are_closed(connections):
    """Which of these are closed in a fifth of a second."""
    time.sleep(0.2)
    return [is_closed(connection, 0.001) for connection in connections]


def drips(connection, drip):
    """Whether a connection is still open, and takes a little more."""
    if is_closed(connection, 0.01):
        return False
    try:
        connection.sendall(drip)
    except OSError:
        return False
    return True


@pytest.mark.parametrize("drip", [b"", b"x"], ids=["", "dripping"])
def test_connections_without_a_whole_header_are_closed_in_time(impatient, drip):
    """Uvicorn closes after 5 s those that are silent after their answer."""
    with ExitStack() as opened:
        left = {name: opened.enter_context(connect(impatient, sent)) for name, sent in UNFINISHED.items()}
        deadline = time.monotonic() + 3
        while left:
            assert time.monotonic() < deadline, left.keys()
            left = {name: connection for name, connection in left.items() if drips(connection, drip)}


def test_who_takes_no_answer_is_hung_up(impatient):
    """Questions are sent on and on, their answers never read."""
    with connect(impatient) as connection:
        connection.settimeout(3)
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            connection.sendall(1_000_000 * (GET + b"\r\n"))


def test_an_answer_may_be_taken_slowly():
    with (
        serving(connection_timeout=0.3) as port,
        connect(port, MUCH) as connection,
    ):
        time.sleep(0.8)
        taken = 0
        while taken < LARGE:
            part = connection.recv(1_000_000)
            assert part
            taken += len(part)


def test_a_question_may_take_longer_than_its_header(impatient):
    with connect(impatient, SLOW) as connection:
        connection.settimeout(5)
        assert connection.recv(100).startswith(b"HTTP/1.1 200 OK")


def test_of_too_many_that_wait_the_one_that_waits_longest_is_closed_and_none_that_asked():
    ASKED.clear()
    with serving(connections=3) as port, ExitStack() as opened:
        asking = opened.enter_context(connect(port, SLOW))
        assert ASKED.wait(10)
        waiting = [opened.enter_context(connect(port)) for _ in range(5)]
        assert are_closed(waiting) == [True, True, False, False, False]
        asking.settimeout(5)
        assert asking.recv(100).startswith(b"HTTP/1.1 200 OK")
        # A question counts no longer, and an answer counts again.
        assert are_closed(waiting[2:]) == [True, False, False]


def test_who_has_not_sent_a_whole_question_is_one_that_waits():
    part = b"POST /slow HTTP/1.1\r\nHost: here\r\nContent-Length: 2\r\n\r\nx"
    ASKED.clear()
    with serving(connections=2) as port, ExitStack() as opened:
        whole = opened.enter_context(connect(port, part + b"y"))
        assert ASKED.wait(10)
        sending = [opened.enter_context(connect(port, part)) for _ in range(3)]
        assert are_closed(sending) == [True, False, False]
        whole.settimeout(5)
        assert whole.recv(100).startswith(b"HTTP/1.1 200 OK")


def test_who_takes_no_answer_is_one_that_waits():
    with serving(connections=1) as port, connect(port, MUCH) as slow:
        assert slow.recv(1)
        with connect(port) as other:
            assert not is_closed(other, 0.2)
        slow.settimeout(10)
        taken = 1
        with suppress(ConnectionResetError):
            while part := slow.recv(1_000_000):
                taken += len(part)
        assert taken < LARGE
