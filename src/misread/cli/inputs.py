"""References and hypotheses as commands name them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from misread.cli.input_options import InputOptions
from misread.cli.normalizer_option import describe_normalizer
from misread.data.example import find_example
from misread.errors import ConfigurationError, setting

if TYPE_CHECKING:
    from pathlib import Path

    from misread.cli.input_sources import Sources
    from misread.data.formats.base import Format
    from misread.data.formats.log import Log


@dataclass(frozen=True, kw_only=True)
class Inputs(InputOptions):
    """Options of every command that takes texts, and the sources that they name."""

    @cached_property
    def sources(self) -> Sources:
        """Files and columns that the options name."""
        from misread.cli.input_sources import find_sources

        return find_sources(self, self.logs, self.recognised)

    @cached_property
    def recognised(self) -> Mapping[Path, Format | None]:
        """Formats of the named files by their content, where that is certain; each file is looked at once."""
        from misread.cli.input_sources import recognise_files

        if self.table or self.paths_table:
            return {}
        outputs = [*(self.hyp or ()), *(self.further_runs or ())]
        return recognise_files([*(self.files or ()), self.ref or "", *(entry.partition("=")[2] for entry in outputs)])

    @cached_property
    def logs(self) -> Mapping[str, Log]:
        """Logs by system, which have references of their own; none if files of one side each are given."""
        from misread.cli.input_sources import find_logs

        return find_logs(self, self.recognised)

    def usual_metrics(self) -> list[str]:
        """Names of the metrics where none are named: recorded scores of logs, else error rates."""
        logs = self.logs
        if not logs:
            return ["cer", "wer"]
        from misread.data import find_score
        from misread.io.names import write_name

        return [write_name("recorded", find_score(logs))]

    @property
    def group_columns(self) -> list[str]:
        """Names of the columns that results are grouped by, before anything is read."""
        if self.table or self.paths_table or self.ids_table or self.logs:
            return list(self.groups or [])
        return [name for pattern in self.groups or [] for name in re.findall(r"\(\?P?<(\w+)>", pattern)]

    def without_references(self) -> Inputs:
        """Return these inputs with ids, or the texts of the first system, in the place of references nobody uses."""
        if self.logs or self.files or self.ref is not None or not self.hyp or self.paths_table:
            return self
        ids = self.ids if self.table else []
        return replace(self, ref=ids[0] if ids else self.hyp[0].partition("=")[2])

    def of_example(self) -> Inputs:
        """The inputs of the example that misread brings; raises ConfigurationError if others are given as well."""
        for name in ("files", "ref", "hyp", "table", "segment_id", "cluster"):
            if getattr(self, name):
                raise ConfigurationError(f"{setting('example', True)} brings its own data; leave out {setting(name)}.")
        systems = ["Tesseract=tesseract", "RapidOCR=rapidocr"]
        return replace(self, table=str(find_example()), segment_id="id", ref="text", hyp=systems, cluster="document")

    def spelled_out(self) -> str:
        """The options of a table, as one would write them."""
        table = os.path.relpath(str(self.table))
        systems = " ".join(f"--hyp {system}" for system in self.hyp or ())
        return f"--table {table} --segment-id {self.segment_id} --ref {self.ref} {systems} --cluster {self.cluster}"

    def facts(self) -> dict[str, object]:
        """Facts from the configuration of a run."""
        from misread.cli.input_sources import read_table_name

        sources = self.sources
        file, columns = read_table_name(self.table) if self.table else (self.paths_table, {})
        formats = [str(form) for form in sources.formats if form]
        return {
            "references": {"table": file, "column": sources.reference} if file else sources.reference,
            "hypotheses": dict(sources.first_runs),
            **({"runs": sources.runs} if sources.runs else {}),
            "segment_id": self.ids,
            "cluster": self.cluster,
            "groups": list(self.groups or []),
            **columns,
            "ids_table": self.ids_table,
            "pattern": list(self.patterns or []),
            **({"names": names} if any(names := [self.reference_pattern, self.hypothesis_pattern]) else {}),
            "formats": None if self.table else formats,
            "resegment": self.resegment,
            "encoding": self.encoding,
            "annotations": list(self.annotations or []),
            "normalizer": describe_normalizer(self.chosen_normalizer),
            "missing": self.missing,
        }
