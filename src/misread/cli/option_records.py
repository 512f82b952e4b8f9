"""Commands whose options are the fields of records, so that each option is declared once."""

import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, field, fields, is_dataclass
from typing import Any, get_type_hints


def hidden(default: Any) -> Any:
    """A field of a record that is no option."""
    return field(default=default, metadata={"is_option": False})


def takes_records(
    *, only: Collection[str] = (), without: Collection[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the fields of the records among its parameters as options, but those that are its own.

    Of the fields it takes `only` some, or all `without` some; others keep their defaults.
    """

    def declare(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        options: dict[str, list[inspect.Parameter]] = {}
        for parameter in signature.parameters.values():
            if is_dataclass(parameter.annotation):
                options[parameter.name] = [
                    option
                    for option in _options_of(parameter)
                    if option.name not in signature.parameters
                    and option.name not in without
                    and (not only or option.name in only)
                ]

        @functools.wraps(command)
        def with_options(**arguments: Any) -> None:
            records = {
                name: signature.parameters[name].annotation(
                    **{option.name: arguments.pop(option.name) for option in listed}
                )
                for name, listed in options.items()
            }
            command(**records, **arguments)

        parameters: list[inspect.Parameter] = []
        for parameter in signature.parameters.values():
            parameters += options.get(parameter.name, [parameter])
        with_options.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        with_options.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return with_options

    return declare


def _options_of(parameter: inspect.Parameter) -> list[inspect.Parameter]:
    hints: Mapping[str, Any] = get_type_hints(parameter.annotation, include_extras=True)
    return [
        inspect.Parameter(
            option.name,
            parameter.kind,
            default=None if option.default is MISSING else option.default,
            annotation=hints[option.name],
        )
        for option in fields(parameter.annotation)
        if option.metadata.get("is_option", True)
    ]
