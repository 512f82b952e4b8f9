"""Formats of outside tools through `misread score`, and their numbers."""

import re
import subprocess

import pytest

QUICK = ("--resamples", "99", "--output", "json", "--normalizer", "lower")


def totals(done, metric="wer", notes=(), counted=(), missing=()):
    """Counts of every system, after what is missing, notes on how files were read, and warnings of what was counted."""
    assert (done.status, done.err) == (0, "".join(f"warning: {note}\n" for note in notes))
    assert done.json["warnings"][: len(missing) + len(notes) + len(counted)] == [*missing, *notes, *counted]
    return {
        system: [of[metric]["counts"][name] for name in ("hits", "substitutions", "deletions", "insertions", "length")]
        for system, of in done.json["systems"].items()
    }


def test_trn_totals_are_those_of_the_published_report(misread, shared_data):
    folder = shared_data / "sctk"
    done = misread(
        *("score", folder / "csrnab.ref", folder / "csrnab.hyp", "--format", "trn"),
        *("--cluster", "(...)", "--metrics", "wer=wer(alignment=sclite),ser,cer", *QUICK),
    )
    assert totals(done) == {"csrnab": [1263, 131, 12, 26, 1406]}
    assert (done.json["segments"], done.json["clusters"]) == (51, 3)
    assert done.json["systems"]["csrnab"]["ser"]["counts"]["wrong"] == 38
    assert "|align:sclite|" in done.json["systems"]["csrnab"]["wer"]["signature"]
    assert "|alternatives:references-aligned|" in done.json["systems"]["csrnab"]["wer"]["signature"]
    assert "|alternatives:references-read-by-words|" in done.json["systems"]["csrnab"]["cer"]["signature"]


def test_stm_and_ctm_totals_are_those_of_sclite(misread, shared_data):
    folder = shared_data / "sctk"
    done = misread(
        *("score", folder / "lvc_ref.stm", folder / "lvc_hyp.ctm", "--format", "stm", "--hyp-format", "ctm"),
        *("--metrics", "wer=wer(alignment=sclite)", *QUICK),
    )
    # sclite 2.10 on the same pair.
    strays = (
        "lvc_hyp: 7 words (first lvc_hyp.ctm, line 1) lie outside of all segments and count in the next one or the "
        "last, as for sclite.",
    )
    empty = (
        "lvc_hyp: 1 of 61 references is empty where there is a hypothesis (2347-a-002), whose 87 characters count as "
        "insertions.",
        "lvc_hyp: 2 of 61 hypotheses are empty where there is a reference (2347-a-004, 3129-a-002), whose 328 "
        "characters count as deletions.",
    )
    assert totals(done, notes=strays, counted=empty) == {"lvc_hyp": [1013, 540, 226, 171, 1779]}
    assert done.json["segments"] == 61
    assert {"file", "channel", "speaker", "Alternations"} <= done.json["groups"].keys()


@pytest.mark.slow
@pytest.mark.parametrize(("alternatives", "expected"), [(False, (773, 4166)), (True, (730, 4230))])
def test_one_call_of_earnings21(misread, shared_data, tmp_path, alternatives, expected):
    folder = shared_data / "earnings21_eval10"
    names = {"ref": folder / "transcripts/nlp_references", "hyp": folder / "output/google"}
    for name, source in names.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "4366522.nlp").symlink_to(source / "4366522.nlp")
    form = f"nlp(alternatives={folder / 'transcripts/normalizations'})" if alternatives else "nlp"
    done = misread("score", "ref", "hyp", "--format", form, "--metrics", "wer", *QUICK)
    (of,) = done.json["systems"].values()
    assert (of["wer"]["counts"]["errors"], of["wer"]["counts"]["length"]) == expected


def test_paired_tests_go_over_alternatives(misread, write_lines):
    reference = write_lines("ref.trn", "".join(f"a {{ b{n} / c }} (d) (s_{n})\n" for n in range(6)))
    write_lines("x.trn", "".join(f"a c (S_{n})\n" for n in range(6)))
    write_lines("y.trn", "".join(f"a x d (s_{n})\n" for n in range(6)))
    done = misread(
        *("score", reference, "x.trn", "y.trn", "--format", "trn(optional_words=true)", "--metrics", "wer"),
        *("--tests", "mapsswe,mcnemar", *QUICK),
    )
    optional = ("References: 6 words in parentheses (first ref.trn, line 1) may be left out, which counts as correct.",)
    assert totals(done, notes=optional) == {"x": [18, 0, 0, 0, 18], "y": [12, 6, 0, 0, 18]}
    (pair,) = done.json["comparisons"]
    assert sum(pair["tests"]["mcnemar"]["extra"][cell] for cell in "bc") == 6


def test_an_utterance_that_is_missing_is_refused_or_counted_as_deletions(misread, write_lines):
    write_lines("ref.trn", "a b (1)\nc { d / e f } (2)\n")
    write_lines("hyp.trn", "a b (1)\n")
    command = ("score", "ref.trn", "hyp.trn", "--format", "trn", "--metrics", "wer", *QUICK)
    refused = misread(*command)
    assert refused.status == 1
    assert "2: no hypothesis" in refused.err
    note = "hyp: 1 of 2 hypotheses is missing and counts as an empty text (2)."
    assert totals(misread(*command, "--missing", "empty"), missing=[note]) == {"hyp": [2, 0, 2, 0, 4]}


UNEQUAL = {"r": "one\ntwo\n", "h": "one\n"}


@pytest.mark.parametrize(
    ("files", "options", "message"),
    [
        ({"r.trn": "a (1)\n", "h.trn": "a (1)\nb (2)\n"}, "--format trn", "h.trn, line 2: r.trn has no utterance '2'"),
        (
            {"r.txt": "a\n", "h.txt": "a\n"},
            "--format lines(optional_words=true)",
            "error: unknown setting 'optional_words' in lines. There are: verbatim.",
        ),
        ({"r.trn": "", "h.trn": ""}, "--format trn", "error: r.trn has no utterance, expected lines `TEXT (ID)`."),
        (
            {"r.stm": "f A s 0 1 a\n", "h.ctm": "f A 0.1 0.1 a\nf B 1.1 0.1 x\n"},
            "--format stm --hyp-format ctm",
            "h.ctm, line 2: r.stm has no file 'f' with channel 'b'",
        ),
        (UNEQUAL, "--missing empty", "r has 2 lines and h (h) has 1"),
        (UNEQUAL, "--missing empty", "--missing is for texts with names"),
        (
            {"a": "x", "b": "x"},
            "--format stm --hyp-format lines",
            "files of lines with references of stm, which are scored against stm, ctm, seglst, webvtt, srt, textgrid,",
        ),
    ],
)
def test_files_that_do_not_go_together_are_refused(misread, write_lines, files, options, message):
    done = misread("score", *(write_lines(name, text) for name, text in files.items()), *options.split())
    assert (done.status, message in " ".join(done.err.split())) == (1, True)


def test_an_unknown_format_lists_the_choices(misread, write_lines):
    done = misread("score", write_lines("a", "x"), write_lines("b", "x"), "--format", "xml")
    assert done.status == 2
    assert done.err.endswith(" tesseract_tsv, text, textgrid, trn, webvtt, whisper, whisper_tsv.\n")


NOT_OPTIONAL = (
    "References: 1 word in parentheses (r.trn, line 1) is compared as written: optional words, as for sclite -D, are "
    "off.",
)


def test_two_different_words_in_parentheses_are_an_error_of_every_metric(misread, write_lines):
    write_lines("r.trn", "fee (£1,275) is (u-1)\n")
    write_lines("h.trn", "fee (£1,273) is (u-1)\n")
    command, three = ("score", "r.trn", "h.trn", *QUICK), ("--metrics", "wer,ser,cer")
    done = misread(*command, *three, "--format", "trn")
    assert totals(done, notes=NOT_OPTIONAL) == {"h": [2, 1, 0, 0, 3]}
    systems = done.json["systems"]["h"]
    cer = systems["cer"]["counts"]
    assert (systems["ser"]["counts"]["wrong"], cer["errors"], cer["length"]) == (1, 1, 15)
    sclite = ("--metrics", "wer=wer(alignment=sclite),ser,cer", "--format", "trn")
    for option in ((*three, "--format", "trn(optional_words=true)"), sclite):
        systems = misread(*command, *option).json["systems"]["h"]
        counts = {metric: of["counts"] for metric, of in systems.items()}
        assert (counts["wer"]["errors"], counts["ser"]["wrong"], counts["cer"]["errors"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        (("--metrics", "wer", "--format", "trn"), [1, 0, 1, 0, 2]),
        (("--metrics", "wer", "--format", "trn(optional_words=true)"), [2, 0, 0, 0, 2]),
        (("--metrics", "wer=wer(alignment=sclite)", "--format", "trn"), [2, 0, 0, 0, 2]),
    ],
)
def test_a_word_in_parentheses_may_be_left_out_where_that_is_asked_for(misread, write_lines, option, expected):
    write_lines("r.trn", "fee (uh) (u-1)\n")
    write_lines("h.trn", "fee (u-1)\n")
    optional = ("References: 1 word in parentheses (r.trn, line 1) may be left out, which counts as correct.",)
    done = misread("score", "r.trn", "h.trn", *option, *QUICK)
    assert totals(done, notes=NOT_OPTIONAL if option[1::2] == ("wer", "trn") else optional) == {"h": expected}


@pytest.mark.parametrize(
    ("metric", "said", "errors"),
    [
        ("wer", "may be left out, which counts as correct with alignment=sclite, and else count as words.", 1),
        ("wer=wer(alignment=sclite)", "may be left out, which counts as correct with alignment=sclite", 0),
    ],
)
def test_optional_words_of_a_hypothesis_are_counted_as_is_said(misread, write_lines, metric, said, errors):
    write_lines("r.trn", "yes (a-1)\n")
    write_lines("h.trn", "(uh) yes (a-1)\n")
    done = misread("score", "r.trn", "h.trn", "--format", "trn(optional_words=true)", "--metrics", metric, *QUICK)
    assert f"h: 1 word in parentheses (h.trn, line 1) {said}" in done.err
    assert done.json["systems"]["h"]["wer"]["counts"]["errors"] == errors


def test_segments_without_an_error_are_told_by_the_alignment_of_words_that_is_asked_for(misread, write_lines):
    write_lines("r.trn", "{ (d) (bx) / dx } b (s-1)\n")
    write_lines("h.trn", "b (s-1)\n")
    names = ("--metrics", "wer=wer(alignment=sclite),ser=ser(alignment=sclite)")
    counts = misread("score", "r.trn", "h.trn", "--format", "trn", *names, *QUICK).json["systems"]["h"]
    assert (counts["wer"]["counts"]["errors"], counts["ser"]["counts"]["wrong"]) == (1, 1)


def test_systems_are_compared_where_one_alone_reads_in_several_ways(misread, write_lines):
    write_lines("r.trn", "fee (b) c (1)\nd (2)\n")
    write_lines("x.trn", "fee (b) { c / e } (1)\nd @ (2)\n")
    write_lines("y.trn", "fee b c (1)\nd (2)\n")
    done = misread("score", "r.trn", "x.trn", "y.trn", "--format", "trn", "--metrics", "wer", *QUICK)
    assert done.status == 0
    assert [of["wer"]["counts"]["errors"] for of in done.json["systems"].values()] == [0, 1]


def test_an_at_sign_that_is_taken_for_no_word_is_named(misread, write_lines):
    write_lines("r.trn", "mail me @ home @ ten (u-1)\n")
    write_lines("h.trn", "mail me home ten (u-1)\n")
    done = misread("score", "r.trn", "h.trn", "--format", "trn", "--metrics", "wer", *QUICK)
    note = "References: 2 @ (r.trn, line 1) are taken for no word, as for sclite."
    assert totals(done, notes=(note,)) == {"h": [4, 0, 0, 0, 4]}


@pytest.mark.parametrize("ending", ["trn", "ctm"])
def test_a_system_that_produced_nothing_is_counted_by_the_policy_for_missing_hypotheses(misread, write_lines, ending):
    if ending == "trn":
        references = (write_lines("r.trn", "a b (1)\nc (2)\n"), write_lines("h.trn", ";; nothing\n"), "--format", "trn")
    else:
        write_lines("r.stm", "f A s 0 1 a b\nf A s 1 2 c\n")
        references = ("r.stm", write_lines("h.ctm", ""), "--format", "stm", "--hyp-format", "ctm")
    ids = "1, 2" if ending == "trn" else "s-000, s-001"
    notes = [f"h: h.{ending} has no {'utterance' if ending == 'trn' else 'word'}."]
    missing = [f"h: 2 of 2 hypotheses are missing and count as empty texts ({ids})."]
    command = ("score", *references, "--metrics", "wer", *QUICK)
    assert totals(misread(*command, "--missing", "empty"), notes=notes, missing=missing) == {"h": [0, 0, 3, 0, 3]}
    error, drop = misread(*command), misread(*command, "--missing", "drop")
    assert (error.status, drop.status) == (1, 1)
    assert "error: system 'h' has no hypothesis for 2 of 2 segments of 'r'" in error.err
    assert "there is nothing to score" in drop.err


STM = "f A s 0 4 a b\nf A t 1 2 c\nf A t 1 2 c\nf A s 6 7 IGNORETIMESEGMENTINSCORING\nf A s 8 9 { d/e }\n"
CTM = "f A 0.1 .2 a\nf A 1.5 .2 c\nf A 4.5 .1 stray\nf A 6.5 .1 x\nf A 7.5 .1 stray\nf A 8.5 .1 e\nf A 9.5 .1 late\n"


def test_overlapping_segments_and_words_outside_are_counted_as_by_sclite_and_named(
    misread, sctk, write_lines, tmp_path
):
    write_lines("r.stm", STM)
    write_lines("h.ctm", CTM)
    command = [sctk("sclite"), "-r", "r.stm", "stm", "-h", "h.ctm", "ctm", "-s", "-D", "-o", "pra", "stdout"]
    report = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    counts = [map(int, numbers.split()) for numbers in re.findall(r"#I\) ([\d ]+)", report)]
    hits, substitutions, deletions, insertions = map(sum, zip(*counts, strict=True))
    notes = (
        "References: 2 segments (first r.stm, line 2) begin before one above ends; a word in both counts in the upper "
        "one, as for sclite.",
        "h: 3 words (first h.ctm, line 3) lie outside of all segments and count in the next one or the last, as for "
        "sclite.",
    )
    empty = (
        "h: 2 of 4 hypotheses are empty where there is a reference (t-000, t-001), whose 2 characters count as "
        "deletions.",
    )
    done = misread(
        *("score", "r.stm", "h.ctm", "--format", "stm", "--hyp-format", "ctm"),
        *("--metrics", "wer=wer(alignment=sclite)", *QUICK),
    )
    length = hits + substitutions + deletions
    assert totals(done, notes=notes, counted=empty) == {"h": [hits, substitutions, deletions, insertions, length]}


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
    assert (refused.status, "2 paired, 1 only in hyp (three.txt)" in refused.err) == (1, True)


@pytest.mark.parametrize(
    ("form", "ending", "text"), [("text", "txt", "one two\n"), ("nlp", "nlp", "token|speaker\none|1\ntwo|1\n")]
)
def test_a_file_that_a_folder_lacks_is_refused_left_out_or_counted_as_deletions(misread, tmp_path, form, ending, text):
    for folder, names in (("ref", "pqr"), ("a", "pr"), ("b", "pqr")):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / f"{name}.{ending}").write_text(text)
    command = ("score", "ref", "a", "b", "--format", form, "--metrics", "wer", *QUICK)
    refused = misread(*command)
    assert refused.status == 1
    assert "a: ref has 3 files and a has 2 files: 2 paired, 1 only in ref (q)." in refused.err
    notes = ["a: ref has 3 files and a has 2 files: 2 paired, 1 only in ref (q)."]
    missing = ["a: 1 of 3 hypotheses is missing and counts as an empty text (q)."]
    scored = totals(misread(*command, "--missing", "empty"), notes=notes, missing=missing)
    assert scored == {"a": [4, 0, 2, 0, 6], "b": [6, 0, 0, 0, 6]}
    assert totals(misread(*command, "--missing", "drop"), notes=notes) == {"a": [4, 0, 0, 0, 4], "b": [4, 0, 0, 0, 4]}


def test_files_are_named_by_options_or_not_but_not_both(misread, write_lines):
    reference, hypothesis = write_lines("r.txt", "a\n"), write_lines("h.txt", "a\n")
    assert list(totals(misread("score", reference, hypothesis, *QUICK))) == ["h"]
    assert "not both" in misread("score", reference, hypothesis, "--ref", reference).err
    assert "give the file of at least one system" in misread("score", reference).err
    assert "two systems would be called 'h'" in misread("score", reference, hypothesis, hypothesis).err


def test_the_lines_of_the_guide_are_counted_as_sclite_counts_them(misread, sctk, repository, tmp_path):
    for side in ("reference", "tesseract"):
        lines = (repository / "docs/examples" / f"{side}.txt").read_text(encoding="utf-8").splitlines()
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
        "--metrics",
        "wer=wer(alignment=sclite)",
        "--output",
        "json",
    )
    found = done.json["systems"]["tesseract"]["wer"]
    assert (found["counts"]["length"], found["counts"]["errors"]) == (words, errors)
    assert [found["counts"][name] for name in ("substitutions", "deletions", "insertions")] == [
        substitutions,
        deletions,
        insertions,
    ]


@pytest.mark.slow
def test_confidences_of_a_ctm_file_or_of_annotations_are_scored(misread, write_lines, tmp_path):
    stm = write_lines("r.stm", "f 1 s 0 1 a b\nf 1 t 1 2 c d\n")
    ctm = write_lines("h.ctm", "f 1 0.1 0.1 a 0.9\nf 1 0.5 0.1 x 0.2\nf 1 1.1 0.1 c 0.8\nf 1 1.5 0.1 d 0.7\n")
    metrics = ("--metrics", "brier_score,review_share", "--resamples", "99", "--output", "json")
    timed = misread("score", "--ref", stm, "--hyp", f"a={ctm}", "--format", "stm", "--hyp-format", "ctm", *metrics)
    lines = write_lines("r.txt", "a b\nc d\n"), write_lines("a.txt", "a x\nc d\n")
    beside = write_lines("a.jsonl", '{"id": "1", "confidence": [0.9, 0.2]}\n{"id": "2", "confidence": [0.8, 0.7]}\n')
    plain = misread("score", *lines, "--annotations", f"a={beside}", *metrics)
    for done in (timed, plain):
        assert done.json["systems"][next(iter(done.json["systems"]))]["brier_score"]["micro"] == 0.045
    refused = misread("score", *lines, *metrics)
    assert refused.status == 1
    assert "needs the annotation 'confidence'" in refused.err
