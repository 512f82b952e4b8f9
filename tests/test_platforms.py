"""What runs where the system or the installation has less than Linux with all extras."""

import json
import os
import platform
import subprocess
import sys

import pytest

# As on Windows: no such modules and functions, also in processes that are started.
WITHOUT_POSIX = """
import os, sys
for module in ("fcntl", "resource"):
    sys.modules[module] = None
for name in ("fork", "forkpty", "killpg", "pread", "pwrite", "register_at_fork", "O_CLOEXEC", "O_NONBLOCK"):
    delattr(os, name)
"""
# Each command in a line of its own, in one process.
ALL_OF_THEM = """
import sys
from misread.cli import main
for line in sys.argv.pop().splitlines():
    sys.argv = ["misread", *line.split()]
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise
"""
WITHOUT_PANDAS = "import sys\nsys.modules['pandas'] = None\n"
# What modules of misread call is not about to go away; `-W error:::misread` would not take modules below it.
WITHOUT_DEPRECATED = """
import warnings
for category in (DeprecationWarning, PendingDeprecationWarning, FutureWarning, SyntaxWarning):
    warnings.filterwarnings("error", category=category, module="misread")
"""
ALL_MODULES = """
import pkgutil
from importlib import import_module
from pathlib import Path
import misread
names = [module.name for module in pkgutil.walk_packages(misread.__path__, "misread.")]
for name in names:
    module = import_module(name)
    compile(Path(module.__file__).read_text(encoding="utf-8"), name, "exec")
print(len(names))
"""
KERNELS = """
import random, misread, rapidfuzz
draw = random.Random(1).choices
texts = ["".join(draw("abc ", k=length)) for length in 30_000 * [40] + 20 * [900]]
others = texts[1:] + texts[:1]
expected = [rapidfuzz.distance.Levenshtein.distance(*pair) for pair in zip(texts, others)]
print(misread.error_counts(texts, others).errors.tolist() == expected)
"""
TEXTS = """
import sys, misread
from misread.cli import main
result = misread.evaluate(["a fox", "a dog"], {"a": ["a fax", "a dog"], "b": ["a fox", "a dot"]}, seed=1)
print(result.systems["a"]["cer"].rate)
print(result)
try:
    result.to_frame()
except misread.MisreadError as error:
    print(error)
sys.argv = "misread score --table lines.csv --segment-id id --ref truth --hyp one=one --metrics cer".split()
sys.argv += ["--output", "json", "--run-dir", "kept"]
main()
"""


@pytest.fixture
def run(tmp_path):
    """Run a program in this folder in which something is missing; gives what it printed."""

    def run_without(missing, *arguments):
        (tmp_path / "missing").mkdir(exist_ok=True)
        (tmp_path / "missing/sitecustomize.py").write_text(missing)
        path = os.pathsep.join(filter(None, [str(tmp_path / "missing"), os.environ.get("PYTHONPATH")]))
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run_without


@pytest.fixture
def lines(tmp_path):
    (tmp_path / "lines.csv").write_text("id,page,truth,one,two\nl1,p1,a fox,a fax,a fox\nl2,p2,a dog,a dog,a dot\n")
    return tmp_path / "lines.csv"


@pytest.mark.process
def test_texts_are_scored_without_them_and_a_frame_names_what_installs_pandas(run, lines):
    evaluated, counts = run(WITHOUT_POSIX + WITHOUT_PANDAS, "-c", TEXTS).split("DataFrames need pandas: ")
    assert evaluated.startswith("0.1\n")
    install, counts = counts.split("\n", 1)
    assert install == "pip install 'misread[frames]'."
    assert json.loads(counts)["systems"]["one"]["cer"]["counts"]["errors"] == 1
    assert (lines.parent / "kept/summary.json").is_file()


@pytest.mark.slow
@pytest.mark.process
def test_no_module_is_written_with_or_imports_what_is_deprecated(run):
    assert int(run(WITHOUT_DEPRECATED, "-c", ALL_MODULES)) > 500


@pytest.mark.pipeline
@pytest.mark.process
def test_the_stages_of_a_study_run_without_them(run, lines):
    options = ("--ref", "truth", "--hyp", "one=one", "--hyp", "two=two", "--cluster", "page")
    # DVC, which `init` asks, has branches of its own for Windows.
    run("", "-c", ALL_OF_THEM, " ".join(["init", "--table", "lines.csv", "--segment-id", "id", *options, "."]))
    commands = ["check", "segments lines", "capture lines one", "capture lines two", "normalize lines", "score lines"]
    commands += ["sensitivity lines", "compare lines", "report"]
    lacking = WITHOUT_POSIX + WITHOUT_PANDAS + WITHOUT_DEPRECATED
    run(lacking, "-c", ALL_OF_THEM, "\n".join(f"stage {command}" for command in commands))
    assert "one" in (lines.parent / "reports/tables/lines_cer.md").read_text()


@pytest.mark.slow
@pytest.mark.process
def test_kernels_count_alike_on_a_processor_without_wide_vectors(run, monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CPU_NAME", "x86-64" if platform.machine() == "x86_64" else "generic")
    monkeypatch.setenv("NUMBA_CPU_FEATURES", "")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert run("", "-c", KERNELS) == "True\n"
