"""Answers of models and servers, images and sound, signatures; steps and profiles of normalizers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from misread.data.segment_table import Source, TextPairs
from misread.engines.base import UnreadableSourceError
from misread.engines.chat_answers import ChatSettings, ask_chat
from misread.engines.http_client import Reply
from misread.engines.http_ocr import HttpOCRReader
from misread.engines.loading import load_image
from misread.engines.openai_chat import drop_boxes, drop_end_mark, drop_labels, unwrap_fence, unwrap_labels
from misread.engines.recordings import load_samples
from misread.engines.server_errors import ReportedError
from misread.errors import InputFileError
from misread.features.answers import FieldMatch
from misread.features.answers.html_tables import read_table, table_similarity
from misread.features.answers.json_validity import parse_fields
from misread.normalize import PROFILES, Normalizer, get_normalizer
from misread.normalize.steps import STEPS
from misread.provenance.signature import Signature
from misread.text.alternatives import parse_alternatives
from tools.fuzz.targets import SAMPLES, Target, file_target, samples_of, text_targets

# Of steps that need some.
_SETTINGS: Final[Mapping[str, Mapping[str, Any]]] = {
    "replace_pattern": {"pattern": r"(\w+)\s+(\w+)", "replacement": r"\2 \1"},
    "unify_equivalents": {"sets": [["going to", "gonna"]]},
    "replace_texts": {"table": {"a": "b"}},
    "merge_compounds": {"compounds": ["over joyed"]},
    "spell_numbers": {"language": "tr"},
    "remove_fillers": {"language": "en"},
}


def targets() -> Iterator[Target]:
    """Every reader of what comes from a model or a server."""
    calls = {
        "signature": _take_signature,
        "alternatives": _take_alternatives,
        "json_answer": _take_json,
        "html_table": _take_table,
        "http_answer": _take_http,
        "chat_answer": partial(_take_chat, stream=False),
        "chat_stream": partial(_take_chat, stream=True),
    }
    yield from text_targets(calls)
    yield from text_targets({"answer_steps": _take_steps}, samples_of("text"))
    yield file_target("image", partial(_take_media, load_image), ".png")
    yield file_target("audio", partial(_take_media, partial(load_samples, rate=16000)), ".wav")


def normalizer_targets() -> Iterator[Target]:
    """Every step with its settings as they are where it needs none, then every profile."""
    steps = {f"step {name}": partial(_apply, name, is_step=True) for name in STEPS}
    profiles = {f"profile {name}": partial(_apply, name, is_step=False) for name in PROFILES}
    yield from text_targets({**steps, **profiles}, samples_of("text"))


def _apply(name: str, text: str, *, is_step: bool) -> None:
    normalizer = _normalizer(name, is_step)
    if not isinstance(normalizer(text), str) or not isinstance(normalizer.by_line(text), str):
        raise AssertionError("a normalizer gave what is not text")  # noqa: TRY004  a finding


@cache
def _normalizer(name: str, is_step: bool) -> Normalizer:
    """A normalizer, made once: some settings take long to check."""
    return Normalizer("fuzz", [{"step": name, **_SETTINGS.get(name, {})}]) if is_step else get_normalizer(name)


def _take_signature(text: str) -> None:
    signature = Signature.parse(text)
    if Signature.parse(str(signature)) != signature:
        raise AssertionError("a signature is not what it is written as")


def _take_alternatives(text: str) -> None:
    for optional_words in (False, True):
        parse_alternatives(text, optional_words=optional_words, tags=optional_words)


def _take_json(text: str) -> None:
    FieldMatch("fields").count(TextPairs([text, '{"a": 1}'], ['{"a": 1}', text]))
    parse_fields(text)


def _take_table(text: str) -> None:
    read_table(text)
    table_similarity("<table><tr><td>1</td></tr></table>", text)


def _take_steps(text: str) -> None:
    for step in (drop_boxes, drop_end_mark, drop_labels, unwrap_fence, unwrap_labels):
        step(text)


@dataclass(frozen=True)
class _Client:
    """A server that has answered."""

    text: str

    def post(self, *_: object, parse: Callable[[str], Any], **__: Any) -> Reply:
        try:
            return Reply(self.text, parse(self.text), 1, 0.1, 0.1, "vllm")
        except ReportedError as error:
            raise UnreadableSourceError(str(error)) from error


def _take_http(text: str) -> None:
    _survive(lambda: HttpOCRReader(_Client(text)).read(Source("s1", media=SAMPLES / "image.png")))


def _take_chat(text: str, *, stream: bool) -> None:
    settings = ChatSettings(url="http://127.0.0.1:9", model="m", max_tokens=9)
    _survive(lambda: ask_chat(_Client(text), settings, "Read.", str, stream=stream))


def _take_media(load: Callable[[Source], object], path: Path) -> None:
    _survive(lambda: load(Source("s1", media=path)))


def _survive(ask: Callable[[], object]) -> None:
    """An answer without text fails one reading, with a reason that may have any character of the answer."""
    try:
        ask()
    except UnreadableSourceError as error:
        raise InputFileError("refused") from error
