"""A real browser in which tests open pages, with the network off."""

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

# The first does not draw windows that nobody sees: its tests take half the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass
class Tab:
    """A page in a browser, with what it said and what it asked for."""

    page: object
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def count(self):
        """Segments found, as the explorer says."""
        return self.page.inner_text("#found")

    def wait_for_count(self, text):
        self.page.wait_for_function("text => document.querySelector('#found')?.textContent === text", arg=text)

    def ids(self):
        return self.page.locator(".stack h4").all_inner_texts()


@pytest.fixture(scope="session")
def chromium():
    """A real browser; absent, tests that need it are skipped with the reason."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no browser: install Chromium (apt-get install chromium-headless-shell)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_tab(chromium, tmp_path):
    """Write a page into a file and open it with the network off."""
    contexts = []

    def open_page(html, *, address="", script=True, **context_settings):
        path = tmp_path / "index.html"
        if html is not None:
            path.write_text(html, encoding="utf-8")
        context = chromium.new_context(offline=True, java_script_enabled=script, **context_settings)
        contexts.append(context)
        tab = Tab(context.new_page())
        tab.page.on(
            "console", lambda said: tab.complaints.append(said.text) if said.type in ("error", "warning") else None
        )
        tab.page.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.page.on("dialog", lambda dialog: (tab.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        tab.page.on("request", lambda request: tab.requests.append(request.url))
        tab.page.set_default_timeout(5000)
        tab.page.goto(f"{path.as_uri()}{address}")
        if script and "index-0" in path.read_text(encoding="utf-8"):
            tab.page.wait_for_selector(".stack article .plain, .stack article details, .stack .nothing")
        return tab

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def axe(repository):
    """Source of axe-core, the checker of accessibility, from the folder of npm."""
    path = Path(os.environ.get("MISREAD_AXE", repository / "node_modules" / "axe-core" / "axe.min.js"))
    if not path.is_file():
        pytest.skip(f"no axe-core: {path} is not there (make axe)")
    return path.read_text(encoding="utf-8")
