import csv
import json
import wave
from array import array
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from misread import cer
from misread.data.segment_table import Source
from misread.engines import Processes, Transformers, UnreadableSourceError
from misread.engines.transformers import limited
from misread.errors import ConfigurationError, InputFileError, UnknownNameError

LETTERS = "abcdefghijklmnopqrstuvwxyz "
SPEECH = {"task": "automatic-speech-recognition", "medium": "audio"}


@pytest.fixture(scope="session")
def transformers():
    """The package, where it is installed: it comes with PyTorch, and is in no lock."""
    for package in ("torch", "torchvision", "transformers"):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install 'misread[transformers]'")
    import transformers

    return transformers


SIZE = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
HEARING = {
    **SIZE,
    "conv_dim": [16, 16],
    "conv_stride": [80, 4],
    "conv_kernel": [80, 4],
    "num_feat_extract_layers": 2,
    "num_conv_pos_embeddings": 4,
    "num_conv_pos_embedding_groups": 2,
    "initializer_range": 1.0,
}


@pytest.fixture(scope="session")
def tokenizer(transformers):
    """Of single letters."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    words = {"<pad>": 0, "<s>": 1, "</s>": 2, "<unk>": 3, **{letter: 4 + place for place, letter in enumerate(LETTERS)}}
    letters = Tokenizer(models.WordLevel(words, unk_token="<unk>"))  # noqa: S106  of a text
    letters.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    letters.decoder = decoders.Fuse()
    special = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=letters, **special)


@pytest.fixture(scope="session")
def with_decoder(transformers, tokenizer, tmp_path_factory):
    """Put a decoder of one layer behind an encoder, never trained: it writes letters at random."""
    import torch

    def make(kind, encoder, processor):
        torch.manual_seed(3)
        decoder = transformers.TrOCRConfig(
            vocab_size=31,
            d_model=16,
            decoder_layers=1,
            decoder_attention_heads=2,
            decoder_ffn_dim=16,
            max_position_embeddings=64,
            is_decoder=True,
            add_cross_attention=True,
            cross_attention_hidden_size=16,
            init_std=2.0,
        )
        model = kind(encoder=encoder(), decoder=transformers.TrOCRForCausalLM(decoder))
        for config in (model.config, model.generation_config):
            config.decoder_start_token_id, config.eos_token_id, config.pad_token_id = 1, 2, 0
        folder = tmp_path_factory.mktemp("models") / "model"
        for part in (model, tokenizer, processor):
            part.save_pretrained(folder)
        return folder

    return make


@pytest.fixture(scope="session")
def image_model(transformers, with_decoder):
    """A vision transformer of one layer before a decoder."""
    sees = transformers.ViTConfig(**SIZE, image_size=32, patch_size=16)
    processor = transformers.ViTImageProcessor(size={"height": 32, "width": 32})
    return with_decoder(transformers.VisionEncoderDecoderModel, lambda: transformers.ViTModel(sees), processor)


@pytest.fixture(scope="session")
def writing_speech_model(transformers, with_decoder):
    """A Wav2Vec2 of one layer before a decoder."""
    hears = transformers.Wav2Vec2Config(**HEARING)
    return with_decoder(
        transformers.SpeechEncoderDecoderModel,
        lambda: transformers.Wav2Vec2Model(hears),
        transformers.Wav2Vec2FeatureExtractor(),
    )


@pytest.fixture(scope="session")
def speech_model(transformers, tmp_path_factory):
    """A Wav2Vec2 of one layer, never trained."""
    import torch

    folder = tmp_path_factory.mktemp("models") / "speech"
    folder.mkdir()
    (folder / "vocab.json").write_text(
        json.dumps({"<pad>": 0, "<unk>": 1, "|": 2, **{letter: 3 + place for place, letter in enumerate(LETTERS[:-1])}})
    )
    special = {"pad_token": "<pad>", "unk_token": "<unk>", "bos_token": None, "eos_token": None}
    transformers.Wav2Vec2CTCTokenizer(str(folder / "vocab.json"), **special).save_pretrained(folder)
    transformers.Wav2Vec2FeatureExtractor().save_pretrained(folder)
    torch.manual_seed(0)
    transformers.Wav2Vec2ForCTC(transformers.Wav2Vec2Config(**HEARING, vocab_size=29)).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def window_model(transformers, tmp_path_factory):
    """A Whisper of one layer, never trained, which hears every recording as 30 seconds."""
    import torch

    ends = ["<|endoftext|>", "<|startoftranscript|>", "<|notimestamps|>"]
    letters = {letter: place for place, letter in enumerate(LETTERS.replace(" ", "\u0120"))}
    vocabulary = {**letters, **{end: 27 + place for place, end in enumerate(ends)}}
    tokenizer = transformers.WhisperTokenizer(vocab=vocabulary, merges=[], pad_token=ends[0])
    tokenizer.add_special_tokens({"additional_special_tokens": ends})
    torch.manual_seed(1)
    config = transformers.WhisperConfig(
        vocab_size=30,
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=16,
        decoder_ffn_dim=16,
        num_mel_bins=8,
        init_std=2.0,
        eos_token_id=27,
        pad_token_id=27,
        bos_token_id=27,
        decoder_start_token_id=28,
    )
    model = transformers.WhisperForConditionalGeneration(config)
    model.generation_config = transformers.GenerationConfig(
        eos_token_id=27, pad_token_id=27, decoder_start_token_id=28, no_timestamps_token_id=29, is_multilingual=False
    )
    folder = tmp_path_factory.mktemp("models") / "window"
    for part in (model, tokenizer, transformers.WhisperFeatureExtractor(feature_size=8)):
        part.save_pretrained(folder)
    return folder


@pytest.fixture
def image(tmp_path):
    path = tmp_path / "a.png"
    Image.linear_gradient("L").resize((64, 24)).save(path)
    return Source("a", path)


@pytest.fixture
def recording(tmp_path):
    """A rising tone."""
    path = tmp_path / "a.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(array("h", [(place * place // 900) % 20_000 - 10_000 for place in range(16_000)]).tobytes())
    return Source("a", path)


def test_an_image_is_read_as_by_the_model_itself_and_with_its_confidence(transformers, image_model, image):
    import torch

    reader = Transformers(model=str(image_model), generation={"max_new_tokens": 20}, truncated="keep").open()
    answer = reader.read(image)
    model = transformers.VisionEncoderDecoderModel.from_pretrained(image_model)
    pixels = transformers.ViTImageProcessor.from_pretrained(image_model)(
        Image.open(image.media).convert("RGB"), return_tensors="pt"
    ).pixel_values
    tokens, product = [1], 1.0
    while len(tokens) <= 20 and tokens[-1] != 2:
        logits = model.eval()(pixel_values=pixels, decoder_input_ids=torch.tensor([tokens])).logits[0, -1].detach()
        tokens.append(int(logits.argmax()))
        product *= float(logits.softmax(0)[tokens[-1]])
    assert answer.text == "".join(LETTERS[token - 4] for token in tokens if token > 3)
    assert answer.text
    assert answer.confidence == pytest.approx(product ** (1 / (len(tokens) - 1)), rel=1e-3)
    assert reader.read(image) == answer


def test_a_text_that_was_cut_fails_unless_it_may_be_kept(image_model, image):
    settings = {"model": str(image_model), "generation": {"max_new_tokens": 1}}
    with pytest.raises(UnreadableSourceError, match=r"the text was cut at 1 tokens \(max_new_tokens"):
        Transformers(**settings).open().read(image)
    assert len(Transformers(**settings, truncated="keep").open().read(image).text) <= 1


@pytest.mark.parametrize("generation", [{}, {"max_new_tokens": 500}, {"num_beams": 2}])
@pytest.mark.parametrize("prompt", ["", "<s>abc"])
def test_a_text_without_end_stops_where_the_decoder_has_no_more_positions(image_model, image, generation, prompt):
    endless = {"suppress_tokens": [2], **generation}
    settings = {"model": str(image_model), "generation": endless, "prompt": prompt}
    assert 40 < len(Transformers(**settings, truncated="keep").open().read(image).text) <= 64
    with pytest.raises(UnreadableSourceError, match=f"the text was cut at {59 if prompt else 63} tokens"):
        Transformers(**settings).open().read(image)


def test_a_prompt_longer_than_the_decoder_is_named(image_model, image):
    with pytest.raises(ConfigurationError, match="starts with 71 tokens, and the decoder has 64 positions"):
        Transformers(model=str(image_model), prompt="a" * 70).open().read(image)


def test_trained_lines_are_read(transformers, shared_data):
    folder = shared_data / "tiny_line_reader"
    with (folder / "lines.csv").open() as file:
        rows = list(csv.DictReader(file))[:16]
    reader = Transformers(model=str(folder / "model")).open()
    texts = [reader.read(Source(row["segment_id"], folder / row["image"])).text for row in rows]
    assert cer([row["text"] for row in rows], texts) < 0.03


def test_batches_have_the_same_texts_as_lines_alone_and_no_bad_image_fails_others(transformers, shared_data, tmp_path):
    """Of trained lines, with a generous share of beams and of prompts."""
    folder = shared_data / "tiny_line_reader"
    (tmp_path / "bad.png").write_bytes(b"no image")
    sources = [Source(path.stem, path) for path in sorted((folder / "lines").iterdir())[:10]]
    sources.insert(3, Source("bad", tmp_path / "bad.png"))
    for settings in ({}, {"generation": {"num_beams": 2}}, {"prompt": "</s>"}):
        reader = Transformers(model=str(folder / "model"), **settings).open()
        bad, *answers = sorted(reader.read_many(sources), key=lambda answer: not isinstance(answer, Exception))
        assert isinstance(bad, UnreadableSourceError)
        alone = [reader.read(source) for source in sources if source.segment_id != "bad"]
        assert [answer.text for answer in answers] == [answer.text for answer in alone]
        assert [answer.confidence for answer in answers] == pytest.approx([answer.confidence for answer in alone], 1e-4)


def test_a_text_that_was_cut_fails_alone_in_its_batch(transformers, shared_data):
    folder = shared_data / "tiny_line_reader"
    settings = {"model": str(folder / "model"), "generation": {"max_new_tokens": 15}}
    long, short = (
        Transformers(**settings).open().read_many([Source(name, folder / f"lines/{name}.png") for name in ("00", "01")])
    )
    assert str(long).startswith("the text was cut at 15 tokens")
    assert short.text == "659. miloujie"


@pytest.mark.parametrize("model", ["speech_model", "writing_speech_model", "window_model"])
@pytest.mark.parametrize("chunk_seconds", [0.0, 0.5])
def test_recordings_in_batches_have_the_texts_that_they_have_alone(model, chunk_seconds, request, tmp_path):
    sources = []
    for number, seconds in enumerate([1.0, 0.6, 1.0, 0.0, 1.0]):
        path = tmp_path / f"{number}.wav"
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, 16_000, 0, "NONE", ""))
            samples = range(int(seconds * 16_000))
            file.writeframes(array("h", [(place * (place + number) // 900) % 20_000 - 10_000 for place in samples]))
        sources.append(Source(str(number), path))
    (tmp_path / "bad.wav").write_bytes(b"RIFF")
    sources.append(Source("bad", tmp_path / "bad.wav"))
    folder = request.getfixturevalue(model)
    settings = {"generation": {"max_new_tokens": 9}, "chunk_seconds": chunk_seconds}
    reader = Transformers(model=str(folder), **settings, **SPEECH).open()
    *texts, bad = reader.read_many(sources)
    assert isinstance(bad, UnreadableSourceError)
    assert texts == [reader.read(source) for source in sources[:-1]]
    assert len(set(texts)) > 1


def test_a_prompt_is_what_the_text_begins_with(image_model, image):
    settings = {"model": str(image_model), "generation": {"max_new_tokens": 4}, "truncated": "keep"}
    assert Transformers(**settings, prompt="<s>abc").open().read(image).text.startswith("abc")


def test_several_beams_have_a_confidence_too(image_model, image):
    settings = {"model": str(image_model), "truncated": "keep"}
    answer = Transformers(**settings, generation={"max_new_tokens": 8, "num_beams": 3}).open().read(image)
    assert 0 < answer.confidence <= 1


def test_a_recording_is_read_as_by_the_model_itself(transformers, speech_model, recording):
    import numpy as np
    import torch

    text = Transformers(model=str(speech_model), **SPEECH).open().read(recording)
    with wave.open(str(recording.media)) as file:
        samples = np.frombuffer(file.readframes(16_000), "<i2").astype("f4") / 32768
    inputs = transformers.Wav2Vec2FeatureExtractor.from_pretrained(speech_model)(
        samples, sampling_rate=16_000, return_tensors="pt"
    )
    with torch.inference_mode():
        found = transformers.Wav2Vec2ForCTC.from_pretrained(speech_model)(inputs.input_values).logits.argmax(-1)[0]
    letters = {3 + place: letter for place, letter in enumerate(LETTERS[:-1])} | {2: " "}
    merged = [token for place, token in enumerate(found.tolist()) if place == 0 or token != found[place - 1]]
    expected = "".join(letters.get(token, "<unk>" if token == 1 else "") for token in merged)
    assert " ".join(text.split()) == " ".join(expected.split())
    assert text


def test_a_recording_is_written_down_by_a_decoder_with_its_settings(writing_speech_model, recording):
    texts = [
        Transformers(model=str(writing_speech_model), generation=settings, **SPEECH).open().read(recording)
        for settings in ({"max_new_tokens": 5}, {"max_new_tokens": 40}, {"max_new_tokens": 40})
    ]
    assert 0 < len(texts[0]) <= 5
    assert texts[1] == texts[2]
    assert texts[1].startswith(texts[0])


def test_a_long_recording_may_be_cut_into_parts(speech_model, recording):
    assert Transformers(model=str(speech_model), chunk_seconds=0.5, **SPEECH).open().read(recording)


def test_a_recording_of_nothing_is_an_empty_text(speech_model, tmp_path):
    with wave.open(str(tmp_path / "a.wav"), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
    assert Transformers(model=str(speech_model), **SPEECH).open().read(Source("a", tmp_path / "a.wav")) == ""


def test_a_process_of_its_own_reads_the_same(image_model, image):
    engine = Transformers(model=str(image_model), generation={"max_new_tokens": 8}, truncated="keep")
    [reading] = Processes(1).run(engine, [image])
    assert reading.text == engine.open().read(image).text


def test_its_versions_have_the_digest_of_the_model(image_model):
    before = Transformers(model=str(image_model)).versions()
    assert set(before) == {"transformers", "torch", "torchvision", "model"}
    (image_model / "note.txt").write_text("changed")
    assert Transformers(model=str(image_model)).versions()["model"] != before["model"]
    (image_model / "note.txt").unlink()
    assert Transformers(model=str(image_model)).versions() == before


def test_a_damaged_model_is_one_line(image_model, tmp_path):
    for path in image_model.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "config.json").write_text('{"model_type": "unheard-of"}')
    with pytest.raises(InputFileError, match=r"^engine Transformers cannot load model '.*") as caught:
        Transformers(model=str(tmp_path)).open()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("model", ["microsoft/not-on-this-machine", "no such folder", ""])
def test_a_model_that_is_not_there_is_not_fetched(transformers, model):
    with pytest.raises(InputFileError, match=r"is neither a folder with config\.json nor a model that is on this"):
        Transformers(model=model).versions()


@given(asked=st.integers(1, 1000), positions=st.integers(5, 1000), start=st.integers(1, 4))
def test_no_decoder_is_asked_for_more_tokens_than_it_has_positions(asked, positions, start):
    for name in ("max_target_positions", "max_text_positions", "max_position_embeddings"):
        decoder = SimpleNamespace(**{name: positions})
        config = SimpleNamespace(get_text_config=lambda decoder, chosen=decoder: chosen)
        most = limited({"max_new_tokens": asked, "num_beams": 2}, config, start)
        assert most == {"max_new_tokens": min(asked, positions - start), "num_beams": 2}


def test_a_decoder_without_positions_is_asked_for_what_is_set():
    config = SimpleNamespace(get_text_config=lambda decoder: SimpleNamespace())
    assert limited({"max_new_tokens": 512}, config, 1) == {"max_new_tokens": 512}


def test_it_reads_what_it_is_set_to():
    assert Transformers(model="any").reads == {"line_image"}
    assert Transformers(model="any", medium="page_image").reads == {"page_image"}
    assert Transformers(model="any", **SPEECH).reads == {"audio"}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        *(({name: "fial"}, f"unknown {name} 'fial' in engine") for name in ("task", "medium", "truncated", "dtype")),
        ({"medium": "audio"}, "medium audio does not go with task image-to-text"),
        ({"task": "automatic-speech-recognition"}, "medium line_image does not go with task automatic"),
        ({"generation": {"max_new_tokens": 0}}, "max_new_tokens is 0"),
        ({"generation": {"max_new_tokens": "20"}}, "max_new_tokens is '20'"),
        ({"generation": {"max_new_tokens": 10**9}}, "max_new_tokens is 1000000000"),
        ({"chunk_seconds": -1.0}, "chunk_seconds is -1.0, expected 0 or more"),
    ],
)
def test_settings_that_do_not_fit_are_named(settings, said):
    with pytest.raises((ConfigurationError, UnknownNameError), match=said):
        Transformers(model="any", **settings)
