import importlib.util
import json
import sys
from pathlib import Path

import pytest

from misread.data import BenchmarkFolder

FOLDER = Path(__file__).parents[2] / "data" / "invoices"


@pytest.fixture
def generator(monkeypatch):
    # Bytecode beside the script would become part of the data set's folder.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    spec = importlib.util.spec_from_file_location("generate_invoices", FOLDER / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_files_are_what_the_script_makes(generator):
    reader = BenchmarkFolder(str(FOLDER))
    assert reader.documents() == generator.DOCUMENTS
    assert reader.metadata() == generator.METADATA
    for name, document in generator.DOCUMENTS.items():
        assert (FOLDER / "images" / name).read_bytes() == generator.png(document.full_text)


def test_every_field_stands_in_the_text():
    for document in BenchmarkFolder(str(FOLDER)).documents().values():
        assert all(str(value) in document.full_text for value in document.fields.values())


def test_texts_or_fields_are_references():
    texts = BenchmarkFolder(str(FOLDER)).segments()
    fields = BenchmarkFolder(str(FOLDER), "fields").segments()
    assert texts.segment_id == ["doc_001.png", "doc_002.png", "doc_003.png"]
    assert json.loads(fields.references[0])["total"] == "$150.00"
