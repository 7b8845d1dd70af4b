"""The pictures and the page of a comparison in the documentation, drawn from the demo by every build.

README shows ``docs/profile.png``, which is kept: ``python docs/pictures.py`` draws it anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import irpref
from irpref import demo_paths
from irpref.show.plots.figures import free_figure, picture

_PAIR = ("bm25-prf", "tfidf")
_HERE = Path(__file__).parent
_DEMO = demo_paths()[0].parent


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
    irpref.collect(*demo_paths(), lists=100).compare().to_html(folder / "report.html", **texts)


def setup(app: Any) -> None:
    app.connect("builder-inited", lambda app: draw(Path(app.srcdir) / "pictures"))


if __name__ == "__main__":
    draw(_HERE / "pictures")
    (_HERE / "pictures/profile.png").replace(_HERE / "profile.png")
