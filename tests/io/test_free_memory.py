"""Files that stand for more than the memory that is free."""

import platform
import resource
import sys
from pathlib import Path
from threading import Thread

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from misread.data.formats.tables import read_rows
from misread.errors import InputFileError
from misread.io import free_memory as module
from misread.io.free_memory import free_memory, release_memory, within_free_memory
from misread.storage.parquet import read_parquet
from misread.storage.parquet_writer import write_parquet

LIMITS = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what memory is free, and refuses it")
LARGE = 100_000_000


def resident_bytes():
    """Memory of this process that is in use or was freed and is not given back."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


@pytest.fixture
def little(monkeypatch):
    """As on a machine that has little memory left."""
    monkeypatch.setattr(module, "free_memory", lambda: LARGE)


@pytest.fixture
def bomb(tmp_path):
    """Twenty thousand texts of a megabyte, in four kilobytes."""
    texts = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), 20_000), pa.array(["x" * 1_000_000]))
    path = tmp_path / "lines.parquet"
    pq.write_table(pa.table({"text": texts}), path, compression="zstd", store_schema=False)
    assert path.stat().st_size < 4000
    return path


@LIMITS
@pytest.mark.usefixtures("little")
def test_a_parquet_bomb_is_refused_in_one_line(bomb):
    with pytest.raises(InputFileError, match=r"lines\.parquet takes more memory than is free \(0\.1 GB\): [^\n]*$"):
        read_rows(bomb)


@LIMITS
@pytest.mark.usefixtures("little")
def test_so_is_a_file_of_a_stage(tmp_path):
    path = tmp_path / "scores.parquet"
    of_one = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), 20_000), pa.array(["x" * 1_000_000]))
    write_parquet(path, {"text": pa.array(["x"])}, kind="scores", note={})
    note = pq.read_metadata(path).metadata
    with pq.ParquetWriter(path, pa.schema({"text": of_one.type}), store_schema=False) as file:
        file.write_table(pa.table({"text": of_one}))
        file.add_key_value_metadata({"misread": note[b"misread"]})
    with pytest.raises(InputFileError, match=r"scores\.parquet takes more memory than is free"):
        read_parquet(path, kind="scores", made_by="score")


@LIMITS
@pytest.mark.usefixtures("little")
def test_the_limit_of_the_process_is_that_of_before_when_the_last_thread_is_done(tmp_path):
    before = resource.getrlimit(resource.RLIMIT_DATA)
    inside = []

    def read():
        with within_free_memory(tmp_path):
            inside.append(resource.getrlimit(resource.RLIMIT_DATA)[0])

    with within_free_memory(tmp_path):
        other = Thread(target=read)
        other.start()
        other.join()
        assert resource.getrlimit(resource.RLIMIT_DATA)[0] == inside[0] != before[0]
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


@LIMITS
@pytest.mark.usefixtures("little")
def test_a_python_object_that_is_too_large_is_refused_as_well(tmp_path):
    with pytest.raises(InputFileError, match="takes more memory than is free"), within_free_memory(tmp_path / "x"):
        # As much as a bomb: a process that has freed 200 MB in one piece may take that much again.
        bytearray(200 * LARGE)


@LIMITS
def test_in_a_container_its_limit_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_CGROUP", tmp_path)
    of_machine = free_memory()
    assert of_machine > LARGE
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("5000\n")
    assert free_memory() == pytest.approx(of_machine, rel=0.2)
    (tmp_path / "memory.max").write_text("7000\n")
    assert free_memory() == 2000


def test_where_nothing_tells_what_is_free_nothing_is_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "free_memory", lambda: None)
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with within_free_memory(tmp_path):
        assert resource.getrlimit(resource.RLIMIT_DATA) == before
    with pytest.raises(InputFileError, match="takes more memory than is free: a file"), within_free_memory(tmp_path):
        raise MemoryError


@pytest.mark.skipif("glibc" not in platform.libc_ver()[0], reason="no other C library can be asked to")
def test_what_was_freed_below_something_that_is_kept_goes_back_to_the_system():
    # Small enough for the C library to take them from its heap, whose end the last of them holds.
    held = [bytes([number % 251 + 1]) * 100_000 for number in range(1000)]
    last = held.pop()
    before = resident_bytes()
    del held
    release_memory()
    assert resident_bytes() < before - 50_000_000
    assert len(last) == 100_000
