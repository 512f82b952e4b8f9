"""Transcripts with the outputs of speech recognition systems: TRN, STM with CTM, and files of tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from misread.datasets.base import below, digest_segments
from misread.datasets.formats.nlp import read_entities, read_nlp
from misread.datasets.formats.paired_files import DEFAULT, FolderOptions, pair_folders
from misread.datasets.formats.transcripts import (
    TimedItem,
    TimedSegment,
    cut_words,
    find_overlaps,
    find_strays,
    read_ctm,
    read_stm,
    read_trn,
    write_items,
)
from misread.datasets.transcript_notes import REFERENCES, note_marks, note_overlaps, note_strays
from misread.errors import InputFileError
from misread.files.text import UTF_8
from misread.records import SegmentTable
from misread.text.alternatives import Items, Word, has_choices, list_words, parse_alternatives
from misread.text.patterns import take_group

_NLP_FILES: Final = ("*.nlp",)


@dataclass(frozen=True)
class TrnFiles:
    """Utterances in TRN files, one of references and one per system.

    Parameters
    ----------
    root : str
        Folder of the data set.
    reference : str
        File of references, relative to `root`; it may have alternatives.
    recorded : mapping of str to str
        File of each system's outputs.
    cluster : str, optional
        Regular expression whose one group is the cluster in an id.
    optional_words : bool
        Whether a word in parentheses is optional; otherwise it is compared as written.
    provenance : str
        Source of the data and its licence.
    """

    root: str
    reference: str
    recorded: Mapping[str, str]
    cluster: str = ""
    optional_words: bool = False
    provenance: str = ""

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(f"recorded:{name}" for name in self.recorded)

    def segments(self) -> SegmentTable:
        """Read all files; `below` and `read_trn_files` say what is refused."""
        root = Path(self.root)
        paths = {name: below(root, file, f"setting recorded.{name}") for name, file in self.recorded.items()}
        reference = below(root, self.reference, "setting reference")
        table = read_trn_files(reference, paths, cluster=self.cluster, optional_words=self.optional_words)
        if table.alternatives == "both":
            system = next(name for name, texts in table.hypotheses.items() if any(map(_reads_in_several_ways, texts)))
            raise InputFileError(
                f"the outputs of {system!r} have alternatives, which stages cannot score; `misread score` can."
            )
        return table


@dataclass(frozen=True)
class NlpFolders:
    """Recordings as files of tokens, in one folder of references and one per system.

    Parameters
    ----------
    root : str
        Folder of the data set.
    reference : str
        Folder of references, relative to `root`.
    recorded : mapping of str to str
        Folder of each system's outputs.
    alternatives : str, optional
        Folder of alternative wordings of the references.
    entities : str, optional
        Folder of files with the labels of all entities of the references.
    provenance : str
        Source of the data and its licence.
    """

    root: str
    reference: str
    recorded: Mapping[str, str]
    alternatives: str = ""
    entities: str = ""
    provenance: str = ""

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(f"recorded:{name}" for name in self.recorded)

    def segments(self) -> SegmentTable:
        """Read all files; `below` and `read_nlp_files` say what is refused."""
        root = Path(self.root)
        paths = {name: below(root, folder, f"setting recorded.{name}") for name, folder in self.recorded.items()}
        alternatives = below(root, self.alternatives, "setting alternatives") if self.alternatives else None
        reference = below(root, self.reference, "setting reference")
        entities = below(root, self.entities, "setting entities") if self.entities else None
        return read_nlp_files(reference, paths, alternatives=alternatives, entities=entities)


def read_trn_files(
    reference: Path,
    hypotheses: Mapping[str, Path],
    *,
    cluster: str = "",
    optional_words: bool = False,
    encoding: str = UTF_8,
) -> SegmentTable:
    """Read TRN files, of hypotheses by system; ids are matched without case, and spelt as in the references.

    An utterance without hypothesis is a missing one. `cluster` is a regular expression whose one group is the cluster
    in an id. With `optional_words`, a word in parentheses may be omitted; otherwise it is compared as written.
    """
    references = read_trn(reference, optional_words=optional_words, encoding=encoding)
    if not references:
        raise InputFileError(f"{reference} has no utterance, expected lines `TEXT (ID)`.")
    ids = [utterance.utterance_id for utterance in references]
    clusters = _clusters(ids, cluster)
    notes = note_marks(REFERENCES, [(each.items, each.place) for each in references], optional_words)
    keys = {each.casefold(): None for each in ids}
    found: dict[str, list[Items | None]] = {}
    notes_on: dict[str, list[str]] = {}
    for system, path in hypotheses.items():
        read = read_trn(path, optional_words=optional_words, encoding=encoding)
        utterances = {each.utterance_id.casefold(): each for each in read}
        for key, utterance in utterances.items():
            if key not in keys:
                raise InputFileError(
                    f"{utterance.place}: {reference} has no utterance {utterance.utterance_id!r} to compare with."
                )
        found[system] = [utterances[key].items if key in utterances else None for key in keys]
        notes_on[system] = [
            *([] if utterances else [f"{system}: {path.name} has no utterance."]),
            *note_marks(system, [(each.items, each.place) for each in utterances.values()], optional_words),
        ]
    return replace(
        _in_one_notation(reference.stem, ids, [utterance.items for utterance in references], found),
        cluster=clusters,
        cluster_name="speaker" if clusters else "",
        notes=notes,
        notes_on_hypotheses=notes_on,
    )


def read_timed_files(
    reference: Path, hypotheses: Mapping[str, Path], *, optional_words: bool = False, encoding: str = UTF_8
) -> SegmentTable:
    """Read an STM file and CTM files, by system; each word belongs to the segment at its time.

    Segments to be ignored take their words with them. A channel without words is a missing hypothesis of all its
    segments. Segment ids are SPEAKER-NUMBER, the cluster is the speaker; groups are file, channel, speaker and every
    label position. Confidences are an annotation of the systems that have some.
    """
    segments, label_names = read_stm(reference, optional_words=optional_words, encoding=encoding)
    scored = [segment for segment in segments if not segment.ignored]
    if not scored:
        raise InputFileError(f"{reference} has no segment to score: all are to be ignored.")
    channels = {
        key: list(of_channel)
        for key, of_channel in groupby(sorted(segments, key=lambda segment: segment.key), lambda segment: segment.key)
    }
    found: dict[str, list[Items | None]] = {}
    notes_on: dict[str, list[str]] = {}
    confidences: dict[str, list[list[Any] | None]] = {}
    for system, path in hypotheses.items():
        words = read_ctm(path, optional_words=optional_words, encoding=encoding)
        for key, of_channel in words.items():
            if key not in channels:
                raise InputFileError(
                    f"{of_channel[0].place}: {reference} has no file {key[0]!r} with channel {key[1]!r}."
                )
        cut: dict[TimedSegment, tuple[TimedItem, ...]] = {}
        strays: list[TimedItem] = []
        for key, in_channel in channels.items():
            if key in words:
                cut |= dict(zip(in_channel, cut_words(in_channel, words[key]), strict=True))
                strays += find_strays(in_channel, words[key])
        found[system] = [_items(cut[segment]) if segment in cut else None for segment in scored]
        confidences[system] = [_confidences(cut.get(segment, ())) for segment in scored]
        marked = [((word.item,), word.place) for each in words.values() for word in each]
        notes_on[system] = [
            *([] if words else [f"{system}: {path.name} has no word."]),
            *note_marks(system, marked, optional_words),
            *note_strays(system, strays),
        ]
    speakers = [segment.speaker for segment in scored]
    return replace(
        _in_one_notation(reference.stem, _number(speakers), [segment.items for segment in scored], found),
        cluster=speakers,
        cluster_name="speaker",
        groups={
            "file": [segment.file for segment in scored],
            "channel": [segment.channel for segment in scored],
            "speaker": speakers,
            **{name: [segment.labels[row] for segment in scored] for row, name in enumerate(label_names)},
        },
        times=[(segment.begin, segment.end) for segment in scored],
        annotations_of={
            system: {"confidence": of} for system, of in confidences.items() if any(each is not None for each in of)
        },
        notes=[
            *note_marks(REFERENCES, [(each.items, each.place) for each in scored], optional_words),
            *note_overlaps([segment for of_channel in channels.values() for segment in find_overlaps(of_channel)]),
        ],
        notes_on_hypotheses=notes_on,
    )


def read_nlp_files(
    reference: Path,
    hypotheses: Mapping[str, Path],
    options: FolderOptions = DEFAULT,
    *,
    alternatives: Path | None = None,
    entities: Path | None = None,
    encoding: str = UTF_8,
) -> SegmentTable:
    """Read files of tokens, or folders of them paired by path or stem, by system; a file is a segment.

    A file that a folder lacks is a missing hypothesis; folders may have other files than `*.nlp`. `alternatives` is a
    folder of STEM.norm.json with alternative wordings of the references. Without these, labels of entities are an
    annotation of the references; `entities` is a folder of STEM.wer_tag.json with those of all ids.
    """
    pairs = None
    segments, paths = [reference.stem], [reference]
    files: Mapping[str, Sequence[Path | None]] = {system: [path] for system, path in hypotheses.items()}
    if reference.is_dir() or any(path.is_dir() for path in hypotheses.values()):
        pairs = pair_folders(reference, hypotheses, replace(options, patterns=options.patterns or _NLP_FILES))
        segments, paths, files = list(pairs.segment_id), list(pairs.references), pairs.hypotheses
    candidates = [alternatives / f"{each}.norm.json" if alternatives else None for each in segments]
    table = _in_one_notation(
        reference.stem,
        segments,
        [read_nlp(path, of, encoding=encoding) for path, of in zip(paths, candidates, strict=True)],
        {
            system: [None if path is None else read_nlp(path, encoding=encoding) for path in of]
            for system, of in files.items()
        },
    )
    if alternatives is None:
        table = replace(table, annotations=_entities(segments, paths, entities, encoding))
    return pairs.describe(table) if pairs else table


def _entities(
    segments: Sequence[str], paths: Sequence[Path], folder: Path | None, encoding: str
) -> dict[str, list[list[list[str]] | None]]:
    tags = [folder / f"{each}.wer_tag.json" if folder else None for each in segments]
    labels = [read_entities(path, of, encoding=encoding) for path, of in zip(paths, tags, strict=True)]
    return {"entities": labels} if any(labels) else {}


def _in_one_notation(
    name: str, ids: Sequence[str], references: Sequence[Items], hypotheses: Mapping[str, Sequence[Items | None]]
) -> SegmentTable:
    """Texts of all systems in one notation, so that their errors are counted alike."""
    alternatives = ""
    if any(has_choices(items) for texts in hypotheses.values() for items in texts if items is not None):
        alternatives = "both"
    elif any(map(has_choices, references)):
        alternatives = "references"
    written = [write_items(items, in_notation=bool(alternatives)) for items in references]
    both = alternatives == "both"
    return SegmentTable(
        name=name,
        digest=digest_segments(ids, written),
        segment_id=ids,
        references=written,
        hypotheses={
            system: [None if items is None else write_items(items, in_notation=both) for items in texts]
            for system, texts in hypotheses.items()
        },
        alternatives=alternatives,
    )


def _items(words: Sequence[TimedItem]) -> Items:
    return tuple(word.item for word in words)


def _confidences(words: Sequence[TimedItem]) -> list[Any] | None:
    """Confidence of each word of a segment, or of the words of each alternative; None where no word has one."""
    if all(word.confidence is None for word in words):
        return None
    # A word `@` is no word.
    return [
        word.confidence
        for word in words
        for _ in (list_words((word.item,)) if isinstance(word.item, Word) else (word.item,))
    ]


def _reads_in_several_ways(text: str | None) -> bool:
    return text is not None and has_choices(parse_alternatives(text))


def _clusters(ids: Sequence[str], pattern: str) -> list[str] | None:
    if not pattern:
        return None
    # As everywhere in this format, case is not told apart.
    return [cluster.casefold() for cluster in take_group(pattern, ids, name="--cluster", what="cluster")[1]]


def _number(speakers: Sequence[str]) -> list[str]:
    """Ids SPEAKER-NUMBER, numbers from 0 for each speaker."""
    numbers: Counter[str] = Counter()
    ids = []
    for speaker in speakers:
        ids.append(f"{speaker}-{numbers[speaker]:03d}")
        numbers[speaker] += 1
    return ids
