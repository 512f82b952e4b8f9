"""Counts that travel with Git: a file of integers for each system, without a word or letter of the texts.

The first line says what holds for all rows and has a digest of the rest; the second has the names of the columns. A row
is a segment in the order of the data set, or a cluster with the sums of its segments. A row is one line whatever ids
hold: one that could break a line or be taken for a formula is written as JSON.
"""

import csv
import hashlib
import hmac
import io
import json
import os
import re
import secrets
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from typing import Annotated, Any, Final, cast

import numpy as np
from msgspec import Meta, MsgspecError

from misread.data.counts_settings import CountsSettings
from misread.data.segment_table import MissingPolicy, SegmentKeys, take
from misread.errors import ConfigurationError, InputFileError
from misread.io.atomic import naming
from misread.io.checks.numbers import MOST_COUNT
from misread.io.json_files import from_plain, write_text
from misread.io.layouts import LAYOUTS, check_layout
from misread.io.text import read_text
from misread.provenance.signature import Signature
from misread.storage.parquet import read_origin
from misread.storage.stage_tables import score_note
from misread.tally.missing_texts import MissingOutputs
from misread.tally.scores import Counts, RunCounts, Scores
from misread.types import IntArray

PACKED_BYTES: Final = 2_000_000
"""All files of a data set take at most this much with zlib where they have a row for every segment."""

WHOLE: Final = "all"
"""Id of the one row of a data set without clusters whose counts are sums."""

_KIND: Final = "counts"
_HEAD: Final = re.compile(r"# misread counts (\d+) ([0-9a-f]{16}) (\{.*\})")
_GROUP: Final = "group."
_FORMULA: Final = tuple("=+-@")
_INTEGER: Final = re.compile(r"-?\d{1,19}", re.ASCII)
# Columns of metrics and of sums that only count.
_COUNTED: Final = frozenset(
    {"errors", "length", "hits", "substitutions", "deletions", "insertions", "transpositions", "segments", "same_text"}
)
_Count = Annotated[int, Meta(ge=0, le=MOST_COUNT)]
_ROWS_AT_A_TIME: Final = 4096
# 48 bits, as digests of references have.
_DIGITS: Final = 12
_CHECK_DIGITS: Final = 8
_KEY: Final = re.compile(r"[0-9a-f]{64}\n?")


@dataclass(frozen=True)
class CommittedCounts:
    """Counts of one system as Git has them.

    `sentences` are what stages that read texts say below the tables of the data set.
    """

    scores: Scores
    sentences: Sequence[str] = ()


def write_counts(
    folder: Path,
    scores: Mapping[str, Scores],
    settings: CountsSettings,
    *,
    key_file: Path,
    sentences: Sequence[str] = (),
) -> bool:
    """Write the file of every system of a data set, by id, into its folder; whether rows are segments.

    Of `scores`, which may read them, one is taken at a time. The key of pseudonyms is made where there is none.
    """
    key = _find_key(key_file) if settings.pseudonyms else None

    def take(system: str) -> Scores:
        return scores[system] if key is None else pseudonymise(scores[system], key)

    texts = _render_if_small(list(scores), take, sentences) if settings.counts == "git" else None
    has_segments = texts is not None
    if texts is None:
        texts = {system: render_counts(CommittedCounts(sum_clusters(take(system)), sentences)) for system in scores}
    for system, text in texts.items():
        write_text(folder / f"{system}.csv", text)
    return has_segments


def _render_if_small(
    systems: Sequence[str], take: Callable[[str], Scores], sentences: Sequence[str]
) -> dict[str, str] | None:
    """Files by system; None if they pack to more than may be committed, which is known before all are rendered."""
    texts, packed = {}, 0
    for system in systems:
        packer, parts = zlib.compressobj(), []
        for part in _parts(CommittedCounts(take(system), sentences)):
            packed += len(packer.compress(part.encode()))
            if packed > PACKED_BYTES:
                return None
            parts.append(part)
        packed += len(packer.flush())
        texts[system] = _with_head(parts)
    return texts if packed <= PACKED_BYTES else None


def render_counts(counts: CommittedCounts) -> str:
    """Text of the file."""
    return _with_head(_parts(counts))


def _with_head(parts: Iterator[str] | Sequence[str]) -> str:
    """The parts behind the layout and the digest, with which the first line begins."""
    text = "".join(parts)
    return f"# misread counts {LAYOUTS[_KIND]} {_digest(text)} {text}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _parts(counts: CommittedCounts) -> Iterator[str]:
    """What the digest is of: what holds for all rows, names of columns, and rows, some at a time."""
    columns = _columns_of(counts.scores)
    yield f"{json.dumps(_note(counts))}\n"
    yield _lines([[_cell(name) for name in columns]])
    for start in range(0, len(counts.scores.segments), _ROWS_AT_A_TIME):
        rows = range(start, min(start + _ROWS_AT_A_TIME, len(counts.scores.segments)))
        yield _lines(zip(*(_cells(column, rows) for column in columns.values()), strict=True))


def _note(counts: CommittedCounts) -> dict[str, Any]:
    """What holds for all rows, without what quotes texts: such doubts are in brief, reasons are left out."""
    scores, origin = counts.scores, counts.scores.origin
    return {
        **score_note(replace(scores, origin=replace(origin, facts=origin.facts.without_texts()))),
        "problems": {metric: list(problems) for metric, problems in scores.problems.items()},
        **({"pseudonyms": scores.pseudonyms} if scores.pseudonyms else {}),
        **({"sentences": list(counts.sentences)} if counts.sentences else {}),
    }


def _columns_of(scores: Scores) -> dict[str, Sequence[str | None] | IntArray]:
    keys = scores.segments
    columns: dict[str, Sequence[str | None] | IntArray] = {}
    if scores.sizes is None:
        columns["segment_id"] = keys.segment_id
    if keys.cluster is not None:
        columns["cluster"] = keys.cluster
    columns |= {_GROUP + name: values for name, values in keys.groups.items()}
    if scores.sizes is not None:
        columns["segments"] = scores.sizes
    if len(scores.reference_digest):
        columns["reference_digest"] = scores.reference_digest
    for metric, metric_counts in scores.counts.items():
        names = [f"{metric}.{name}" for name in metric_counts.columns]
        columns |= {name: metric_counts.values[:, index] for index, name in enumerate(names)}
        if scores.runs:
            for run, run_counts in zip(scores.runs.runs, scores.runs.counts[metric], strict=True):
                columns |= {f"{name}@{run}": run_counts[:, index] for index, name in enumerate(names)}
    if scores.runs:
        columns["same_text"] = scores.runs.same_text.astype(np.int64)
    return columns


def _cells(column: Sequence[str | None] | IntArray, rows: range) -> Sequence[str]:
    if isinstance(column, np.ndarray):
        return list(map(str, column[rows.start : rows.stop].tolist()))
    return list(map(_cell, take(column, rows)))


def _cell(text: str | None) -> str:
    """A text as one cell in one line; empty for None, so that an empty text is written as JSON."""
    if text is None:
        return ""
    is_plain = text.isprintable() and text[:1] not in ("", '"', *_FORMULA)
    return text if is_plain else json.dumps(text)


def _text_of(cell: str) -> str | None:
    if not cell:
        return None
    return str(json.loads(cell)) if cell.startswith('"') else cell


def _lines(rows: Any) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()


def read_counts(path: Path, owner: tuple[str, str] | None = None) -> CommittedCounts:
    """Read a file of counts; raises InputFileError as `parse_counts`, and where there is none."""
    return parse_counts(read_text(path), path, owner)


def parse_counts(text: str, name: object, owner: tuple[str, str] | None = None) -> CommittedCounts:
    """Read the text of a file of counts, of the data set and system `owner`; `name` is the file's, for messages.

    Raises InputFileError if it is of another layout or owner, or was edited or merged; says how to put it right.
    """
    head, _, body = text.replace("\r\n", "\n").partition("\n")
    match = _HEAD.fullmatch(head)
    if match is None:
        raise _changed(name)
    check_layout(name, _KIND, int(match[1]), command="dvc repro")
    if _digest(f"{match[3]}\n{body}") != match[2]:
        raise _changed(name)
    try:
        counts = _parse(json.loads(match[3]), list(csv.reader(body.split("\n"))))
    except (ArithmeticError, csv.Error, LookupError, MsgspecError, RecursionError, TypeError, ValueError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputFileError(
            f"{name} was written by another version of misread ({reason}); run `dvc repro` to make it again."
        ) from None
    origin = counts.scores.origin
    if owner and owner != (origin.dataset, origin.system):
        raise InputFileError(
            f"{name} has the counts of system {origin.system!r} on data set {origin.dataset!r}; run `dvc repro` to "
            "make it again."
        )
    return counts


def _changed(name: object) -> InputFileError:
    return InputFileError(
        f"{name} is not as misread wrote it: it was edited, or merged from two runs; take one side (`git checkout HEAD "
        "-- reports dvc.lock`), run `dvc repro`, and commit."
    )


@dataclass(frozen=True)
class _Note:
    """Facts of all rows, as `_note` writes them."""

    origin: dict[str, Any]
    columns: dict[str, list[str]]
    signatures: dict[str, str]
    normalizer: str
    missing: MissingPolicy
    excluded: _Count
    invisible: dict[str, _Count]
    problems: dict[str, list[str]]
    pairing: Sequence[dict[str, Any]] = ()
    runs: Sequence[str] = ()
    missing_outputs: MissingOutputs | None = None
    pseudonyms: str = ""
    sentences: Sequence[str] = ()


def _parse(content: object, lines: list[list[str]]) -> CommittedCounts:
    note = from_plain(content, _Note)
    if note.signatures.keys() != note.columns.keys():
        raise ValueError(f"metrics are {', '.join(note.columns)}, those with a signature {', '.join(note.signatures)}")
    header, *rows = (line for line in lines if line)
    cells = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    columns = dict(zip((str(_text_of(name)) for name in header), cells, strict=True))
    if len(columns) < len(header):
        raise ValueError("two columns have one name")

    def texts(name: str) -> list[str]:
        values = [_text_of(cell) for cell in columns[name]]
        if None in values:
            raise ValueError(f"{name} of row {values.index(None) + 1} is empty")
        return cast("list[str]", values)

    def integers(names: Sequence[str]) -> IntArray:
        values = [_read_integers(name, columns[name]) for name in names]
        return np.array(values, np.int64).reshape(len(names), len(rows)).T

    is_summed = "segments" in columns
    clusters = texts("cluster") if "cluster" in columns else None
    ids = texts("segment_id") if not is_summed else [WHOLE] * len(rows) if clusters is None else clusters
    if twice := [name for name, number in Counter(ids).items() if number > 1]:
        raise ValueError(f"{twice[0]!r} is in two rows")
    groups = {
        name.removeprefix(_GROUP): list(map(_text_of, columns[name])) for name in columns if name.startswith(_GROUP)
    }
    names_of_columns = {metric: [f"{metric}.{name}" for name in names] for metric, names in note.columns.items()}
    scores = Scores(
        read_origin({"origin": note.origin}),
        SegmentKeys(ids, clusters, cast("Mapping[str, Sequence[str]]", groups)),
        counts={
            metric: _add_up(metric, Counts(tuple(note.columns[metric]), integers(names)))
            for metric, names in names_of_columns.items()
        },
        signatures={metric: Signature.parse(line) for metric, line in note.signatures.items()},
        normalizer=note.normalizer,
        reference_digest=texts("reference_digest") if rows else (),
        missing=note.missing,
        excluded=note.excluded,
        invisible=note.invisible,
        problems={metric: dict.fromkeys(problems, "") for metric, problems in note.problems.items()},
        missing_outputs=note.missing_outputs,
        pairing=note.pairing,
        runs=_parse_runs(note.runs, names_of_columns, integers) if note.runs else None,
        sizes=integers(["segments"])[:, 0] if is_summed else None,
        pseudonyms=note.pseudonyms,
    )
    for metric, values in scores.runs.counts.items() if scores.runs else ():
        if not np.array_equal(values.sum(axis=0), scores.counts[metric].values):
            raise ValueError(f"counts of {metric} are not the sums of its runs")
    return CommittedCounts(scores, note.sentences)


def _parse_runs(
    runs: Sequence[str], names_of_columns: Mapping[str, list[str]], integers: Callable[[Sequence[str]], IntArray]
) -> RunCounts:
    counts = {
        metric: np.array([integers([f"{name}@{run}" for name in names]) for run in runs], np.int64)
        for metric, names in names_of_columns.items()
    }
    return RunCounts(runs, counts, integers(["same_text"])[:, 0].astype(np.bool_))


def _read_integers(name: str, cells: Sequence[str]) -> list[int]:
    """Integers whose sum can be counted in 64 bits."""
    if odd := [cell for cell in cells if not _INTEGER.fullmatch(cell)]:
        raise ValueError(f"{name} has {odd[0][:40]!r}, expected a whole number")
    values = list(map(int, cells))
    is_count = name.rpartition(".")[2].partition("@")[0] in _COUNTED
    if is_count and not 0 <= min(values, default=0) <= max(values, default=0) <= MOST_COUNT:
        raise ValueError(f"{name} has a number outside of 0 to {MOST_COUNT:,}")
    if sum(map(abs, values)) >= 2**63:
        raise ValueError(f"{name} has numbers whose sum does not fit in 64 bits")
    return values


def _add_up(metric: str, counts: Counts) -> Counts:
    """Counts of an alignment, if errors and length are the sums of its operations; a swap is of two characters."""
    columns = {name: counts[name] for name in counts.columns if name in _COUNTED}
    swaps = columns.get("transpositions", 0)
    for name, parts, units in (
        ("errors", ("substitutions", "deletions", "insertions"), 1),
        ("length", ("hits", "substitutions", "deletions"), 2),
    ):
        if columns.keys() >= {name, *parts}:
            wrong = np.flatnonzero(columns[name] != sum(columns[part] for part in parts) + units * swaps)
            if len(wrong):
                raise ValueError(f"{metric}.{name} of row {wrong[0] + 1} is not the sum of {', '.join(parts)}")
    return counts


def sum_clusters(scores: Scores) -> Scores:
    """Sums over the clusters in the order of their names, or over all segments where there are no clusters.

    A digest of a cluster is one of the ids and references of its segments: equal sums of other segments differ in it.
    Groups have no place: a cluster may be in several.
    """
    if scores.sizes is not None or scores.origin.not_applicable:
        return scores
    keys = scores.segments
    names = [WHOLE] if keys.cluster is None else sorted(set(keys.cluster))
    numbers = {name: number for number, name in enumerate(names)}
    codes = np.array([numbers[label] for label in keys.cluster or repeat(WHOLE, len(keys))], np.int64)

    def summed(values: IntArray) -> IntArray:
        sums = np.zeros((len(names), values.shape[1]), np.int64)
        np.add.at(sums, codes, values)
        return sums

    runs = scores.runs
    same_text = np.ones(len(names), np.bool_)
    if runs:
        np.logical_and.at(same_text, codes, runs.same_text)
        counts_of_runs = {metric: np.stack([summed(run) for run in values]) for metric, values in runs.counts.items()}
        runs = RunCounts(runs.runs, counts_of_runs, same_text)
    return replace(
        scores,
        segments=SegmentKeys(names, None if keys.cluster is None else names, {}),
        counts={metric: Counts(counts.columns, summed(counts.values)) for metric, counts in scores.counts.items()},
        reference_digest=_digest_clusters(scores, codes.tolist(), len(names)),
        runs=runs,
        sizes=np.bincount(codes, minlength=len(names)),
    )


def _digest_clusters(scores: Scores, codes: Sequence[int], clusters: int) -> list[str]:
    ids = list(scores.segments.segment_id)
    references = list(scores.reference_digest) or [""] * len(ids)
    digests = [hashlib.sha256() for _ in range(clusters)]
    for row in sorted(range(len(ids)), key=ids.__getitem__):
        digests[codes[row]].update(f"{json.dumps(ids[row])} {references[row]}\n".encode())
    return [digest.hexdigest()[:_DIGITS] for digest in digests]


def pseudonymise(scores: Scores, key: bytes) -> Scores:
    """Replace ids and clusters by hashes with a key (HMAC-SHA-256); raises ConfigurationError if two become one.

    Other group columns are categories, such as levels of noise, and stay. Notes on the data are left out, as they may
    name segments and speakers.
    """
    dataset, keys = scores.origin.dataset, scores.segments

    def hidden(kind: str, *texts: str) -> str:
        message = "\0".join((kind, dataset, *texts)).encode("utf-8", "surrogatepass")
        return hmac.digest(key, message, "sha256").hex()[:_DIGITS]

    def hidden_names(kind: str, names: Sequence[str]) -> list[str]:
        pseudonyms = {name: hidden(kind, name) for name in dict.fromkeys(names)}
        if len(set(pseudonyms.values())) < len(pseudonyms):
            raise ConfigurationError(
                f"{dataset}: two of {len(pseudonyms):,} names of a {kind} have one pseudonym; remove the file of the "
                "key, and run `dvc repro` to make another."
            )
        return [pseudonyms[name] for name in names]

    ids = list(keys.segment_id)
    clusters = None if keys.cluster is None else list(keys.cluster)
    hidden_clusters = None if clusters is None else hidden_names("cluster", clusters)
    return replace(
        scores,
        origin=replace(scores.origin, facts=scores.origin.facts.without_ids()),
        segments=SegmentKeys(
            hidden_names("segment", ids),
            hidden_clusters,
            {
                name: hidden_clusters if hidden_clusters and list(values) == clusters else values
                for name, values in keys.groups.items()
            },
        ),
        # The digest of a short reference is as good as its text to somebody who tries the words of a language. With the
        # key and the id in it, it can be compared with those of other commits, and with nothing else.
        reference_digest=[
            hidden("reference", segment_id, digest)
            for segment_id, digest in zip(ids, scores.reference_digest, strict=bool(len(scores.reference_digest)))
        ],
        problems={
            metric: {hidden("segment", segment_id): "" for segment_id in problems}
            for metric, problems in scores.problems.items()
        },
        # They name segments.
        pairing=(),
        pseudonyms=_check_value(key),
    )


def _check_value(key: bytes) -> str:
    """Digest that tells two keys apart without revealing either."""
    return hmac.digest(key, b"check", "sha256").hex()[:_CHECK_DIGITS]


def read_key(path: Path) -> bytes | None:
    """Read the key of pseudonyms; None if there is none. Raises ConfigurationError if the file has none."""
    if not path.is_file():
        return None
    text = read_text(path)
    if not _KEY.fullmatch(text):
        raise ConfigurationError(
            f"{path} has no key of 64 hexadecimal digits; bring the file back, or remove it: `dvc repro` makes a key, "
            "whose pseudonyms cannot be compared with earlier ones."
        )
    return bytes.fromhex(text.strip())


def _find_key(path: Path) -> bytes:
    """The key of pseudonyms, made on first use for its owner alone to read."""
    key = read_key(path)
    if key is None:
        key = secrets.token_bytes(32)
        with naming(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
                stream.write(f"{key.hex()}\n")
    return key


def are_of_one_run(counts: CommittedCounts, scores: Scores, key: bytes | None) -> bool:
    """Whether committed counts are those of the score stage; what has pseudonyms of another key cannot be told."""
    committed = counts.scores
    if committed.pseudonyms:
        if key is None or _check_value(key) != committed.pseudonyms:
            return True
        scores = pseudonymise(scores, key)
    if committed.sizes is not None:
        scores = sum_clusters(scores)
    return render_counts(CommittedCounts(scores, counts.sentences)) == render_counts(counts)
