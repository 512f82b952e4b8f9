import pytest

from misread.data.formats.paired_files import FolderOptions, pair_files, pair_folders
from misread.data.formats.text_folder import list_texts
from misread.errors import ConfigurationError, InputFileError


@pytest.fixture
def folder(tmp_path):
    def folder(name, *files):
        path = tmp_path / name
        path.mkdir(exist_ok=True)
        for file in files:
            (path / file).parent.mkdir(parents=True, exist_ok=True)
            (path / file).write_text("x")
        return path

    return folder


@pytest.fixture
def pairs(folder):
    """Pair two folders of these files; give files by segment as paths below their folders."""

    def pair(references, hypotheses):
        ref, hyp = folder("ref", *references), folder("hyp", *hypotheses)
        found = pair_files(list_texts(ref), list_texts(hyp))
        return {
            segment: (one.relative_to(ref).as_posix(), other and other.relative_to(hyp).as_posix())
            for segment, (one, other) in found.files.items()
        }

    return pair


@pytest.mark.parametrize(
    ("references", "hypotheses", "expected"),
    [
        (
            ["b.txt", "a c.txt", ".hidden"],
            ["a c.out", "b.out"],
            {"a c": ("a c.txt", "a c.out"), "b": ("b.txt", "b.out")},
        ),
        (["p1.gt.txt", "p2.gt.txt"], ["p1.txt", "p2.txt"], {f"p{n}": (f"p{n}.gt.txt", f"p{n}.txt") for n in (1, 2)}),
        (["page.1.txt"], ["page.1.txt", "page.2.txt"], {"page.1": ("page.1.txt", "page.1.txt")}),
        (["a.txt", "b.txt"], ["b.txt"], {"a": ("a.txt", None), "b": ("b.txt", "b.txt")}),
        *(
            (files, files, {name.removesuffix(".txt"): (name, name) for name in files})
            for files in (["one/p1.txt", "one/p2.txt", "two/deep/p1.txt"], ["v1.0.txt", "v1.5.txt", "v2.0.txt"])
        ),
    ],
)
def test_files_are_paired_by_their_paths_without_the_ending(pairs, references, hypotheses, expected):
    assert pairs(references, hypotheses) == expected


def test_nested_references_meet_flat_hypotheses_by_name(pairs, tmp_path):
    assert pairs(["one/p1.txt", "two/p2.txt"], ["p1.txt", "p2.txt"]) == {
        "one/p1": ("one/p1.txt", "p1.txt"),
        "two/p2": ("two/p2.txt", "p2.txt"),
    }
    (note,) = pair_files(list_texts(tmp_path / "ref"), list_texts(tmp_path / "hyp")).notes("a")
    assert note.startswith("a: files are paired by their names alone, since its folders have other names than")


def test_names_that_occur_twice_never_meet_by_name_alone(pairs):
    with pytest.raises(
        InputFileError, match=r"ref has one/p1\.txt and two/p1\.txt, and .*hyp has one file of the name 'p1'"
    ) as caught:
        pairs(["one/p1.txt", "two/p1.txt"], ["p1.txt"])
    assert caught.value.settings == ("paths_table",)


def test_runs_in_folders_of_their_own_are_no_partners_of_one_file(pairs):
    runs = [f"{page}/run_0{run}/{page}.txt" for page in "ab" for run in (1, 2)]
    with pytest.raises(InputFileError, match=r"hyp has a/run_01/a\.txt and a/run_02/a\.txt, and .*ref has one file"):
        pairs(["a.txt", "b.txt"], runs)


def test_names_composed_and_decomposed_are_one(pairs, tmp_path):
    assert pairs(["Mu\u0308ll.txt"], ["M\u00fcll.txt"]) == {"M\u00fcll": ("Mu\u0308ll.txt", "M\u00fcll.txt")}
    (tmp_path / "hyp" / "Mu\u0308ll.txt").write_text("x")
    with pytest.raises(InputFileError, match="share the name 'M\u00fcll"):
        list_texts(tmp_path / "hyp")


def test_two_files_of_one_stem_are_refused(folder):
    folder("hyp", "a.txt")
    with pytest.raises(InputFileError, match=r"a\.txt and .*a\.md share the name 'a'"):
        pair_folders(folder("ref", "a.md", "a.txt"), {"a": folder("hyp")}, FolderOptions(patterns=["*.txt", "*.md"]))


@pytest.mark.parametrize("missing", [None, "error"])
def test_hypotheses_without_a_reference_are_refused_with_the_counts_of_both_sides(folder, missing):
    ref, hyp = folder("ref", "a.txt", "c.txt"), folder("hyp", "c.txt", "d.txt", "e.txt", "f.txt", "g.txt")
    message = (
        r"ours: ref has 2 files and hyp has 5 files: 1 paired, 1 only in ref \(a\), 4 only in hyp \(d\.txt, e\.txt, "
        r"f\.txt and 1 more\)\. .*missing='drop'"
    )
    with pytest.raises(InputFileError, match=message) as caught:
        pair_folders(ref, {"ours": hyp}, FolderOptions(missing=missing))
    assert caught.value.settings == ("patterns", "reference_pattern", "hypothesis_pattern", "missing")


@pytest.mark.parametrize("missing", ["drop", "empty"])
def test_under_another_policy_they_are_left_out_and_named(folder, missing):
    ref, hyp = folder("ref", "a.txt", "c.txt"), folder("hyp", "c.txt", "d.txt")
    pairs = pair_folders(ref, {"ours": hyp}, FolderOptions(missing=missing))
    assert pairs.hypotheses == {"ours": [None, hyp / "c.txt"]}
    assert pairs.notes_on_hypotheses["ours"] == [
        "ours: ref has 2 files and hyp has 2 files: 1 paired, 1 only in ref (a), 1 only in hyp (d.txt)."
    ]


def test_a_missing_hypothesis_is_refused_only_where_it_is_scored(folder):
    ref, hyp = folder("ref", "a.txt", "b.txt"), folder("hyp", "b.txt")
    assert pair_folders(ref, {"ours": hyp}, FolderOptions()).hypotheses == {"ours": [None, hyp / "b.txt"]}
    with pytest.raises(InputFileError, match=r"ref has 2 files and hyp has 1 file: 1 paired, 1 only in ref \(a\)"):
        pair_folders(ref, {"ours": hyp}, FolderOptions(missing="error"))


def test_clusters_and_groups_come_out_of_paths(folder):
    files = ["books/b1_p1.txt", "books/b1_p2.txt", "letters/b2_p1.txt"]
    options = FolderOptions(cluster=r"/(?P<book>b\d+)_", groups=[r"^(?P<kind>\w+)/.*_p(?P<page>\d+)"])
    pairs = pair_folders(folder("ref", *files), {"a": folder("hyp", *files)}, options)
    assert (pairs.cluster_name, pairs.cluster) == ("book", ["b1", "b1", "b2"])
    assert pairs.groups == {"kind": ["books", "books", "letters"], "page": ["1", "2", "1"]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cluster": "^(x)"}, r"cluster '\^\(x\)' finds no cluster in 'one/p1\.txt' and 2 more, of 3"),
        ({"cluster": "^(one)/"}, r"finds no cluster in 'two/p3\.txt', of 3; every segment needs one"),
        ({"cluster": "^one"}, r"has no groups; put the cluster into one"),
        ({"cluster": "^(o)(n)"}, r"has 2 groups; put the cluster into one"),
        ({"cluster": "^(?P<a>.)(?P<b>.)"}, r"has 2 groups, expected one for the cluster"),
        ({"cluster": "("}, r"cluster '\(' is not a regular expression"),
        ({"groups": ["^(.)"]}, r"gives no name to its group: write \(\?P<NAME>"),
        ({"groups": ["(?P<a>.)", "p(?P<a>.)"]}, r"groups: 'a' is named twice"),
    ],
)
def test_expressions_that_do_not_fit_all_paths_are_refused_with_one(folder, options, message):
    files = ["one/p1.txt", "one/p2.txt", "two/p3.txt"]
    with pytest.raises(ConfigurationError, match=message):
        pair_folders(folder("ref", *files), {"a": folder("hyp", *files)}, FolderOptions(**options))


def test_files_are_paired_by_what_a_star_stands_for_and_by_their_folders(folder):
    ref = folder("ref", "one/gt_01.txt", "one/gt_02.txt", "two/gt_01.txt", "two/notes.txt")
    hyp = folder("hyp", "one/page-01.out", "two/page-01.out", "one/page-02.out", "one/log.out")
    options = FolderOptions(reference_pattern="gt_*.txt", hypothesis_pattern="page-*.out", missing="error")
    paired = pair_folders(ref, {"a": hyp}, options)
    assert paired.segment_id == ["one/01", "one/02", "two/01"]
    assert [path.relative_to(hyp).as_posix() for path in paired.hypotheses["a"]] == [
        "one/page-01.out",
        "one/page-02.out",
        "two/page-01.out",
    ]
    assert "its texts are the files that are called gt_*.txt" in paired.notes[0]


def test_both_sides_may_lie_in_one_folder(folder):
    both = folder("both", "gt_1.txt", "gt_2.txt", "page-1.txt", "page-2.txt")
    options = FolderOptions(reference_pattern="gt_*.txt", hypothesis_pattern="page-*.txt", missing="error")
    assert pair_folders(both, {"a": both}, options).segment_id == ["1", "2"]


def test_without_an_end_after_the_star_the_ending_does_not_count(folder):
    ref, hyp = folder("ref", "gt_1.txt", "gt_2.txt"), folder("hyp", "1.out", "2.out")
    options = FolderOptions(reference_pattern="gt_*", missing="error")
    assert pair_folders(ref, {"a": hyp}, options).segment_id == ["1", "2"]


@pytest.mark.parametrize(
    ("settings", "refusal"),
    [
        ({"reference_pattern": "gt.txt"}, r"reference_pattern 'gt\.txt': expected the name of a file with one \*"),
        ({"hypothesis_pattern": "*_*.txt"}, r"hypothesis_pattern '\*_\*\.txt': expected the name of a file with one"),
        ({"reference_pattern": "gt/*.txt"}, r"reference_pattern 'gt/\*\.txt': expected the name of a file with one"),
    ],
)
def test_a_name_has_one_star(settings, refusal):
    with pytest.raises(ConfigurationError, match=refusal):
        FolderOptions(**settings)


def test_a_name_that_no_file_has_is_refused_with_those_there_are(folder):
    ref, hyp = folder("ref", "gt_1.txt", "gt_.txt"), folder("hyp", "1.txt")
    with pytest.raises(
        InputFileError, match=r"ref has no file whose name is as 'page-\*\.txt'\. It has: gt_\.txt, gt_1"
    ):
        pair_folders(ref, {"a": hyp}, FolderOptions(reference_pattern="page-*.txt"))
    options = FolderOptions(reference_pattern="gt_*.txt", missing="error")
    assert pair_folders(ref, {"a": hyp}, options).segment_id == ["1"]
