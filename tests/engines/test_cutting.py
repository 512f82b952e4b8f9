import errno
import os
import tempfile
import wave
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from misread.data.segment_table import Source
from misread.engines.base import UnreadableSourceError
from misread.engines.cutting import cut_out

BOX = ((10, 20), (39, 20), (39, 29), (10, 29))


@pytest.fixture
def page(tmp_path):
    """A grey page of 100 x 50 pixels with a black box."""

    def write(mode="L", name="page.png"):
        image = Image.new("L", (100, 50), 128)
        ImageDraw.Draw(image).rectangle((10, 20, 39, 29), 0)
        image.convert(mode).save(tmp_path / name)
        return tmp_path / name

    return write


def cut(path, **part):
    with cut_out(Source("a", path, **part)) as whole:
        assert (whole.segment_id, whole.area, whole.span) == ("a", None, None)
        return Image.open(whole.media).copy()


def test_a_source_without_a_part_stays_as_it_is(tmp_path):
    for source in (Source("a", tmp_path / "a.png"), Source("a")):
        with cut_out(source) as whole:
            assert whole is source


@pytest.mark.parametrize("mode", ["1", "L", "RGB", "CMYK"])
def test_a_box_is_cut_out(page, mode):
    part = cut(page(mode, "page.tif"), area=BOX).convert("L")
    assert part.size == (29, 9)
    assert part.getextrema() == (0, 0)


def test_outside_of_a_polygon_is_white(page):
    part = cut(page(), area=((10, 20), (39, 20), (10, 29)))
    assert [part.getpixel(place) for place in ((0, 0), (5, 2), (28, 8))] == [0, 0, 255]


def test_a_polygon_beyond_the_edge_is_cut_at_the_edge(page):
    assert cut(page(), area=((-5, 40), (500, 40), (500, 60), (-5, 60))).size == (100, 10)


@pytest.mark.parametrize("area", [((200, 0), (210, 0), (210, 9)), ((5, 5), (5, 9), (5, 7)), ((-9, 0), (0, 0), (0, 9))])
def test_a_part_that_is_not_in_the_image_is_named_with_its_place(page, area):
    with pytest.raises(UnreadableSourceError, match=r"lies at x .*, y .*, outside of .*page\.png \(100 x 50 pixels\)"):
        cut(page(), area=area)


def test_a_page_that_cannot_be_read_is_named(tmp_path):
    for name, content in (("gone.png", None), ("empty.png", b"")):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(UnreadableSourceError, match=name):
            cut(tmp_path / name, area=BOX)


def test_a_page_that_was_replaced_is_read_again(page, tmp_path):
    path = page()
    assert cut(path, area=BOX).getextrema() == (0, 0)
    Image.new("L", (100, 50), 9).save(path)
    assert cut(path, area=BOX).getextrema() == (9, 9)


def test_the_part_is_gone_afterwards(page):
    with cut_out(Source("a", page(), area=BOX)) as whole:
        assert whole.media.is_file()
    assert not whole.media.exists()


def test_a_part_that_cannot_be_written_is_an_error_of_the_temporary_file(page, monkeypatch):
    def fail(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    path = page()
    monkeypatch.setattr(Image.Image, "save", fail)
    with pytest.raises(OSError, match=r"page\.png") as raised, cut_out(Source("a", path, area=BOX)):
        pass
    assert Path(raised.value.filename).is_relative_to(tempfile.gettempdir())


# Recordings


@pytest.fixture
def recording(tmp_path):
    """Two seconds of 8,000 samples each on two channels: each sample is its number."""
    samples = np.repeat(np.arange(16_000, dtype="<i2")[:, np.newaxis], 2, axis=1)
    with wave.open(str(tmp_path / "talk.wav"), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(samples.tobytes())
    return tmp_path / "talk.wav"


def samples_of(path, span):
    with cut_out(Source("a", path, span=span)) as whole, wave.open(str(whole.media), "rb") as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
        return file.getframerate(), file.getnchannels(), samples.reshape(-1, file.getnchannels())[:, 0]


@pytest.mark.parametrize(("span", "first", "last"), [((0.5, 1.0), 4000, 7999), ((1.5, 9.0), 12_000, 15_999)])
def test_an_utterance_is_cut_out_as_it_was_recorded(recording, span, first, last):
    rate, channels, samples = samples_of(recording, span)
    assert (rate, channels, samples[0], samples[-1]) == (8000, 2, first, last)


@pytest.mark.slow
def test_an_utterance_of_another_format_is_cut_out_of_what_it_sounds_like(tmp_path):
    av = pytest.importorskip("av", reason="misread[whisper] is not installed")
    # Two seconds of 220 Hz, then of 880 Hz.
    pitch = np.repeat([220, 880], 2 * 22_050)
    tone = (8000 * np.sin(2 * np.pi * np.cumsum(pitch) / 22_050)).astype("<i2")
    with av.open(str(tmp_path / "tone.flac"), "w") as file:
        stream = file.add_stream("flac", rate=22_050, layout="mono")
        frame = av.AudioFrame.from_ndarray(tone[np.newaxis], format="s16", layout="mono")
        frame.sample_rate = 22_050
        file.mux([*stream.encode(frame), *stream.encode(None)])
    for span, expected in (((1.0, 1.5), 220), ((2.5, 3.0), 880)):
        rate, channels, samples = samples_of(tmp_path / "tone.flac", span)
        assert (rate, channels, len(samples)) == (16_000, 1, 8000)
        assert np.argmax(np.abs(np.fft.rfft(samples))) * 2 == expected


@pytest.mark.parametrize(
    ("name", "span", "said"),
    [
        ("talk.wav", (2.5, 3.0), "begins at 2.5 s, after the end of"),
        ("talk.wav", (1.0, 1.0), "from 1 to 1 s, which is no length of time"),
        ("gone.wav", (0.0, 1.0), "there is no file"),
        ("text.wav", (0.0, 1.0), "is not readable audio"),
    ],
)
def test_what_has_no_sound_is_named(recording, name, span, said):
    recording.with_name("text.wav").write_text("not a sound")
    with pytest.raises(UnreadableSourceError, match=said):
        samples_of(recording.with_name(name), span)
