"""Interfaces of engines: settings that open a reader, and a reader that turns a source into text."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from importlib import import_module
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from misread.data.segment_table import Annotations, Source, Word
from misread.errors import MisreadError, needed_for
from misread.io.text import as_unicode
from misread.provenance.conditions import BATCH_SIZE, CONCURRENCY, LANGUAGE, SERVED_MODEL, SERVER_VERSION
from misread.provenance.digests import digest_file

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Reading:
    """Output of an engine for one source: a text, or the reason why there is none, with its cost.

    A warm-up is the first reading of an opened engine, or of one connection to a server.
    """

    segment_id: str
    text: str | None
    reason: str | None
    latency_seconds: float  # NaN if recorded elsewhere without it
    peak_memory_bytes: int | None  # None for remote engines
    _: KW_ONLY
    run: int = 1
    attempts: int | None = 1  # None if recorded elsewhere
    raw: str | None = None  # the answer as received, if it differs from the text
    confidence: float | None = None  # of the whole text, from 0 to 1
    words: tuple[Word, ...] | None = None
    warm_up: bool = False
    start_up_seconds: float | None = None  # to open the engine before this reading
    first_byte_seconds: float | None = None  # until the first byte of a streamed answer
    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: float | None = None  # of outputs recorded elsewhere
    request: str | None = None  # the server's id of the answer
    concurrency: int | None = None  # how many segments the server was asked for at the same time
    batch_size: int | None = None  # most sources of a batch, as here or as the server reports it
    server_version: str | None = None  # as the server reports it
    served_model: str | None = None  # that answered, as the server reports it
    language: str | None = None  # in which the engine read, as it reports it

    @property
    def conditions(self) -> dict[str, int | str | None]:
        """Conditions other than content and settings that may change the text, by name."""
        return {
            CONCURRENCY: self.concurrency,
            BATCH_SIZE: self.batch_size,
            SERVER_VERSION: self.server_version,
            **({SERVED_MODEL: self.served_model} if self.served_model else {}),
            **({LANGUAGE: self.language} if self.language else {}),
        }


@dataclass(frozen=True, slots=True)
class RecordedPart:
    """Outputs of one run for some segments, as recorded elsewhere, with a reason for each that is missing."""

    run: int
    rows: range  # of the segments
    texts: pa.Array
    reasons: Sequence[str | None] = ()
    annotations: Annotations = field(default_factory=dict)  # of these segments, as this run read them


OPERATING: Final = frozenset(
    {"attempts", "backoff", "batch", "concurrency", "max_answer_bytes"}
    | {"max_failed", "runs", "timeout", "token_env", "without_server"}
)
"""Settings of a system that decide how it is asked, not its answers; changing them reads nothing again."""

MAKE_ROOM: Final = (
    "Make room, or set TMPDIR to a folder that has some, and run the capture again, which goes on from here."
)
"""Advice if a disk is full."""


class UnreadableSourceError(MisreadError):
    """A source that cannot be read; it becomes the reason of that segment, and the others continue.

    `raw` is the engine's answer, if there was one, `attempts` how often it was asked, and `facts` what else is known of
    the answer, such as its tokens. Any other error of misread ends the capture, as it would recur for every segment.
    """

    def __init__(self, message: str, *, raw: str | None = None, attempts: int = 1) -> None:
        super().__init__(message)
        self.raw = raw
        self.attempts = attempts
        self.facts: Mapping[str, Any] = {}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    value.encode()
    return value


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or not 0 <= int(value) < 2**63:
        raise ValueError
    return int(value)


def _number(value: Any, most: float = 2.0**63) -> float:
    # NaN is the latency of an output recorded without one.
    if isinstance(value, bool) or not isinstance(value, Real) or (number := float(value)) < 0 or number > most:
        raise ValueError
    return number


def _confidence(value: Any) -> float:
    if value != value:
        raise ValueError
    return _number(value, 1.0)


def _words(value: Any) -> tuple[Word, ...]:
    if not all(isinstance(word, Word) for word in value):
        raise TypeError
    return tuple(Word(_text(word.text), _confidence(word.confidence)) for word in value)


_FIELDS: Final[Mapping[str, tuple[Callable[[Any], Any], str]]] = {
    **dict.fromkeys(
        ("text", "reason", "raw", "request", "server_version", "served_model", "language"),
        (_text, "text without half of a surrogate pair"),
    ),
    **dict.fromkeys(
        ("attempts", "peak_memory_bytes", "input_tokens", "output_tokens", "concurrency", "batch_size"),
        (_count, "a whole number from 0 to 2**63 - 1"),
    ),
    **dict.fromkeys(
        ("seconds", "latency_seconds", "first_byte_seconds", "start_up_seconds"), (_number, "a number of seconds")
    ),
    "confidence": (_confidence, "a number from 0 to 1"),
    "words": (_words, "Words, each with a text and a confidence from 0 to 1"),
    "warm_up": (bool, "true or false"),
}


def storable(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of an answer or a reading as files can hold them: numbers are Python's, and fit in 64 bits.

    Raises UnreadableSourceError, which names the first that no file can hold.
    """
    values: dict[str, Any] = {}
    for name, value in fields.items():
        convert, expected = _FIELDS[name]
        try:
            values[name] = None if value is None else convert(value)
        except (TypeError, ValueError, OverflowError):
            shown = as_unicode(str(value)[:60])
            raise UnreadableSourceError(f"the engine gave the {name} {shown}, expected {expected}") from None
    return values


def count_or_none(value: object) -> int | None:
    """A number that a server reports, None where it is no count that can be stored."""
    try:
        return _count(int(value) if isinstance(value, float) and value.is_integer() else value)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Answer:
    """Text that an engine returns, and what it reports about it.

    Raises UnreadableSourceError, with the answer as received, for what no file can hold.
    """

    text: str
    raw: str | None = None  # the answer as received, if it differs from the text
    confidence: float | None = None  # of the whole text, from 0 to 1
    attempts: int = 1
    request: str | None = None  # the server's id of the answer
    seconds: float | None = None  # of the attempt that succeeded, if there were several
    words: tuple[Word, ...] | None = None  # as the engine divides the text, each with its confidence
    first_byte_seconds: float | None = None  # until the first byte of a streamed answer
    input_tokens: int | None = None  # of the question, as the server counts them
    output_tokens: int | None = None
    batch_size: int | None = None  # of the batch in which the engine read it
    server_version: str | None = None  # as the server reports it
    served_model: str | None = None  # that answered, as the server reports it
    language: str | None = None  # in which the engine read, as it reports it

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise UnreadableSourceError(f"the engine gave {type(self.text).__name__} in place of a text")
        try:
            values = storable({entry.name: getattr(self, entry.name) for entry in fields(self)})
        except UnreadableSourceError as error:
            error.raw, error.attempts = self.text if self.raw is None else self.raw, count_or_none(self.attempts) or 1
            raise
        for name, value in values.items():
            object.__setattr__(self, name, value)


class Reader(Protocol):
    """An opened engine."""

    def read(self, source: Source) -> str | Answer:
        """Turn one source into text, exactly as the engine returns it."""

    def close(self) -> None:
        """Free memory and handles; a remote engine's reader also abandons open requests."""


@runtime_checkable
class Engine(Protocol):
    """Settings of one engine; cheap to create, because nothing is loaded before `open`.

    It runs in separate processes, so that it can be stopped, and may crash without harm.
    """

    @property
    def reads(self) -> frozenset[str]:
        """Kinds of source it can read, as in `Dataset.offers`."""

    @property
    def revision(self) -> int:
        """Increased when the adapter's output changes, so that captures are made again."""

    def versions(self) -> Mapping[str, str]:
        """Versions of the software that reads; stored in every capture."""

    def open(self) -> Reader:
        """Load the engine.

        Raises
        ------
        MissingDependencyError
            If its package is not installed; names the line that installs it.
        """


class BatchReader(Reader, Protocol):
    """An opened engine that reads several sources together."""

    def read_many(self, sources: Sequence[Source]) -> Sequence[str | Answer | UnreadableSourceError]:
        """Turn sources into texts, in their order; one that cannot be read has its error, and the others their texts.

        Where it raises anything, such as where memory ends, the halves are read by themselves.
        """


@runtime_checkable
class BatchEngine(Engine, Protocol):
    """An engine that takes less time for several sources together; `open` returns a BatchReader."""

    @property
    def batch(self) -> int:
        """Most sources that are read together."""


@runtime_checkable
class RemoteEngine(Engine, Protocol):
    """An engine that waits while something else reads, such as a server; threads of this process share one reader."""

    @property
    def concurrency(self) -> int:
        """How many segments are read at the same time."""


def import_engine(engine: str, packages: str, extra: str, *modules: str) -> Any:
    """The last of the modules that an engine needs; MissingDependencyError says how to install their packages."""
    with needed_for(f"engine {engine} needs", packages, extra):
        return [import_module(module) for module in modules][-1]


def digest_model(path: Path) -> str:
    """SHA-256 of a file, or of the names and contents of all files in a folder."""
    if path.is_file():
        return digest_file(path)
    listed = (f"{digest_model(file)}  {file.relative_to(path).as_posix()}\n" for file in _files(path))
    return hashlib.sha256("".join(listed).encode()).hexdigest()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
