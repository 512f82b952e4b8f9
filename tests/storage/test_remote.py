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
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

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


def test_the_copy_has_the_files_of_the_folder_under_its_name(store):
    folder = fetch_folder(store[1], setting=SETTING)
    assert contents(folder) == FILES
    assert folder.name == store[1].removeprefix("memory://")


def test_a_folder_of_this_machine_is_itself(tmp_path):
    for root in (str(tmp_path), f"file://{tmp_path}"):
        assert not is_remote(root)
        assert fetch_folder(root, setting=SETTING) == local_folder(root, setting=SETTING) == tmp_path


def test_a_file_is_not_the_folder_of_a_data_set(store):
    with pytest.raises(MissingDataError, match=rf"lines\.csv \(setting {SETTING}\) is a file; name the folder"):
        fetch_folder(f"{store[1]}/lines.csv", setting=SETTING)


def test_an_address_may_become_a_file_and_a_folder_again(store):
    memory, root = store
    place = f"{root}/images"
    assert contents(fetch_path(place, setting=SETTING)) == {"1.png": b"first"}
    memory.rm(f"{place}/1.png")
    memory.pipe(place, b"now a file")
    assert fetch_path(place, setting=SETTING).read_bytes() == b"now a file"
    memory.rm(place)
    memory.pipe(f"{place}/2.png", b"second")
    assert contents(fetch_path(place, setting=SETTING)) == {"2.png": b"second"}


def test_a_path_of_this_machine_is_itself(tmp_path):
    assert fetch_path("lines.csv", setting=SETTING) == Path("lines.csv")
    assert fetch_path(f"file://{tmp_path}/a%20b.csv", setting=SETTING) == tmp_path / "a b.csv"


def test_only_what_changed_is_copied_again_and_the_earlier_copy_stays_as_it_was(store, monkeypatch):
    memory, root = store
    before = fetch_folder(root, setting=SETTING)
    with monkeypatch.context() as patch:
        patch.setattr(type(memory), "get", lambda *_: pytest.fail("copied again"))
        assert fetch_folder(root, setting=SETTING) == before
    memory.pipe(f"{root}/images/1.png", b"other")
    after = fetch_folder(root, setting=SETTING)
    assert (contents(after), contents(before)) == ({**FILES, "images/1.png": b"other"}, FILES)
    assert local_folder(root, setting=SETTING) == after
    assert after.name == before.name


def test_the_copy_of_what_was_fetched_last_is_read(store):
    memory, root = store
    memory.pipe(f"{root}/lines.csv", b"id,text\n1,another\n")
    fetch_folder(root, setting=SETTING)
    memory.pipe(f"{root}/lines.csv", FILES["lines.csv"])
    fetched = fetch_folder(root, setting=SETTING)
    assert (contents(local_folder(root, setting=SETTING)), local_folder(root, setting=SETTING)) == (FILES, fetched)


def test_a_file_that_is_gone_from_the_store_is_gone_from_the_copy(store):
    memory, root = store
    fetch_folder(root, setting=SETTING)
    memory.rm(f"{root}/images/1.png")
    assert contents(fetch_folder(root, setting=SETTING)) == {"lines.csv": FILES["lines.csv"]}


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


def test_hidden_files_are_left_out(store):
    store[0].pipe(f"{store[1]}/.hidden/x", b"")
    assert contents(fetch_folder(store[1], setting=SETTING)) == FILES


def test_a_copy_that_is_there_needs_no_store(store, monkeypatch):
    folder = fetch_folder(store[1], setting=SETTING)
    monkeypatch.setattr(fsspec.core, "url_to_fs", lambda _: pytest.fail("asked the store"))
    assert local_folder(store[1], setting=SETTING) == folder


def test_a_cache_that_was_cleared_is_filled_again(store, cache):
    fetch_folder(store[1], setting=SETTING)
    shutil.rmtree(cache)
    assert not has_copy(store[1])
    assert contents(local_folder(store[1], setting=SETTING)) == FILES


def test_a_name_that_leads_out_of_the_folder_is_refused(monkeypatch, store):
    monkeypatch.setattr(type(store[0]), "find", lambda *_, **__: {"/x/../../etc/passwd": {"size": 1}})
    with pytest.raises(InputFileError, match=rf"setting {SETTING}.*leads out of the folder"):
        fetch_folder("memory://x", setting=SETTING)


def test_a_folder_that_is_not_there_is_named_with_its_setting(memory):
    with pytest.raises(MissingDataError, match=rf"^memory://nothing \(setting {SETTING}\): there is no such"):
        fetch_folder("memory://nothing", setting=SETTING)


@pytest.mark.parametrize(
    "address",
    [
        *("foo://bucket", "http://127.0.0.1:9/a", "https://example.org/a", "ftp://example.org/a", "memory://a"),
        *("zip://a::{archive}", "zip://::{archive}", "tar://a::{archive}", "reference://a::{archive}"),
        *("simplecache::s3://bucket/a", "filecache::file://{archive}", "dir://a::zip://::{archive}", "S3://bucket"),
    ],
)
def test_a_store_of_another_kind_is_refused_unasked(address, tmp_path, cache, monkeypatch):
    """Among them those that unpack an archive, do what a file of references says, or ask any server."""
    archive = tmp_path / "lines.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a", "text")
    monkeypatch.setattr(fsspec.core, "url_to_fs", lambda _: pytest.fail("opened the store"))
    for fetch in (fetch_folder, fetch_path):
        with pytest.raises(
            ConfigurationError,
            match=r"setting data_root\): there is no store of the kind .*; there are s3://, gs:// and",
        ):
            fetch(address.format(archive=archive), setting="data_root")
    assert not cache.exists()


@pytest.mark.parametrize("address", ["s3://bucket/a::zip://b", "gs://a::http://127.0.0.1:9/b", "s3://a::/etc/passwd"])
def test_an_address_names_one_store(address, monkeypatch):
    monkeypatch.setattr(fsspec.core, "url_to_fs", lambda _: pytest.fail("opened the store"))
    with pytest.raises(ConfigurationError, match=r"setting data_root\): an address names one store; leave out :: and"):
        fetch_folder(address, setting="data_root")


def test_an_expired_credential_says_what_to_set(store, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError("The provided token has expired.")

    monkeypatch.setattr(type(store[0]), "find", refuse)
    with pytest.raises(MissingDataError, match=rf"setting {SETTING}.*credentials.*expired.*token has expired\); set"):
        fetch_folder("memory://x", setting=SETTING)


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
        for name, content in FILES.items():
            client.put_object(Bucket="lines", Key=f"printed/{name}", Body=content)
        yield client
    running.stop()


@pytest.fixture(autouse=True)
def forget_sessions():
    yield
    if s3fs := sys.modules.get("s3fs"):
        s3fs.S3FileSystem.clear_instance_cache()


def test_a_folder_on_a_server_of_s3_is_copied_and_looked_at_again(s3):
    assert contents(fetch_folder("s3://lines/printed", setting=SETTING)) == FILES
    s3.put_object(Bucket="lines", Key="printed/2.png", Body=b"second")
    assert contents(fetch_folder("s3://lines/printed", setting=SETTING)) == {**FILES, "2.png": b"second"}
    s3.delete_object(Bucket="lines", Key="printed/2.png")


def test_a_file_on_a_server_of_s3_is_copied_alone_and_again_where_it_changed(s3, cache):
    file = fetch_path("s3://lines/printed/lines.csv", setting="--table")
    assert (file.name, file.read_bytes()) == ("lines.csv", FILES["lines.csv"])
    assert len([path for path in cache.rglob("*") if path.is_file()]) == 1
    s3.put_object(Bucket="lines", Key="printed/other.csv", Body=b"id\n")
    assert fetch_path("s3://lines/printed/other.csv", setting="--table").read_bytes() == b"id\n"
    s3.put_object(Bucket="lines", Key="printed/other.csv", Body=b"id,text\n")
    assert fetch_path("s3://lines/printed/other.csv", setting="--table").read_bytes() == b"id,text\n"
    s3.delete_object(Bucket="lines", Key="printed/other.csv")


@pytest.mark.parametrize("root", ["s3://nothing-here/printed", "s3://lines/nothing"])
def test_a_bucket_or_folder_that_is_not_on_the_server_is_named(s3, root):
    with pytest.raises(MissingDataError, match=rf"^{root} \(setting {SETTING}\): there is no such bucket, or no file"):
        fetch_folder(root, setting=SETTING)


def test_missing_credentials_name_the_variables(s3, monkeypatch):
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(MissingDataError, match=r"credentials are missing.*set AWS_PROFILE, or AWS_ACCESS_KEY_ID"):
        fetch_folder("s3://lines/printed", setting=SETTING)


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
        _Google.objects = {f"printed/{name}": content for name, content in FILES.items()}
        yield _Google.objects
        server.shutdown()


@pytest.fixture
def google_again(google):
    """As another process would ask, which remembers nothing."""
    gcsfs = sys.modules["gcsfs"]
    gcsfs.GCSFileSystem.clear_instance_cache()
    yield google
    gcsfs.GCSFileSystem.clear_instance_cache()


def test_a_folder_on_a_server_of_google_is_copied_and_looked_at_again(google_again):
    assert contents(fetch_folder("gs://lines/printed", setting=SETTING)) == FILES
    google_again["printed/2.png"] = b"second"
    assert contents(fetch_folder("gs://lines/printed", setting=SETTING)) == {**FILES, "2.png": b"second"}
    del google_again["printed/2.png"]
    file = fetch_path("gs://lines/printed/lines.csv", setting="--table")
    assert (file.name, file.read_bytes()) == ("lines.csv", FILES["lines.csv"])


@pytest.mark.parametrize("root", ["gs://nothing-here/printed", "gs://lines/nothing"])
def test_a_bucket_or_folder_that_google_does_not_have_is_named(google_again, root):
    with pytest.raises(MissingDataError, match=rf"^{root} \(setting {SETTING}\): there is no such bucket, or no file"):
        fetch_folder(root, setting=SETTING)


@pytest.mark.parametrize("bucket", ["private", "unknown-token"])
def test_a_bucket_of_google_that_is_not_for_everybody_says_how_to_sign_in(google_again, bucket, capfd):
    with pytest.raises(MissingDataError, match=r"credentials are missing.*set GOOGLE_APPLICATION_CREDENTIALS, or run"):
        fetch_folder(f"gs://{bucket}/printed", setting=SETTING)
    assert capfd.readouterr().err == ""


def test_credentials_of_google_that_are_not_there_are_named(google_again, monkeypatch):
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere/key.json")
    with pytest.raises(
        MissingDataError, match=rf"setting {SETTING}.*names /nowhere/key\.json, which is not a file; set"
    ):
        fetch_folder("gs://lines/printed", setting=SETTING)
