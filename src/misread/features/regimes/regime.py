"""A regime: what a tool or a leaderboard does between outputs and its number; and those that misread brings."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, Final, Literal

from misread.data.segment_table import Capture, MissingPolicy
from misread.errors import ConfigurationError, MissingDependencyError
from misread.io.checks.choices import check_choice, check_choices
from misread.io.checks.settings import check_types
from misread.io.yaml_files import read_yaml
from misread.metrics import Metric
from misread.normalize import PROFILES, Normalizer, get_normalizer
from misread.pipeline.params import Params
from misread.pipeline.paths import SHIPPED_CONF
from misread.pipeline.settings_section import SettingsSection
from misread.sockets import METRICS
from misread.text.display import show_label
from misread.text.patterns import SECONDS, compile_pattern, search


@dataclass(frozen=True, kw_only=True)
class Exclusions:
    """Segments that do not count.

    Parameters
    ----------
    empty_references : bool
        Whether those are left out whose reference is empty after the normalizer.
    references : str
        A regular expression that is found in references, as they are given, of segments that do not count.
    groups : mapping of str to sequence of str
        Labels by group column whose segments do not count.
    """

    empty_references: bool = False
    references: str = ""
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.references:
            compile_pattern(self.references, name="exclusions.references")
        for column, labels in self.groups.items():
            if isinstance(labels, str):
                raise ConfigurationError(f"exclusions.groups.{column} is {labels!r}, expected a list of labels.")

    def rows_that_count(self, capture: Capture) -> Sequence[int]:
        """Rows whose reference and groups are not excluded."""
        rows: Sequence[int] = range(len(capture.texts))
        for column, labels in self.groups.items():
            known = capture.segments.groups
            check_choice("group column", column, known, where="exclusions.groups")
            rows = [row for row in rows if known[column][row] not in labels]
        if not self.references:
            return rows
        expression = compile_pattern(self.references, name="exclusions.references")
        until = time.monotonic() + SECONDS
        return [
            row
            for row in rows
            if not search(
                expression,
                capture.texts.references[row],
                name="exclusions.references",
                seconds=until - time.monotonic(),
                limit=SECONDS,
            )
        ]


Steps = Sequence[str | Mapping[str, Any]]

_OF_RATE: Final = ("metric", "tokens")


@dataclass(frozen=True, kw_only=True)
class RegimeRate:
    """A metric on the texts that a normalizer leaves."""

    metric: Metric
    normalizer: Normalizer


@dataclass(frozen=True, kw_only=True)
class Regime:
    """All choices behind a rate, under an id and a version that are part of its signature.

    Parameters
    ----------
    id : str
        Name in tables and signatures.
    version : int
        From 1; another one says that the same id computes something else.
    stands_for : str
        The tool or publication whose numbers it gives, with its version.
    rates : mapping of str to mapping
        Settings of each rate by its id: `metric`, a built-in metric (by default that of the id), `tokens`, steps after
        the normalizer that divide the text into tokens, and settings of the metric such as `unit` or `alignment`.
    extraction : sequence of str or mapping
        Steps on hypotheses alone that take the text out of an answer.
    normalizer : str, or sequence of str or mapping
        A profile, or steps.
    readings : {"first", "aligned"}
        Whether of references that read in several ways the first reading counts, or the one that fits best.
    averaging : sequence of str
        One or several of `micro` (sums over all segments), `segments` and `clusters` (means of their rates), `whole`
        (micro over the joined texts of each cluster, or of the data set where it has none), or a group column, or what
        clusters are called, such as `page` (mean of the rates of its labels).
    exclusions : mapping
        Which segments do not count: see `Exclusions`.
    missing : {"error", "drop", "empty"}, or mapping
        What becomes of segments without a hypothesis; `{impute: SYSTEM}` takes that of another system.

    Raises
    ------
    ConfigurationError
        If a setting cannot be used; names it.
    UnknownNameError
        If a metric, step, profile or choice is unknown; lists the known ones.

    Examples
    --------
    >>> regime = Regime(id="letters", version=1, stands_for="an example", rates={"cer": {}}, normalizer=["lower_case"])
    >>> [rate.normalizer("ABC") for rate in regime.chosen]
    ['abc']
    """

    id: str
    version: int
    stands_for: str
    rates: Mapping[str, Mapping[str, Any]]
    extraction: Steps = ()
    normalizer: str | Steps = "none"
    readings: Literal["first", "aligned"] = "first"
    averaging: Sequence[str] = ("micro",)
    exclusions: Mapping[str, Any] = field(default_factory=dict)
    missing: str | Mapping[str, str] = "error"

    def __post_init__(self) -> None:
        check_choices(self, self._where)
        if self.version < 1:
            raise ConfigurationError(f"{self._where}: version is {self.version}, expected 1 or more.")
        for setting, listed in (("rates", [*self.rates]), ("averaging", [*self.averaging])):
            if not listed:
                raise ConfigurationError(f"{self._where}: {setting} is empty; name at least one.")
            twice = next((name for name in listed if listed.count(name) > 1), None)
            if twice is not None:
                raise ConfigurationError(f"{self._where}: {setting} names {twice!r} twice; once is enough.")
        # Whatever cannot be used is found now, before any work; a package that is missing, where it is needed.
        _ = (self.excluded, self.imputed_from)
        with suppress(MissingDependencyError):
            _ = self.chosen

    @property
    def label(self) -> str:
        """Id and version, as in signatures."""
        return f"{self.id}.{self.version}"

    @cached_property
    def chosen(self) -> tuple[RegimeRate, ...]:
        """Metrics, each with its normalizer; raises MissingDependencyError where a step needs a package."""
        return tuple(self._make_rate(rate, settings) for rate, settings in self.rates.items())

    @cached_property
    def excluded(self) -> Exclusions:
        """Segments that do not count."""
        where = f"{self._where}: exclusions"
        for setting in self.exclusions:
            check_choice("setting", setting, [field.name for field in fields(Exclusions)], where=where)
        return Exclusions(**check_types(Exclusions, self.exclusions, where=where))

    @cached_property
    def imputed_from(self) -> str | None:
        """System whose outputs replace missing ones."""
        if isinstance(self.missing, str):
            check_choice("policy for missing hypotheses", self.missing, MissingPolicy, where=self._where)
            return None
        if list(self.missing) != ["impute"]:
            raise ConfigurationError(f"{self._where}: missing is {dict(self.missing)!r}, expected {{impute: SYSTEM}}.")
        return self.missing["impute"]

    @property
    def missing_policy(self) -> str:
        """Policy for missing hypotheses, in one word."""
        return str(self.missing) if self.imputed_from is None else f"impute-from-{self.imputed_from}"

    @property
    def _where(self) -> str:
        return f"regime {self.id!r}"

    def _make_rate(self, rate: str, described: Mapping[str, Any]) -> RegimeRate:
        where = f"{self._where}: rates.{rate}"
        settings = dict(described)
        name, tokens = settings.pop("metric", rate), settings.pop("tokens", ())
        check_choice("metric", name, METRICS, where=where, catalogue="metrics")
        metric = METRICS[name]
        known = [field.name for field in fields(metric) if field.init and field.name != "id"]
        for setting in settings:
            check_choice("setting", setting, [*_OF_RATE, *known], where=where)
        settings = check_types(type(metric), settings, where=where)
        return RegimeRate(metric=replace(metric, id=rate, **settings), normalizer=self._make_normalizer(tokens, where))

    def _make_normalizer(self, tokens: Steps, where: str) -> Normalizer:
        is_profile = isinstance(self.normalizer, str)
        if isinstance(self.normalizer, str):
            check_choice("normalizer", self.normalizer, PROFILES, where=self._where, catalogue="normalizers")
        for setting, steps in (("tokens", tokens), ("extraction", self.extraction)):
            if isinstance(steps, str) or not isinstance(steps, Sequence):
                raise ConfigurationError(f"{where}: {setting} is {steps!r}, expected a list of steps.")
        if isinstance(self.normalizer, str) and not tokens and not self.extraction:
            return get_normalizer(self.normalizer)
        steps = PROFILES[self.normalizer] if isinstance(self.normalizer, str) else self.normalizer
        extraction = [
            {**({"step": step} if isinstance(step, str) else step), "side": "hypotheses"} for step in self.extraction
        ]
        name = f"{self.normalizer}+{self.id}" if is_profile else self.id
        try:
            return Normalizer(name, [*extraction, *steps, *tokens])
        except ConfigurationError as error:
            error.args = (f"{where}: {error}",)
            raise


class RegimeSection(SettingsSection):
    """Regimes that are compared, by their ids."""

    def read(self, params: Params) -> list[Regime]:
        """Regimes in the order of the configuration; there may be none."""
        regimes = []
        for regime_id, settings in params.entries("regime", "settings by regime").items():
            where = f"regime.{regime_id}"
            if not isinstance(settings, Mapping):
                raise ConfigurationError(f"{params.path}: {where} is {shortened(settings)}, expected settings.")
            described = {"_target_": "misread.features.regimes.Regime", **settings}
            regimes.append(params.make_target(Regime, described, where, key=regime_id))
        return regimes

    def catalogue(self) -> Iterator[tuple[str, ...]]:
        """Rates of each regime, and its meaning."""
        yield "regime", "rates", "rules of"
        for regime in read_regimes():
            rates = f"{', '.join(regime.rates)} ({', '.join(regime.averaging)})"
            yield regime.label, rates, show_label(regime.stands_for)


_FOLDER = SHIPPED_CONF / "regime"
DEFAULT = "misread"


def regime_names() -> list[str]:
    """Ids of all regimes that misread brings, its own first."""
    return sorted((file.stem for file in _FOLDER.glob("*.yaml")), key=lambda name: (name != DEFAULT, name))


def read_regimes(names: Sequence[str] = ()) -> list[Regime]:
    """Make regimes of their files, by default all; UnknownNameError lists those that there are."""
    names = names or regime_names()
    for name in names:
        check_choice("regime", name, regime_names(), catalogue="regimes")
    return [regime for name in names for regime in _read(_FOLDER / f"{name}.yaml")]


def _read(file: Path) -> list[Regime]:
    return RegimeSection().read(Params({"regime": read_yaml(file)}, file))
