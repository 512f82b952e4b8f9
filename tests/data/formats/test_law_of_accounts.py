"""The law of accounts: a word at any place of a file is in its texts, or named with its place, or refused."""

import json
import re
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

MARK = "qqmarkqq"
KINDS = ["lines", "segments", "words", "pages"]
WORDS = st.sampled_from(["one", "two", "Straße", "日本", "שלום", "3"])
TEXT = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
# Keys below which nothing is text: ids, names, times, versions.
NO_TEXT = re.compile(
    r"(?:^|\.)(?:language|speaker|session_id|audio_filepath|lang|start_time|end_time|doc_id|doc_hash|arguments|filter"
    r"|metrics|doc|questionId|image|question|BlockType|Id|Ids|Type|status|apiVersion|modelId|unit|input_path|locale|type"
    r"|languageCode|label|timestamps|offsets|params|model|blockType|detectedBreak|Relationships)(?:\.|$)"
)


def times(number):
    return {"start": number * 2.0, "end": number * 2.0 + 1}


def whisper(texts):
    segments = [{"id": at, **times(at), "text": f" {text}", "speaker": "A"} for at, text in enumerate(texts)]
    for segment in segments:
        segment["words"] = [{"word": f" {word}", **times(0)} for word in segment["text"].split()]
    return {"text": "".join(segment["text"] for segment in segments), "segments": segments, "language": "en"}


def whisper_cpp(texts):
    parts = [
        {"timestamps": {"from": "00:00", "to": "00:01"}, "offsets": {"from": at, "to": at + 1}, "text": f" {text}"}
        for at, text in enumerate(texts)
    ]
    return {"model": {"type": "base"}, "params": {"language": "en"}, "transcription": parts}


def seglst(texts):
    return [{"session_id": "S", "speaker": "A", "words": text, "start_time": "0.5", "end_time": 1} for text in texts]


def docvqa(texts):
    return {"data": [{"questionId": at, "question": "q", "image": "i", "answers": [t]} for at, t in enumerate(texts)]}


def doctr(texts):
    lines = [{"words": [{"value": word, "confidence": 0.5} for word in text.split()]} for text in texts]
    return {"pages": [{"language": {"value": "en", "confidence": None}, "blocks": [{"lines": lines}]}]}


def azure(texts):
    lines = [{"content": text, "spans": []} for text in texts]
    page = {"unit": "pixel", "lines": lines, "words": []}
    analysed = {"apiVersion": "1", "modelId": "read", "content": "\n".join(texts), "pages": [page]}
    return {"status": "succeeded", "analyzeResult": {**analysed, "paragraphs": [{"content": text} for text in texts]}}


def textract(texts):
    words = [{"BlockType": "WORD", "Id": f"w{at}", "Text": text} for at, text in enumerate(texts)]
    related = [[{"Type": "CHILD", "Ids": [word["Id"]]}] for word in words]
    lines = [{**word, "BlockType": "LINE", "Relationships": each} for word, each in zip(words, related, strict=True)]
    return {"Blocks": [*({**line, "Id": f"l{at}"} for at, line in enumerate(lines)), *words]}


def google(texts):
    words = [{"symbols": [{"text": text, "property": {"detectedBreak": {"type": "LINE_BREAK"}}}]} for text in texts]
    pages = [{"blocks": [{"paragraphs": [{"words": words}], "blockType": "TEXT"}]}]
    whole = "\n".join(texts)
    return {
        "textAnnotations": [{"locale": "en", "description": whole}],
        "fullTextAnnotation": {"text": whole, "pages": pages},
    }


def paddle(texts):
    return {"input_path": "a.png", "rec_texts": texts, "rec_scores": [0.5] * len(texts)}


def nemo(texts):
    return [{"audio_filepath": f"{at}.wav", "lang": "en", "text": text} for at, text in enumerate(texts)]


def lm_eval(texts):
    return [
        {"doc_id": at, "doc": {"q": "?"}, "target": text, "resps": [[text]], "filtered_resps": [text], "filter": "none"}
        for at, text in enumerate(texts)
    ]


JSON = {
    "whisper": [whisper, whisper_cpp],
    "seglst": [seglst],
    "docvqa": [docvqa],
    "ocr_json": [doctr, azure, textract, google, paddle],
    "nemo": [nemo],
    "lm_eval": [lm_eval],
}
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
            texts = [segment.text for segment in form.read_segments(path, encoding="utf-8")]
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


@pytest.mark.parametrize(("name", "make"), [(name, make) for name, makers in JSON.items() for make in makers])
@given(st.lists(TEXT, min_size=1, max_size=3), st.data())
def test_a_word_in_any_string_or_new_key_of_json_is_read_or_named_or_refused(name, make, texts, data):
    value = make(texts)
    before, named = read(name, dump(name, value))
    strings = [at for at in places(value) if isinstance(at[0][at[1]], str)]
    holder, key, path = data.draw(st.sampled_from(strings))
    known, holder[key] = holder[key], f"{holder[key]} {MARK}"
    require_said(name, dump(name, value), before, named, is_text=not NO_TEXT.search(path))
    holder[key] = known
    objects = [at for at in places([value]) if isinstance(at[0][at[1]], dict)]
    holder, key, path = data.draw(st.sampled_from(objects))
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
