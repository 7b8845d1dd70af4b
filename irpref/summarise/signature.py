"""The line that says how a result was made, so that it can be made again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from irpref.options import Named
from irpref.preferences.base import Preference
from irpref.project.collection import Collection
from irpref.version import __version__

__all__ = ["signature"]


def signature(
    what: Named,
    collection: Collection,
    *,
    topics: int,
    more: Mapping[str, object] | None = None,
) -> str:
    """How a preference or measure was computed, as ``key:value`` parts joined by ``|``.

    Args:
        what: The preference or measure.
        collection: What it was computed on.
        topics: How many topics count.
        more: Further parts, such as the test; those that are None are left out.

    Example:
        >>> from irpref import RPP
        >>> from irpref.project import collect
        >>> runs = {"a": {"1": {"d": 1.0}}, "b": {"1": {"e": 1.0}}}
        >>> collection = collect({"1": {"d": 1}}, runs)
        >>> signature(RPP, collection, topics=1).rpartition("|")[0]
        'pref:RPP|weights:uniform|graded:yes|rel:1|cutoff:none|ties:trec|topics:1|missing:0'
    """
    options = {field.name: getattr(what, field.name) for field in fields(what) if field.init}
    cutoff, rel = options.pop("cutoff"), options.pop("rel", None)
    ties = options.pop("ties", "trec")
    kind = "pref" if isinstance(what, Preference) else "measure"
    parts = [f"{kind}:{what if 'label' in options else what.name}"]
    parts += [
        f"{name}:{_text(value)}"
        for name, value in options.items()
        if name not in ("label", "function") and value is not None
    ]
    missing = sum(len(topics) for topics in collection.coverage.missing.values())
    parts += [
        *([] if rel is None else [f"rel:{rel:g}"]),
        f"cutoff:{'none' if cutoff is None else cutoff}",
        f"ties:{ties}",
        f"topics:{topics}",
        f"missing:{missing}" + (":skipped" if collection.missing == "skip" else ""),
        *(["order:rank"] if collection.order == "rank" else []),
        *(["judged-only"] if collection.judged_only else []),
        *(f"{name}:{_text(value)}" for name, value in (more or {}).items() if value is not None),
        f"irpref:{__version__}",
    ]
    return "|".join(parts)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if callable(value):
        return getattr(value, "__name__", "function")
    return str(value).replace(" ", "")
