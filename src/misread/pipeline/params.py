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
from misread.errors import ConfigurationError, InputFileError, MisreadError, spell_as_key
from misread.io.checks.choices import check_choice
from misread.io.file_lists import LIST_NAME, changed_files, is_inside, not_as_pinned
from misread.io.yaml_files import read_yaml
from misread.pipeline import paths
from misread.pipeline.instantiation import OWN, find_class, instantiate, make, modules_of
from misread.provenance.plugins import STUDY, find_study_module, installed_plugins, use_study_modules
from misread.sockets.names import bare_name
from misread.storage.remote import fetch_folder, local_folder

if TYPE_CHECKING:
    from misread.data import CountsSettings, Dataset, PairingSettings, Slice
    from misread.engines import CaptureSettings, Engine, Judge
    from misread.engines.prices import ModelPrice
    from misread.execution import Executor
    from misread.metrics import Metric
    from misread.normalize import Normalizer
    from misread.pipeline.crosscheck import CrossCheckSettings
    from misread.stats import StatisticsSettings
    from misread.tables import ReportSettings
    from misread.tally import Equivalents

PARAMS_FILE = Path("params.yaml")

# Names as in a configuration, not imports: a stage depends on the code of the objects it makes, and on nothing else.
_KINDS: Final = {
    "ablation": "misread.features.regimes.AblationSettings",
    "capture": "misread.engines.CaptureSettings",
    "counts": "misread.data.CountsSettings",
    "crosscheck": "misread.pipeline.crosscheck.CrossCheckSettings",
    "datasets": "misread.data.Dataset",
    "judge": "misread.features.judges.decision_files.JudgeSettings",
    "judges": "misread.engines.Judge",
    "equivalents": "misread.tally.Equivalents",
    "executor": "misread.execution.Executor",
    "normalizer": "misread.normalize.Normalizer",
    "pairing": "misread.data.PairingSettings",
    "prices": "misread.engines.prices.ModelPrice",
    "regime": "misread.features.regimes.Regime",
    "report": "misread.tables.ReportSettings",
    "slice": "misread.data.Slice",
    "statistics": "misread.stats.StatisticsSettings",
    "systems": "misread.engines.Engine",
    "watched": "misread.data.WatchedFolder",
}
_BESIDE_READER: Final = ("slice", "counts", "pairing", "watched")
"""Kinds whose settings stand among those of a data set's reader."""
_PROFILES: Final = "misread.normalize.PROFILES"
_RECORDED_JUDGE: Final = "misread.features.judges.RecordedJudge"
_METRIC_NAMES: Final = "misread.sockets.metric_names"
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
        return [check_id("systems", system_id, where=str(self.path)) for system_id in self._list(ids, "system_ids")]

    @property
    def datasets(self) -> list[str]:
        """Ids of data sets, in the order of the configuration."""
        return self.ids("datasets")

    def ids(self, group: str) -> list[str]:
        """Ids in a section of entries, such as systems; raises ConfigurationError if there is none."""
        section = self._section(group)
        if not isinstance(section, dict) or not section:
            raise ConfigurationError(f"{group} is empty in {self.path}; choose at least one in conf/config.yaml.")
        for entry_id in section:
            check_id(group, entry_id, where=str(self.path))
        return list(section)

    @property
    def baseline(self) -> str:
        """Id of the system that the others are compared with."""
        chosen = self._section("baseline")
        if chosen is None:
            return self.systems[0]
        check_choice("system", chosen, self.systems, where=f"{self.path} (baseline)")
        return str(chosen)

    @property
    def missing(self) -> MissingPolicy:
        """What becomes of segments without a hypothesis."""
        policy = self._section("missing")
        check_choice("policy", policy, MissingPolicy, where=f"{self.path} (missing)")
        return cast("MissingPolicy", policy)

    @property
    def data_root(self) -> str:
        """Folder that holds data sets from outside the repository."""
        root = self._section("data_root")
        if not isinstance(root, str) or not root:
            raise ConfigurationError(f"{self.path}: data_root is {root!r}, expected a folder.")
        return root

    @property
    def plugins(self) -> list[str]:
        """Names of the packages and modules, beside misread, whose classes the file names."""
        packages = self.content.get("plugins", [])
        if not isinstance(packages, list) or not all(isinstance(name, str) for name in packages):
            raise ConfigurationError(f"{self.path}: plugins is {packages!r}, expected a list of names of packages.")
        return packages

    def crosscheck(self) -> CrossCheckSettings:
        """Settings of the cross-check by a second implementation."""
        where = f"{self.path}: crosscheck"
        kind = find_class(_KINDS["crosscheck"], where)
        return cast("CrossCheckSettings", make(kind, self._section("crosscheck"), where=where))

    def dataset(self, dataset_id: str, *, fetch: bool = False) -> Dataset:
        """Make the reader of a data set; `{data_root}` in its folder stands for the setting of that name.

        With `fetch`, a folder in an object store is copied into the cache first, and read there.
        """
        section = self._look_up("datasets", dataset_id)
        for kind in _BESIDE_READER:
            section = self._without(kind, section)
        if isinstance(section, Mapping) and "{data_root}" in str(section.get("root")):
            # Replaced here and not composed: no result depends on where the data lies.
            section = {**section, "root": str(section["root"]).replace("{data_root}", self.data_root)}
        if fetch and isinstance(section, Mapping) and isinstance(section.get("root"), str):
            folder = fetch_folder(section["root"], setting=f"datasets.{dataset_id}.root")
            section = {**section, "root": str(folder)}
        return cast("Dataset", self._made(section, f"datasets.{dataset_id}", key=dataset_id, beside=_BESIDE_READER))

    def dataset_folder(self, dataset_id: str) -> str:
        """Folder of a data set as it stands in the file."""
        section = self._look_up("datasets", dataset_id)
        return str(section["root"] if "root" in section else self.dataset(dataset_id).root)

    def data_changes(self, dataset_id: str) -> str:
        """Say which files of a data set are not those that its list names, and what to do; empty where all are.

        Files of the size and time that they had when they were last read are not read again.
        """
        root = self.dataset_folder(dataset_id).replace("{data_root}", self.data_root)
        folder, card = local_folder(root, setting=f"datasets.{dataset_id}.root"), paths.card(dataset_id)
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
        """Which part of a data set is read: settings of it that are not its reader's."""
        return cast("Slice", self._beside("slice", f"datasets.{dataset_id}", self._look_up("datasets", dataset_id)))

    def counts_settings(self, dataset_id: str) -> CountsSettings:
        """Which counts of a data set are committed."""
        section = self._look_up("datasets", dataset_id)
        return cast("CountsSettings", self._beside("counts", f"datasets.{dataset_id}", section))

    def pairing(self, dataset_id: str) -> PairingSettings:
        """How the pairing of a data set is taken."""
        section = self._look_up("datasets", dataset_id)
        return cast("PairingSettings", self._beside("pairing", f"datasets.{dataset_id}", section))

    def engine(self, system_id: str) -> Engine:
        """Make the engine of a system."""
        section = self._without("capture", self._look_up("systems", system_id))
        return cast("Engine", self._made(section, f"systems.{system_id}", key=system_id, beside=("capture",)))

    def capture_settings(self, system_id: str) -> CaptureSettings:
        """Settings of a system that are not its engine's."""
        section = self._look_up("systems", system_id)
        return cast("CaptureSettings", self._beside("capture", f"systems.{system_id}", section))

    def system_settings(self, system_id: str) -> Mapping[str, Any]:
        """Settings of a system as they stand in the file."""
        return cast("Mapping[str, Any]", self._look_up("systems", system_id))

    def prices(self) -> dict[str, ModelPrice]:
        """What readings cost, by id of the system; the report alone depends on it."""
        section = self.content.get("prices", {})
        if not isinstance(section, Mapping):
            raise ConfigurationError(f"{self.path}: prices is {shortened(section)}, expected a price by system.")
        kind = find_class(_KINDS["prices"], str(self.path))
        return {
            check_id("prices", system_id, where=str(self.path)): cast(
                "ModelPrice", make(kind, price, where=f"{self.path}: prices.{system_id}")
            )
            for system_id, price in section.items()
        }

    def normalizer(self) -> Normalizer:
        """The normalizer: built in, by its name, or one of the configuration's own."""
        return self._normalizer(self._section("normalizer"), "normalizer")

    def equivalents(self) -> Equivalents | None:
        """Words that count as equal; None where there are none."""
        sets = self._section("equivalents")
        where = f"{self.path}: equivalents"
        kind = cast("type[Equivalents]", find_class(_KINDS["equivalents"], where))
        made = make(kind, {"sets": sets}, where=where)
        return made if made.sets else None

    @property
    def judges(self) -> list[str]:
        """Ids of the judges that are asked about every data set, in the order of the configuration."""
        return list(self._judges())

    def judge(self, judge_id: str) -> Judge:
        """Make a judge."""
        section = self._without("judge", self._judge_section(judge_id))
        return cast("Judge", self._made(section, f"judges.{judge_id}", beside=("judge",)))

    def judge_settings(self, judge_id: str) -> Any:
        """Settings of a judge that are not those of its class."""
        section = self._judge_section(judge_id)
        return self._beside("judge", f"judges.{judge_id}", section)

    def _judges(self) -> Mapping[str, Any]:
        section = self.content.get("judges", {})
        if not isinstance(section, Mapping):
            raise ConfigurationError(f"{self.path}: judges is {shortened(section)}, expected settings by judge.")
        for judge_id in section:
            check_id("judges", judge_id, where=str(self.path))
        return section

    def _judge_section(self, judge_id: str) -> Mapping[str, Any]:
        section = self._judges()
        check_choice("judge", judge_id, section, where=f"{self.path} (judges)")
        settings = section[judge_id]
        if not isinstance(settings, Mapping):
            raise ConfigurationError(f"{self.path}: judges.{judge_id} is {shortened(settings)}, expected settings.")
        return settings

    def _judged(self, dataset_id: str | None) -> dict[str, Metric]:
        """The metric of every judge, under the id of the judge; without a data set it is of no decisions."""
        judges: dict[str, Metric] = {}
        for judge_id in self._judges():
            where = f"{self.path}: judges.{judge_id}"
            file = str(paths.decisions(dataset_id, judge_id)) if dataset_id else ""
            settings = {"id": judge_id, "file": file, "undecided": self.judge_settings(judge_id).undecided}
            judges[judge_id] = cast("Metric", make(find_class(_RECORDED_JUDGE, where), settings, where=where))
        return judges

    def metrics(self, dataset_id: str | None = None) -> list[Metric]:
        """Metrics that the configuration names by their ids, in its order.

        The name of a judge is that of a metric, too: of its decisions on this data set.
        """
        names, judged = self._metric_names(), self._judged(dataset_id)
        if not names:
            raise ConfigurationError(f"metrics is empty in {self.path}; choose at least one in conf/config.yaml.")
        built_in = import_module(_METRIC_NAMES).NAMES
        if taken := sorted(judged.keys() & built_in.keys()):
            raise ConfigurationError(
                f"{self.path}: judges.{taken[0]} has the id of a metric; give the judge another one."
            )
        chosen = [self._metric(metric_id, name, judged) for metric_id, name in names.items()]
        # An import of its own: a stage depends on the code of the metrics where it has some.
        import_module(_METRIC_NAMES).check_beside(chosen)
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

    def ablation(self) -> Any:
        """Make the list of normalizers that are compared, the study's own among them, and of metrics."""
        section = self._section("ablation")
        if isinstance(section, Mapping):
            listed = self._list(section.get("normalizers"), "ablation.normalizers")
            normalizers = [
                self._normalizer(spelled, f"ablation.normalizers[{position}]")
                for position, spelled in enumerate(listed)
            ]
            own = self.normalizer()
            section = {
                **section,
                "metrics": self._listed_metrics(section.get("metrics"), "ablation.metrics"),
                "normalizers": [*normalizers, *([] if own in normalizers else [own])],
            }
        return self._made(section, "ablation")

    def regimes(self) -> list[Any]:
        """Make the regimes that are compared, in the order of the configuration; there may be none."""
        section = self._section("regime")
        if not isinstance(section, Mapping):
            raise ConfigurationError(f"{self.path}: regime is {shortened(section)}, expected settings by regime.")
        regimes = []
        for regime_id, settings in section.items():
            check_id("regime", regime_id, where=str(self.path))
            if not isinstance(settings, Mapping):
                raise ConfigurationError(
                    f"{self.path}: regime.{regime_id} is {shortened(settings)}, expected settings."
                )
            regimes.append(self._made({"_target_": _KINDS["regime"], **settings}, f"regime.{regime_id}", key=regime_id))
        return regimes

    def statistics(self) -> StatisticsSettings:
        """Make the settings of the statistics."""
        return cast("StatisticsSettings", self._made(self._section("statistics"), "statistics"))

    def report(self) -> ReportSettings:
        """Make the settings of the report, with a name of its own for each system."""
        return cast("ReportSettings", self._made(self._section("report"), "report")).with_systems(self.systems)

    def executor(self) -> Executor:
        """Make the executor, which decides where work runs; no result depends on it."""
        return cast("Executor", self._made(self._section("executor"), "executor"))

    def _metric_names(self) -> Mapping[str, Any]:
        """Names of metrics by their ids, with which files, columns and keys are called."""
        section = self._section("metrics")
        if not isinstance(section, Mapping):
            raise ConfigurationError(
                f"{self.path}: metrics is {shortened(section)}, expected names by id, such as {{cer: cer}}."
            )
        for metric_id in section:
            check_id("metrics", metric_id, where=str(self.path))
        return section

    def _metric(self, metric_id: str, name: Any, judged: Mapping[str, Metric]) -> Metric:
        """Make the metric of a name, or of the judge that it names."""
        where = f"{self.path}: metrics.{metric_id}"
        if not isinstance(name, str):
            raise ConfigurationError(f"{where} is {shortened(name)}, expected the name of a metric, such as cer.")
        if name in judged or metric_id in judged:
            if name != metric_id:
                raise ConfigurationError(
                    f"{where} is {shortened(name)}; name a judge by its own id, which no other metric may have."
                )
            return judged[metric_id]
        if "." in (dotted := bare_name(name)):
            self._use_plugins({dotted.rpartition(".")[0]}, where)
        try:
            made: Metric = import_module(_METRIC_NAMES).get_metric(name, metric_id, where=where, root=self.root)
        except MisreadError as error:
            # The command that runs may have an option of the same name.
            error.spelling = spell_as_key
            raise
        return made

    def _listed_metrics(self, listed: Any, name: str) -> list[Metric]:
        """Metrics by the ids that a setting lists: those of `metrics` or, where it has none of an id, built in."""
        listed = self._list(listed, name)
        names = self._metric_names()
        built_in = import_module(_METRIC_NAMES).METRICS
        for metric_id in listed:
            known = {**dict.fromkeys(built_in), **names}
            check_choice("metric", metric_id, known, where=f"{self.path}: {name}", catalogue="metrics")
            if listed.count(metric_id) > 1:
                raise ConfigurationError(f"{self.path}: {name} names {metric_id!r} twice; once is enough.")
        return [self._metric(metric_id, names.get(metric_id, metric_id), {}) for metric_id in listed]

    def _normalizer(self, described: Any, name: str) -> Normalizer:
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
        return cast("Normalizer", self._made({"_target_": _KINDS["normalizer"], **described}, name, "normalizer"))

    def _without(self, kind: str, section: Any) -> Any:
        """A section without the settings that stand beside those of its class."""
        if not isinstance(section, Mapping):
            return section
        return {name: value for name, value in section.items() if name not in self._names(kind)}

    def _names(self, kind: str) -> list[str]:
        return [setting.name for setting in fields(find_class(_KINDS[kind], str(self.path)))]

    def _beside(self, kind: str, name: str, section: Mapping[str, Any]) -> object:
        """Make what has the settings that stand beside those of the section's class."""
        where = f"{self.path}: {name}"
        others = self._without(kind, section)
        own = {setting: value for setting, value in section.items() if setting not in others}
        return make(find_class(_KINDS[kind], where), own, where=where)

    def _made(
        self, section: Any, name: str, group: str | None = None, *, key: str | None = None, beside: Sequence[str] = ()
    ) -> object:
        """Make the object of a section; what its group takes is of one kind.

        `beside` are the kinds whose settings stood in the section, too.
        """
        where = f"{self.path}: {name}"
        self._use_plugins(modules_of(section), where)
        made = instantiate(section, where=where, key=key, beside=[*chain.from_iterable(map(self._names, beside))])
        if kind := _KINDS.get(group or name.split(".")[0]):
            expected = find_class(kind, where)
            if not isinstance(made, expected):
                raise ConfigurationError(f"{where}: expected {expected.__name__}, got {type(made).__name__}.")
        return made

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
        return self._section(group)[entry_id]

    def _list(self, listed: Any, name: str) -> list[Any]:
        if not isinstance(listed, list):
            raise ConfigurationError(f"{self.path}: {name} is {shortened(listed)}, expected a list of names.")
        return listed

    def _section(self, name: str) -> Any:
        if name not in self.content:
            raise ConfigurationError(f"{self.path} has no {name!r}; run `misread compose` to write it again.")
        return self.content[name]


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
