"""Reasons in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from functools import singledispatch

from irpref.methods.preferences.reasons import (
    EveryOrder,
    FirstLeads,
    HoweverJudged,
    NothingRelevant,
    OneLevel,
    OwnFunction,
    Reason,
    SomeLevels,
    TwoScores,
)
from irpref.report.table import count_of

_FORMS: dict[type[Reason], str] = {
    NothingRelevant: "nothing is relevant",
    EveryOrder: "averaged over tie orders",
    OwnFunction: "the function {label}",
    TwoScores: "{first} against {second}",
}
_NOT_IN_LIST = "not in its list"
SLOT = re.compile(r"\{(\w+)(?::([^}]*))?\}")
"""A slot of a form: what fills it, and how."""


def in_words(reason: Reason, a: str, b: str, retrieved: tuple[int, int] | None = None) -> str:
    """What decides between two rankings of a topic, in a sentence.

    Args:
        reason: The reason.
        a: The name of the first ranking.
        b: The name of the second one.
        retrieved: How many documents each of them has, if known.

    Example:
        >>> in_words(OneLevel(level=2, first=None, second=16), "bm25", "tfidf", (100, 90))
        '2nd relevant document: bm25 not in its 100, tfidf at rank 16'
    """
    said = {field.name: getattr(reason, field.name) for field in fields(reason)}
    form = form_of(reason)
    if retrieved is not None and isinstance(reason, OneLevel):
        # Where a level decides, at most one of the two lacks it.
        form = form.replace(_NOT_IN_LIST, f"not in its {retrieved[reason.first is not None]:,}")
    return filled(form, {"a": a, "b": b, **said})


@singledispatch
def form_of(reason: Reason) -> str:
    """The sentence with slots for the names ``a`` and ``b`` and for the fields of the reason.

    Many reasons have one form. The page of a comparison fills it in the same way as :func:`filled`.

    Example:
        >>> form_of(OneLevel(level=2, first=None, second=16))
        '{level:ordinal} relevant document: {a} not in its list, {b} at rank {second}'
    """
    return _FORMS[type(reason)]


def filled(form: str, said: Mapping[str, object]) -> str:
    """A form with what is said in its slots, which is not looked at again.

    Args:
        form: ``{name}`` is a slot; a score gets four decimals. ``{name:ordinal}`` is a number that says the
            how-manieth, ``{name:topic}`` that many topics.
        said: What fills the slots, by name.

    Example:
        >>> filled("{a} wins {won:topic}, its {won:ordinal}", {"a": "{b}", "won": 1})
        '{b} wins 1 topic, its 1st'
    """

    def fill(found: re.Match[str]) -> str:
        value, how = said[found[1]], found[2]
        if isinstance(value, float):
            return f"{value:.4f}"
        if how is None or not isinstance(value, int):
            return str(value)
        return ordinal(value) if how == "ordinal" else count_of(value, how)

    return SLOT.sub(fill, form)


@form_of.register
def _(reason: OneLevel) -> str:
    if reason.level is None:
        return "both find every relevant document at the same rank"
    lacks = _NOT_IN_LIST if reason.cutoff is None else "not in its first {cutoff}"
    first = lacks if reason.first is None else "at rank {first}"
    second = lacks if reason.second is None else "at rank {second}"
    return f"{{level:ordinal}} relevant document: {{a}} {first}, {{b}} {second}"


@form_of.register
def _(reason: SomeLevels) -> str:
    text = "{a} is earlier at {won:recall level}, {b} at {lost}; {tied} tied"
    if reason.populations > 1:
        text += " (over {populations} {interest})"
    return text if reason.relation is None else f"{{relation}}: {text}"


@form_of.register
def _(reason: FirstLeads) -> str:
    first, second = reason.first, reason.second
    if first is None and second is None:
        return "{relation}: equal at every depth"
    if first == second:
        return "{relation}: each is ahead by some grade at depth {first}, so metrics can disagree"
    leads, overtakes = "{a} is ahead from depth {first}", "{b} overtakes at depth {second}"
    if first is None or (second is not None and second < first):
        leads, overtakes = "{b} is ahead from depth {second}", "{a} overtakes at depth {first}"
    if first is None or second is None:
        return f"{{relation}}: {leads} and never behind, so metrics agree"
    return f"{{relation}}: {leads}; {overtakes}, so metrics can disagree"


@form_of.register
def _(reason: HoweverJudged) -> str:
    if not reason.first + reason.second:
        return "{relation}: neither has an unjudged document down to rank {cutoff}"
    unjudged = "the unjudged documents down to rank {cutoff} ({first} of {a}, {second} of {b})"
    if reason.certain:
        return f"{{relation}}: no judging of {unjudged} would change it"
    return f"{{relation}}: it depends on how somebody would judge {unjudged}"


def ordinal(number: int) -> str:
    """A number that says the how-manieth.

    Example:
        >>> ordinal(1), ordinal(12), ordinal(23)
        ('1st', '12th', '23rd')
    """
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
