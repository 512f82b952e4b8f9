"""Functions under the names that the specifications dictate, and with the arguments that they print.

docs/specification.md lists the specifications and says which row each function answers. Both sides may be called by the
words of the specification: `wer(ref=..., hyp=...)` is `wer(reference=..., hypothesis=...)`. `validate_json_output` and
`token_efficiency` accept more than misread's own functions, which are in `misread.features`.
"""

import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cache, wraps
from typing import Any, Final

import lazy_loader

from misread.errors import UnknownNameError, needed_for
from misread.io.checks.choices import check_choice

# The stub names modules from the package that this one lies in.
_find, __dir__, __all__ = lazy_loader.attach_stub("misread", __file__)

_TEXTS: Final = {"ref": "reference", "hyp": "hypothesis"}
_PREDICTION: Final = {"gt": "reference", "pred": "hypothesis", "ground_truth": "reference", "predicted": "hypothesis"}

# Arguments as the specifications print them, by function.
_PRINTED: Final = {
    **dict.fromkeys(("wer", "line_accuracy", "reverse_line_accuracy", "exact_line_prf_from_text"), _TEXTS),
    "cer": _TEXTS | _PREDICTION,
    "wer": _TEXTS | _PREDICTION,
    "evaluate_prediction": _PREDICTION,
    "token_accuracy": _PREDICTION,
    "confusion_matrix": {"ground_truth": "references", "predicted": "hypotheses"},
    "exact_line_prf": {"gt_lines": "reference_lines", "pred_lines": "hypothesis_lines"},
    "sentence_error_rate": {
        "ground_truth_sentences": "reference_sentences",
        "predicted_sentences": "hypothesis_sentences",
    },
    "field_extraction_f1": {"ground_truth_fields": "reference", "extracted_fields": "hypothesis"},
    "validate_json_output": {"ocr_output": "output", "expected_schema": "schema"},
    "validate_xml_output": {"ocr_output": "output", "expected_schema": "schema"},
    "token_efficiency": {"ocr_output": "hypothesis", "tokenizer": "model"},
    "evaluate_downstream_task": {
        "ground_truth": "reference",
        "ground_truth_result": "reference",
        "result": "hypothesis",
        "task_result": "hypothesis",
    },
}

# The model whose price the OCR specification takes for all.
_PRICED: Final = "gpt-4"


def __getattr__(name: str) -> Any:
    function = _find(name)
    # lazy_loader keeps what it finds in `misread`, where most of these are no names.
    vars(sys.modules["misread"]).pop(name, None)
    if name == "token_efficiency":
        function = _count_unpriced_as_gpt4(function)
    if name == "validate_json_output":
        function = _take_output_format(function)
    return _take_printed_names(function, name) if name in _PRINTED else function


@cache
def _take_printed_names(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function, which takes its sides by the words of its specification as well."""
    printed = _PRINTED[name]

    @wraps(function)
    def call(*arguments: Any, **settings: Any) -> Any:
        for word in printed.keys() & settings.keys():
            own_name = printed[word]
            if own_name in settings:
                raise TypeError(f"{name}() got {own_name!r} twice, the second time as {word!r}")
            settings[own_name] = settings.pop(word)
        return function(*arguments, **settings)

    # By which another process finds it.
    call.__module__ = __name__
    return call


@cache
def _take_output_format(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which validates XML as well: the OCR specification prints both under one input."""

    @wraps(function)
    def validate(output: str, schema: Any, *, output_format: str = "json") -> Any:
        check_choice("output format", output_format, ("json", "xml"), where="output_format")
        return function(output, schema) if output_format == "json" else _find("validate_xml_output")(output, schema)

    return validate


@cache
def _count_unpriced_as_gpt4(function: Callable[..., Any]) -> Callable[..., Any]:
    """Tokens and costs of a model that has no price, as the code of the OCR specification counts them."""

    @wraps(function)
    def count(hypothesis: str, model: str = _PRICED, **settings: Any) -> Any:
        try:
            return function(hypothesis, model=model, **settings)
        except UnknownNameError:
            if settings:
                raise
        from misread.engines.prices import PRICES

        price = replace(PRICES[_PRICED], encoding=_find_encoding(model))
        counted = function(hypothesis, model=model, prices={model: price})
        warnings.warn(
            f"{model!r} has no price here: its tokens are counted by {price.encoding}, at the price of {_PRICED}.",
            stacklevel=3,
        )
        return counted

    return count


def _find_encoding(model: str) -> str:
    """Encoding of a model as tiktoken has it, or cl100k_base, that of GPT-4, for all that it does not know."""
    from misread.engines.token_encodings import ENCODINGS

    with needed_for("token counts need", "tiktoken", "tokens"):
        import tiktoken
    try:
        name = tiktoken.encoding_name_for_model(model)
    except KeyError:
        return "cl100k_base"
    return name if name in ENCODINGS else "cl100k_base"
