"""A judge behind a scripted server: questions, answers, and what is no decision."""

import json

import pytest
from tests.engines.scripted_server import reply, serve

from misread.data.segment_table import Source
from misread.engines import UnreadableSourceError
from misread.errors import ConfigurationError
from misread.features.judges import OpenAIJudge


def chat(content, ended="stop"):
    return json.dumps({"id": "c1", "choices": [{"message": {"content": content}, "finish_reason": ended}]})


def decide(body, **settings):
    with serve(lambda handler, _: reply(handler, body)) as server:
        judge = OpenAIJudge(url=server.url, model="a/model", attempts=1, **settings)
        reader = judge.open()
        try:
            return reader.read(Source("a", question=judge.question("one {hypothesis}", "two"))), server.asked
        finally:
            reader.close()


def test_both_texts_stand_in_the_question_whatever_is_in_them():
    _, [asked] = decide(chat("Yes."), prompt="{reference}|{hypothesis}|{other}", extra={"seed": 1})
    sent = json.loads(asked.body)
    assert sent["messages"] == [{"role": "user", "content": "one {hypothesis}|two|{other}"}]
    assert (sent["model"], sent["temperature"], sent["seed"]) == ("a/model", 0.0, 1)


@pytest.mark.parametrize(
    ("said", "decision"), [("yes", "yes"), ("Yes, they do.", "yes"), ("**No**", "no"), (" NO\nbecause", "no")]
)
def test_the_first_word_decides_and_the_answer_is_kept(said, decision):
    answer, _ = decide(chat(said))
    assert (answer.text, answer.raw, answer.request) == (decision, said, "c1")


def test_other_words_can_decide():
    assert decide(chat("Gleich."), agree="gleich", disagree="anders")[0].text == "yes"


@pytest.mark.parametrize("said", ["", "maybe", "yesterday", "it says yes"])
def test_another_answer_is_no_decision_and_is_kept(said):
    with pytest.raises(UnreadableSourceError, match="begins neither with 'yes' nor with 'no'") as caught:
        decide(chat(said))
    assert caught.value.raw == said


def test_a_cut_answer_is_no_decision():
    with pytest.raises(UnreadableSourceError, match=r"cut .*max_tokens 1,024"):
        decide(chat("yes", "length"))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"prompt": "same? {reference}"}, r"the prompt of the judge has no \{hypothesis\}"),
        ({"agree": "No"}, "agree and disagree are both 'No'"),
        ({"extra": {"model": "x"}}, "extra of engine OpenAIJudge has model"),
        ({"max_tokens": 0}, "max_tokens is 0"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(settings, words):
    with pytest.raises(ConfigurationError, match=words):
        OpenAIJudge(url="http://host/v1", model="m", **settings)


def test_another_prompt_is_another_judge():
    first = OpenAIJudge(url="http://host/v1", model="m", version="r1")
    assert first.versions()["prompt_sha256"] == first.prompt_digest
    other = OpenAIJudge(url="http://host/v1", model="m", prompt="{reference}{hypothesis}")
    assert other.prompt_digest != first.prompt_digest
