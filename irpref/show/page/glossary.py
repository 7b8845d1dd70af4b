"""What the words on the page of a comparison mean: headings, preferences, relations and marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any

from irpref.methods.preferences.criterion import Criterion
from irpref.report.report import Report
from irpref.show.reports.comparison_notes import legend, meant
from irpref.show.reports.comparison_report import OUTCOMES

_OF_PAIRS = ("preference", "mean", *OUTCOMES.values(), "shares of topics")
_OF_TOPICS = ("topic", "value", "why")
_OF_PROFILES = ("wanted up to (%)", "won (%)", "lost (%)", "net (%)", "± (%)")


def glossary(
    report: Report,
    criteria: Iterable[Criterion],
    facts: Mapping[str, Any],
    *,
    tested: bool,
    words: Callable[[str], str],
) -> dict[str, str]:
    """What the words on a page mean, in the order of the page.

    Args:
        report: What stands above.
        criteria: The preferences and measures.
        facts: What the scripts read.
        tested: Whether anything was tested.
        words: What gives texts the words for the data.
    """
    main, *_ = criteria = list(criteria)
    found = {str(each): _criterion_words(each) for each in criteria}
    for each in criteria:
        for name, relation in each.own_outcomes.items():
            also = f"Topics that neither system wins and that are no tie: {meant(relation)}."
            found[relation.heading or name] = also
    meanings = re.findall(
        r"^(\S.*)\n((?:  .+\n)+)",
        files(__package__).joinpath("glossary.txt").read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )
    for heading in (*_headings(report, facts), *("†" * tested)):
        for pattern, said in meanings:
            if named := re.fullmatch(pattern, heading):
                text = " ".join(said.split()).format(main=main, **named.groupdict())
                found.setdefault(heading, text)
    return {words(word): words(said) for word, said in found.items()}


def _headings(report: Report, facts: Mapping[str, Any]) -> Iterator[str]:
    """The headings on a page."""
    for table in report.tables:
        yield from table.frame.columns
        if table.bars is not None:
            yield table.bars.heading
    if len(facts["systems"]) > 2:
        # Of two, the report is about the pair.
        yield from _OF_PAIRS
    yield from _OF_TOPICS
    if facts["queries"]:
        yield "query"
    if facts["profile"]:
        yield from (*_OF_PROFILES, f"ahead at depths 1 to {facts['lead_depth']}", "relevant")


def _criterion_words(criterion: Criterion) -> str:
    """What a preference or measure is, whom it serves, and what its options change."""
    named = criterion.named
    what = criterion.looked_for if named is None else named.what
    said = [what[:1].upper() + what[1:]]
    if named is not None and named.written_out is not None:
        said.append(f"Short for {named.written_out}")
    if criterion.audience is not None:
        said.append(f"It asks about those who {criterion.audience}")
    if getattr(named, "ties", "trec") == "expected":
        said.append("Averaged over all orders of tied scores")
    if named is not None and named.cutoff is not None:
        said.append(f"A relevant document below the first {named.cutoff} counts as not found")
    if criterion.of_scores:
        said.append("The difference of two scores")
    elif criterion.bounds == (-1, 1):
        said.append("From -1 to +1")
    said.append("Positive: the system is better than the other one")
    if criterion.has_relations:
        said.append(f"On a topic it names {legend(criterion)}")
    return " ".join(each if each[-1:] in ".?" else f"{each}." for each in said)
