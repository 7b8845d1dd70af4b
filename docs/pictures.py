"""The pictures and the page of a comparison in the documentation, drawn from the demo by every build.

README and the start page show ``docs/profile.png``, and "A page to send" shows ``docs/page.png``,
a photograph of that page in Chromium. Both are kept: ``python docs/pictures.py`` makes them anew,
with the packages of the tests.
"""

from __future__ import annotations

import shutil
from io import BytesIO
from pathlib import Path
from typing import Any

import irpref
from irpref import demo_paths
from irpref.show.plots.figures import free_figure, picture

_PAIR = ("bm25-prf", "tfidf")
_HERE = Path(__file__).parent
_DEMO = demo_paths()[0].parent
_SCREEN = {"width": 1280, "height": 800}
_COLOURS = 128


def draw(folder: Path) -> None:
    """Draw all pictures of the pages into this folder, and README's, and write the page of a comparison."""
    plot = irpref.compare(*demo_paths(), ["RPP", "LP", "LR", "IPSO@10"]).plot
    plot = plot.with_figures(free_figure)
    pictures = {
        "profile": plot.profile(*_PAIR),
        "outcomes": plot.outcomes(*_PAIR).figure,
        "topics": plot.topics(*_PAIR).figure,
        "strip": plot.strip("6", *_PAIR).figure,
        "ranks": plot.ranks("LR").figure,
        "matrix": plot.matrix("LR").figure,
        "scatter": plot.scatter().figure,
    }
    folder.mkdir(exist_ok=True)
    for name, figure in pictures.items():
        (folder / f"{name}.svg").write_bytes(picture(figure, "svg"))
    (folder / "profile.png").write_bytes(picture(pictures["profile"], "png"))
    texts = {"topics": _DEMO / "topics.tsv", "docs": _DEMO / "documents.jsonl"}
    comparison = irpref.collect(*demo_paths(), lists=100).compare()
    comparison.to_html(folder / "report.html", title="Garden questions", **texts)


def photograph(page: Path, to: Path) -> None:
    """The first screen of a page, as Chromium shows it, in few colours so that the file is small."""
    from PIL import Image, ImageOps
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        tab = browser.new_page(viewport=_SCREEN)
        tab.goto(page.as_uri())
        taken = Image.open(BytesIO(tab.screenshot()))
        browser.close()
    framed = ImageOps.expand(taken.convert("RGB"), 1, "silver")
    framed.quantize(_COLOURS).save(to, optimize=True)


def setup(app: Any) -> None:
    app.connect("builder-inited", lambda app: draw(Path(app.srcdir) / "pictures"))


if __name__ == "__main__":
    draw(_HERE / "pictures")
    (_HERE / "pictures/profile.png").replace(_HERE / "profile.png")
    photograph(_HERE / "pictures/report.html", _HERE / "page.png")
