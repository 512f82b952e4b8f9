"""Any program that reads a file and writes a text."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, Literal

from misread.checks.choices import check_choices
from misread.engines.base import Answer, UnreadableSourceError
from misread.engines.images import media_path
from misread.errors import ConfigurationError, MissingDependencyError
from misread.provenance.programs import PROGRAMS, digest_program
from misread.records import Source

_INPUT: Final = "{input}"
_OUTPUT: Final = "{output}"
_LONGEST_COMPLAINT: Final = 300


@dataclass(frozen=True)
class Command:
    """Runs a program for every segment, without a shell, in the project's folder.

    Parameters
    ----------
    arguments : list of str
        The program and its arguments. `{input}` stands for the path of the image or audio; `{output}` for that of a
        file that the program writes its text to, without which the text is what it prints. Scripts of the project lie
        in its folder `programs`, so that a change of them is noticed.
    medium : {"line_image", "page_image", "audio"}
        What it reads.
    version : str
        Version of a program that does not lie in the project.
    timeout : float
        Seconds after which it is stopped.
    concurrency : int
        How many run at the same time.
    max_answer_bytes : int
        Longest text; a program that writes more is stopped.
    revision : int
        Increase it to read again.

    Raises
    ------
    ConfigurationError
        If there is no program or no `{input}`, or a number is too small.
    UnknownNameError
        If there is no such medium.
    """

    arguments: Sequence[str]
    medium: Literal["line_image", "page_image", "audio"] = "line_image"
    version: str = ""
    timeout: float = 600.0
    concurrency: int = 1
    max_answer_bytes: int = 10_000_000
    revision: int = 1

    def __post_init__(self) -> None:
        check_choices(self, "engine Command")
        if not self.arguments or not any(_INPUT in argument for argument in self.arguments[1:]):
            raise ConfigurationError(
                f"arguments of engine Command are {list(self.arguments)!r}, expected a program and its arguments, "
                f"one of them with {_INPUT}."
            )
        for name in ("timeout", "concurrency", "max_answer_bytes"):
            if not getattr(self, name) > 0:
                raise ConfigurationError(f"{name} of engine Command is {getattr(self, name)}, expected more than 0.")

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({self.medium})

    def versions(self) -> Mapping[str, str]:
        """The given version, and digests of the files of the project that the arguments name."""
        named = [Path(argument) for argument in self.arguments if Path(argument).is_file()]
        own = [path for path in named if path.resolve().is_relative_to(Path.cwd())]
        for path in own:
            if not path.is_relative_to(PROGRAMS) or ".." in path.parts:
                raise ConfigurationError(
                    f"engine Command: {path} lies in the project, where a change of it would not be noticed; move it "
                    f"into the folder {PROGRAMS}/ and name it from the project's folder."
                )
        digests = {path.as_posix(): digest_program(path) for path in own}
        return {
            "program": Path(self.arguments[0]).name,
            **({"version": self.version} if self.version else {}),
            **digests,
        }

    def open(self) -> CommandReader:
        """Look for the program."""
        if shutil.which(self.arguments[0]) is None:
            raise MissingDependencyError(
                f"engine Command: there is no program {self.arguments[0]!r}; install it, or give its path in arguments."
            )
        return CommandReader(self)


@dataclass
class CommandReader:
    """Runs the program; several threads may do so."""

    settings: Command
    _running: set[subprocess.Popen[bytes]] = field(default_factory=set)
    _closed: bool = False

    def read(self, source: Source) -> Answer:
        """Text that the program prints or writes, without the line end after its last line."""
        path = media_path(source)
        if not path.is_file():
            raise UnreadableSourceError(f"there is no file {path}")
        with tempfile.TemporaryDirectory(prefix="misread-") as folder:
            output = Path(folder) / "output.txt"
            into_file = any(_OUTPUT in argument for argument in self.settings.arguments)
            given = {_INPUT: str(path.resolve()), _OUTPUT: str(output)}
            printed = self._run([_fill(argument, given) for argument in self.settings.arguments])
            return _text_of(self._written(output) if into_file else printed)

    def close(self) -> None:
        """Stop what runs, and what another thread is about to start."""
        self._closed = True
        for process in list(self._running):
            _stop(process)

    def _run(self, arguments: Sequence[str]) -> bytes:
        program = self.settings.arguments[0]
        with tempfile.TemporaryFile() as complaints, self._started(arguments, complaints) as process:
            late = threading.Event()
            timer = threading.Timer(self.settings.timeout, _stop, (process, late))
            timer.start()
            try:
                assert process.stdout is not None  # noqa: S101  it is a pipe
                printed = process.stdout.read(self.settings.max_answer_bytes + 1)
                if len(printed) > self.settings.max_answer_bytes:
                    _stop(process)
                    raise self._too_long(printed)
                status = process.wait()
            finally:
                timer.cancel()
            if late.is_set():
                raise UnreadableSourceError(f"{program} took longer than {self.settings.timeout:g} s and was stopped")
            if status:
                how = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
                raise UnreadableSourceError(
                    f"{program} ended with {how}{_last_line(complaints)}", raw=printed.decode(errors="replace") or None
                )
            return printed

    @contextmanager
    def _started(self, arguments: Sequence[str], complaints: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
        """Start the program in a group of its own, so that what it starts can be stopped with it."""
        with subprocess.Popen(  # noqa: S603  an argument list, without a shell
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            start_new_session=True,
        ) as process:
            self._running.add(process)
            if self._closed:
                _stop(process)
            try:
                yield process
            finally:
                _stop(process)
                self._running.discard(process)

    def _written(self, output: Path) -> bytes:
        try:
            with output.open("rb") as file:
                content = file.read(self.settings.max_answer_bytes + 1)
        except OSError:
            raise UnreadableSourceError(f"{self.settings.arguments[0]} wrote no {_OUTPUT}") from None
        if len(content) > self.settings.max_answer_bytes:
            raise self._too_long(content)
        return content

    def _too_long(self, content: bytes) -> UnreadableSourceError:
        return UnreadableSourceError(
            f"{self.settings.arguments[0]} wrote more than {self.settings.max_answer_bytes:,} bytes",
            raw=content[:_LONGEST_COMPLAINT].decode(errors="replace"),
        )


def _fill(argument: str, given: Mapping[str, str]) -> str:
    for name, value in given.items():
        argument = argument.replace(name, value)
    return argument


def _text_of(content: bytes) -> Answer:
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise UnreadableSourceError(
            f"the text is not UTF-8 (byte {error.start + 1})", raw=content.decode(errors="backslashreplace")
        ) from None
    return Answer(text.removesuffix("\n").removesuffix("\r"))


def _last_line(complaints: IO[bytes]) -> str:
    complaints.seek(max(complaints.seek(0, os.SEEK_END) - 10 * _LONGEST_COMPLAINT, 0))
    lines = complaints.read().decode(errors="replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f": {last[:_LONGEST_COMPLAINT]}" if last else ""


def _stop(process: subprocess.Popen[bytes], late: threading.Event | None = None) -> None:
    """Kill the program and what it started and left behind in its group."""
    if late:
        late.set()
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
