"""Reasons in words."""

from __future__ import annotations

from functools import singledispatch

from irpref.preferences.reasons import (
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
from irpref.render.table import count_of

__all__ = ["in_words", "ordinal"]


@singledispatch
def in_words(reason: Reason, a: str, b: str) -> str:
    """What decides between two rankings of a topic, in a sentence.

    Args:
        reason: The reason.
        a: The name of the first ranking.
        b: The name of the second one.

    Example:
        >>> in_words(OneLevel(level=2, first=None, second=16), "bm25", "tfidf")
        '2nd relevant document: bm25 never finds it, tfidf finds it at rank 16'
    """
    raise TypeError(f"no words for a reason of type {type(reason).__name__}")


@in_words.register
def _(reason: NothingRelevant, a: str, b: str) -> str:
    return "nothing is relevant"


@in_words.register
def _(reason: EveryOrder, a: str, b: str) -> str:
    return "the mean over all orders of the tied scores"


@in_words.register
def _(reason: OwnFunction, a: str, b: str) -> str:
    return f"the function {reason.label}"


@in_words.register
def _(reason: TwoScores, a: str, b: str) -> str:
    return f"{reason.first:.4f} against {reason.second:.4f}"


@in_words.register
def _(reason: OneLevel, a: str, b: str) -> str:
    if reason.level is None:
        return "both find every relevant document at the same rank"
    never = "never finds it"
    if reason.cutoff is not None:
        never = f"does not find it by rank {reason.cutoff}"
    sides = [
        f"{name} {never if position is None else f'finds it at rank {position}'}"
        for name, position in ((a, reason.first), (b, reason.second))
    ]
    return f"{ordinal(reason.level)} relevant document: {', '.join(sides)}"


@in_words.register
def _(reason: SomeLevels, a: str, b: str) -> str:
    text = (
        f"{a} is earlier at {count_of(reason.won, 'recall level')}, {b} at {reason.lost}; "
        f"{reason.tied} tied"
    )
    if reason.populations > 1:
        text += f" (over {reason.populations} {reason.interest})"
    return text if reason.relation is None else f"{reason.relation}: {text}"


@in_words.register
def _(reason: FirstLeads, a: str, b: str) -> str:
    leads = {a: reason.first, b: reason.second}
    depths = [depth for depth in leads.values() if depth is not None]
    if not depths:
        return f"{reason.relation}: equal at every depth"
    leader, other = (a, b) if reason.first == min(depths) else (b, a)
    if len(depths) == 1:
        return (
            f"{reason.relation}: {leader} is ahead from depth {leads[leader]} and never behind, so metrics "
            "agree"
        )
    if reason.first == reason.second:
        return (
            f"{reason.relation}: each is ahead by some grade at depth {reason.first}, so metrics can "
            "disagree"
        )
    return (
        f"{reason.relation}: {leader} is ahead from depth {leads[leader]}; {other} overtakes at depth "
        f"{leads[other]}, so metrics can disagree"
    )


@in_words.register
def _(reason: HoweverJudged, a: str, b: str) -> str:
    if not reason.first + reason.second:
        return f"{reason.relation}: neither has an unjudged document down to rank {reason.cutoff}"
    depends = "however" if reason.certain else "it depends on how"
    counts = f"{reason.first} of {a}, {reason.second} of {b}"
    return (
        f"{reason.relation}: {depends} the unjudged documents down to rank {reason.cutoff} are judged "
        f"({counts})"
    )


def ordinal(number: int) -> str:
    """A number that says the how-manieth.

    Example:
        >>> ordinal(1), ordinal(12), ordinal(23)
        ('1st', '12th', '23rd')
    """
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
