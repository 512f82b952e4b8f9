"""What readers of stage files have in common: what is lacking in a file is an error that says how to make it again."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from misread.errors import InputFileError

Options = ParamSpec("Options")
Made = TypeVar("Made")

Reader = Callable[Concatenate[Path, Options], Made]


def reads_stage(made_by: str) -> Callable[[Reader[Options, Made]], Reader[Options, Made]]:
    """A reader of what this stage writes, which raises InputFileError for a column or fact that is not as it wrote it.

    The file may be of another version of misread, of somebody else, or damaged in a way that Parquet does not notice.
    """

    def decorate(read: Reader[Options, Made]) -> Reader[Options, Made]:
        @wraps(read)
        def reader(path: Path, /, *args: Options.args, **options: Options.kwargs) -> Made:
            try:
                return read(path, *args, **options)
            except InputFileError:
                raise
            except (ArithmeticError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError) as error:
                reason = " ".join(f"{type(error).__name__}: {error}".split())
                raise InputFileError(
                    f"{path} was written by another version of misread, or changed after it ({reason}); run "
                    f"`dvc repro {made_by}` to make it again."
                ) from None

        return reader

    return decorate
