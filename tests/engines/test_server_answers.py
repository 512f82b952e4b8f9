"""The law of answers: an answer is whole or it is a failure. Every end, status and shape has its row."""

from __future__ import annotations

import gc
import json
from dataclasses import dataclass

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from PIL import Image
from tests.engines.scripted_server import reply, serve

from misread.data.segment_table import Source
from misread.engines import HttpOCR, OpenAIChat, UnreadableSourceError
from misread.engines.chat_answers import ChatSettings, _parse
from misread.errors import ConfigurationError, ServerError

TEXT = "the log of the ship"
SETTINGS = ChatSettings(url="http://127.0.0.1:9", model="m")


@pytest.fixture(autouse=True)
def uncollected():
    """No garbage is collected while an answer is nested to the limit of recursion: nothing in it could be closed."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("image") / "a.png"
    Image.new("L", (12, 5), 255).save(path)
    return Source("a", path)


@dataclass
class Sent:
    """One answer of a server."""

    body: str
    status: int = 200


def whole(content=TEXT, ended="stop", message=(), choice=(), **more):
    said = {"role": "assistant", "content": content, **dict(message)}
    choices = [{"index": 0, "message": said, "finish_reason": ended, **dict(choice)}]
    return Sent(json.dumps({"id": "c", "choices": choices, **more}))


def events(*deltas, ended="stop", further=(), last="data: [DONE]\n\n"):
    said = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    said += [{"choices": [{"index": 0, "delta": {}, "finish_reason": ended}]}] if ended else []
    return Sent("".join(f"data: {json.dumps(event)}\n\n" for event in (*said, *further)) + last)


def error(status=200, /, **facts):
    return Sent(json.dumps({"error": facts}), status)


def outcome(engine, source, *sent, **settings):
    """Text and number of attempts, or the error, of an engine whose server sends this and, if asked again, the rest."""
    left = list(sent)

    def answer(handler, _):
        shown = left.pop(0) if len(left) > 1 else left[0]
        reply(handler, shown.body, shown.status)

    with serve(answer) as server:
        reader = engine(url=server.url, attempts=3, backoff=0.0, **settings).open()
        try:
            read = reader.read(source)
            return read.text, read.attempts
        finally:
            reader.close()


def chat(source, *sent, **settings):
    return outcome(OpenAIChat, source, *sent, **{"model": "m", **settings})


GOOD = ["stop", "STOP", "Stop", "eos", "eos_token", "stop_sequence", "end_turn", "COMPLETE"]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("ended", GOOD)
def test_an_answer_with_a_good_end_is_a_reading(source, ended, stream):
    sent = events({"content": TEXT}, ended=ended) if stream else whole(ended=ended)
    assert chat(source, sent, stream=stream) == (TEXT, 1)


CUT = ["length", "LENGTH", "max_tokens", "MAX_TOKENS", "maxTokens", "model_length", "model_context_window_exceeded"]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("ended", CUT)
def test_an_answer_that_was_cut_fails_unless_it_is_to_be_kept(source, ended, stream):
    sent = events({"content": "half"}, ended=ended) if stream else whole("half", ended)
    with pytest.raises(
        UnreadableSourceError, match=rf"^the answer was cut \(finish_reason {ended}, max_tokens 8,192\)$"
    ):
        chat(source, sent, stream=stream)
    assert chat(source, sent, stream=stream, truncated="keep") == ("half", 1)


AGAIN = ["error", "abort", "network_error", "insufficient_system_resource", "load"]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("ended", AGAIN)
def test_an_answer_that_the_server_broke_off_is_asked_for_again(source, ended, stream):
    sent = events({"content": "half"}, ended=ended) if stream else whole("half", ended)
    good = events({"content": TEXT}) if stream else whole()
    assert chat(source, sent, good, stream=stream) == (TEXT, 2)
    with pytest.raises(UnreadableSourceError, match=rf"finish_reason {ended} \(3 attempts\)$"):
        chat(source, sent, stream=stream)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("content", ["half", "", None])
@pytest.mark.parametrize("ended", ["content_filter", "SAFETY", "RECITATION", "repetition", "tool_calls", "new_word"])
def test_every_other_end_is_a_failure_with_the_word_of_the_server(source, ended, content, stream):
    sent = events({"content": content}, ended=ended) if stream else whole(content, ended)
    with pytest.raises(UnreadableSourceError, match=rf"^the answer ended with finish_reason {ended}$"):
        chat(source, sent, stream=stream, truncated="keep")


KNOWN = {word.casefold().replace("_", "") for word in (*GOOD, *CUT, *AGAIN, "unload", "max_output_tokens", "null")}


@given(ended=st.text(st.characters(codec="utf-8"), min_size=1))
def test_whatever_the_word_is_only_a_known_one_ends_a_reading(ended):
    assume("".join(filter(str.isalnum, ended)).casefold() not in KNOWN)
    with pytest.raises(UnreadableSourceError) as caught:
        _parse(SETTINGS, str, whole("half", ended).body)
    assert str(caught.value) == f"the answer ended with finish_reason {ended}"


def part(text, kind="text", **more):
    return {"type": kind, "text": text, **more}


THINKING = {"type": "thinking", "thinking": [part("hm")]}

SHAPES = {
    "text": whole(),
    "parts": whole([part(TEXT[:5]), part(TEXT[5:])]),
    "part": whole(part(TEXT)),
    "texts": whole([TEXT[:5], TEXT[5:]]),
    "output_text": whole([part(TEXT, "output_text")]),
    "thinking part": whole([THINKING, part(TEXT)]),
    "reasoning beside": whole(message={"reasoning_content": "hm", "reasoning": "hm"}),
    "reasoning tag": whole(f"<think>\nA line.\n</think>\n\n{TEXT}"),
    "reasoning without its beginning": whole(f"A line.\n</think>\n\n{TEXT}"),
    "reasoning of Magistral": whole(f"[THINK]hm[/THINK]{TEXT}"),
    "reasoning of gpt-oss": whole(
        f"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>{TEXT}<|return|>"
    ),
    "box": whole(f"<|begin_of_box|>{TEXT}<|end_of_box|>"),
    "byte order mark": Sent("\ufeff" + whole().body),
    "padded": Sent("\n" * 50 + whole().body),
    "created": Sent(whole().body, 201),
    "no error": whole(error=None, usage=None),
    "second choice first": Sent(
        json.dumps(
            {
                "choices": [
                    {"index": 1, "message": {"content": "wrong"}, "finish_reason": "length"},
                    {"index": 0, "message": {"content": TEXT}, "finish_reason": "stop"},
                ]
            }
        )
    ),
    "events": events({"role": "assistant", "content": ""}, {"content": TEXT[:5]}, {"content": TEXT[5:]}),
    "events of parts": events({"content": [part(TEXT[:5])]}, {"content": [THINKING, part(TEXT[5:])]}),
    "usage without choices": events({"content": TEXT}, further=[{"usage": {"prompt_tokens": 1}}]),
    "usage with null": events({"content": TEXT}, further=[{"choices": None, "usage": {"prompt_tokens": 1}}]),
    "filter results first": Sent(
        'data: {"choices": [], "prompt_filter_results": [{}]}\n\n' + events({"content": TEXT}).body
    ),
    "ends of null": Sent(events({"content": TEXT[:5]}, {"content": TEXT[5:]}).body.replace(": null", ': "null"')),
    "comments": Sent(": PROCESSING\n\nevent: message\nid: 1\n" + events({"content": TEXT}).body),
    "no space": Sent(events({"content": TEXT}).body.replace("data: ", "data:")),
    "carriage returns": Sent(events({"content": TEXT}).body.replace("\n", "\r")),
    "both ends of lines": Sent(events({"content": TEXT}).body.replace("\n", "\r\n")),
    "a line each": Sent(events({"content": TEXT}).body.replace("\n\n", "\n")),
    "data of several lines": Sent(events({"content": TEXT}).body.replace('"choices":', '\ndata: "choices":')),
    "no last event": events({"content": TEXT}, last=""),
    "message beside delta": Sent(
        "data: "
        + json.dumps(
            {"choices": [{"delta": {"content": TEXT}, "message": {"content": "so far"}, "finish_reason": "stop"}]}
        )
    ),
    "choices without numbers": Sent(
        json.dumps({"choices": [{"message": {"content": text}, "finish_reason": "stop"} for text in (TEXT, "wrong")]})
    ),
    "message behind deltas": events(
        {"content": TEXT}, further=[{"choices": [{"index": 0, "message": {"content": TEXT}}]}]
    ),
    "one number twice": whole(
        choices=[{"index": 0, "message": {"content": text}, "finish_reason": "stop"} for text in (TEXT, "no")]
    ),
    "other index first": events(
        ended=None,
        further=[
            {"choices": [{"index": index, "delta": {"content": text}, "finish_reason": "stop"}]}
            for index, text in ((1, "wrong"), (0, TEXT))
        ],
    ),
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_one_text_is_read_in_every_shape_whatever_was_asked_for(source, name, stream):
    assert chat(source, SHAPES[name], stream=stream) == (TEXT, 1)


ONLY = "^the answer has only reasoning"
UNUSABLE = {
    "null beside reasoning": (whole(None, message={"reasoning_content": TEXT}), ONLY),
    "empty beside reasoning": (whole("", message={"reasoning": TEXT}), ONLY),
    "blank beside reasoning": (whole("\n", message={"thinking": TEXT}), ONLY),
    "parts of reasoning": (whole([THINKING]), ONLY),
    "events of reasoning": (events({"reasoning_content": TEXT}), ONLY),
    "details of reasoning": (whole("", message={"reasoning_details": [{"text": TEXT}]}), ONLY),
    "tokens of reasoning": (whole("", usage={"completion_tokens_details": {"reasoning_tokens": 9}}), ONLY),
    "reasoning without end": (whole(f"<think>\nIt may be {TEXT}"), ONLY),
    "reasoning of Magistral without end": (whole(f"[THINK]It may be {TEXT}"), ONLY),
    "reasoning of gpt-oss without end": (whole(f"<|channel|>analysis<|message|>It may be {TEXT}"), ONLY),
    "nothing behind reasoning": (whole("<think>hm</think>\n"), ONLY),
    "reasoning that was cut": (whole("", "length", {"reasoning": "hm"}), "^the answer was cut"),
    "refusal": (whole(None, message={"refusal": "I can't help with that."}), r"^the model refuses: I can't help"),
    "refusal part": (whole([{"type": "refusal", "refusal": "No."}]), r"^the model refuses: No\.$"),
    **{f"content {content}": (whole(content), "^the answer has no text$") for content in (None, 5, [], True)},
    "twice": (
        Sent(whole().body.replace('"content"', '"content": "two", "content"', 1)),
        "'content' occurs twice in one",
    ),
    "no content when cut": (Sent(whole(ended="MAX_TOKENS").body.replace("content", "other")), "^the answer was cut"),
    "call": (whole("", message={"tool_calls": [{"function": {"name": "ocr"}}]}), "^the answer is a call of a tool$"),
    "events of a call": (
        events({"content": "Let me see."}, {"tool_calls": [{"id": "1"}]}),
        "^the answer is a call of a",
    ),
    "call of a function": (whole("", message={"function_call": {"name": "ocr"}}), "^the answer is a call of a tool$"),
    "no call": (whole(None, message={"tool_calls": [], "function_call": None}), "^the answer has no text$"),
    "end of the model": (whole(choice={"native_finish_reason": "MAX_TOKENS"}), r"^the answer was cut \(.* MAX_TOKENS,"),
    "end after an end": (
        events({"content": "half"}, ended="length", further=[{"choices": [{"finish_reason": "stop"}]}]),
        "was cut",
    ),
    "events behind an end": (
        events({"content": TEXT}, further=[{"choices": [{"delta": {"content": "more"}}]}]),
        "goes on after",
    ),
    "image": (whole([{"type": "image_url"}]), "part of type image_url, which is no text$"),
    "no end": (whole(ended=None), "^the answer has no finish_reason$"),
    "events without end": (events({"content": TEXT}, ended=None), "^the stream ended before the answer did$"),
    "no choices": (Sent('{"choices": []}'), r"^the answer is not JSON or events with choices: \{\"choices\": \[\]\}$"),
    "nothing": (Sent(""), "is not JSON or events with choices: nothing$"),
    **{
        f"no JSON {number}": (Sent(body), "is not JSON or events with choices: ")
        for number, body in enumerate(
            ("[]", "null", '{"choices": {"a": 1}}', "[" * 9000, "data: {\n\n", "data: " + "[" * 9000)
        )
    },
    "page": (Sent("<html>Please log in</html>"), "choices: <html>Please log in</html>$"),
    "response object": (Sent('{"object": "response", "status": "incomplete"}'), '"incomplete"'),
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", UNUSABLE)
def test_what_is_no_text_fails_once_with_its_own_reason(source, name, stream):
    sent, said = UNUSABLE[name]
    with pytest.raises(UnreadableSourceError, match=said) as caught:
        chat(source, sent, stream=stream)
    assert (caught.value.attempts, caught.value.raw) == (1, sent.body)


def test_an_empty_text_without_reasoning_is_a_text(source):
    assert chat(source, whole("")) == chat(source, events(), stream=True) == ("", 1)


REPORTED = {
    "code": (error(message="Provider returned error", code=429), "again", "error 429: Provider returned error"),
    "code as text": (error(message="busy", code="503"), "again", "error 503: busy"),
    "type": (error(message="Overloaded", type="overloaded_error"), "again", "error overloaded_error: Overloaded"),
    "type spelled otherwise": (error(message="x", type="RateLimitError"), "again", "error RateLimitError: x"),
    "Google": (error(message="x", code=429, status="RESOURCE_EXHAUSTED"), "again", "error 429: x"),
    "choice": (whole("half", "error", choice={"error": {"code": 502, "message": "idle"}}), "again", "error 502: idle"),
    "choice with a good end": (whole(choice={"error": {"code": 502, "message": "idle"}}), "again", "error 502: idle"),
    "event": (events({"content": "half"}, ended=None, further=[{"error": {"code": 500}}]), "again", "error 500"),
    "event behind the end": (events({"content": "half"}, further=[{"error": {"code": 500}}]), "again", "error 500"),
    "named event": (
        Sent('event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "x"}}\n\n'),
        "again",
        "error overloaded_error: x",
    ),
    "object": (Sent('{"object": "error", "message": "died", "code": 500}'), "again", "error 500: died"),
    "status 529": (error(529, type="overloaded_error", message="x"), "again", "answers 529 with error"),
    "status 524": (Sent("<html>a timeout</html>", 524), "again", "answers 524: <html>a timeout</html>"),
    "400 of another's limit": (error(400, type="rate_limit_error", message="x"), "again", "answers 400 with"),
    "filter": (error(400, code="content_filter", message="filtered"), "segment", "error content_filter: filtered"),
    "flagged": (error(403, code=403, metadata={"flagged_input": "x"}, message="flagged"), "segment", "403: flagged"),
    "length": (error(400, code="context_length_exceeded", message="long"), "segment", "exceeded: long"),
    "text": (Sent('{"error": "model runner has stopped"}'), "segment", "error: model runner has stopped"),
    "no success": (Sent('{"success": false, "text": "", "message": "no GPU"}'), "segment", "200 with error: no GPU"),
    "status": (Sent('{"status": "error", "text": "", "detail": "x"}'), "segment", "200 with error: x"),
    "failed": (Sent('{"status": "failed", "code": 503, "text": "half"}'), "again", "200 with error 503"),
    "unknown code": (error(code="4711", message="x"), "segment", "error 4711: x"),
    "too large": (Sent("request entity too large", 413), "segment", "answers 413: request entity too large"),
    "key": (error(message="Wrong key", code="invalid_api_key"), "capture", "refuses access .* Wrong key"),
    "status 401": (Sent("no", 401), "capture", r"refuses access \(401\); set token_env .* answers 401: no\.$"),
    "quota": (error(429, code="insufficient_quota", message="Pay"), "capture", "insufficient_quota: Pay"),
    "status 402": (error(402, message="Insufficient Balance"), "capture", "402 with error: Insufficient Balance"),
    "model": (error(404, message="model 'm' not found"), "capture", "404 with error: model 'm' not found"),
    "path": (Sent("Not Found", 404), "capture", "/.* cannot be used as it is set at .* 404: Not Found"),
}


def is_of_chats(sent):
    return sent.status == 200 and ("choices" in sent.body or "data:" in sent.body)


@pytest.mark.parametrize(
    ("name", "engine"),
    [
        (name, engine)
        for name, (sent, *_) in REPORTED.items()
        for engine in ([OpenAIChat] if is_of_chats(sent) else [OpenAIChat, HttpOCR])
    ],
)
def test_an_error_is_what_its_code_and_type_say_whatever_its_status(source, name, engine):
    sent, ends, said = REPORTED[name]
    good, settings = (whole(), {"model": "m"}) if engine is OpenAIChat else (Sent(json.dumps({"text": TEXT})), {})
    if ends == "again":
        assert outcome(engine, source, sent, good, **settings) == (TEXT, 2)
    kind = ServerError if ends == "capture" else UnreadableSourceError
    with pytest.raises(kind, match=said) as caught:
        outcome(engine, source, sent, **settings)
    if ends != "capture":
        assert caught.value.attempts == {"again": 3, "segment": 1}[ends]


def refuses(parameter, **facts):
    return error(400, message=f"Unsupported parameter: '{parameter}' is not supported with this model.", **facts)


@pytest.mark.parametrize("code", ["unsupported_parameter", None])
@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("max_tokens", "set `max_tokens: null` of the system"),
        ("temperature", "set `temperature: null` of the system"),
        ("stream_options", "set `extra: {stream_options: null}` of the system"),
        ("seed", "set `extra: {seed: null}` of the system"),
    ],
)
def test_a_setting_that_the_model_does_not_take_ends_the_capture_and_is_named(source, name, cure, code):
    with pytest.raises(ServerError) as caught:
        chat(source, refuses(name, code=code), stream=True, extra={"seed": 1})
    assert f"'{name}' is not supported with this model; {cure}" in str(caught.value)


def test_a_length_that_is_too_large_for_one_image_fails_that_segment(source):
    sent = error(400, message="'max_tokens' is too large: 8192. The maximum context length is 8192 tokens.", code=400)
    with pytest.raises(UnreadableSourceError, match="'max_tokens' is too large"):
        chat(source, sent)


def test_settings_of_null_are_not_sent_and_extra_may_name_them_otherwise(source):
    with serve(lambda handler, _: reply(handler, whole().body)) as server:
        extra = {"max_completion_tokens": 9, "stream_options": None}
        settings = {"temperature": None, "max_tokens": None, "stream": True, "extra": extra}
        reader = OpenAIChat(url=server.url, model="m", **settings).open()
        reader.read(source)
        reader.close()
    sent = json.loads(server.asked[0].body)
    del sent["messages"]
    assert sent == {"model": "m", "stream": True, "max_completion_tokens": 9}
    with pytest.raises(ConfigurationError, match=r"extra .* has temperature, which are set elsewhere"):
        OpenAIChat(url=server.url, model="m", extra={"temperature": 1})


@pytest.mark.parametrize("stream", [False, True])
def test_the_model_that_answered_is_kept(source, stream):
    body = events({"content": TEXT}).body.replace('{"choices"', '{"model": "other", "choices"')
    with serve(lambda handler, _: reply(handler, body if stream else whole(model="other").body)) as server:
        reader = OpenAIChat(url=server.url, model="m", stream=stream).open()
        assert reader.read(source).served_model == "other"
        reader.close()


def test_numbers_of_tokens_may_be_written_with_a_point(source):
    with serve(lambda handler, _: reply(handler, whole(usage={"prompt_tokens": 10.0}).body)) as server:
        reader = OpenAIChat(url=server.url, model="m").open()
        assert reader.read(source).input_tokens == 10
        reader.close()
