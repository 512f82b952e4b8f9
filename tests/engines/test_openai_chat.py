"""The protocol alone: a scripted server stands in for a model."""

import base64
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from tests.engines.scripted_server import reply, serve

from misread.data.segment_table import Source
from misread.engines import OpenAIChat, UnreadableSourceError
from misread.engines.openai_chat import ANSWER_STEPS
from misread.errors import ConfigurationError, UnknownNameError


@pytest.fixture
def source(tmp_path):
    Image.new("L", (12, 5), 255).save(tmp_path / "a.png")
    return Source("a", tmp_path / "a.png")


def chat(content, ended="stop"):
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": ended}]})


def read(source, body, **settings):
    with serve(lambda handler, _: reply(handler, body)) as server:
        reader = OpenAIChat(url=f"{server.url}/v1/", model="a/model", attempts=1, **settings).open()
        try:
            return reader.read(source), server.asked
        finally:
            reader.close()


def test_the_image_and_the_prompt_are_sent_with_the_decoding(source):
    settings = {"prompt": "Free OCR.", "image_prefix": "<image>\n", "extra": {"skip_special_tokens": False, "seed": 1}}
    answer, [question] = read(source, chat("one"), temperature=0.5, max_tokens=100, **settings)
    sent = json.loads(question.body)
    [message] = sent.pop("messages")
    assert question.path == "/v1/chat/completions"
    assert sent == {"model": "a/model", "temperature": 0.5, "max_tokens": 100, "skip_special_tokens": False, "seed": 1}
    assert message["role"] == "user"
    assert message["content"][1] == {"type": "text", "text": "<image>\nFree OCR."}
    begin, image = message["content"][0]["image_url"]["url"].split(",")
    assert (begin, base64.b64decode(image)) == ("data:image/png;base64", source.media.read_bytes())
    assert (answer.text, answer.raw) == ("one", "one")


def test_steps_take_the_text_out_and_the_answer_is_kept(source):
    content = "<|ref|>title<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>\n# One"
    answer, _ = read(source, chat(content), steps=["drop_labels", "drop_boxes"])
    assert (answer.text, answer.raw) == ("# One", content)


@pytest.mark.parametrize(("given", "kept"), [("chatcmpl-7", "chatcmpl-7"), (None, None), (7, None)])
def test_the_id_of_the_answer_is_kept(source, given, kept):
    assert read(source, json.dumps({**json.loads(chat("one")), "id": given}))[0].request == kept


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("given", "known"), [("fp_1", "fp_1"), (None, "vllm/0.6"), (7, "vllm/0.6")])
def test_the_version_is_the_fingerprint_of_the_answer_or_the_header_of_the_server(source, given, known, stream):
    content = json.loads(chat("one"))
    choice = {"delta": {"content": "one"}, "finish_reason": "stop"}
    body = {**content, "system_fingerprint": given, **({"choices": [choice]} if stream else {})}

    def answer(handler, _):
        handler.server_version, handler.sys_version = "vllm/0.6", ""
        reply(handler, f"data: {json.dumps(body)}\n\ndata: [DONE]\n\n" if stream else json.dumps(body))

    with serve(answer) as server:
        reader = OpenAIChat(url=server.url, model="a/model", attempts=1, stream=stream).open()
        assert reader.read(source).server_version == known
        reader.close()


def test_what_an_answer_cost_that_was_cut_is_known(source):
    body = json.dumps({**json.loads(chat("half a", "length")), "usage": {"prompt_tokens": 9, "completion_tokens": 2}})
    with pytest.raises(UnreadableSourceError, match=r"was cut \(finish_reason length, max_tokens 8,192\)$") as caught:
        read(source, body)
    assert (caught.value.raw, caught.value.facts["output_tokens"]) == (body, 2)


@pytest.mark.parametrize("usage", [None, [], 5, {}, {"prompt_tokens": "many", "completion_tokens": -1}, (300, 0)])
def test_tokens_are_those_that_the_server_counts(source, usage):
    known = usage if isinstance(usage, tuple) else (None, None)
    sent = dict(zip(("prompt_tokens", "completion_tokens"), usage, strict=True)) if isinstance(usage, tuple) else usage
    answer, _ = read(source, json.dumps({**json.loads(chat("")), "usage": sent}))
    assert (answer.text, answer.input_tokens, answer.output_tokens, answer.first_byte_seconds) == ("", *known, None)


# Streams


def event(text=None, ended=None, **more):
    delta = {} if text is None else {"content": text}
    return (
        f"data: {json.dumps({'choices': [{'delta': delta, 'finish_reason': ended}], **more}, ensure_ascii=False)}\n\n"
    )


USAGE = f"data: {json.dumps({'choices': [], 'usage': {'prompt_tokens': 9, 'completion_tokens': 2}})}\n\n"
STREAM = event("") + ": still there\n\n" + event("one\u2028") + event("tw") + event("o", "stop") + USAGE


def test_a_stream_is_asked_for_and_joined(source):
    answer, [question] = read(source, STREAM + "data: [DONE]\n\n", stream=True)
    assert (answer.text, answer.raw) == ("one\u2028two", "one\u2028two")
    assert (answer.input_tokens, answer.output_tokens) == (9, 2)
    sent = json.loads(question.body)
    assert (sent["stream"], sent["stream_options"]) == (True, {"include_usage": True})


@pytest.mark.slow
def test_the_first_byte_of_a_stream_comes_before_its_end(source):
    def answer(handler, _):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n" + event("one").encode())
        time.sleep(0.3)
        handler.wfile.write(event("two", "stop").encode())
        handler.close_connection = True

    with serve(answer) as server:
        reader = OpenAIChat(url=server.url, model="m", stream=True).open()
        found = reader.read(source)
        reader.close()
    assert found.text == "onetwo"
    assert 0 < found.first_byte_seconds < 0.25 < 0.3 <= found.seconds


@pytest.mark.parametrize(
    ("settings", "error", "said"),
    [
        ({"steps": ["drop_box"]}, UnknownNameError, "unknown step 'drop_box' in steps .* Did you mean 'drop_boxes'"),
        ({"truncated": "drop"}, UnknownNameError, "unknown truncated 'drop'"),
        ({"extra": {"stream": True, "model": "x"}}, ConfigurationError, "extra .* has model, stream, which are set"),
        ({"max_tokens": 0}, ConfigurationError, "max_tokens is 0, expected 1 or more"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(settings, error, said):
    with pytest.raises(error, match=said):
        OpenAIChat(url="http://host/v1", model="m", **settings)


def test_its_versions_are_settings_and_need_no_server():
    engine = OpenAIChat(url="http://host/v1", model="m", version="r1")
    assert engine.versions() == {"server": "http://host/v1", "model": "m", "version": "r1"}


@pytest.mark.parametrize(
    ("step", "answer", "text"),
    [
        ("drop_boxes", "one<|det|>[[1, 2, 3, 4]]<|/det|> two", "one two"),
        ("drop_boxes", "<|det|>[[1, 2, 3, 4]]<|/det|>\none", "one"),
        ("drop_boxes", "one\n<|det|>[[1,\n2]]<|/det|>\ntwo", "one\ntwo"),
        ("drop_boxes", "<|det|>[[1, 2", "<|det|>[[1, 2"),
        ("drop_boxes", "[[1, 2, 3, 4]]", "[[1, 2, 3, 4]]"),
        ("drop_labels", "<|ref|>title<|/ref|># One", "# One"),
        ("drop_labels", "<|ref|>a<|/ref|>one<|ref|>b<|/ref|>two", "onetwo"),
        ("unwrap_labels", "<|ref|>one<|/ref|> two", "one two"),
        ("unwrap_labels", "<|grounding|>one", "one"),
        ("unwrap_fence", "```markdown\n# One\n```", "# One"),
        ("unwrap_fence", "\n~~~\none\ntwo\n~~~\n", "one\ntwo"),
        ("unwrap_fence", "see ```x``` here", "see ```x``` here"),
        ("unwrap_fence", "```\n```", ""),
        ("drop_end_mark", "one<｜end▁of▁sentence｜>", "one"),
        *(
            ("drop_end_mark", f"one{mark}\n", "one")
            for mark in ("</s>", "<|endoftext|>", "<|im_end|><|endoftext|>", "<eos>", "<end_of_turn>\n<eos>")
        ),
        ("drop_end_mark", "</s> one", "</s> one"),
    ],
)
def test_a_step_takes_out_what_it_names_and_nothing_else(step, answer, text):
    assert ANSWER_STEPS[step](answer) == text


@pytest.mark.parametrize("step", ANSWER_STEPS)
@given(text=st.text(st.characters(exclude_characters="<`~", exclude_categories=["Cs"])))
def test_a_text_without_marks_stays_as_it_is(step, text):
    assert ANSWER_STEPS[step](text) == text
