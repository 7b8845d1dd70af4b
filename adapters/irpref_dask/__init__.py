"""irpref on Dask: compare data that are larger than one machine, or spread over several.

``compare`` takes Dask DataFrames or Parquet, and gives an :class:`irpref.Summary`. It runs where Dask runs:
in threads of this process, or on the cluster of the current ``distributed.Client``.
"""

from irpref.for_adapters import needing

with needing('irpref_dask needs dask: pip install "irpref[dask]"', "dask", "pyarrow"):
    # Dask may be there without what its DataFrames need, and says so in its own words.
    import pyarrow  # noqa: F401

    # isort: split
    import dask.dataframe  # noqa: F401

from irpref_dask.comparison import compare

__all__ = ["compare"]
