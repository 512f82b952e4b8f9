"""What SECURITY.md says of the whole package: what its source never does, what is locked, and that its tests exist."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
MODULES = sorted((REPOSITORY / "src/misread").rglob("*.py"))
# A process of misread gets its engine from the one that started it, through a pipe that nobody else has; workers of a
# Dask scheduler get their tasks from it, and whoever reaches it is trusted; an Evaluation is pickled by its user alone.
ALLOWED = {
    (name, "pickle")
    for name in (
        "engines/child.py",
        "engines/source_readers.py",
        "evaluation/evaluation.py",
        "execution/dask.py",
    )
    # Images are opened in one place, which lists the formats: Pillow hands some of the others to programs.
} | {("io/image_files.py", "Image.open")}
# Logs of Inspect are archives, of which one place reads members by name into memory; no member becomes a file.
ALLOWED |= {("data/formats/inspect_log.py", "zipfile")}
# Modules that run what they read, or write where an archive says.
NEVER_IMPORTED = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve", "tarfile", "zipfile"}
NEVER_CALLED_OF_ANYTHING = {"extract", "extractall"}
NEVER_CALLED = {"eval", "exec", "compile", "__import__", "os.system", "os.popen", "shutil.unpack_archive"} | {
    *("yaml.load", "yaml.load_all", "yaml.unsafe_load", "yaml.full_load", "numba.core.serialize.loads"),
    *("pandas.read_pickle", "np.fromfile", "torch.load", "Image.open", "PIL.Image.open"),
}


def dotted(node: ast.AST) -> str:
    """Name with its dots; nothing stands for what is no name, such as a call."""
    if isinstance(node, ast.Name):
        return node.id
    return f"{dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def unwanted(name: str, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """What a module imports or calls that no module may, with its line."""
    yield from (f"imports {each}" for each in imported(nodes) if each in NEVER_IMPORTED and (name, each) not in ALLOWED)
    for call in (node for node in nodes if isinstance(node, ast.Call)):
        if dotted(call.func) in NEVER_CALLED and (name, dotted(call.func)) not in ALLOWED:
            yield f"calls {dotted(call.func)} in line {call.lineno}"
        if isinstance(call.func, ast.Attribute) and call.func.attr in NEVER_CALLED_OF_ANYTHING:
            yield f"calls {call.func.attr} in line {call.lineno}"
        for keyword in call.keywords:
            is_off = keyword.arg == "trust_remote_code" and ast.unparse(keyword.value) == "False"
            if keyword.arg in ("shell", "allow_pickle", "trust_remote_code") and not is_off:
                yield f"gives {keyword.arg} in line {call.lineno}"


@pytest.mark.slow
def test_nothing_is_unpickled_unpacked_or_evaluated():
    assert len(MODULES) > 400
    found = {}
    for path in MODULES:
        name = path.relative_to(REPOSITORY / "src/misread").as_posix()
        if wrong := list(unwanted(name, list(ast.walk(ast.parse(path.read_bytes()))))):
            found[name] = wrong
    assert not found


def test_the_check_of_calls_sees_what_it_looks_for():
    calls = ("yaml.load(x)", "run(y, shell=True)", "load(trust_remote_code=False)", "load(trust_remote_code=z)")
    code = "\n".join(["import yaml, pickle", *calls, "ZipFile(x).extractall()"])
    assert list(unwanted("new.py", list(ast.walk(ast.parse(code))))) == [
        "imports pickle",
        "calls yaml.load in line 2",
        "gives shell in line 3",
        "gives trust_remote_code in line 5",
        "calls extractall in line 6",
    ]


def test_every_locked_package_has_hashes_and_no_address():
    text = (REPOSITORY / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    entries = re.split(r"\n(?=\S)", "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#")))
    assert len(entries) > 100
    for entry in entries:
        first, *hashes = entry.split(" \\\n")
        assert re.fullmatch(r"[A-Za-z0-9_.-]+(\[[\w,-]+\])?==[^\s;]+( ; .+)?", first), first
        assert hashes, first
        assert all(re.fullmatch(r"\s+--hash=sha256:[0-9a-f]{64}", each) for each in hashes), first


def test_the_environment_is_installed_by_hashes_alone():
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    # `make floors` and `make newest` try other versions than the locked ones, in environments of their own.
    makefile = re.sub(r"^define test-versions$.*?^endef$", "", makefile, flags=re.MULTILINE | re.DOTALL)
    installed = [line for line in makefile.splitlines() if "pip install" in line and "$(PYTHON)" not in line]
    assert [line for line in installed if "--require-hashes -r requirements.lock" in line]
    assert all("--require-hashes" in line or "--no-deps -e ." in line or line.endswith(" uv") for line in installed)


def test_every_test_that_the_security_page_names_exists():
    page = (REPOSITORY / "SECURITY.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", page)
    assert len(named) > 20
    for path, test in named:
        source = (REPOSITORY / path).read_text(encoding="utf-8")
        assert not test or f"def {test}(" in source, f"{path}::{test}"
