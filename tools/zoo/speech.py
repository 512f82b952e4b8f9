"""Files of speech programs on a made-up transcript: `python -m tools.zoo.speech tests/zoo`.

Environment, without dependencies (no model runs, so torch is not needed): openai-whisper whisperx faster-whisper
stable-ts yt-dlp meeteval; and numpy av ctranslate2 tokenizers huggingface-hub tqdm typing-extensions.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from importlib.metadata import files
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from tools.zoo.content import SEGMENTS, TEXTS, Zoo, spread_words

_LEVELS = {"segment": TEXTS}


def _load(package: str, name: str) -> ModuleType:
    """A module of a package by its file, without the package, which would import torch."""
    path = next(str(file.locate()) for file in files(package) or () if str(file) == name)
    spec = spec_from_file_location("loaded", path)
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _result() -> dict[str, Any]:
    return {
        "text": "".join(f" {text}" for text in TEXTS),
        "language": "de",
        "segments": [
            {
                **{"id": number, "seek": 0, "start": begin, "end": end, "text": f" {text}", "tokens": [50364, 11]},
                **{"temperature": 0.0, "avg_logprob": -0.3, "compression_ratio": 1.2, "no_speech_prob": 0.01},
                "words": [
                    {"word": f" {word}", "start": start, "end": stop, "probability": 0.9}
                    for start, stop, word in spread_words(begin, end, text)
                ],
            }
            for number, (begin, end, _, text) in enumerate(SEGMENTS)
        ],
    }


def whisper(zoo: Zoo) -> None:
    """openai-whisper: every writer, and word times that are highlighted."""
    utils = _load("openai-whisper", "whisper/utils.py")
    folder = zoo.path("whisper/x").parent
    forms = {"txt": "lines", "vtt": "webvtt", "srt": "srt", "tsv": "whisper_tsv", "json": "whisper"}
    for ending, form in forms.items():
        utils.get_writer(ending, str(folder))(_result(), "talk.wav", {})
        zoo.add(f"whisper/talk.{ending}", "openai-whisper", form, _LEVELS)
    for ending in ("vtt", "srt"):
        utils.get_writer(ending, str(folder))(_result(), "highlighted.wav", {"highlight_words": True})
        zoo.add(f"whisper/highlighted.{ending}", "openai-whisper", f"{forms[ending]}(repeats=drop)", {"words": TEXTS})


def whisperx(zoo: Zoo) -> None:
    """WhisperX: every writer of an aligned result."""
    utils = _load("whisperx", "whisperx/utils.py")
    result = _result()
    for segment, (*_, speaker, _) in zip(result["segments"], SEGMENTS, strict=True):
        segment["speaker"] = speaker
        segment["words"] = [
            {"word": word["word"].strip(), "start": word["start"], "end": word["end"], "score": 0.9, "speaker": speaker}
            for word in segment["words"]
        ]
        segment["text"] = segment["text"].strip()
    result["word_segments"] = [word for segment in result["segments"] for word in segment["words"]]
    options = {"max_line_width": None, "max_line_count": None, "highlight_words": False}
    folder = zoo.path("whisperx/x").parent
    utils.get_writer("json", str(folder))(result, "talk.wav", options)
    zoo.add("whisperx/talk.json", "whisperx", "whisper", _LEVELS)
    utils.get_writer("tsv", str(folder))(result, "talk.wav", options)
    zoo.add("whisperx/talk.tsv", "whisperx", "whisper_tsv", _LEVELS)


def faster_whisper(zoo: Zoo) -> None:
    """faster-whisper: its segments as people save them, a list and an object."""
    from faster_whisper.transcribe import Segment, Word

    segments = []
    for segment in _result()["segments"]:
        words = [Word(**word) for word in segment.pop("words")]
        segments.append(asdict(Segment(**segment, words=words)))
    for name, value in (("list", segments), ("object", {"language": "de", "segments": segments})):
        zoo.path(f"faster_whisper/{name}.json").write_text(json.dumps(value, ensure_ascii=name == "list"), "utf-8")
        zoo.add(f"faster_whisper/{name}.json", "faster-whisper", "whisper", _LEVELS)


def yt_dlp(zoo: Zoo) -> None:
    """yt-dlp: DFXP converted to SRT."""
    from yt_dlp.utils import dfxp2srt

    cues = "".join(f'<p begin="{begin}s" end="{end}s">{text}</p>' for begin, end, _, text in SEGMENTS)
    dfxp = f'<?xml version="1.0" encoding="utf-8"?><tt xmlns="http://www.w3.org/ns/ttml"><body><div>{cues}</div></body></tt>'
    zoo.path("yt_dlp/captions.srt").write_text(dfxp2srt(dfxp.encode()), "utf-8")
    zoo.add("yt_dlp/captions.srt", "yt-dlp", "srt", _LEVELS)


def meeteval(zoo: Zoo) -> None:
    """MeetEval: SegLST, STM and CTM."""
    from meeteval.io import CTM, STM, SegLST

    rows = [
        {"session_id": "talk", "speaker": speaker, "words": text, "start_time": begin, "end_time": end}
        for begin, end, speaker, text in SEGMENTS
    ]
    SegLST(rows).dump(zoo.path("meeteval/talk.json"))
    zoo.add("meeteval/talk.json", "meeteval", "seglst", _LEVELS)
    STM.new(SegLST(rows)).dump(zoo.path("meeteval/talk.stm"))
    zoo.add("meeteval/talk.stm", "meeteval", "stm", _LEVELS)
    words = [
        {"session_id": "talk", "channel": 1, "words": word, "start_time": start, "end_time": stop, "speaker": "1"}
        for begin, end, _, text in SEGMENTS
        for start, stop, word in spread_words(begin, end, text)
    ]
    CTM.new(SegLST(words)).dump(zoo.path("meeteval/talk.ctm"))
    zoo.add("meeteval/talk.ctm", "meeteval", "ctm", {"words": [row["words"] for row in words]})


if __name__ == "__main__":
    place = Zoo(Path(sys.argv[1]))
    for program in (whisper, whisperx, faster_whisper, yt_dlp, meeteval):
        program(place)
    place.save()
