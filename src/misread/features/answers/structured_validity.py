"""Result of checking one structured answer."""

from dataclasses import dataclass, field

from misread.errors import InputTypeError
from misread.named_result import Record


@dataclass(frozen=True, slots=True)
class StructuredValidity(Record):
    """What is right and wrong with one structured answer."""

    is_valid: bool
    is_schema_compliant: bool
    parsing_error: str | None = None  # why it cannot be parsed
    validation_errors: list[str] = field(default_factory=list)  # all violations of the schema, each with its place
    completeness_score: float = 0.0  # share of required fields that are there; 1 where none is required
    field_count: int = 0  # fields at the top level


def require_text(output: object) -> str:
    """Refuse an answer that is not text, such as one that was parsed already, with an InputTypeError."""
    if not isinstance(output, str):
        raise InputTypeError(f"the answer is of type {type(output).__name__}, expected text.")
    return output
