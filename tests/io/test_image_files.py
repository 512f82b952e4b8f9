"""One content gives every engine the same pixels, whatever container, depth and orientation it has."""

from __future__ import annotations

import base64
import io
import struct
import warnings
import zlib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from misread.data.segment_table import Source
from misread.engines.base import UnreadableSourceError
from misread.engines.cutting import cut_out, plain_file
from misread.engines.function import FunctionReader
from misread.engines.loading import image_to_send, load_image
from misread.engines.openai_chat import OpenAIChat, OpenAIChatReader
from misread.engines.rapidocr import RapidOCRReader
from misread.engines.tesseract import TesseractReader
from misread.io.image_files import open_image, seen_size

RANDOM = np.random.default_rng(56)
ORIENTATION = 274
# What was done to the pixels of each orientation, so that it is upright when turned back (EXIF 2.32, 4.6.5.A).
STORED = {
    1: lambda pixels: pixels,
    2: lambda pixels: pixels[:, ::-1],
    3: lambda pixels: pixels[::-1, ::-1],
    4: lambda pixels: pixels[::-1],
    5: lambda pixels: pixels.swapaxes(0, 1),
    6: lambda pixels: pixels.swapaxes(0, 1)[::-1],
    7: lambda pixels: pixels.swapaxes(0, 1)[::-1, ::-1],
    8: lambda pixels: pixels.swapaxes(0, 1)[:, ::-1],
}


def grey(height: int = 11, width: int = 17) -> np.ndarray:
    return RANDOM.integers(0, 256, (height, width), dtype=np.uint8)


def saved(folder: Path, image: Image.Image, name: str, **options) -> Source:
    image.save(folder / name, **options)
    return Source("a", folder / name)


def deep(pixels: np.ndarray) -> Image.Image:
    return Image.fromarray(pixels.astype(np.uint16) * 257)


def on_transparent(pixels: np.ndarray) -> Image.Image:
    """Ink of any darkness, as transparency of black on nothing: a program that ignores it sees black."""
    black = np.zeros_like(pixels)
    return Image.merge("LA", [Image.fromarray(black), Image.fromarray(255 - pixels)])


def in_palette(pixels: np.ndarray) -> Image.Image:
    image = Image.fromarray(255 - pixels, "P")
    image.putpalette([value for level in range(256) for value in [255 - level] * 3])
    return image


def in_black_ink(pixels: np.ndarray) -> Image.Image:
    none = Image.fromarray(np.zeros_like(pixels))
    return Image.merge("CMYK", [none, none, none, Image.fromarray(255 - pixels)])


CONTAINERS = {
    "PNG": lambda pixels: (Image.fromarray(pixels), "a.png", {}),
    "PNG of 16 bits": lambda pixels: (deep(pixels), "a.png", {}),
    "PNG in RGB": lambda pixels: (Image.fromarray(pixels).convert("RGB"), "a.png", {}),
    "PNG with a palette": lambda pixels: (in_palette(pixels), "a.png", {}),
    "PNG, opaque": lambda pixels: (Image.fromarray(pixels).convert("RGBA"), "a.png", {}),
    "PNG, black on nothing": lambda pixels: (on_transparent(pixels), "a.png", {}),
    "TIFF": lambda pixels: (Image.fromarray(pixels), "a.tif", {}),
    "TIFF of 16 bits": lambda pixels: (deep(pixels), "a.tif", {}),
    "TIFF of 16 bits, 0 is white": lambda pixels: (deep(255 - pixels), "a.tif", {"tiffinfo": {262: 0}}),
    "TIFF in CMYK": lambda pixels: (in_black_ink(pixels), "a.tif", {}),
    "TIFF, LZW": lambda pixels: (Image.fromarray(pixels), "a.tif", {"compression": "tiff_lzw"}),
    "BMP": lambda pixels: (Image.fromarray(pixels), "a.bmp", {}),
    "GIF": lambda pixels: (Image.fromarray(pixels), "a.gif", {}),
    "PGM": lambda pixels: (Image.fromarray(pixels), "a.pgm", {}),
    "PGM of 16 bits": lambda pixels: (deep(pixels), "a.pgm", {}),
    "WebP": lambda pixels: (Image.fromarray(pixels), "a.webp", {"lossless": True}),
    "JPEG 2000": lambda pixels: (Image.fromarray(pixels), "a.jp2", {}),
    "JPEG 2000 of 16 bits": lambda pixels: (deep(pixels), "a.jp2", {}),
}


def seen_by_all(source: Source) -> dict[str, np.ndarray]:
    """Pixels in RGB that reach each engine: libraries in this process, servers, and programs that open the file."""
    seen: dict[str, Image.Image] = {}
    api = SimpleNamespace(
        ClearAdaptiveClassifier=lambda: None,
        SetImage=lambda image: seen.update(tesseract=reopened(image, image.format)),
        GetUTF8Text=lambda: "",
        MeanTextConf=lambda: 0,
    )
    TesseractReader(api).read(source)
    result = SimpleNamespace(txts=(), scores=(), word_results=())
    RapidOCRReader(lambda image, **_: seen.update(rapidocr=image) or result, detection=True).read(source)
    _, content, _ = image_to_send(source)
    seen["server"] = Image.open(io.BytesIO(content))
    FunctionReader(lambda path: seen.update(program=Image.open(path).copy()) or "", "page_image").read(source)
    return {name: np.asarray(image.convert("RGB")) for name, image in seen.items()}


def reopened(image: Image.Image, form: str) -> Image.Image:
    """What a binding makes of an image that it encodes in its format."""
    encoded = io.BytesIO()
    image.save(encoded, form)
    return Image.open(encoded)


def assert_all_see(source: Source, pixels: np.ndarray) -> None:
    expected = np.stack([pixels] * 3, axis=2) if pixels.ndim == 2 else pixels
    for name, found in seen_by_all(source).items():
        np.testing.assert_array_equal(found, expected, err_msg=name)


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_engine_sees_the_same_pixels_in_every_container(tmp_path, container):
    pixels = grey()
    image, name, options = CONTAINERS[container](pixels)
    assert_all_see(saved(tmp_path, image, name, **options), pixels)


@given(st.binary(min_size=12, max_size=12), st.sampled_from(sorted(CONTAINERS)))
def test_any_pixels_are_the_same_in_every_container(tmp_path_factory, content, container):
    pixels = np.frombuffer(content, np.uint8).reshape(3, 4)
    image, name, options = CONTAINERS[container](pixels)
    source = saved(tmp_path_factory.mktemp("image"), image, name, **options)
    np.testing.assert_array_equal(np.asarray(load_image(source).convert("L")), pixels)


@pytest.mark.parametrize("orientation", STORED)
@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.tif", "a.webp"])
def test_every_engine_sees_an_image_upright(tmp_path, name, orientation):
    pixels = grey()
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    options = {"tiffinfo": {ORIENTATION: orientation}} if name == "a.tif" else {"exif": exif}
    options |= {"a.jpg": {"quality": 100}, "a.webp": {"lossless": True}}.get(name, {})
    source = saved(tmp_path, Image.fromarray(np.ascontiguousarray(STORED[orientation](pixels))), name, **options)
    seen = seen_by_all(source)
    for found in seen.values():
        np.testing.assert_array_equal(found, seen["server"])
    loss = 3 if name == "a.jpg" else 0
    assert np.abs(seen["server"][:, :, 0].astype(int) - pixels).max() <= loss
    with open_image(source.media) as image:
        assert seen_size(image) == load_image(source).size == pixels.shape[::-1]


def test_the_first_picture_of_a_phone_is_the_picture(tmp_path):
    first, second = (Image.fromarray(grey()).convert("RGB") for _ in range(2))
    source = saved(tmp_path, first, "a.jpg", format="MPO", save_all=True, append_images=[second], quality=100)
    plain = saved(tmp_path, first, "b.jpg", quality=100)
    assert_all_see(source, np.asarray(Image.open(plain.media)))


@pytest.mark.parametrize(
    ("name", "mode"), [("a.png", "L"), ("a.png", "RGB"), ("a.png", "P"), ("a.jpg", "L"), ("a.jpg", "RGB")]
)
def test_a_server_gets_files_that_are_as_seen_unchanged(tmp_path, name, mode):
    source = saved(tmp_path, Image.fromarray(grey()).convert(mode), name)
    assert image_to_send(source)[1] == source.media.read_bytes()


def test_colours_of_16_bits_reach_servers_with_the_pixels_of_local_engines(tmp_path):
    pixels = RANDOM.integers(0, 65536, (3, 4, 3), dtype=np.uint16)
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in pixels)
    parts = (b"IHDR", struct.pack(">IIBBBBB", 4, 3, 16, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")
    chunks = [
        struct.pack(">I", len(part)) + kind + part + struct.pack(">I", zlib.crc32(kind + part)) for kind, part in parts
    ]
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))
    source = Source("a", tmp_path / "a.png")
    assert_all_see(source, (pixels >> 8).astype(np.uint8))
    assert image_to_send(source)[1][24] == 8


def test_grey_of_12_bits_is_scaled_by_what_its_file_says(tmp_path):
    """Pillow writes no such file: two samples lie in three bytes."""
    pixels = grey(4, 6)
    packed = b"".join(
        bytes([one, (two >> 4) & 15, (two & 15) << 4]) for row in pixels for one, two in row.reshape(-1, 2).tolist()
    )
    tags = [(256, 6), (257, 4), (258, 12), (259, 1), (262, 1), (273, 8), (277, 1), (278, 4), (279, len(packed))]
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
    head = struct.pack("<2sHI", b"II", 42, 8 + len(packed))
    (tmp_path / "a.tif").write_bytes(head + packed + struct.pack("<H", len(tags)) + entries + bytes(4))
    assert_all_see(Source("a", tmp_path / "a.tif"), pixels)


def test_a_transparent_grey_of_16_bits_is_white_paper(tmp_path):
    pixels = grey()
    pixels[pixels == 7] = 8
    pixels[2, 3] = 7
    source = saved(tmp_path, deep(pixels), "a.png", transparency=7 * 257)
    pixels[2, 3] = 255
    assert_all_see(source, pixels)


@pytest.mark.parametrize("mode", ["F", "I", "LAB"])
def test_pixels_without_a_usual_form_are_refused_by_their_name(tmp_path, mode):
    with pytest.raises(
        UnreadableSourceError, match=rf"a\.tif has pixels of Pillow's mode {mode}; save it with 8 or 16"
    ):
        load_image(saved(tmp_path, Image.new(mode, (4, 3)), "a.tif"))


@given(st.binary(max_size=40))
def test_damaged_exif_neither_fails_nor_warns(tmp_path_factory, content):
    source = saved(tmp_path_factory.mktemp("exif"), Image.fromarray(grey()), "a.png", exif=b"Exif\0\0MM\0*" + content)
    with warnings.catch_warnings(action="error"):
        assert load_image(source).width in (11, 17)


def test_parts_are_cut_out_of_the_upright_page(tmp_path):
    pixels = grey()
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    stored = Image.fromarray(np.ascontiguousarray(STORED[6](pixels)))
    page = saved(tmp_path, stored, "a.png", exif=exif)
    box = ((2, 3), (9, 3), (9, 7), (2, 7))
    with cut_out(Source("a", page.media, area=box)) as part, Image.open(part.media) as image:
        np.testing.assert_array_equal(np.asarray(image), pixels[3:7, 2:9])


def test_a_program_gets_the_file_itself_where_it_is_as_seen_or_of_another_format(tmp_path):
    plain = saved(tmp_path, Image.fromarray(grey()), "a.png")
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\nrest")
    for path in (plain.media, tmp_path / "a.pdf"):
        with plain_file(Source("a", path), "page_image") as given_path:
            assert given_path == path


def test_a_copy_for_a_program_has_the_name_of_its_file_and_is_gone_afterwards(tmp_path):
    source = saved(tmp_path, deep(grey()), "page_7.tif")
    with plain_file(source, "page_image") as copy:
        assert copy.name == "page_7.png"
    assert not copy.exists()


def test_a_chat_server_gets_the_pixels_of_local_engines(tmp_path):
    """By the engine's own question, as it goes over the wire."""
    pixels = grey()
    asked = []

    class Client:
        def post(self, path, **content):
            asked.append(content)
            raise UnreadableSourceError("no server")

    source = saved(tmp_path, deep(pixels), "a.png")
    with pytest.raises(UnreadableSourceError, match="no server"):
        OpenAIChatReader(OpenAIChat(url="http://127.0.0.1:1/v1", model="m"), Client()).read(source)
    encoded = str(asked).partition("base64,")[2].partition("'")[0].partition('"')[0]
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(base64.b64decode(encoded)))), pixels)
