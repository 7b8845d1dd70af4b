"""What ``explain`` gives back: why one ranking of a topic is preferred to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from irpref.preferences.criterion import Criterion
from irpref.preferences.reasons import Reason
from irpref.project.placements import Placements
from irpref.read.texts import Texts, read_texts
from irpref.render.report import Report
from irpref.render.view import SeenAsReport
from irpref.summarise.signature import signature, with_parts

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Explanation", "explain"]


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(SeenAsReport):
    """Why one ranking of a topic is preferred to another.

    Attributes:
        topic: The topic.
        a: The first system.
        b: The second system.
        levels: A row for every recall level that a preference looks at. Columns population (``grade >= 1``
            holds the users who look for items of at least grade 1), level (from 1), document_a, grade_a,
            position_a, document_b, grade_b, position_b, sign (+1 if a is earlier, -1 if b is) and decides
            (the preferences that this level decides). Document, grade and position are missing if a system
            retrieves no item at that level.
        values: By preference, its value, above 0 if a is preferred.
        reasons: By preference, what decides, as data.
        signature: How all this was made.
        query: The text of the topic, if known.
        texts: The texts of documents, where known.

    Example:
        >>> import irpref
        >>> from irpref.demo import demo_paths
        >>> explanation = irpref.compare(*demo_paths(), "LP").explain("6", "bm25", "tfidf")
        >>> explanation.reasons["LP"].first, explanation.reasons["LP"].second
        (1, 3)
        >>> explanation.levels.query("decides == 'LP'")[["level", "document_a", "document_b"]].values
        array([[1, 'garden-112', 'garden-112']], dtype=object)
    """

    topic: str
    a: str
    b: str
    levels: pd.DataFrame
    values: Mapping[str, float]
    reasons: Mapping[str, Reason]
    signature: str
    query: str | None = None
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def decisions(self) -> pd.DataFrame:
        """By preference: its value, and a sentence that says what decides."""
        import pandas as pd

        from irpref.render.reasons import in_words

        frame = pd.DataFrame(
            {
                "value": list(self.values.values()),
                "decided_by": [in_words(each, self.a, self.b) for each in self.reasons.values()],
            },
            index=pd.Index(list(self.values), name="preference"),
        )
        frame.attrs["signature"] = self.signature
        return frame

    @property
    def report(self) -> Report:
        """The explanation as a report."""
        from irpref.render.explanation import explanation_report

        return explanation_report(
            self.topic,
            (self.a, self.b),
            self.levels,
            self.decisions,
            self.reasons,
            query=self.query,
            texts=self.texts,
        )

    def _view(self) -> Report:
        return self.report


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
