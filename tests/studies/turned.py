"""Scores of one measure under the name of another method: numbers of which a claim must hold, or fail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import irpref


def turned(data: irpref.Collection, shown_as: Mapping[str, str]) -> list[dict[str, Any]]:
    """Methods by name, each with the scores of a measure."""
    return [
        {name: data.evaluate(measure).drop(columns="measure")} for name, measure in shown_as.items()
    ]


def tried(study: Any) -> Any:
    """The claims on methods that were tried."""
    return study.claims[~study.claims["note"].str.startswith("not tried")]


def verdicts(study: Any) -> dict[str, str]:
    """By claim on methods that were tried, what comes out."""
    claims = tried(study)
    return dict(zip(claims["claim"], claims["verdict"], strict=True))
