"""A small collection that comes with the package, and the main job done on it."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["demo_paths"]


def demo_paths(*, subtopics: bool = False) -> tuple[Path, list[Path]]:
    """The qrels and runs of the demo collection.

    Args:
        subtopics: The qrels that name subtopics in column 2, as STRPP reads them.

    Returns:
        The path of the qrels and the paths of the runs.

    Example:
        >>> qrels, runs = demo_paths()
        >>> qrels.name, len(runs)
        ('qrels.txt', 6)
    """
    folder = Path(str(files("irpref.demo"))) / "collection"
    qrels = folder / ("qrels.subtopics.txt" if subtopics else "qrels.txt")
    return qrels, sorted((folder / "runs").glob("*.txt"))
