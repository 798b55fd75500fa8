"""A local server that plays every remote host of a scratch machine, reached as an HTTP proxy."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Remote(ThreadingHTTPServer):
    """Answers GET of an absolute URL out of a table; anything else is a 404."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pages: dict[str, str] = {}

    @property
    def address(self) -> str:
        """What `http_proxy` must say."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def offer(self, pages: Mapping[str, str]) -> None:
        """Serve these pages, and only these, from now on; keys are whole URLs."""
        self.pages = dict(pages)


class _Handler(BaseHTTPRequestHandler):
    server: Remote

    def do_GET(self) -> None:
        """Answer one request; the path of a proxied request is the whole URL."""
        page = self.server.pages.get(self.path)
        body = (page or "not found\n").encode()
        self.send_response(200 if page is not None else 404)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the name is the base class's
        """Say nothing: the address of the server must not reach any record."""


@contextmanager
def serving() -> Iterator[Remote]:
    """A running server; it is stopped and its port closed when the block ends."""
    remote = Remote()
    thread = threading.Thread(target=remote.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield remote
    finally:
        remote.shutdown()
        remote.server_close()
        thread.join()
