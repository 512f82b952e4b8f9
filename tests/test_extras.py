import sys

import pytest

from misread.errors import MissingDependencyError
from misread.extras import needed_for


def test_what_is_missing_is_named_with_the_line_that_installs_it():
    with (
        pytest.raises(MissingDependencyError, match=r"^figures need Nowhere: pip install 'misread\[report\]'\.$"),
        needed_for("figures need", "Nowhere", "report"),
    ):
        import nowhere_to_be_found  # noqa: F401


def test_a_fault_of_our_own_is_not_taken_for_a_missing_package():
    with pytest.raises(ModuleNotFoundError, match=r"misread\.nowhere"), needed_for("figures need", "Nowhere", "report"):
        import misread.nowhere  # noqa: F401


@pytest.mark.parametrize(
    ("package", "call", "extra"),
    [
        ("matplotlib", "misread.evaluate(['ab'], {'a': ['ac']}, metrics=['cer'], seed=1).plot('cer')", "report"),
        (
            "hydra",
            "from pathlib import Path; from misread.cli.compose import compose_text; compose_text(Path('.'), [])",
            "pipeline",
        ),
        ("lxml", "misread.validate_xml_output('<a/>')", "structured"),
        (
            "lxml",
            "from pathlib import Path; from misread.data import read_folders, FolderOptions as O\n"
            "read_folders(Path(misread.__file__), {'a': Path(misread.__file__)}, O(reference_format='page'))",
            "xml",
        ),
    ],
)
def test_a_use_without_its_package_names_the_extra(monkeypatch, package, call, extra):
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingDependencyError, match=rf"pip install 'misread\[{extra}\]'"):
        exec(f"import misread\n{call}", {})  # noqa: S102
