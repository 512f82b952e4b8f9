"""`misread serve`: an engine as a worker that others ask over HTTP."""

import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import typer

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice

_SERVED: Final[Mapping[str, tuple[str, Mapping[str, object]]]] = {
    "tesseract": ("misread.engines.Tesseract", {"page_segmentation": "auto"}),
    "rapidocr": ("misread.engines.RapidOCR", {"detection": True}),
}
_ON_THIS_MACHINE: Final = frozenset({"127.0.0.1", "::1", "localhost"})


def serve(
    engine: Annotated[str, typer.Argument(help="tesseract or rapidocr.")],
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 means all addresses of this machine.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(help="Port to listen on; 0 lets the system choose.")] = 9001,
    token_env: Annotated[str, typer.Option(help="Environment variable with the token that requests must carry.")] = "",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="NAME=VALUE of the engine, such as language=deu; repeat.")
    ] = None,
    processes: Annotated[int, typer.Option(help="How many images are read at the same time.")] = 1,
    waiting: Annotated[int, typer.Option(help="How many requests may wait; further ones get status 503.")] = 16,
    timeout: Annotated[float, typer.Option(help="Seconds for reading an image, and for sending it.")] = 120.0,
    max_bytes: Annotated[int, typer.Option(help="Largest question.")] = 20_000_000,
    max_pixels: Annotated[int, typer.Option(help="Largest image.")] = 50_000_000,
) -> None:
    r"""Answer questions over HTTP with an engine.

    It answers POST /ocr and OpenAI's chat API until it is stopped, and reads pages, unless it is set to read lines. For
    instance:

    \b
      misread serve tesseract --set language=deu --set tessdata=/usr/share/tesseract-ocr/5/tessdata
      misread serve rapidocr --port 9002 --set detection=false
      curl --form file=@page.png http://127.0.0.1:9001/ocr
    """
    from misread.engines.http_client import find_token
    from misread.io.console import warn, write_out
    from misread.serve.limits import WorkerLimits
    from misread.serve.worker import run_worker

    def say_where(address: str) -> None:
        write_out(f"{engine} answers at {address}/ocr and {address}/v1/chat/completions")
        sys.stdout.flush()

    check_choice("engine", engine, _SERVED, where="misread serve")
    limits = WorkerLimits(
        processes=processes, waiting=waiting, timeout=timeout, max_bytes=max_bytes, max_pixels=max_pixels
    )
    made = _make_engine(engine, settings or [])
    if host not in _ON_THIS_MACHINE and not token_env:
        warn(
            f"anyone who can reach {host} may use this worker: name an environment variable with a token in "
            "--token-env."
        )
    run_worker(
        engine,
        made,
        host=host,
        port=port,
        token=find_token(token_env),
        limits=limits,
        on_ready=say_where,
    )


def _make_engine(name: str, settings: Sequence[str]) -> Any:
    from misread.io.yaml_files import parse_yaml
    from misread.pipeline.instantiation import instantiate

    target, chosen = _SERVED[name]
    section: dict[str, object] = {"_target_": target, **chosen}
    for entry in settings:
        setting, equals, value = entry.partition("=")
        if not (setting and equals):
            raise ConfigurationError(f"--set {entry!r}: expected NAME=VALUE.")
        section[setting] = parse_yaml(value, f"--set {entry}") if value else ""
    return instantiate(section, where=f"misread serve {name}")
