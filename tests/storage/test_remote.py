"""Folders in object stores: copied once by content, and errors that name the setting."""

import hashlib
import json
import os
import shutil
import sys
import uuid
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar
from unittest.mock import Mock
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from misread.errors import ConfigurationError, InputFileError, MissingDataError, MissingDependencyError
from misread.storage.remote import CACHE, fetch_folder, fetch_path, has_copy, is_remote, local_folder

pytestmark = pytest.mark.slow

fsspec = pytest.importorskip("fsspec", reason="misread[remote] is not installed")

SETTING = "datasets.lines.root"


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def store(memory):
    """A store in memory, and the address of a folder in it that no other test has."""
    name = f"bucket-{uuid.uuid4().hex}"
    memory.pipe({f"/{name}/lines.csv": b"id,text\n1,one\n", f"/{name}/images/1.png": b"first"})
    yield memory, f"memory://{name}"
    for place in [place for place in memory.store if place.startswith(f"/{name}/")]:
        del memory.store[place]


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


FILES = {"lines.csv": b"id,text\n1,one\n", "images/1.png": b"first"}


def test_a_path_of_this_machine_is_itself(tmp_path):
    for root in (str(tmp_path), f"file://{tmp_path}"):
        assert not is_remote(root)
        assert fetch_folder(root, setting=SETTING) == local_folder(root, setting=SETTING) == tmp_path
    assert fetch_path("lines.csv", setting=SETTING) == Path("lines.csv")
    assert fetch_path(f"file://{tmp_path}/a%20b.csv", setting=SETTING) == tmp_path / "a b.csv"


STATES = st.binary(max_size=2) | st.dictionaries(
    st.sampled_from(["lines.csv", "images/1.png", ".hidden/x"]), st.binary(max_size=2), min_size=1
).filter(lambda files: {*files} != {".hidden/x"})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STATES, min_size=1, max_size=4))
def test_a_copy_is_what_the_store_has_now_and_earlier_ones_stay_as_they_were(memory, cache, states):
    """A state is the files of a folder, or the content of a file at its address."""
    address, copies = f"/{uuid.uuid4().hex}/folder", {}
    for state in states:
        for path in [path for path in memory.store if path.startswith(address)]:
            del memory.store[path]
        files = {f"/{name}": content for name, content in state.items()} if isinstance(state, dict) else {"": state}
        memory.pipe({address + name: content for name, content in files.items()})
        shown = {name[1:]: content for name, content in files.items() if ".hidden" not in name}
        copy = fetch_path(f"memory:/{address}", setting=SETTING)
        assert copy.name == "folder"
        copies[copy] = state if isinstance(state, bytes) else shown
        assert local_folder(f"memory:/{address}", setting=SETTING) == copy
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(memory), "get", lambda *_: pytest.fail("copied again"))
            assert fetch_path(f"memory:/{address}", setting=SETTING) == copy
        if isinstance(state, bytes):
            with pytest.raises(MissingDataError, match=rf"folder \(setting {SETTING}\) is a file; name the folder"):
                fetch_folder(f"memory:/{address}", setting=SETTING)
        for path, content in copies.items():
            assert (path.read_bytes() if isinstance(content, bytes) else contents(path)) == content
    shutil.rmtree(cache)
    assert not has_copy(f"memory:/{address}")
    refetch = fetch_path if isinstance(state, bytes) else local_folder
    assert refetch(f"memory:/{address}", setting=SETTING) == copy


def test_a_copy_that_did_not_come_to_its_end_is_none(store, monkeypatch, cache):
    memory, root = store
    get = type(memory).get

    def end_early(self, places, to):
        get(self, places[:1], to[:1])
        raise OSError("hung up")

    with monkeypatch.context() as patch:
        patch.setattr(type(memory), "get", end_early)
        with pytest.raises(MissingDataError, match="cannot be read: hung up"):
            fetch_folder(root, setting=SETTING)
    assert not has_copy(root)
    assert [path for path in cache.rglob("*") if path.is_file()] == []
    assert contents(local_folder(root, setting=SETTING)) == FILES
    assert has_copy(root)


def test_of_two_processes_that_copy_at_once_both_read_one_whole_copy(store, monkeypatch):
    memory, root = store
    get = type(memory).get

    def be_overtaken(self, places, to):
        monkeypatch.setattr(type(memory), "get", get)
        fetch_folder(root, setting=SETTING)
        get(self, places, to)

    monkeypatch.setattr(type(memory), "get", be_overtaken)
    copy = fetch_folder(root, setting=SETTING)
    assert contents(copy) == FILES
    assert len([*copy.parent.parent.iterdir()]) == 1


def test_a_copy_that_is_there_needs_no_store(store, monkeypatch):
    folder = fetch_folder(store[1], setting=SETTING)
    monkeypatch.setattr(fsspec.core, "url_to_fs", lambda _: pytest.fail("asked the store"))
    assert local_folder(store[1], setting=SETTING) == folder


@pytest.mark.parametrize(
    "address",
    [
        *("foo://bucket", "http://127.0.0.1:9/a", "https://example.org/a", "ftp://example.org/a", "memory://a"),
        *("zip://a::{archive}", "zip://::{archive}", "tar://a::{archive}", "reference://a::{archive}"),
        *("simplecache::s3://bucket/a", "filecache::file://{archive}", "dir://a::zip://::{archive}", "S3://bucket"),
        *("s3://bucket/a::zip://b", "gs://a::http://127.0.0.1:9/b", "s3://a::/etc/passwd"),
    ],
)
def test_a_store_of_another_kind_is_refused_unasked(address, tmp_path, cache, monkeypatch):
    """Among them those that unpack an archive, do what a file of references says, or ask any server."""
    archive = tmp_path / "lines.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a", "text")
    monkeypatch.setattr(fsspec.core, "url_to_fs", lambda _: pytest.fail("opened the store"))
    for fetch in (fetch_folder, fetch_path):
        refusal = (
            "there is no store of the kind .*; there are s3://, gs:// and|an address names one store; leave out :: and"
        )
        with pytest.raises(ConfigurationError, match=rf"setting data_root\): ({refusal})"):
            fetch(address.format(archive=archive), setting="data_root")
    assert not cache.exists()


def test_without_the_package_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'misread\[remote\]'"):
        fetch_folder("s3://bucket", setting=SETTING)


@pytest.fixture(scope="module")
def s3():
    """A server that speaks S3, with one bucket, and the variables by which it is found."""
    pytest.importorskip("s3fs", reason="misread[remote] is not installed")
    server = pytest.importorskip("moto.server", reason="moto is not installed")
    boto3 = pytest.importorskip("boto3", reason="moto is not installed")
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    variables = {
        "AWS_ENDPOINT_URL": "http://{}:{}".format(*running.get_host_and_port()),
        "AWS_ACCESS_KEY_ID": "reader",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_CONFIG_FILE": os.devnull,
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        client = boto3.client("s3")
        client.create_bucket(Bucket="lines")
        yield lambda name, content: client.put_object(Bucket="lines", Key=name, Body=content)
    running.stop()


@pytest.fixture(autouse=True)
def forget_sessions():
    """As another process would ask, which remembers nothing."""
    yield
    for module, name in (("s3fs", "S3FileSystem"), ("gcsfs", "GCSFileSystem")):
        if module in sys.modules:
            getattr(sys.modules[module], name).clear_instance_cache()


class _Google(BaseHTTPRequestHandler):
    """The part of Google's JSON API that reading needs, and a bucket that is not for everybody."""

    objects: ClassVar[dict[str, bytes]] = {}

    def do_GET(self):
        url = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(url.query).items()}
        bucket, _, name = url.path.partition("/b/")[2].partition("/o")
        name = unquote(name.lstrip("/"))
        if bucket in ("private", "unknown-token"):
            status = 403 if bucket == "private" else 401
            self._answer(status, {"error": {"message": "no access", "code": status}})
        elif bucket != "lines" or (name and name not in self.objects):
            self._answer(404, {"error": {"message": "not found"}})
        elif not name:
            found = [each for each in self.objects if each.startswith(asked.get("prefix", ""))]
            self._answer(200, {"items": [self._facts(each) for each in found]})
        else:
            self._answer(200, self.objects[name] if asked.get("alt") == "media" else self._facts(name))

    def _facts(self, name):
        content = self.objects[name]
        etag = hashlib.md5(content, usedforsecurity=False).hexdigest()
        return {"name": name, "bucket": "lines", "size": str(len(content)), "etag": etag, "md5Hash": etag}

    def _answer(self, status, content):
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="module")
def google():
    """A server that speaks the JSON API of Google Cloud Storage, with one bucket."""
    with pytest.MonkeyPatch.context() as patch, ThreadingHTTPServer(("127.0.0.1", 0), _Google) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        patch.setenv("STORAGE_EMULATOR_HOST", f"http://127.0.0.1:{server.server_port}")
        # It would ask for the kind of a bucket by gRPC, for which a server of this kind has no certificate.
        patch.setenv("GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT", "false")
        patch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
        pytest.importorskip("gcsfs", reason="misread[remote] is not installed")
        yield _Google.objects.__setitem__
        server.shutdown()


@pytest.fixture(params=["s3", "gs"])
def bucket(request):
    """Address of a folder in a bucket on a server, and the function that puts a file there."""
    put = request.getfixturevalue(SERVERS[request.param])
    folder = uuid.uuid4().hex
    for name, content in FILES.items():
        put(f"{folder}/{name}", content)
    return f"{request.param}://lines/{folder}", lambda name, content: put(f"{folder}/{name}", content)


SERVERS = {"s3": "s3", "gs": "google", "memory": "memory"}


def test_a_folder_on_a_server_is_copied_and_looked_at_again(bucket):
    address, put = bucket
    assert contents(fetch_folder(address, setting=SETTING)) == FILES
    put("2.png", b"second")
    assert contents(fetch_folder(address, setting=SETTING)) == {**FILES, "2.png": b"second"}


def test_a_file_on_a_server_is_copied_alone_and_again_where_it_changed(bucket):
    address, put = bucket
    for content in (b"id\n", b"id,text\n"):
        put("other.csv", content)
        file = fetch_path(f"{address}/other.csv", setting="--table")
        assert (file.name, contents(file.parent)) == ("other.csv", {"other.csv": content})


GOOGLE_KEY, NO_KEY = "GOOGLE_APPLICATION_CREDENTIALS", {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}


@pytest.mark.parametrize(
    ("address", "variables", "said"),
    [
        *(
            (address, {}, "there is no such bucket, or no file")
            for address in ("s3://none/a", "s3://lines/none", "gs://none/a", "gs://lines/none", "memory://none")
        ),
        ("s3://lines/a", NO_KEY, "credentials are missing.*set AWS_PROFILE, or AWS_ACCESS_KEY_ID"),
        ("gs://private/a", {}, f"credentials are missing.*set {GOOGLE_KEY}, or run"),
        ("gs://unknown-token/a", {}, f"credentials are missing.*set {GOOGLE_KEY}, or run"),
        ("gs://lines/a", {GOOGLE_KEY: "/nowhere/key.json"}, r"names /nowhere/key\.json, which is not a file; set"),
    ],
)
def test_what_a_server_does_not_give_is_named_with_what_to_set(request, monkeypatch, capfd, address, variables, said):
    request.getfixturevalue(SERVERS[address.partition(":")[0]])
    for name, value in variables.items():
        monkeypatch.delenv(name, raising=False)
        if value:
            monkeypatch.setenv(name, value)
    with pytest.raises(MissingDataError, match=rf"^{address} \(setting {SETTING}\).*{said}"):
        fetch_folder(address, setting=SETTING)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        (PermissionError("The provided token has expired."), MissingDataError, r"expired.*token has expired\); set"),
        ({"/x/../../etc/passwd": {"size": 1}}, InputFileError, "leads out of the folder"),
    ],
)
def test_what_a_store_answers_otherwise_is_refused(memory, monkeypatch, answer, error, said):
    monkeypatch.setattr(type(memory), "find", Mock(side_effect=[answer]))
    with pytest.raises(error, match=rf"setting {SETTING}.*{said}"):
        fetch_folder("memory://x", setting=SETTING)
