"""Any program that reads a file and writes a text."""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from misread.data.segment_table import Source
from misread.engines.base import Answer, UnreadableSourceError
from misread.engines.cutting import plain_file
from misread.engines.reading import signal_name
from misread.errors import ConfigurationError, MissingDependencyError
from misread.io.checks.choices import check_choices
from misread.provenance.plugins import PROGRAMS, digest_program

_INPUT: Final = "{input}"
_OUTPUT: Final = "{output}"
_LONGEST_COMPLAINT: Final = 300
_KEPT_OF_COMPLAINTS: Final = 10 * _LONGEST_COMPLAINT
_AT_ONCE: Final = 1 << 16  # bytes, the capacity of a pipe
_CHECKED_AFTER: Final = 0.1  # seconds between checks whether the program still runs and its answer is still wanted


@dataclass(frozen=True)
class Command:
    """Runs a program for every segment, without a shell, in the project's folder.

    Parameters
    ----------
    arguments : list of str
        The program and its arguments. `{input}` becomes the path of the image or audio, `{output}` for that of the
        file that the program writes its text to. Without `{output}`, the text is what the program prints. Scripts of
        the project must be in its folder `conf/programs`, so that changes to them are noticed.
    medium : {"line_image", "page_image", "audio"}
        What it reads.
    version : str
        Version of a program outside the project.
    timeout : float
        Seconds after which it is stopped, together with the processes that it started in its session.
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
        paths = [Path(argument) for argument in self.arguments if Path(argument).is_file()]
        own = [path for path in paths if path.resolve().is_relative_to(Path.cwd())]
        for path in own:
            if not path.is_relative_to(PROGRAMS) or ".." in path.parts:
                raise ConfigurationError(
                    f"engine Command: {path} lies in the project, where no stage would notice a change; move it into "
                    f"the folder {PROGRAMS}/ and name it from the project's folder."
                )
        digests = {path.as_posix(): digest_program(path) for path in own}
        return {
            "program": Path(self.arguments[0]).name,
            **({"version": self.version} if self.version else {}),
            **digests,
        }

    def open(self) -> CommandReader:
        """Find the program."""
        if not hasattr(os, "killpg"):
            raise ConfigurationError(
                "engine Command needs a system whose programs run in groups, such as Linux or macOS; run it by hand, "
                "and name its outputs with misread.engines.Recorded."
            )
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
        """Text that the program prints or writes, without the final line end."""
        with plain_file(source, self.settings.medium) as path, tempfile.TemporaryDirectory(prefix="misread-") as folder:
            output = Path(folder) / "output.txt"
            into_file = any(_OUTPUT in argument for argument in self.settings.arguments)
            path_by_placeholder = {_INPUT: str(path.resolve()), _OUTPUT: str(output)}
            printed = self._run([_fill(argument, path_by_placeholder) for argument in self.settings.arguments])
            return _text_of(self._written(output) if into_file else printed)

    def close(self) -> None:
        """Stop running programs, and any that another thread is about to start."""
        self._closed = True
        for process in list(self._running):
            _stop(process)

    def _run(self, arguments: Sequence[str]) -> bytes:
        program = self.settings.arguments[0]
        deadline = time.monotonic() + self.settings.timeout
        with self._started(arguments) as process:
            printed, complaints = self._read(process, deadline)
            try:
                status = process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise self._too_late(process) from None
            if self._closed:
                # The program may have ended because a process that it waited for was stopped.
                raise UnreadableSourceError("the capture is given up")
            if status:
                how = f"signal {signal_name(-status)}" if status < 0 else f"status {status}"
                raise UnreadableSourceError(
                    f"{program} ended with {how}{_last_line(complaints)}", raw=printed.decode(errors="replace") or None
                )
            return printed

    def _read(self, process: subprocess.Popen[bytes], deadline: float) -> tuple[bytes, bytes]:
        """Standard output of a program until the deadline, and the end of its standard error.

        A process that it started in another session may keep both open for ever.
        """
        printed, complaints = bytearray(), bytearray()
        with selectors.DefaultSelector() as pipes:
            for pipe, content in ((process.stdout, printed), (process.stderr, complaints)):
                assert pipe is not None  # noqa: S101  it is a pipe
                pipes.register(pipe, selectors.EVENT_READ, content)
            # A program blocks if nobody reads its standard error; what its children write there may never end.
            while (
                not self._closed
                and (pipes_left := pipes.get_map())
                and (process.stdout in pipes_left or process.poll() is None)
            ):
                if (seconds := deadline - time.monotonic()) <= 0:
                    raise self._too_late(process)
                _read_once(pipes, min(seconds, _CHECKED_AFTER))
                if len(printed) > self.settings.max_answer_bytes:
                    raise self._too_long(printed)
                del complaints[:-_KEPT_OF_COMPLAINTS]
            _read_once(pipes, 0)
        return bytes(printed), bytes(complaints)

    @contextmanager
    def _started(self, arguments: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
        """Start the program in its own process group, so that its children can be stopped with it."""
        with subprocess.Popen(  # noqa: S603  an argument list, without a shell
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
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
        program = self.settings.arguments[0]
        if output.exists() and not output.is_file():
            raise UnreadableSourceError(f"{program} made {_OUTPUT} a pipe, a device or a folder, expected a file")
        try:
            # A child may still replace the file with a pipe; do not wait for that.
            with os.fdopen(os.open(output, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
                content = file.read(self.settings.max_answer_bytes + 1)
        except OSError:
            raise UnreadableSourceError(f"{program} wrote no {_OUTPUT}") from None
        if len(content) > self.settings.max_answer_bytes:
            raise self._too_long(content)
        return content

    def _too_late(self, process: subprocess.Popen[bytes]) -> UnreadableSourceError:
        program, seconds = self.settings.arguments[0], f"longer than {self.settings.timeout:g} s"
        if process.poll() is not None:
            return UnreadableSourceError(f"{program} ended, but what it had started kept its output open for {seconds}")
        return UnreadableSourceError(f"{program} took {seconds} and was stopped")

    def _too_long(self, content: bytes | bytearray) -> UnreadableSourceError:
        return UnreadableSourceError(
            f"{self.settings.arguments[0]} wrote more than {self.settings.max_answer_bytes:,} bytes",
            raw=content[:_LONGEST_COMPLAINT].decode(errors="replace"),
        )


def _fill(argument: str, path_by_placeholder: Mapping[str, str]) -> str:
    for placeholder, path in path_by_placeholder.items():
        argument = argument.replace(placeholder, path)
    return argument


def _text_of(content: bytes) -> Answer:
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise UnreadableSourceError(
            f"the text is not UTF-8 (byte {error.start + 1})", raw=content.decode(errors="backslashreplace")
        ) from None
    return Answer(text.removesuffix("\n").removesuffix("\r"))


def _read_once(pipes: selectors.BaseSelector, seconds: float) -> None:
    """Append what can be read to the content of each pipe, and unregister pipes that have ended."""
    for pipe, _ in pipes.select(seconds):
        if part := os.read(pipe.fd, _AT_ONCE):
            pipe.data.extend(part)
        else:
            pipes.unregister(pipe.fileobj)


def _last_line(complaints: bytes) -> str:
    lines = complaints[-_KEPT_OF_COMPLAINTS:].decode(errors="replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f": {last[:_LONGEST_COMPLAINT]}" if last else ""


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Kill the program and all that is left of its process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
