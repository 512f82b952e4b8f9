"""One recording gives every engine the same samples, whatever form it has, and fails if it is not whole."""

from __future__ import annotations

import struct
import wave
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data.segment_table import Source
from misread.engines.base import UnreadableSourceError
from misread.engines.cutting import cut_out
from misread.engines.faster_whisper import FasterWhisper, FasterWhisperReader
from misread.engines.function import FunctionReader
from misread.engines.pocketsphinx import PocketSphinxReader
from misread.engines.recordings import load_samples, open_wav
from misread.engines.transformers import SpeechReader, Transformers

RATE = 16_000
SAMPLES = np.random.default_rng(5).integers(-32768, 32768, 700).astype("<i2")
# How a program may write samples of 16 bits, without a loss: format code, bytes of a sample, content.
FORMS = {
    "16 bits": (1, 2, lambda samples: samples.astype("<i2").tobytes()),
    "24 bits": (1, 3, lambda samples: (samples.astype("<i4") << 8).view(np.uint8).reshape(-1, 4)[:, :3].tobytes()),
    "32 bits": (1, 4, lambda samples: (samples.astype("<i4") << 16).tobytes()),
    "floats": (3, 4, lambda samples: (samples / 32768).astype("<f4").tobytes()),
    "doubles": (3, 8, lambda samples: (samples / 32768).astype("<f8").tobytes()),
}
# What stands for the size of what a program writes into a pipe: of the file, of the samples.
PLACEHOLDERS = {
    "zero": (0, 0),
    "zero samples in a file of a header": (36, 0),
    "all ones (FFmpeg)": (0xFFFFFFFF, 0xFFFFFFFF),
    "all ones less the header": (0xFFFFFFFF, 0xFFFFFFFF - 36),
    "2 GB (SoX)": (0x7FFFF024, 0x7FFFF000),
    "2 GiB (arecord)": (0x80000024, 0x80000000),
    "2 GiB less one": (0x7FFFFFFF, 0x7FFFFFFF - 36),
}


def wav(samples, form="16 bits", *, extensible=False, sizes=None, before=b"", after=b"", channels=1, rate=RATE):
    """A WAV file by hand."""
    code, width, encode = FORMS[form]
    content = encode(samples)
    frame = channels * width
    head = struct.pack("<HHIIHH", 0xFFFE if extensible else code, channels, rate, rate * frame, frame, 8 * width)
    if extensible:
        # The code again, as the first bytes of a GUID (KSDATAFORMAT_SUBTYPE).
        guid = struct.pack("<H", code) + bytes.fromhex("000000001000800000aa00389b71")
        head += struct.pack("<HHI", 22, 8 * width, 0) + guid
    parts = b"WAVE" + b"fmt " + struct.pack("<I", len(head)) + head + before + b"data"
    whole = len(parts) + 4 + len(content) + len(after)
    file_size, size = sizes or (whole, len(content))
    return b"RIFF" + struct.pack("<I", file_size) + parts + struct.pack("<I", size) + content + after


@pytest.fixture
def source(tmp_path):
    def write(content, name="a.wav"):
        (tmp_path / name).write_bytes(content)
        return Source("a", tmp_path / name)

    return write


def heard_by_all(source: Source) -> dict[str, np.ndarray]:
    """Samples that reach each engine, as integers of 16 bits."""
    heard = {}
    silence = lambda **_: None  # noqa: E731
    decoder = SimpleNamespace(
        reinit_feat=silence, start_utt=silence, end_utt=silence, hyp=silence,
        process_raw=lambda samples, **_: heard.update(pocketsphinx=np.frombuffer(samples, "<i2")),
    )  # fmt: skip
    PocketSphinxReader(decoder, RATE).read(source)
    facts = SimpleNamespace(language="en")
    model = SimpleNamespace(
        feature_extractor=SimpleNamespace(sampling_rate=RATE),
        transcribe=lambda audio, **_: heard.update(whisper=audio * 32768) or ((), facts),
    )
    FasterWhisperReader(FasterWhisper(), model).read(source)

    class Pipeline:
        feature_extractor = SimpleNamespace(sampling_rate=RATE)
        type = "ctc"

        def __call__(self, sounds, **_):
            heard["transformers"] = sounds[0]["raw"] * 32768
            return [{"text": ""}]

    settings = Transformers(model="m", task="automatic-speech-recognition", medium="audio")
    SpeechReader(settings, Pipeline()).read(source)
    return heard


def assert_all_hear(source: Source, samples: np.ndarray) -> None:
    heard = heard_by_all(source)
    assert set(heard) == {"pocketsphinx", "whisper", "transformers"}
    for name, found in heard.items():
        np.testing.assert_array_equal(found, samples, err_msg=name)


@pytest.mark.parametrize("extensible", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_every_engine_hears_the_same_samples_in_every_form_of_wav(source, form, extensible):
    assert_all_hear(source(wav(SAMPLES, form, extensible=extensible)), SAMPLES)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sizes", PLACEHOLDERS.values(), ids=PLACEHOLDERS)
def test_a_recording_of_a_pipe_goes_to_the_end_of_its_file(source, form, sizes):
    recording = source(wav(SAMPLES, form, sizes=sizes))
    assert_all_hear(recording, SAMPLES)
    heard = []

    def listen(path):
        with wave.open(str(path)) as file:
            heard.append(np.frombuffer(file.readframes(file.getnframes()), "<i2"))
        return ""

    FunctionReader(listen, "audio").read(recording)
    np.testing.assert_array_equal(heard[0], SAMPLES)


@given(
    st.lists(st.integers(-32768, 32767), max_size=30),
    st.sampled_from(sorted(FORMS)),
    st.binary(max_size=9),
    st.sampled_from([None, *PLACEHOLDERS.values()]),
)
def test_any_samples_are_read_whatever_chunks_lie_before_them(tmp_path_factory, values, form, note, sizes):
    samples = np.array(values, "<i2")
    chunk = b"LIST" + struct.pack("<I", len(note)) + note + b"\0" * (len(note) % 2)
    path = tmp_path_factory.mktemp("wav") / "a.wav"
    path.write_bytes(wav(samples, form, before=chunk, after=b"" if sizes else chunk, sizes=sizes))
    np.testing.assert_array_equal(load_samples(Source("a", path), RATE), samples)


@given(st.data(), st.sampled_from(sorted(FORMS)))
def test_a_recording_that_ends_anywhere_before_its_end_is_refused(tmp_path_factory, data, form):
    content = wav(SAMPLES, form)
    path = tmp_path_factory.mktemp("wav") / "a.wav"
    path.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    with pytest.raises(UnreadableSourceError, match=r"a\.wav is "):
        load_samples(Source("a", path), RATE)


def test_a_cut_recording_is_refused_for_parts_and_programs_too(source):
    cut = source(wav(SAMPLES)[:-200])
    said = r"a\.wav is cut short \(1,200 of 1,400 bytes of samples\)"
    with pytest.raises(UnreadableSourceError, match=said), cut_out(Source("a", cut.media, span=(0.0, 0.01))):
        pass
    with pytest.raises(UnreadableSourceError, match=said):
        FunctionReader(lambda _: "", "audio").read(cut)


def test_eight_bits_are_scaled(source):
    content = wav(np.zeros(3, "<i2")).replace(struct.pack("<HH", 2, 16), struct.pack("<HH", 1, 8))
    content = content[:40] + struct.pack("<I", 3) + bytes([0, 128, 255])
    assert load_samples(source(content), RATE).tolist() == [-32768, 0, 32512]


def test_floats_beyond_the_scale_and_no_numbers_are_bounded(source):
    FORMS["as they are"] = (3, 4, lambda values: np.array(values, "<f4").tobytes())
    try:
        content = wav([2.0, -2.0, float("nan"), float("inf"), 1.0], "as they are")
    finally:
        del FORMS["as they are"]
    assert load_samples(source(content), RATE).tolist() == [32767, -32768, 0, 32767, 32767]


def test_a_coded_recording_that_is_cut_is_refused_too(source):
    """Of 8 bits by A-law, which FFmpeg decodes as far as it goes."""
    content = bytearray(wav(SAMPLES))
    content[20:22], content[32:36] = struct.pack("<H", 6), struct.pack("<HH", 1, 8)
    assert load_samples(source(bytes(content)), RATE).size == 2 * SAMPLES.size
    with pytest.raises(UnreadableSourceError, match=r"a\.wav is cut short \(1,300 of 1,400 bytes of samples\)"):
        load_samples(source(bytes(content[:-100])), RATE)


def test_an_empty_recording_is_silence(source):
    for rate in (RATE, 8000):
        assert load_samples(source(wav(SAMPLES[:0], rate=rate)), RATE).size == 0
    note = b"LIST" + struct.pack("<I", 4) + b"abcd"
    assert load_samples(source(wav(SAMPLES[:0], after=note)), RATE).size == 0


def test_a_file_of_more_than_4_gib_has_its_size_elsewhere(source):
    content = wav(SAMPLES)
    sizes = struct.pack("<QQQI", len(content) + 28, SAMPLES.nbytes, SAMPLES.size, 0)
    chunk = b"ds64" + struct.pack("<I", len(sizes)) + sizes
    content = b"RF64\xff\xff\xff\xffWAVE" + chunk + content[12:40] + b"\xff\xff\xff\xff" + content[44:]
    np.testing.assert_array_equal(load_samples(source(content), RATE), SAMPLES)
    with pytest.raises(UnreadableSourceError, match="cut short"):
        load_samples(source(content[:-2]), RATE)


def test_a_wav_file_whose_chunks_do_not_fit_is_named_with_a_reason(source):
    chunk = b"LIST" + struct.pack("<I", 100) + b"abcd"
    whole = wav(SAMPLES)[:36] + chunk
    with pytest.raises(UnreadableSourceError, match=r"a\.wav is damaged or cut short: it has no samples"):
        load_samples(source(whole), RATE)


def test_the_standard_library_reads_the_same_samples(tmp_path):
    path = tmp_path / "a.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((2, 2, 8000, 0, "NONE", ""))
        file.writeframes(SAMPLES.tobytes())
    opened = open_wav(path)
    assert (opened.rate, opened.channels, opened.frames) == (8000, 2, SAMPLES.size // 2)
    np.testing.assert_array_equal(opened.read(10, 20), SAMPLES.reshape(-1, 2)[10:20])


# Recordings that FFmpeg decodes


def encode(path: Path, codec: str, samples: np.ndarray, container: str | None = None) -> Source:
    """A recording on one channel that PyAV writes."""
    av = pytest.importorskip("av", reason="misread[whisper] is not installed")
    rate = 48_000 if codec == "libopus" else RATE
    with av.open(str(path), "w", format=container) as file:
        stream = file.add_stream(codec, rate=rate, layout="mono")
        frame = av.AudioFrame.from_ndarray(samples[np.newaxis], format="s16", layout="mono")
        frame.sample_rate = RATE
        resampler = av.AudioResampler(format=stream.codec_context.format, layout="mono", rate=rate)
        for part in [*resampler.resample(frame), *resampler.resample(None)]:
            file.mux(stream.encode(part))
        file.mux(stream.encode(None))
    return Source("a", path)


@pytest.mark.parametrize(("name", "codec"), [("a.flac", "flac"), ("a.aiff", "pcm_s16be"), ("a.au", "pcm_s16be")])
def test_every_engine_hears_the_same_samples_in_other_containers(tmp_path, name, codec):
    assert_all_hear(encode(tmp_path / name, codec, np.tile(SAMPLES, 9)), np.tile(SAMPLES, 9))


@pytest.mark.parametrize("form", FORMS)
def test_samples_of_wav_files_are_those_of_ffmpeg(source, form):
    av = pytest.importorskip("av", reason="misread[whisper] is not installed")
    recording = source(wav(SAMPLES, form))
    with av.open(str(recording.media)) as file:
        resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
        frames = [part for frame in file.decode(audio=0) for part in resampler.resample(frame)]
    expected = np.concatenate([frame.to_ndarray()[0] for frame in frames])
    np.testing.assert_array_equal(load_samples(recording, RATE), expected)


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        *[
            ("a.flac", "flac"),
            ("a.mp3", "libmp3lame"),
            ("a.ogg", "libopus"),
            ("a.webm", "libopus"),
            ("a.mkv", "libopus"),
        ],
        *[("a.m4a", "aac"), ("a.aiff", "pcm_s16be"), ("a.au", "pcm_s16be")],
        *[("a.caf", "pcm_s16le"), ("a.w64", "pcm_s16le"), ("a.avi", "pcm_s16le")],
    ],
)
def test_a_recording_of_any_container_that_counts_is_whole_or_refused(tmp_path, name, codec):
    tone = (8000 * np.sin(np.arange(3 * RATE) / 9)).astype("<i2")
    whole = encode(tmp_path / name, codec, tone)
    assert abs(load_samples(whole, RATE).size - tone.size) < RATE // 10
    content = whole.media.read_bytes()
    middle = content[2 * len(content) // 5 :][: len(content) // 5]
    # Zeros, as where nothing was fetched; samples as they are cannot tell.
    damaged = [] if codec.startswith("pcm") else [content.replace(middle, bytes(len(middle)))]
    # Whoever counts frames of some milliseconds misses no quarter of a second.
    shares = (20, 50, 80, 98 if codec == "flac" or not damaged else 90)
    for broken in [*(content[: len(content) * percent // 100] for percent in shares), *damaged]:
        whole.media.write_bytes(broken)
        with pytest.raises(UnreadableSourceError, match=rf"{name} is (damaged or cut short|not readable audio)"):
            load_samples(whole, RATE)


def test_other_rates_and_channels_are_mixed_and_resampled(source):
    pytest.importorskip("av", reason="misread[whisper] is not installed")
    stereo = source(wav(np.repeat(SAMPLES, 2), channels=2, rate=48_000))
    assert abs(load_samples(stereo, RATE).size - SAMPLES.size // 3) < 20


@pytest.mark.parametrize("ending", ["wav", "mp3", "flac", "ac3", "ogg", "m4a"])
def test_what_is_no_sound_is_named_with_its_size_whatever_its_name(source, ending):
    pytest.importorskip("av", reason="misread[whisper] is not installed")
    for content in (b"", b"<html>Please log in to get this recording</html>"):
        with pytest.raises(UnreadableSourceError, match=rf"is not readable audio \({len(content)} bytes\)"):
            load_samples(source(content, f"a.{ending}"), RATE)
