"""irpref inside LensKit: measures and preferences as metrics, and comparisons of all models.

``Metric`` is a measure, or a preference over a reference model, as a ``ListMetric`` for ``RunAnalysis`` and
``MeasurementCollector``. ``PairMetric`` (``LP``, ``LR``, ``RPP``, ``IPSO``) compares two item lists.
``compare`` compares every two models, user by user, and tests them.
"""

from irpref.for_adapters import needing

with needing('irpref_lenskit needs lenskit: pip install "irpref[lenskit]"', "lenskit"):
    import lenskit  # noqa: F401

from irpref_lenskit.comparison import ListComparison, compare
from irpref_lenskit.metric import IPSO, LP, LR, RPP, Metric, PairMetric

__all__ = ["IPSO", "LP", "LR", "RPP", "ListComparison", "Metric", "PairMetric", "compare"]
