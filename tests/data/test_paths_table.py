"""Files that a table pairs by their paths."""

import pytest

from misread.data import FolderOptions, read_folders, read_paths_table
from misread.data.paths_table import name_columns
from misread.errors import ConfigurationError, InputFileError, UnknownNameError

TEXTS = {"gt/gt_1.txt": "the fox", "gt/gt_2.txt": "a dog", "a/page-9.out": "the fax", "a/page-7.out": "a dog"}
HEADER = "truth,read,page"
ROWS = ("gt/gt_1.txt,a/page-9.out,p", "gt/gt_2.txt,a/page-7.out,q")


@pytest.fixture
def table(tmp_path):
    """Write the texts and a table of their paths."""

    def write(*rows, header=HEADER, name="pairs.csv"):
        for path, text in TEXTS.items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text)
        (tmp_path / name).write_text("\n".join((header, *rows)) + "\n")
        return tmp_path / name

    return write


def test_files_stand_in_the_order_of_the_table_with_its_labels(table):
    read = read_paths_table(table(*ROWS[::-1]), "truth", {"a": "read"}, cluster="page", groups=["page"])
    assert (read.name, read.segment_id) == ("pairs", ["gt/gt_2.txt", "gt/gt_1.txt"])
    assert (read.references, read.hypotheses) == (["a dog", "the fox"], {"a": ["a dog", "the fax"]})
    assert (read.cluster, read.cluster_name, read.groups) == (["q", "p"], "page", {"page": ["q", "p"]})


def test_a_column_may_name_the_segments(table):
    read = read_paths_table(table(*ROWS), "truth", {"a": "read"}, segment_id=["page"])
    assert read.segment_id == ["p", "q"]


def test_several_columns_are_several_systems_and_an_empty_cell_is_a_missing_text(table, tmp_path):
    (tmp_path / "other.txt").write_text("the fox")
    path = table(f"{ROWS[0]},other.txt", f"{ROWS[1]},", header=f"{HEADER},second")
    read = read_paths_table(path, "truth", {"a": "read", "b": "second"})
    assert read.hypotheses == {"a": ["the fax", "a dog"], "b": ["the fox", None]}


def test_parts_of_paired_pages_are_paired_by_their_ids(tmp_path, table):
    page = (
        '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15"><Page><TextRegion id="r">'
        '<TextLine id="l"><TextEquiv><Unicode>{}</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>'
    )
    for name, text in (("g.xml", "one"), ("h.xml", "onc")):
        (tmp_path / name).write_text(page.format(text))
    path = table("g.xml,h.xml,p")
    read = read_paths_table(path, "truth", {"a": "read"}, options=FolderOptions(format="page(level=line)"))
    assert (read.segment_id, read.references, read.hypotheses) == (["g.xml#l"], ["one"], {"a": ["onc"]})


def test_it_reads_what_folders_have(table, tmp_path):
    paired = read_paths_table(table(*ROWS), "truth", {"a": "read"})
    for old, new in (("gt_1.txt", "p9.txt"), ("gt_2.txt", "p7.txt")):
        (tmp_path / "gt" / old).rename(tmp_path / "gt" / new)
    names = FolderOptions(reference_pattern="p*.txt", hypothesis_pattern="page-*.out")
    folders = read_folders(tmp_path / "gt", {"a": tmp_path / "a"}, names)
    assert folders.segment_id == ["7", "9"]
    assert {*zip(folders.references, folders.hypotheses["a"], strict=True)} == {
        *zip(paired.references, paired.hypotheses["a"], strict=True)
    }


@pytest.mark.parametrize(
    ("rows", "refusal"),
    [
        ([ROWS[0], "gt/gt_1.txt,a/page-7.out,q"], r"line 3: column 'truth': gt/gt_1\.txt is in .*line 2"),
        ([ROWS[0], "gt/gt_2.txt,gt/../a/page-9.out,q"], r"line 3: column 'read': gt/\.\./a/page-9\.out is in .*2"),
        (["gt/gt_1.txt,gt/gt_1.txt,q"], r"line 2: column 'read': gt/gt_1\.txt is in .*truth' already"),
        (["gt/gt_1.txt,a/page-8.out,q"], r"line 2: column 'read': there is no file .*page-8\.out"),
        (["gt/gt_1.txt,a,q"], r"line 2: column 'read': there is no file .*/a"),
        (["gt/gt_1.txt,../secret.txt,q"], r"line 2: column 'read': '\.\./secret\.txt' leads out of"),
        (["gt/gt_1.txt,/proc/self/environ,q"], r"line 2: column 'read': '/proc/self/environ' leads out of"),
        ([",a/page-9.out,q"], r"line 2: column 'truth' names no file; a reference needs one"),
    ],
)  # fmt: skip
def test_a_file_that_is_missing_or_stands_twice_is_named_with_its_cell(table, rows, refusal):
    with pytest.raises(InputFileError, match=refusal):
        read_paths_table(table(*rows), "truth", {"a": "read"})


def test_a_column_that_is_not_there_is_named(table):
    with pytest.raises(UnknownNameError, match="unknown column 'red'"):
        read_paths_table(table(*ROWS), "truth", {"a": "red"})


def test_of_two_columns_the_first_has_references(table):
    path = table(*(row.rpartition(",")[0] for row in ROWS), header="gold,mine")
    assert name_columns(path) == ("gold", {"mine": "mine"})
    with pytest.raises(
        ConfigurationError, match=r"pairs\.csv has 3 columns: name .*\. There are: truth, read, page\.$"
    ):
        name_columns(table(*ROWS))
    path.write_text(",".join(f"c{number}" for number in range(100_000)) + "\n" + ",".join(["x"] * 100_000) + "\n")
    with pytest.raises(ConfigurationError, match=r"has 100,000 columns: .* c28, c29 and 99970 more\.$"):
        name_columns(path)
