"""The law of accounts: a word at any place of a file is in its texts, or named with its place, or refused."""

import copy
import json
import re
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data.formats import find_format
from misread.data.formats.account import collecting_accounts
from misread.data.formats.layout_files import LayoutReader
from misread.data.logs import read_log
from misread.errors import InputFileError

sys.path.insert(0, str(Path(__file__).parent))
from test_ocr_json import ALL

MARK = "qqmarkqq"
KINDS = ["lines", "segments", "words", "pages"]
WORDS = st.sampled_from(["one", "two", "Straße", "日本", "שלום", "3"])
TEXT = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
# Keys below which nothing is text: ids, names, times, versions.
NO_TEXT = re.compile(
    r"(?:^|\.)(?:language|speaker|session_id|audio_filepath|lang|start_time|doc_id|doc|filter|questionId|image|question"
    r"|BlockType|Id|Type|Relationships|status|apiVersion|unit|input_path|blockType|detectedBreak|geometry"
    r"|timestamps|offsets|params|model|version|modelVersion)(?:\.|$)"
)
WORD = {"word": " one", "start": 0, "end": 1}
SEGMENT = {"id": 0, "start": 0.0, "end": 1.5, "text": " one", "speaker": "A", "words": [WORD]}
PART = {"timestamps": {"from": "00:00", "to": "00:01"}, "offsets": {"from": 0, "to": 1}, "text": " one"}
JSON = [
    ("whisper", {"text": " one", "segments": [SEGMENT], "word_segments": [WORD], "language": "en"}),
    ("whisper", {"model": {"type": "base"}, "params": {"language": "en"}, "transcription": [PART]}),
    ("seglst", [{"session_id": "S", "speaker": "A", "words": "one two", "start_time": "0.5", "end_time": 1}]),
    ("docvqa", {"data": [{"questionId": 1, "question": "q", "image": "i", "answers": ["one", "two"]}]}),
    ("nemo", [{"audio_filepath": "a.wav", "lang": "en", "text": "one"}]),
    ("lm_eval", [{"doc_id": 1, "doc": {"q": "?"}, "target": "one", "resps": [["two"]], "filter": "none"}]),
    *(("ocr_json", value) for value in ALL.values()),
]
LINES = {
    "srt": "1\n00:00:01,000 --> 00:00:02,000\n{}\n\n2\n00:00:03,000 --> 00:00:04,000\n{}\n",
    "webvtt": "WEBVTT a\nKind: captions\n\nNOTE b\n\nfirst\n00:01.000 --> 00:02.000\n{}\n\n"
    "00:03.000 --> 00:04.000\n{}\n",
    "ctm": ";; c\nf A 0.0 0.5 {} 0.9 lex\nf A 1.0 0.5 {} NA lex\n",
    "stm": ";; c\nf A s 0 1 <o,f0> {}\nf A s 1 2 {}\n",
    "trn": ";; c\n{} (u-1)\n{} (u-2)\n",
    "kaldi": "u-1 {}\nu-2 {}\n",
    "whisper_tsv": "start\tend\ttext\n0\t1000\t{}\n1000\t2000\t{}\n",
    "textgrid": 'File type = "ooTextFile"\nObject class = "TextGrid"\n0\n2\n<exists>\n1\n'
    '"IntervalTier"\n"ann"\n0\n2\n2\n0\n1\n"{}"\n1\n2\n"{}"\n',
    "tesseract_box": "W 0 0 9 9 0\nWordStr 0 0 9 9 0 #{}\n\t 0 0 9 9 0\nWordStr 0 0 9 9 0 #{}\n",
    "icdar": "0,0,9,0,9,9,0,9,{}\n0,0,9,0,9,9,0,9,{}\n",
}


def read(name, content):
    """Texts of a file, and the characters that its account has no text for."""
    with tempfile.TemporaryDirectory() as folder, collecting_accounts() as accounts:
        path = Path(folder, f"a.{name}")
        path.write_text(content, encoding="utf-8")
        form = find_format(name, kinds=[*KINDS, "log"])
        if form.kind == "log":
            texts = [f"{entry.reference} {entry.text}" for entry in read_log(path, name).entries]
        elif form.kind == "pages":
            texts = [*LayoutReader(format=form).read(path)[0].values()]
        else:
            segments = form.read_segments(path, encoding="utf-8")
            # A tier is called as its speaker.
            texts = [
                segment.text if name in dict(JSON) else f"{segment.speaker} {segment.text}" for segment in segments
            ]
    shares = (
        share for account in accounts.values() for share in [*account.unknown.values(), *account.left_out.values()]
    )
    return texts, sum(share.characters for share in shares)


def places(value, path=""):
    """Every object or array of a value with each of its keys, and the path of the keys."""
    for key, child in value.items() if isinstance(value, dict) else enumerate(value):
        name = f"{path}.{key}" if isinstance(value, dict) else path
        yield value, key, name.removeprefix(".")
        if isinstance(child, dict | list):
            yield from places(child, name)


def dump(name, value):
    by_line = name in ("nemo", "lm_eval")
    return "\n".join(map(json.dumps, value)) if by_line else json.dumps(value)


def require_said(name, content, texts, named, *, is_text):
    """A word is in the texts, or named, or refused; where nothing is text, it changes none, or the loss is named."""
    try:
        others, counted = read(name, content)
    except InputFileError:
        return
    if is_text:
        assert any(MARK in text for text in others) or counted >= named + len(MARK)
    else:
        assert others == texts or counted > named


@pytest.mark.parametrize(("name", "value"), JSON)
@given(st.data())
def test_a_word_in_any_string_or_new_key_of_json_is_read_or_named_or_refused(name, value, data):
    before, named = read(name, dump(name, value))
    value = copy.deepcopy(value)
    strings = [at for at in places([value]) if isinstance(at[0][at[1]], str | dict)]
    holder, key, path = data.draw(st.sampled_from(strings))
    if isinstance(holder[key], str):
        holder[key] += f" {MARK}"
    else:
        holder[key]["unheard_of"] = MARK
    require_said(name, dump(name, value), before, named, is_text=not NO_TEXT.search(path))


@pytest.mark.parametrize("name", LINES)
@given(st.tuples(TEXT, TEXT), st.data())
def test_a_word_behind_any_line_or_cell_is_read_or_named_or_refused(name, texts, data):
    if name == "ctm":
        texts = [text.replace(" ", "") for text in texts]
    content = LINES[name].format(*texts)
    before, named = read(name, content)
    ends = [match.start() for match in re.finditer(r"(?<=\S)(?=[\"\t\n])", content)]
    at = data.draw(st.sampled_from(ends))
    require_said(name, f"{content[:at]} {MARK}{content[at:]}", before, named, is_text=True)
    # Times and numbers of cues are no text.
    later = re.sub(r"\b0([0-3]):0(\d)", r"0\1:1\2", content) if name in ("srt", "webvtt") else content
    assert read(name, later)[0] == before
