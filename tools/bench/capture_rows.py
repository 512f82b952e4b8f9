"""Rows for captures: what it takes to ask a server for one image."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from PIL import Image

from misread.data.segment_table import Source
from misread.engines.openai_chat import OpenAIChat
from tools.bench.measure import Row, times_as_long

# A process of its own, as its time is not that of who asks; it says its port.
_SERVER = """
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
ANSWER = b'{"choices": [{"index": 0, "message": {"content": "the log of the ship"}, "finish_reason": "stop"}]}'
class Handler(BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm, log_message = "HTTP/1.1", True, lambda *_: None
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)
with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
    print(server.server_port, flush=True)
    server.serve_forever()
"""


def capture_rows(scale: float) -> Iterator[Row]:
    """Questions to a chat server on this machine, as many as 2,000 at scale 1."""
    times = range(int(2_000 * scale))
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen([sys.executable, "-c", _SERVER], stdout=subprocess.PIPE) as server,
    ):
        try:
            url = f"http://127.0.0.1:{int((server.stdout or sys.stdin).readline())}/v1"
            image = Path(folder, "line.png")
            Image.effect_noise((400, 40), 60).save(image)
            source, body = Source("a", image), image.read_bytes()
            with closing(OpenAIChat(url=url, model="m").open()) as reader, httpx.Client() as client:
                asked = times_as_long(
                    lambda: [reader.read(source) for _ in times],
                    "httpx with the image alone",
                    lambda: [client.post(url, content=body).json() for _ in times],
                )
                yield Row(f"{len(times):,} images to a chat server", "texts, CPU time of who asks", asked, "at most 3")
        finally:
            server.terminate()
