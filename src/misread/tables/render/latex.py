"""Tables as LaTeX with booktabs: every name escaped, ASCII unless a name is not."""

import re
import textwrap
from collections.abc import Sequence

from misread.tables.number_text import NO_INTERVAL
from misread.tables.table import DAGGER, DOUBLE_DAGGER, Cell, Column, Table, join_detail

# Of one line of the small part of a title.
_TITLE_LETTERS = 14

_FOOTNOTES = {DAGGER: r"{$^\dagger$}", DOUBLE_DAGGER: r"{$^\ddagger$}"}

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # As a number, because the named one needs T1 fonts.
    '"': r"{\char34}",
    # After the end of a row, LaTeX would read these as its arguments.
    "[": "{[}",
    "*": "{*}",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
    "Δ": r"$\Delta$",
    "…": r"\dots{}",
    "–": "--",
    "␣": r"\textvisiblespace{}",
    "∅": r"$\emptyset$",
    # Isolates of right-to-left text, for screens; TeX has its own ways.
    "\u2068": "",
    "\u2069": "",
}
# Letters that pdflatex lacks with T1 fonts: other engines typeset them if they have a font.
_BEYOND_T1 = re.compile(
    "[^\\x20-\\x7e\\u00a1-\\u00ac\\u00ae-\\u0125\\u0128-\\u0137\\u0139-\\u013e"
    "\\u0141-\\u0148\\u014a-\\u0165\\u0168-\\u017e…–—‘’“”†Δ]+"
)

# Signs that TeX joins with the next one, or replaces by others.
_LITERALS = {
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "–": r"\textendash{}",
    **{sign: f"{sign}{{}}" for sign in "-,?!"},
}
_TRANSLATION = str.maketrans(_ESCAPES)
_LITERAL_TRANSLATION = str.maketrans(_ESCAPES | _LITERALS)


def render_latex(table: Table, *, siunitx: bool = False) -> str:
    r"""A table* environment, which spans all columns of a page; newline at the end.

    With `siunitx`, columns of plain numbers are aligned at the decimal point by that package. Needs
    \usepackage{booktabs}, and \usepackage[T1]{fontenc} for names beyond ASCII.
    """
    kinds = [_kind(column, [row[index] for row in table.cells], siunitx) for index, column in enumerate(table.headings)]
    titles = [_title(column, kind) for column, kind in zip(table.headings, kinds, strict=True)]
    return "\n".join(
        [
            # Spans both columns of a paper: seven columns of numbers need the width.
            r"\begin{table*}[t]\centering\footnotesize\setlength{\tabcolsep}{3pt}\setlength{\belowcaptionskip}{4pt}",
            rf"\caption{{{_with_thin_spaces(escape_latex(table.caption))}}}",
            rf"\label{{{table.label or f'tab:{_label(table.stem)}'}}}",
            rf"\begin{{tabular}}{{@{{}}{''.join(kinds)}@{{}}}}\toprule",
            " & ".join(titles) + r" \\ \midrule",
            *[" & ".join(map(_cell, row, table.headings, kinds)) + r" \\" for row in table.cells],
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\smallskip{\scriptsize\raggedright " + " ".join(map(escape_latex, table.sentences)) + r"\par",
            # A signature is longer than a column: it may break after each of its parts.
            r"\ttfamily " + _breakable(table.signature) + r"\par}",
            r"\end{table*}",
            "",
        ]
    )


def escape_latex(text: str, *, is_literal: bool = False) -> str:
    """Escape characters that LaTeX would read as commands.

    Latin letters are kept and need T1 fonts; other letters are typeset by XeTeX and LuaTeX, and replaced by their code
    points under pdfTeX. With `is_literal`, quotation marks, hyphens and the like look as they are instead of being made
    typographic.
    """
    translation = _LITERAL_TRANSLATION if is_literal else _TRANSLATION
    return _BEYOND_T1.sub(_for_each_engine, text.translate(translation))


def _for_each_engine(match: re.Match[str]) -> str:
    """Letters for XeTeX and LuaTeX, their numbers for pdfTeX, which would stop at them."""
    letters = match.group()
    numbers = " ".join(f"U+{ord(letter):04X}" for letter in letters)
    return rf"{{\ifx\Umathchar\undefined {numbers}\else {letters}\fi}}"


def _kind(column: Column, cells: Sequence[Cell], siunitx: bool) -> str:
    """Column type: l, r, or S of siunitx."""
    if column.is_text:
        return "l"
    if not (siunitx and column.kind == "decimal"):
        return "r"
    whole, _, part = max((cell.text for cell in cells), key=len, default="0").partition(".")
    # Bold numbers stay aligned, and the dagger gets space of its own.
    return f"S[table-format={len(whole)}.{len(part)},detect-weight,table-space-text-post={{{_FOOTNOTES[DAGGER]}}}]"


def _title(column: Column, kind: str) -> str:
    title = "$p$" if column.title == "p" else escape_latex(column.heading).replace(r" \%", r"\,\%")
    detail = "" if column.is_detail_optional else column.detail
    lines = textwrap.wrap(detail, _TITLE_LETTERS)
    if len(lines) > 1:
        # Beside the title, words would make a column of numbers as wide as they are.
        stacked = r" \\ ".join([title, *map(_small, lines)])
        text = rf"\shortstack[{'l' if column.is_text else 'r'}]{{{stacked}}}"
    else:
        text = join_detail(title, _small(detail))
    return f"{{{text}}}" if kind.startswith("S") else text


def _cell(cell: Cell, column: Column, kind: str) -> str:
    if kind.startswith("S"):
        text = (r"\bfseries " if cell.is_bold else "") + cell.text
        return text + _FOOTNOTES.get(cell.footnote, "")
    text = escape_latex(cell.signed, is_literal=column.kind == "sign") if column.is_text else _number(cell.text)
    if cell.is_bold:
        text = rf"\textbf{{{text}}}"
    if cell.footnote:
        text += rf"\rlap{{{_FOOTNOTES[cell.footnote]}}}"
    return join_detail(text, "" if column.is_detail_optional else _small(cell.detail)) or "---"


def _number(text: str) -> str:
    """Set signs and bounds as mathematics: a hyphen is not a minus."""
    return f"${text}$" if text[:1] in ("+", "-", "<") else escape_latex(text)


def _small(text: str) -> str:
    if text == NO_INTERVAL:
        return rf"{{\scriptsize{text}}}"
    # A hyphen is typeset as a minus; a plus is omitted, for lack of space.
    escaped = escape_latex(text).replace("{[}", "[").replace(r" \%", r"\,\%")
    # A letter would become part of the command.
    space = " " if escaped[:1].isalpha() else ""
    return rf"{{\scriptsize{space}{escaped.replace('-', '$-$').replace('+', '')}}}" if text else ""


def _label(name: str) -> str:
    return re.sub("[^A-Za-z0-9]+", "-", name).strip("-")


def _with_thin_spaces(text: str) -> str:
    """Thin spaces as separators of thousands."""
    return re.sub(r"(?<=\d),(?=\d{3})", r"\\,", text)


def _breakable(signature: str) -> str:
    return escape_latex(signature).replace(r"\textbar{}", r"\textbar{}\allowbreak{}")
