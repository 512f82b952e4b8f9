"""`misread doctor --self-test`: the cases of the conformance suite, scored on this machine."""

import locale
import platform
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from importlib.metadata import version
from pathlib import Path
from runpy import run_path
from time import process_time
from types import SimpleNamespace
from typing import Any, Final

from misread.errors import MissingDataError
from misread.io.console import write_out
from misread.version import __version__

_FOLDERS: Final = tuple(Path(__file__).parents[k] / "conformance/runners" for k in (1, 3))
"""In the package, and in its repository."""
_SECONDS: Final = 4.0


def score_cases(seconds: float = _SECONDS) -> bool:
    """Score all cases in Python, then those in machine code for which there is time; say what differs, and whether any.

    No kernel is compiled once the time is over; those that are compiled by then are kept for the next run.
    Raises MissingDataError without the cases.
    """
    from misread.compiled.budget import use_machine_code
    from misread.compiled.jit import interpreted

    folder = next((folder for folder in _FOLDERS if folder.is_dir()), None)
    if folder is None:
        raise MissingDataError("misread was installed without the cases of its self-test; install it again.")
    serve = SimpleNamespace(**run_path(str(folder / "serve.py")))
    runner, cases = serve.load(folder / "with_misread.py"), serve.read_cases()
    write_out(_describe_machine())
    with interpreted():
        # Some kernels use vectors, which Python does not have.
        answers = [(case, serve.ask(runner, case)) for case in cases]
        differing = _report(serve, "Python", [pair for pair in answers if "is not usable in" not in str(pair[1])])
    use_machine_code()
    # Bags of words have the fewest kernels, alternatives and long texts the most.
    cases.sort(key=lambda case: case["rule"]["method"] == "bag")
    answers = []
    with _compile_until(process_time() + seconds), suppress(_TimeIsOver):
        for case in reversed(cases):
            answers.append((case, serve.ask(runner, case)))
    differing += _report(serve, "machine code", answers)
    if len(answers) < len(cases):
        write_out("Numba had kernels to compile, a minute of work in all; each run of this test compiles some of them.")
    return differing > 0


class _TimeIsOver(BaseException):
    """Raised where a kernel would be compiled too late; no runner takes it for an error of its own."""


def _compile_until(end: float) -> AbstractContextManager[Any]:
    """Raise _TimeIsOver where a kernel would be compiled later; a case may have twenty, each of two seconds at most."""
    from numba.core import event

    class Deadline(event.RecordingListener):  # type: ignore[misc]
        def on_start(self, _: Any) -> None:
            if process_time() > end:
                raise _TimeIsOver

    return event.install_listener("numba:compile", Deadline())  # type: ignore[no-any-return]


def _report(serve: Any, way: str, answers: Sequence[tuple[Any, Any]]) -> int:
    """Number of answers that are not as expected; each gets a line."""
    differing = [(case, answer) for case, answer in answers if serve.grade(case, answer) != "agree"]
    for case, answer in differing:
        write_out(f"{case['id']} in {way}: {answer}, expected {case['expected']}. {case['reason']}")
    write_out(f"{way}: {len(answers) - len(differing)} of {len(answers)} cases as expected")
    return len(differing)


def _describe_machine() -> str:
    packages = (f"{name} {version(name)}" for name in ("numpy", "numba", "pyarrow", "regex"))
    language = ".".join(filter(None, locale.getlocale())) or "C"
    python = f"misread {__version__}, Python {platform.python_version()}"
    return ", ".join((python, *packages, f"{platform.system()} {platform.machine()}", f"locale {language}"))
