"""Vocabularies for tiktoken, without a network."""

from __future__ import annotations

import gzip
import hashlib
import inspect
import socket
from importlib.machinery import ModuleSpec

import pytest
import tiktoken
import tiktoken_ext.openai_public
from tiktoken.load import read_file_cached

from misread.engines import token_encodings
from misread.engines.token_encodings import ENCODINGS, cache_folder, get_encoding, write_vocabulary
from misread.errors import ConfigurationError, InputFileError, MissingDependencyError, UnknownNameError


@pytest.mark.parametrize("name", sorted(ENCODINGS))
def test_places_and_hashes_are_those_of_tiktoken(name: str) -> None:
    source = inspect.getsource(getattr(tiktoken_ext.openai_public, name))
    assert ENCODINGS[name].address in source
    assert ENCODINGS[name].sha256 in source


def test_what_is_written_is_what_tiktoken_finds_without_a_network(tmp_path, monkeypatch) -> None:
    def no_network(*arguments: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(socket, "socket", no_network)
    vocabulary = ENCODINGS["cl100k_base"]
    path = write_vocabulary("cl100k_base", tmp_path)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == vocabulary.sha256
    assert read_file_cached(vocabulary.address, vocabulary.sha256) == path.read_bytes()
    assert isinstance(get_encoding("cl100k_base"), tiktoken.Encoding)


def test_a_broken_file_is_written_anew_and_a_right_one_is_left_alone(tmp_path) -> None:
    path = write_vocabulary("cl100k_base", tmp_path)
    path.write_bytes(b"broken")
    assert write_vocabulary("cl100k_base", tmp_path).stat().st_size > 1_000_000
    before = path.stat().st_mtime_ns
    write_vocabulary("cl100k_base", tmp_path)
    assert path.stat().st_mtime_ns == before


def test_another_vocabulary_is_refused_and_nothing_is_written(tmp_path, monkeypatch) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "cl100k_base.tiktoken.gz").write_bytes(gzip.compress(b"other"))
    package = ModuleSpec("bpe_openai", None, origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(token_encodings, "find_spec", lambda _: package)
    with pytest.raises(InputFileError, match="is not the vocabulary cl100k_base"):
        write_vocabulary("cl100k_base", tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_an_unknown_encoding_lists_the_choices(tmp_path) -> None:
    with pytest.raises(UnknownNameError, match="There are: cl100k_base, o200k_base"):
        write_vocabulary("cl100k", tmp_path)


def test_missing_vocabularies_name_the_line_that_installs_them(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(token_encodings, "find_spec", lambda _: None)
    with pytest.raises(MissingDependencyError, match=r"need bpe-openai: pip install 'misread\[tokens\]'"):
        write_vocabulary("o200k_base", tmp_path)


def test_a_cache_that_is_switched_off_is_refused(monkeypatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    with pytest.raises(ConfigurationError, match="TIKTOKEN_CACHE_DIR is empty"):
        cache_folder()


def test_the_cache_is_where_tiktoken_looks(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR")
    monkeypatch.delenv("DATA_GYM_CACHE_DIR", raising=False)
    assert cache_folder().name == "data-gym-cache"
