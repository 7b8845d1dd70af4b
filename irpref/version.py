"""The version of the installed distribution."""

from importlib.metadata import PackageNotFoundError, version

__all__ = ["__version__"]

try:
    __version__ = version("irpref")
except PackageNotFoundError:  # a checkout that was not installed
    __version__ = "0+unknown"
