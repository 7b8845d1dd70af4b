"""Messages that know which parts of them are options."""

from __future__ import annotations

import pickle
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.base.errors import InputError, warn
from irpref.base.escape import escaped
from irpref.base.message import Message, Option, spelled

TEXTS = st.text(max_size=6)
PARTS = st.lists(TEXTS | st.builds(Option, st.sampled_from(["order", "missing"]), TEXTS))


def flag(option: Option) -> str:
    return f"--{option.name} {option.value}"


@given(PARTS, PARTS)
def test_a_message_is_its_parts(one: list[str | Option], other: list[str | Option]) -> None:
    inner, together = Message(*one), [*one, *other]
    made = Message(inner, *other)
    assert made == "".join(map(str, together))
    assert made.parts == tuple(together)
    assert made.spelled(flag) == "".join(p if isinstance(p, str) else flag(p) for p in together)
    assert made.spelled(str) == made


def test_a_message_survives_the_way_to_another_process() -> None:
    said = Message("keep one: ", Option("duplicates", "first"))
    error = InputError("it is there twice", source="order='rank'", remedy=said)
    for each in (said, error):
        again = pickle.loads(pickle.dumps(each))
        assert spelled(again, lambda _: "--x").endswith("keep one: --x")
        assert str(again) == str(each)


def test_only_names_are_made_visible() -> None:
    said = Message("a\x1b ", Option("order", "\x1b")).cleaned(escaped)
    assert said == "a\\x1b order='\\x1b'"
    assert said.spelled(lambda _: "--order") == "a\\x1b --order"


def test_errors_and_warnings_carry_the_option() -> None:
    said = Message("take ", Option("missing", "worst"))
    error = InputError("it lacks a topic", source="missing.txt", remedy=said)
    assert str(error) == "missing.txt: it lacks a topic; take missing='worst'"
    assert spelled(error, flag) == "missing.txt: it lacks a topic; take --missing worst"
    assert str(error.spelled(flag)) == spelled(error, flag)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn(error)
        warn(said)
    assert [spelled(each.message, flag) for each in caught] == [
        spelled(error, flag),
        "take --missing worst",
    ]


@pytest.mark.parametrize("said", ["plain", ValueError("plain"), OSError(2, "plain")])
def test_what_names_no_option_is_as_it_is(said: object) -> None:
    assert spelled(said, flag) == str(said)
