"""Public data sets from repositories made here: copied or converted, verified, resumed, refused."""

from __future__ import annotations

import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from misread.data.fetching import check_out, fetch, find_card, public_cards, read_source
from misread.errors import FetchError, InputFileError, UnknownNameError

pytestmark = pytest.mark.process
UNQUOTED = ("megabytes", "files")
FILES = {
    "lines/one.txt": "first\n",
    "lines/the second.txt": "second\n",
    "large/scan.bin": "x" * 200_000,
    "LICENSE": "free\n",
}
CONVERTER = """\
import sys
from pathlib import Path
source, target = map(Path, sys.argv[1:])
joined = "".join(path.read_text() for path in sorted((source / "lines").iterdir()))
(target / "joined.txt").write_text(joined)
"""


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A repository with two commits, of which the first is the one that is wanted."""
    root = tmp_path / "source"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "as published")
    (root / "lines/one.txt").write_text("another\n")
    git(root, "commit", "--quiet", "--all", "--message", "later")
    return root


def make_card(root: Path, source: Path, files: dict[str, str], *, converter: str = "", **settings: str) -> Path:
    card = root / "data/few"
    card.mkdir(parents=True)
    listed = "".join(f"{sha256(text.encode()).hexdigest()}  {name}\n" for name, text in sorted(files.items()))
    (card / "files.sha256").write_text(listed)
    if converter:
        (card / "convert.py").write_text(converter)
    settings = {
        "repository": source.as_uri(),
        "commit": git(source, "rev-parse", "HEAD~1"),
        "licence": "Apache-2.0",
        "megabytes": "0.2",
        "files": "[/lines/]",
    } | settings
    (card / "source.yaml").write_text(
        "".join(f"{name}: {value if name in UNQUOTED else repr(value)}\n" for name, value in settings.items())
    )
    return card


AS_THEY_ARE = {"one.txt": "first\n", "the second.txt": "second\n", "LICENSE": "free\n"}


def test_files_are_copied_as_they_were_at_the_commit_and_no_others_are_brought(source: Path, tmp_path: Path) -> None:
    card = make_card(tmp_path, source, AS_THEY_ARE, base="lines")
    target = tmp_path / "downloads/few"
    assert fetch(card, target) == 3
    assert {path.name: path.read_text() for path in target.iterdir()} == AS_THEY_ARE
    # Nothing is left of the work.
    assert [path.name for path in target.parent.iterdir()] == ["few"]


def test_a_converter_makes_the_files(source: Path, tmp_path: Path) -> None:
    card = make_card(tmp_path, source, {"joined.txt": "first\nsecond\n"}, converter=CONVERTER)
    assert fetch(card, tmp_path / "few") == 1
    assert (tmp_path / "few/joined.txt").read_text() == "first\nsecond\n"


def test_a_check_out_at_hand_is_taken_in_place_of_the_address(source: Path, tmp_path: Path) -> None:
    card = make_card(tmp_path, source, AS_THEY_ARE, base="lines", repository="https://misread.invalid/few.git")
    git(source, "checkout", "--quiet", "HEAD~1")
    assert fetch(card, tmp_path / "few", copy=source) == 3


def test_a_source_that_cannot_be_reached_names_the_way_with_a_copy(source: Path, tmp_path: Path) -> None:
    card = make_card(tmp_path, source, AS_THEY_ARE, base="lines", repository="https://misread.invalid/few.git")
    with pytest.raises(FetchError, match="misread data fetch few --from FOLDER") as raised:
        fetch(card, tmp_path / "few")
    assert "https://misread.invalid/few.git" in str(raised.value)
    assert "\n" not in str(raised.value)


HASHES = [sha256(content).hexdigest() for content in (b"first\n", b"otherwise\n")]


@pytest.mark.parametrize(
    ("files", "settings", "said"),
    [
        # A changed source is told by the first file, what a converter makes by its hash alone.
        (
            AS_THEY_ARE | {"one.txt": "otherwise\n"},
            {"base": "lines"},
            "one.txt has SHA-256 {}, expected {}".format(*HASHES),
        ),
        ({"joined.txt": "first\n"}, {"converter": CONVERTER}, r"joined\.txt has SHA-256 .*, expected "),
        (AS_THEY_ARE | {"third.txt": "third\n"}, {"base": "lines"}, r"no file lines/third\.txt"),
    ],
)
def test_files_that_are_not_those_of_the_list_are_named(
    source: Path, tmp_path: Path, files: dict[str, str], settings: dict[str, str], said: str
) -> None:
    card = make_card(tmp_path, source, files, **settings)
    with pytest.raises(FetchError, match=said):
        fetch(card, tmp_path / "few")
    assert not (tmp_path / "few").exists()


def test_a_commit_that_no_copy_has_is_named(source: Path, tmp_path: Path) -> None:
    card = make_card(tmp_path, source, AS_THEY_ARE, base="lines", commit="0" * 40)
    with pytest.raises(FetchError, match=f"at 0000000 could not be fetched .*{'0' * 40}"):
        fetch(card, tmp_path / "few")
    with pytest.raises(FetchError, match="nowhere is not a folder"):
        fetch(card, tmp_path / "few", copy=tmp_path / "nowhere")


def test_a_setting_that_is_missing_or_misspelt_is_named(source: Path, tmp_path: Path) -> None:
    card = make_card(tmp_path, source, AS_THEY_ARE, licenze="free")
    with pytest.raises(InputFileError, match=r"source\.yaml.*licenze"):
        read_source(card)
    (card / "source.yaml").write_text("repository: x\n")
    with pytest.raises(InputFileError, match=r"source\.yaml.*commit"):
        read_source(card)


def test_the_cards_of_a_project_come_before_those_of_the_package(source: Path, tmp_path: Path) -> None:
    make_card(tmp_path, source, AS_THEY_ARE)
    cards = public_cards(tmp_path / "data")
    assert cards["few"] == tmp_path / "data/few"
    assert {"csrnab", "das22", "earnings21", "printed_pages", "timeus"} <= cards.keys()
    with pytest.raises(UnknownNameError, match="das22"):
        find_card(tmp_path / "data", "das23")


def test_every_card_names_a_public_repository_a_whole_commit_and_its_licence(repository: Path) -> None:
    for dataset_id, card in public_cards(repository / "data").items():
        source = read_source(card)
        assert source.repository.startswith("https://")
        assert len(bytes.fromhex(source.commit)) == 20
        assert source.licence in (card / "README.md").read_text() or dataset_id == "csrnab"
        assert bool(source.files) == (card / "convert.py").is_file()


def test_variables_of_a_hook_do_not_lead_git_elsewhere(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = make_card(tmp_path, source, AS_THEY_ARE, base="lines")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert fetch(card, tmp_path / "few") == 3


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"commit": "--upload-pack=touch hit;"}, "commit is .*, expected its whole hash"),
        ({"commit": "main"}, "commit is 'main', expected its whole hash"),
        ({"repository": "ext::sh -c touch% hit"}, "repository is .*, expected https://, ssh:// or file://"),
        ({"repository": "--upload-pack=touch hit"}, "repository is "),
        ({"repository": "ssh://-oProxyCommand=touch hit/x"}, "repository is "),
        ({"base": "../elsewhere"}, "base is .*, expected a folder of the repository"),
        ({"base": "/etc"}, "base is "),
    ],
)
def test_a_source_that_git_would_run_or_that_leads_elsewhere_is_refused(
    source: Path, tmp_path: Path, settings: dict[str, str], message: str
) -> None:
    card = make_card(tmp_path / "project", source, AS_THEY_ARE, **settings)
    with pytest.raises(InputFileError, match=message):
        fetch(card, tmp_path / "downloads/few")
    assert not list(tmp_path.rglob("hit"))


def test_a_pattern_that_looks_like_an_option_is_a_pattern(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    check_out(source.as_uri(), git(source, "rev-parse", "HEAD"), ("--stdin", "/lines/"), target)
    assert sorted(path.name for path in target.rglob("*.*") if ".git" not in path.parts) == [
        "one.txt",
        "the second.txt",
    ]


def test_transports_that_run_programs_are_refused_whatever_the_settings_of_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    git(tmp_path, "config", "--global", "protocol.ext.allow", "always")
    with pytest.raises(FetchError, match="transport 'ext' not allowed"):
        check_out(f"ext::touch {tmp_path}/hit", "0" * 40, ("/*",), tmp_path / "target")
    assert not (tmp_path / "hit").exists()


def test_a_list_cannot_name_files_outside_and_none_are_written(source: Path, tmp_path: Path) -> None:
    card = make_card(tmp_path / "project", source, {"../../../one.txt": "first\n"}, base="lines")
    with pytest.raises(InputFileError, match="leads out of the data set's folder"):
        fetch(card, tmp_path / "downloads/few")
    assert not list(tmp_path.glob("one.txt"))


def test_a_link_of_the_repository_to_a_file_outside_is_refused(source: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("first\n")
    (source / "lines/link.txt").symlink_to(secret)
    git(source, "add", "--all")
    git(source, "commit", "--quiet", "--message", "a link")
    head = git(source, "rev-parse", "HEAD")
    card = make_card(tmp_path / "project", source, {"link.txt": "first\n"}, base="lines", commit=head)
    with pytest.raises(FetchError, match="a link to a file outside of the repository"):
        fetch(card, tmp_path / "downloads/few")
    assert not (tmp_path / "downloads/few").exists()
