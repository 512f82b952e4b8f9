"""Output of `--help`: commands by panel on one screen, and options, with the first ones explained."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from textwrap import wrap
from typing import Any, Final

from typer.core import TyperCommand, TyperGroup, TyperOption

from misread.io.console import write_out

COLUMNS: Final = 100
"""The widest that help is printed, on wider terminals too."""

SUMMARY: Final = 55
"""Characters of the longest summary of a command, so that each takes one line of a terminal of 80 columns."""

_ALL: Final = "--help-all"
_FEW: Final = 5
_TERM: Final = 22


class Panel(StrEnum):
    """Panels of options; those without one are explained by `--help`, the others by `--help-all`."""

    FILES = "Files"
    FOLDERS = "Folders"
    SPEECH = "Speech"
    RUNS = "Runs"
    STATISTICS = "Statistics"
    OUTPUT = "Output"


class PanelledCommand(TyperCommand):
    """A command whose help explains options without a panel, and lists more than a few in panels by their names."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Parameters of the command; with `--help-all` where there is more to explain."""
        params = super().get_params(ctx)
        if sum(map(bool, map(_panel, params))) > _FEW:
            text = "Explain all options and exit."
            settings: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False, "help": text}
            params = [*params, TyperOption(param_decls=[_ALL], callback=_print_all, **settings)]
        return params

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, options, and panels of options."""
        params = self.get_params(ctx)
        records: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": [], **{panel: [] for panel in Panel}}
        names: dict[str, list[str]] = {panel: [] for panel in Panel}
        for param in params:
            panel, record = _panel(param), param.get_help_record(ctx)
            if record is not None:
                records[panel or f"{param.param_type_name}s".title()].append(record)
                names.setdefault(panel or "", []).append(param.opts[0])
        are_explained = ctx.meta.get(_ALL) or params[-1].opts != [_ALL]
        for title, rows in records.items():
            if rows and (are_explained or title not in names):
                with formatter.section(title):
                    formatter.write_dl(rows, col_max=_TERM)
        if not are_explained:
            with formatter.section(f"More options, which {_ALL} explains"):
                _write_names({panel: names[panel] for panel in Panel if names[panel]}, formatter)


def _write_names(names: Mapping[str, Sequence[str]], formatter: Any) -> None:
    """Write names by panel, none of them across two lines."""
    for panel, listed in names.items():
        first = f"{'':{formatter.current_indent}}{panel:{max(map(len, names))}}  "
        lines = wrap(
            ", ".join(listed),
            formatter.width,
            initial_indent=first,
            subsequent_indent=" " * len(first),
            break_on_hyphens=False,
        )
        formatter.write("".join(f"{line}\n" for line in lines))


def _print_all(ctx: Any, _: Any, asked: bool) -> None:
    if asked:
        ctx.meta[_ALL] = True
        write_out(ctx.get_help())
        ctx.exit()


def _panel(param: Any) -> str | None:
    panel: str | None = getattr(param, "rich_help_panel", None)
    return panel


class PanelledGroup(TyperGroup):
    """Commands with one line each, next to the names of their panels.

    Where there are panels, no line is blank: all commands fit on a screen of 24 lines.
    """

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write what the commands are for."""
        if not self._has_panels:
            super().format_help_text(ctx, formatter)
            return
        with formatter.indentation():
            formatter.write_text(self.help or "")

    @property
    def _has_panels(self) -> bool:
        return any(map(_panel, self.commands.values()))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands; the options of a group are in its line of usage."""
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the first sentence of every command."""
        width = max(map(len, self.commands))
        rows, last_panel = [], None
        for name in self.list_commands(ctx):
            command = self.commands[name]
            panel = _panel(command)
            shown = "" if panel == last_panel else panel or ""
            rows.append((f"{shown:7} {name:{width}}" if panel else name, summary(command)))
            last_panel = panel
        if not self._has_panels:
            formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_dl(rows)


def summary(command: Any) -> str:
    """First paragraph of a command's help, without the stop."""
    first: str = (command.help or "").partition("\n\n")[0]
    return " ".join(first.split()).removesuffix(".")
