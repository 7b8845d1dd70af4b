"""How large the page of a comparison is, and how long it takes to write and to open; prints Markdown.

    python tests/benchmarks/page.py FOLDER …

A folder has ``qrels.txt`` and ``runs/``. Written: ``irpref compare … -o report.html`` in a process of its
own, from the files on. Opened: from disk in a headless Chromium, from the start of the navigation to the
first paint, to the end of loading, and until the first pair is there; then, how long another pair and its
first topic take. The median of five.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cost import Cost, cost_of_process
from playwright.sync_api import sync_playwright
from works import run_paths

TIMES = 5
TIMINGS = """() => {
  const [loaded] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return [paint.startTime, loaded.loadEventEnd];
}"""
SHOWN = "html[data-shown]"
ELSEWHERE = """async () => {
  const begun = performance.now();
  const { facts, systems } = irpref.data;
  const said = { a: facts.systems[0], b: facts.systems[systems - 1], topic: facts.topics[0] };
  const place = `#${new URLSearchParams(said)}`.replaceAll("+", "%20");
  location.hash = place;
  while (document.documentElement.dataset.shown !== place) {
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - begun;
}"""


def write(folder: str, page: Path) -> Cost:
    words = [
        "compare",
        Path(folder) / "qrels.txt",
        *run_paths(folder),
        "--duplicates",
        "first",
        "-o",
        page,
    ]
    return cost_of_process([sys.executable, "-W", "ignore", "-m", "irpref", *words])


@contextmanager
def chromium() -> Iterator[Any]:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


def opened(browser: Any, page: Path) -> list[float]:
    """Milliseconds to the first paint, the end of loading, the first pair, and another pair and topic."""
    tab = browser.new_page()
    tab.goto(page.as_uri())
    tab.wait_for_selector(SHOWN, state="attached")
    said = tab.evaluate("performance.now()")
    times = [*tab.evaluate(TIMINGS), said, tab.evaluate(ELSEWHERE)]
    tab.close()
    return times


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    options = parser.parse_args()
    print(
        "| collection | systems | MB | CPU (s) | wall (s) | paint (ms) | loaded | first pair | next topic |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary, chromium() as browser:
        page = Path(temporary) / "report.html"
        for folder in options.folders:
            cost = write(folder, page)
            times = zip(*(opened(browser, page) for _ in range(TIMES)), strict=True)
            cells = [
                Path(folder).name,
                len(run_paths(folder)),
                f"{page.stat().st_size / 1e6:.2f}",
                f"{cost.cpu:.1f}",
                f"{cost.wall:.1f}",
                *(f"{statistics.median(each):.0f}" for each in times),
            ]
            print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    main()
