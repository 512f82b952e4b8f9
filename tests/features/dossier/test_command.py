import pytest


@pytest.fixture
def shown(misread, write_results, tmp_path):
    write_results(tmp_path, clusters=["p1", "p1", "p2", "p3"])

    def show(*arguments):
        done = misread("inspect", "segment", *arguments)
        assert (done.status, done.err) == (0, "")
        return done.out

    return show


@pytest.mark.parametrize(
    ("segment", "parts"),
    [
        ("l1", ("segment   l1", "page      p1", "a          'the quich brown fox'", "unchanged: reference, a, b")),
        ("l1", ("cer     5.26 % (1/19)  0.00 % (0/19)", "source    not known:")),
        ("l2", ("b          no output: the image is cut short",)),
        # What the normalizer changed is shown twice.
        ("l3", ("reference  'one  two'", "reference  'one two'", "unchanged: a, b")),
    ],
)
def test_everything_about_a_segment_is_shown(shown, segment, parts):
    out = shown(segment)
    assert [part for part in parts if part not in out] == []
    assert segment != "l1" or "h" in out.split("REF")[1]


def test_the_image_is_named(misread, write_results, tmp_path):
    image = tmp_path / "data/lines/one.png"
    image.parent.mkdir(parents=True)
    image.write_bytes(b"")
    (tmp_path / "data/lines/lines.csv").write_text("id,text,image\nl1,one,one.png\n", encoding="utf-8")
    reader = {"_target_": "misread.data.Table", "root": "data/lines", "file": "lines.csv", "segment_id": ["id"]}
    table = {**reader, "reference": "text", "media": "image", "medium": "line_image", "provenance": "here"}
    write_results(tmp_path, read={"a": ["one"]}, references=["one"], params={"datasets": {"lines": table}})
    assert "source    data/lines/one.png" in misread("inspect", "segment", "l1").out


def test_an_unknown_segment_gets_the_nearest(misread, write_results, tmp_path):
    write_results(tmp_path)
    done = misread("inspect", "segment", "l11")
    assert done.status == 1
    assert "unknown segment 'l11'. Did you mean 'l1'" in done.err
