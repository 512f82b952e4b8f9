"""Logs of Inspect: an archive of JSON (.eval), or all in one file of JSON.

Source: UK AI Security Institute, Inspect, "Log file format", version 2: `header.json` and a file for each sample and
epoch, compressed by Zstandard since inspect_ai 0.3.200 or so, by Deflate before.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast
from zipfile import BadZipFile, ZipFile, ZipInfo

from misread.data.formats.base import Format
from misread.data.formats.log import Log, LogEntry, decode_entry, is_number
from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text

if TYPE_CHECKING:
    from misread.data.formats.recognition import Content

_VERSION: Final = 2
_HEADER: Final = "header.json"
_STARTED: Final = "_journal/start.json"
_SAMPLES: Final = "samples/"
_ARCHIVE: Final = "PK\x03\x04"
_ZSTANDARD: Final = 93
_LOCAL_HEADER: Final = 30  # bytes before the name of a member
_ATTACHMENT: Final = "attachment://"
_BEGIN: Final = re.compile(r'\{\s*"version":\s*\d+,\s*"status":\s*"\w+",\s*"eval":')
# What Inspect takes for a number (`value_to_float`).
_GRADES: Final = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS: Final = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def read_inspect(path: Path, *, encoding: str = UTF_8) -> Log:
    """Read the samples of all epochs, which are runs; the text is the model's answer, and errors leave none.

    Raises InputFileError if the archive is cut short, of another version, of an evaluation that has not ended, or a
    sample is broken; names file and sample.
    """
    header, samples = _read_archive(path) if path.suffix == ".eval" else _read_json(path, encoding)
    version = header.get("version")
    if version != _VERSION:
        raise InputFileError(
            f"{path} is a log of version {version!r}, expected {_VERSION}, which inspect_ai 0.3 writes: write it again "
            "with that."
        )
    evaluation = _take(header, "eval", dict, str(path))
    model, config = _take(evaluation, "model", str, str(path)), evaluation.get("config") or {}
    order = {str(sample): row for row, sample in enumerate((evaluation.get("dataset") or {}).get("sample_ids") or [])}
    read = [(_read_sample(sample, location, model), sample) for location, sample in samples]
    if not read:
        raise InputFileError(f"{path} has no sample.")
    read.sort(key=lambda entry: (order.get(entry[0].segment_id, len(order)), int(entry[0].run)))
    several = sum(isinstance(sample["target"], list) and len(sample["target"]) > 1 for _, sample in read)
    notes = []
    if (status := header.get("status")) != "success":
        notes.append(f"{path.name}: the evaluation ended with the status {status!r}.")
    if several:
        notes.append(f"{path.name}: {several:,} samples have several targets, of which the first is the reference.")
    reducers = config.get("epochs_reducer") or ["mean"]
    if reducers != ["mean"] and any(entry.run != "1" for entry, _ in read):
        notes.append(f"{path.name}: Inspect joined epochs by {', '.join(map(str, reducers))}; here runs are averaged.")
    return Log(
        source=str(path),
        task=str(evaluation.get("task") or path.stem),
        model=model,
        entries=[entry for entry, _ in read],
        notes=notes,
    )


def _read_archive(path: Path) -> tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]:
    """Header, and samples with their places; of a sample that was written again, the last."""
    try:
        with ZipFile(path) as archive:
            names = archive.NameToInfo
            if _HEADER not in names:
                why = "of an evaluation that has not ended" if _STARTED in names else "not of Inspect"
                raise InputFileError(f"{path} is a log {why}: it has no {_HEADER}.")
            members = [_HEADER, *(name for name in names if name.startswith(_SAMPLES) and name.endswith(".json"))]
            header, *samples = [
                (f"{path}, {name}", decode_entry(_read_member(archive, names[name]), f"{path}, {name}"))
                for name in members
            ]
    except FileNotFoundError:
        raise InputFileError(f"there is no file {path}.") from None
    except (BadZipFile, EOFError, zlib.error, NotImplementedError) as error:
        raise InputFileError(
            f"{path} is cut short or damaged, expected a whole archive ({error}): copy it again."
        ) from None
    except OSError as error:
        raise InputFileError(f"{path} cannot be read: {error.strerror or error}.") from None
    return header[1], samples


def _read_member(archive: ZipFile, member: ZipInfo) -> bytes:
    """Content of a member; zipfile reads no Zstandard before Python 3.14."""
    if member.compress_type != _ZSTANDARD:
        return archive.read(member)
    import pyarrow as pa

    stream = cast("Any", archive.fp)
    stream.seek(member.header_offset)
    local = stream.read(_LOCAL_HEADER)
    stream.seek(int.from_bytes(local[26:28], "little") + int.from_bytes(local[28:30], "little"), 1)
    with pa.input_stream(pa.py_buffer(stream.read(member.compress_size)), compression="zstd") as packed:
        content: bytes = packed.read()
    if zlib.crc32(content) != member.CRC:
        raise BadZipFile(f"bad checksum of {member.filename}")
    return content


def _read_json(path: Path, encoding: str) -> tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]:
    header = decode_entry(read_text(path, encoding=encoding), str(path))
    samples = header.get("samples") or []
    if not isinstance(samples, list):
        raise InputFileError(f"{path}: samples are {type(samples).__name__}, expected a list.")
    return header, [(f"{path}, sample {number}", sample) for number, sample in enumerate(samples, start=1)]


def _read_sample(sample: Any, location: str, model: str) -> LogEntry:
    target = _take(sample, "target", str | list, location)
    output, metadata = sample.get("output") or {}, sample.get("metadata") or {}
    attachments = sample.get("attachments") or {}
    texts = target if isinstance(target, list) else [target]
    if not all(isinstance(text, str) for text in texts):
        raise InputFileError(f"{location}: target is {target!r}, expected a text or a list of texts.")
    answer = None if sample.get("error") else _read_answer(output)
    return LogEntry(
        location,
        str(_take(sample, "id", int | str, location)),
        str(_take(sample, "epoch", int, location)),
        _resolve(texts[0], attachments) if texts else "",
        None if answer is None else _resolve(answer, attachments),
        dict(_read_scores(sample.get("scores") or {}, location)),
        metadata,
        _read_effort(sample, model),
    )


def _read_answer(output: Mapping[str, Any]) -> str | None:
    """Text of the first answer; None if the model gave none."""
    if isinstance(output.get("completion"), str):
        return output["completion"] if output.get("choices") or output["completion"] else None
    choices = output.get("choices") or []
    content = choices[0]["message"]["content"] if choices else None
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content if part.get("type") == "text")
    return content


def _resolve(text: str, attachments: Mapping[str, str]) -> str:
    """A text, which may lie elsewhere in the sample if it is long."""
    return attachments.get(text.removeprefix(_ATTACHMENT), text) if text.startswith(_ATTACHMENT) else text


def _read_scores(scores: Mapping[str, Any], location: str) -> Iterator[tuple[str, Any]]:
    """Score by scorer; one that gives several has a name for each, SCORER/KEY."""
    for scorer, score in scores.items():
        value = _take(score, "value", object, location)
        parts = value if isinstance(value, dict) else dict(enumerate(value)) if isinstance(value, list) else None
        if parts is None:
            yield scorer, _read_value(value)
        else:
            yield from ((f"{scorer}/{key}", _read_value(part)) for key, part in parts.items())


def _read_value(value: Any) -> Any:
    """A number as Inspect takes it, None for NaN, which is its sign for no score; else the value itself."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        if value in _GRADES:
            return _GRADES[value]
        try:
            value = _WORDS.get(value.lower(), value)
            number = float(value)
        except ValueError:
            return value
        return number if math.isfinite(number) else value
    return None if isinstance(value, float) and math.isnan(value) else value


def _read_effort(sample: Mapping[str, Any], model: str) -> dict[str, float]:
    usage = (sample.get("model_usage") or {}).get(model) or {}
    sent = list(filter(is_number, (usage.get(f"input_tokens{part}") for part in ("", "_cache_read", "_cache_write"))))
    effort = {
        "latency_seconds": sample.get("working_time"),
        "input_tokens": sum(sent) if sent else None,
        "output_tokens": usage.get("output_tokens"),
        "usd": usage.get("total_cost"),
    }
    return {name: float(value) for name, value in effort.items() if is_number(value)}


def _take(entry: Any, key: str, kind: Any, location: str) -> Any:
    if not isinstance(entry, dict) or not isinstance(entry.get(key), kind):
        kinds = getattr(kind, "__name__", str(kind))
        value = entry.get(key) if isinstance(entry, dict) else entry
        raise InputFileError(f"{location}: {key} is {value!r}, expected {kinds}; a log of Inspect has it.")
    return entry[key]


def is_inspect(content: Content) -> bool:
    """Whether it is an archive that is called so, or begins as a log in JSON does."""
    if content.ending == ".eval":
        return content.begin.startswith(_ARCHIVE)
    return _BEGIN.match(content.begin) is not None


INSPECT = Format(
    name="inspect",
    label="a log of Inspect",
    kind="log",
    paired_by="id",
    help="logs of Inspect (.eval or .json) with targets, answers and scores; epochs are runs, and the system is the "
    "model",
    endings=frozenset({".eval"}),
    recognise=is_inspect,
    read=read_inspect,
)
