"""What the words on the page of a comparison mean: headings, preferences, relations and marks."""

from __future__ import annotations

import re
from collections.abc import Iterable

from irpref.base.wording import Words
from irpref.methods.preferences.criterion import Criterion
from irpref.report.report import Report
from irpref.show.reports.comparison_notes import meant
from irpref.show.reports.comparison_report import OUTCOMES

# By what a heading reads like; {} is what a group of it finds, {main} the first preference.
_HEADINGS = {
    "system": "What made a run, which has a ranking of documents for every topic.",
    "rank": "The place of a system among all, by {main}.",
    r"rank \((.+) CI\)": "The place of a system among all, by {main}. In brackets: the best and the worst "
    "place that other topics might give it, a confidence interval of {}.",
    "better than": "The systems that this one beats significantly by {main}: their letters, or how many.",
    "worse than": "How many systems beat this one significantly by {main}.",
    "won": "Topics on which the system is better: of two, the first one.",
    "tied": "Topics on which neither system is better.",
    "lost": "Topics on which the other system is better.",
    "wins": "Duels that the system wins. A duel is one topic and one opponent.",
    "ties": "Duels that neither system wins. A duel is one topic and one opponent.",
    "losses": "Duels that the opponent wins. A duel is one topic and one opponent.",
    "preference": "How two rankings of a topic are compared; or a measure, then by the difference of its "
    "two scores.",
    "mean": "The mean over the topics. Positive: the first system is better.",
    "(.+) % interval": "Where the mean over many more topics like these would lie: of 100 intervals that "
    "are made in this way, {} hold it.",
    "p": "How likely so clear a result would be if there were nothing to find. Where several pairs are "
    "tested at once, p is corrected for that.",
    "†": "Found by a test: p is below α, so that chance hardly explains it. The test is named below.",
    "verdict": "What the test shows with the margin that was asked for. Undecided: nothing is shown.",
    "shares of topics": "The same counts as a bar: blue what the first system wins, orange what the second "
    "one wins, grey what neither wins.",
    r"wanted up to \(%\)": "How much of the relevant documents a user wants, at the most.",
    r"won \(%\)": "Share of the topics on which such a user has found it sooner with the first system.",
    r"lost \(%\)": "Share of the topics on which such a user has found it sooner with the second system.",
    r"net \(%\)": "What is won less what is lost.",
    r"± \(%\)": "So far from the net share may that of more topics be: half of its 95 % interval, point by "
    "point.",
    "rank, .+": "The dot is the rank of a system, the bar its interval. Blue: the test does not show that the "
    "system is worse than the first one.",
    "mean, .+": "The dot is the mean of a system, the bar its interval.",
    "topic": "What a ranking was made for: a query, or in recommendation a user.",
    "query": "The text of the topic.",
    r"ahead at depths 1 to \d+": "Who has found more relevant documents down to each of these depths: blue "
    "the first system, orange the second one; the darker, the more of them.",
    "value": "What the preference says of this topic. Positive: the first system is better.",
    "why": "What decides between the two rankings.",
    "relevant": "Of a document: its grade says that it is what the topic asks for. Of a topic: how many "
    "such documents there are.",
}
_OF_PAIRS = ("preference", "mean", *OUTCOMES.values(), "shares of topics")
_OF_TOPICS = ("topic", "value", "why")
_OF_RANKINGS = ("wanted up to (%)", "won (%)", "lost (%)", "net (%)", "± (%)", "relevant")


def glossary(
    report: Report,
    criteria: Iterable[Criterion],
    *,
    systems: int,
    rankings: bool,
    queries: bool,
    tested: bool,
    leads: int,
    words: Words,
) -> dict[str, str]:
    """What the words on a page mean, in the order of the page.

    Args:
        report: What stands above.
        criteria: The preferences and measures.
        systems: How many systems the page has; of two the report itself is about the pair.
        rankings: Whether it shows rankings.
        queries: Whether it shows the texts of topics.
        tested: Whether anything was tested.
        leads: Down to which depth it shows who is ahead.
        words: What gives texts the words for the data.
    """
    main, *_ = criteria = list(criteria)
    found = {str(each): _criterion_words(each) for each in criteria}
    for each in criteria:
        for name, relation in each.own_outcomes.items():
            also = f"Topics that neither system wins and that are no tie: {meant(relation)}."
            found[relation.heading or name] = also
        if each.has_relations:
            for relation in each.relations:
                said = f"How the first ranking of a topic is to the second one: {meant(relation)}."
                found[relation.label] = said
    headings = [heading for table in report.tables for heading in table.frame.columns]
    headings += [table.bars.heading for table in report.tables if table.bars is not None]
    headings += ["†"] * tested + ["query"] * queries + [*_OF_PAIRS] * (systems > 2)
    if systems > 1:
        headings += [*_OF_TOPICS, *(f"ahead at depths 1 to {leads}", *_OF_RANKINGS) * rankings]
    for heading in headings:
        for pattern, said in _HEADINGS.items():
            if named := re.fullmatch(pattern, heading):
                found[heading] = said.format(*named.groups(), main=main)
    return {words(word): words(said) for word, said in found.items()}


def _criterion_words(criterion: Criterion) -> str:
    """What a preference or measure is, whom it serves, and what its options change."""
    named = criterion.named
    what = "scores of another tool" if named is None else named.what
    said = [what[:1].upper() + what[1:]]
    if named is not None and named.written_out is not None:
        said.append(f"Short for {named.written_out}")
    if criterion.users is not None:
        said.append(f"It asks about those who {criterion.users}")
    if getattr(named, "ties", "trec") == "expected":
        said.append("Averaged over all orders of tied scores")
    if named is not None and named.cutoff is not None:
        said.append(f"A relevant document below the first {named.cutoff} counts as not found")
    said.append("The difference of two scores" if criterion.of_scores else "From -1 to +1")
    said.append("Positive: the system is better than the other one")
    return " ".join(each if each[-1:] in ".?" else f"{each}." for each in said)
