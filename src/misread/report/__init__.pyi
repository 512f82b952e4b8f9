"""Every name of misread.report, once, with its home."""

from .report_input import DatasetResults as DatasetResults
from .report_input import ReportInput as ReportInput
from .write import write_report as write_report
