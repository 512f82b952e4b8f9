"""LaTeX macros for every number of the results."""

from __future__ import annotations

from collections.abc import Mapping

from misread.features.paper.result_values import ResultValue
from misread.tables.numbers import RateFormat
from misread.tables.render.latex import escape_latex
from misread.version import __version__

_PREAMBLE = r"""% Made by `misread macros` (misread {version}); make it again instead of editing it.
%   \misreadvalue{{KEY}}    the number of the results
%   \misread{{KEY}}{{SHOWN}}  SHOWN as typed; `misread lint-paper` compares it with the results
\makeatletter
\providecommand{{\misread}}[2]{{#2}}
\providecommand{{\misreadvalue}}[1]{{\@ifundefined{{misread@#1}}{{%
  \PackageError{{misread}}{{no result has the key `#1'}}{{Run `misread macros' again, or fix the key.}}}}{{%
  \csname misread@#1\endcsname}}}}
"""


def render_macros(values: Mapping[str, ResultValue], rates: RateFormat) -> str:
    r"""A file to be read with \input: LaTeX in ASCII, one line per number, newline at the end."""
    lines = [rf"\@namedef{{misread@{key}}}{{{_typeset(value.text(rates))}}}" for key, value in values.items()]
    return "\n".join([_PREAMBLE.format(version=__version__).rstrip("\n"), *lines, r"\makeatother", ""])


def _typeset(text: str) -> str:
    # A minus, not a hyphen; in mathematics and in text alike.
    if text.startswith(("-", "+", "<")):
        return rf"\ensuremath{{{text}}}"
    return escape_latex(text)
