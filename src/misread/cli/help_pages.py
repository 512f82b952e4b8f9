"""What `--help` prints: commands by panel on one screen, and options of which the first are explained at once."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

from typer.core import TyperCommand, TyperGroup, TyperOption

from misread.io.console import write_out

COLUMNS: Final = 100
"""The widest that help is printed, on wider terminals too."""

SUMMARY: Final = 55
"""Longest first sentence of a command: so the list of commands has one line for each on a terminal of 80 columns."""

_ALL: Final = "--help-all"


class Panel(StrEnum):
    """Panels of options; those without one are explained by `--help`, the others by `--help-all`."""

    FORMATS = "Formats"
    FOLDERS = "Folders"
    PAGES = "Pages"
    SPEECH = "Speech"
    RUNS = "Runs"
    STATISTICS = "Statistics"
    OUTPUT = "Output"


class PanelledCommand(TyperCommand):
    """A command whose help explains options without a panel, and lists those in panels by their names."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Parameters of the command; with `--help-all` where there are panels."""
        params = super().get_params(ctx)
        if not any(_panel(param) for param in params):
            return params
        return [
            *params,
            TyperOption(
                param_decls=[_ALL],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_print_all,
                help="Explain the options in panels, too, and exit.",
            ),
        ]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, options, and panels of options."""
        params = [(param, param.get_help_record(ctx)) for param in self.get_params(ctx)]
        shown = [(param, record) for param, record in params if record is not None]
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            records = [record for param, record in shown if param.param_type_name == kind and not _panel(param)]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
        by_panel = {
            panel: records
            for panel in Panel
            if (records := [(param, record) for param, record in shown if _panel(param) == panel])
        }
        if ctx.meta.get(_ALL):
            for panel, panelled in by_panel.items():
                with formatter.section(panel.value):
                    formatter.write_dl([record for _, record in panelled])
        elif by_panel:
            with formatter.section(f"More options, which {_ALL} explains"):
                formatter.write_dl(
                    [(panel.value, ", ".join(param.opts[0] for param, _ in rows)) for panel, rows in by_panel.items()]
                )


def _print_all(ctx: Any, _: Any, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        ctx.meta[_ALL] = True
        write_out(ctx.get_help())
        ctx.exit()


def _panel(param: Any) -> str | None:
    panel: str | None = getattr(param, "rich_help_panel", None)
    return panel


class PanelledGroup(TyperGroup):
    """Commands with one line each, beside the names of their panels."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands; the options of a group are in its line of usage."""
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the first sentence of every command."""
        width = max(map(len, self.commands))
        rows, before = [], None
        for name in self.list_commands(ctx):
            command = self.commands[name]
            panel = _panel(command)
            shown = "" if panel == before else panel or ""
            rows.append((f"{shown:7} {name:{width}}" if panel else name, summary(command)))
            before = panel
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_dl(rows)


def summary(command: Any) -> str:
    """First paragraph of a command's help, without the stop."""
    first: str = (command.help or "").partition("\n\n")[0]
    return " ".join(first.split()).removesuffix(".")
