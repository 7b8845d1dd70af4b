"""irpref on Dask: compare data that are larger than one machine, or spread over several.

``compare`` takes Dask DataFrames or Parquet, and gives an :class:`irpref.Summary`. It runs where Dask runs:
in threads of this process, or on the cluster of the current ``distributed.Client``.
"""

try:
    import dask.dataframe  # noqa: F401
    import pyarrow  # noqa: F401
except ImportError as error:
    # Dask may be there without what its DataFrames need.
    raise ImportError('irpref_dask needs dask: pip install "irpref[dask]"') from error

from irpref_dask.comparison import compare

__all__ = ["compare"]
