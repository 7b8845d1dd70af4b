"""The demo collection: its script gives the shipped files again, and they are well formed."""

from __future__ import annotations

import importlib.util
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("bm25s")

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "irpref" / "cli" / "demo_collection"
CORPUS = ROOT / "scripts" / "demo_corpus"
SYSTEMS = ["bm25", "bm25-prf", "boolean", "first-sentence", "lm-dirichlet", "tfidf"]


def load_script() -> ModuleType:
    path = ROOT / "scripts" / "make_demo_collection.py"
    spec = importlib.util.spec_from_file_location("make_demo_collection", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load_script()
DOCUMENTS = script.read_documents(CORPUS / "documents.jsonl")
TOPICS = script.read_topics(CORPUS / "topics.tsv")


def read_rows(path: Path) -> list[list[str]]:
    content = path.read_bytes()
    assert content.endswith(b"\n")
    assert b"\r" not in content
    return [line.split(" ") for line in content.decode("utf-8").splitlines()]


def read_grades(name: str) -> dict[tuple[str, str, str], int]:
    rows = read_rows(SHIPPED / name)
    grades = {(topic, column, doc): int(grade) for topic, column, doc, grade in rows}
    assert len(grades) == len(rows)
    return grades


def files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".md")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_script_reproduces_shipped_files(tmp_path: Path) -> None:
    script.main(["--output", str(tmp_path)])
    made = files(tmp_path)
    names = {"qrels.txt", "qrels.subtopics.txt", "documents.jsonl", "topics.tsv"}
    assert set(made) == names | {f"runs/{system}.txt" for system in SYSTEMS}
    assert made == files(SHIPPED)


def test_output_must_be_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(SystemExit) as stopped:
        script.main(["--output", str(file)])
    assert stopped.value.code == 2
    assert "is not a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("slugs", "slug"),
        ("tomatoes", "tomato"),
        ("saving", "sav"),
        ("save", "sav"),
        ("berries", "berry"),
        ("grass", "grass"),
        ("bed", "bed"),
        ("bees", "bee"),
    ],
)
def test_stems_of_words(word: str, expected: str) -> None:
    assert script.stem(word) == expected


def test_the_corpus_has_150_short_documents_and_12_topics() -> None:
    lines = (CORPUS / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(DOCUMENTS) == 150
    assert len(set(DOCUMENTS.values())) == 150
    assert all(30 <= len(text.split()) <= 70 for text in DOCUMENTS.values())
    assert list(TOPICS) == [str(number) for number in range(1, 13)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_run_is_well_formed(system: str) -> None:
    lists: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for topic, second, doc, rank, score, name in read_rows(SHIPPED / "runs" / f"{system}.txt"):
        lists[topic].append((float(score), doc))
        assert (second, name, doc in DOCUMENTS) == ("Q0", system, True)
        assert int(rank) == len(lists[topic])
        assert score.isdigit() if system == "boolean" else len(score.split(".")[1]) == 4
    assert list(lists) == list(TOPICS)
    for ranked in lists.values():
        assert ranked == sorted(ranked, reverse=True)
        assert len({doc for _, doc in ranked}) == len(ranked) <= 30
        assert ranked[-1][0] > 0


def test_the_qrels_judge_enough_documents_of_every_topic() -> None:
    grades = read_grades("qrels.txt")
    assert {column for _, column, _ in grades} == {"0"}
    assert {doc for _, _, doc in grades} <= set(DOCUMENTS)
    assert set(grades.values()) == {-1, 0, 1, 2}
    for topic in TOPICS:
        judged = [grade for (judged_topic, _, _), grade in grades.items() if judged_topic == topic]
        assert 15 <= len(judged) <= 30
        assert 4 <= sum(grade > 0 for grade in judged) <= 14


def test_subtopics_agree_with_qrels() -> None:
    flat = {(topic, doc): grade for (topic, _, doc), grade in read_grades("qrels.txt").items()}
    highest: dict[tuple[str, str], int] = {}
    relevant: dict[str, set[str]] = defaultdict(set)
    for (topic, subtopic, doc), grade in read_grades("qrels.subtopics.txt").items():
        highest[topic, doc] = max(grade, highest.get((topic, doc), grade))
        if grade > 0:
            relevant[topic].add(subtopic)
    assert highest == flat
    facets = {"1": {"1", "2"}, "3": {"1", "2", "3"}, "4": {"1", "2"}}
    assert relevant == {topic: facets.get(topic, {"1"}) for topic in TOPICS}


def test_top_ten_of_every_run_is_judged() -> None:
    judged = {(topic, doc) for topic, _, doc in read_grades("qrels.txt")}
    for system in SYSTEMS:
        rows = read_rows(SHIPPED / "runs" / f"{system}.txt")
        assert {(row[0], row[2]) for row in rows if int(row[3]) <= 10} <= judged
