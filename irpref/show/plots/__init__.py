"""Pictures, one file each: they draw what ``pairwise.feeds`` gives them, and compute nothing.

Raises:
    ImportError: Matplotlib is not installed.
"""

from irpref.base.errors import needing

with needing("pictures need matplotlib: pip install matplotlib", "matplotlib"):
    import matplotlib  # noqa: F401
