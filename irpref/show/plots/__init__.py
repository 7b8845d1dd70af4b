"""Pictures, one file each: they draw what ``pairwise.feeds`` gives them, and compute nothing.

Raises:
    ImportError: Matplotlib is not installed.
"""

try:
    import matplotlib  # noqa: F401
except ImportError as error:
    raise ImportError("pictures need matplotlib: pip install matplotlib") from error
