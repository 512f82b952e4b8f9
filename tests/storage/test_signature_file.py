import hashlib

import pytest

from misread.errors import InputFileError
from misread.storage.signature_file import describe_other_version, read_signature_file, write_signature_file
from misread.version import __version__


def test_a_signature_lies_beside_its_files_with_their_hashes(tmp_path):
    (tmp_path / "rates.md").write_bytes(b"3.01\n")
    write_signature_file("rates", "cer|v:1", ["rates.md"], tmp_path)
    found = read_signature_file(tmp_path / "rates.signature.json")
    assert (found.signature, found.files) == ("cer|v:1", {"rates.md": hashlib.sha256(b"3.01\n").hexdigest()})


def test_what_is_no_signature_file_is_refused(tmp_path):
    with pytest.raises(InputFileError, match=r"there is no file .*; signature files are called TABLE.signature.json"):
        read_signature_file(tmp_path / "rates.signature.json")
    (tmp_path / "x.json").write_text('{"signature": 1, "files": {}}', encoding="utf-8")
    with pytest.raises(InputFileError, match="is a file of kind None, expected 'signature'"):
        read_signature_file(tmp_path / "x.json")


def test_tables_of_another_version_are_told(tmp_path):
    assert describe_other_version(tmp_path) == ""
    (tmp_path / "a.csv").write_text("1")
    write_signature_file("a", f"cer|unit:char|v:{__version__}", ["a.csv"], tmp_path)
    assert describe_other_version(tmp_path) == ""
    write_signature_file("c", "cost|unit:USD|prices:none", ["a.csv"], tmp_path)
    assert describe_other_version(tmp_path) == ""
    write_signature_file("b", "cer|unit:char|v:0.0.9", ["a.csv"], tmp_path)
    assert describe_other_version(tmp_path) == f"{tmp_path} is of misread 0.0.9, and {__version__} is installed"
