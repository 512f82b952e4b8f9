"""Data sets of transcripts with the recorded outputs of speech recognition systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from misread.datasets.base import below
from misread.datasets.user_transcripts import read_nlp_files, read_trn_files
from misread.errors import InputFileError
from misread.records import Capture, Segment, Source


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
    def cluster_name(self) -> str:
        return "speaker" if self.cluster else ""

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(f"recorded:{name}" for name in self.recorded)

    def segments(self) -> list[Segment]:
        """Read all files; `below` and `read_trn_files` say what is refused."""
        root = Path(self.root)
        paths = {name: below(root, file, f"setting recorded.{name}") for name, file in self.recorded.items()}
        reference = below(root, self.reference, "setting reference")
        return _segments(read_trn_files(reference, paths, cluster=self.cluster, optional_words=self.optional_words))


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
    provenance : str
        Source of the data and its licence.
    """

    root: str
    reference: str
    recorded: Mapping[str, str]
    alternatives: str = ""
    provenance: str = ""

    @property
    def cluster_name(self) -> str:
        return ""

    @property
    def offers(self) -> frozenset[str]:
        return frozenset(f"recorded:{name}" for name in self.recorded)

    def segments(self) -> list[Segment]:
        """Read all files; `below` and `read_nlp_files` say what is refused."""
        root = Path(self.root)
        paths = {name: below(root, folder, f"setting recorded.{name}") for name, folder in self.recorded.items()}
        alternatives = below(root, self.alternatives, "setting alternatives") if self.alternatives else None
        reference = below(root, self.reference, "setting reference")
        return _segments(read_nlp_files(reference, paths, alternatives=alternatives))


def _segments(captures: Mapping[str, Capture]) -> list[Segment]:
    for system, capture in captures.items():
        if capture.origin.alternatives == "both":
            raise InputFileError(
                f"the outputs of {system!r} read in several ways, which stages cannot score; `misread score` can."
            )
    first = next(iter(captures.values()))
    keys = first.segments
    return [
        Segment(
            Source(segment_id, None, {name: capture.texts.hypotheses[row] for name, capture in captures.items()}),
            first.texts.references[row],
            keys.cluster[row] if keys.cluster else None,
            {},
            bool(first.origin.alternatives),
            tuple(note for capture in captures.values() for note in capture.origin.notes) if row == 0 else (),
        )
        for row, segment_id in enumerate(keys.segment_id)
    ]
