"""Fixtures that tests of several packages share."""

from __future__ import annotations

import atexit
import gc
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import dvc.logger  # noqa: F401  DVC logs to what standard output is when it is first imported: not to that of one test
import numba
import pytest
import yaml
from hypothesis import settings
from hypothesis.internal import entropy
from tests.whole_tables import write_normalized, write_scores

from misread.cli import app, main
from misread.compiled import threads
from misread.compiled.budget import BUDGETS
from misread.data import CountsSettings
from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.engines.base import Reading
from misread.io import write_record
from misread.normalize import normalize
from misread.pipeline import paths
from misread.pipeline.params import Params, load_params
from misread.stats import compare_systems
from misread.storage import write_capture, write_counts
from misread.tally import score

pytest_plugins = ["tests.browser", "tests.doctests", "tests.made_results", "tests.twins", "tests.written_files"]

# The first example may have to wait for compiled code; speed is measured by `make bench`, never by a test.
# Every run tries other examples, and one that nobody waits for more of them.
settings.register_profile("misread", deadline=None, max_examples=100 if "CI" in os.environ else 10)
settings.load_profile("misread")
# Nothing here draws from NumPy's global generator; to put its state away and back took a quarter of a short example.
entropy.NP_RANDOM = object()

# Once for all: with `log_level` pytest sets it three times for each test, a fiftieth of the time of all.
logging.getLogger().setLevel(logging.INFO)

# What is imported and collected stays to the end: to look for garbage in it took a second in thirty.
gc.disable()

# Otherwise each command of DVC in a folder without settings starts another, which asks for a newer version.
os.environ["DVC_DAEMON"] = "1"

REPOSITORY = Path(__file__).resolve().parents[1]

# An identity, without which nothing is committed, and a checkout of any owner.
GIT_CONFIG = """\
[user]
    name = test
    email = test@example.org
[safe]
    directory = *
"""


def leave_home(home: Path) -> None:
    """Take an empty folder as home: whose settings of Git, DVC and Matplotlib are there changes no result.

    Caches stay where they were, as does the index that uv installs from.
    """
    before = Path.home()
    uv_config = Path(os.environ.pop("XDG_CONFIG_HOME", before / ".config")) / "uv/uv.toml"
    if uv_config.is_file():
        os.environ.setdefault("UV_CONFIG_FILE", str(uv_config))
    os.environ.setdefault("XDG_CACHE_HOME", str(before / ".cache"))
    # A hook of Git that runs the tests names its own repository and author.
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    (home / ".gitconfig").write_text(GIT_CONFIG)
    os.environ["HOME"] = str(home)


# A file system in memory, on which tests take a tenth less time; a whole run writes 1.3 GB.
IN_MEMORY = Path("/dev/shm")  # noqa: S108  folders in it have names that nobody can foresee
ROOM = 4 << 30
folder_in_memory = ""

# Workers of xdist have the environment of the process that starts them.
if "PYTEST_XDIST_WORKER" not in os.environ:
    if "TMPDIR" not in os.environ and IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > ROOM:
        folder_in_memory = tempfile.mkdtemp(prefix="misread-", dir=IN_MEMORY)
        os.environ["TMPDIR"] = tempfile.tempdir = folder_in_memory
        # At the end, when nobody waits for it; with --basetemp, what tests wrote is elsewhere and stays.
        atexit.register(subprocess.Popen, ["rm", "-rf", folder_in_memory], start_new_session=True)
    new_home = tempfile.TemporaryDirectory(prefix="misread-home-")
    leave_home(Path(new_home.name))


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Take short names there: paths of sockets, and those that sclite reads, are of limited length."""
    if folder_in_memory:
        config.option.basetemp = config.option.basetemp or f"{folder_in_memory}/t"


# What takes long or needs a program that not every machine has is marked by the fixture through which tests reach it.
MARKS_OF_FIXTURES = {
    "chromium": ("browser",),
    "first_run": ("pipeline", "process"),
    "compile_latex": ("latex",),
    "line_source": ("engine",),
    "made": ("pipeline",),
    "past": ("pipeline",),
    "single": ("pipeline",),
    "sctk": ("sclite",),
    "small_project": ("pipeline", "process"),
    "typeset": ("latex",),
}
# Programs that no test may start without this mark. Any test may start others, such as Git.
MARKS_OF_PROGRAMS = {
    "bash": "process",
    "dvc": "pipeline",
    "jiwer": "process",
    "misread": "process",
    "node": "browser",
    "pdflatex": "latex",
    "sclite": "sclite",
    "setpriv": "process",
    Path(sys.executable).name: "process",
}
started: list[str] = []


def note_program(event: str, arguments: tuple[Any, ...]) -> None:
    """Remember the name of every program that a test starts."""
    if event == "subprocess.Popen":
        started.append(Path(os.fsdecode(arguments[0])).name)


sys.addaudithook(note_program)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for name in getattr(item, "fixturenames", ()):
            for mark in MARKS_OF_FIXTURES.get(name, ()):
                item.add_marker(mark)
    # So that no process has a long test left when the other has none.
    items.sort(key=lambda item: item.get_closest_marker("pipeline") is None)


def pytest_collection_finish() -> None:
    # Of what is there a fifth is garbage, which takes little memory; to look for it would take a second.
    gc.freeze()
    # To look for garbage after every 700 new objects took a tenth of the time of tests that start no process.
    gc.set_threshold(20_000, 10, 10)
    gc.enable()


@pytest.fixture
def ends_within() -> Callable[[float, Callable[[], object]], bool]:
    """Whether a call takes less than so many CPU-seconds, in one of three tries.

    For what takes minutes where it goes wrong: a collection of what other tests left may fall into any one try.
    """

    def measure(call: Callable[[], object]) -> float:
        start = time.process_time()
        call()
        return time.process_time() - start

    return lambda seconds, call: any(measure(call) < seconds for _ in range(3))


folder_numbers = count()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of this test alone, as pytest's, which looks at those of all tests before to find a number."""
    letters = re.sub(r"\W", "_", request.node.name)[:30]
    folder = tmp_path_factory.getbasetemp() / f"{letters}-{next(folder_numbers)}"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture(autouse=True)
def marks_say_what_is_started(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that starts a program without the mark by which `make test-fast` leaves it out."""
    yield
    needed = {MARKS_OF_PROGRAMS[name] for name in started if name in MARKS_OF_PROGRAMS}
    started.clear()
    lacking = needed - {mark.name for mark in request.node.iter_markers()}
    assert not lacking, f"this test starts a program: mark it with {', '.join(sorted(lacking))}"


@pytest.fixture(scope="session", autouse=True)
def no_notes_on_time() -> Iterator[None]:
    """A command does not say what takes it long: how long that is depends on what was compiled before."""
    before, app.SECONDS = app.SECONDS, 3600.0  # type: ignore[misc]
    yield
    app.SECONDS = before  # type: ignore[misc]


@contextmanager
def with_budget(seconds: float) -> Iterator[None]:
    """Let NumPy and plain Python do as much as may be done without machine code."""
    before = [budget.seconds for budget in BUDGETS]
    for budget in BUDGETS:
        budget.seconds = seconds
    yield
    for budget, old in zip(BUDGETS, before, strict=True):
        budget.seconds = old


@pytest.fixture(scope="module")
def machine_code() -> Iterator[None]:
    """Nothing is left to NumPy and plain Python, however small it is."""
    with with_budget(0.0):
        yield


@pytest.fixture(scope="session")
def either_way() -> Callable[[Callable[[], Any]], tuple[Any, Any]]:
    """Results of a call without machine code, and with nothing else."""

    def call(function: Callable[[], Any]) -> tuple[Any, Any]:
        results = []
        for seconds in (float("inf"), 0.0):
            with with_budget(seconds):
                results.append(function())
        return results[0], results[1]

    return call


@pytest.fixture(scope="session")
def repository() -> Path:
    """Root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared_data_root() -> Path:
    """Where the folder of real data sets would be."""
    return Path(os.environ.get("MISREAD_DATA_ROOT", REPOSITORY / ".." / "shared" / "data")).resolve()


@pytest.fixture(scope="session")
def shared_data(shared_data_root: Path) -> Path:
    """Folder of real data sets; tests that need it are skipped with the reason where it is absent."""
    if not shared_data_root.is_dir():
        pytest.skip(
            f"shared data is absent: no folder {shared_data_root}; run `misread data fetch ID` for each ID of "
            "`misread data list`, and set MISREAD_DATA_ROOT=downloads"
        )
    return shared_data_root


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Folder of a data set outside of the repository."""
    root = tmp_path / "elsewhere" / "lines"
    (root / "images").mkdir(parents=True)
    (root / "lines.csv").write_text("id,ref\n1,one\n")
    (root / "images" / "1.png").write_bytes(b"first")
    (root / "images" / "2.png").write_bytes(b"second")
    return root


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """Folder of the data set's card in the repository."""
    folder = tmp_path / "repository" / "data" / "lines"
    folder.mkdir(parents=True)
    return folder


REFERENCES = ["the quick brown fox", "jumps over the lazy dog", "one  two", "three"]
READ = {
    "a": ["the quich brown fox", "jumps over teh lazy dog", "one two", "thre"],
    "b": ["the quick brown fox", None, "one two", "three"],
}
STATISTICS = {
    "_target_": "misread.stats.StatisticsSettings",
    "seed": 1,
    "resamples": 199,
    "tests": ["wilcoxon", "mcnemar", "bootstrap", "randomisation"],
    "deciding_test": "randomisation",
}


def write_results(
    root: Path,
    *,
    read: Mapping[str, Sequence[str | None]] = READ,
    references: Sequence[str] = REFERENCES,
    ids: Sequence[str] | None = None,
    clusters: Sequence[str] | None = None,
    normalizer: Sequence[str] = ("collapse_whitespace",),
    metrics: Sequence[str] = ("cer", "wer"),
    dataset: str = "lines",
    params: Mapping[str, Any] | None = None,
    engine: Mapping[str, str] | None = None,
    counts: CountsSettings | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    compares: bool = True,
) -> Params:
    """Write params.yaml and what all stages but the report leave behind, without DVC and without engines.

    With `counts`, also what the report leaves for Git to keep of the scores. Two revisions are compared by their
    scores: there the comparison of systems, which takes as long as all the rest, can be left out.
    """
    names = {"collapse_whitespace": "whitespace", "lower_case": "lower"}
    content = {
        "systems": {system: {"_target_": "misread.engines.Recorded"} for system in read},
        "datasets": {dataset: {"_target_": "misread.data.Table", "root": f"data/{dataset}", "file": "lines.csv"}},
        "normalizer": {"name": names[normalizer[-1]] if normalizer else "none", "steps": list(normalizer)},
        "metrics": {name: name for name in metrics},
        "statistics": STATISTICS,
        "report": {"_target_": "misread.tables.ReportSettings", "metrics": list(metrics), "figure_formats": []},
        "baseline": None,
        "missing": "empty",
        "executor": {"_target_": "misread.execution.Local"},
        **(params or {}),
    }
    (root / "params.yaml").write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    made = load_params(root / "params.yaml")
    keys = SegmentKeys(ids or [f"l{number}" for number in range(1, len(references) + 1)], clusters, groups or {})
    built = made.metrics()
    scores = {}
    for system, hypotheses in read.items():
        origin = Origin(dataset, system, "0123456789", engine or {"engine": "1.0"}, "page" if clusters else "")
        reasons = ["the image is cut short" if text is None else None for text in hypotheses]
        capture = Capture(origin, keys, TextPairs(list(references), list(hypotheses)), reasons)
        texts = normalize(capture, made.normalizer())
        scores[system] = score(texts, built, missing=made.missing)
        readings = [
            Reading(segment, text, reason, 0.1, None)
            for segment, text, reason in zip(keys.segment_id, hypotheses, reasons, strict=True)
        ]
        write_capture(root / paths.capture(dataset, system), origin, keys, list(references), readings)
        write_normalized(root / paths.normalized(dataset, system), texts)
        write_scores(root / paths.scores(dataset, system), scores[system])
    if compares:
        result = compare_systems(scores, built, made.statistics(), dataset=dataset, baseline=made.baseline)
        write_record(root / paths.comparison(dataset), result, kind="comparison")
    if counts:
        folder = root / paths.counts(dataset, "").parent
        write_counts(folder, scores, counts, key_file=root / paths.PSEUDONYM_KEY)
    return made


@pytest.fixture(scope="session", name="write_results")
def give_write_results():
    """Write the results of a small project."""
    return write_results


class Done(NamedTuple):
    """What a command ended with, printed and complained."""

    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out, parse_constant=pytest.fail)


@pytest.fixture
def misread(monkeypatch, capsys, tmp_path):
    """Run `misread` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["misread", *map(str, arguments)])
        try:
            main()
            status = 0
        except SystemExit as end:
            status = end.code or 0
        return Done(status, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def sctk():
    """Where a program of NIST's scoring toolkit lies: in the path, or where Debian's package sctk puts it."""

    def find(program: str) -> str:
        places = [shutil.which(program), f"/usr/lib/sctk/bin/{program}"]
        found = next((place for place in places if place and Path(place).is_file()), None)
        if found is None:
            pytest.skip(f"{program} is missing: apt-get install sctk")
        return found

    return find


@pytest.fixture
def use_threads(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets how many threads take the chunks of the kernels, however little work there is."""

    def use(number: int) -> None:
        monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", number)
        monkeypatch.setattr(threads, "_LEAST_UNITS", 1)

    return use
