"""Files of speech programs on a made-up transcript: `python -m tools.zoo.speech tests/zoo`.

Environment, without dependencies: openai-whisper whisperx faster-whisper stable-ts yt-dlp meeteval lhotse nemo_toolkit
espnet lm_eval pyannote.core torch; and numpy av ctranslate2 tokenizers huggingface-hub tqdm typing-extensions typeguard
sortedcontainers pyyaml intervaltree pandas sympy networkx jinja2 soundfile cytoolz audioread tabulate requests dill.
No model runs; a module that is missing is an empty one, of which the writers use nothing.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import files
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

from tools.zoo.content import SEGMENTS, TEXTS, Zoo, spread_words

_LEVELS = {"segment": TEXTS}
_ABSENT = "torchaudio whisper numba tiktoken datasets evaluate transformers sacrebleu pytablewriter peft"


class _AbsentModules(MetaPathFinder, Loader):
    """Modules that are not installed, as empty ones."""

    def find_spec(self, fullname: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self, is_package=True) if fullname.split(".")[0] in _ABSENT.split() else None

    def create_module(self, spec: ModuleSpec) -> Any:
        return MagicMock(__spec__=spec, __path__=[])

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is left to do."""


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
    for ending, form in (("json", "whisper"), ("tsv", "whisper_tsv")):
        utils.get_writer(ending, str(folder))(result, "talk.wav", options)
        zoo.add(f"whisperx/talk.{ending}", "whisperx", form, _LEVELS)
    for segment in result["segments"]:
        del segment["speaker"]
    for ending, form in (("vtt", "webvtt"), ("srt", "srt")):
        utils.get_writer(ending, str(folder))(result, "plain.wav", options)
        zoo.add(f"whisperx/plain.{ending}", "whisperx", form, _LEVELS)
        # Chinese is joined without blanks, and every word underlined in turn.
        shown = options | {"highlight_words": True}
        utils.get_writer(ending, str(folder))(result, "highlighted.wav", shown)
        zoo.add(f"whisperx/highlighted.{ending}", "whisperx", f"{form}(repeats=drop)", {"words": TEXTS})


def faster_whisper(zoo: Zoo) -> None:
    """faster-whisper: its segments as people save them, a list and an object."""
    from faster_whisper.transcribe import Segment, Word

    segments = []
    for segment in _result()["segments"]:
        words = [Word(**word) for word in segment.pop("words")]
        segments.append(asdict(Segment(**segment, words=words)))
    for name, value in (("list", segments), ("object", {"language": "de", "segments": segments})):
        content = json.dumps(value, ensure_ascii=name == "list")
        zoo.write(f"faster_whisper/{name}.json", content, "faster-whisper", "whisper", _LEVELS)


def stable_ts(zoo: Zoo) -> None:
    """stable-ts: JSON, TSV, and subtitles of segments and of words."""
    from stable_whisper.result import WhisperResult

    folder, result = zoo.path("stable_ts/x").parent, WhisperResult(_result())
    result.save_as_json(str(folder / "talk.json"))
    zoo.add("stable_ts/talk.json", "stable-ts", "whisper", _LEVELS)
    result.to_tsv(str(folder / "talk.tsv"), segment_level=True, word_level=False)
    zoo.add("stable_ts/talk.tsv", "stable-ts", "whisper_tsv", _LEVELS)
    for ending, form in (("srt", "srt"), ("vtt", "webvtt")):
        for name, segments, words in (("segments", True, False), ("words", False, True), ("both", True, True)):
            result.to_srt_vtt(str(folder / f"{name}.{ending}"), segment_level=segments, word_level=words)
            levels = {"words": TEXTS} if words else _LEVELS
            zoo.add(f"stable_ts/{name}.{ending}", "stable-ts", form + "(repeats=drop)" * (name == "both"), levels)


def corpora(zoo: Zoo) -> None:
    """lhotse, NeMo, ESPnet and pyannote: manifests, Kaldi's folders, and RTTM, which holds no text."""
    from espnet2.fileio.datadir_writer import DatadirWriter
    from lhotse import AudioSource, Recording, RecordingSet, SupervisionSegment, SupervisionSet
    from lhotse.kaldi import export_to_kaldi
    from pyannote.core import Annotation, Segment

    recording = Recording("talk", [AudioSource("file", [0], "talk.wav")], 16000, 16000 * 12, 12.0)
    supervisions = SupervisionSet.from_segments(
        SupervisionSegment(f"{speaker}-{number}", "talk", begin, end - begin, 0, text, speaker=speaker)
        for number, (begin, end, speaker, text) in enumerate(SEGMENTS)
    )
    supervisions.to_file(zoo.path("lhotse/supervisions.jsonl"))
    zoo.add("lhotse/supervisions.jsonl", "lhotse", "table", {"text": TEXTS})
    export_to_kaldi(RecordingSet.from_recordings([recording]), supervisions, zoo.path("lhotse/kaldi/x").parent)
    for name in {path.name for path in zoo.path("lhotse/kaldi/x").parent.iterdir()} - {"text", "utt2spk", "segments"}:
        zoo.path(f"lhotse/kaldi/{name}").unlink()
    ordered = [text for _, _, _, text in sorted(SEGMENTS, key=lambda row: (row[2], row[0]))]
    zoo.add("lhotse/kaldi/text", "lhotse", "kaldi", {"segment": ordered})
    with DatadirWriter(zoo.path("espnet/x").parent) as writer:
        for number, (*_, text) in enumerate(SEGMENTS):
            writer["text"][f"utt{number}"] = text
    zoo.add("espnet/text", "espnet", "kaldi", _LEVELS)
    path = next(str(file.locate()) for file in files("nemo_toolkit") or () if file.name == "manifest_utils.py")
    source = Path(path).read_text("utf-8").split("def write_manifest")[1].split("\ndef ")[0]
    names: dict[str, Any] = {"json": json, "Union": Any, "Path": Path, "List": list}
    # The module itself needs all of NeMo.
    exec("from __future__ import annotations\ndef write_manifest" + source, names)  # noqa: S102
    numbered = enumerate(SEGMENTS)
    rows = [
        {"audio_filepath": f"u{i}.wav", "duration": end - begin, "text": text} for i, (begin, end, _, text) in numbered
    ]
    for name, with_ascii in (("ascii", True), ("unicode", False)):
        names["write_manifest"](zoo.path(f"nemo/{name}.jsonl"), rows, with_ascii)
        zoo.add(f"nemo/{name}.jsonl", "nemo_toolkit", "nemo", _LEVELS)
    turns = Annotation(uri="talk")
    for begin, end, speaker, _ in SEGMENTS:
        turns[Segment(begin, end)] = speaker
    with zoo.path("pyannote/talk.rttm").open("w", encoding="utf-8") as file:
        turns.write_rttm(file)
    zoo.add("pyannote/talk.rttm", "pyannote.core", "ctm", {"words": []}, refused="line 1")


def lm_eval(zoo: Zoo) -> None:
    """lm-evaluation-harness: samples of a task."""
    from lm_eval.loggers.evaluation_tracker import EvaluationTracker

    tracker = EvaluationTracker(output_path=str(zoo.path("lm_eval/x.json")))
    tracker.date_id = "2026-01-01"
    tracker.save_results_samples(
        "questions",
        [
            {
                **{"doc_id": number, "doc": {"question": f"Which line is number {number}?"}, "target": text},
                **{"arguments": [("Which?", {"until": ["."]})], "resps": [[f"{text} yes"]]},
                **{"filtered_resps": [f"{text} yes"], "filter": "none", "metrics": ["exact_match"], "exact_match": 0.0},
                **{"doc_hash": "a", "prompt_hash": "b", "target_hash": "c"},
            }
            for number, text in enumerate(TEXTS)
        ],
    )
    texts = {"reference": TEXTS, "text": [f"{text} yes" for text in TEXTS]}
    zoo.add("lm_eval/samples_questions_2026-01-01.jsonl", "lm_eval", "lm_eval", texts)


def yt_dlp(zoo: Zoo) -> None:
    """yt-dlp: DFXP converted to SRT."""
    from yt_dlp.utils import dfxp2srt

    cues = "".join(f'<p begin="{begin}s" end="{end}s">{text}</p>' for begin, end, _, text in SEGMENTS)
    dfxp = f'<?xml version="1.0" encoding="utf-8"?><tt xmlns="http://www.w3.org/ns/ttml"><body><div>{cues}</div></body></tt>'
    zoo.write("yt_dlp/captions.srt", dfxp2srt(dfxp.encode()), "yt-dlp", "srt", _LEVELS)


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
    sys.meta_path.insert(0, _AbsentModules())
    for program in (whisper, whisperx, faster_whisper, stable_ts, corpora, lm_eval, yt_dlp, meeteval):
        program(place)
    place.save()
