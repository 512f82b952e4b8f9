"""Models of the package transformers, for images and for speech."""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from misread.data.segment_table import Source
from misread.engines.base import Answer, Reader, UnreadableSourceError, digest_model, import_engine
from misread.engines.loading import load_image
from misread.engines.recordings import load_samples
from misread.errors import ConfigurationError, InputFileError
from misread.io.checks.choices import check_choices

_Input = TypeVar("_Input")
_Output = TypeVar("_Output")

_SPEECH: Final = "automatic-speech-recognition"
# The defaults of many models draw at random, and those of others end after twenty tokens.
_GENERATION: Final[Mapping[str, Any]] = {"do_sample": False, "num_beams": 1, "max_new_tokens": 512}
_LARGEST: Final = 32_768
# What configurations of decoders call the number of their positions.
_POSITIONS: Final = ("max_target_positions", "max_text_positions", "max_position_embeddings")
# Whisper's tokens of language and task, which take positions before the text.
_SPEECH_START: Final = 4


@dataclass(frozen=True, kw_only=True)
class Transformers:
    """A model that turns an image or a recording into text, such as TrOCR, Donut, Wav2Vec2 or Whisper.

    Parameters
    ----------
    model : str
        Folder of the model with its processor, or the name of one that is on this machine already. Nothing is
        downloaded, and no code that comes with a model is run.
    task : {"image-to-text", "automatic-speech-recognition"}
        What it does.
    medium : {"line_image", "page_image", "audio"}
        What it reads: audio for speech recognition, images otherwise.
    prompt : str
        Start of the decoder's text for images, such as "<s_cord-v2>" of Donut.
    generation : mapping
        Settings of the decoding, such as `{num_beams: 4}`; by default the likeliest token is always taken, up to
        512 (`max_new_tokens`) or as many as the decoder has positions for.
    truncated : {"fail", "keep"}
        What becomes of a text of an image that was cut at that number of tokens.
    chunk_seconds : float
        Length of the parts that a long recording is cut into; 0 reads it as a whole.
    device : str
        "cpu", or a device of PyTorch such as "cuda".
    dtype : {"float32", "float16", "bfloat16"}
        Precision of the weights.
    batch : int
        Most images that are read together, and recordings where the model hears them alike: those of one length, and
        for Whisper those of up to 30 seconds. Where memory ends, fewer are.
    revision : int
        Revision of this adapter and these settings; increase it to read again.

    Raises
    ------
    UnknownNameError
        If a setting is not one of its choices.
    ConfigurationError
        If the medium does not fit the task, or a number is too small.

    References
    ----------
    Wolf et al., "Transformers: State-of-the-Art Natural Language Processing", EMNLP 2020 (demonstrations).
    """

    model: str
    task: Literal["image-to-text", "automatic-speech-recognition"] = "image-to-text"
    medium: Literal["line_image", "page_image", "audio"] = "line_image"
    prompt: str = ""
    generation: Mapping[str, Any] = field(default_factory=dict)
    truncated: Literal["fail", "keep"] = "fail"
    chunk_seconds: float = 0.0
    device: str = "cpu"
    dtype: Literal["float32", "float16", "bfloat16"] = "float32"
    batch: int = 16
    revision: int = 1

    def __post_init__(self) -> None:
        check_choices(self, "engine Transformers")
        if (self.task == _SPEECH) != (self.medium == "audio"):
            raise ConfigurationError(
                f"engine Transformers: medium {self.medium} does not go with task {self.task}; audio is for {_SPEECH}."
            )
        most = self._generation["max_new_tokens"]
        if not isinstance(most, int) or isinstance(most, bool) or not 1 <= most <= _LARGEST:
            raise ConfigurationError(
                f"engine Transformers: max_new_tokens is {most!r}, expected a number from 1 to {_LARGEST:,}."
            )
        if not (isinstance(self.batch, int) and self.batch >= 1):
            raise ConfigurationError(f"engine Transformers: batch is {self.batch!r}, expected 1 or more.")
        if not self.chunk_seconds >= 0:
            raise ConfigurationError(f"engine Transformers: chunk_seconds is {self.chunk_seconds}, expected 0 or more.")

    @property
    def reads(self) -> frozenset[str]:
        return frozenset({self.medium})

    def versions(self) -> Mapping[str, str]:
        """Versions of the packages, and the digest of the model."""
        _import_transformers()
        return {
            "transformers": version("transformers"),
            "torch": version("torch"),
            "torchvision": version("torchvision"),
            "model": digest_model(self._folder),
        }

    def open(self) -> Reader:
        """Load the model."""
        transformers = _import_transformers()
        import torch

        # Segments are read in parallel, so one thread each.
        torch.set_num_threads(1)
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        loaded = {"local_files_only": True, "trust_remote_code": False}
        try:
            if self.task == _SPEECH:
                return self._open_speech(transformers, torch)
            images = transformers.AutoImageProcessor.from_pretrained(self._folder, **loaded)
            tokenizer = transformers.AutoTokenizer.from_pretrained(self._folder, **loaded)
            model = transformers.AutoModelForImageTextToText.from_pretrained(
                self._folder, dtype=getattr(torch, self.dtype), **loaded
            )
            return ImageReader(self, images, tokenizer, model.to(self.device).eval(), torch)
        except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
            reason = " ".join(str(error).split())
            raise InputFileError(f"engine Transformers cannot load model {self.model!r}: {reason}") from None

    def _open_speech(self, transformers: ModuleType, torch: ModuleType) -> Reader:
        # With a folder, nothing is looked for elsewhere.
        pipeline = transformers.pipeline(
            _SPEECH,
            model=str(self._folder),
            device=self.device,
            dtype=getattr(torch, self.dtype),
            trust_remote_code=False,
        )
        return SpeechReader(self, pipeline)

    @property
    def _generation(self) -> Mapping[str, Any]:
        return {**_GENERATION, **self.generation}

    @cached_property
    def _folder(self) -> Path:
        folder = Path(self.model)
        if not folder.is_dir():
            _import_transformers()
            from huggingface_hub import snapshot_download
            from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

            try:
                folder = Path(snapshot_download(self.model, local_files_only=True))
            except (LocalEntryNotFoundError, HFValidationError):
                folder = Path()
        if not (folder / "config.json").is_file():
            raise InputFileError(
                f"engine Transformers: model {self.model!r} is neither a folder with config.json nor a model that is "
                "on this machine; set its model."
            )
        return folder


@dataclass(frozen=True)
class ImageReader:
    """A loaded model of images."""

    settings: Transformers
    images: Any
    tokenizer: Any
    model: Any
    torch: Any

    def read(self, source: Source) -> Answer:
        """Text of one image; the confidence is the geometric mean of the probabilities of its tokens."""
        return _first(self.read_many([source]))

    def read_many(self, sources: Sequence[Source]) -> Sequence[Answer | UnreadableSourceError]:
        """Texts of images; those of one shape are read together."""
        return _read_alike(sources, self._load, _shapes, self._generate)

    def _load(self, source: Source) -> Any:
        return self.images(images=load_image(source).convert("RGB"), return_tensors="pt")

    def _generate(self, inputs: Sequence[Any]) -> list[Answer | UnreadableSourceError]:
        batch = inputs[0]
        if len(inputs) > 1:
            batch = type(batch)({name: self.torch.cat([image[name] for image in inputs]) for name in batch})
        start = self._start(len(inputs))
        generation = self._generation(start)
        with self.torch.inference_mode():
            generated = self.model.generate(
                **batch.to(self.model.device, self.model.dtype),
                **start,
                **generation,
                return_dict_in_generate=True,
                output_scores=True,
            )
        scores = self.model.compute_transition_scores(
            generated.sequences, generated.scores, getattr(generated, "beam_indices", None), normalize_logits=True
        )
        texts = self.tokenizer.batch_decode(generated.sequences, skip_special_tokens=True)
        tokens = generated.sequences[:, generated.sequences.shape[1] - scores.shape[1] :]
        most = generation["max_new_tokens"]
        return [*map(partial(self._answer, most=most), texts, tokens.tolist(), scores.tolist())]

    def _answer(
        self, text: str, tokens: Sequence[int], scores: Sequence[float], *, most: int
    ) -> Answer | UnreadableSourceError:
        # After the end comes padding, with a score of minus infinity or 0.
        ends = _ends(self.model.generation_config.eos_token_id)
        last = next((index for index, token in enumerate(tokens) if token in ends), None)
        if last is None and len(tokens) >= most and self.settings.truncated == "fail":
            return UnreadableSourceError(
                f"the text was cut at {len(tokens):,} tokens (max_new_tokens, or the decoder's positions)"
            )
        of_text = scores[: len(tokens) if last is None else last + 1]
        return Answer(text, confidence=min(1.0, math.exp(math.fsum(of_text) / len(of_text))) if of_text else None)

    def close(self) -> None:
        """Nothing is held but memory."""

    def _start(self, number: int) -> Mapping[str, Any]:
        if not self.settings.prompt:
            return {}
        prompt = self.tokenizer(self.settings.prompt, add_special_tokens=False, return_tensors="pt").input_ids
        return {"decoder_input_ids": prompt.expand(number, -1).to(self.model.device)}

    def _generation(self, start: Mapping[str, Any]) -> Mapping[str, Any]:
        prompt_tokens = start["decoder_input_ids"].shape[1] if start else 0
        return limited(self.settings._generation, self.model.config, prompt_tokens + 1)  # noqa: SLF001  of the same module


@dataclass(frozen=True)
class SpeechReader:
    """A pipeline of speech recognition."""

    settings: Transformers
    pipeline: Any

    def read(self, source: Source) -> str:
        """Text of one recording."""
        return _first(self.read_many([source]))

    def read_many(self, sources: Sequence[Source]) -> Sequence[str | UnreadableSourceError]:
        """Texts of recordings; those that the model hears as equally long are read together."""
        return _read_alike(sources, self._load, self._length, self._transcribe)

    def _load(self, source: Source) -> NDArray[np.float32]:
        samples = load_samples(source, self.pipeline.feature_extractor.sampling_rate)
        return samples.astype(np.float32) / np.float32(32768)

    def _length(self, samples: NDArray[np.float32]) -> int:
        """Number of samples, or of those to which the model fills recordings up."""
        return max(samples.size, getattr(self.pipeline.feature_extractor, "n_samples", 0)) if samples.size else 0

    def _transcribe(self, recordings: Sequence[NDArray[np.float32]]) -> list[str | UnreadableSourceError]:
        if not recordings[0].size:
            return [""] * len(recordings)
        options: dict[str, Any] = {}
        if self.settings.chunk_seconds:
            options["chunk_length_s"] = self.settings.chunk_seconds
        if self.pipeline.type.startswith("seq2seq"):
            generation = self.settings._generation  # noqa: SLF001  of the same module
            options["generate_kwargs"] = dict(limited(generation, self.pipeline.model.config, _SPEECH_START))
        rate = self.pipeline.feature_extractor.sampling_rate
        inputs = [{"raw": samples, "sampling_rate": rate} for samples in recordings]
        # Parts in one batch would be filled up to the length of the longest, which changes texts.
        answers = self.pipeline(inputs, batch_size=1 if self.settings.chunk_seconds else len(inputs), **options)
        return [str(answer["text"]).strip() for answer in answers]

    def close(self) -> None:
        """Nothing is held but memory."""


def _read_alike(
    sources: Sequence[Source],
    load: Callable[[Source], _Input],
    kind: Callable[[_Input], Hashable],
    read: Callable[[Sequence[_Input]], Sequence[_Output | UnreadableSourceError]],
) -> list[_Output | UnreadableSourceError]:
    """Outputs of sources, read together if they are of one kind; those that cannot be loaded have their error."""
    outputs: dict[int, _Output | UnreadableSourceError] = {}
    batches: dict[Hashable, dict[int, _Input]] = {}
    for index, source in enumerate(sources):
        try:
            loaded = load(source)
        except UnreadableSourceError as error:
            outputs[index] = error
        else:
            batches.setdefault(kind(loaded), {})[index] = loaded
    for batch in batches.values():
        outputs.update(zip(batch, read([*batch.values()]), strict=True))
    return [outputs[index] for index in range(len(sources))]


def _first(outputs: Sequence[_Output | UnreadableSourceError]) -> _Output:
    if isinstance(outputs[0], UnreadableSourceError):
        raise outputs[0]
    return outputs[0]


def _shapes(inputs: Mapping[str, Any]) -> Hashable:
    """Shapes of what a processor makes of one image; several of one shape are a batch, if each is a batch of one."""
    shapes = tuple((name, tuple(getattr(tensor, "shape", ()))) for name, tensor in inputs.items())
    return shapes if all(shape[:1] == (1,) for _, shape in shapes) else id(inputs)


def limited(generation: Mapping[str, Any], config: Any, start_tokens: int) -> Mapping[str, Any]:
    """Settings of the decoding with no more new tokens than the decoder has positions for after `start_tokens`."""
    decoder = config.get_text_config(decoder=True)
    positions = next((size for name in _POSITIONS if (size := getattr(decoder, name, None)) is not None), None)
    if positions is None:
        return generation
    if positions <= start_tokens:
        raise ConfigurationError(
            f"engine Transformers: the text starts with {start_tokens:,} tokens, and the decoder has {positions:,} "
            "positions; shorten prompt."
        )
    return {**generation, "max_new_tokens": min(generation["max_new_tokens"], positions - start_tokens)}


def _ends(token: int | list[int] | None) -> frozenset[int]:
    """Tokens that end a text."""
    if token is None:
        return frozenset()
    return frozenset([token] if isinstance(token, int) else token)


def _import_transformers() -> Any:
    # Processors of images need torchvision.
    modules = ("torch", "torchvision", "transformers")
    return import_engine("Transformers", "transformers, torch and torchvision", "transformers", *modules)
