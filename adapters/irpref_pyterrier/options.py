"""Which further options of a call are irpref's, and which are those of ``pt.Experiment``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from pyterrier import Experiment as HostExperiment

from irpref import Reading
from irpref.for_adapters import unknown


def split_options(
    caller: Callable[..., Any], options: Mapping[str, Any], *, but: tuple[str, ...] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of :class:`irpref.Reading`, and those of ``pt.Experiment``.

    Args:
        caller: The function that was called.
        options: What it was called with, besides its own parameters.
        but: Options that mean nothing to it.

    Raises:
        TypeError: Neither has such an option; the nearest one is named.
    """
    reading = {option.name for option in fields(Reading)} - set(but)
    hosts = {
        name
        for name, parameter in inspect.signature(HostExperiment).parameters.items()
        if parameter.kind != parameter.VAR_KEYWORD and name not in but
    }
    for name in options:
        if name not in reading | hosts:
            known = sorted(reading | hosts)
            raise TypeError(f"{caller.__name__}(): {unknown('option', name, known, cutoff=0.6)}")
    return (
        {name: value for name, value in options.items() if name in reading},
        {name: value for name, value in options.items() if name not in reading},
    )
