"""irpref inside LensKit: preferences on collections of item lists, and any measure as a metric.

``compare`` compares models, user by user, on collections of LensKit (``ItemListCollection``). ``Metric`` is
any measure of irpref as a ``ListMetric``, for ``RunAnalysis`` and ``MeasurementCollector``.
"""

try:
    import lenskit  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "lenskit":
        raise
    raise ImportError('irpref_lenskit needs lenskit: pip install "irpref[lenskit]"') from error

from irpref_lenskit.comparison import ListComparison, compare
from irpref_lenskit.metric import Metric

__all__ = ["ListComparison", "Metric", "compare"]
