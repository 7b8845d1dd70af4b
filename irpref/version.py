"""The version, which the built distribution takes from here."""

__all__ = ["__version__"]

__version__ = "0.1.0"
