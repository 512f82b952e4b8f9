"""A table of a commit, made again from its counts by the installed version of misread, and compared."""

import csv
import io
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from misread.errors import MissingResultsError, RevisionError, setting
from misread.pipeline.params import Params
from misread.provenance.signature import Signature
from misread.revisions.git import SHALLOW, Commit, ask_git, content_at, find_commit, require_repository, shallow_ends
from misread.revisions.store import open_revision
from misread.revisions.stored_evaluation import committed_scores, compare_counts
from misread.revisions.stored_results import StoredResults
from misread.sockets import lay_out_sections
from misread.stats import DatasetResult
from misread.storage.signature_file import SUFFIX, SignatureFile, digest_bytes, read_signature_file
from misread.tables import ReportSettings, Table
from misread.tables.comparison import lay_out_comparison, render_table
from misread.tables.rates_layout import lay_out_overview
from misread.tally.scores import Scores
from misread.text.display import file_stem
from misread.version import __version__

# What people call the numbers of the columns of a table in CSV.
_KINDS: Final = {
    "low": "intervals",
    "high": "intervals",
    "difference_low": "intervals",
    "difference_high": "intervals",
    "pvalue_adjusted": "p-values",
    "pvalue_adjusted_to_baseline": "p-values",
    "rate": "rates",
    "difference_to_best": "differences",
    "difference_to_baseline": "differences",
}


@dataclass(frozen=True, slots=True)
class ReplayedFile:
    """One file of the table; `difference` describes the first difference and is empty if there is none."""

    name: str
    difference: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A table made again."""

    commit: Commit
    signature: str
    version: str  # version of misread that made the table at the commit
    files: Sequence[ReplayedFile]
    # Numbers of the table that differ, by what they are: "intervals", or the name of a column.
    numbers: Mapping[str, int]

    @property
    def is_same_version(self) -> bool:
        """Whether the installed version made the table; another one may give other numbers and other files."""
        return self.version == __version__

    @property
    def is_identical(self) -> bool:
        """Whether every file is the same, byte for byte."""
        return not any(file.difference for file in self.files)


def replay_table(root: Path, signature_file: Path, revision: str | None = None) -> Replay:
    """Make a table from the counts that Git has of a commit, and compare it with the files of that commit.

    Settings are those of the commit; code is that of the installed version. Nothing is checked out, and neither DVC nor
    its cache is needed. Without a `revision`, the checked-out commit is used if it has the signature file, else the
    first one that had it, in its history if possible.

    Raises RevisionError if no commit has the signature file, and MissingResultsError if the table shows more than
    counts tell, or Git has no counts of the commit.
    """
    expected = read_signature_file(signature_file)
    require_repository(root)
    commit, tables = _find_table(root, signature_file, revision)
    committed = {name: content_at(root, commit, (tables / name).as_posix()) for name in expected.files}
    with TemporaryDirectory(prefix="misread-") as folder:
        results = StoredResults(open_revision(root, commit.hash, Path(folder)))
        params = results.params
        settings = params.report()
        # The signature file may have lost the name of the table where it was copied to.
        stem = Path(next(iter(expected.files), "")).stem
        table = _make_table(results, params, settings, stem)
    made = {name: text.encode() for name, text in render_table(table, settings).items()}
    files = [ReplayedFile(name, _difference(expected, name, committed[name], made.get(name))) for name in committed]
    version = Signature.parse(expected.signature).facts.get("v", "of unknown version")
    return Replay(commit, expected.signature, version, files, _differing_numbers(committed, made))


def _make_table(results: StoredResults, params: Params, settings: ReportSettings, stem: str) -> Table:
    commit = results.revision.commit
    assert commit is not None  # noqa: S101  for the type checker
    # A name begins with that of its data set; the overview has all of them.
    likely = [dataset for dataset in params.datasets if stem.startswith(f"{file_stem(dataset)}_")]
    for dataset in likely:
        result = _compare_again(results, params, dataset, commit)
        for table in lay_out_comparison(result, settings, lay_out_sections(result, settings)):
            if table.stem == stem:
                return table
    if not likely:
        compared = [_compare_again(results, params, dataset, commit) for dataset in params.datasets]
        overview = lay_out_overview(compared, settings)
        if overview.stem == stem:
            return overview
    raise MissingResultsError(
        f"{stem} needs texts, which Git does not have; make it with `git checkout {commit.short}` and `dvc repro`."
    )


def _compare_again(results: StoredResults, params: Params, dataset: str, commit: Commit) -> DatasetResult:
    scores = committed_scores(results, dataset)
    if scores is None:
        raise MissingResultsError(
            f"{commit.short} has no counts of all systems on {dataset} in Git; make its tables with `git checkout "
            f"{commit.short}` and `dvc repro`."
        )
    _require_all_facts(scores, dataset, commit)
    result = compare_counts(scores, params, dataset)
    first = results.committed(dataset, next(iter(scores)))
    return replace(result, warnings=(*result.warnings, *(first.sentences if first else ())))


def _require_all_facts(scores: Mapping[str, Scores], dataset: str, commit: Commit) -> None:
    """Refuse counts that lack names and reasons that tables show."""
    make = f"make its tables with `git checkout {commit.short}` and `dvc repro`"
    if any(system_scores.pseudonyms for system_scores in scores.values()):
        raise MissingResultsError(
            f"{dataset} has pseudonyms in Git: clusters have other names and are drawn in another order; {make}."
        )
    if any(system_scores.problems for system_scores in scores.values()):
        raise MissingResultsError(
            f"{dataset} has references that a metric cannot use, and Git does not have the reasons, which quote them; "
            f"{make}."
        )


def _find_table(root: Path, signature_file: Path, revision: str | None) -> tuple[Commit, Path]:
    """Find a commit with a file of this content, and the folder of the file there."""
    blob = ask_git(root, "hash-object", "--no-filters", str(signature_file.resolve())).decode().strip()
    for name in ["HEAD", *_having(root, blob)] if revision is None else [find_commit(root, revision).hash]:
        listed = os.fsdecode(ask_git(root, "ls-tree", "-r", "-z", "--full-tree", name))
        for entry in filter(None, listed.split("\0")):
            facts, _, path = entry.partition("\t")
            if facts.split()[2] == blob:
                return find_commit(root, name), Path(path).parent
    if revision is None:
        cure = SHALLOW if shallow_ends(root) else "commit the results before they are replayed"
        raise RevisionError(f"no commit has a file like {signature_file}: {cure}.")
    own_path = Path(os.path.relpath(signature_file.resolve(), require_repository(root).resolve()))
    remedy = f"leave out {setting('revision')} to find the commit that has it"
    if content_at(root, find_commit(root, revision), own_path.as_posix()) is not None:
        remedy += f", or replay the other one: `git show {revision}:{own_path.as_posix()} > old{SUFFIX}`"
    raise RevisionError(f"{revision} has no file like {signature_file}; {remedy}.")


def _having(root: Path, blob: str) -> Iterator[str]:
    """Commits that added or removed a file of this content, the oldest first; those of the present history first.

    Authors choose dates, so that a foreign branch could put a commit before all others.
    """
    for commits in ("HEAD", "--all"):
        yield from ask_git(root, "log", commits, "--reverse", "--format=%H", f"--find-object={blob}").decode().split()


def _difference(expected: SignatureFile, name: str, committed: bytes | None, made: bytes | None) -> str:
    if committed is None:
        return "the commit does not have it"
    if digest_bytes(committed) != expected.files[name]:
        return "the committed file is not the one that was signed"
    if made is None:
        return "it was not made again"
    if made == committed:
        return ""
    old, new = committed.splitlines(), made.splitlines()
    line = next((number for number, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), None)
    if line is None:
        return f"{len(old)} lines were committed, {len(new)} made"
    before, after = (lines[line].decode("utf-8", "replace") for lines in (old, new))
    return f"line {line + 1}: {before!r} was committed, {after!r} made"


def _differing_numbers(committed: Mapping[str, bytes | None], made: Mapping[str, bytes]) -> dict[str, int]:
    """How many cells of the CSV file differ, by what they are; a row or column of one side counts as one."""
    differing: Counter[str] = Counter()
    for name, content in committed.items():
        if name.endswith(".csv") and content is not None and name in made:
            old, new = (dict(_cells(table)) for table in (content, made[name]))
            for row, column in {**old, **new}:
                if old.get((row, column)) != new.get((row, column)):
                    differing[_KINDS.get(column, column)] += 1
    return dict(differing)


def _cells(content: bytes) -> Iterator[tuple[tuple[int, str], str]]:
    """Cells of a CSV file by the number of the row and the name of the column."""
    for number, row in enumerate(csv.DictReader(io.StringIO(content.decode("utf-8", "replace")))):
        for column, cell in row.items():
            yield (number, str(column)), str(cell)
