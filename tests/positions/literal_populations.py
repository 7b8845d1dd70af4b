"""The populations of users by their definition."""

from __future__ import annotations

from hypothesis import strategies as st

from irpref.positions.topic_batch import Interest
from tests.literal import relevant
from tests.random_cases import Case

Wanted = list[tuple[str, frozenset[str]]]


def wanted_of(case: Case, interest: Interest, rel: float) -> Wanted:
    """The populations by definition: their topics and the documents that satisfy them."""
    found: Wanted = []
    for topic, judged in case.judgments.items():
        grades = case.grades[topic]
        if interest == "relevant":
            sets = [relevant(grades, rel)]
        elif interest == "grades":
            present = {grades[document] for document in relevant(grades, rel)}
            sets = [relevant(grades, grade) for grade in present]
        else:
            pairs = {pair for pair, grade in judged.items() if grade >= rel and grade > 0}
            sets = [{d for d, s in pairs if s == subtopic} for subtopic in {s for _, s in pairs}]
            sets.append({d for d, _ in pairs})
        found += [(topic, frozenset(documents)) for documents in sets if documents]
    return found


rels = st.sampled_from((1, 2, 1.5, 3, 4, 0, -5))
interests = st.sampled_from(("relevant", "grades", "subtopics"))
