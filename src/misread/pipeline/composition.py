"""The configuration: groups of conf/ composed into params.yaml by Hydra, as DVC does."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from misread.errors import ConfigurationError, UnknownNameError, needed_for
from misread.pipeline.paths import SHIPPED_CONF
from misread.provenance.plugins import PROGRAMS

if TYPE_CHECKING:
    from misread.pipeline.params import Params

CONF: Final = Path("conf")
"""Folder of the groups that are edited."""

RECORD: Final = "# misread compose: "
"""Before the overrides in the first line of params.yaml."""

_RESOLVERS: Final = frozenset({"oc.dict.keys", "oc.dict.values", "oc.select"})
_RESOLVED: Final = re.compile(r"\$\{([^}:$]*)([:$])")
# DVC sets it for the stages of `dvc exp run`, whose overrides are in params.yaml alone.
_EXPERIMENT: Final = "DVC_EXP_NAME"


def require_composed() -> None:
    """Raise ConfigurationError if params.yaml is not what conf/ composes to.

    The overrides of `misread compose` and of `dvc exp run -S` pass, and so does a project without conf/config.yaml. DVC
    composes without asking misread: conf/ is refused then if it has interpolations that `misread compose` refuses.
    """
    if (CONF / "config.yaml").is_file() and _EXPERIMENT in os.environ:
        for path in sorted(CONF.rglob("*.yaml")):
            if not path.is_relative_to(CONF / PROGRAMS.name):
                _refuse_values_from_outside(path)
    elif (CONF / "config.yaml").is_file():
        overrides = recorded_overrides()
        require_equal(compose_text(CONF, overrides), overrides)


def _refuse_values_from_outside(path: Path) -> None:
    """Refuse a file of conf/ with another resolver than those of values of conf/ itself, or with a computed one."""
    from misread.io.yaml_files import read_yaml

    values = [read_yaml(path)]
    while values:
        value = values.pop()
        if isinstance(value, dict | list):
            values.extend(chain(value, value.values()) if isinstance(value, dict) else value)
        for name, follows in _RESOLVED.findall(value) if isinstance(value, str) else ():
            if follows != ":" or name.strip() not in _RESOLVERS:
                raise ConfigurationError(
                    f"{path} has {value!r}, whose value is from outside of {CONF}/, such as an environment variable. "
                    f"DVC has composed it into params.yaml by now: restore that file (git restore params.yaml), and "
                    "write the value itself, or for a token the name of its variable (token_env)."
                )


def require_equal(composed: str, overrides: Sequence[str]) -> None:
    """Raise ConfigurationError if params.yaml is not the text that conf/ composes to with these overrides."""
    from misread.io.text import read_text
    from misread.pipeline.params import PARAMS_FILE

    # DVC writes no record, and options given here may differ from it.
    if not PARAMS_FILE.is_file() or _without_record(read_text(PARAMS_FILE)) != composed:
        again = " ".join(map(shlex.quote, ["misread", "compose", *overrides]))
        raise ConfigurationError(
            f"{PARAMS_FILE} is not what {CONF}/ composes to: it was edited by hand, or {CONF}/ was changed after it; "
            f"run `{again}`."
        )


def recorded_overrides() -> list[str]:
    """Overrides with which params.yaml was composed, as its first line notes them."""
    import json

    from misread.io.text import read_text
    from misread.pipeline.params import PARAMS_FILE

    first = read_text(PARAMS_FILE).partition("\n")[0] if PARAMS_FILE.is_file() else ""
    if not first.startswith(RECORD):
        return []
    try:
        overrides = json.loads(first.removeprefix(RECORD))
    except ValueError:
        overrides = None
    if not isinstance(overrides, list) or not all(isinstance(override, str) for override in overrides):
        raise ConfigurationError(
            f"{PARAMS_FILE}, line 1: expected a JSON list of overrides, as `misread compose` writes it; compose again."
        )
    return overrides


def _without_record(text: str) -> str:
    return text.partition("\n")[2] if text.startswith(RECORD) else text


def compose_datasets(folder: Path, dataset_ids: Iterable[str]) -> Params:
    """Settings of a folder of Hydra groups with these data sets, whether or not params.yaml has them."""
    import yaml

    from misread.pipeline.params import Params

    return Params(yaml.safe_load(compose_text(folder, [f"datasets=[{','.join(dataset_ids)}]"])), folder)


def compose_text(folder: Path, overrides: list[str]) -> str:
    """Compose a folder of Hydra groups, with overrides in Hydra's grammar, to YAML without interpolations, as DVC does.

    The text is that of DVC byte for byte. Raises UnknownNameError, which lists the choices, if a group has no such
    entry, and ConfigurationError, which says why, if Hydra refuses.
    """
    import yaml

    from misread.io.text import read_text
    from misread.io.yaml_files import read_yaml
    from misread.sockets import METRICS

    with needed_for("composing needs", "Hydra", "pipeline"):
        from hydra import compose as hydra_compose
        from hydra import initialize_config_dir
        from hydra.errors import HydraException, MissingConfigException
        from omegaconf import OmegaConf
        from omegaconf.errors import OmegaConfBaseException
    if not (folder / "config.yaml").is_file():
        raise ConfigurationError(f"there is no {folder / 'config.yaml'} here; run this in the project's folder.")
    for path in sorted(folder.rglob("*.yaml")):
        # Hydra writes aliases (*) out without a limit; to read all other files twice takes as long as it does.
        if not path.is_relative_to(folder / PROGRAMS.name) and "*" in read_text(path):
            read_yaml(path)
    try:
        with initialize_config_dir(str(folder.resolve()), version_base=None):
            config = hydra_compose(config_name="config", overrides=overrides)
        with _without_environment():
            OmegaConf.resolve(config)
    except MissingConfigException as error:
        group, _, name = str(error.missing_cfg_file).rpartition("/")
        if group == "metrics" and name in METRICS:
            raise ConfigurationError(
                f"{name!r} is a metric and no set of metrics in {folder}: '+metrics.{name}={name}' adds it. Sets are: "
                f"{', '.join(names_in(folder, group))}."
            ) from None
        raise UnknownNameError(group or "configuration", name, names_in(folder, group), where=str(folder)) from None
    # A name of a group may be one that no file can have.
    except (HydraException, OmegaConfBaseException, yaml.YAMLError, OSError, TypeError, ValueError) as error:
        if isinstance(error, yaml.YAMLError):
            # Names the file and the line.
            list(map(read_yaml, sorted(folder.rglob("*.yaml"))))
        raise ConfigurationError(_explain(" ".join(str(error).split()), folder)) from None
    text: str = OmegaConf.to_yaml(config)
    return text


def _explain(reason: str, folder: Path) -> str:
    """Advice for a reason why Hydra refuses a configuration."""
    if reason.endswith("Key not found: 'systems'"):
        # `system_ids` takes its keys.
        return f"{folder} does not set systems; choose in {folder}/config.yaml."
    if "DictConfig with ListConfig" in reason:
        return (
            f"a section in {folder} is a list where entries have ids, as in `metrics: {{cer: cer}}`; sets are chosen "
            f"in `defaults` ({reason})"
        )
    if "Unknown function" in reason:
        # Brackets are calls in Hydra's grammar.
        return (
            f"{folder} cannot be composed: a name with settings needs quotes of its own, as in "
            "\"+metrics.wer_sclite='wer(alignment=sclite)'\"."
        )
    return f"{folder} cannot be composed: {reason} (groups: {', '.join(_groups(folder))})"


@contextmanager
def _without_environment() -> Iterator[None]:
    """Refuse values from environment variables: a secret would get into params.yaml, which is committed."""
    from omegaconf import OmegaConf
    from omegaconf.resolvers import oc

    def refuse(name: str, *_: str) -> NoReturn:
        raise ConfigurationError(
            f"the value of the environment variable {name} would stand in params.yaml, which is committed; engines "
            "take the name of a variable (token_env)"
        )

    OmegaConf.register_new_resolver("oc.env", refuse, replace=True)
    try:
        yield
    finally:
        OmegaConf.register_new_resolver("oc.env", oc.env, replace=True)


def names_in(folder: Path, group: str) -> list[str]:
    """Names that a group has in a folder of groups and in the package."""
    files = {
        path.name for root in (folder, SHIPPED_CONF) if (root / group).is_dir() for path in (root / group).iterdir()
    }
    return sorted(name.removesuffix(".yaml") for name in files if name.endswith(".yaml"))


def _groups(folder: Path) -> list[str]:
    names = {path.name for root in (folder, SHIPPED_CONF) for path in root.iterdir() if path.is_dir()}
    return sorted(name for name in names if name != PROGRAMS.name and not name.startswith("__"))
