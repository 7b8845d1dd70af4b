"""Pictures, one file each: they draw what ``pairwise.feeds`` gives them, and compute nothing.

Raises:
    ImportError: Matplotlib is not installed.
"""

from irpref.base.errors import installed

with installed("matplotlib", "pictures need matplotlib: pip install matplotlib"):
    import matplotlib  # noqa: F401
