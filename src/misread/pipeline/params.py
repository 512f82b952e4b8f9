"""params.yaml, the composed configuration: read and turned into objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from itertools import chain
from pathlib import Path
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Final, cast

from misread.data.segment_table import MissingPolicy
from misread.errors import ConfigurationError, InputFileError, MisreadError, setting, spell_as_key
from misread.io.checks.choices import check_choice
from misread.io.file_lists import LIST_NAME, changed_files, is_inside, not_as_pinned
from misread.io.names import bare_name
from misread.io.yaml_files import read_yaml
from misread.pipeline import paths
from misread.pipeline.instantiation import OWN, Made, find_class, instantiate, make, modules_of
from misread.provenance.plugins import STUDY, find_study_module, installed_plugins, use_study_modules

if TYPE_CHECKING:
    from misread.data import CountsSettings, Dataset, PairingSettings, Slice
    from misread.engines import CaptureSettings, Engine
    from misread.execution import Executor
    from misread.metrics import Metric
    from misread.normalize import Normalizer
    from misread.pipeline.crosscheck import CrossCheckSettings
    from misread.stats import StatisticsSettings
    from misread.tables import ReportSettings

PARAMS_FILE = Path("params.yaml")

# Names as in a configuration, not imports: a stage depends on the code of the objects it makes, and on nothing else.
_KINDS: Final = {
    "capture": "misread.engines.CaptureSettings",
    "counts": "misread.data.CountsSettings",
    "crosscheck": "misread.pipeline.crosscheck.CrossCheckSettings",
    "datasets": "misread.data.Dataset",
    "executor": "misread.execution.Executor",
    "normalizer": "misread.normalize.Normalizer",
    "pairing": "misread.data.PairingSettings",
    "report": "misread.tables.ReportSettings",
    "slice": "misread.data.Slice",
    "statistics": "misread.stats.StatisticsSettings",
    "systems": "misread.engines.Engine",
    "watched": "misread.data.WatchedFolder",
}
_BESIDE_READER: Final = ("slice", "counts", "pairing", "watched")
"""Kinds whose settings are among those of a data set's reader."""
_PROFILES: Final = "misread.normalize.PROFILES"
_METRIC_NAMES: Final = "misread.sockets.metric_names"
_SETTINGS: Final = "misread.sockets.settings"
_ID = re.compile(r"[a-z0-9_]+")
RESERVED_IDS: Final = frozenset({"item", "key"})
_NUMBER_TO_DVC: Final = re.compile(r"0o[0-7_]+|[0-9_]*(?:__[0-9_]*|_)e[0-9]+")
"""Ids that OmegaConf writes into params.yaml without quotes, and that are numbers in YAML 1.2, which DVC reads."""
_WATCHED: Final = "watched"


@dataclass(frozen=True)
class Params:
    """The composed configuration: sections of params.yaml, and the path of its file for messages.

    The package `study`, where `plugins` lists it, is looked for in src/ of `root`, the study's folder.
    """

    content: Mapping[str, Any]
    path: Path = PARAMS_FILE
    root: Path = Path()

    @property
    def systems(self) -> list[str]:
        """Ids of systems, in the order of the configuration.

        A stage that needs no more than these depends on them alone, not on the settings of the systems.
        """
        ids = self.content.get("system_ids")
        # An empty one is refused as any empty group.
        if not ids:
            return self.ids("systems")
        return [check_id("systems", system_id, where=str(self.path)) for system_id in self.names(ids, "system_ids")]

    @property
    def datasets(self) -> list[str]:
        """Ids of data sets, in the order of the configuration."""
        return self.ids("datasets")

    def choose_dataset(self, dataset: str | None) -> str:
        """The data set of this id or, where none is named, the only one.

        Raises UnknownNameError if there is none of this id, and ConfigurationError if one of several has to be named.
        """
        known = self.datasets
        if dataset is None and len(known) > 1:
            raise ConfigurationError(
                f"{self.path} has {len(known)} data sets; choose one, such as {setting('dataset', known[0])}. There "
                f"are: {', '.join(known)}."
            )
        chosen = known[0] if dataset is None else dataset
        check_choice("data set", chosen, known, where=str(self.path))
        return chosen

    def ids(self, group: str) -> list[str]:
        """Ids in a section of entries, such as systems; raises ConfigurationError if there is none."""
        section = self.section(group)
        if not isinstance(section, dict) or not section:
            raise ConfigurationError(f"{group} is empty in {self.path}; choose at least one in conf/config.yaml.")
        for entry_id in section:
            check_id(group, entry_id, where=str(self.path))
        return list(section)

    @property
    def baseline(self) -> str:
        """Id of the system that the others are compared with."""
        chosen = self.section("baseline")
        if chosen is None:
            return self.systems[0]
        check_choice("system", chosen, self.systems, where=f"{self.path} (baseline)")
        return str(chosen)

    @property
    def missing(self) -> MissingPolicy:
        """Policy for segments without a hypothesis."""
        policy = self.section("missing")
        check_choice("policy", policy, MissingPolicy, where=f"{self.path} (missing)")
        return cast("MissingPolicy", policy)

    @property
    def data_root(self) -> str:
        """Folder that holds data sets from outside the repository."""
        root = self.section("data_root")
        if not isinstance(root, str) or not root:
            raise ConfigurationError(f"{self.path}: data_root is {root!r}, expected a folder.")
        return root

    @property
    def plugins(self) -> list[str]:
        """Names of the packages and modules other than misread whose classes the file names."""
        packages = self.content.get("plugins", [])
        if not isinstance(packages, list) or not all(isinstance(name, str) for name in packages):
            raise ConfigurationError(f"{self.path}: plugins is {packages!r}, expected a list of names of packages.")
        return packages

    def crosscheck(self) -> CrossCheckSettings:
        """Settings of the cross-check by a second implementation."""
        return cast("CrossCheckSettings", self.make(self._kind("crosscheck"), self.section("crosscheck"), "crosscheck"))

    def dataset(self, dataset_id: str) -> Dataset:
        """Make the reader of a data set; `{data_root}` in its folder becomes the setting of that name."""
        section = self._look_up("datasets", dataset_id)
        if isinstance(section, Mapping) and "{data_root}" in str(section.get("root")):
            # Replaced here and not composed: no result depends on where the data lies.
            section = {**section, "root": str(section["root"]).replace("{data_root}", self.data_root)}
        others = [self._kind(kind) for kind in _BESIDE_READER]
        made = self.make_target(
            self._kind("datasets"), section, f"datasets.{dataset_id}", key=dataset_id, without=others
        )
        return cast("Dataset", made)

    def dataset_folder(self, dataset_id: str) -> str:
        """Folder of a data set as written in the file."""
        section = self._look_up("datasets", dataset_id)
        return str(section["root"] if "root" in section else self.dataset(dataset_id).root)

    def data_changes(self, dataset_id: str) -> str:
        """Say which files of a data set are not those that its list names, and what to do; empty where all are.

        Files of the size and time that they had when they were last read are not read again.
        """
        root = self.dataset_folder(dataset_id).replace("{data_root}", self.data_root)
        folder, card = Path(root), paths.card(dataset_id)
        if is_inside(folder, self.watched(dataset_id)):
            return ""
        changed = changed_files(folder, card, paths.pinned_record(dataset_id))
        return not_as_pinned(dataset_id, folder, card / LIST_NAME, changed) if changed else ""

    def watched(self, dataset_id: str) -> Path:
        """Folder of the project in which DVC looks for changes of a data set: its own, or that of its card."""
        return Path(str(self._look_up("datasets", dataset_id).get(_WATCHED, paths.card(dataset_id))))

    def check_watched(self, dataset_id: str) -> None:
        """Raise ConfigurationError, with what to write, for a data set in which DVC would not see a change."""
        own, card = paths.folder_in_project(self.dataset_folder(dataset_id)), paths.card(dataset_id)
        folders = [card] if own is None or own == card else [own, card]
        watched = self._look_up("datasets", dataset_id).get(_WATCHED)
        if not isinstance(watched, str) or Path(watched) not in folders:
            choices = " or, with the list that `misread pin` writes, ".join(f"`{_WATCHED}: {path}`" for path in folders)
            raise ConfigurationError(
                f"{self.path}: datasets.{dataset_id}.{_WATCHED} is {shortened(watched)}, expected the folder in which "
                f"DVC looks for changes of the data: {choices}, in conf/datasets/{dataset_id}.yaml."
            )

    def slice(self, dataset_id: str) -> Slice:
        """Slice of a data set: settings of it that are not its reader's."""
        return cast("Slice", self._own("slice", "datasets", dataset_id))

    def counts_settings(self, dataset_id: str) -> CountsSettings:
        """Settings of the committed counts of a data set."""
        return cast("CountsSettings", self._own("counts", "datasets", dataset_id))

    def pairing(self, dataset_id: str) -> PairingSettings:
        """Whether outputs of a data set that fit other references are refused."""
        return cast("PairingSettings", self._own("pairing", "datasets", dataset_id))

    def engine(self, system_id: str) -> Engine:
        """Make the engine of a system."""
        section, capture = self._look_up("systems", system_id), self._kind("capture")
        made = self.make_target(
            self._kind("systems"), section, f"systems.{system_id}", key=system_id, without=[capture]
        )
        return cast("Engine", made)

    def capture_settings(self, system_id: str) -> CaptureSettings:
        """Settings of a system that are not its engine's."""
        return cast("CaptureSettings", self._own("capture", "systems", system_id))

    def system_settings(self, system_id: str) -> Mapping[str, Any]:
        """Settings of a system as written in the file."""
        return cast("Mapping[str, Any]", self._look_up("systems", system_id))

    def normalizer(self) -> Normalizer:
        """The normalizer: built in, by its name, or one of the configuration's own."""
        return self.make_normalizer(self.section("normalizer"), "normalizer")

    def metrics(self, dataset_id: str | None = None) -> list[Metric]:
        """Metrics that the configuration names by their ids, in its order.

        An entry of a section that a feature reads may be a metric, too, such as a judge: of this data set.
        """
        names = self._metric_names()
        if not names:
            raise ConfigurationError(f"metrics is empty in {self.path}; choose at least one in conf/config.yaml.")
        chosen = [
            self._added_metric(metric_id, name, dataset_id) or self._metric(metric_id, name)
            for metric_id, name in names.items()
        ]
        # An import of its own: a stage depends on the code of the metrics where it has some.
        import_module(_METRIC_NAMES).require_companions(chosen)
        return chosen

    def metric_files(self) -> list[Path]:
        """Files that names of metrics have as settings, in the study's folder."""
        if not self.content.get("metrics"):
            return []
        names = (name for name in self._metric_names().values() if "(" in str(name))
        return [
            self.root / path
            for name in names
            for path in import_module(_METRIC_NAMES).files_of_metric(name, where=f"{self.path}: metrics")
        ]

    def statistics(self) -> StatisticsSettings:
        """Make the settings of the statistics."""
        return cast("StatisticsSettings", self._from_section("statistics"))

    def report(self) -> ReportSettings:
        """Make the settings of the report, with a name of its own for each system."""
        return cast("ReportSettings", self._from_section("report")).with_systems(self.systems)

    def executor(self) -> Executor:
        """Make the executor, which decides where work runs; no result depends on it."""
        return cast("Executor", self._from_section("executor"))

    def _metric_names(self) -> dict[str, Any]:
        """Names of metrics by their ids, with which files, columns and keys are called."""
        return self.entries("metrics", "names by id, such as {cer: cer}")

    def _added_metric(self, metric_id: str, name: Any, dataset_id: str | None) -> Metric | None:
        """The metric that an entry of a feature's section is, if this is its id."""
        built_in, sockets = import_module(_METRIC_NAMES).NAMES, import_module(_SETTINGS)
        for section in sockets.METRIC_SECTIONS:
            entries = self.content.get(section)
            known = entries.keys() - built_in.keys() if isinstance(entries, Mapping) else ()
            entry_id = next((own for own in (metric_id, name) if isinstance(own, str) and own in known), None)
            made: Metric | None = (
                sockets.SETTINGS[section].load()().metric(self, entry_id, dataset_id) if entry_id else None
            )
            if made is not None and name != metric_id:
                raise ConfigurationError(
                    f"{self.path}: metrics.{metric_id} is {shortened(name)}; name a {section.removesuffix('s')} by its "
                    "own id, which no other metric may have."
                )
            if made is not None:
                return made
        return None

    def _metric(self, metric_id: str, name: Any) -> Metric:
        """Make the metric of a name."""
        where = f"{self.path}: metrics.{metric_id}"
        if not isinstance(name, str):
            raise ConfigurationError(f"{where} is {shortened(name)}, expected the name of a metric, such as cer.")
        if "." in (dotted := bare_name(name)):
            self._use_plugins({dotted.rpartition(".")[0]}, where)
        try:
            made: Metric = import_module(_METRIC_NAMES).get_metric(name, metric_id, where=where, root=self.root)
        except MisreadError as error:
            # The command that runs may have an option of the same name.
            error.spelling = spell_as_key
            raise
        return made

    def listed_metrics(self, listed: Any, name: str) -> list[Metric]:
        """Metrics by the ids that a setting lists: those of `metrics` or, where it has none of an id, built in."""
        listed = self.names(listed, name)
        names = self._metric_names()
        built_in = import_module(_METRIC_NAMES).METRICS
        for metric_id in listed:
            known = {**dict.fromkeys(built_in), **names}
            check_choice("metric", metric_id, known, where=f"{self.path}: {name}", catalogue="metrics")
            if listed.count(metric_id) > 1:
                raise ConfigurationError(f"{self.path}: {name} names {metric_id!r} twice; once is enough.")
        return [self._metric(metric_id, names.get(metric_id, metric_id)) for metric_id in listed]

    def make_normalizer(self, described: Any, name: str) -> Normalizer:
        """Look a normalizer up by its name, or make one of a name and steps, or of a class."""
        if isinstance(described, str):
            module, _, attribute = _PROFILES.rpartition(".")
            known: Mapping[str, Any] = getattr(import_module(module), attribute)
            check_choice("normalizer", described, known, where=f"{self.path}: {name}", catalogue="normalizers")
            described = {"name": described, "steps": known[described]}
        if not isinstance(described, Mapping):
            raise ConfigurationError(
                f"{self.path}: {name} is {described!r}, expected the name of a normalizer, or its own name and steps."
            )
        described = {"_target_": _KINDS["normalizer"], **described}
        return cast("Normalizer", self.make_target(self._kind("normalizer"), described, name))

    def make(self, kind: type[Made], settings: Any, name: str) -> Made:
        """Make an object of a class from settings; `name` is that of the section, for messages."""
        return make(kind, settings, where=f"{self.path}: {name}")

    def make_own(self, kind: type[Made], name: str, section: Mapping[str, Any]) -> Made:
        """Make what has those settings of a section that are not of its own class."""
        own = _setting_names(kind)
        return self.make(kind, {setting: value for setting, value in section.items() if setting in own}, name)

    def make_target(
        self, kind: type[Any], section: Any, name: str, *, key: str | None = None, without: Sequence[type] = ()
    ) -> Any:
        """Make the object that a section describes by its `_target_`, of a class of this kind.

        Settings of the classes `without` may be in the section, too.
        """
        where = f"{self.path}: {name}"
        others = [*chain.from_iterable(map(_setting_names, without))]
        if isinstance(section, Mapping):
            section = {setting: value for setting, value in section.items() if setting not in others}
        self._use_plugins(modules_of(section), where)
        made = instantiate(section, where=where, key=key, others=others)
        if not isinstance(made, kind):
            raise ConfigurationError(f"{where}: expected {kind.__name__}, got {type(made).__name__}.")
        return made

    def _own(self, kind: str, group: str, entry_id: str) -> object:
        return self.make_own(self._kind(kind), f"{group}.{entry_id}", self._look_up(group, entry_id))

    def _from_section(self, name: str) -> object:
        return self.make_target(self._kind(name), self.section(name), name)

    def _kind(self, name: str) -> type[Any]:
        return find_class(_KINDS[name], str(self.path))

    def _use_plugins(self, modules: Iterable[str], where: str) -> None:
        """Let modules of plug-ins be imported; raises ConfigurationError for one that `plugins` does not list."""
        unlisted = {module.split(".")[0] for module in modules} - {OWN, *self.plugins}
        known = {name for name in unlisted if name in installed_plugins() or find_study_module(name, self._sources)}
        if known:
            package = min(known)
            raise ConfigurationError(
                f"{where}: `plugins` does not list {package}, so that no stage would run again when it changes; set "
                f"`plugins: [{package}]` in conf/config.yaml and run `misread compose`."
            )
        use_study_modules({STUDY.name}.intersection(self.plugins), self._sources)

    @property
    def _sources(self) -> Path:
        """Folder that holds the package of the study's own code."""
        return self.root / STUDY.parent

    def _look_up(self, group: str, entry_id: str) -> Any:
        check_choice(group.removesuffix("s"), entry_id, self.ids(group), where=f"{self.path} ({group})")
        return self.section(group)[entry_id]

    def names(self, listed: Any, name: str) -> list[Any]:
        """A list of names that a setting is; raises ConfigurationError if it is none."""
        if not isinstance(listed, list):
            raise ConfigurationError(f"{self.path}: {name} is {shortened(listed)}, expected a list of names.")
        return listed

    def entries(self, name: str, expected: str, *, optional: bool = False) -> dict[str, Any]:
        """A section of entries by their ids, which may lack if it is `optional`; raises ConfigurationError."""
        section = self.content.get(name, {}) if optional else self.section(name)
        if not isinstance(section, Mapping):
            raise ConfigurationError(f"{self.path}: {name} is {shortened(section)}, expected {expected}.")
        return {check_id(name, entry_id, where=str(self.path)): entry for entry_id, entry in section.items()}

    def section(self, name: str) -> Any:
        """A section as it is in the file; raises ConfigurationError if it lacks."""
        if name not in self.content:
            raise ConfigurationError(f"{self.path} has no {name!r}; run `misread compose` to write it again.")
        return self.content[name]


def _setting_names(kind: type[Any]) -> list[str]:
    return [setting.name for setting in fields(kind)]


def load_params(path: Path = PARAMS_FILE) -> Params:
    """Read the composed configuration; raises InputFileError if it is missing or is not valid YAML."""
    if not path.is_file():
        raise InputFileError(f"there is no {path} here; run `misread compose` in the project's folder.")
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise InputFileError(f"{path} holds no settings; run `misread compose` to write it again.")
    return Params(content, path, path.parent)


def check_id(group: str, entry_id: object, *, where: str) -> str:
    """Return an id, or raise ConfigurationError if dvc.yaml could not use it as a key.

    Dots, dashes, capitals, bare numbers, what DVC reads as a number, and the words `item` and `key` are refused.
    """
    if not isinstance(entry_id, str) or not is_id(entry_id):
        raise ConfigurationError(
            f"id {entry_id!r} in {where} ({group}) cannot be used: ids are made of a-z, 0-9 and _, are no numbers "
            f"without quotes, and {' and '.join(sorted(RESERVED_IDS))} are taken."
        )
    return entry_id


def is_id(text: str) -> bool:
    """Whether a text can be an id."""
    return bool(_ID.fullmatch(text)) and text not in RESERVED_IDS and not _NUMBER_TO_DVC.fullmatch(text)
