"""Rate tables as LaTeX with booktabs: nothing else to load, every name escaped, ASCII unless a name is not."""

from __future__ import annotations

import re

from misread.report.cells import CellRow, make_cells, metric_title, notes, operations_title
from misread.report.rate_table import RateTable

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
    # Behind the end of a row these would be read as arguments of it.
    "[": "{[}",
    "*": "{*}",
    "†": r"$\dagger$",
}


def render_latex(table: RateTable) -> str:
    r"""Render a table environment.

    Parameters
    ----------
    table : RateTable
        Numbers.

    Returns
    -------
    str
        Needs \usepackage{booktabs}, and \usepackage[T1]{fontenc} for names beyond ASCII; ends with a newline. As
        wide as the text, over all columns of a page.
    """
    level = rf"{{\scriptsize[{table.confidence * 100:g}\,\%]}}" if table.confidence else ""
    titles = ["System", rf"{escape_latex(metric_title(table.metric))}\,\%", level]
    if table.has_error_counts:
        titles += [operations_title(table), "Errors"]
    if table.has_comparisons:
        titles += [rf"$\Delta$ to best {level}", "$p$"]
    body = [_row(row, table) for row in make_cells(table)]
    width = len(titles)
    return "\n".join(
        [
            # As wide as the page where the paper has columns; seven columns of numbers fit no narrower place.
            r"\begin{table*}[t]\centering\footnotesize\setlength{\tabcolsep}{3pt}\setlength{\belowcaptionskip}{4pt}",
            rf"\caption{{{_caption(table)}}}",
            rf"\label{{tab:{_label(table.dataset)}-{_label(table.metric)}}}",
            rf"\begin{{tabular}}{{@{{}}l{'r' * (width - 1)}@{{}}}}\toprule",
            " & ".join(titles) + r" \\ \midrule",
            *[f"{line} \\\\" for line in body],
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\smallskip{\scriptsize\raggedright " + " ".join(map(escape_latex, notes(table))) + r"\par",
            # A signature is longer than a column: it may break after each of its parts.
            r"\ttfamily " + _breakable(table.signature) + r"\par}",
            r"\end{table*}",
            "",
        ]
    )


def escape_latex(text: str) -> str:
    r"""Escape what LaTeX would read as a command.

    Parameters
    ----------
    text : str
        Any text; characters beyond ASCII are kept (except the dagger) and need a font that has them.

    Returns
    -------
    str

    Examples
    --------
    >>> escape_latex("tesseract_4 & 100 %")
    'tesseract\\_4 \\& 100 \\%'
    """
    return "".join(_ESCAPES.get(character, character) for character in text)


def _row(row: CellRow, table: RateTable) -> str:
    name, rate = escape_latex(row.name), row.rate
    if row.is_bold:
        name, rate = rf"\textbf{{{name}}}", rf"\textbf{{{rate}}}"
    if row.has_dagger:
        rate += r"\rlap{$^\dagger$}"
    cells = [name, rate, _small(row.interval)]
    if table.has_error_counts:
        cells += [row.operations, row.errors]
    if table.has_comparisons:
        difference = f"${row.difference}$ {_small(row.difference_interval)}".strip() if row.difference else "---"
        cells += [difference, f"${row.pvalue}$" if row.pvalue else "---"]
    return " & ".join(cells)


def _small(text: str) -> str:
    # A hyphen is typeset as a minus; a plus goes without saying and would not fit.
    return rf"{{\scriptsize{text.replace('-', '$-$').replace('+', '')}}}" if text else ""


def _caption(table: RateTable) -> str:
    size = rf"{_thousands(table.segments)} segments"
    if table.length is not None:
        size += rf", {_thousands(table.length)} {table.unit_name}"
    title = escape_latex(metric_title(table.metric))
    return f"{title} on {escape_latex(table.dataset_name)} ({size}). {table.direction.capitalize()} is better."


def _label(name: str) -> str:
    return re.sub("[^A-Za-z0-9]+", "-", name).strip("-")


def _thousands(number: int) -> str:
    return f"{number:,}".replace(",", r"\,")


def _breakable(signature: str) -> str:
    return escape_latex(signature).replace(r"\textbar{}", r"\textbar{}\allowbreak{}")
