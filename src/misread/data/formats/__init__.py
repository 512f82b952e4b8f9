"""File formats: a module for each, with its record and its reader, and one list of them.

Importing the list imports no format. To add one is a module and a line here; what commands, settings, conversion and
the guide say of it follows from its record.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final

from misread.data.formats.base import SEGMENTED, Format, Kind
from misread.errors import ConfigurationError, UnknownNameError
from misread.io.checks.choices import check_choice
from misread.io.names import read_name
from misread.io.setting_values import fit_settings
from misread.text.lazy_mapping import LazyMapping


def _formats(**locations: str) -> Mapping[str, Format]:
    """Formats by name; the module of one, in this package, is imported when it is asked for."""

    def load(name: str) -> Format:
        module, _, record = locations[name].partition(":")
        form: Format = getattr(import_module(f"{__name__}.{module}"), record)
        return form

    return LazyMapping(locations, load)


FORMATS: Final[Mapping[str, Format]] = _formats(
    lines="plain_text:LINES",
    text="plain_text:TEXT",
    nlp="nlp:NLP",
    stm="stm:STM",
    ctm="ctm:CTM",
    trn="trn:TRN",
    kaldi="kaldi:KALDI",
    nemo="nemo:NEMO",
    docvqa="docvqa:DOCVQA",
    seglst="seglst:SEGLST",
    webvtt="subtitles:WEBVTT",
    srt="subtitles:SRT",
    textgrid="textgrid:TEXTGRID",
    whisper="whisper:WHISPER",
    whisper_tsv="whisper_tsv:WHISPER_TSV",
    page="page_xml:PAGE",
    alto="alto_xml:ALTO",
    hocr="hocr:HOCR",
    abbyy="abbyy_xml:ABBYY",
    ocr_json="ocr_json:OCR_JSON",
    tesseract_tsv="tesseract_files:TESSERACT_TSV",
    tesseract_box="tesseract_files:TESSERACT_BOX",
    icdar="text_boxes:ICDAR",
    funsd="text_boxes:FUNSD",
    inspect="inspect_log:INSPECT",
    lm_eval="lm_eval:LM_EVAL",
)
"""Formats of files that are scored as they are. A file that several recognise is of the first of them."""

TABLES: Final[Mapping[str, Format]] = _formats(
    jsonl="tables:JSONL",
    json="tables:JSON",
    csv="tables:CSV",
    tsv="tables:TSV",
    parquet="tables:PARQUET",
    asr_log="asr_log:ASR_LOG",
)
"""Formats of tables, whose columns options name; recognised after those of `FORMATS`."""


def find_format(form: str | Format, *, kinds: Sequence[Kind] = SEGMENTED, where: str = "") -> Format:
    """A format of one of these kinds by its name, by the dotted name of a record of a study, or as the record itself.

    The name may have settings: `page(level=line)`. Raises UnknownNameError, with `where`, if there is no such name,
    setting or value, and ConfigurationError if the format is of another kind, or the dotted name is not that of a
    format of a plug-in.
    """
    record = _read(form, kinds, where) if isinstance(form, str) else form
    if record.kind not in kinds:
        prefix = f"{where}: " if where else ""
        raise ConfigurationError(f"{prefix}the format {record} holds {record.kind}, expected {' or '.join(kinds)}.")
    return record


def _read(text: str, kinds: Sequence[Kind], where: str) -> Format:
    spelled = read_name(text, "format", example="page(level=line)", where=where)
    if spelled.own_id is not None:
        raise ConfigurationError(f"{f'{where}: ' if where else ''}format {text!r}: a format has no id; leave it out.")
    form = _look_up(spelled.name, kinds, where)
    location = f"{where}: {spelled.name}" if where else spelled.name
    for name in spelled.settings:
        check_choice("setting", name, form.defaults, where=location)
    if not spelled.settings:
        return form
    return form.given(**fit_settings(type(form.settings), spelled.settings, where=location))


def _look_up(name: str, kinds: Sequence[Kind], where: str) -> Format:
    if "." in name:
        from misread.provenance.plugins import find_object

        return find_object(name, Format)
    if name not in FORMATS or FORMATS[name].kind not in kinds:
        raise UnknownNameError("format", name, _names_of(kinds), where=where)
    return FORMATS[name]


def _names_of(kinds: Sequence[Kind]) -> list[str]:
    return [name for name, form in FORMATS.items() if form.kind in kinds]
