"""Both engines for speech, on silence, on damaged files and on real recordings."""

import re
import sys
import wave
from dataclasses import replace
from difflib import SequenceMatcher

import pytest

from misread.data.segment_table import Source
from misread.engines import FasterWhisper, PocketSphinx, UnreadableSourceError
from misread.engines.cutting import cut_out
from misread.engines.reading import read_one
from misread.errors import ConfigurationError, InputFileError, MissingDependencyError

pytestmark = pytest.mark.engine

ENGINES = pytest.mark.parametrize("engine", ["whisper", "sphinx"])


@pytest.fixture(scope="module")
def readers():
    return {"whisper": FasterWhisper().open(), "sphinx": PocketSphinx().open()}


@pytest.fixture
def audio(tmp_path):
    """Write a WAV file of silence."""

    def write(seconds=0.5, *, rate=16_000, channels=1, width=2):
        with wave.open(str(tmp_path / "a.wav"), "wb") as file:
            file.setparams((channels, width, rate, 0, "NONE", ""))
            file.writeframes(bytes(int(seconds * rate) * channels * width))
        return Source("a", tmp_path / "a.wav")

    return write


@pytest.fixture(scope="module")
def clip(shared_data):
    """The beginning of a recording."""
    folder = shared_data / "speech/librivox"
    with cut_out(Source("a", folder / "sense_and_sensibility_01_austen_64kb-0870.wav", span=(0.0, 3.0))) as part:
        yield part


@pytest.fixture(scope="module")
def answer(readers, clip):
    return readers["whisper"].read(clip)


@pytest.fixture(scope="module")
def jfk(readers, shared_data, answer):
    """Another recording, read after the first."""
    return readers["whisper"].read(Source("a", shared_data / "speech/jfk/jfk.flac"))


def test_sphinx_reads_a_recording_nearly_as_it_was_said(readers, shared_data):
    # Short, as it takes half as long as the recording, and one that it reads well.
    recording = shared_data / "speech/librivox/sense_and_sensibility_01_austen_64kb-0930.wav"
    said = recording.with_suffix(".txt").read_text().strip()
    assert SequenceMatcher(None, said, readers["sphinx"].read(Source("a", recording))).ratio() > 0.9


def test_whisper_reads_a_recording_nearly_as_it_was_said_and_says_how_sure_it_is(jfk):
    said = "and so my fellow americans ask not what your country can do for you ask what you can do for your country"
    assert SequenceMatcher(None, said, re.sub(r"[^a-z ]", "", jfk.text.lower())).ratio() > 0.95
    assert 0.5 < jfk.confidence < 1


def test_the_text_of_sphinx_does_not_depend_on_what_was_read_before(readers, shared_data):
    # Two that Sphinx, where it adapts to what it hears, reads in another way the second time.
    clips = (shared_data / f"speech/librivox/sense_and_sensibility_01_austen_64kb-0{name}.wav" for name in (930, 890))
    beginnings = (cut_out(Source(clip.stem, clip, span=(0.0, 0.7))) for clip in clips)
    with next(beginnings) as first, next(beginnings) as second:
        before = readers["sphinx"].read(first)
        readers["sphinx"].read(second)
        assert readers["sphinx"].read(first) == before


@pytest.mark.usefixtures("jfk")
def test_the_text_of_whisper_does_not_depend_on_what_was_read_before(readers, clip, answer):
    assert readers["whisper"].read(clip) == answer


def test_whisper_says_on_request_how_sure_it_is_of_each_word(readers, clip, answer):
    asked = replace(readers["whisper"], settings=FasterWhisper(words=True)).read(clip)
    assert (answer.words, asked.text) == (None, answer.text)
    assert "".join(word.text for word in asked.words) == asked.text.replace(" ", "")
    assert all(0 < word.confidence <= 1 for word in asked.words)


def test_the_language_on_record_is_the_one_that_the_model_read(readers, clip, answer):
    german = replace(readers["whisper"], settings=FasterWhisper(language="de"))
    reading = read_one(german, clip, measure_memory=False)
    assert (reading.text, reading.conditions["language"], answer.language) == (answer.text, "en", "en")


def test_silence_of_no_length_is_an_empty_text(readers, audio):
    assert readers["sphinx"].read(audio(0)) == ""


@ENGINES
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", r"a\.wav is not a readable|a\.wav is not readable audio"),
        (b"not a sound", r"a\.wav is not "),
        (None, "there is no file"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(readers, tmp_path, engine, content, said):
    if content is not None:
        (tmp_path / "a.wav").write_bytes(content)
    with pytest.raises(UnreadableSourceError, match=said):
        readers[engine].read(Source("a", tmp_path / "a.wav"))


def test_without_the_package_that_decodes_other_forms_are_named_with_two_cures(readers, audio, monkeypatch):
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    readers["sphinx"].read(audio())
    with pytest.raises(MissingDependencyError, match=r"`ffmpeg -i FILE -ar 16000 .*misread\[whisper\]"):
        readers["sphinx"].read(audio(rate=8000))


def test_a_recording_cut_short_is_named(readers, audio):
    source = audio()
    source.media.write_bytes(source.media.read_bytes()[:-1000])
    with pytest.raises(UnreadableSourceError, match=r"a\.wav is cut short \(15,000 of 16,000 bytes of samples\)"):
        readers["sphinx"].read(source)


def test_versions_have_the_model():
    assert set(FasterWhisper().versions()) == {"faster-whisper", "ctranslate2", "model"}
    assert set(PocketSphinx().versions()) == {"pocketsphinx"}


def test_a_model_that_changed_under_its_name_is_another_version(tmp_path):
    (tmp_path / "words.dict").write_text("one W AH N")
    engine = PocketSphinx(dictionary=str(tmp_path / "words.dict"))
    before = engine.versions()
    (tmp_path / "words.dict").write_text("two T UW")
    assert set(before) == {"pocketsphinx", "dict"}
    assert engine.versions() != before


def test_another_model_in_the_same_folder_is_another_version(tmp_path):
    (tmp_path / "model.bin").write_bytes(b"weights")
    engine = FasterWhisper(model=str(tmp_path))
    before = engine.versions()
    (tmp_path / "model.bin").write_bytes(b"other weights")
    after = engine.versions()
    assert {name for name in before if before[name] != after[name]} == {"model"}


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        (
            FasterWhisper(model="no-such-model"),
            "model 'no-such-model' is neither a folder with model.bin nor a model that",
        ),
        (PocketSphinx(acoustic_model="absent"), "there is no absent; set the path of a model"),
    ],
)
def test_a_model_that_is_not_there_is_named(engine, said):
    for use in (engine.open, engine.versions):
        with pytest.raises(InputFileError, match=said):
            use()


def test_a_model_that_cannot_be_loaded_is_named(tmp_path):
    (tmp_path / "model.bin").write_bytes(b"weights")
    with pytest.raises(InputFileError, match="cannot load model"):
        FasterWhisper(model=str(tmp_path)).open()


def test_no_hypotheses_to_follow_are_refused():
    with pytest.raises(ConfigurationError, match="beam_size is 0, expected 1 or more"):
        FasterWhisper(beam_size=0)


def test_they_read_audio():
    assert FasterWhisper().reads == PocketSphinx().reads == {"audio"}
