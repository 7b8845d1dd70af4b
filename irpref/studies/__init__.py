"""The experiments of the papers, to be done on any qrels and runs.

A study is called with a collection, or with several by name, and with methods: preferences, measures,
functions and scores. Some studies need no data. What comes back is an :class:`.Study`: a frame of
findings, a table, a picture, and what they say of the papers' claims. ``irpref study`` does the same on the
command line.

Example:
    >>> import irpref
    >>> from irpref import demo_paths
    >>> study = irpref.studies.ties(irpref.collect(*demo_paths()), ["RR", "LP"])
    >>> study.frame["estimate"].head(2).round(3).to_list()
    [0.433, 0.006]
    >>> irpref.studies.ipso_space(depths=3).claims["verdict"].iloc[0]
    'holds'

Every module here that holds an experiment under its own name (``Ties`` in ``ties``) is a study: a new one
needs no entry anywhere.
"""

from __future__ import annotations

import importlib
import pkgutil

from irpref.base.errors import unknown
from irpref.studies.base import AnyExperiment, DataFree, Experiment

__all__ = ["AnyExperiment", "DataFree", "Experiment", "known_studies"]


def _find() -> dict[str, AnyExperiment]:
    found = {}
    for module in pkgutil.iter_modules(__path__):
        content = importlib.import_module(f"{__name__}.{module.name}")
        experiment = getattr(content, module.name.title().replace("_", ""), None)
        if experiment is not None:
            found[module.name] = experiment()
    return found


# The experiment takes the place of its module, which has the same name: irpref.studies.ties(data).
_STUDIES = _find()
globals().update(_STUDIES)
__all__ += _STUDIES  # noqa: PLE0605


def __getattr__(name: str) -> AnyExperiment:
    # Only for names that there are none of.
    raise AttributeError(str(unknown("study", name, _STUDIES)))


def known_studies() -> dict[str, AnyExperiment]:
    """All studies by the names that the command line has for them.

    Example:
        >>> known_studies()["ties"].question
        'How often do methods tie?'
    """
    return {experiment.name: experiment for experiment in _STUDIES.values()}
