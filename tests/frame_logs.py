"""Logs that other frames wrote (tests/data/formats/logs), and archives like theirs with other content."""

import json
import zlib
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pyarrow as pa

LOGS = Path(__file__).parent / "data/formats/logs"
DATE = "2026-11-26T06-00-00.000000"


def harness_log(name, task="read_cards"):
    """Samples that lm_eval wrote of a model."""
    return LOGS / f"{name}_{task}" / f"samples_{task}_{DATE}.jsonl"


def members(name):
    """Content of every member of an archive that Inspect wrote; zipfile of Python 3.11 reads no Zstandard."""
    data = (LOGS / name).read_bytes()
    content = {}
    with ZipFile(LOGS / name) as archive:
        for info in archive.infolist():
            local = data[info.header_offset :]
            start = 30 + int.from_bytes(local[26:28], "little") + int.from_bytes(local[28:30], "little")
            packed = pa.BufferReader(local[start : start + info.compress_size])
            text = pa.CompressedInputStream(packed, "zstd").read()
            assert zlib.crc32(text) == info.CRC
            content[info.filename] = json.loads(text)
    return content


def write_archive(path, content):
    """Write an archive as earlier versions did, packed by Deflate."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, value in content.items():
            archive.writestr(name, value if isinstance(value, str) else json.dumps(value))
    return path
