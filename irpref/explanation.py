"""Why one ranking of a topic is preferred to another."""

from __future__ import annotations

from collections.abc import Sequence

from irpref.preferences.criterion import Criterion
from irpref.project.placements import Placements
from irpref.read.texts import Texts, read_texts
from irpref.render.explanation import Explanation
from irpref.summarise.signature import signature, with_parts

__all__ = ["explain"]


def explain(
    placements: Placements,
    criteria: Sequence[Criterion],
    topic: int,
    pair: tuple[int, int],
    *,
    topics: Texts | None,
    docs: Texts | None,
) -> Explanation:
    """See :meth:`irpref.Comparison.explain`."""
    from irpref.summarise.explanation import decisions, levels

    decided = decisions(placements, criteria, topic, *pair)
    reasons = {criterion: reason for criterion, (_, reason) in decided.items()}
    side_by_side = levels(placements, reasons, topic, *pair)
    name, (a, b) = placements.topics[topic], (placements.systems[each] for each in pair)
    line = signature(criteria, placements, topics=1, names={"topic": name, "a": a, "b": b})
    side_by_side.attrs["signature"] = with_parts(line, table="levels")
    named = side_by_side[["document_a", "document_b"]].to_numpy().ravel()
    documents = [str(document) for document in dict.fromkeys(named) if document is not None]
    return Explanation(
        topic=name,
        a=a,
        b=b,
        levels=side_by_side,
        values={str(each): value for each, (value, _) in decided.items()},
        reasons={str(each): reason for each, reason in reasons.items()},
        signature=line,
        query=None if topics is None else read_texts(topics, [name], "topic").get(name),
        texts={} if docs is None else read_texts(docs, documents, "document"),
    )
