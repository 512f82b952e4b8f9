import json

import pytest

from misread.normalize.steps.answers import extract_json, read_labelled_fields, unwrap_code_fence, unwrap_fences


@pytest.mark.parametrize(
    ("text", "unwrapped"),
    [
        ('```json\n{"a": 1}\n```', '{"a": 1}'),
        ("```\nx\n```\n", "x"),
        ("~~~xml\n<a/>\n~~~", "<a/>"),
        ("````\n```\n````", "```"),
        ("```json\n```", ""),
        ("before ```x``` after", "before ```x``` after"),
        ("```json\n{}", "```json\n{}"),
        ("", ""),
    ],
)
def test_a_fence_around_the_whole_text_is_taken_away(text, unwrapped):
    assert unwrap_code_fence(text) == unwrapped


FENCED = '```json\n{"a": 1}\n```'


@pytest.mark.parametrize(
    "text",
    [
        f"Here it is:\n\n{FENCED}\n\nThe date cannot be read.",
        f"Here it is: {FENCED}",
        f"{FENCED}\nI hope this helps.",
        'Sure: ```json {"a": 1} ``` Done.',
        'Sure:\n```\n{"a": 1}\n```\n',
        'Sure:\n~~~JSON\r\n{"a": 1}\r\n~~~\r\nDone.',
        f"Between ``` marks:\n{FENCED}\n",
        f"```text\nThe letter says Dear Sir\n```\n{FENCED}\n",
        f'{FENCED}\nor, without the fence,\n```json\n{{"a": 2}}\n```',
        '```json\n{"a": \n```\nThat was cut short, again:\n```json\n{"a": 1}\n```',
    ],
)
def test_the_first_json_in_a_fence_inside_prose_is_taken_out(text):
    assert unwrap_code_fence(text) == '{"a": 1}'


def test_xml_in_a_fence_named_so_is_taken_out_of_prose():
    assert unwrap_code_fence("Here:\n```xml\n<a>\n<b/>\n</a>\n```\nDone.") == "<a>\n<b/>\n</a>"
    text = "The tag\n```\n<b>\n```\nis bold."
    assert unwrap_code_fence(text) == text


@pytest.mark.parametrize(
    "text",
    [
        'Here it is: {"a": 1}',
        "Dear Sir,\n```\nyours\n```\nfaithfully",
        "before\n```json\n5\n```\nafter",
        "before\n```json\n{a: 1}\n```\nafter",
        'before\n```json\n{"a": 1}\nwithout an end',
        "``` ``` ```",
        "```\nfirst page\n```\n\n```\nsecond page\n```",
        "x\n```\n" + "[" * 100_000 + "\n```\n",
    ],
    ids=range(8),
)
def test_prose_without_json_in_a_fence_stays(text):
    assert unwrap_code_fence(text) == text


def test_fences_inside_prose_go_and_their_content_stays():
    text = "Page one:\n```text\nDear Sir\n```\nand two:\n~~~\n``` x\n~~~\n"
    assert unwrap_fences(text) == "Page one:\nDear Sir\nand two:\n``` x\n"
    assert unwrap_fences("````\n```\n````") == "```"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ('Well [sic], it is {"a": [1, {"b": "}"}]} indeed.', '{"a": [1, {"b": "}"}]}'),
        ("It is [1, 2].", "[1, 2]"),
        ("no JSON {here]", "no JSON {here]"),
        ("", ""),
    ],
)
def test_the_first_valid_json_is_taken_out_of_prose(text, answer):
    assert extract_json(text) == answer


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("INVOICE\nAcme Corp\nInvoice Number: INV-2024-001", {"invoice_number": "INV-2024-001"}),
        ("  Total :\t$150.00 \nTotal: $1", {"total": "$150.00"}),
        ("Fällig am: 3. Mai\nLink: https://a.example/b", {"fällig_am": "3. Mai", "link": "https://a.example/b"}),
        ("Invoice No. (2): 7", {"invoice_no_2": "7"}),
        ("a" * 61 + ": 1", {"a" * 61: "1"}),
    ],
)
def test_lines_with_a_label_become_fields(text, fields):
    assert json.loads(read_labelled_fields(text)) == fields


@pytest.mark.parametrize("text", ["", "INVOICE", "10:30", "Total:", "Total: \n$1", '{"total": "$1"}', "a" * 62 + ": 1"])
def test_a_text_without_a_label_and_a_value_in_one_line_is_unchanged(text):
    assert read_labelled_fields(text) == text


def test_very_many_brackets_are_given_up_and_fields_of_a_long_line_read_soon(ends_within):
    assert ends_within(1, lambda: extract_json("[{" * 50_000))
    assert ends_within(1, lambda: read_labelled_fields("a " * 500_000 + ":\n" + "a:" + " " * 500_000))
