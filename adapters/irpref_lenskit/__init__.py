"""irpref inside LensKit: preferences on collections of item lists, and any measure as a metric.

``compare`` compares models, user by user, on collections of LensKit (``ItemListCollection``). ``Metric`` is
any measure of irpref as a ``ListMetric``, for ``RunAnalysis`` and ``MeasurementCollector``.
"""

from irpref.for_adapters import installed

with installed("lenskit", 'irpref_lenskit needs lenskit: pip install "irpref[lenskit]"'):
    import lenskit  # noqa: F401

from irpref_lenskit.comparison import ListComparison, compare
from irpref_lenskit.metric import Metric

__all__ = ["ListComparison", "Metric", "compare"]
