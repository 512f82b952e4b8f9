"""What `misread normalize` prints: texts after every step, profiles, findings of the linter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.normalize import LintResult, Normalizer

_BREAK = " "


def one_line(text: str) -> str:
    """A text without line breaks, so that there is one line of output for each of input."""
    return _BREAK.join(text.splitlines())


def trace_lines(normalizer: Normalizer, texts: Iterable[str]) -> Iterator[str]:
    """Every text with the names of the steps, and the text after each; = where a step changed nothing."""
    width = max((len(step.name) for step in normalizer.bound), default=0)
    for text in texts:
        yield f"{'':{width}}  {show_label(text)}"
        before = text
        for name, after in normalizer.trace(text):
            yield f"{name:{width}}  {'=' if after == before else show_label(after)}"
            before = after


def profile_lines(profiles: Mapping[str, Sequence[str | Mapping[str, Any]]]) -> Iterator[str]:
    """Every profile with its steps."""
    width = max(map(len, profiles))
    for name, steps in profiles.items():
        yield f"{name:{width}}  {', '.join(map(_described, steps)) or 'no step'}"


def lint_lines(name: str, result: LintResult) -> Iterator[str]:
    """Words and letters by script before and after, and every finding with its examples."""
    width = max((len(script) for script in result.scripts), default=6)
    yield f"{'script':{width}}  {'words':>20}  {'letters and marks':>20}"
    for script, change in result.scripts.items():
        words, letters = (f"{before:,} -> {after:,}" for before, after in (change.words, change.letters))
        yield f"{script.title():{width}}  {words:>20}  {letters:>20}"
    for finding in result.findings:
        yield f"{name} {finding.sentence}."
        yield from (f"    {show_label(before)} -> {show_label(after)}" for before, after in finding.examples)
    if not result.findings:
        yield f"{name}: nothing to name."


def _described(step: str | Mapping[str, Any]) -> str:
    if isinstance(step, str):
        return step
    settings = ", ".join(f"{name}={value!r}" for name, value in step.items() if name != "step")
    return f"{step['step']}({settings})"
