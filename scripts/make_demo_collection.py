"""Make the run files of the demo collection from the corpus in ``scripts/demo_corpus``.

Six small rankers search 150 short texts for twelve topics. Nothing is random: the same corpus
gives the same files, byte for byte.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import bm25s
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "scripts" / "demo_corpus"
OUTPUT = ROOT / "irpref" / "cli" / "demo_collection"
DOCUMENTS, TOPICS = "documents.jsonl", "topics.tsv"
COPIED = ("qrels.txt", "qrels.subtopics.txt", DOCUMENTS, TOPICS)
DEPTH = 30

WORD = re.compile(r"[a-z]+")
STOP_WORDS = frozenset(
    WORD.findall(
        "a about all an and any are as at be been but by can do for from had has have he her his "
        "how if in into is it its not of on or other our she so than that the their them then "
        "there they this to too up was we were what when which who will with you your"
    )
)

Tokens = list[str]
Ranker = Callable[[Sequence[Tokens], Sequence[Tokens]], np.ndarray]


def tokenize(text: str) -> Tokens:
    """Lower-case words of letters, without stop words."""
    return [word for word in WORD.findall(text.lower()) if word not in STOP_WORDS]


def stem(word: str) -> str:
    """The word without its plural, -ing or -ed ending and without a final e."""
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("oes"):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 3:
        word = word[:-1]
    for suffix in ("ing", "ed"):
        if word.endswith(suffix) and len(word) >= len(suffix) + 3:
            word = word[: -len(suffix)]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def tokenize_stemmed(text: str) -> Tokens:
    """The stems of the words of a text."""
    return [stem(word) for word in tokenize(text)]


def tokenize_first_sentence(text: str) -> Tokens:
    """The stems of the words of the first sentence."""
    return tokenize_stemmed(re.split(r"(?<=[.?!]) ", text, maxsplit=1)[0])


def bm25_index(documents: Sequence[Tokens], method: str, k1: float, b: float) -> bm25s.BM25:
    """A BM25 index over tokenised documents, in double precision."""
    index = bm25s.BM25(method=method, k1=k1, b=b, dtype="float64")
    index.index(list(documents), show_progress=False)
    return index


def bm25(documents: Sequence[Tokens], queries: Sequence[Tokens]) -> np.ndarray:
    """BM25 with Lucene's idf, k1 = 1.2 and b = 0.75."""
    index = bm25_index(documents, "lucene", 1.2, 0.75)
    return np.array([index.get_scores(query) for query in queries])


def bm25_feedback(documents: Sequence[Tokens], queries: Sequence[Tokens]) -> np.ndarray:
    """BM25 on the query, half of its weight moved to 10 terms of the 5 best documents (RM3)."""
    index = bm25_index(documents, "lucene", 1.2, 0.75)
    rows = []
    for query in queries:
        first = index.get_scores(query)
        best = np.argsort(-first, kind="stable")[:5]
        model: Counter[str] = Counter()
        for doc in best:
            for term in documents[doc]:
                model[term] += first[doc] / len(documents[doc])
        expansion = sorted(model.items(), key=lambda item: (-item[1], item[0]))[:10]
        total = sum(weight for _, weight in expansion)
        weights = {term: 0.5 * count / len(query) for term, count in Counter(query).items()}
        for term, weight in expansion:
            weights[term] = weights.get(term, 0.0) + 0.5 * weight / total
        rows.append(sum(weight * index.get_scores([term]) for term, weight in weights.items()))
    return np.array(rows)


def tfidf(documents: Sequence[Tokens], queries: Sequence[Tokens]) -> np.ndarray:
    """Cosine of (1 + log tf) · idf vectors."""
    terms = {term: i for i, term in enumerate(sorted({t for doc in documents for t in doc}))}

    def vectors(texts: Sequence[Tokens]) -> np.ndarray:
        counts = np.zeros((len(texts), len(terms)))
        for row, text in enumerate(texts):
            for term, count in Counter(text).items():
                if term in terms:
                    counts[row, terms[term]] = 1 + math.log(count)
        return counts

    matrix = vectors(documents)
    idf = np.log(len(documents) / np.count_nonzero(matrix, axis=0))
    weighted = matrix * idf
    asked = vectors(queries) * idf
    weighted /= np.linalg.norm(weighted, axis=1, keepdims=True)
    asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    cosines: np.ndarray = asked @ weighted.T
    return cosines


def lm_dirichlet(documents: Sequence[Tokens], queries: Sequence[Tokens]) -> np.ndarray:
    """Query likelihood with Dirichlet smoothing (mu = 50), less what all documents share."""
    mu = 50.0
    collection = Counter(term for doc in documents for term in doc)
    size = sum(collection.values())
    counts = [Counter(doc) for doc in documents]
    scores = np.zeros((len(queries), len(documents)))
    for row, query in enumerate(queries):
        known = [term for term in query if term in collection]
        for column, doc in enumerate(documents):
            length = len(known) * math.log(mu / (mu + len(doc)))
            matches = (counts[column][term] * size / (mu * collection[term]) for term in known)
            scores[row, column] = length + sum(math.log1p(match) for match in matches)
    return scores


def boolean(documents: Sequence[Tokens], queries: Sequence[Tokens]) -> np.ndarray:
    """The number of distinct query terms that a document contains."""
    return np.array([[len(set(query) & set(doc)) for doc in documents] for query in queries])


SYSTEMS: dict[str, tuple[Ranker, Callable[[str], Tokens]]] = {
    "bm25": (bm25, tokenize_stemmed),
    "bm25-prf": (bm25_feedback, tokenize_stemmed),
    "boolean": (boolean, tokenize_stemmed),
    "first-sentence": (bm25, tokenize_first_sentence),
    "lm-dirichlet": (lm_dirichlet, tokenize_stemmed),
    "tfidf": (tfidf, tokenize),
}


def read_documents(path: Path) -> dict[str, str]:
    """Document ids and texts."""
    with path.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return {record["id"]: record["text"] for record in records}


def read_topics(path: Path) -> dict[str, str]:
    """Topic ids and queries."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines)


def run_lines(system: str, documents: dict[str, str], topics: dict[str, str]) -> list[str]:
    """The lines of one system's run file."""
    ranker, analyse = SYSTEMS[system]
    tokens = [analyse(text) for text in documents.values()]
    queries = [analyse(text) for text in topics.values()]
    scores = ranker(tokens, queries)
    digits = 0 if np.issubdtype(scores.dtype, np.integer) else 4
    lines = []
    for topic, row in zip(topics, scores, strict=True):
        written = zip((round(float(score), digits) for score in row), documents, strict=True)
        ranked = sorted((pair for pair in written if pair[0] > 0), reverse=True)[:DEPTH]
        for rank, (score, doc) in enumerate(ranked, start=1):
            lines.append(f"{topic} Q0 {doc} {rank} {score:.{digits}f} {system}\n")
    return lines


def make_collection(corpus: Path, output: Path) -> None:
    """Write one run file per system and copy the judgments and texts."""
    documents = read_documents(corpus / DOCUMENTS)
    topics = read_topics(corpus / TOPICS)
    runs = output / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    for system in SYSTEMS:
        lines = run_lines(system, documents, topics)
        (runs / f"{system}.txt").write_text("".join(lines), encoding="utf-8", newline="\n")
    for name in COPIED:
        shutil.copyfile(corpus / name, output / name)


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Make the run files of the demo collection.")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder to write to")
    options = parser.parse_args(arguments)
    missing = [name for name in COPIED if not (CORPUS / name).is_file()]
    if missing:
        parser.error(f"{CORPUS} lacks {', '.join(missing)}")
    if options.output.exists() and not options.output.is_dir():
        parser.error(f"{options.output} is not a folder")
    make_collection(CORPUS, options.output)


if __name__ == "__main__":
    main()
