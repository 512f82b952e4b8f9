import os
import struct
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import EpsImagePlugin, Image

from misread.data.segment_table import Source
from misread.engines.base import UnreadableSourceError
from misread.engines.function import FunctionReader
from misread.engines.loading import load_image, media_path

SIZE = (60, 20)
# A file that a program opens itself is refused alike.
WAYS = pytest.mark.parametrize("read", [load_image, FunctionReader(lambda _: "", "page_image").read])


@pytest.fixture
def source(tmp_path):
    """Write bytes as a file, give it as a source."""

    def write(content, name="a.png"):
        (tmp_path / name).write_bytes(content)
        return Source("a", tmp_path / name)

    return write


@pytest.fixture
def saved(tmp_path):
    """Save an image, give it as a source."""

    def save(image, name="a.png"):
        image.save(tmp_path / name)
        return Source("a", tmp_path / name)

    return save


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB"])
def test_an_image_keeps_the_mode_of_its_file(saved, mode):
    assert load_image(saved(Image.new(mode, SIZE))).mode == mode


def test_a_transparent_colour_of_a_palette_lies_on_white_paper(tmp_path):
    Image.new("P", SIZE, 0).save(tmp_path / "a.png", transparency=0)
    assert load_image(Source("a", tmp_path / "a.png")).getpixel((5, 5)) == (255, 255, 255)


def test_the_pixels_are_there_after_the_file_is_gone(saved):
    source = saved(Image.new("L", SIZE, 200))
    image = load_image(source)
    source.media.unlink()
    assert image.getpixel((5, 5)) == 200


def test_a_png_without_its_second_half_is_unreadable_wherever_it_was_cut(saved):
    source = saved(Image.effect_noise((24, 8), 50))
    content = source.media.read_bytes()
    for length in range(len(content) // 2):
        source.media.write_bytes(content[:length])
        with pytest.raises(UnreadableSourceError, match=r"a\.png is "):
            load_image(source)


def png(pixels, *, rows=None, interlaced=False):
    """A PNG of 8-bit grey, by hand, whose data end in order after so many rows (of all passes)."""
    starts = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
    passes = [pixels[y::down, x::right] for y, x, down, right in starts] if interlaced else [pixels]
    lines = [b"\0" + line.tobytes() for part in passes if part.size for line in part][:rows]
    header = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 0, 0, 0, interlaced)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(b"".join(lines))), (b"IEND", b"")
    chunks = [
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


NOISE = np.random.default_rng(1).integers(0, 256, (20, 30), dtype=np.uint8)
CUT = r" is damaged or cut short \(2,048 bytes\): .*truncated"
DAMAGED = [
    (b"", r" is not a readable image \(the file is empty\)"),
    (b"hello world", r" is not a readable image \(11 bytes\)"),
    (b"%PDF-1.7\nrest", " is not a readable image .*it is a PDF; .*pdftoppm"),
    # Pillow leaves the rest black. A row has a byte more than pixels; the seven passes have 38 rows.
    *(
        (png(NOISE, rows=rows, interlaced=interlaced), f" is cut short: it has {share} bytes of pixels")
        for rows, interlaced, share in (
            *((5, False, "155 of 620"), (19, False, "589 of 620")),
            *((5, True, "25 of 638"), (-1, True, "607 of 638")),
        )
    ),
]


@pytest.mark.parametrize(("content", "said"), DAMAGED)
def test_a_file_that_is_no_whole_image_is_named_with_what_is_wrong(source, content, said):
    with pytest.raises(UnreadableSourceError, match=rf"a\.png{said}"):
        load_image(source(content))


@WAYS
@pytest.mark.parametrize("ending", ["png", "tif", "jpg", "bmp", "gif", "ppm", "webp"])
def test_a_file_that_is_cut_short_missing_or_a_folder_is_named(saved, ending, read):
    source = saved(Image.effect_noise((200, 100), 50), f"a.{ending}")
    source.media.write_bytes(source.media.read_bytes()[:2048])
    with pytest.raises(UnreadableSourceError, match=rf"a\.{ending}{CUT if ending == 'png' else ' is '}"):
        # Half a WebP file is none.
        (load_image if ending == "webp" else read)(source)
    source.media.unlink()
    with pytest.raises(UnreadableSourceError, match=rf"there is no file .*a\.{ending}"):
        read(source)
    source.media.mkdir()
    with pytest.raises(UnreadableSourceError, match=rf"a\.{ending}"):
        load_image(source)


@pytest.mark.parametrize("interlaced", [False, True])
@pytest.mark.parametrize("shape", [(20, 30), (1, 1), (1, 30), (20, 1), (3, 5), (8, 8), (9, 9)])
def test_a_whole_png_is_loaded(source, shape, interlaced):
    pixels = NOISE[: shape[0], : shape[1]]
    assert np.array_equal(load_image(source(png(pixels, interlaced=interlaced))), pixels)


def test_a_source_without_an_image_cannot_be_read():
    with pytest.raises(UnreadableSourceError, match="names no image or audio for this segment"):
        media_path(Source("a"))


def test_the_number_of_pixels_may_be_exactly_the_limit(saved, monkeypatch):
    source = saved(Image.new("L", SIZE))
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", SIZE[0] * SIZE[1])
    assert load_image(source).size == SIZE
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", SIZE[0] * SIZE[1] - 1)
    with pytest.raises(UnreadableSourceError, match=r"a\.png is too large: 60 x 20 pixels, more than 1,199"):
        load_image(source)


@pytest.mark.slow
def test_threads_that_read_at_once_say_the_same_and_leave_filters_of_warnings_as_they_were(saved):
    source = saved(Image.new("1", (10_000, 10_000)))

    def reason(_):
        with pytest.raises(UnreadableSourceError) as found:
            load_image(source)
        return str(found.value)

    before = [*warnings.filters]
    with ThreadPoolExecutor(8) as threads:
        assert all(" is too large: 10,000 x 10,000 pixels" in said for said in threads.map(reason, range(400)))
    assert warnings.filters == before


@WAYS
@pytest.mark.parametrize("name", ["a.gif", "a.tif", "a.webp", "a.png"])
def test_an_image_of_several_pages_or_frames_is_named(tmp_path, name, read):
    frames = [Image.new("RGB", SIZE, (value, 0, 0)) for value in (0, 100, 200)]
    frames[0].save(tmp_path / name, save_all=True, append_images=frames[1:])
    with pytest.raises(UnreadableSourceError, match=rf"{name} has 3 pages or frames; put each into a file of its own"):
        read(Source("a", tmp_path / name))


def test_postscript_called_png_starts_no_ghostscript(source, tmp_path, monkeypatch):
    canary, folder = tmp_path / "canary", tmp_path / "bin"
    folder.mkdir()
    (folder / "gs").write_text(f"#!/bin/sh\necho >> {canary}\n")
    (folder / "gs").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    # Pillow remembers whether there is one.
    monkeypatch.setattr(EpsImagePlugin, "gs_binary", None)
    drawing = source(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 50 50\n%%EndComments\nshowpage\n%%EOF\n")
    said = r"a\.png is not a readable image \(\d+ bytes\): expected PNG, JPEG, .* PPM or JPEG2000$"
    with pytest.raises(UnreadableSourceError, match=said):
        load_image(drawing)
    assert not canary.exists()


@pytest.mark.parametrize("ending", ["ico", "tga", "pcx", "dds", "sgi"])
def test_formats_that_nobody_scans_to_are_refused(saved, ending):
    with pytest.raises(UnreadableSourceError, match=rf"a\.{ending} is not a readable image .* expected PNG, JPEG"):
        load_image(saved(Image.new("RGB", SIZE), f"a.{ending}"))
