"""The words for data of recommenders."""

from __future__ import annotations

import pickle

import pytest

from irpref.base.errors import InputError, warn
from irpref.base.message import Message, Option
from irpref.base.wording import Words, speaking


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("1 topic, 12 topics", "1 user, 12 users"),
        ("Topics without relevant documents.", "Users without relevant items."),
        ("a document of a topic's documents; A document", "an item of a user's items; An item"),
        ("Tied pair-topics: documents/list", "Tied pair-users: items/list"),
        ("Systems, runs and qrels; 2 judgments", "Models, models and test lists; 2 test items"),
        (
            "Ignored, as the qrels do not judge them: 2 topics in each run.",
            "Ignored, as they have no test items: 2 users in each model.",
        ),
        ("Unjudged documents count as not relevant.", "Other items count as not relevant."),
        ("lists (one run on one topic)", "lists (one model for one user)"),
        (
            "what the runs hold: irpref.collect(qrels, runs) reads topics",
            "what the models hold: irpref.collect(qrels, runs) reads users",
        ),
        ("'unjudged' asks what is certain of topics", "'unjudged' asks what is certain of users"),
        (
            "the run retrieves no judged document; repeated in a topic",
            "the model retrieves no test item; repeated for a user",
        ),
        ("topic-model, my-topic, topic_id, documents.txt, subtopics, topic=x, --topics", None),
        ("documented, topical, running, systematic, judges, run.txt, judged_at_10, 'run'", None),
    ],
)
def test_words_are_whole_words(said: str, expected: str | None) -> None:
    assert Words(True)(said) == (expected or said)
    assert Words()(said) == said


def test_names_stay_as_they_are() -> None:
    names = ["topic 7", "topic 77", "Topic", "the document (old)", "document"]
    said = Words(True, names)("topic 77, the document (old), Topic, a document: 3 topics, topic 78")
    assert said == "topic 77, the document (old), Topic, a document: 3 users, user 78"


def test_options_of_a_message_stay_as_they_are() -> None:
    said = Message("Topics: ", Option("topic", ..., python="explain(topic, a, b)"), " says why")
    found = Words(True)(said)
    assert found == "Users: explain(topic, a, b) says why"
    assert isinstance(found, Message)
    assert found.spelled(lambda option: f"--{option.name}") == "Users: --topic says why"


def test_many_names_with_these_words_take_no_time() -> None:
    words = Words(True, (f"topic {number}" for number in range(20_000)))
    assert words("topic 7 of 20,000 topics") == "topic 7 of 20,000 users"


def test_words_name_more_without_forgetting_names() -> None:
    words = Words(True, ["topic 7"]).naming(["run a", 8])
    assert (
        words("topic 7, topic 8, topic 9, run a, run b")
        == "topic 7, user 8, user 9, run a, model b"
    )
    assert words.unnamed("topic 7") == "user 7"
    assert Words().naming(["run a"]) == Words()


def test_words_are_sent_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(Words(True, ["topic 7"])))("topic 7, topic") == "topic 7, user"


def test_errors_and_warnings_are_in_the_words_that_are_spoken() -> None:
    error = InputError("a document is there twice", source="run 'my run'", topic="7")
    words = Words(True, ["my run"])
    said = "^model 'my run', user 7: an item is there twice$"
    with speaking(words), pytest.warns(UserWarning, match=said):
        warn(error)
    with pytest.raises(InputError) as caught, speaking(words):
        raise error
    assert str(caught.value) == "model 'my run', user 7: an item is there twice"
    assert caught.value.topic == "7"
    with pytest.warns(UserWarning, match="^a topic$"):
        warn("a topic")
    with pytest.raises(UnicodeDecodeError, match="invalid start byte"), speaking(words):
        b"\xff".decode()
