from dataclasses import replace

import pytest
from tests.whole_tables import write_normalized

from misread.data.segment_table import TextFacts
from misread.normalize import get_normalizer
from misread.storage import read_normalized


@pytest.fixture
def stored(misread, write_results, tmp_path):
    write_results(tmp_path)
    return misread


def test_two_texts_are_aligned(misread):
    done = misread("inspect", "align", "--text", "--ref", "kind", "--hyp", "a=kin", "--hyp", "b=kinds")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[:6] == [
        "1   4 characters   a 1   b 1",
        "REF  k i n d ▁",
        "a    · · · ▁ ·",
        "           D",
        "b    · · · · s",
        "             I",
    ]
    assert "[char, none, unit]   1 of 1 segments" in done.out


def test_files_are_aligned_line_by_line(misread, write_lines):
    reference, hypothesis = write_lines("r.txt", "one\ntwo\n"), write_lines("h.txt", "one\ntow\n")
    done = misread("inspect", "align", "--ref", reference, "--hyp", f"a={hypothesis}", "--alignment", "transpositions")
    assert "2   3 characters   a 1" in done.out
    assert "T T" in done.out
    assert "1 of 2 segments, 1 exact" in done.out


def test_files_of_another_format_are_aligned_only_verbatim(misread, write_lines):
    line = '{"text": "one"}\n'
    files = ["--ref", write_lines("ref.txt", line), "--hyp", f"a={write_lines('a.txt', line)}"]
    assert "ref.txt is JSON, not plain text" in misread("inspect", "align", *files).err
    assert misread("inspect", "align", *files, "--format", "lines(verbatim=true)", "--all").status == 0


def test_a_segment_too_long_to_be_shown_is_named(misread, write_lines, monkeypatch):
    monkeypatch.setattr("misread.tables.terminal.segments.MOST_CHARACTERS", 3)
    reference, hypothesis = write_lines("r.txt", "one\ntwo\n"), write_lines("a.txt", "one\ntwos\n")
    files = ["--ref", reference, "--hyp", f"a={hypothesis}"]
    done = misread("inspect", "align", *files)
    assert (done.status, done.out) == (1, "")
    assert "segment '2' has 4 characters, and at most 3 can be shown" in done.err
    assert misread("inspect", "align", *files, "1", "--all").status == 0


def test_the_worst_segments_of_the_results_are_shown_first(stored):
    done = stored("inspect", "align", "--worst", 2)
    shown = [line for line in done.out.splitlines() if "characters" in line]
    assert shown == ["l2   23 characters   a 2   b 23", "l1   19 characters   a 1   b 0"]
    assert "— (no output)" in done.out
    assert f"[char, {get_normalizer('whitespace').signature}, unit]   2 of 4 segments, 1 exact" in done.out


def test_named_segments_and_systems_are_shown(stored):
    done = stored("inspect", "align", "l3", "l1", "--systems", "a", "--unit", "word", "--raw")
    assert [line for line in done.out.splitlines() if " words " in line] == ["l3   2 words   a 0", "l1   4 words   a 1"]
    assert "[word, raw, unit]" in done.out


def test_nothing_wrong_is_said_so(misread, write_results, tmp_path):
    write_results(tmp_path, read={"a": ["one"]}, references=["one"])
    assert "All 1 segments are exact; --all shows them." in misread("inspect", "align").out
    assert "REF  o n e" in misread("inspect", "align", "--all").out


def test_a_terminal_gets_colour_and_no_color_takes_it_away(stored, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = stored("inspect", "align", "l1").out
    assert "\x1b[4;33m" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert "33m" not in stored("inspect", "align", "l1").out


def test_the_width_of_the_terminal_is_kept(stored, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    grid, _, _ = stored("inspect", "align", "l1", "--systems", "a").out.partition("  data set")
    lines = grid.splitlines()
    assert max(map(len, lines[1:])) <= 20
    assert sum(line.startswith("REF") for line in lines) == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["inspect", "align", "l11"], "unknown segment 'l11'. Did you mean 'l1'"),
        (["inspect", "align", "--dataset", "line"], "unknown data set 'line'"),
        (["inspect", "align", "--systems", "c"], "unknown system 'c'"),
        (["inspect", "align", "--hyp", "a=b"], "--hyp NAME=FILE."),
        (["inspect", "align", "--text", "--ref", "a"], "at least one --hyp NAME=TEXT"),
        (["inspect", "align", "--text", "--ref", "a", "--hyp", "b"], "expected NAME=TEXT"),
        (
            ["inspect", "align", "--text", "--ref", "a", "--hyp", "b=c", "--systems", "b"],
            "leave them out if you give texts of your own",
        ),
        (["inspect", "align", "--ref", "none.txt", "--hyp", "a=b.txt"], "there is no file none.txt"),
    ],
)
def test_what_cannot_be_shown_is_refused(stored, arguments, message):
    done = stored(*arguments)
    assert (done.status, done.out) == (1, "")
    assert message in done.err


def test_without_results_the_command_that_makes_them_is_named(misread, write_results, tmp_path):
    assert "run `misread compose`" in misread("inspect", "align").err
    write_results(tmp_path)
    (tmp_path / "build/normalized/lines/b.parquet").unlink()
    assert "run `dvc repro normalize`" in misread("inspect", "align").err


def test_a_segment_of_several_data_sets_needs_a_choice(misread, write_results, tmp_path):
    twice = {name: {"_target_": "misread.data.Table", "root": name, "file": "x"} for name in ("lines", "other")}
    write_results(tmp_path, dataset="other", params={"datasets": twice})
    write_results(tmp_path, params={"datasets": twice})
    assert "choose one, such as --dataset lines. There are: lines, other." in misread("inspect", "align").err
    assert "lines, other each have a segment 'l1'" in misread("inspect", "align", "l1").err
    assert misread("inspect", "align", "l1", "--dataset", "other").status == 0


def test_systems_stand_under_the_reading_that_each_was_compared_with(stored, tmp_path):
    for system in ("a", "b"):
        path = tmp_path / f"build/normalized/lines/{system}.parquet"
        texts = read_normalized(path)
        pairs = [replace(of, references=["the { quick / quich } brown fox", *of.references[1:]]) for of in forms(texts)]
        raw, normalized, lines = pairs
        texts = replace(texts, raw=raw, normalized=normalized, normalized_lines=lines)
        write_normalized(path, replace(texts, origin=replace(texts.origin, facts=TextFacts(alternatives="references"))))
    done = stored("inspect", "align", "l1", "--full")
    assert done.status == 0
    first, second = done.out.split("l1")[1:]
    assert "19 characters   a 0" in first
    assert "19 characters   b 0" in second
    assert "q u i c h" in first.replace("  ", " ")
    assert "q u i c k" in second.replace("  ", " ")
    assert "reference  'the { quick / quich } brown fox' as it came" in done.out


@pytest.mark.parametrize(
    ("segment", "facts"),
    [
        ("l1", ("  data set  lines", "  page      p1", "  source    not known: ")),
        ("l2", ("  b         no output: the image is cut short",)),
        ("l3", ("  reference  'one  two' as it came",)),
    ],
)
def test_below_a_segment_that_is_named_are_its_place_and_its_texts_as_they_came(
    misread, write_results, tmp_path, segment, facts
):
    write_results(tmp_path, clusters=["p1", "p1", "p2", "p3"])
    out = misread("inspect", "align", segment, "--all").out
    assert [fact for fact in facts if fact not in out] == []
    assert "as it came" not in misread("inspect", "align", "--all").out


def test_the_image_of_a_segment_that_is_named_is_shown(misread, write_results, tmp_path):
    image = tmp_path / "data/lines/one.png"
    image.parent.mkdir(parents=True)
    image.write_bytes(b"")
    (tmp_path / "data/lines/lines.csv").write_text("id,text,image\nl1,one,one.png\n", encoding="utf-8")
    reader = {"_target_": "misread.data.Table", "root": "data/lines", "file": "lines.csv", "segment_id": ["id"]}
    table = {**reader, "reference": "text", "media": "image", "medium": "line_image", "provenance": "here"}
    write_results(tmp_path, read={"a": ["one"]}, references=["one"], params={"datasets": {"lines": table}})
    assert "  source    data/lines/one.png" in misread("inspect", "align", "l1").out


def forms(texts):
    return texts.raw, texts.normalized, texts.normalized_lines
