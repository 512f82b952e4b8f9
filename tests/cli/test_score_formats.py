"""Formats of outside tools through `misread score`, and their numbers."""

import re
import subprocess

import pytest

QUICK = ("--resamples", "99", "--output", "json", "--normalizer", "lower")


def totals(done, metric="wer"):
    assert (done.status, done.err) == (0, "")
    return {
        system: [of[metric][name] for name in ("hits", "substitutions", "deletions", "insertions", "length")]
        for system, of in done.json["systems"].items()
    }


def test_trn_totals_are_those_of_the_published_report(misread, shared_data):
    folder = shared_data / "sctk"
    done = misread(
        *("score", folder / "csrnab.ref", folder / "csrnab.hyp", "--format", "trn", "--alignment", "sclite"),
        *("--cluster", "(...)", "--metrics", "wer,ser,cer", *QUICK),
    )
    assert totals(done) == {"csrnab": [1263, 131, 12, 26, 1406]}
    assert (done.json["segments"], done.json["clusters"]) == (51, 3)
    assert done.json["systems"]["csrnab"]["ser"]["wrong"] == 38
    assert "|align:sclite|" in done.json["systems"]["csrnab"]["wer"]["signature"]
    assert "|alternatives:references-aligned|" in done.json["systems"]["csrnab"]["wer"]["signature"]
    assert "|alternatives:references-read-by-words|" in done.json["systems"]["csrnab"]["cer"]["signature"]


def test_stm_and_ctm_totals_are_those_of_sclite(misread, shared_data):
    folder = shared_data / "sctk"
    done = misread(
        *("score", folder / "lvc_ref.stm", folder / "lvc_hyp.ctm", "--ref-format", "stm", "--hyp-format", "ctm"),
        *("--alignment", "sclite", "--metrics", "wer", *QUICK),
    )
    # sclite 2.10 on the same pair.
    assert totals(done) == {"lvc_hyp": [1013, 540, 226, 171, 1779]}
    assert done.json["segments"] == 61
    assert {"file", "channel", "speaker", "Alternations"} <= done.json["groups"].keys()


@pytest.mark.parametrize(("alternatives", "expected"), [(False, (773, 4166)), (True, (730, 4230))])
def test_one_call_of_earnings21(misread, shared_data, tmp_path, alternatives, expected):
    folder = shared_data / "earnings21_eval10"
    names = {"ref": folder / "transcripts/nlp_references", "hyp": folder / "output/google"}
    for name, source in names.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "4366522.nlp").symlink_to(source / "4366522.nlp")
    option = ("--alternatives", folder / "transcripts/normalizations") if alternatives else ()
    done = misread("score", "ref", "hyp", "--format", "nlp", *option, "--metrics", "wer", *QUICK)
    (of,) = done.json["systems"].values()
    assert (of["wer"]["errors"], of["wer"]["length"]) == expected


def test_paired_tests_go_over_alternatives(misread, write_lines):
    reference = write_lines("ref.trn", "".join(f"a {{ b{n} / c }} (d) (s_{n})\n" for n in range(6)))
    write_lines("x.trn", "".join(f"a c (S_{n})\n" for n in range(6)))
    write_lines("y.trn", "".join(f"a x d (s_{n})\n" for n in range(6)))
    done = misread(
        *("score", reference, "x.trn", "y.trn", "--format", "trn", "--metrics", "wer"),
        *("--tests", "mapsswe,mcnemar", *QUICK),
    )
    assert totals(done) == {"x": [18, 0, 0, 0, 18], "y": [12, 6, 0, 0, 18]}
    (pair,) = done.json["comparisons"]
    assert pair["tests"]["mcnemar"]["b"] + pair["tests"]["mcnemar"]["c"] == 6


def test_an_utterance_that_is_missing_is_refused_or_counted_as_deletions(misread, write_lines):
    write_lines("ref.trn", "a b (1)\nc { d / e f } (2)\n")
    write_lines("hyp.trn", "a b (1)\n")
    command = ("score", "ref.trn", "hyp.trn", "--format", "trn", "--metrics", "wer", *QUICK)
    refused = misread(*command)
    assert refused.status == 1
    assert "2: no hypothesis" in refused.err
    assert totals(misread(*command, "--missing", "all")) == {"hyp": [2, 0, 2, 0, 4]}


def test_an_utterance_without_reference_is_named_with_its_line(misread, write_lines):
    write_lines("ref.trn", "a (1)\n")
    write_lines("hyp.trn", "a (1)\nb (2)\n")
    done = misread("score", "ref.trn", "hyp.trn", "--format", "trn")
    assert (done.status, "hyp.trn, line 2: ref.trn has no utterance '2'" in done.err) == (1, True)


def test_words_in_an_ignored_segment_are_not_scored(misread, write_lines):
    write_lines("r.stm", "f A s 0 1 a\nf A s 1 2 IGNORE_TIME_SEGMENT_IN_SCORING\nf A s 2 3 b\n")
    write_lines("h.ctm", "f A 0.1 0.1 a\nf A 1.1 0.1 x\nf A 1.2 0.1 y\nf A 2.1 0.1 b\n")
    done = misread("score", "r.stm", "h.ctm", "--ref-format", "stm", "--hyp-format", "ctm", "--metrics", "wer", *QUICK)
    assert totals(done) == {"h": [2, 0, 0, 0, 2]}


def test_a_channel_that_the_reference_has_not_is_named(misread, write_lines):
    write_lines("r.stm", "f A s 0 1 a\n")
    write_lines("h.ctm", "f A 0.1 0.1 a\nf B 1.1 0.1 x\n")
    done = misread("score", "r.stm", "h.ctm", "--ref-format", "stm", "--hyp-format", "ctm")
    assert "h.ctm, line 2: r.stm has no file 'f' with channel 'b'" in done.err


def test_folders_of_text_are_paired_by_stem(misread, write_lines, tmp_path):
    for name in ("ref", "hyp"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "one.txt").write_text(f"a b\nc {name}\n")
        (tmp_path / name / "two.txt").write_text("d\n")
    done = misread("score", "ref", "hyp", "--metrics", "wer", *QUICK)
    assert totals(done) == {"hyp": [4, 1, 0, 0, 5]}
    assert done.json["segments"] == 2
    (tmp_path / "hyp" / "three.txt").write_text("x")
    refused = misread("score", "ref", "hyp")
    assert (refused.status, "1 only in hyp: three" in refused.err) == (1, True)


def test_formats_that_do_not_go_together_list_those_that_do(misread, write_lines):
    done = misread("score", write_lines("a", "x"), write_lines("b", "x"), "--ref-format", "stm")
    assert "--format lines, text, trn, nlp, and --ref-format stm with --hyp-format ctm" in " ".join(done.err.split())


def test_an_unknown_format_lists_the_choices(misread, write_lines):
    done = misread("score", write_lines("a", "x"), write_lines("b", "x"), "--format", "xml")
    assert done.status == 2
    assert all(f"'{name}'" in done.err for name in ("lines", "text", "trn", "nlp", "stm", "ctm"))


def test_files_are_named_by_options_or_not_but_not_both(misread, write_lines):
    reference, hypothesis = write_lines("r.txt", "a\n"), write_lines("h.txt", "a\n")
    assert list(totals(misread("score", reference, hypothesis, *QUICK))) == ["h"]
    assert "not both" in misread("score", reference, hypothesis, "--ref", reference).err
    assert "give the file of at least one system" in misread("score", reference).err
    assert "two systems would be called 'h'" in misread("score", reference, hypothesis, hypothesis).err


def test_the_lines_of_the_guide_are_counted_as_sclite_counts_them(misread, sctk, repository, tmp_path):
    for side in ("reference", "tesseract"):
        lines = (repository / "docs/guide/examples" / f"{side}.txt").read_text(encoding="utf-8").splitlines()
        text = "".join(f"{line} (line_{number:03})\n" for number, line in enumerate(lines))
        (tmp_path / f"{side}.trn").write_text(text, encoding="utf-8")
    command = [sctk("sclite"), "-r", "reference.trn", "trn", "-h", "tesseract.trn", "trn", "-i", "rm", "-s", "-D"]
    printed = subprocess.run(
        [*command, "-o", "rsum", "stdout"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    total = next(line for line in printed.stdout.splitlines() if "| Sum " in line)
    _, words, _, substitutions, deletions, insertions, errors, _ = map(int, re.findall(r"\d+", total))
    done = misread(
        "score",
        "reference.trn",
        "tesseract.trn",
        "--format",
        "trn",
        "--alignment",
        "sclite",
        "--metrics",
        "wer",
        "--output",
        "json",
    )
    found = done.json["systems"]["tesseract"]["wer"]
    assert (found["length"], found["errors"]) == (words, errors)
    assert [found[name] for name in ("substitutions", "deletions", "insertions")] == [
        substitutions,
        deletions,
        insertions,
    ]
