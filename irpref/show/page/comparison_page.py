"""The page of a comparison, to send to a colleague: what is gathered for it, and how much a page holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from irpref.base.arrays import Integers
from irpref.base.errors import InputError
from irpref.base.escape import beginning, escaped
from irpref.base.literals import Progress
from irpref.base.message import Message, Option, spelled
from irpref.base.version import __version__
from irpref.methods.preferences.criterion import Criterion
from irpref.pairwise.challenges import group_depth
from irpref.pairwise.feeds import page_numbers
from irpref.pairwise.pair_checks import CheckTable
from irpref.pairwise.pair_facts import pair_facts
from irpref.pairwise.pair_table import PairTable, Tests
from irpref.pairwise.signature import signature
from irpref.pairwise.standings import standings
from irpref.pairwise.totals import Totals
from irpref.positions.placements import Placements
from irpref.positions.topic_batch import TopicBatch
from irpref.read.texts import Texts, read_texts
from irpref.report.report import Report
from irpref.report.table import count_of, distinct
from irpref.show.page.glossary import glossary
from irpref.show.page.page_parts import (
    Parts,
    all_escaped,
    answers_in_words,
    compared_pairs,
    first_documents,
    interactive_page,
    positions,
    profiles,
    texts_of,
)
from irpref.show.page.sentences import sentences
from irpref.show.reports.answers import WHICH_PREFERENCE
from irpref.show.reports.check_words import checks_by_pair
from irpref.show.reports.comparison_notes import mark_notes, relation_notes

if TYPE_CHECKING:
    from markupsafe import Markup

LISTS = 100
"""How many of the first documents of each ranking a page shows, where that is not too many."""
# A page of 125 systems, 50 topics and four preferences has nearly so many, and about 5 MB.
_MOST_CELLS, _FEW_PREFERENCES = 500_000, 4
_MOST_DOCUMENTS = 650_000
# Texts come on top of it.
_MOST_BYTES = 5_000_000
_DEPTHS = (LISTS, 50, 20, 10)
_MOST_CHARACTERS, _LONGEST_TEXT = 3_000_000, 300
_BINS = 25
_MARGIN = "With a margin, only what the first table shows was tested."
_OF_ONE_RUN = "Systems have several runs, and rankings are of one: "
# So deep are the strips that show who is ahead, at most.
_LEADS = 50


def comparison_page(
    placements: Placements,
    totals: Mapping[Criterion, Totals],
    report: Report,
    *,
    tests: Tests,
    checks: Mapping[Criterion, CheckTable],
    baseline: int | None,
    title: str | None = None,
    topics: Texts | None = None,
    docs: Texts | None = None,
    progress: Progress | None = None,
    spell: Callable[[Option], str] = str,
) -> str:
    """See :meth:`irpref.Comparison.to_html`.

    Args:
        placements: The placements.
        totals: By preference, its sums over the topics, for all systems against all.
        report: What stands above.
        tests: The tests of the report.
        checks: What becomes of them in checks.
        baseline: The baseline, if there is one.
        title: What the page is called.
        topics: Texts of the topics.
        docs: Texts of the documents.
        progress: Called while it is made.
        spell: How the surface writes the options that warnings name.
    """
    if docs is not None:
        _refuse_documents(placements)
    order, paired = _order(placements, totals, baseline)
    chosen = order[:paired]
    every = page_numbers.pairs_of(chosen)
    batch = TopicBatch(placements, first=chosen)
    lengths = placements.retrieved[:, chosen]
    deepest = int(lengths.max(initial=1))
    say = placements.words.naming(placements.topics)
    # Of what names nobody.
    own = say.unnamed
    # A margin asks for something else than which of two is better.
    plain = {each: of for each, of in tests.items() if of.how["margin"] is None}
    parts, pairs, tables = Parts(), [], dict[Criterion, PairTable]()
    for done, (criterion, sums) in enumerate(totals.items()):
        if progress is not None:
            progress("writing the page", done, len(totals))
        made = signature(criterion, placements, topics=sums.most_topics)
        values = page_numbers.every_pair(batch, criterion)
        table = PairTable.of(placements.systems, criterion, sums, every)
        tables[criterion] = table.with_tests(plain.get(criterion))
        said = sentences(criterion.reasons(batch), batch.shape)
        said["forms"] = list(map(own, said["forms"]))
        pairs.append(compared_pairs(parts, f"{done}", criterion, made, values, table, said))
    names, first = placements.topics, None if baseline is None else chosen.index(baseline)
    queries = {} if topics is None else read_texts(topics, names, "topic")
    if len(placements.systems) == 2:
        # The page shows every topic.
        shown = (each for each in report.tables if "topic" not in each.frame.columns)
        report = replace(report, tables=tuple(shown))
    systems = [placements.systems[each] for each in order]
    places = {name: place for place, name in enumerate(systems)}
    facts: dict[str, Any] = {
        "nouns": say.nouns,
        "systems": distinct(all_escaped(systems)),
        "compared": paired,
        # The two that are shown first: the baseline and the best other system, the better one first.
        "pair": None if first is None else (0, first or 1),
        "baseline": first,
        # The system of each row of the first table, where a row is a system.
        "rows": [places[name] for name in report.tables[0].frame.to_dict().get("system", ())],
        "topics": distinct(all_escaped(names)),
        "queries": texts_of(queries, names) if queries else [],
        "preferences": pairs,
        "counted": parts.add("counted", np.max([of["topics"] for of in tables.values()], axis=0)),
        "guide": WHICH_PREFERENCE,
        "relation_notes": all_escaped(map(own, relation_notes(totals))),
        "lead_depth": min(_LEADS, deepest, group_depth(totals)),
        **dict.fromkeys(("profile", "positions", "lengths", "lists")),
        "signatures": all_escaped(report.signatures),
    }
    if placements.has_rankings:
        facts |= {
            "profile": profiles(parts, *page_numbers.pair_profiles(batch, bins=_BINS)),
            "positions": positions(parts, **page_numbers.relevant_positions(placements, chosen)),
            "lengths": parts.add("lengths", lengths),
        }

    meanings = glossary(report, totals, facts, tested=bool(tests), words=own)
    by_pair = {each: checks_by_pair(table) for each, table in checks.items() if each in plain}
    words = answers_in_words(pair_facts(placements, tables, chosen, by_pair))
    parts.add_json("verdicts", {**words, "forms": list(map(own, words["forms"]))})
    how = " ".join(mark_notes(plain)) if len(plain) == len(tests) else _MARGIN
    facts["verdicts"] = {"how": escaped(own(how))}

    def page_with(lists: Mapping[str, Any] | None, texts: Mapping[str, str]) -> str:
        all_parts = Parts({**parts.packed})
        facts["lists"] = None if lists is None else first_documents(all_parts, texts, **lists)
        body = _seen(
            report,
            facts,
            meanings,
            own,
            about=list(_about(placements, title, say)),
            warnings=[
                say(spelled(line, spell)) for line in _left_out(placements, paired, lists, deepest)
            ],
        )
        return interactive_page(body, facts, all_parts, title or report.title)

    for lists in _lists(placements, chosen, lengths):
        page = page_with(lists, {})
        if len(page.encode()) <= _MOST_BYTES:
            break
    if docs is None or lists is None:
        return page
    found = read_texts(docs, lists["names"], "document")
    # As much of each as fits into a page.
    longest = min(_LONGEST_TEXT, max(1, _MOST_CHARACTERS // max(1, len(found))))
    return page_with(lists, {name: beginning(text, longest) for name, text in found.items()})


def _seen(
    report: Report,
    facts: Mapping[str, Any],
    meanings: Mapping[str, str],
    say: Callable[[str], str],
    **head: Any,
) -> Markup:
    """What people see of a page, with these texts in its head, before scripts draw the rest."""
    # jinja2 is slow to import.
    from irpref.report.html.document import filled

    shown = "the reasons" if facts["positions"] is None else "the reasons and both rankings"
    body = filled("report", report=report, whole=True, **head).strip()
    return body + filled("explorer", say=say, shown=shown) + filled("glossary", entries=meanings)


def _refuse_documents(placements: Placements) -> None:
    """Refuse texts of documents where the page can show no documents."""
    if placements.rankings is not placements:
        raise InputError(
            Message(_OF_ONE_RUN, "leave ", Option("docs"), " or ", Option("groups"), " out")
        )
    if placements.first_documents is None:
        raise InputError(
            "docs= gives the texts of documents, and the names of the documents were not kept: "
            f"with lists={LISTS} irpref keeps the first {LISTS} of each run"
        )


def _about(placements: Placements, title: str | None, say: Callable[[str], str]) -> Iterator[str]:
    """What the page is of, and what made it."""
    if title:
        yield title
    yield from placements.sources
    yield say(count_of(len(placements.topics), "topic"))
    yield say(count_of(len(placements.systems), "system"))
    if placements.rankings is not placements:
        yield say(count_of(len(placements.rankings.systems), "run"))
    if (depth := placements.reading.depth) is not None:
        yield say(f"first {count_of(depth, 'document')} of each run")
    yield f"made with irpref {__version__}"


def _order(
    placements: Placements, totals: Mapping[Criterion, Totals], baseline: int | None
) -> tuple[list[int], int]:
    """The systems, best first, those with pairs in the page before the others; and how many these are."""
    systems = placements.systems
    if len(systems) == 2 and baseline is not None:
        # As the report has them.
        return [1 - baseline, baseline], 2
    main, sums = next(iter(totals.items()))
    ranked = [placements.system(each) for each in standings(systems, main, sums)["system"]]
    # Of more preferences, fewer pairs have as much room. n systems have n (n - 1) / 2 pairs.
    cells = _MOST_CELLS * _FEW_PREFERENCES // max(_FEW_PREFERENCES, len(totals))
    pairs = cells // max(1, len(placements.topics))
    most = max(2, (1 + math.isqrt(1 + 8 * pairs)) // 2)
    if most >= len(ranked):
        return ranked, len(ranked)
    kept = [] if baseline is None else [baseline]
    chosen = {*kept, *[each for each in ranked if each not in kept][: most - len(kept)]}
    return sorted(ranked, key=lambda each: each not in chosen), most


def _lists(
    placements: Placements, order: Sequence[int], lengths: Integers
) -> Iterator[Mapping[str, Any] | None]:
    """The first documents as far as they were kept, then fewer of them; None if none can be there."""
    if (kept := placements.first_documents) is None:
        yield None
        return
    most = min(kept.depth, int(lengths.max(initial=1)))
    depths = sorted({min(depth, most) for depth in _DEPTHS}, reverse=True)
    fit = [depth for depth in depths if np.minimum(lengths, depth).sum() <= _MOST_DOCUMENTS]
    yield from (page_numbers.first_lists(kept, order, depth) for depth in fit)
    if not fit:
        yield None


def _left_out(
    placements: Placements,
    paired: int,
    lists: Mapping[str, Any] | None,
    deepest: int,
) -> Iterator[str]:
    """What the page leaves out, why, and where it is."""
    systems, kept = len(placements.systems), placements.first_documents
    if paired < systems:
        yield (
            f"Pairs are of {paired} of the {systems} systems, the best ones and the baseline if there is "
            "one: with all, this page would be too large. A page of fewer runs has all of their pairs."
        )
    if placements.rankings is not placements:
        yield Message(_OF_ONE_RUN, "a page of the runs without ", Option("groups"), " shows them.")
    elif not placements.has_rankings:
        yield "There are no rankings to show."
    elif kept is None:
        yield (
            f"Rankings show relevant documents only, as the others were not kept: with lists={LISTS} "
            f"irpref keeps the first {LISTS} of each run, as the command irpref compare does."
        )
    elif lists is None:
        yield "Rankings show relevant documents only: with the others, this page would be too large."
    elif lists["depth"] < min(LISTS, kept.depth, deepest):
        yield (
            f"Rankings show the first {lists['depth']} documents: with more, this page would be too large."
        )
