"""The version, which the built distribution takes from here."""

__version__ = "0.1.0"
