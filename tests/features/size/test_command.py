import pytest

DEVIATIONS = ("plan", "size", "--cluster-deviation", "0.04", "--residual-deviation", "0.02")


def test_systems_read_once_have_one_row(misread):
    done = misread("plan", "size", "--cluster-deviation", "0.04", "--difference", "0.01", "--output", "json")
    assert len(done.json["plans"]) == 1


def test_a_width_has_its_clusters(misread):
    done = misread(*DEVIATIONS, "--target-width", "0.01", "--output", "json")
    assert all(plan["design"]["width"] <= 0.01 for plan in done.json["plans"])
    assert "95 % interval of 1.00 points" in misread(*DEVIATIONS, "--target-width", "0.01").out


def test_where_runs_share_an_effect_it_says_that_looking_one_by_one_never_ends(misread):
    shown = misread(*DEVIATIONS, "--run-deviation", "0.001", "--difference", "0.01").out
    assert "checking one by one never ends" in " ".join(shown.split())


def test_a_pilot_says_how_many_segments_its_clusters_have(misread, write_table):
    rows = [
        {"id": f"{page}{line}", "page": f"p{page}", "text": "abcdefghij", "a": "abcdefghi" + "jx"[page % 2], "b": text}
        for page in range(8)
        for line, text in enumerate(("abcdefghij", "abcdefghxx" if page % 3 else "abcdefghij"))
    ]
    table = ("--table", write_table("jsonl", rows), "--segment-id", "id", "--cluster", "page", "--ref", "text")
    shown = misread("plan", "size", *table, "--hyp", "a=a", "--hyp", "b=b", "--difference", "0.05")
    assert "pages" in shown.out
    assert "segments" in shown.out
    done = misread(
        "plan", "size", *table, "--hyp", "a=a", "--hyp", "b=b", "--difference", "0.05", "--output", "json"
    ).json
    (further,) = (note for note in done["notes"] if note.startswith("The pilot has 8 pages; "))
    assert further == f"The pilot has 8 pages; {done['plans'][0]['design']['clusters'] - 8:,} more would do."
    done = misread(
        "plan", "size", *table, "--hyp", "a=a", "--hyp", "b=b", "--difference", "0.5", "--output", "json"
    ).json
    assert "The pilot has 8 pages, which are enough." in done["notes"]


def test_a_pilot_of_unequal_clusters_makes_intervals_wider(misread, write_table):
    lengths = {0: 1, 1: 1, 2: 2, 3: 2, 4: 3, 5: 12}
    rows = [
        {"id": f"{page}{line}", "page": f"p{page}", "text": "abcdefghij", "a": "abcdefghij", "b": "abcdefghix"}
        for page, lines in lengths.items()
        for line in range(lines)
    ]
    rows[0]["b"] = "abcdefghij"
    table = ("--table", write_table("jsonl", rows), "--segment-id", "id", "--cluster", "page", "--ref", "text")
    done = misread("plan", "size", *table, "--hyp", "a=a", "--hyp", "b=b", "--target-width", "0.05", "--output", "json")
    # Satterthwaite's degrees of freedom, by hand; a line is two texts of ten characters and an error.
    sizes = [20 if page == 0 else 21 * lines for page, lines in lengths.items()]
    odds = [size / (sum(sizes) - size) for size in sizes]
    squares = [value**2 for value in odds]
    freedom = sum(odds) ** 2 / (sum(squares) + sum(squares) ** 2 - sum(square**2 for square in squares))
    assert done.json["variances"]["evenness"] == pytest.approx(freedom / 5)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "give either --difference, the smallest to be found, or --target-width."),
        (("--difference", "0.01", "--target-width", "0.01"), "give either --difference"),
        (
            ("--target-width", "1e-9"),
            "no number of clusters makes an interval 1e-09 wide: more than a thousand million would be needed",
        ),
        (("--target-width", "-1"), "the wanted width is -1.0, expected a number above 0"),
    ],
)
def test_what_cannot_be_planned_is_told_in_one_line(misread, arguments, words):
    done = misread(*DEVIATIONS, *arguments)
    assert done.status == 1
    assert words in done.err
    assert done.err.count("\n") == 1


def test_a_pilot_of_two_pages_is_refused(misread, write_table):
    rows = [{"id": page, "text": "abc", "a": "abc", "b": "abd"} for page in ("p1", "p2")]
    table = ("--table", write_table("jsonl", rows), "--segment-id", "id", "--cluster", "id", "--ref", "text")
    done = misread("plan", "size", *table, "--hyp", "a=a", "--hyp", "b=b", "--difference", "0.05")
    assert done.status == 1
    assert "a plan needs at least 3 " in done.err


def test_the_unit_keeps_its_capitals_and_what_counting_comes_to_is_not_said_before_it(misread, write_table):
    rows = [
        {
            "id": str(row),
            "Speaker_ID": f"s{row // 2}",
            "ref": "the fox",
            "a": "" if row == 3 else "the fix",
            "b": "a fox",
        }
        for row in range(12)
    ]
    table = ("--table", write_table("jsonl", rows), "--ref", "ref", "--hyp", "a=a", "--hyp", "b=b")
    done = misread("plan", "size", *table, "--segment-id", "id", "--cluster", "Speaker_ID", "--difference", "0.05")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Speaker_IDs and runs that show")
    assert "Speaker_ids" not in done.out
