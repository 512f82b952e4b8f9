"""Every name of misread.report, once, with its home."""

from .results import DatasetResults as DatasetResults
from .results import RenderedFiles as RenderedFiles
from .results import ReportInput as ReportInput
from .write import write_report as write_report
