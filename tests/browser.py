"""A real browser without a window, which opens pages from disk and says what went wrong in them."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

_PATIENCE = 30
_USUAL = {"width": 1280, "height": 720}
_NAMES = ("chromium", "chromium-browser", "google-chrome")
# What a browser would ask its makers at every start; and a sandbox within a container's needs rights.
_FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-sandbox",
)


@dataclass
class Opened:
    """A page in the browser.

    Attributes:
        page: The page, to act on.
        complaints: What the console said, errors of scripts and breaches of the policy too.
        requests: The addresses that were asked for, but for the page itself.
    """

    page: Any
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def until(self, condition: str, of: Any = None) -> None:
        """Wait until an expression of JavaScript, or a function of a value, is true.

        The page's policy forbids the browser to look again and again by itself.
        """
        end = time.monotonic() + _PATIENCE
        while not self.page.evaluate(condition, of):
            if time.monotonic() > end:
                raise TimeoutError(f"never true: {condition}")
            time.sleep(0.02)


class Browser:
    """Opens files in tabs, one at a time in the same one: a new tab takes longer than a page."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._free: list[Any] = []

    @contextmanager
    def opened(self, path: Path, fragment: str = "", **how: Any) -> Iterator[Opened]:
        """A file in a tab of which no other test sees anything.

        Args:
            path: The file.
            fragment: What stands behind ``#`` in the address.
            how: What the tab is like: viewport, color_scheme, java_script_enabled.
        """
        page = self._free.pop() if self._free and not how else self._new_tab(how)
        found = Opened(page)
        address = path.resolve().as_uri()
        listeners = {
            "console": lambda said: found.complaints.append(f"{said.type}: {said.text}"),
            "pageerror": lambda error: found.complaints.append(f"error: {error}"),
            "request": lambda asked: (
                None if asked.url.partition("#")[0] == address else found.requests.append(asked.url)
            ),
        }
        for event, listener in listeners.items():
            page.on(event, listener)
        as_before = False
        try:
            page.goto(f"{address}#{fragment}" if fragment else address)
            yield found
            as_before = not how
        finally:
            if not as_before:
                page.context.close()
        if as_before:
            for event, listener in listeners.items():
                page.remove_listener(event, listener)
            page.goto("about:blank")
            page.set_viewport_size(_USUAL)
            page.emulate_media(media="null")
            page.mouse.move(0, 0)
            self._free.append(page)

    def _new_tab(self, how: dict[str, Any]) -> Any:
        context = self._browser.new_context(**{"viewport": _USUAL, **how})
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        return context.new_page()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser of this machine; ``.ci/run`` installs one."""
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(_NAMES)} is installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=os.fspath(program), args=list(_FLAGS))
        yield Browser(started)
        started.close()
