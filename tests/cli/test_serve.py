import signal
import socket
import sys

import pytest

from misread.serve import worker


@pytest.fixture
def run_with(monkeypatch):
    """What a worker would be run with."""
    runs = []
    monkeypatch.setattr(worker, "run_worker", lambda *arguments, **options: runs.append((arguments, options)))
    return runs


def test_a_worker_reads_pages_at_the_port_of_the_specification(misread, run_with):
    assert misread("serve", "tesseract").status == 0
    [((name, engine), options)] = run_with
    assert (name, engine.reads, engine.language) == ("tesseract", {"page_image"}, "eng")
    assert (options["host"], options["port"], options["token"]) == ("127.0.0.1", 9001, "")


def test_settings_of_the_engine_are_those_of_the_configuration(misread, run_with):
    misread("serve", "tesseract", "--set", "page_segmentation=single_line", "--set", "language=deu")
    misread("serve", "rapidocr", "--set", "detection=false", "--processes", "2")
    (_, tesseract), (_, rapidocr) = (arguments for arguments, _ in run_with)
    assert (tesseract.page_segmentation, tesseract.language) == ("single_line", "deu")
    assert rapidocr.reads == {"line_image"}
    assert run_with[1][1]["limits"].processes == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tesserakt"], "unknown engine 'tesserakt' in misread serve. Did you mean 'tesseract'?"),
        (["tesseract", "--set", "langauge=deu"], "Did you mean 'language'?"),
        (["tesseract", "--set", "page_segmentation=atuo"], "Did you mean 'auto'?"),
        (["tesseract", "--set", "language"], "--set 'language': expected NAME=VALUE"),
        (["tesseract", "--set", "language=[eng]"], "expected text"),
        (["rapidocr", "--set", "detection=maybe"], "detection"),
        (["rapidocr", "--set", "detection={"], "--set detection={ is not valid YAML"),
        (["tesseract", "--token-env", "NOT_SET"], "the environment variable NOT_SET (token_env) is not set"),
        (["tesseract", "--processes", "0"], "processes of the worker is 0, expected more than 0"),
    ],
)
def test_what_cannot_be_is_one_line(misread, run_with, arguments, said):
    done = misread("serve", *arguments)
    assert (done.status, done.err.count("\n"), said in done.err) == (1, 1, True), done.err
    assert not run_with


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_a_worker_for_this_machine_needs_no_token(misread, run_with, host):
    assert misread("serve", "tesseract", "--host", host).err == ""


def test_a_worker_for_everybody_without_a_token_is_warned_of(misread, run_with, monkeypatch):
    monkeypatch.setenv("WORKER_TOKEN", "x")
    everywhere = ("serve", "tesseract", "--host", "0.0.0.0")  # noqa: S104  nothing listens
    assert "anyone who can reach 0.0.0.0 may use" in misread(*everywhere).err
    assert misread(*everywhere, "--token-env", "WORKER_TOKEN").err == ""


def test_a_port_that_is_taken_is_one_line(misread):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = misread("serve", "tesseract", "--port", taken.getsockname()[1])
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert "Address already in use" in done.err
    assert "choose another --host or --port" in done.err


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_is_none_is_one_line(misread, port):
    done = misread("serve", "tesseract", "--port", port)
    assert (done.status, "choose another" in done.err) == (1, True)


@pytest.mark.parametrize("package", ["uvicorn", "python_multipart", "PIL"])
def test_a_missing_package_names_the_line_that_installs_it(misread, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    done = misread("serve", "tesseract")
    assert (done.status, "pip install 'misread[serve]'" in done.err) == (1, True)


def test_a_model_that_is_not_there_ends_the_worker_with_one_line_and_leaves_signals_as_they_were(misread):
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    done = misread("serve", "tesseract", "--port", 0, "--set", "language=xyz")
    assert (done.status, done.err.count("error: ")) == (1, 1)
    assert "Tesseract cannot load language 'xyz'" in done.err
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before
