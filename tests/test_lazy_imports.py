import importlib
import pkgutil
import subprocess
import sys

import pytest

import misread

HEAVY = ("numpy", "numba", "pandas", "scipy", "hydra", "omegaconf", "pyarrow", "matplotlib", "jiwer", "dvc")


def find_packages():
    """All packages inside misread."""
    found = pkgutil.walk_packages(misread.__path__, "misread.")
    return [importlib.import_module(each.name) for each in found if each.ispkg]


def loaded(code):
    """Heavy packages that a fresh process has loaded after running the code."""
    report = f"\nimport sys\nprint('loaded:', *(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code + report], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split()[1:]


@pytest.mark.process
def test_importing_misread_loads_nothing_heavy():
    assert loaded("import misread; misread.__version__; dir(misread)") == []


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["score", "--help"], ["compose", "--help"], ["inspect", "align", "--help"]]
)
@pytest.mark.process
def test_asking_for_help_loads_nothing_heavy(arguments):
    code = f"""
import sys
from misread.cli import main
sys.argv = ["misread", *{arguments}]
try:
    main()
except SystemExit:
    pass
"""
    assert loaded(code) == []


@pytest.mark.process
def test_the_check_sees_what_is_loaded():
    assert loaded("import misread; misread.cer") != []


def test_every_public_name_is_there():
    assert not [name for name in misread.__all__ if getattr(misread, name) is None]
    assert set(misread.__all__) <= set(dir(misread))


@pytest.mark.parametrize(
    "package", [each for each in find_packages() if hasattr(each, "__all__")], ids=lambda package: package.__name__
)
def test_every_name_of_a_lazy_package_is_there(package):
    assert all(getattr(package, name) is not None for name in package.__all__)


@pytest.mark.process
def test_evaluating_lists_loads_neither_pandas_nor_what_reads_revisions():
    code = "import misread; misread.evaluate(['a b'], {'x': ['a b']}, metrics='cer', seed=1)"
    assert set(loaded(code)) <= {"numpy", "numba", "scipy"}


@pytest.mark.process
def test_comparing_two_systems_loads_no_package_of_scipy_that_takes_longer():
    code = """
import sys, misread
systems = {"x": ["abce"] * 60 + ["abcd"] * 39, "y": ["abcd"] * 70 + ["aaaa"] * 29}
pair = misread.evaluate(["abcd"] * 99, systems, seed=1).result.comparisons[0]
print(*pair.tests, pair.minimum_detectable_difference > 0, *{"scipy.stats", "scipy.optimize"} & {*sys.modules})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["wilcoxon", "mcnemar", "bootstrap", "randomisation", "True"]


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="No misread attribute nope"):
        misread.nope  # noqa: B018


def test_every_function_stays_a_function_whatever_was_imported_before():
    import misread.metrics
    import misread.stats

    assert misread.cer("ab", "ax") == 1 / 2
    assert misread.wer("a b", "a") == 1 / 2
    assert misread.error_counts("ab", "ax").errors.tolist() == [1]
    assert len(misread.align("ab", "ax").operations) == 2
