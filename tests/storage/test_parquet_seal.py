import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from misread.errors import InputFileError
from misread.storage.parquet import read_parquet
from misread.storage.parquet_seal import check_seal
from misread.storage.parquet_writer import write_parquet

COLUMNS = {"errors": pa.array(range(40), pa.int64()), "text": pa.array([f"line {row}" for row in range(40)])}


@pytest.fixture
def path(tmp_path):
    write_parquet(tmp_path / "x.parquet", COLUMNS, kind="scores", note={"normalizer": "lower"})
    return tmp_path / "x.parquet"


def read(path):
    table, note = read_parquet(path, kind="scores", made_by="score")
    return table.to_pydict(), note


def refusal(path, expected):
    """What the reading of a damaged file says; empty if it is read as what was written."""
    try:
        found = read(path)
    except InputFileError as error:
        return str(error)
    assert found == expected
    return ""


def test_any_changed_bit_is_refused_or_changes_nothing(path):
    whole, expected = path.read_bytes(), read(path)
    said = []
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        said.append(refusal(path, expected))
    refused = [each for each in said if each]
    assert len(refused) > 0.9 * len(whole)
    assert all("run `dvc repro score` to make it again" in each and "\n" not in each for each in refused)


def test_a_table_from_before_there_were_seals_is_read(path, tmp_path):
    note = pq.read_metadata(path).metadata[b"misread"]
    older = tmp_path / "older.parquet"
    pq.write_table(pa.table(COLUMNS).replace_schema_metadata({b"misread": note}), older)
    check_seal(older)
    assert read(older) == read(path)


def test_other_readers_of_parquet_read_a_sealed_table(path):
    assert pq.read_table(path).to_pydict() == {name: of.to_pylist() for name, of in COLUMNS.items()}
